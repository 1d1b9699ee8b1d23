package conll

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

// conllu is CoNLL-U: ten columns separated by tabs, comments, multiword tokens and empty nodes.
// What the layers of tokens and dependencies do not hold is kept in the layer words: comments
// (id empty), multiword tokens (3-4), empty nodes (4.1), and enhanced dependencies (4).
type conllu struct {
	cut       string
	sentences int
	entities  bool
	fragments string
	asIs      bool // sentences without comments are written without
	codec.Notes
}

func (c *conllu) Options(s *option.Set) {
	s.Text(&c.cut, "document", "newdoc", "a document begins at # newdoc with another id (without it a sentence is one), "+
		"is a sentence, a file, or a number of sentences")
	s.Check("document", func() (err error) { c.sentences, err = codec.DocumentCut(c.cut, "newdoc"); return err })
	s.Bool(&c.entities, "entities", true,
		"where a comment # global.Entity names the fields of Entity in MISC, it makes the layers entities and mentions")
	layers.PartsOption(s, &c.fragments)
}

// paragraphGap is what a comment says to stand before its sentence, where MISC says nothing else: a blank line before a
// paragraph, and a line feed before what goes on with a document.
func paragraphGap(line string) string {
	switch {
	case line == "# newpar" || strings.HasPrefix(line, "# newpar "):
		return "\n\n"
	case strings.HasPrefix(line, "# newdoc"):
		return "\n"
	}
	return ""
}

func newDoc(line []byte) bool { return bytes.HasPrefix(line, []byte("# newdoc")) }

func (c *conllu) Splitter() codec.Splitter {
	s := &conlluSplitter{SentenceSplitter: &codec.SentenceSplitter{File: c.cut == "file", Sentences: c.sentences}}
	if c.cut == "newdoc" {
		s.Marker = s.newDocument
	}
	return s
}

// conlluSplitter keeps the comments of a sentence with it: # newdoc is one of several.
type conlluSplitter struct {
	*codec.SentenceSplitter
	id      string // of the present document, as # newdoc gives it
	header  string // of Entity; it holds for the rest of the file
	columns string // of CoNLL-U Plus; likewise
	lines   int    // comments above the present line
	bytes   int    // of them
	last    int    // bytes of the line before
	comment bool   // the line before is a comment
}

// newDocument reports whether a line begins a document. One that repeats the id of the present document continues it:
// some treebanks write the id above each sentence.
func (s *conlluSplitter) newDocument(line []byte) bool {
	return newDoc(line) && (s.id == "" || newDocID(line) != s.id)
}

// newDocID is the id that # newdoc gives, or "".
func newDocID(line []byte) string {
	id, _ := bytes.CutPrefix(line, []byte("# newdoc id = "))
	if len(id) == len(line) {
		return ""
	}
	return string(bytes.TrimRight(id, "\r"))
}

func (s *conlluSplitter) Above() (lines, bytes int) { return s.lines, s.bytes }

// Carries returns the fields of Entity, a line feed, and the names of columns.
func (s *conlluSplitter) Carries() string { return s.header + "\n" + s.columns }

func (s *conlluSplitter) Begins(line []byte) (begins, skip bool) {
	if s.comment {
		s.lines, s.bytes = s.lines+1, s.bytes+s.last
	} else {
		s.lines, s.bytes = 0, 0
	}
	s.comment, s.last = bytes.HasPrefix(line, []byte("#")), len(line)+1
	begins, skip = s.SentenceSplitter.Begins(line)
	if s.Marker != nil && s.Marker(line) {
		s.Inside, s.comment = true, false // what is above another marker is below this one
		s.id = newDocID(line)
	}
	if v, ok := bytes.CutPrefix(line, []byte(entityHeader)); ok {
		s.header = string(v)
	}
	if v, ok := bytes.CutPrefix(line, []byte(columnsHeader)); ok {
		s.columns = string(v)
	}
	return begins, skip
}

// conlluReader is one document on its way.
type conlluReader struct {
	c     *conllu
	b     codec.Block
	bd    layers.Builder
	id    string
	named bool // # newdoc gives the id
	cols  layers.TokenCells
	arcs  arcRows
	kept  layers.Words
	open  bool
	gap   string // what MISC says to stand before the next token
	said  bool   // it does

	before    string // what was written before the present sentence
	fixed     bool   // MISC says so
	paragraph string // what comments say of it

	joined int32 // last token of a multiword token whose text is written
	pieces []string
	words  map[int]string // forms by row that the text does not spell
	args   *argumentTable // of the sentence; nil without columns of predicates
	roles  roleRows
	entity *entityReader // nil if they are not wanted
	plus   *plusReader   // nil if columns are those of CoNLL-U
}

