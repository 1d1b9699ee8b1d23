package format

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"

	"parlance/algo/option"
	"parlance/algo/text"
)

// conllu is CoNLL-U: ten columns separated by tabs, comments, multiword tokens and empty nodes.
// What the layers of tokens and dependencies do not hold is kept in the layer words: comments
// (id empty), multiword tokens (3-4), empty nodes (4.1), and enhanced dependencies (4).
type conllu struct {
	cut       string
	sentences int
}

func (c *conllu) options(s *option.Set) {
	s.Text(&c.cut, "document", "newdoc", "a document begins at # newdoc (without it a sentence is one), is a sentence, a file, or a number of sentences")
	s.Check("document", func() (err error) { c.sentences, err = documentCut(c.cut, "newdoc"); return err })
}

func newDoc(line []byte) bool { return bytes.HasPrefix(line, []byte("# newdoc")) }

func (c *conllu) splitter() splitter {
	s := &sentenceSplitter{file: c.cut == "file", sentences: c.sentences}
	if c.cut == "newdoc" {
		s.marker = newDoc
	}
	return &conlluSplitter{s}
}

// conlluSplitter keeps the comments of a sentence with it: # newdoc is one of several.
type conlluSplitter struct{ *sentenceSplitter }

func (s *conlluSplitter) begins(line []byte) (begins, skip bool) {
	begins, skip = s.sentenceSplitter.begins(line)
	if s.marker != nil && s.marker(line) {
		s.inside = true
	}
	return begins, skip
}

// conlluReader is one document on its way.
type conlluReader struct {
	b      block
	bd     builder
	id     string
	named  bool        // # newdoc gives the id
	cols   [5][]string // lemma, upos, xpos, feats, misc
	heads  []int32
	lines  []int // of tokens
	rels   []string
	arcs   bool
	wsent  []int32
	wid    []string
	wline  []string
	open   bool
	glue   bool  // no blank before the next token
	joined int32 // last token of a multiword token whose text is written
	pieces []string
	words  map[int]string // forms by row that the text does not spell
}

func (c *conllu) parse(b block) ([]*text.Document, error) {
	r := &conlluReader{b: b, id: b.id(), named: c.cut == "newdoc"}
	at := 0
	for rest := b.text; rest != ""; at++ {
		line, after, _ := strings.Cut(rest, "\n")
		rest = after
		if line == "" {
			if r.joined != 0 {
				return nil, b.fault(at, 0, "a multiword token lacks words")
			}
			r.open = false
			continue
		}
		if err := r.line(at, line); err != nil {
			return nil, err
		}
	}
	return r.document()
}

// begin begins a sentence at its first line.
func (r *conlluReader) begin() {
	if !r.open {
		r.bd.sentence()
		r.open, r.glue, r.joined = true, false, 0
	}
}

func (r *conlluReader) word(id, line string) {
	r.wsent, r.wid, r.wline = append(r.wsent, int32(len(r.bd.sentStart))), append(r.wid, id), append(r.wline, line)
}

func (r *conlluReader) line(at int, line string) error {
	r.begin()
	if line[0] == '#' {
		r.word("", line)
		if v, ok := strings.CutPrefix(line, "# newdoc id = "); ok && r.named && len(r.bd.sent) == 0 {
			r.id = v
		}
		return nil
	}
	var f [10]string
	rest := line
	for i := range 9 {
		k := strings.IndexByte(rest, '\t')
		if k < 0 {
			return r.b.fault(at, 0, "%d columns, 10 are expected", i+1)
		}
		if k == 0 {
			return r.b.fault(at, 0, "column %d is empty; _ stands for nothing", i+1)
		}
		f[i], rest = rest[:k], rest[k+1:]
	}
	if f[9] = rest; rest == "" {
		return r.b.fault(at, 0, "column 10 is empty; _ stands for nothing")
	}
	if strings.IndexByte(rest, '\t') >= 0 {
		return r.b.fault(at, 0, "more than 10 columns")
	}
	if strings.IndexByte(f[0], '-') > 0 {
		return r.multiword(at, f, line)
	}
	if n, _, ok := strings.Cut(f[0], "."); ok {
		if n != strconv.Itoa(r.next()-1) {
			return r.b.fault(at, 1, "empty node %s does not stand after token %s", f[0], n)
		}
		r.word(f[0], line)
		return nil
	}
	return r.token(at, &f)
}

