package plain

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"

	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/storage/format/codec"
	"parlance/storage/format/layers"
)

// m2 is grammatical error correction: a line S of tokens, lines A of edits, a blank line.
// Lines that a writer would spell otherwise are kept in the layer words: of the tokens under
// the id S, of the edits under A1, A2, ….
type m2 struct {
	cut       string
	outside   string
	sentences int // of a document, 0 for a file
}

func (c *m2) Options(s *option.Set) {
	s.Text(&c.cut, "document", "sentence", "a document is a sentence, a file, or a number of sentences")
	s.Choice(&c.outside, "outside", "error", []string{"error", "clip", "drop"},
		"what an edit of tokens behind the last is: an error, an edit as far as there are tokens, or a noop, which the "+
			"M2 scorer makes of it")
	s.Check("document", func() (err error) { c.sentences, err = sentencesCut(c.cut); return err })
}

// sentencesCut checks an option document that is sentence, file or a number; 0 is a file.
func sentencesCut(s string) (int, error) {
	if s == "file" {
		return 0, nil
	}
	n, err := strconv.Atoi(s)
	if s == "sentence" {
		n, err = 1, nil
	}
	if err != nil || n < 1 {
		return 0, fmt.Errorf("it is sentence, file or a number of sentences, not %s", s)
	}
	return n, nil
}

func m2Sentence(line []byte) bool {
	return bytes.HasPrefix(line, []byte("S ")) || len(line) == 1 && line[0] == 'S'
}

func (c *m2) Splitter() codec.Splitter {
	return &codec.FirstLineSplitter{First: m2Sentence, Every: c.sentences}
}

// m2Edit is a line A. Tokens are counted from 0; a noop has no tokens and no correction.
type m2Edit struct {
	start, end                 int
	kind, correction           string
	required, comment, missing string // missing is how no correction is spelt
	annotator                  int
}

const m2Noop = "noop"

func newM2Edit(start, end int, kind, correction string, annotator int) m2Edit {
	e := m2Edit{start: start, end: end, kind: kind, correction: correction, annotator: annotator, required: "REQUIRED",
		comment: "-NONE-"}
	if kind == m2Noop {
		e.start, e.end, e.missing = -1, -1, "-NONE-"
	}
	return e
}

func (e m2Edit) String() string {
	correction := e.correction
	if correction == "" {
		correction = e.missing
	}
	return fmt.Sprintf("A %d %d|||%s|||%s|||%s|||%s|||%d", e.start, e.end, e.kind, correction, e.required,
		e.comment, e.annotator)
}

func parseM2Edit(line string) (e m2Edit, err error) {
	f := strings.Split(strings.TrimPrefix(line, "A "), "|||")
	if len(f) != 6 {
		return e, fmt.Errorf(
			"%d fields between |||, 6 are expected: start end, type, correction, required, comment, annotator", len(f))
	}
	from, to, _ := strings.Cut(f[0], " ")
	start, err1 := strconv.Atoi(from)
	end, err2 := strconv.Atoi(to)
	if err1 != nil || err2 != nil {
		return e, fmt.Errorf("%q is no start and end", f[0])
	}
	annotator, err := strconv.ParseInt(f[5], 10, 32)
	if err != nil || annotator < 0 {
		return e, fmt.Errorf("annotator %q is no number from 0", f[5])
	}
	e = m2Edit{start: start, end: end, kind: f[1], correction: f[2], required: f[3], comment: f[4],
		annotator: int(annotator)}
	if e.correction == "-NONE-" || e.correction == "" {
		e.missing, e.correction = e.correction, ""
	}
	switch noop := e.kind == m2Noop; {
	case noop && (start != -1 || end != -1 || e.correction != ""):
		return e, fmt.Errorf("a noop has the tokens -1 -1 and no correction")
	case !noop && (start < 0 || end < start):
		return e, fmt.Errorf("tokens %d to %d are no range", start, end)
	}
	return e, nil
}

