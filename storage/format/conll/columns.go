package conll

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/storage/format/codec"
	"parlance/storage/format/layers"
)

// conll is one token a line in columns. What the layers do not hold of a file is kept in the layer words, see
// conllLayout.
type conll struct {
	preset    []string
	optional  bool // the preset's middle column may be missing
	columns   []string
	cut       string
	separator string
	comment   string
	scheme    string
	label     string
	sentences int  // of a document, 0 for another cut
	marked    bool // a marker was written
	codec.Notes
}

var (
	tokenColumns = []string{"form", "lemma", "upos", "xpos", "feats", "misc"}
	arcColumns   = []string{"head", "deprel"}
	spanSchemes  = []string{"bio", "iob1", "iobes"}
)

// conllAsRead is the value of options for what the file had from which the document was read.
const conllAsRead = "as_read"

func (c *conll) Options(s *option.Set) {
	def := c.preset
	if def == nil {
		def = []string{"form", "entities"}
	}
	s.List(&c.columns, "columns", def,
		"what the columns hold: "+strings.Join(slices.Concat(tokenColumns, layers.SpanColumns, arcColumns), ", ")+
			"; _ for nothing")
	s.Text(&c.cut, "document", conllAsRead, "a document is what is between -DOCSTART- lines (as_read and marker; without "+
		"them a sentence), a sentence, a file, or a number of sentences. Written, marker puts such a line above each "+
		"document, as_read does so where the file had one or the document is of another format")
	s.Choice(&c.separator, "separator", conllAsRead, []string{conllAsRead, "blank", "tab"},
		"what separates columns: blanks and tabs (as_read and blank), or one tab. Written, as_read is what the file had, "+
			"else a blank")
	s.Text(&c.comment, "comment", "", "lines that begin so are no tokens, such as #")
	s.Choice(&c.scheme, "scheme", conllAsRead, append([]string{conllAsRead}, spanSchemes...),
		"how spans are written: as_read is as the file had them, else bio; all schemes are read")
	s.Text(&c.label, "label", "", "label of spans whose tags are B and I alone")
	s.Check("columns", c.checkColumns)
	s.Check("document", func() (err error) {
		if c.cut == conllAsRead {
			return nil
		}
		c.sentences, err = codec.DocumentCut(c.cut, conllAsRead+", marker")
		if c.cut == "marker" {
			c.sentences, err = 0, nil
		}
		return err
	})
	s.Require(func() bool { return !strings.ContainsAny(c.label, "\t\r\n ") }, "label: a word is wanted")
}

func (c *conll) checkColumns() error {
	seen := map[string]bool{}
	for _, n := range c.columns {
		if n == "_" {
			continue
		}
		if all := slices.Concat(tokenColumns, layers.SpanColumns, arcColumns); !slices.Contains(all, n) {
			return fmt.Errorf("there is no column %s%s; columns are %s", n, option.DidYouMean(n, all), strings.Join(all, ", "))
		}
		if seen[n] {
			return fmt.Errorf("column %s is named twice", n)
		}
		seen[n] = true
	}
	if !seen["form"] {
		return fmt.Errorf("a column form is wanted")
	}
	if seen["deprel"] && !seen["head"] {
		return fmt.Errorf("a column deprel needs a column head")
	}
	return nil
}

const docMark = "-DOCSTART-"

func docStart(line []byte) bool { return bytes.HasPrefix(line, []byte(docMark)) }

// marks reports whether documents are told apart by marker lines.
func (c *conll) marks() bool { return c.cut == "marker" || c.cut == conllAsRead }

func (c *conll) Splitter() codec.Splitter {
	s := &codec.SentenceSplitter{File: c.cut == "file", Sentences: c.sentences}
	if c.marks() {
		s.Marker = docStart
	}
	s.Passed = func(line []byte) bool {
		return c.comment != "" && bytes.HasPrefix(line, []byte(c.comment)) || s.Marker == nil && docStart(line)
	}
	return s
}

// otherColumns is the fault of a line with other columns than are named; where it is the first line, all of
// the file may have them.
func (c *conll) otherColumns(b *codec.Block, at, found int, first bool) error {
	e := &codec.Error{File: b.File, Line: b.Line + at,
		Msg: text.Countf("%d {column|columns}, %d {is|are} named (%s); _ names a column to leave out",
			found, len(c.columns), strings.Join(c.columns, ", "))}
	if n := len(c.columns) - 1; first && found > 1 && n > 0 {
		names := slices.Clone(c.columns[:min(n, found-1)])
		for len(names) < found-1 {
			names = append(names, "_")
		}
		e.Hint = "name those of the file, such as FORMAT conll WITH (columns = (" +
			strings.Join(append(names, c.columns[n]), ", ") + "))"
	}
	return e
}

