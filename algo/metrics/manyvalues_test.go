package metrics

import (
	"context"
	"fmt"
	"testing"

	"parlance/algo/text"
)

// TestManyValues scores a column of as many values as have rows of their own, and of one more: then the 20 with the
// most errors have, and the figures over all stay those of all.
func TestManyValues(t *testing.T) {
	for _, n := range []int{ManyValues, ManyValues + 1} {
		gold, predicted := column(n), column(n)
		for i := range 25 { // value i is wrong i times, for the last value
			for range i {
				gold = append(gold, name(i))
				predicted = append(predicted, name(n-1))
			}
		}
		s := NewTokens("lemma", Options{})
		if err := s.Add(context.Background(), []*text.Document{lemmas(gold)},
			[]*text.Document{lemmas(predicted)}); err != nil {
			t.Fatal(err)
		}
		found := map[string]float64{}
		var macro Metric
		for _, m := range s.Metrics() {
			if m.Label != All && m.Name == "f1" {
				found[m.Label] = m.Value()
			}
			if m.Name == "macro_f1" {
				macro = m
			}
		}
		if len(macro.Parts) != n {
			t.Errorf("%d values: the macro average is over %d", n, len(macro.Parts))
		}
		want := map[bool]int{false: n, true: WorstValues}[n > ManyValues]
		if len(found) != want {
			t.Errorf("%d values: rows of %d, want %d", n, len(found), want)
		}
		// The last value has 300 errors, then come 24, 23, …, 6 of them.
		for i, shown := range map[int]bool{n - 1: true, 24: true, 6: true, 5: n <= ManyValues, 0: n <= ManyValues} {
			if _, ok := found[name(i)]; ok != shown {
				t.Errorf("%d values: a row of value %d is %t", n, i, ok)
			}
		}
	}
}

func name(i int) string { return fmt.Sprintf("v%03d", i) }

func column(n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = name(i)
	}
	return out
}

// lemmas is a document of one sentence with lemmas.
func lemmas(list []string) *text.Document {
	d := &text.Document{ID: "d", Text: ""}
	sents, toks := text.NewLayer(text.Sentences), text.NewLayer(text.Tokens)
	sents.N, toks.N = 1, len(list)
	one := make([]int32, len(list))
	for i := range one {
		one[i] = 1
	}
	sents.SetInts("sent", []int32{1})
	toks.SetInts("sent", one)
	toks.SetStrs("lemma", list)
	d.SetLayer(sents)
	d.SetLayer(toks)
	return d
}