// clip moves an edit into a sentence of n tokens.
func (e m2Edit) clip(n int) m2Edit {
	e.start, e.end = min(e.start, n), min(e.end, n)
	return e
}

// same reports whether two edits correct the same.
func (e m2Edit) same(o m2Edit) bool {
	return e.start == o.start && e.end == o.end && e.kind == o.kind && e.correction == o.correction &&
		e.annotator == o.annotator
}

// m2Reader is one document on its way.
type m2Reader struct {
	b       codec.Block
	outside string
	bd      layers.Builder
	tokens  int  // of the sentence
	open    bool // a sentence may have edits
	nth     int  // edit of the sentence
	ints    [4][]int32
	strs    [2][]string
	kept    layers.Words
}

func (c *m2) Parse(b codec.Block) ([]*text.Document, error) {
	r := &m2Reader{b: b, outside: c.outside}
	at := 0
	for rest := b.Text; rest != ""; at++ {
		line, after, _ := strings.Cut(rest, "\n")
		rest = after
		var err error
		switch {
		case m2Sentence([]byte(line)):
			r.sentence(strings.TrimPrefix(line[1:], " "))
		case strings.HasPrefix(line, "A "):
			err = r.edit(at, line)
		case codec.IsBlankText(line):
			r.open = false
		default:
			err = b.Fault(at, 0, "a line S of tokens or A of an edit is wanted")
		}
		if err != nil {
			return nil, err
		}
	}
	return r.document(), nil
}

func (r *m2Reader) sentence(line string) {
	words := text.Fields(line)
	r.bd.Sentence()
	for _, w := range words {
		r.bd.Token(w, false)
	}
	r.tokens, r.open, r.nth = len(words), true, 0
	if line != strings.Join(words, " ") {
		r.kept.Add(len(r.bd.SentStart), "S", "S "+line)
	}
}

func (r *m2Reader) edit(at int, line string) error {
	if !r.open {
		return r.b.Fault(at, 0, "an edit stands below its sentence S")
	}
	e, err := parseM2Edit(line)
	if err != nil {
		return r.b.Fault(at, 0, "%v", err)
	}
	if e.end > r.tokens {
		switch r.outside {
		case "error":
			err := r.b.Fault(at, 0, "tokens %d to %d are not within the %d of the sentence", e.start, e.end, r.tokens)
			err.(*codec.Error).Hint = "WITH (outside = 'clip') reads such edits as far as there are tokens, 'drop' leaves " +
				"them out"
			return err
		case "drop":
			e = newM2Edit(-1, -1, m2Noop, "", e.annotator)
			line = e.String()
		}
	}
	e = e.clip(r.tokens)
	sent := len(r.bd.SentStart)
	start := r.place(max(0, e.start))
	end := start
	if e.end > e.start {
		end = r.bd.End[len(r.bd.End)-r.tokens+e.end-1]
	}
	for i, v := range []int32{int32(sent), start, end, int32(e.annotator)} {
		r.ints[i] = append(r.ints[i], v)
	}
	r.strs[0], r.strs[1] = append(r.strs[0], e.correction), append(r.strs[1], e.kind)
	if r.nth++; line != newM2Edit(e.start, e.end, e.kind, e.correction, e.annotator).String() {
		r.kept.Add(sent, fmt.Sprintf("A%d", r.nth), line)
	}
	return nil
}

// place is where token k of the sentence begins, or where its last one ends.
func (r *m2Reader) place(k int) int32 {
	first := len(r.bd.Start) - r.tokens
	switch {
	case k < r.tokens:
		return r.bd.Start[first+k]
	case r.tokens > 0:
		return r.bd.End[first+k-1]
	}
	return r.bd.SentStart[len(r.bd.SentStart)-1]
}

