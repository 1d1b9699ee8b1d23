package format

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"parlance/algo/option"
	"parlance/algo/text"
)

// conll is one token a line in columns.
type conll struct {
	preset    []string
	optional  bool // the preset's middle column may be missing
	columns   []string
	cut       string
	separator string
	comment   string
	scheme    string
	sentences int // of a document, 0 for another cut
}

var (
	tokenColumns = []string{"form", "lemma", "upos", "xpos", "feats", "misc"}
	spanColumns  = []string{"chunks", "entities", "segments"}
	arcColumns   = []string{"head", "deprel"}
)

func (c *conll) options(s *option.Set) {
	def := c.preset
	if def == nil {
		def = []string{"form", "entities"}
	}
	s.List(&c.columns, "columns", def,
		"what the columns hold: "+strings.Join(slices.Concat(tokenColumns, spanColumns, arcColumns), ", ")+"; _ for nothing")
	s.Text(&c.cut, "document", "marker", "a document is what is between -DOCSTART- lines (marker; without them a "+
		"sentence), a sentence, a file, or a number of sentences")
	s.Choice(&c.separator, "separator", "blank", []string{"blank", "tab"},
		"what separates columns: blanks and tabs, or one tab")
	s.Text(&c.comment, "comment", "", "lines that begin so are left out, such as #")
	s.Choice(&c.scheme, "scheme", "bio", []string{"bio", "iob1", "iobes"}, "how spans are written; all schemes are read")
	s.Check("columns", c.checkColumns)
	s.Check("document", func() (err error) { c.sentences, err = documentCut(c.cut, "marker"); return err })
}

