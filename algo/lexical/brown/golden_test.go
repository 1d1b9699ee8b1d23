package brown

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/option"
	"parlance/algo/text"
)

// TestSameBytes pins what is learned: models of equal data keep their bytes, whatever counts the pairs.
func TestSameBytes(t *testing.T) {
	m, s := &model{}, &option.Set{}
	m.Options(s)
	if err := s.Apply([]option.Arg{kindtest.Arg("clusters", 20)}); err != nil {
		t.Fatal(err)
	}
	var docs []*text.Document
	for i, line := range randomSentences(rand.New(rand.NewPCG(17, 1)), 90, 3000) {
		forms := strings.Fields(line)
		d, toks := &text.Document{ID: fmt.Sprint(i)}, text.NewLayer(text.Tokens)
		sent, tok := make([]int32, len(forms)), make([]int32, len(forms))
		for k := range forms {
			sent[k], tok[k] = 1, int32(k+1)
		}
		toks.N = len(forms)
		toks.SetInts("sent", sent)
		toks.SetInts("tok", tok)
		toks.SetStrs("form", forms)
		d.SetLayer(toks)
		docs = append(docs, d)
	}
	tr := &kind.Training{On: kind.Documents(docs), Workers: 2, Report: func(kind.Progress) {}, Notice: func(string) {}}
	if err := m.Train(context.Background(), tr); err != nil {
		t.Fatal(err)
	}
	w := kind.NewWriter(func(string, []byte) error { return nil })
	if err := m.Encode(w); err != nil {
		t.Fatal(err)
	}
	const want = "06cfa99277b4c9ae9ce2d9d9143ff6073fd08292047a8dc55ea8ece13696e554"
	if got := fmt.Sprintf("%x", w.Sum()); got != want {
		t.Errorf("%d words are %s", len(m.words), got)
	}
}
