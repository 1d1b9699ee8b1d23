package conll

import (
	"fmt"
	"slices"
	"strings"

	"parlance/algo/text"
	"parlance/storage/format/codec"
	"parlance/storage/format/layers"
)

// Ids of rows of the layer words in which the reader of columns keeps what a writer would spell otherwise, so that a
// file comes back as it was.
const (
	layoutRow = "layout" // sentence 0: attributes of the document, see conllLayout
	lineRow   = " LINE"  // after the number of the token: the line as it would be written, a line feed, the line as read
	aboveRow  = "ABOVE"  // lines between a sentence and the one before it, in full
	belowRow  = "BELOW"  // of sentence 0: lines below the last sentence, below a line with their number
)

// conllLayout is how a file of columns is laid out.
type conllLayout struct {
	separator string
	scheme    string
	fill      []string // by column: what stands in columns that hold nothing
	columns   string   // of the file, where anything of its lines is kept
	short     bool     // the column that may be missing is missing
	bare      bool     // no marker stands above the document
}

// usualLayout is that of documents of other formats.
func (c *conll) usualLayout() conllLayout {
	return conllLayout{separator: " ", scheme: "bio", fill: make([]string, len(c.columns))}
}

// String is the layout as attributes, "" for the usual one.
func (l conllLayout) String() string {
	var out []string
	if l.separator == "\t" {
		out = append(out, "separator=tab")
	}
	if l.scheme != "bio" {
		out = append(out, "scheme="+l.scheme)
	}
	for i, v := range l.fill {
		if v != "" && v != "_" {
			out = append(out, fmt.Sprintf("column%d=%s", i+1, miscEscaper.Replace(v)))
		}
	}
	if l.short {
		out = append(out, "short=yes")
	}
	if l.columns != "" {
		out = append(out, "columns="+l.columns)
	}
	if l.bare {
		out = append(out, "marker=none")
	}
	return strings.Join(out, "|")
}

// layoutOf is the layout that the layer words keeps, as far as options do not say otherwise.
func (c *conll) layoutOf(words layers.KeptWords) conllLayout {
	l := c.usualLayout()
	if kept, ok := words.Rows[layers.KeptKey{Sent: 0, Id: layoutRow}]; ok {
		if attribute(kept, "separator") == "tab" {
			l.separator = "\t"
		}
		if s := attribute(kept, "scheme"); s != "" {
			l.scheme = s
		}
		if l.columns = attribute(kept, "columns"); l.columns == strings.Join(c.columns, ",") {
			for i := range l.fill {
				l.fill[i] = miscUnescaper.Replace(attribute(kept, fmt.Sprintf("column%d", i+1)))
			}
			l.short = c.optional && attribute(kept, "short") == "yes"
		}
		l.bare = attribute(kept, "marker") == "none"
	}
	switch c.separator {
	case "blank":
		l.separator = " "
	case "tab":
		l.separator = "\t"
	}
	if c.scheme != conllAsRead {
		l.scheme = c.scheme
	}
	return l
}

// observe finds the layout of the tokens read: separator, fill and columns as the first line has them, and the scheme
// that spells the most tags.
func (r *conllReader) observe(d *text.Document, toks *text.Layer) conllLayout {
	l := r.c.usualLayout()
	if len(r.raw) == 0 {
		return l
	}
	first := r.raw[0][strings.LastIndexByte(r.raw[0], '\n')+1:]
	if r.c.separator == "tab" || strings.Contains(first, "\t") && !strings.Contains(first, " ") {
		l.separator = "\t"
	}
	l.short = r.short
	for i, n := range r.c.columns {
		if n == "_" {
			l.fill[i] = r.cells[i][0]
		}
	}
	best := -1
	for _, scheme := range spanSchemes {
		same := 0
		for i, n := range r.c.columns {
			if !layers.IsSpanColumn(n) {
				continue
			}
			t := layers.Tags{Scheme: scheme, Label: r.c.label}
			for k, tag := range t.Tags(d, toks, d.Layer(n), func(codec.Topic) {}) {
				if tag == r.cells[i][k] {
					same++
				}
			}
		}
		if same > best {
			best, l.scheme = same, scheme
		}
	}
	return l
}

// keep puts into the layer words what a writer would spell otherwise. above are the lines above each sentence, below
// those below the last.
func (r *conllReader) keep(d *text.Document, toks *text.Layer) error {
	r.arcs.keep(&r.words, toks)
	l := r.observe(d, toks)
	l.bare = len(r.above) == 0 || !holdsMarker(r.above[0])
	lines, err := r.c.lines(d, toks, l, layers.KeptWords{}, func(codec.Topic) {})
	if err != nil {
		lines = make([]string, toks.N) // nothing else would be written
	}
	if l.short || slices.ContainsFunc(l.fill, func(v string) bool { return v != "" && v != "_" }) ||
		!slices.Equal(lines, r.raw) {
		l.columns = strings.Join(r.c.columns, ",")
	}
	if s := l.String(); s != "" {
		r.words.Add(0, layoutRow, s)
	}
	for i, line := range lines {
		if line != r.raw[i] {
			r.words.Add(int(toks.Cols[0].Ints[i]), itoa(toks.Cols[1].Ints[i])+lineRow, line+"\n"+r.raw[i])
		}
	}
	for s, lines := range r.above {
		if lines != r.c.usualAbove(s, l) {
			r.words.Add(s+1, aboveRow, lines)
		}
	}
	if r.below != "\n" {
		r.words.Add(0, belowRow, fmt.Sprintf("%d\n%s", strings.Count(r.below, "\n"), r.below))
	}
	r.words.Set(d)
	return nil
}

// usualAbove is what stands above a sentence, counted from 0: a blank line, or the marker of the document.
func (c *conll) usualAbove(sentence int, l conllLayout) string {
	switch {
	case sentence > 0:
		return "\n"
	case l.bare:
		return ""
	}
	return "-DOCSTART-" + strings.Repeat(l.separator+"O", len(c.columns)-1) + "\n\n"
}

// holdsMarker reports whether one of some lines is a marker.
func holdsMarker(lines string) bool {
	return strings.HasPrefix(lines, docMark) || strings.Contains(lines, "\n"+docMark)
}

// asRead is the line of a token as it was read, if it would be written as then; else what would be written, with what
// the line as read has in columns that hold nothing.
func (c *conll) asRead(cells []string, l conllLayout, kept string) (string, bool) {
	then, raw, ok := strings.Cut(kept, "\n")
	if !ok {
		return "", false
	}
	if strings.Join(cells, l.separator) == then {
		return raw, true
	}
	was := c.split(nil, raw[strings.LastIndexByte(raw, '\n')+1:])
	if len(was) != len(cells) {
		return "", false
	}
	at := 0
	for i, n := range c.columns {
		if l.short && i == 1 {
			continue
		}
		if n == "_" {
			cells[at] = was[at]
		}
		at++
	}
	return "", false
}