func (c *conllu) Parse(b codec.Block) ([]*text.Document, error) {
	return c.reader(b).parse()
}

func (c *conllu) reader(b codec.Block) *conlluReader {
	r := &conlluReader{c: c, b: b, id: b.ID(), named: c.cut == "newdoc",
		cols: layers.TokenCells{Names: []string{"lemma", "upos", "xpos", "feats", "misc"}}}
	if c.entities {
		r.entity = &entityReader{}
		if header, _, _ := strings.Cut(b.Carried, "\n"); header != "" {
			r.entity.begin(header)
		}
	}
	return r
}

func (r *conlluReader) parse() ([]*text.Document, error) {
	b, at := r.b, 0
	for rest := b.Text; rest != ""; at++ {
		line, after, _ := strings.Cut(rest, "\n")
		rest = after
		if line == "" {
			if r.joined != 0 {
				return nil, b.Fault(at, 0, "a multiword token lacks words")
			}
			r.open = false
			if err := r.end(at); err != nil {
				return nil, err
			}
			continue
		}
		if err := r.line(at, line); err != nil {
			return nil, err
		}
	}
	if err := r.end(at - 1); err != nil {
		return nil, err
	}
	return r.document()
}

// end ends a sentence: what goes over several of its lines is complete.
func (r *conlluReader) end(at int) error {
	if r.entity != nil {
		if err := r.entity.end(); err != nil {
			return r.mention(at, err)
		}
	}
	if r.args == nil {
		return nil
	}
	return r.args.flush(&r.b, int32(len(r.bd.SentStart)), &r.roles)
}

// mention is a fault of Entity in MISC.
func (r *conlluReader) mention(at int, err error) error {
	return &codec.Error{File: r.b.File, Line: r.b.Line + at, Msg: "Entity: " + err.Error(),
		Hint: "WITH (entities = false) leaves Entity in misc alone"}
}

// entities reads Entity in MISC: brackets open at token first and close at token last.
func (r *conlluReader) entities(at int, misc string, first, last int) error {
	if r.entity == nil || r.entity.fields == 0 {
		return nil
	}
	if err := r.entity.read(entityValue(misc), int32(len(r.bd.SentStart)), int32(first), int32(last)); err != nil {
		return r.mention(at, err)
	}
	return nil
}

// begin begins a sentence at its first line.
func (r *conlluReader) begin() {
	if r.open {
		return
	}
	gap := "\n"
	if r.said {
		gap = r.gap
	}
	r.bd.SentenceAfter(gap)
	r.fixed, r.before, r.paragraph = r.said && gap != "", gap, ""
	r.open, r.said, r.joined = true, false, 0
}

// lead is what stands before the first token of a sentence beside the gap that begin wrote and what MISC of the token
// says: the rest of the gap before a paragraph.
func (r *conlluReader) lead() string {
	if r.fixed || len(r.bd.End) == 0 {
		return ""
	}
	return strings.TrimPrefix(r.paragraph, r.before)
}

// write writes a token into the text.
func (r *conlluReader) write(form, misc string) {
	switch {
	case r.bd.Next() == 1:
		r.bd.Lead(r.lead() + before(misc))
		r.bd.TokenAfter(form, "")
	case r.said:
		r.bd.TokenAfter(form, r.gap+before(misc))
	default:
		r.bd.TokenAfter(form, " "+before(misc))
	}
	r.gap, r.said = after(misc)
}

func (r *conlluReader) word(id, line string) {
	r.kept.Add(len(r.bd.SentStart), id, line)
}

func (r *conlluReader) line(at int, line string) error {
	r.begin()
	if line[0] == '#' {
		r.word("", line)
		if v, ok := strings.CutPrefix(line, "# newdoc id = "); ok && v != "" && r.named && len(r.bd.Sent) == 0 {
			r.id = v
		}
		if v, ok := strings.CutPrefix(line, entityHeader); ok && r.entity != nil {
			r.entity.begin(v)
		}
		if v, ok := strings.CutPrefix(line, columnsHeader); ok && r.plus != nil {
			r.args = nil
			if err := r.plus.begin(v); err != nil {
				return r.b.Fault(at, 0, "%v", err)
			}
		}
		r.paragraph = max(r.paragraph, paragraphGap(line))
		return nil
	}
	if r.plus != nil && r.plus.columns != nil {
		return r.plusLine(at, line)
	}
	return r.standardLine(at, line)
}

