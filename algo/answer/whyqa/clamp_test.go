package whyqa

import (
	"math"
	"testing"

	"parlance/storage/fulltext"
)

// TestUnseenStems: a stem of no document is as rare as one of one document.
func TestUnseenStems(t *testing.T) {
	s := &statistics{Documents: 5, Length: 2, frequency: map[string]uint32{"many": 4}}
	if a, b := s.df("never"), s.df("many"); a != 1 || b != 4 {
		t.Errorf("df of a stem that no document has is %d, of one in four %d", a, b)
	}
}

// TestLeastDistance: the least of all pairs of occurrences counts, whatever their order, and terms without a character
// between them are half a character apart.
func TestLeastDistance(t *testing.T) {
	for passage, want := range map[string]float64{
		"red one two dog":             9,
		"dog red":                     1,
		"red one dog two three red":   5,
		"dog one two red xx dog":      4,
		"red dog one two three red":   1,
		"one red one two three dog x": 15,
	} {
		words, _ := cut(passage, nil)
		o := locate(words, []string{"red", "dog"}, nil)
		if got := o.characters(words, 0, 1); got != want {
			t.Errorf("%q: %v characters, want %v", passage, got, want)
		}
		if a, b := o.characters(words, 0, 1), o.characters(words, 1, 0); a != b {
			t.Errorf("%q: %v characters one way, %v the other", passage, a, b)
		}
	}
	joined := []word{{stem: "red", start: 0, end: 3}, {stem: "dog", start: 3, end: 7}}
	o := locate(joined, []string{"red", "dog"}, nil)
	if got := o.characters(joined, 0, 1); got != self {
		t.Errorf("terms that touch are %v apart, want %v", got, self)
	}
}

// TestBM25OfOddStatistics: counts that contradict each other, as of documents added later, give numbers.
func TestBM25OfOddStatistics(t *testing.T) {
	words, _ := cut("red dog red", nil)
	s := &statistics{Documents: 2, Length: 0, frequency: map[string]uint32{"red": 7}}
	want := fulltext.Weight(fulltext.IDF(7, 7), 2, 3, 1)
	if got := s.bm25(words, []string{"red", "green"}); math.Abs(got-want) > 1e-12 || math.IsNaN(got) {
		t.Errorf("the score is %v, want %v", got, want)
	}
}
