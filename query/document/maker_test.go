package document

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"parlance/algo/text"
	"parlance/query/ast"
	"parlance/storage/documents"
)

func newMaker(limit int) *Maker {
	m := &Maker{}
	m.Init(func() int { return limit })
	return m
}

// layers are the columns of all layers of a document, by the names of the layers.
func layers(d *text.Document) map[string][]text.Col {
	out := map[string][]text.Col{}
	for _, l := range d.Layers {
		out[l.Name] = l.Cols
	}
	return out
}

// TestScratch: a document in memory that was used before is the same as one in fresh memory.
func TestScratch(t *testing.T) {
	m, s := newMaker(1<<20), new(Scratch)
	for _, content := range []string{"one two three four five six", "One two. Three four.", "Five", "",
		strings.Repeat("word ", 2*maxReusedTokens), "Six. Seven."} {
		if _, err := m.MakeIn(t.Context(), s, "x", content, DefaultTokenizer); err != nil {
			t.Fatal(err)
		}
		want, err := m.Make(t.Context(), "x", content, DefaultTokenizer)
		if err != nil {
			t.Fatal(err)
		}
		for name, cols := range layers(want) {
			for c, col := range cols {
				got := layers(&s.doc)[name][c]
				if len(got.Ints)+len(got.Strs)+len(col.Ints)+len(col.Strs) > 0 && !reflect.DeepEqual(got, col) {
					t.Errorf("%.20q: column %d of %s is %v, want %v", content, c, name, got, col)
				}
			}
		}
		s.doc.Layer("tokens").SetStrs("lemma", []string{"of a model"})
		s.Reset()
	}
}

// TestMakeRefuses: texts that are too long or no text, ids that are empty or too long, tokenisers that there are not.
func TestMakeRefuses(t *testing.T) {
	m := newMaker(10)
	codeOf := func(err error) string {
		var e *ast.Error
		if !errors.As(err, &e) {
			return ""
		}
		return e.Code
	}
	for _, c := range []struct{ content, tokenizer, code string }{
		{"0123456789", DefaultTokenizer, ""}, {"0123456789a", DefaultTokenizer, CodeBytes},
		{"\xff", DefaultTokenizer, "22023"}, {"a", "nothing", "22023"},
	} {
		_, err := m.Make(t.Context(), "d", c.content, c.tokenizer)
		if codeOf(err) != c.code {
			t.Errorf("%q by %s: %v", c.content, c.tokenizer, err)
		}
	}
	doc := func(id, content string) []*text.Document { return []*text.Document{{ID: id, Text: content}} }
	for _, c := range []struct {
		docs []*text.Document
		code string
	}{
		{doc("a", "0123456789"), ""}, {doc("a", "0123456789a"), CodeBytes}, {doc("", "a"), "23502"},
		{doc(strings.Repeat("a", documents.MaxDocumentID), ""), ""},
		{doc(strings.Repeat("a", documents.MaxDocumentID+1), ""), "22023"},
	} {
		if err := m.Check(c.docs, []string{"f:1"}); codeOf(err) != c.code {
			t.Errorf("%.20q: %v", c.docs[0].ID, err)
		}
	}
}

// TestRefit: sentences are those of the new tokens, spans get new tokens, rows that go by number of a token go.
func TestRefit(t *testing.T) {
	d, err := newMaker(100).Make(t.Context(), "d", "ab cd. ef", "whitespace")
	if err != nil {
		t.Fatal(err)
	}
	spans := text.NewLayer(text.Entities)
	spans.N = 1
	spans.SetInts("sent", []int32{1})
	spans.SetInts("char_start", []int32{7})
	spans.SetInts("char_end", []int32{9})
	spans.SetInts("tok_start", []int32{3})
	spans.SetInts("tok_end", []int32{3})
	spans.SetStrs("label", []string{"X"})
	d.SetLayer(spans)
	deps := text.NewLayer(text.Dependencies)
	deps.N = 1
	d.SetLayer(deps)
	toks := text.NewLayer(text.Tokens)
	toks.N = 3
	toks.SetInts("sent", []int32{1, 1, 2})
	toks.SetInts("tok", []int32{1, 2, 1})
	toks.SetInts("char_start", []int32{0, 1, 7})
	toks.SetInts("char_end", []int32{1, 6, 9})
	toks.SetStrs("form", []string{"a", "b cd.", "ef"})
	d.SetLayer(toks)
	Refit(d)
	sents, entities := d.Layer("sentences"), d.Layer("entities")
	if got := sents.Ints("char_end"); sents.N != 2 || got[0] != 6 || got[1] != 9 || sents.Ints("char_start")[1] != 7 {
		t.Errorf("sentences end at %v", got)
	}
	if entities.Ints("sent")[0] != 2 || entities.Ints("tok_start")[0] != 1 || entities.Ints("tok_end")[0] != 1 {
		t.Errorf("the span is %+v", entities.Cols)
	}
	if d.Layer("dependencies") != nil {
		t.Error("dependencies of the old tokens stay")
	}
}