func (c *conll) checkColumns() error {
	seen := map[string]bool{}
	for _, n := range c.columns {
		if n == "_" {
			continue
		}
		if all := slices.Concat(tokenColumns, spanColumns, arcColumns); !slices.Contains(all, n) {
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

// documentCut checks the option document: the given word if any, sentence, file, or a number.
func documentCut(s, word string) (sentences int, err error) {
	if word != "" {
		if s == word {
			return 0, nil
		}
		word += ", "
	}
	switch s {
	case "file":
		return 0, nil
	case "sentence":
		return 1, nil
	}
	n, err := strconv.Atoi(s)
	if err != nil || n < 1 {
		return 0, fmt.Errorf("it is %ssentence, file or a number of sentences, not %s", word, s)
	}
	return n, nil
}

// sentenceSplitter cuts at markers, files, or every so many sentences.
type sentenceSplitter struct {
	marker    func(line []byte) bool // nil without markers
	passed    func(line []byte) bool // lines that count for nothing
	file      bool
	sentences int
	marked    bool // the file has markers
	seen      int  // sentences of the document
	inside    bool // of a sentence
	began     bool
}

func (s *sentenceSplitter) begins(line []byte) (begins, skip bool) {
	if len(bytes.TrimSpace(line)) == 0 {
		s.inside = false
		return false, false
	}
	if s.passed != nil && s.passed(line) {
		return false, false // neither a token nor a marker
	}
	first := !s.inside
	s.inside = true
	if s.marker != nil && s.marker(line) {
		s.inside = false // what follows is a sentence of its own
		if !s.began || s.marked {
			s.began, s.marked, s.seen = true, true, 0
			return true, false
		}
		if !first && s.seen <= 1 {
			s.marked = true // the marker stands below other comments of the first sentence
		}
		return false, false
	}
	switch {
	case !s.began:
		s.began, s.seen = true, 1
		return true, false
	case s.file || s.marked || !first:
		return false, false
	case s.seen < max(1, s.sentences):
		s.seen++
		return false, false
	}
	s.seen = 1
	return true, false
}

func docStart(line []byte) bool { return bytes.HasPrefix(line, []byte("-DOCSTART-")) }

func (c *conll) splitter() splitter {
	s := &sentenceSplitter{file: c.cut == "file", sentences: c.sentences}
	if c.cut == "marker" {
		s.marker = docStart
	}
	s.passed = func(line []byte) bool {
		return c.comment != "" && bytes.HasPrefix(line, []byte(c.comment)) || s.marker == nil && docStart(line)
	}
	return s
}

// builder gathers the tokens of a document and rebuilds its text.
type builder struct {
	text       strings.Builder
	sent, tok  []int32
	start, end []int32
	sentStart  []int32
}

// sentence begins a sentence; the text goes on in a new line.
func (b *builder) sentence() { b.sentenceAfter("\n") }

// sentenceAfter begins a sentence after what stands before it, if that is not the first.
func (b *builder) sentenceAfter(gap string) {
	if b.text.Len() > 0 {
		b.text.WriteString(gap)
	}
	b.sentStart = append(b.sentStart, int32(b.text.Len()))
}

// lead writes what stands before the first token of the present sentence.
func (b *builder) lead(gap string) {
	b.text.WriteString(gap)
	b.sentStart[len(b.sentStart)-1] = int32(b.text.Len())
}

// token adds a token to the present sentence.
func (b *builder) token(form string, glue bool) {
	gap := " "
	if glue || b.next() == 1 {
		gap = ""
	}
	b.tokenAfter(form, gap)
}

// tokenAfter adds a token after what stands before it.
func (b *builder) tokenAfter(form, gap string) {
	tok := b.next()
	b.text.WriteString(gap)
	b.sent, b.tok = append(b.sent, int32(len(b.sentStart))), append(b.tok, int32(tok))
	b.start = append(b.start, int32(b.text.Len()))
	b.text.WriteString(form)
	b.end = append(b.end, int32(b.text.Len()))
}

// document makes text, sentences and tokens.
func (b *builder) document(id string) (*text.Document, *text.Layer) {
	d := &text.Document{ID: id, Text: b.text.String()}
	toks := text.NewLayer(text.Tokens)
	toks.N = len(b.sent)
	for c, v := range [][]int32{b.sent, b.tok, b.start, b.end} {
		toks.Cols[c].Ints = v
	}
	forms := make([]string, toks.N)
	for i := range forms {
		forms[i] = d.Text[b.start[i]:b.end[i]]
	}
	toks.Cols[4].Strs = forms
	d.SetLayer(b.sentences())
	d.SetLayer(toks)
	return d, toks
}

func (b *builder) sentences() *text.Layer {
	l := text.NewLayer(text.Sentences)
	l.N = len(b.sentStart)
	for c := range 3 {
		l.Cols[c].Ints = make([]int32, l.N)
	}
	for i, at := range b.sentStart {
		l.Cols[0].Ints[i], l.Cols[1].Ints[i], l.Cols[2].Ints[i] = int32(i+1), at, at
	}
	for i, s := range b.sent {
		l.Cols[2].Ints[s-1] = b.end[i]
	}
	return l
}

// otherColumns is the fault of a line with other columns than are named; where it is the first line, all of
// the file may have them.
func (c *conll) otherColumns(b block, at, found int, first bool) error {
	e := &Error{File: b.file, Line: b.line + at,
		Msg: fmt.Sprintf("%d columns, %d are named (%s); _ names a column to leave out",
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

// parse reads the tokens of one document.
func (c *conll) parse(b block) ([]*text.Document, error) {
	bd := builder{}
	cells := make([][]string, len(c.columns))
	open := false
	at := 0
	var parts []string
	var numbers []int // lines of tokens
	for rest := b.text; rest != ""; at++ {
		line, after, _ := strings.Cut(rest, "\n")
		rest = after
		if strings.TrimSpace(line) == "" || strings.HasPrefix(line, "-DOCSTART-") {
			open = false
			continue
		}
		if c.comment != "" && strings.HasPrefix(line, c.comment) {
			continue
		}
		parts = c.split(parts[:0], line)
		if c.optional && len(parts) == 2 && len(c.columns) == 3 {
			parts = []string{parts[0], "_", parts[1]}
		}
		if len(parts) != len(c.columns) {
			return nil, c.otherColumns(b, at, len(parts), len(numbers) == 0 && b.number <= 1)
		}
		if !open {
			bd.sentence()
			open = true
		}
		for i, n := range c.columns {
			v := parts[i]
			if n == "form" {
				if v == "" {
					return nil, b.fault(at, 0, "the form is empty")
				}
				bd.token(v, false)
			}
			if slices.Contains(spanColumns, n) {
				v = firstAlternative(v)
			}
			if slices.Contains(spanColumns, n) && !spanTag(v) {
				return nil, b.fault(at, 0, "%q in column %s is no tag such as O, B-PER or I-PER", v, n)
			}
			cells[i] = append(cells[i], v)
		}
		numbers = append(numbers, at)
	}
	d, toks := bd.document(b.id())
	return []*text.Document{d}, c.layers(b, d, toks, cells, numbers)
}

func (c *conll) split(dst []string, line string) []string {
	if c.separator == "tab" {
		return append(dst, strings.Split(line, "\t")...)
	}
	for {
		line = strings.TrimLeft(line, " \t")
		if line == "" {
			return dst
		}
		i := strings.IndexAny(line, " \t")
		if i < 0 {
			return append(dst, line)
		}
		dst = append(dst, line[:i])
		line = line[i:]
	}
}

// layers fills columns of tokens and makes the layers of the others.
func (c *conll) layers(b block, d *text.Document, toks *text.Layer, cells [][]string, numbers []int) error {
	var heads, rels []string
	for i, n := range c.columns {
		switch {
		case n == "_" || n == "form":
		case n == "head":
			heads = cells[i]
		case n == "deprel":
			rels = cells[i]
		case slices.Contains(tokenColumns, n):
			for k, v := range cells[i] {
				if v == "_" {
					cells[i][k] = ""
				}
			}
			toks.SetStrs(n, cells[i])
		default:
			d.SetLayer(d.SpanLayer(text.Builtins(n), spans(toks, cells[i])))
		}
	}
	if heads == nil {
		return nil
	}
	dep := text.NewLayer(text.Dependencies)
	dep.N = toks.N
	dep.Cols[0].Ints, dep.Cols[1].Ints = toks.Cols[0].Ints, toks.Cols[1].Ints
	nums := make([]int32, toks.N)
	bounds := d.SentenceTokens()
	for i, h := range heads {
		if h == "_" {
			continue
		}
		n, err := strconv.Atoi(h)
		if s := toks.Cols[0].Ints[i]; err != nil || n < 0 || n > int(bounds[s]-bounds[s-1]) ||
			n == int(toks.Cols[1].Ints[i]) {
			return b.fault(numbers[i], 0, "head %q is no other token of the sentence", h)
		}
		nums[i] = int32(n)
	}
	dep.SetInts("head", nums)
	if rels != nil {
		for i, r := range rels {
			if r == "_" {
				rels[i] = ""
			}
		}
		dep.SetStrs("deprel", rels)
	}
	d.SetLayer(dep)
	return nil
}

// spanTag reports whether a tag marks a span or its absence.
func spanTag(tag string) bool {
	if tag == "O" || tag == "_" {
		return true
	}
	mark, label, ok := strings.Cut(tag, "-")
	return ok && len(mark) == 1 && strings.Contains("BIESLUM", mark) && label != ""
}

// firstAlternative cuts a tag such as B-person,B-group before its second alternative.
func firstAlternative(tag string) string {
	first, second, ok := strings.Cut(tag, ",")
	if ok && (second == "O" || len(second) > 1 && second[1] == '-') {
		return first
	}
	return tag
}

// spans reads one tag a token as conlleval does.
func spans(toks *text.Layer, tags []string) []text.Span {
	var out []text.Span
	sent, tok := toks.Cols[0].Ints, toks.Cols[1].Ints
	open := false
	for i, tag := range tags {
		mark, label, ok := strings.Cut(tag, "-")
		if !ok {
			open = false
			continue
		}
		last := len(out) - 1
		goesOn := open && last >= 0 && out[last].Label == label && out[last].Sent == sent[i]
		if goesOn && (mark == "I" || mark == "E" || mark == "L" || mark == "M") {
			out[last].Last = tok[i]
		} else {
			out = append(out, text.Span{Sent: sent[i], First: tok[i], Last: tok[i], Label: label})
		}
		open = mark == "B" || mark == "I" || mark == "M"
	}
	return out
}

// cell is column n of token i.
func (c *conll) cell(d *text.Document, toks *text.Layer, n string, tags []string, i int) string {
	switch {
	case n == "_":
		return "_"
	case slices.Contains(spanColumns, n):
		return tags[i]
	case slices.Contains(arcColumns, n):
		l := d.Layer("dependencies")
		if l == nil || l.N != toks.N {
			return "_"
		}
		if n == "head" {
			return strconv.Itoa(int(l.Ints("head")[i]))
		}
		return cellOf(l.Strs("deprel"), i)
	}
	return cellOf(toks.Strs(n), i)
}

func cellOf(v []string, i int) string {
	if v == nil || v[i] == "" {
		return "_"
	}
	return v[i]
}

// tags writes spans as one tag a token.
func (c *conll) tags(toks *text.Layer, l *text.Layer) []string {
	out := make([]string, toks.N)
	for i := range out {
		out[i] = "O"
	}
	if l == nil {
		return out
	}
	row := map[[2]int32]int{}
	for i := range toks.N {
		row[[2]int32{toks.Cols[0].Ints[i], toks.Cols[1].Ints[i]}] = i
	}
	for _, s := range l.Spans() {
		first, ok1 := row[[2]int32{s.Sent, s.First}]
		last, ok2 := row[[2]int32{s.Sent, s.Last}]
		if !ok1 || !ok2 || out[first] != "O" {
			continue // spans that overlap one before them cannot be written
		}
		for i := first; i <= last; i++ {
			out[i] = c.mark(out, toks, s, i, first, last) + "-" + s.Label
		}
	}
	return out
}

func (c *conll) mark(out []string, toks *text.Layer, s text.Span, i, first, last int) string {
	switch {
	case c.scheme == "iobes" && first == last:
		return "S"
	case c.scheme == "iobes" && i == last:
		return "E"
	case c.scheme == "iob1":
		same := first > 0 && toks.Cols[0].Ints[first-1] == s.Sent && strings.HasSuffix(out[first-1], "-"+s.Label)
		if i == first && same {
			return "B"
		}
		return "I"
	case i == first:
		return "B"
	}
	return "I"
}

// document writes the sentences of a document, after a marker where documents are marked.
func (c *conll) document(w io.Writer, d *text.Document) error {
	toks := d.Layer("tokens")
	if toks == nil {
		return nil
	}
	tags := make([][]string, len(c.columns))
	for k, n := range c.columns {
		if slices.Contains(spanColumns, n) {
			tags[k] = c.tags(toks, d.Layer(n))
		}
	}
	var b bytes.Buffer
	if c.marks() {
		b.WriteString("-DOCSTART-" + strings.Repeat(" O", len(c.columns)-1) + "\n\n")
	}
	separator := byte(' ')
	if c.separator == "tab" {
		separator = '\t'
	}
	for i := range toks.N {
		if i > 0 && toks.Cols[0].Ints[i] != toks.Cols[0].Ints[i-1] {
			b.WriteByte('\n')
		}
		for k, n := range c.columns {
			if k > 0 {
				b.WriteByte(separator)
			}
			v := c.cell(d, toks, n, tags[k], i)
			if strings.ContainsAny(v, "\t\r\n") || k == 0 && strings.HasPrefix(v, "-DOCSTART-") ||
				c.separator != "tab" && strings.Contains(v, " ") {
				return fmt.Errorf("document %s: %q does not fit into a column; WITH (separator = 'tab') allows blanks", d.ID, v)
			}
			b.WriteString(v)
		}
		b.WriteByte('\n')
	}
	b.WriteByte('\n')
	_, err := w.Write(b.Bytes())
	return err
}

// marks reports whether documents are told apart by marker lines.
func (c *conll) marks() bool { return c.cut == "marker" }