// conllReader is one document on its way.
type conllReader struct {
	c     *conll
	b     *codec.Block
	bd    layers.Builder
	cells [][]string // by column
	arcs  arcRows
	words layers.Words
	lines []int    // of tokens
	raw   []string // lines of tokens, below comments within their sentence
	above []string // lines above each sentence
	below string   // lines since the last token
	short bool     // the column that may be missing is missing
	open  bool     // a sentence
}

// Parse reads the tokens of one document.
func (c *conll) Parse(b codec.Block) ([]*text.Document, error) {
	r := conllReader{c: c, b: &b, cells: make([][]string, len(c.columns))}
	at := 0
	var parts []string
	for rest := b.Text; rest != ""; at++ {
		line, after, _ := strings.Cut(rest, "\n")
		rest = after
		blank := codec.IsBlank([]byte(line))
		if blank || strings.HasPrefix(line, docMark) || c.comment != "" && strings.HasPrefix(line, c.comment) {
			r.open = r.open && !blank && !strings.HasPrefix(line, docMark)
			r.below += line + "\n"
			continue
		}
		parts = c.split(parts[:0], line)
		if err := r.token(at, line, parts); err != nil {
			return nil, err
		}
	}
	d, toks := r.bd.Document(b.ID())
	if err := r.layers(d, toks); err != nil {
		return nil, err
	}
	return []*text.Document{d}, r.keep(d, toks)
}

// token reads the line of a token.
func (r *conllReader) token(at int, line string, parts []string) error {
	c := r.c
	if c.optional && len(parts) == 2 && len(c.columns) == 3 {
		r.short = true
		parts = []string{parts[0], "_", parts[1]}
	}
	if len(parts) != len(c.columns) {
		return c.otherColumns(r.b, at, len(parts), len(r.lines) == 0 && r.b.Number <= 1)
	}
	if !r.open {
		r.bd.Sentence()
		r.open = true
		r.above, r.below = append(r.above, r.below), ""
	}
	tags := layers.Tags{Label: c.label}
	for i, n := range c.columns {
		v := parts[i]
		if n == "form" {
			if v == "" {
				return r.b.Fault(at, 0, "the form is empty")
			}
			r.bd.Token(v, false)
		}
		if first := layers.FirstAlternative(v); layers.IsSpanColumn(n) && !tags.Is(first) {
			e := &codec.Error{File: r.b.File, Line: r.b.Line + at,
				Msg: fmt.Sprintf("%q in column %s is no tag such as O, B-PER or I-PER", first, n)}
			if layers.SpanMark(first) {
				e.Hint = "WITH (label = 'PER') gives spans whose tags name no label this one"
			}
			return e
		}
		r.cells[i] = append(r.cells[i], v)
	}
	r.lines, r.raw, r.below = append(r.lines, at), append(r.raw, r.below+line), ""
	return nil
}

// split cuts a line at its separators. Blanks are the space alone: others belong to words.
func (c *conll) split(dst []string, line string) []string {
	if c.separator == "tab" {
		return append(dst, strings.Split(line, "\t")...)
	}
	return codec.AppendFields(dst, line)
}

// layers fills columns of tokens and makes the layers of the others.
func (r *conllReader) layers(d *text.Document, toks *text.Layer) error {
	var heads, rels []string
	for i, n := range r.c.columns {
		switch {
		case n == "_" || n == "form":
		case n == "head":
			heads = r.cells[i]
		case n == "deprel":
			rels = r.cells[i]
		case layers.IsSpanColumn(n):
			tags := make([]string, len(r.cells[i]))
			for k, v := range r.cells[i] {
				tags[k] = layers.FirstAlternative(v)
			}
			d.SetLayer(d.SpanLayer(text.Builtins(n), layers.Tags{Label: r.c.label}.Spans(toks, tags)))
		default:
			values := slices.Clone(r.cells[i])
			for k, v := range values {
				if v == "_" {
					values[k] = ""
				}
			}
			toks.SetStrs(n, values)
		}
	}
	for i, h := range heads {
		rel := "_"
		if rels != nil {
			rel = rels[i]
		}
		if err := r.arcs.add(r.b, r.lines[i], h, rel); err != nil {
			return err
		}
	}
	return r.arcs.set(r.b, d, toks)
}