// multiword notes the text of a multiword token; its words share it.
func (r *conlluReader) multiword(at int, f [10]string, line string) error {
	from, to, _ := strings.Cut(f[0], "-")
	a, err1 := strconv.Atoi(from)
	z, err2 := strconv.Atoi(to)
	if err1 != nil || err2 != nil || z < a || a != r.next() || z-a > 100 {
		return r.b.fault(at, 1, "multiword token %s does not begin at token %d", f[0], r.next())
	}
	r.word(f[0], line)
	r.joined = int32(z)
	r.pieces = append(r.pieces[:0], f[1], f[9])
	return nil
}

// next is the number of the next token.
func (r *conlluReader) next() int {
	n := len(r.bd.sent)
	if n == 0 || r.bd.sent[n-1] != int32(len(r.bd.sentStart)) {
		return 1
	}
	return int(r.bd.tok[n-1]) + 1
}

func (r *conlluReader) token(at int, f *[10]string) error {
	n := r.next()
	if v, err := strconv.Atoi(f[0]); err != nil || v != n {
		return r.b.fault(at, 1, "token %s, %d is expected", f[0], n)
	}
	if f[1] == "" {
		return r.b.fault(at, 0, "the form is empty")
	}
	head := 0
	if f[6] != "_" {
		v, err := strconv.ParseInt(f[6], 10, 32)
		if err != nil || v < 0 {
			return r.b.fault(at, 0, "head %q is no token", f[6])
		}
		head, r.arcs = int(v), true
	}
	r.place(n, f)
	for i, k := range [5]int{2, 3, 4, 5, 9} {
		v := f[k]
		if v == "_" {
			v = ""
		}
		r.cols[i] = append(r.cols[i], v)
	}
	rel := f[7]
	if rel == "_" {
		rel = ""
	}
	r.heads, r.rels, r.lines = append(r.heads, int32(head)), append(r.rels, rel), append(r.lines, at)
	if f[8] != "_" {
		r.word(f[0], f[8])
	}
	return nil
}

// place writes the form into the text. The words of a multiword token lie one after the other
// in its text where they spell it, else each covers all of it.
func (r *conlluReader) place(n int, f *[10]string) {
	b := &r.bd
	if int32(n) > r.joined || r.joined == 0 {
		b.token(f[1], r.glue)
		r.glue = spaceAfterNo(f[9])
		r.joined = 0
		return
	}
	surface := r.pieces[0]
	if len(r.pieces) == 2 { // the first word
		b.token(surface, r.glue)
	} else {
		k := len(b.start) - 1
		b.sent, b.tok = append(b.sent, b.sent[k]), append(b.tok, b.tok[k]+1)
		b.start, b.end = append(b.start, b.start[k]), append(b.end, b.end[k])
	}
	r.pieces = append(r.pieces, f[1])
	if int32(n) < r.joined {
		return
	}
	words := r.pieces[2:]
	k := len(b.start) - len(words)
	if strings.Join(words, "") == surface {
		at := b.start[k]
		for i, w := range words {
			b.start[k+i], b.end[k+i] = at, at+int32(len(w))
			at += int32(len(w))
		}
	} else {
		for i, w := range words {
			if r.words == nil {
				r.words = map[int]string{}
			}
			r.words[k+i] = w
		}
	}
	r.glue = spaceAfterNo(r.pieces[1])
	r.joined = 0
}

func spaceAfterNo(misc string) bool {
	return len(misc) >= 13 && strings.Contains(misc, "SpaceAfter=No")
}

func (r *conlluReader) document() ([]*text.Document, error) {
	if r.joined != 0 {
		return nil, r.b.fault(strings.Count(r.b.text, "\n")-1, 0, "a multiword token lacks words")
	}
	d, toks := r.bd.document(r.id)
	for i, w := range r.words {
		toks.Cols[4].Strs[i] = w
	}
	for i, n := range []string{"lemma", "upos", "xpos", "feats", "misc"} {
		for _, v := range r.cols[i] {
			if v != "" {
				toks.SetStrs(n, r.cols[i])
				break
			}
		}
	}
	if err := r.checkHeads(toks); err != nil {
		return nil, err
	}
	if r.arcs {
		l := text.NewLayer(text.Dependencies)
		l.N = toks.N
		l.Cols[0].Ints, l.Cols[1].Ints = toks.Cols[0].Ints, toks.Cols[1].Ints
		l.SetInts("head", r.heads)
		l.SetStrs("deprel", r.rels)
		d.SetLayer(l)
	}
	if len(r.wid) > 0 {
		l := text.NewLayer(text.Words)
		l.N = len(r.wid)
		l.Cols[0].Ints, l.Cols[1].Strs, l.Cols[2].Strs = r.wsent, r.wid, r.wline
		d.SetLayer(l)
	}
	return []*text.Document{d}, nil
}

