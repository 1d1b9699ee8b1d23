package plain

import (
	"cmp"
	"fmt"
	"html"
	"io"
	"regexp"
	"slices"
	"strings"

	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/storage/format/codec"
	"parlance/storage/format/layers"
)

// inline is text with spans marked by tags: <title> On trees </title>. Blanks beside tags
// count as one; those at both ends of a document count for nothing.
type inline struct {
	cut        string
	layer      string
	attribute  string
	unbalanced string
	entities   bool
	written    bool
}

func (c *inline) Options(s *option.Set) {
	s.Choice(&c.cut, "document", "line", []string{"line", "file"}, "a document is a line or a file")
	s.Choice(&c.layer, "layer", "segments", []string{"segments", "entities", "chunks"},
		"the layer of the spans between tags")
	s.Text(&c.attribute, "attribute", "",
		"the attribute of tags whose value is the label; without it the tag's name is the label and tags have no attributes")
	s.Choice(&c.unbalanced, "unbalanced", "error", []string{"error", "text", "close"}, "what a tag without partner is: "+
		"an error, text, or (close) a span up to the next end tag that fits none, or to the end")
	s.Bool(&c.entities, "entities", false, "whether &amp; and the like stand for characters")
}

type inlineSplitter struct{ file, began bool }

func (s *inlineSplitter) Begins(line []byte) (begins, skip bool) {
	if s.file {
		begins, s.began = !s.began, true
		return begins, false
	}
	blank := codec.IsBlankText(string(line))
	return !blank, blank
}

func (c *inline) Splitter() codec.Splitter { return &inlineSplitter{file: c.cut == "file"} }

// tag is a tag in a text.
type tag struct {
	name, attrs string
	from, to    int // bytes of the tag
	end, empty  bool
}

var tagPattern = regexp.MustCompile(`<(/?)([A-Za-z][A-Za-z0-9_.:-]*)(\s[^<>]*?)?(/?)>`)

var tagName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_.:-]*$`)

var attrPattern = regexp.MustCompile(`([^\s=]+)\s*=\s*("[^"]*"|'[^']*'|[^\s"']+)`)

func tags(s string) []tag {
	var out []tag
	for _, m := range tagPattern.FindAllStringSubmatchIndex(s, -1) {
		t := tag{name: s[m[4]:m[5]], from: m[0], to: m[1], end: m[3] > m[2], empty: m[9] > m[8]}
		if m[6] >= 0 {
			t.attrs = text.Trim(s[m[6]:m[7]])
		}
		out = append(out, t)
	}
	return out
}

// inlineReader is one document on its way.
type inlineReader struct {
	c       *inline
	b       codec.Block
	out     strings.Builder
	gap     byte // white space to be written before the next text
	spans   []layers.Span
	open    []openTag
	waiting []int // spans that begin with the next text
}

// openTag is a tag whose end is still to come.
type openTag struct {
	tag
	span int
}

func (c *inline) Parse(b codec.Block) ([]*text.Document, error) {
	r := &inlineReader{c: c, b: b}
	all := tags(b.Text)
	if c.unbalanced == "text" {
		all = balanced(all)
	}
	at := 0
	for _, t := range all {
		if !r.fits(t) {
			continue
		}
		r.text(b.Text[at:t.from], at > 0)
		at = t.to
		if err := r.tag(t); err != nil {
			return nil, err
		}
	}
	r.text(b.Text[at:], at > 0)
	if len(r.open) > 0 && c.unbalanced == "error" {
		t := r.open[len(r.open)-1].tag
		return nil, r.fault(t, "<%s> has no end tag", t.name)
	}
	for _, o := range r.open {
		r.end(o)
	}
	d := &text.Document{ID: b.ID(), Text: r.out.String()}
	if c.cut == "file" {
		d.ID = b.Base
	}
	d.SetLayer(layers.Spans(d, text.Builtins(c.layer), r.spans))
	return []*text.Document{d}, nil
}

// fits reports whether a tag is one: an end tag that nothing awaits is text where that is allowed.
func (r *inlineReader) fits(t tag) bool {
	return r.c.unbalanced == "error" || !t.end || len(r.open) > 0
}