// standardLine reads a line of the columns of CoNLL-U.
func (r *conlluReader) standardLine(at int, line string) error {
	var f [10]string
	rest := line
	for i := range 9 {
		k := strings.IndexByte(rest, '\t')
		if k < 0 {
			return &codec.Error{File: r.b.File, Line: r.b.Line + at, Msg: fmt.Sprintf("%d of 10 columns", i+1),
				Hint: "tabs separate the columns of CoNLL-U; FORMAT conllup reads files that name theirs in # global.columns, " +
					"FORMAT conll WITH (columns = (form, …)) other files of columns"}
		}
		if k == 0 {
			return r.b.Fault(at, 0, "column %d is empty; _ stands for nothing", i+1)
		}
		f[i], rest = rest[:k], rest[k+1:]
	}
	var more string
	if k := strings.IndexByte(rest, '\t'); k >= 0 {
		if r.args == nil {
			return &codec.Error{File: r.b.File, Line: r.b.Line + at, Msg: "more than 10 columns",
				Hint: "FORMAT conllup reads files with other columns"}
		}
		rest, more, line = rest[:k], rest[k+1:], line[:len(line)-len(rest)+k]
	} else if r.args != nil {
		return r.b.Fault(at, 0, "10 columns, at least 11 are expected: the last ones are predicate and arguments")
	}
	if f[9] = rest; rest == "" {
		return r.b.Fault(at, 0, "column 10 is empty; _ stands for nothing")
	}
	if strings.IndexByte(f[0], '-') > 0 {
		return r.multiword(at, f, line)
	}
	if n, _, ok := strings.Cut(f[0], "."); ok {
		if n != strconv.Itoa(r.bd.Next()-1) {
			return r.b.Fault(at, 1, "empty node %s does not stand after token %s", f[0], n)
		}
		r.word(f[0], line)
		return r.entities(at, f[9], r.bd.Next(), r.bd.Next()-1)
	}
	if r.args != nil {
		cells := strings.Split(more, "\t")
		if err := r.args.add(&r.b, at, cells[0] != "" && cells[0] != "_", cells[0], cells[1:]); err != nil {
			return err
		}
	}
	return r.token(at, &f)
}

// multiword notes the text of a multiword token; its words share it.
func (r *conlluReader) multiword(at int, f [10]string, line string) error {
	from, to, _ := strings.Cut(f[0], "-")
	a, err1 := strconv.Atoi(from)
	z, err2 := strconv.Atoi(to)
	if err1 != nil || err2 != nil || z < a || a != r.bd.Next() || z-a > 100 {
		return r.b.Fault(at, 1, "multiword token %s does not begin at token %d", f[0], r.bd.Next())
	}
	r.word(f[0], line)
	r.joined = int32(z)
	r.pieces = append(r.pieces[:0], f[1], f[9])
	return nil
}

func (r *conlluReader) token(at int, f *[10]string) error {
	n := r.bd.Next()
	if v, err := strconv.Atoi(f[0]); err != nil || v != n {
		return r.b.Fault(at, 1, "token %s, %d is expected", f[0], n)
	}
	if f[1] == "" {
		return r.b.Fault(at, 0, "the form is empty")
	}
	r.place(n, f)
	r.cols.Add(f[2], f[3], f[4], f[5], f[9])
	if f[8] != "_" {
		r.word(f[0], f[8])
	}
	if err := r.entities(at, f[9], n, n); err != nil {
		return err
	}
	return r.arcs.add(&r.b, at, f[6], f[7])
}

