package picture

import (
	"fmt"
	"io"
	"strings"

	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/storage/format/codec"
	"parlance/storage/format/draw"
	"parlance/storage/format/offset"
	"parlance/storage/format/web"
	"parlance/storage/value"
)

// picturePage writes a page of HTML that needs no other file. Its end holds what is known only then: the
// colours of labels and the legend, which the style shows on top.
type picturePage struct {
	chooser
	palettes
	partners
	title    string
	pictures bool
	rows     pictureRows
	open     bool        // the head is written
	inTable  bool        // rows are written as a table
	matrix   *matrixRows // rows are counts, which are drawn above the table
	plot     *plotRows   // rows are those of a training, which is drawn above the table
	folded   bool        // the table is shown when it is asked for
	lines    *draw.Palette
	n        int // documents so far
}

func newHTML() codec.Codec {
	return &htmlFormat{picturePage: &picturePage{palettes: newPalettes(), lines: draw.NewOrdered("s")},
		Page: &web.Page{}}
}

// htmlFormat reads a webpage and writes a picturePage.
type htmlFormat struct {
	*picturePage
	*web.Page
}

func (h *htmlFormat) Options(s *option.Set) {
	h.Page.Options(s)
	h.picturePage.Options(s)
}

func (h *picturePage) Options(s *option.Set) {
	s.List(&h.names, "layers", nil, "layers of documents to draw; without it, all that the documents have but "+
		"sentences, tokens and words, which are shown as tables; alignments are drawn with the document before or after")
	s.Text(&h.title, "title", "", "heading of the page")
	s.Bool(&h.pictures, "draw", true, "whether rows of a layer are drawn; else all rows are a table")
}

const pageStyle = `
:root{color-scheme:light dark;--page:#ffffff;--ink:#1b1f24;--dim:#5b6470;--rule:#dfe3e8;--tagink:#ffffff;--single:#e4e7eb}
body{margin:0 auto;max-width:72rem;padding:1.5rem;display:flex;flex-direction:column;background:var(--page);color:var(--ink);font:16px/1.6 ` + draw.Family + `}
h1{font-size:1.5rem;margin:0 0 .5rem;order:-2}
h2{font-size:1.05rem;margin:0 0 .4rem;overflow-wrap:anywhere}
h3{font-size:.8rem;font-weight:600;color:var(--dim);margin:1rem 0 .2rem}
h3.many{margin-top:.5rem;font-weight:400}
section{border-top:1px solid var(--rule);padding:1rem 0;content-visibility:auto;contain-intrinsic-size:auto 300px;min-width:0}
.legend{order:-1;margin:0 0 1rem;font-size:.85rem}
.legend span,.badge{display:inline-block;border-radius:.3em;padding:0 .45em;margin:0 .4em .3em 0;overflow-wrap:anywhere}
.text{white-space:pre-wrap;overflow-wrap:anywhere;unicode-bidi:plaintext;text-align:start;line-height:calc(1.75em + var(--deep,0)*5px)}
.text span{border-radius:.15em;box-decoration-break:clone;-webkit-box-decoration-break:clone}
.text small,.text sub{font-size:.62em;font-weight:700;line-height:1.2;color:var(--tagink);border-radius:.3em;padding:.05em .35em;margin:0 .25em;unicode-bidi:isolate;user-select:none}
.text small{vertical-align:.18em}
.text sub{vertical-align:-.25em}
.text ins{text-decoration:none;font-weight:600;color:#116329}
.text del{color:#a40e26}
.bsingle{background:var(--single)}
.csingle{background:var(--dim)}
:root{--csingle:#5b6470}
.fields{display:flex;flex-wrap:wrap;gap:.1rem 1.2rem;margin:.2rem 0;font-size:.85rem}
.fields div{display:flex;gap:.4em}
.fields dt{color:var(--dim)}
.fields dd{margin:0;overflow-wrap:anywhere}
figure{margin:.3rem 0 1rem;overflow-x:auto}
figure.top{order:-1}
summary{color:var(--dim);font-size:.85rem}
figcaption{font-size:.75rem;color:var(--dim);position:sticky;left:0}
.scroll{overflow-x:auto}
table{border-collapse:collapse;font-size:.9rem}
th{text-align:left;border-bottom:2px solid var(--rule);padding:.3rem .8rem .3rem 0;white-space:nowrap}
td{border-bottom:1px solid var(--rule);padding:.25rem .8rem .25rem 0;vertical-align:top;white-space:pre-wrap;overflow-wrap:break-word;max-width:40rem;unicode-bidi:plaintext}
.num{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
.null{color:var(--dim);font-style:italic}
@media (prefers-color-scheme:dark){
:root{--page:#15181d;--ink:#e6e9ee;--dim:#a3adba;--rule:#2c323b;--tagink:#15181d;--single:#343b45;--csingle:#a3adba}
.text ins{color:#6fdd8b}
.text del{color:#ff9a9a}
}
`