// balanced leaves out tags without partner.
func balanced(all []tag) []tag {
	keep := make([]bool, len(all))
	open := map[string][]int{}
	for i, t := range all {
		list := open[t.name]
		switch {
		case t.empty:
			keep[i] = true
		case !t.end:
			open[t.name] = append(list, i)
		case len(list) > 0:
			keep[i], keep[list[len(list)-1]] = true, true
			open[t.name] = list[:len(list)-1]
		}
	}
	var out []tag
	for i, t := range all {
		if keep[i] {
			out = append(out, t)
		}
	}
	return out
}

func (r *inlineReader) fault(t tag, format string, args ...any) error {
	before := r.b.Text[:t.from]
	err := r.b.Fault(strings.Count(before, "\n"), t.from-strings.LastIndexByte(before, '\n'), format, args...)
	err.(*codec.Error).Hint = "WITH (unbalanced = 'text') takes such tags as text, 'close' as spans"
	return err
}

// text writes what stands between two tags.
func (r *inlineReader) text(s string, tagged bool) {
	body := strings.TrimLeft(s, codec.Blanks)
	lead := s[:len(s)-len(body)]
	body = strings.TrimRight(body, codec.Blanks)
	trail := s[len(lead)+len(body):]
	r.blank(lead)
	if body == "" {
		return
	}
	if r.gap != 0 && r.out.Len() > 0 {
		r.out.WriteByte(r.gap)
	}
	r.gap = 0
	for _, k := range r.waiting {
		r.spans[k].Start = r.out.Len()
	}
	r.waiting = r.waiting[:0]
	if r.c.entities {
		body = html.UnescapeString(body)
	}
	r.out.WriteString(body)
	r.blank(trail)
}

func (r *inlineReader) blank(s string) {
	switch {
	case strings.Contains(s, "\n"):
		r.gap = '\n'
	case s != "" && r.gap == 0:
		r.gap = ' '
	}
}

func (r *inlineReader) tag(t tag) error {
	if !t.end {
		label, err := r.label(t)
		if err != nil {
			return err
		}
		o := openTag{t, len(r.spans)}
		r.spans = append(r.spans, layers.Span{Start: r.out.Len(), Label: label})
		r.waiting = append(r.waiting, o.span)
		if t.empty {
			r.end(o)
			return nil
		}
		r.open = append(r.open, o)
		return nil
	}
	for i := len(r.open) - 1; i >= 0; i-- {
		if r.open[i].name == t.name {
			r.end(r.open[i])
			r.open = slices.Delete(r.open, i, i+1)
			return nil
		}
	}
	if r.c.unbalanced == "error" {
		return r.fault(t, "</%s> ends nothing", t.name)
	}
	r.end(r.open[len(r.open)-1])
	r.open = r.open[:len(r.open)-1]
	return nil
}

// end ends a span at the text written so far.
func (r *inlineReader) end(o openTag) {
	s := &r.spans[o.span]
	if k := slices.Index(r.waiting, o.span); k >= 0 {
		r.waiting = slices.Delete(r.waiting, k, k+1)
		s.Start = r.out.Len()
	}
	s.End = r.out.Len()
}

func (r *inlineReader) label(t tag) (string, error) {
	if r.c.attribute == "" {
		if t.attrs == "" {
			return t.name, nil
		}
		err := r.fault(t, "<%s> has attributes: %s", t.name, t.attrs)
		err.(*codec.Error).Hint = "WITH (attribute = '…') takes the value of one as the label"
		return "", err
	}
	for _, m := range attrPattern.FindAllStringSubmatch(t.attrs, -1) {
		if v := html.UnescapeString(strings.Trim(m[2], `"'`)); m[1] == r.c.attribute && v != "" {
			return v, nil
		}
	}
	err := r.fault(t, "<%s> has no attribute %s", t.name, r.c.attribute)
	err.(*codec.Error).Hint = ""
	return "", err
}

// mark is a tag to be written at a byte of the text.
type mark struct {
	at     int
	end    bool
	span   layers.Span
	number int
}

// marks are the tags in the order in which they are written: ends before beginnings, inner
// ends and outer beginnings first.
func marks(spans []layers.Span) []mark {
	var out []mark
	for i, s := range spans {
		out = append(out, mark{s.Start, false, s, i}, mark{s.End, true, s, i})
	}
	slices.SortStableFunc(out, func(x, y mark) int {
		xEmpty, yEmpty := x.span.Start == x.span.End, y.span.Start == y.span.End
		rank := func(m mark, empty bool) int {
			switch {
			case empty:
				return 1
			case m.end:
				return 0
			}
			return 2
		}
		if c := cmp.Or(cmp.Compare(x.at, y.at), cmp.Compare(rank(x, xEmpty), rank(y, yEmpty))); c != 0 {
			return c
		}
		switch {
		case xEmpty:
			return cmp.Compare(x.number, y.number)
		case x.end:
			return cmp.Or(cmp.Compare(y.span.Start, x.span.Start), cmp.Compare(y.number, x.number))
		}
		return cmp.Or(cmp.Compare(y.span.End, x.span.End), cmp.Compare(x.number, y.number))
	})
	return out
}

