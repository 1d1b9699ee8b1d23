package treebank

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/storage/format/codec"
	"parlance/storage/format/layers"
)

// ptb is bracketed trees as in the Penn Treebank: (S (NP (NNP Ann)) (VP (VBZ sleeps))), with or
// without an empty bracket around a tree, over one or several lines. Words are tokens with
// their tag as xpos, the nodes above are constituents.
type ptb struct {
	cut       string
	sentences int
	traces    string
	escapes   bool
}

const traceTag = "-NONE-"

func (p *ptb) Options(s *option.Set) {
	s.Text(&p.cut, "document", "marker",
		"a document begins at lines # doc = id (without them it is a file), is a sentence, a file, or a number of sentences")
	s.Choice(&p.traces, "traces", "drop", []string{"drop", "keep"},
		"what becomes of empty elements, tagged -NONE-: they disappear with the nodes that hold nothing else, or are tokens")
	s.Bool(&p.escapes, "escapes", true,
		`forms are written as in the Penn Treebank: -LRB- for (, -LSB- for [, -LCB- for {, \/ for /, \* for *`)
	s.Check("document", func() (err error) { p.sentences, err = codec.DocumentCut(p.cut, "marker"); return err })
}

var (
	bracketNames = []string{"-LRB-", "(", "-RRB-", ")", "-LSB-", "[", "-RSB-", "]", "-LCB-", "{", "-RCB-", "}",
		`\/`, "/", `\*`, "*"}
	unescaper = strings.NewReplacer(bracketNames...)
	escaper   = strings.NewReplacer(reversed(bracketNames)...)
)

func reversed(pairs []string) []string {
	out := make([]string, len(pairs))
	for i, v := range pairs {
		out[len(pairs)-1-i] = v
	}
	return out
}

// ptbReader is the documents of a file on their way.
type ptbReader struct {
	*ptb
	src    *codec.Source
	emit   func(*text.Document, int) error
	id     string // of the document, "" without a marker
	number int    // of the document in the file
	first  int    // line at which it begins, 0 before
	bd     layers.Builder
	rows   layers.Tree
	xpos   []string
	words  layers.Words
	notes  []string // comments before the next tree
	stack  []bracket
}

// bracket is an open bracket.
type bracket struct {
	line   int
	label  string
	named  bool   // the label is read
	word   string // after the label
	opened bool   // it is a node: there is more in it than a word
}

func (p *ptb) Read(src *codec.Source, emit func(*text.Document, int) error) error {
	r := &ptbReader{ptb: p, src: src, emit: emit}
	for {
		line, n, err := src.Next()
		if err == io.EOF {
			if len(r.stack) > 0 {
				return src.Fault(r.stack[0].line, 0, "the tree that begins here is not closed")
			}
			return r.flush()
		}
		if err == nil {
			err = r.line(string(line), n)
		}
		if err != nil {
			return err
		}
	}
}

func (r *ptbReader) line(line string, n int) error {
	if len(r.stack) == 0 && strings.HasPrefix(line, "#") {
		return r.comment(line, n)
	}
	for i := 0; i < len(line); {
		switch c := line[i]; {
		case c == ' ' || c == '\t':
			i++
		case c == '(':
			if err := r.push(n); err != nil {
				return err
			}
			i++
		case c == ')':
			if err := r.pop(n, i+1); err != nil {
				return err
			}
			i++
		default:
			end := i + len(line[i:])
			if k := strings.IndexAny(line[i:], " \t()"); k >= 0 {
				end = i + k
			}
			if len(r.stack) == 0 {
				return r.src.Fault(n, i+1, "%q stands outside a tree; trees stand in round brackets", line[i:end])
			}
			r.atom(line[i:end])
			i = end
		}
	}
	return nil
}

// comment keeps a comment for the next tree, or begins a document.
func (r *ptbReader) comment(line string, n int) error {
	id, ok := strings.CutPrefix(line, layers.DocLine)
	if r.cut == "marker" && ok {
		if id == "" {
			return r.src.Fault(n, 0, "the id is empty")
		}
		if err := r.flush(); err != nil {
			return err
		}
		r.id, r.first = id, n
		return nil
	}
	r.start(n)
	r.notes = append(r.notes, strings.TrimRight(line, "\r"))
	return nil
}

func (r *ptbReader) start(line int) {
	if r.first == 0 {
		r.first = line
	}
}

func (r *ptbReader) push(line int) error {
	if n := len(r.stack); n == 0 {
		r.start(line)
		r.bd.Sentence()
		number := len(r.bd.SentStart)
		r.rows.Sentence(number)
		for _, note := range r.notes {
			r.words.Add(number, "", note)
		}
		r.notes = nil
	} else {
		r.open(n - 1)
	}
	r.stack = append(r.stack, bracket{line: line})
	return nil
}

// open makes bracket k a node.
func (r *ptbReader) open(k int) {
	b := &r.stack[k]
	if !b.opened {
		b.opened, b.named = true, true
		if k > 0 || b.label != "" {
			r.rows.Push(b.label, r.bd.Next())
		}
	}
	if b.word != "" {
		r.leaf("", b.word)
		b.word = ""
	}
}

// atom is a label or a word.
func (r *ptbReader) atom(s string) {
	k := len(r.stack) - 1
	if b := &r.stack[k]; !b.named {
		b.label, b.named = s, true
		return
	}
	if b := &r.stack[k]; b.word == "" && !b.opened {
		b.word = s
		return
	}
	r.open(k)
	r.stack[k].word = s
	r.open(k)
}