// head writes the beginning of the page.
func (h *picturePage) head(b *strings.Builder) {
	if h.open {
		return
	}
	h.open = true
	title := h.title
	if title == "" {
		title = "Parlance"
	}
	b.WriteString("<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\">\n<head>\n<meta " +
		"charset=\"utf-8\"/>\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n")
	fmt.Fprintf(b, "<title>%s</title>\n<style>%s%s</style>\n</head>\n<body>\n", draw.Escape(title), pageStyle, draw.Style)
	if h.title != "" {
		fmt.Fprintf(b, "<h1>%s</h1>\n", draw.Escape(h.title))
	}
}

// End writes the legend, the colours and the end of the page.
func (h *picturePage) End(w io.Writer) error {
	if err := h.rows.flush(); err != nil {
		return err
	}
	if err := h.draw(nil, func(d *text.Document) error { return h.one(w, d) }); err != nil {
		return err
	}
	var b strings.Builder
	h.head(&b)
	if h.inTable {
		b.WriteString("</tbody>\n</table></div>\n")
		h.top(&b)
	}
	if err := h.check(); err != nil {
		return err
	}
	if names := h.labels.Names(); len(names) > 0 {
		b.WriteString("<div class=\"legend\">")
		for _, n := range names {
			if n != "" {
				fmt.Fprintf(&b, `<span class="b%s">%s</span>`, h.labels.Class(n), draw.Escape(n))
			}
		}
		b.WriteString("</div>\n")
	}
	fmt.Fprintf(&b, "<style>\n%s%s</style>\n</body>\n</html>\n", h.labels.HTML(), h.clusters.HTML()+h.lines.SVG())
	_, err := io.WriteString(w, b.String())
	return err
}

func (h *picturePage) Document(w io.Writer, d *text.Document) error {
	return h.draw(d, func(d *text.Document) error { return h.one(w, d) })
}

// one writes a document.
func (h *picturePage) one(w io.Writer, d *text.Document) error {
	var b strings.Builder
	h.head(&b)
	h.n++
	fmt.Fprintf(&b, "<section id=\"d%d\">\n", h.n)
	if d.ID != "" {
		fmt.Fprintf(&b, "<h2>%s</h2>\n", draw.Escape(d.ID))
	}
	h.fields(&b, d)
	layers := h.choose(d, func(p picture) bool { return p != asTable })
	shown := false
	for _, l := range layers {
		if pictureOf(l.Def) == asBadges {
			h.badges(&b, l)
		}
	}
	for _, l := range layers {
		if err := h.layer(&b, d, l); err != nil {
			return err
		}
		p := pictureOf(l.Def)
		shown = shown || p != asTable && p != asBadges
	}
	if !shown && d.Text != "" {
		fmt.Fprintf(&b, "<div class=\"text\" dir=\"auto\">%s</div>\n", draw.Escape(d.Text))
	}
	b.WriteString("</section>\n")
	_, err := io.WriteString(w, b.String())
	return err
}

func (h *picturePage) fields(b *strings.Builder, d *text.Document) {
	any := false
	for _, f := range d.Fields {
		if f.Value.IsNull() {
			continue
		}
		if !any {
			b.WriteString(`<dl class="fields">`)
		}
		any = true
		fmt.Fprintf(b, "<div><dt>%s</dt><dd>%s</dd></div>", draw.Escape(f.Name), draw.Escape(f.Value.String()))
	}
	if any {
		b.WriteString("</dl>\n")
	}
}

// layer draws one layer of a document.
func (h *picturePage) layer(b *strings.Builder, d *text.Document, l *text.Layer) error {
	p := pictureOf(l.Def)
	if p == asBadges {
		return nil
	}
	fmt.Fprintf(b, "<h3>%s</h3>\n", draw.Escape(l.Name))
	switch p {
	case asMarks:
		texts, err := h.markedTexts(d, l)
		if err != nil {
			return err
		}
		for _, t := range texts {
			h.marked(b, t, l.Def == text.Edits)
		}
	case asArcs:
		list, err := arcFigures(d, l)
		if err != nil {
			return err
		}
		figures(b, list)
	case asTree:
		figures(b, treeFigures(d, l))
	case asLinks:
		figures(b, h.linkFigures(d, l))
	case asRelations:
		figures(b, relationFigures(d, l))
	default:
		layerTable(b, d, l)
	}
	return nil
}

func (h *picturePage) badges(b *strings.Builder, l *text.Layer) {
	b.WriteString("<div>")
	for i := range l.N {
		name := strAt(l.Strs("label"), i)
		fmt.Fprintf(b, `<span class="badge b%s">%s</span>`, h.labels.Class(name), draw.Escape(name))
	}
	b.WriteString("</div>\n")
}

func figures(b *strings.Builder, list []sentenceFigure) {
	for _, f := range list {
		fmt.Fprintf(b, "<figure><figcaption>%d</figcaption>%s</figure>\n", f.sent, f.Inline())
	}
}

