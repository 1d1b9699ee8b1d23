package relation

import (
	"fmt"
	"strings"
	"testing"

	"parlance/algo/feature"
	"parlance/algo/text"
	"parlance/query/document"
	"parlance/query/exec"
	"parlance/storage/value"
)

// TestFeatureScan compares what is listed block by block with what is extracted from the whole document.
func TestFeatureScan(t *testing.T) {
	var content strings.Builder
	for i := range 900 {
		fmt.Fprintf(&content, "Word%d and %d more.%s", i%50, i%7, strings.Repeat("\n", 2*(i%2)+1))
	}
	d := &text.Document{Text: content.String()}
	if err := document.Tokenize(t.Context(), d, document.DefaultTokenizer); err != nil {
		t.Fatal(err)
	}
	set, err := feature.Resolve("ner")
	if err != nil {
		t.Fatal(err)
	}
	alphabet := feature.NewAlphabet(set)
	e, err := feature.NewExtractor(alphabet, nil)
	if err != nil {
		t.Fatal(err)
	}
	var found feature.Rows
	e.Grow(d, &found)
	var want []string
	toks := d.Layer("tokens")
	for i := range found.Len() {
		for _, a := range found.Attrs[found.Offsets[i]:found.Offsets[i+1]] {
			want = append(want, fmt.Sprint(toks.Cols[0].Ints[i], toks.Cols[1].Ints[i], toks.Cols[4].Strs[i], alphabet.Name(a)))
		}
	}
	s := &featureScan{r: &exec.Execution{}, set: set, doc: d, sentences: d.SentenceTokens(),
		types: []value.Type{value.Integer, value.Integer, value.Text, value.Text, value.Float}}
	var got []string
	blocks := 0
	for {
		b, err := s.Next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if b == nil {
			break
		}
		blocks++
		for i := range b.N {
			got = append(got, fmt.Sprint(b.Cols[0].At(i).Int(), b.Cols[1].At(i).Int(), b.Cols[2].At(i).S, b.Cols[3].At(i).S))
		}
	}
	if blocks < 3 || len(got) != len(want) {
		t.Fatalf("%d rows in %d batches, want %d", len(got), blocks, len(want))
	}
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("row %d is %s, want %s", i, got[i], want[i])
		}
	}
}

// TestFeatureScanOfLongSentence checks that a sentence too long to be held is refused.
func TestFeatureScanOfLongSentence(t *testing.T) {
	set, err := feature.Resolve("form[0]")
	if err != nil {
		t.Fatal(err)
	}
	n := featureSentence + 1
	toks := text.NewLayer(text.Tokens)
	toks.N = n
	ones := make([]int32, n)
	for i := range ones {
		ones[i] = 1
	}
	toks.Cols[0].Ints = ones
	d := &text.Document{Layers: []*text.Layer{toks}}
	s := &featureScan{r: &exec.Execution{}, set: set, doc: d, sentences: d.SentenceTokens()}
	if _, err := s.Next(t.Context()); err == nil || !strings.Contains(err.Error(), "100001 tokens") {
		t.Errorf("error %v", err)
	}
}
