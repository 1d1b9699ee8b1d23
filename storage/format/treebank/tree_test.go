package treebank

import (
	"bytes"
	"os"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"parlance/algo/text"
	"parlance/storage/format/codec"
	"parlance/storage/format/formattest"
	"parlance/storage/format/layers"
	"parlance/storage/value"
)

func TestPTBRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var docs []*text.Document
		for _, id := range []string{"a", "b c"} {
			d, toks := formattest.BareTokens(t, id, formattest.BareWord)
			toks.SetStrs("xpos", rapid.SliceOfN(rapid.SampledFrom([]string{"NN", ".", "''", ""}), toks.N,
				toks.N).Draw(t, "xpos"))
			formattest.DrawTrees(t, d, toks)
			docs = append(docs, d)
		}
		formattest.CheckDocuments(t, suite.Configure(t, "ptb"), docs)
	})
}

// What is no tree, or no word of one, is refused.
func TestPTBRefused(t *testing.T) {
	document := func(form string, parents ...int32) *text.Document {
		b := layers.Builder{}
		b.Sentence()
		b.Token(form, false)
		b.Token("b", false)
		d, toks := b.Document("d")
		l := text.NewLayer(text.Constituents)
		l.N = 2
		first, last := []int32{1, 1}, []int32{1, 2}
		start, end := layers.TokenSpans(d, toks, []int32{1, 1}, first, last)
		for name, v := range map[string][]int32{"sent": {1, 1}, "node": {1, 2}, "parent": parents, "char_start": start,
			"char_end": end, "tok_start": first, "tok_end": last} {
			l.SetInts(name, v)
		}
		l.SetStrs("label", []string{"A", "B"})
		d.SetLayer(l)
		return d
	}
	for _, c := range []struct {
		d    *text.Document
		want string
	}{
		{document("a", 0, 1), "document d: constituent 2 of sentence 1 does not lie within its parent, or stands before it"},
		{document("a", 0, 0), "document d: constituent 2 of sentence 1 does not lie within its parent, or stands before it"},
		{document("a", 7, 0), "document d: constituent 1 of sentence 1 does not lie within its parent, or stands before it"},
		{withoutTrees(document("a b", 0, 0)),
			`document d: "a b" does not fit into a tree: blanks and round brackets end a word`},
		{withoutTrees(document("-LRB-", 0, 0)),
			`document d: "-LRB-" would be read as "("; WITH (escapes = false) writes forms as they are`},
	} {
		w, err := codec.NewDocumentWriter(suite.Configure(t, "ptb"), &bytes.Buffer{})
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Write(c.d); err == nil || err.Error() != c.want {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

func withoutTrees(d *text.Document) *text.Document {
	d.DropLayer("constituents")
	return d
}

// Tokens and nodes of real trees are as many as their brackets say.
func TestRealTrees(t *testing.T) {
	for _, pattern := range []string{"ptb-sample/*.mrg", "gum/*.ptb"} {
		t.Run(pattern, func(t *testing.T) {
			files := formattest.DataFiles(t, pattern)
			leaf := regexp.MustCompile(`\(([^\s()]+)\s+[^\s()]+\)`)
			tokens, traces, brackets := 0, 0, 0
			for _, f := range files {
				data, err := os.ReadFile(f)
				if err != nil {
					t.Fatal(err)
				}
				for _, m := range leaf.FindAllSubmatch(data, -1) {
					tokens++
					if string(m[1]) == traceTag {
						traces++
					}
				}
				brackets += bytes.Count(data, []byte("(")) - len(regexp.MustCompile(`\(\s*\(`).FindAll(data, -1))
			}
			kept := suite.CheckSameDocuments(t, "ptb", files, formattest.Arg("traces", value.Str("keep")))
			if n := formattest.RowsOf(kept, "tokens"); n != tokens {
				t.Errorf("%d tokens with traces, the files have %d", n, tokens)
			}
			if n := formattest.RowsOf(kept, "constituents"); n != brackets-tokens {
				t.Errorf("%d nodes, the files have %d", n, brackets-tokens)
			}
			dropped := suite.CheckSameDocuments(t, "ptb", files)
			if n := formattest.RowsOf(dropped, "tokens"); n != tokens-traces {
				t.Errorf("%d tokens, the files have %d", n, tokens-traces)
			}
			if n := len(dropped); strings.HasSuffix(pattern, ".mrg") && n != len(files) {
				t.Errorf("%d documents of %d files", n, len(files))
			}
		})
	}
}

// The sample of the Sinica Treebank has a token for every word and sign, a node for every bracket.
func TestRealSinica(t *testing.T) {
	files := formattest.DataFiles(t, "sinica/parsed")
	data, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	words := len(regexp.MustCompile(`:[^:()|#\n]+[|)]`).FindAll(data, -1))
	signs := bytes.Count(data, []byte("CATEGORY)"))
	docs := formattest.ReadFiles(t, suite.Configure(t, "sinica"), "", files...)
	if n := formattest.RowsOf(docs, "tokens"); n != words+signs {
		t.Errorf("%d tokens, the file has %d words and %d signs", n, words, signs)
	}
	if n, brackets := formattest.RowsOf(docs, "constituents"), bytes.Count(data, []byte("("))-signs; n != brackets {
		t.Errorf("%d nodes, the file has %d", n, brackets)
	}
	if n := formattest.RowsOf(docs, "sentences"); n != 10_000 || len(docs) != 53 {
		t.Errorf("%d sentences, %d documents", n, len(docs))
	}
}
