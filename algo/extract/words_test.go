package extract

import (
	"slices"
	"strings"
	"testing"

	"parlance/algo/gazetteer"

	"pgregory.net/rapid"
)

// TestDictionary compares the matches with a look at every range of tokens.
func TestDictionary(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		d := drawDocument(rt, t)
		forms, bounds := d.Layer("tokens").Strs("form"), d.SentenceTokens()
		phrase := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "A"}), 1, 3)
		entries := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) gazetteer.Entry {
			return gazetteer.Entry{Tokens: phrase.Draw(t, "phrase"),
				Labels: []string{rapid.SampledFrom([]string{"P", "Q"}).Draw(t, "label")}}
		}), 0, 6).Draw(rt, "entries")
		letters := rapid.SampledFrom([]string{"exact", "lower"}).Draw(rt, "case")
		fold := func(s string) string { return s }
		if letters == "lower" {
			fold = strings.ToLower
		}
		var all []Span
		for i := 0; i+1 < len(bounds); i++ {
			for from := bounds[i]; from < bounds[i+1]; from++ {
				for to := from + 1; to <= bounds[i+1]; to++ {
					var labels []string
					for _, e := range entries {
						if fold(strings.Join(e.Tokens, " ")) == fold(strings.Join(forms[from:to], " ")) {
							labels = append(labels, e.Labels...)
						}
					}
					slices.Sort(labels)
					if labels != nil {
						all = append(all, Span{Range: Range{from, to}, Labels: slices.Compact(labels)})
					}
				}
			}
		}
		trie := gazetteer.New(gazetteer.Options{Case: letters}, entries)
		for _, policy := range []Policy{All, Leftmost, Longest} {
			if got, want := Dictionary(d, trie, policy), naive(all, policy); !same(got, want) {
				rt.Fatalf("%s of %v in %v: %v, want %v", policy, entries, forms, got, want)
			}
		}
	})
}

func TestKeyword(t *testing.T) {
	d := sentences(t, []string{"a/X b/X a/X b/X", "A/X b/X"})
	for _, c := range []struct {
		words              []string
		column             string
		expressions, folds bool
		want               []Range
	}{
		{words: []string{"a", "b"}, column: "form", want: []Range{{0, 2}, {2, 4}}},
		{words: []string{"a", "b"}, column: "form", folds: true, want: []Range{{0, 2}, {2, 4}, {4, 6}}},
		{words: []string{"b", "a"}, column: "form", folds: true, want: []Range{{1, 3}}},
		{words: []string{"[ab]"}, column: "form", expressions: true, want: []Range{{0, 1}, {1, 2}, {2, 3}, {3, 4}, {5, 6}}},
		{words: []string{"a|b", "x?b"}, column: "lemma", expressions: true, want: []Range{{0, 2}, {2, 4}, {4, 6}}},
		{words: []string{"a"}, column: "xpos"},
		{column: "form"},
	} {
		k, err := NewKeyword([][]string{c.words, {"zz"}}, c.column, c.expressions, c.folds)
		if err != nil {
			t.Fatal(err)
		}
		if got := k.Find(d); !slices.Equal(got, c.want) {
			t.Errorf("%v: %v, want %v", c.words, got, c.want)
		}
	}
	if _, err := NewKeyword([][]string{{"("}}, "form", true, false); err == nil {
		t.Error("( compiles")
	}
}