func (r *conlluReader) checkHeads(toks *text.Layer) error {
	last := map[int32]int32{}
	for i, s := range toks.Cols[0].Ints {
		last[s] = toks.Cols[1].Ints[i]
	}
	for i, h := range r.heads {
		s := toks.Cols[0].Ints[i]
		if h > last[s] || h == toks.Cols[1].Ints[i] {
			return r.b.fault(r.lines[i], 0, "head %d is outside the sentence or the token itself", h)
		}
	}
	return nil
}

// document writes a document as it was read.
func (c *conllu) document(w io.Writer, d *text.Document) error {
	toks := d.Layer("tokens")
	if toks == nil {
		return nil
	}
	words := d.Layer("words")
	dep := d.Layer("dependencies")
	if dep != nil && dep.N != toks.N {
		dep = nil
	}
	var b bytes.Buffer
	bounds := d.SentenceTokens()
	k := 0
	for s := 1; s < len(bounds); s++ {
		var list []int // rows of words of the sentence
		for words != nil && k < words.N && words.Cols[0].Ints[k] == int32(s) {
			list = append(list, k)
			k++
		}
		if err := c.sentence(&b, d, toks, dep, words, list, s, int(bounds[s-1]), int(bounds[s])); err != nil {
			return err
		}
	}
	_, err := w.Write(b.Bytes())
	return err
}

func (c *conllu) sentence(b *bytes.Buffer, d *text.Document, toks, dep, words *text.Layer, list []int, s, from, to int) error {
	commented := false
	deps := map[string]string{}
	before := map[int][]string{} // lines before token
	for _, k := range list {
		id, line := words.Cols[1].Strs[k], words.Cols[2].Strs[k]
		switch {
		case id == "":
			fmt.Fprintln(b, line)
			commented = true
		case strings.Contains(id, "-"):
			n, _ := strconv.Atoi(id[:strings.IndexByte(id, '-')])
			before[n] = append(before[n], line)
		case strings.Contains(id, "."):
			n, _ := strconv.Atoi(id[:strings.IndexByte(id, '.')])
			before[n+1] = append(before[n+1], line)
		default:
			deps[id] = line
		}
	}
	if !commented {
		if s == 1 {
			fmt.Fprintf(b, "# newdoc id = %s\n", d.ID)
		}
		fmt.Fprintf(b, "# text = %s\n", strings.ReplaceAll(d.Text[toks.Cols[2].Ints[from]:toks.Cols[3].Ints[to-1]], "\n", " "))
	}
	for i := from; i < to; i++ {
		n := i - from + 1
		for _, l := range before[n] {
			fmt.Fprintln(b, l)
		}
		head, rel := "_", "_"
		if dep != nil && (dep.Ints("head")[i] != 0 || dep.Strs("deprel") != nil && dep.Strs("deprel")[i] != "") {
			head, rel = strconv.Itoa(int(dep.Ints("head")[i])), cellOf(dep.Strs("deprel"), i)
		}
		extra := deps[strconv.Itoa(n)]
		if extra == "" {
			extra = "_"
		}
		form := toks.Cols[4].Strs[i]
		if strings.ContainsAny(form, "\t\n") {
			return fmt.Errorf("document %s: %q does not fit into a column", d.ID, form)
		}
		for _, v := range []string{strconv.Itoa(n), form, cellOf(toks.Strs("lemma"), i), cellOf(toks.Strs("upos"), i), cellOf(toks.Strs("xpos"), i), cellOf(toks.Strs("feats"), i), head, rel, extra} {
			b.WriteString(v)
			b.WriteByte('\t')
		}
		b.WriteString(cellOf(toks.Strs("misc"), i))
		b.WriteByte('\n')
	}
	for _, l := range before[to-from+1] {
		fmt.Fprintln(b, l)
	}
	b.WriteByte('\n')
	return nil
}
