package gazetteer

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestLabelsBruteForce compares the labels of the longest match, ignoring case, with those
// of every entry of that phrase.
func TestLabelsBruteForce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tok := rapid.SampledFrom([]string{"a", "A", "b"})
		tokens := rapid.SliceOfN(tok, 1, 3)
		labels := rapid.SliceOfN(rapid.SampledFrom([]string{"X", "Y", "Z"}), 0, 3)
		entries := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Entry {
			return Entry{tokens.Draw(t, "tokens"), labels.Draw(t, "labels")}
		}), 0, 10).Draw(t, "entries")
		forms := rapid.SliceOfN(tok, 1, 6).Draw(t, "forms")
		lower := rapid.Bool().Draw(t, "lower")
		fold := func(s []string) string { return strings.Join(s, " ") }
		letterCase := "exact"
		if lower {
			letterCase = "lower"
			fold = func(s []string) string { return strings.ToLower(strings.Join(s, " ")) }
		}
		tr := New(Options{Case: letterCase}, entries)
		for i := range forms {
			best := 0
			var want []string
			for n := 1; i+n <= len(forms); n++ {
				var found []string
				for _, e := range entries {
					if fold(e.Tokens) == fold(forms[i:i+n]) {
						best = n
						found = append(found, e.Labels...)
					}
				}
				if best == n {
					slices.Sort(found)
					want = slices.Compact(found)
				}
			}
			n, got := tr.Match(forms, i)
			if n != best || !slices.Equal(got, want) {
				t.Fatalf("match at %d is %d %v, want %d %v", i, n, got, best, want)
			}
		}
	})
}

// million returns a million phrases of one to four words.
func million() ([]Entry, []string) {
	rng := rand.New(rand.NewPCG(1, 2))
	word := func() string { return "w" + strconv.Itoa(int(rng.ExpFloat64()*40000)) }
	entries := make([]Entry, 1_000_000)
	for i := range entries {
		tokens := make([]string, 1+rng.IntN(4))
		for k := range tokens {
			tokens[k] = word()
		}
		entries[i] = Entry{tokens, []string{"L" + strconv.Itoa(rng.IntN(5))}}
	}
	forms := make([]string, 100_000)
	for i := range forms {
		forms[i] = word()
	}
	return entries, forms
}

func BenchmarkNew(b *testing.B) {
	entries, _ := million()
	for b.Loop() {
		New(Options{Case: "lower"}, entries)
	}
	b.ReportMetric(float64(len(entries))*float64(b.N)/b.Elapsed().Seconds(), "entries/s")
}

func BenchmarkMatch(b *testing.B) {
	entries, forms := million()
	tr := New(Options{Case: "lower"}, entries)
	for b.Loop() {
		for i := range forms {
			tr.Match(forms, i)
		}
	}
	b.ReportMetric(float64(len(forms))*float64(b.N)/b.Elapsed().Seconds(), "tokens/s")
}
