package whyqa

import (
	"math"

	"parlance/storage/fulltext"
)

// statistics are what is counted in the documents of training.
type statistics struct {
	Documents int     // N
	Length    float64 // mean number of words of a window
	frequency map[string]uint32
}

// df is the number of documents with a stem; a stem in none is as rare as one in one document.
func (s *statistics) df(stem string) int { return max(1, int(s.frequency[stem])) }

// self is the distance from a term to itself, and the least one between two terms: with it the ratio of a term to
// itself is N/df.
const self = 0.5

// occurrences are the places of terms in a passage.
type occurrences struct {
	terms  []string
	places [][]int // by term: words of the passage, rising
}

// locate finds the terms that occur in a passage: those of the question in the order that they have there, then clue
// terms.
func locate(passage []word, terms, clues []string) occurrences {
	at := map[string]int{}
	for _, list := range [][]string{terms, clues} {
		for _, t := range list {
			if _, ok := at[t]; !ok {
				at[t] = len(at)
			}
		}
	}
	found := make([][]int, len(at))
	for i, w := range passage {
		if k, ok := at[w.stem]; ok {
			found[k] = append(found[k], i)
		}
	}
	var o occurrences
	for _, list := range [][]string{terms, clues} {
		for _, t := range list {
			if k := at[t]; found[k] != nil {
				o.terms, o.places = append(o.terms, t), append(o.places, found[k])
				found[k] = nil
			}
		}
	}
	return o
}

// characters is the least number of characters between occurrences of two terms.
func (o *occurrences) characters(passage []word, a, b int) float64 {
	if a == b {
		return self
	}
	least, x, y := math.MaxInt, o.places[a], o.places[b]
	for len(x) > 0 && len(y) > 0 {
		p, q := passage[x[0]], passage[y[0]]
		if p.start < q.start {
			least = min(least, q.start-p.end)
			x = x[1:]
		} else {
			least = min(least, p.start-q.end)
			y = y[1:]
		}
	}
	return max(float64(least), self)
}

// ratio is ts(t1, t2) = N / (2·dist(t1, t2)·df(t2)) of the terms a and b.
func (o *occurrences) ratio(s *statistics, passage []word, a, b int) float64 {
	return float64(s.Documents) / (2 * o.characters(passage, a, b) * float64(s.df(o.terms[b])))
}

// distance is the score of a passage by how near its rare terms are to one of them (Oh et al. 2012, equation 1):
//
//	S = max_{t1} Σ_{t2} φ·ln ts(t1, t2),  φ = 1 where ts > 1, else 0
//
// over the terms of the question and the clue terms that occur in it. It is never below 0. Anchor is the place of t1
// among the terms, -1 without terms.
func (o *occurrences) distance(s *statistics, passage []word) (score float64, anchor int) {
	anchor = -1
	for a := range o.terms {
		sum := 0.0
		for b := range o.terms {
			if ts := o.ratio(s, passage, a, b); ts > 1 {
				sum += math.Log(ts)
			}
		}
		if anchor < 0 || sum > score {
			score, anchor = sum, a
		}
	}
	return score, anchor
}

// bm25 is the score of a passage for the terms of a question, with the same k1 and b as full-text search:
//
//	Σ_t idf(t)·tf·(k1 + 1) / (tf + k1·(1 − b + b·length/mean))
func (s *statistics) bm25(passage []word, terms []string) (score float64) {
	tf := map[string]int{}
	for _, w := range passage {
		tf[w.stem]++
	}
	for _, t := range terms {
		if n := tf[t]; n > 0 {
			idf := fulltext.IDF(max(s.Documents, s.df(t)), s.df(t))
			score += fulltext.Weight(idf, float64(n), float64(len(passage)), max(1, s.Length))
		}
	}
	return score
}