// place writes the form into the text. The words of a multiword token lie one after the other
// in its text where they spell it, else each covers all of it.
func (r *conlluReader) place(n int, f *[10]string) {
	b := &r.bd
	if int32(n) > r.joined || r.joined == 0 {
		r.write(f[1], f[9])
		r.joined = 0
		return
	}
	surface := r.pieces[0]
	if len(r.pieces) == 2 { // the first word
		r.write(surface, r.pieces[1])
	} else {
		k := len(b.Start) - 1
		b.Sent, b.Tok = append(b.Sent, b.Sent[k]), append(b.Tok, b.Tok[k]+1)
		b.Start, b.End = append(b.Start, b.Start[k]), append(b.End, b.End[k])
	}
	r.pieces = append(r.pieces, f[1])
	if int32(n) < r.joined {
		return
	}
	words := r.pieces[2:]
	k := len(b.Start) - len(words)
	if strings.Join(words, "") == surface {
		at := b.Start[k]
		for i, w := range words {
			b.Start[k+i], b.End[k+i] = at, at+int32(len(w))
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
	r.joined = 0
}

func (r *conlluReader) document() ([]*text.Document, error) {
	if r.joined != 0 {
		return nil, r.b.Fault(strings.Count(r.b.Text, "\n")-1, 0, "a multiword token lacks words")
	}
	if r.said {
		r.bd.Text.WriteString(r.gap)
	}
	d, toks := r.bd.Document(r.id)
	for i, w := range r.words {
		toks.Cols[4].Strs[i] = w
	}
	r.cols.Set(toks)
	if err := r.arcs.set(&r.b, d, toks); err != nil {
		return nil, err
	}
	r.arcs.keep(&r.kept, toks)
	if r.entity != nil {
		if err := r.entity.set(d, toks, r.c, &r.b, &r.kept); err != nil {
			return nil, err
		}
	}
	if r.plus != nil {
		r.keepPlus()
	}
	r.kept.Set(d)
	r.roles.set(d, toks)
	return []*text.Document{d}, nil
}

// Document writes a document as it was read.
func (c *conllu) Document(w io.Writer, d *text.Document) error { return c.write(w, d, nil) }

// write writes a document; more is what follows the ten columns of the token of a row, or of
// another line of the sentence (row -1).
func (c *conllu) write(w io.Writer, d *text.Document, more func(sent, row int) string) error {
	if more == nil {
		more = func(int, int) string { return "" }
	}
	toks := d.Layer("tokens")
	if toks == nil {
		return nil
	}
	words := d.Layer("words")
	trees := arcsOf(d, toks, layers.Kept(d))
	var b bytes.Buffer
	bounds := d.SentenceTokens()
	k := 0
	if l := d.Layer("sentences"); l != nil {
		for len(bounds) <= l.N { // sentences of comments
			bounds = append(bounds, bounds[len(bounds)-1])
		}
	}
	spaced := newSpacing(d, toks, bounds, words)
	for s := 1; s < len(bounds); s++ {
		var list []int // rows of words of the sentence
		for ; words != nil && k < words.N && words.Cols[0].Ints[k] <= int32(s); k++ {
			if words.Cols[0].Ints[k] == int32(s) {
				list = append(list, k) // those of sentence 0 are about the document
			}
		}
		err := c.sentence(&b, d, toks, trees, words, spaced, list, s, int(bounds[s-1]), int(bounds[s]), more)
		if err != nil {
			return err
		}
	}
	_, err := w.Write(b.Bytes())
	return err
}

func (c *conllu) sentence(b *bytes.Buffer, d *text.Document, toks *text.Layer, trees headColumns, words *text.Layer,
	spaced *spacing, list []int, s, from, to int, more func(sent, row int) string) error {
	commented := false
	deps := map[string]string{}
	before := map[int][]string{} // lines before token
	for _, k := range list {
		id, line := layers.CellIn(words, 1, k), layers.CellIn(words, 2, k)
		switch {
		case id == "":
			fmt.Fprintln(b, line)
			commented = true
		case strings.Contains(id, " "): // columns of a line
		case strings.Contains(id, "-"):
			n, _ := strconv.Atoi(id[:strings.IndexByte(id, '-')])
			before[n] = append(before[n], spaced.line(from+n-1, line)+more(s, -1))
		case strings.Contains(id, "."):
			n, _ := strconv.Atoi(id[:strings.IndexByte(id, '.')])
			before[n+1] = append(before[n+1], line+more(s, -1))
		default:
			deps[id] = line
		}
	}
	if !commented && from < to && !c.asIs {
		if s == 1 {
			fmt.Fprintf(b, "# newdoc id = %s\n", d.ID)
		}
		fmt.Fprintf(b, "# text = %s\n", spaced.text(from, to))
	}
	for i := from; i < to; i++ {
		n := i - from + 1
		for _, l := range before[n] {
			fmt.Fprintln(b, l)
		}
		head, rel := trees.cells(i)
		extra := deps[strconv.Itoa(n)]
		if extra == "" {
			extra = "_"
		}
		form := toks.Cols[4].Strs[i]
		if strings.ContainsAny(form, "\t\n") {
			return fmt.Errorf("document %s: %q does not fit into a column", d.ID, form)
		}
		for _, v := range []string{strconv.Itoa(n), form, layers.CellOf(toks.Strs("lemma"), i),
			layers.CellOf(toks.Strs("upos"), i),
			layers.CellOf(toks.Strs("xpos"), i), layers.CellOf(toks.Strs("feats"), i), head, rel, extra} {
			b.WriteString(v)
			b.WriteByte('\t')
		}
		b.WriteString(spaced.misc(i, layers.CellOf(toks.Strs("misc"), i)) + more(s, i))
		b.WriteByte('\n')
	}
	for _, l := range before[to-from+1] {
		fmt.Fprintln(b, l)
	}
	b.WriteByte('\n')
	return nil
}