// lines are the lines of the tokens of a document. Those that words keeps are as they were read.
func (c *conll) lines(d *text.Document, toks *text.Layer, l conllLayout, words layers.KeptWords,
	tell func(codec.Topic)) ([]string, error) {
	trees := arcsOf(d, toks, words)
	tags := make([][]string, len(c.columns))
	for k, n := range c.columns {
		if layers.IsSpanColumn(n) {
			tags[k] = layers.Tags{Scheme: l.scheme, Label: c.label}.Tags(d, toks, d.Layer(n), tell)
		}
	}
	out := make([]string, toks.N)
	var cells []string
	for i := range toks.N {
		cells = cells[:0]
		for k, n := range c.columns {
			if !l.short || k != 1 {
				cells = append(cells, c.cell(trees, toks, n, tags[k], l.fill[k], i))
			}
		}
		id := layers.KeptKey{Sent: toks.Cols[0].Ints[i], Id: itoa(toks.Cols[1].Ints[i]) + lineRow}
		if kept, ok := words.Rows[id]; ok && l.columns == strings.Join(c.columns, ",") {
			if raw, ok := c.asRead(cells, l, kept); ok {
				out[i] = raw
				continue
			}
		}
		for k, v := range cells {
			if v == "" || strings.ContainsAny(v, "\t\r\n") || k == 0 && strings.HasPrefix(v, docMark) ||
				l.separator != "\t" && strings.Contains(v, " ") {
				return nil, fmt.Errorf("document %s: %q does not fit into a column; WITH (separator = 'tab') allows blanks",
					d.ID, v)
			}
		}
		out[i] = strings.Join(cells, l.separator)
	}
	return out, nil
}

// cell is a column of token i.
func (c *conll) cell(trees headColumns, toks *text.Layer, column string, tags []string, fill string, i int) string {
	switch {
	case column == "_":
		return orBar(fill)
	case tags != nil:
		return tags[i]
	case slices.Contains(arcColumns, column):
		head, rel := trees.cells(i)
		if column == "head" {
			return head
		}
		return rel
	}
	return layers.CellOf(toks.Strs(column), i)
}

// Document writes the sentences of a document, after a marker where documents are marked.
func (c *conll) Document(w io.Writer, d *text.Document) error {
	toks := d.Layer("tokens")
	if toks == nil {
		return nil
	}
	words := layers.Kept(d)
	l := c.layoutOf(words)
	c.mark(&l, d)
	lines, err := c.lines(d, toks, l, words, func(what codec.Topic) { c.Tell(what, 1, d.ID, 0) })
	if err != nil {
		return err
	}
	var b bytes.Buffer
	b.WriteString(c.above(words, 0, l))
	for i, line := range lines {
		if s := toks.Cols[0].Ints[i]; i > 0 && s != toks.Cols[0].Ints[i-1] {
			b.WriteString(c.above(words, int(s)-1, l))
		}
		b.WriteString(line)
		b.WriteByte('\n')
	}
	_, below, ok := strings.Cut(words.Rows[layers.KeptKey{Sent: 0, Id: belowRow}], "\n")
	if !ok || !c.marks() && holdsMarker(below) {
		below = "\n"
	}
	b.WriteString(below)
	_, err = w.Write(b.Bytes())
	return err
}

// unmarked are documents whose sentences a reader would take apart.
var unmarked = codec.Topic{
	One: "1 document of several sentences was written without a line -DOCSTART-, as it was read: the " +
		"option document reads it as it was; COPY … WITH (document = 'marker') marks documents",
	Many: "%d documents of several sentences were written without a line -DOCSTART-, as they were read: the option " +
		"document reads them as they were; COPY … WITH (document = 'marker') marks documents"}

// mark decides whether a marker stands above a document. Below one that has one, all have.
func (c *conll) mark(l *conllLayout, d *text.Document) {
	l.bare = l.bare && c.cut != "marker" && !c.marked || !c.marks()
	c.marked = c.marked || !l.bare
	if s := d.Layer("sentences"); l.bare && c.cut == conllAsRead && s != nil && s.N > 1 {
		c.Tell(unmarked, 1, d.ID, 0)
	}
}

// above is what stands above a sentence, counted from 0, as it was read unless an option says otherwise.
func (c *conll) above(words layers.KeptWords, sentence int, l conllLayout) string {
	usual := c.usualAbove(sentence, l)
	lines, ok := words.Rows[layers.KeptKey{Sent: int32(sentence + 1), Id: aboveRow}]
	switch {
	case !ok, !c.marks() && holdsMarker(lines), sentence == 0 && !l.bare && !holdsMarker(lines):
		return usual
	}
	return lines
}