// Document writes the text with its spans between tags.
func (c *inline) Document(w io.Writer, d *text.Document) error {
	if c.cut == "file" && c.written {
		return fmt.Errorf("document %s: a file holds one document; WITH (document = 'line') writes one a line", d.ID)
	}
	c.written = true
	if body := strings.Trim(d.Text, codec.Blanks); c.cut == "line" && (body == "" || strings.ContainsAny(body, "\r\n")) {
		return fmt.Errorf("document %s: its text does not fit into a line; FORMAT jsonl holds any text", d.ID)
	}
	var spans []layers.Span
	if l := d.Layer(c.layer); l != nil {
		for i := range l.N {
			spans = append(spans, layers.Span{Start: int(l.Ints("char_start")[i]), End: int(l.Ints("char_end")[i]),
				Label: l.Strs("label")[i]})
		}
	}
	if err := c.writable(d, spans); err != nil {
		return err
	}
	var b strings.Builder
	at := 0
	for _, m := range marks(spans) {
		b.WriteString(c.escape(d.Text[at:m.at]))
		at = m.at
		c.mark(&b, d.Text, m)
	}
	b.WriteString(c.escape(d.Text[at:]))
	out := strings.Trim(b.String(), codec.Blanks) + "\n"
	_, err := io.WriteString(w, out)
	return err
}

// mark writes a tag, set off by a blank where the text has one on its other side.
func (c *inline) mark(b *strings.Builder, content string, m mark) {
	name, start := m.span.Label, m.span.Label
	if c.attribute != "" {
		name, start = "span", fmt.Sprintf(`span %s="%s"`, c.attribute, html.EscapeString(m.span.Label))
	}
	pad := m.span.Start < m.span.End
	if m.end {
		if pad && (m.at == len(content) || strings.IndexByte(codec.Blanks, content[m.at]) >= 0) {
			b.WriteByte(' ')
		}
		b.WriteString("</" + name + ">")
		return
	}
	b.WriteString("<" + start + ">")
	if pad && (m.at == 0 || strings.IndexByte(codec.Blanks, content[m.at-1]) >= 0) {
		b.WriteByte(' ')
	}
}

func (c *inline) escape(s string) string {
	if c.entities {
		return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(s)
	}
	return s
}

// writable checks that the reader would find the spans again.
func (c *inline) writable(d *text.Document, spans []layers.Span) error {
	if !c.entities && tagPattern.MatchString(d.Text) {
		return fmt.Errorf("document %s: its text has %s, which reads as a tag; WITH (entities = true) writes it", d.ID,
			tagPattern.FindString(d.Text))
	}
	for _, s := range spans {
		if s.Label == "" || c.attribute == "" && !tagName.MatchString(s.Label) {
			return fmt.Errorf("document %s: %q is no name of a tag; WITH (attribute = 'label') writes any label", d.ID, s.Label)
		}
	}
	if label, cross := c.crossing(spans); cross {
		return fmt.Errorf("document %s: a span labelled %s crosses another of its tag; FORMAT jsonl holds them", d.ID, label)
	}
	return nil
}

// crossing finds a span that begins inside another of the same tag and ends outside it: the
// reader would end the wrong one.
func (c *inline) crossing(spans []layers.Span) (label string, found bool) {
	spans = slices.Clone(spans)
	slices.SortStableFunc(spans, func(x, y layers.Span) int {
		return cmp.Or(cmp.Compare(x.Start, y.Start), cmp.Compare(y.End, x.End))
	})
	open := map[string][]int{} // ends, the innermost last
	for _, s := range spans {
		name := s.Label
		if c.attribute != "" {
			name = ""
		}
		ends := open[name]
		for len(ends) > 0 && ends[len(ends)-1] <= s.Start {
			ends = ends[:len(ends)-1]
		}
		if len(ends) > 0 && ends[len(ends)-1] < s.End {
			return s.Label, true
		}
		open[name] = append(ends, s.End)
	}
	return "", false
}
