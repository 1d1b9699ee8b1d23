package realdata

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"io"
	"strings"
	"testing"

	"parlance/algo/text"
)

// Trees returns sentences of the English Web Treebank below srl/, such as ewt.dev.txt or ewt.train.email.txt.gz, with
// their constituents, in documents of ten; limit is the number of sentences at most, 0 for all. Dependencies are those
// of Universal Dependencies.
func Trees(tb testing.TB, file string, limit int) []*text.Document {
	tb.Helper()
	return read(tb, file, limit, addTree)
}

// Roles returns the sentences of Trees, or of the sample of the Wall Street Journal (wsj-sample.dev.txt), with the
// roles of PropBank as well; heads makes each argument the one token of it whose head is outside.
func Roles(tb testing.TB, file string, limit int, heads bool) []*text.Document {
	tb.Helper()
	return read(tb, file, limit, func(d *text.Document, rows [][]string) {
		addTree(d, rows)
		addRoles(d, rows, heads)
	})
}

func read(tb testing.TB, file string, limit int, add func(d *text.Document, rows [][]string)) []*text.Document {
	tb.Helper()
	var in io.Reader = Open(tb, "srl", file)
	if strings.HasSuffix(file, ".gz") {
		z, err := gzip.NewReader(in)
		if err != nil {
			tb.Fatal(err)
		}
		in = z
	}
	var docs []*text.Document
	var rows [][]string
	read := 0
	s := bufio.NewScanner(in)
	for s.Scan() && (limit == 0 || read < limit) {
		if f := strings.Split(s.Text(), "\t"); len(f) > 5 {
			rows = append(rows, f)
			continue
		}
		if s.Text() == "" && len(rows) > 0 {
			if read%10 == 0 {
				docs = append(docs, newTreeDocument(file, read))
			}
			add(docs[len(docs)-1], rows)
			rows = nil
			read++
		}
	}
	if err := s.Err(); err != nil {
		tb.Fatal(err)
	}
	return docs
}

func newTreeDocument(file string, at int) *text.Document {
	d := &text.Document{ID: file + ":" + string(rune('a'+at/10%26)) + strings.Repeat("'", at/260)}
	for _, def := range []*text.LayerDef{text.Tokens, text.Constituents, text.Dependencies} {
		d.SetLayer(text.NewLayer(def))
	}
	return d
}

// unescaped are the forms of brackets.
var unescaped = strings.NewReplacer("-LRB-", "(", "-RRB-", ")", "-LSB-", "[", "-RSB-", "]")

// addTree adds a sentence of rows id, form, tag, head, relation, bits of the tree.
func addTree(d *text.Document, rows [][]string) {
	toks, trees := d.Layer("tokens"), d.Layer("constituents")
	sent := int32(1)
	if toks.N > 0 {
		sent = toks.Ints("sent")[toks.N-1] + 1
	}
	add := func(l *text.Layer, name string, v int32) { l.SetInts(name, append(l.Ints(name), v)) }
	var open []int // rows of open nodes
	nodes := int32(0)
	for i, f := range rows {
		tok, at := int32(i+1), int32(len(d.Text))
		form := unescaped.Replace(f[1])
		d.Text += form + " "
		add(toks, "sent", sent)
		add(toks, "tok", tok)
		add(toks, "char_start", at)
		add(toks, "char_end", at+int32(len(form)))
		toks.SetStrs("form", append(toks.Strs("form"), form))
		toks.SetStrs("xpos", append(toks.Strs("xpos"), f[2]))
		toks.N++
		before, after, _ := strings.Cut(f[5], "*")
		for _, label := range strings.Split(before, "(")[1:] {
			parent := int32(0)
			if len(open) > 0 {
				parent = trees.Ints("node")[open[len(open)-1]]
			}
			nodes++
			open = append(open, trees.N)
			for name, v := range map[string]int32{"sent": sent, "node": nodes, "parent": parent, "char_start": at, "char_end": 0,
				"tok_start": tok, "tok_end": 0} {
				add(trees, name, v)
			}
			trees.SetStrs("label", append(trees.Strs("label"), label))
			trees.N++
		}
		for range strings.Count(after, ")") {
			row := open[len(open)-1]
			open = open[:len(open)-1]
			trees.Ints("tok_end")[row], trees.Ints("char_end")[row] = tok, at+int32(len(form))
		}
		arcs := d.Layer("dependencies")
		add(arcs, "sent", sent)
		add(arcs, "tok", tok)
		head := int32(0)
		for _, c := range f[3] {
			head = 10*head + c - '0'
		}
		add(arcs, "head", head)
		arcs.SetStrs("deprel", append(arcs.Strs("deprel"), f[4]))
		arcs.N++
	}
}

// addRoles adds the roles of the sentence that was added last: a sense in column 7, a column of brackets for each
// predicate after it.
func addRoles(d *text.Document, rows [][]string, heads bool) {
	toks, l := d.Layer("tokens"), d.Layer("roles")
	if l == nil {
		l = text.NewLayer(text.Roles)
		d.SetLayer(l)
	}
	sent, from := toks.Ints("sent")[toks.N-1], toks.N-len(rows)
	add := func(predicate int, sense, label string, first, last int) {
		if heads && label != "V" {
			for t := first; t <= last; t++ {
				h := 0
				if _, err := fmt.Sscan(rows[t-1][3], &h); err == nil && (h < first || h > last) {
					first, last = t, t
				}
			}
		}
		for name, v := range map[string]int32{"sent": sent, "predicate": int32(predicate), "tok_start": int32(first),
			"tok_end": int32(last), "char_start": toks.Ints("char_start")[from+first-1],
			"char_end": toks.Ints("char_end")[from+last-1]} {
			l.SetInts(name, append(l.Ints(name), v))
		}
		l.SetStrs("label", append(l.Strs("label"), label))
		l.SetStrs("sense", append(l.Strs("sense"), sense))
		l.N++
	}
	column := 7
	for p, f := range rows {
		if f[6] == "-" || f[6] == "_" {
			continue
		}
		add(p+1, f[6], "V", p+1, p+1)
		label, first := "", 0
		for t, g := range rows {
			if name, ok := strings.CutPrefix(g[column], "("); ok {
				label, first = strings.TrimRight(name, "*)"), t+1
			}
			if strings.HasSuffix(g[column], ")") && label != "V" {
				add(p+1, f[6], label, first, t+1)
			}
		}
		column++
	}
}
