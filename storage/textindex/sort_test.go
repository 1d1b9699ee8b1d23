package textindex

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"parlance/storage/documents"
	"parlance/storage/fulltext"
)

// TestSortedPostings: the lists of a run name the units and positions of each term, as a search through all texts finds
// them, whether units are empty, short or long, and in the run after another, too.
func TestSortedPostings(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	x := documents.FulltextIndex{Column: "text", Case: "lower"}
	b := NewBuilder(nil, 1, 2, 3)
	for _, longest := range []int{1, 3, 400} {
		var texts []string
		for range 60 {
			var words []string
			for range rng.IntN(longest + 1) {
				w := fmt.Sprintf("w%d", rng.IntN(1+rng.IntN(200)))
				if rng.IntN(4) == 0 {
					w = strings.ToUpper(w)
				}
				words = append(words, w)
			}
			texts = append(texts, strings.Join(words, " "))
		}
		want := map[string]*fulltext.Builder{}
		for u, text := range texts {
			places := map[string][]int32{}
			for i, w := range strings.Fields(strings.ToLower(text)) {
				places[w] = append(places[w], int32(i))
			}
			for w, p := range places {
				if want[w] == nil {
					want[w] = &fulltext.Builder{}
				}
				want[w].Add(uint32(u), p)
			}
		}
		b.gather(0, Invert(tokenised(texts[:20]), x))
		b.gather(1, Invert(tokenised(texts[20:]), x))
		s := b.sorted()
		if len(s.order) != len(want) {
			t.Errorf("%d terms, want %d", len(s.order), len(want))
		}
		for i, k := range s.order {
			if i > 0 && b.terms[s.order[i-1]] >= b.terms[k] {
				t.Errorf("%q stands before %q", b.terms[s.order[i-1]], b.terms[k])
			}
			list, p := s.postings(i), want[b.terms[k]]
			units, positions := list.Append(nil, nil)
			wantUnits, wantPositions := p.Append(nil, nil)
			if list.Count() != p.Count() || !slices.Equal(units, wantUnits) || !slices.Equal(positions, wantPositions) {
				t.Fatalf("postings of %q differ", b.terms[k])
			}
		}
		b.empty()
	}
}