// marked writes a text under its marks, or with its corrections.
func (h *picturePage) marked(b *strings.Builder, t marked, corrected bool) {
	if t.title != "" {
		fmt.Fprintf(b, "<h3 class=\"many\">%s</h3>\n", draw.Escape(t.title))
	}
	m := draw.Cut(t.text, t.marks)
	b.WriteString(`<div class="text" dir="auto"`)
	if m.Most > 1 && !corrected {
		fmt.Fprintf(b, ` style="--deep:%d"`, m.Most)
	}
	b.WriteString(">")
	for _, p := range m.Pieces {
		if corrected {
			correctedPiece(b, m, p)
		} else {
			markedPiece(b, m, p)
		}
	}
	b.WriteString("</div>\n")
}

// markedPiece colours a piece for the narrowest mark over it, and draws a line for each where
// marks overlap: shadows of the piece, the nearer over the farther.
func markedPiece(b *strings.Builder, m *draw.Marks, p draw.Piece) {
	if len(p.Over) == 0 && len(p.Ends) == 0 {
		b.WriteString(draw.Escape(p.Text))
		return
	}
	if len(p.Over) > 0 {
		fmt.Fprintf(b, `<span class="b%s"`, m.List[p.Over[len(p.Over)-1]].Class)
		if shadows := shadows(m, p.Over); shadows != "" {
			fmt.Fprintf(b, ` style="border-radius:0;box-shadow:%s"`, shadows)
		}
	} else {
		b.WriteString("<span")
	}
	if t := titles(m, p); t != "" {
		fmt.Fprintf(b, ` title="%s"`, draw.Escape(t))
	}
	b.WriteString(">" + draw.Escape(p.Text))
	for _, i := range p.Ends {
		x := m.List[i]
		tag := "small"
		if x.Low {
			tag = "sub"
		}
		if x.Tag != "" {
			fmt.Fprintf(b, `<%s class="c%s">%s</%s>`, tag, x.Class, draw.Escape(x.Tag), tag)
		}
	}
	b.WriteString("</span>")
}

func shadows(m *draw.Marks, over []int) string {
	var out []string
	for depth := range m.Most {
		for _, i := range over {
			if m.Deep[i] && m.Depth[i] == depth {
				out = append(out, fmt.Sprintf("0 %dpx var(--page),0 %dpx var(--c%s)", depth*5+2, depth*5+5, m.List[i].Class))
			}
		}
	}
	return strings.Join(out, ",")
}

func titles(m *draw.Marks, p draw.Piece) string {
	var out []string
	for _, i := range p.Over {
		if t := m.List[i].Title; t != "" {
			out = append(out, t)
		}
	}
	return strings.Join(out, "; ")
}

func correctedPiece(b *strings.Builder, m *draw.Marks, p draw.Piece) {
	switch {
	case len(p.Over) > 0 && p.Text != "":
		fmt.Fprintf(b, `<del title="%s">%s</del>`, draw.Escape(titles(m, p)), draw.Escape(p.Text))
	default:
		b.WriteString(draw.Escape(p.Text))
	}
	for _, i := range p.Ends {
		x := m.List[i]
		if x.Tag != "" {
			fmt.Fprintf(b, `<ins title="%s">%s</ins>`, draw.Escape(x.Title), draw.Escape(x.Tag))
		}
		if x.Title != "" {
			fmt.Fprintf(b, `<small class="c%s">%s</small>`, x.Class, draw.Escape(x.Title))
		}
	}
}

// layerTable writes the columns of a layer that has no picture.
func layerTable(b *strings.Builder, d *text.Document, l *text.Layer) {
	b.WriteString("<div class=\"scroll\"><table>\n<thead><tr>")
	for _, c := range l.Def.Columns {
		if c.Stored() {
			b.WriteString(heading(codec.Column{Name: c.Name, Type: c.Type}))
		}
	}
	b.WriteString("</tr></thead>\n<tbody>\n")
	at := offset.Pointer(d.Text)
	for i := range l.N {
		b.WriteString("<tr>")
		for k, c := range l.Def.Columns {
			if !c.Stored() {
				continue
			}
			var v value.Value
			switch col := l.Cols[k]; {
			case i < len(col.Ints) && c.Role == text.Offset && col.Ints[i] >= 0 && int(col.Ints[i]) <= len(d.Text):
				v = value.Int(int64(at(col.Ints[i])))
			case i < len(col.Ints):
				v = value.Int(int64(col.Ints[i]))
			case i < len(col.Floats):
				v = value.Real(col.Floats[i])
			case strAt(col.Strs, i) != "":
				v = value.Str(col.Strs[i])
			}
			b.WriteString(cell(codec.Column{Name: c.Name, Type: c.Type}, v))
		}
		b.WriteString("</tr>\n")
	}
	b.WriteString("</tbody>\n</table></div>\n")
}