func (r *m2Reader) document() []*text.Document {
	d, _ := r.bd.Document(r.b.ID())
	l := text.NewLayer(text.Edits)
	l.N = len(r.ints[0])
	for i, n := range []string{"sent", "char_start", "char_end", "annotator"} {
		l.SetInts(n, r.ints[i])
	}
	l.SetStrs("correction", r.strs[0])
	l.SetStrs("type", r.strs[1])
	d.SetLayer(l)
	r.kept.Set(d)
	return []*text.Document{d}
}

// Document writes the sentences with their edits.
func (c *m2) Document(w io.Writer, d *text.Document) error {
	toks, sents := d.Layer("tokens"), d.Layer("sentences")
	if toks == nil || sents == nil {
		return nil
	}
	rows := make([][]int, sents.N+1) // edits by sentence
	l := d.Layer("edits")
	for i := 0; l != nil && i < l.N; i++ {
		s := l.Ints("sent")
		if s == nil || s[i] < 1 || int(s[i]) > sents.N {
			return fmt.Errorf("document %s: edit %d lies in no sentence", d.ID, i+1)
		}
		rows[s[i]] = append(rows[s[i]], i)
	}
	var b bytes.Buffer
	lines := layers.Kept(d).Rows
	from := 0
	for s := 1; s <= sents.N; s++ {
		to := from
		for to < toks.N && int(toks.Cols[0].Ints[to]) <= s {
			to++
		}
		if err := c.sentence(&b, d.ID, toks, from, to, lines[layers.KeptKey{Sent: int32(s), Id: "S"}]); err != nil {
			return err
		}
		for k, i := range rows[s] {
			e, err := editOf(l, i, toks, from, to)
			if err != nil {
				return fmt.Errorf("document %s: %w", d.ID, err)
			}
			if line := lines[layers.KeptKey{Sent: int32(s), Id: fmt.Sprintf("A%d", k+1)}]; line != "" {
				if was, err := parseM2Edit(line); err == nil && was.clip(to-from).same(e) {
					e = was
				}
			}
			fmt.Fprintln(&b, e)
		}
		b.WriteByte('\n')
		from = to
	}
	_, err := w.Write(b.Bytes())
	return err
}

func (c *m2) sentence(b *bytes.Buffer, id string, toks *text.Layer, from, to int, line string) error {
	forms := toks.Cols[4].Strs[from:to]
	for _, f := range forms {
		if len(text.Fields(f)) != 1 || text.Trim(f) != f {
			return fmt.Errorf("document %s: token %q has a blank, which separates tokens", id, f)
		}
	}
	out := strings.Join(forms, " ")
	if was, ok := strings.CutPrefix(line, "S "); ok && strings.Join(text.Fields(was), " ") == out {
		out = was
	}
	fmt.Fprintln(b, "S", out)
	return nil
}

// editOf is row i of the edits as a line over the tokens of rows [from, to).
func editOf(l *text.Layer, i int, toks *text.Layer, from, to int) (m2Edit, error) {
	cell := func(name string) string {
		if v := l.Strs(name); v != nil {
			return v[i]
		}
		return ""
	}
	annotator := 0
	if v := l.Ints("annotator"); v != nil {
		annotator = int(v[i])
	}
	kind, correction := cell("type"), cell("correction")
	for _, s := range []string{kind, correction} {
		if strings.Contains(s, "|||") || strings.ContainsAny(s, "\r\n") {
			return m2Edit{}, fmt.Errorf("%q does not fit between |||", s)
		}
	}
	if kind == m2Noop {
		return newM2Edit(-1, -1, kind, "", annotator), nil
	}
	start, end := l.Ints("char_start")[i], l.Ints("char_end")[i]
	first, last, ok := layers.TokenRange(toks, from, to, start, end)
	if !ok {
		return m2Edit{}, fmt.Errorf("edit %d does not begin and end with tokens", i+1)
	}
	return newM2Edit(first, last, kind, correction, annotator), nil
}