func (r *ptbReader) leaf(tag, word string) {
	if tag == traceTag && r.traces == "drop" {
		return
	}
	if tag == "_" {
		tag = ""
	}
	if r.escapes && tag != traceTag {
		word = unescaper.Replace(word)
	}
	r.bd.Token(word, false)
	r.xpos = append(r.xpos, tag)
}

func (r *ptbReader) pop(line, col int) error {
	k := len(r.stack) - 1
	if k < 0 {
		return r.src.Fault(line, col, "a bracket is closed that is not open")
	}
	b := r.stack[k]
	switch {
	case b.opened:
		if k > 0 || b.label != "" {
			r.rows.Pop(r.bd.Next())
		}
	case b.word != "":
		r.leaf(b.label, b.word)
	case b.named || k > 0:
		return r.src.Fault(line, col, "the bracket (%s) holds neither a word nor a node", b.label)
	}
	if r.stack = r.stack[:k]; k > 0 || r.sentences == 0 || len(r.bd.SentStart) < r.sentences {
		return nil
	}
	return r.flush()
}

// flush emits the document, if one has begun.
func (r *ptbReader) flush() error {
	if r.first == 0 {
		return nil
	}
	r.number++
	if len(r.notes) > 0 && len(r.bd.SentStart) == 0 {
		r.bd.Sentence()
	}
	for _, note := range r.notes { // after the last tree
		r.words.Add(len(r.bd.SentStart), "", note)
	}
	id := r.id
	switch {
	case id != "":
	case r.sentences > 0:
		id = fmt.Sprintf("%s:%d", r.src.Base, r.number)
	default:
		id = r.src.Base
	}
	d, toks := r.bd.Document(id)
	toks.SetStrs("xpos", r.xpos)
	r.rows.Set(d, toks)
	r.words.Set(d)
	first := r.first
	*r = ptbReader{ptb: r.ptb, src: r.src, emit: r.emit, number: r.number}
	return r.emit(d, first)
}

// Document writes one tree a line.
func (p *ptb) Document(w io.Writer, d *text.Document) error {
	toks := d.Layer("tokens")
	if toks == nil {
		return nil
	}
	nodes, err := layers.Trees(d)
	if err != nil {
		return err
	}
	t := ptbWriter{ptb: p, d: d, toks: toks}
	if p.cut == "marker" {
		if d.ID == "" || strings.ContainsAny(d.ID, "\r\n") {
			return fmt.Errorf("document %q: its id does not fit into a line", d.ID)
		}
		fmt.Fprintf(&t.b, "%s%s\n", layers.DocLine, d.ID)
	}
	words, bounds := layers.Kept(d), d.SentenceTokens()
	n := len(bounds) - 1
	if l := d.Layer("sentences"); l != nil {
		n = max(n, l.N)
	}
	for s := 1; s <= n; s++ {
		for _, c := range words.Comments[int32(s)] {
			fmt.Fprintln(&t.b, c)
		}
		if s >= len(bounds) || bounds[s] == bounds[s-1] {
			t.b.WriteString("( )\n")
			continue
		}
		t.tree(nodes[int32(s)], int(bounds[s-1]), bounds[s]-bounds[s-1])
	}
	if t.err == nil {
		_, t.err = w.Write(t.b.Bytes())
	}
	return t.err
}

// ptbWriter is the lines of a document.
type ptbWriter struct {
	*ptb
	d    *text.Document
	toks *text.Layer
	b    bytes.Buffer
	err  error
}

// tree writes the tree over n tokens from row from, in an empty bracket unless one node covers all.
func (t *ptbWriter) tree(nodes []layers.Node, from int, n int32) {
	bare := len(nodes) > 0 && nodes[0].Last-nodes[0].First+1 == n && nodes[0].Label != ""
	blank := ""
	if !bare {
		t.b.WriteString("(")
		blank = " "
	}
	layers.Walk(nodes, n, func(label string) {
		t.b.WriteString(blank + "(" + t.fits(label))
		blank = " "
	}, func(tok int32) {
		i := from + int(tok) - 1
		form, tag := t.toks.Cols[4].Strs[i], t.fits(layers.CellOf(t.toks.Strs("xpos"), i))
		if form == "" && t.err == nil {
			t.err = fmt.Errorf("document %s: a token without a form does not fit into a tree", t.d.ID)
		}
		fmt.Fprintf(&t.b, "%s(%s %s)", blank, tag, t.form(form, tag))
		blank = " "
	}, func() { t.b.WriteByte(')') })
	if !bare {
		t.b.WriteByte(')')
	}
	t.b.WriteByte('\n')
}

// form is a form without brackets.
func (t *ptbWriter) form(form, tag string) string {
	if !t.escapes || tag == traceTag {
		return t.fits(form)
	}
	v := escaper.Replace(form)
	if unescaper.Replace(v) != form && t.err == nil {
		t.err = fmt.Errorf("document %s: %q would be read as %q; WITH (escapes = false) writes forms as they are", t.d.ID,
			form, unescaper.Replace(v))
	}
	return t.fits(v)
}

// fits notes an error if the text does not stand within a bracket.
func (t *ptbWriter) fits(s string) string {
	if strings.ContainsAny(s, " \t\r\n()") && t.err == nil {
		t.err = fmt.Errorf("document %s: %q does not fit into a tree: blanks and round brackets end a word", t.d.ID, s)
	}
	return s
}
