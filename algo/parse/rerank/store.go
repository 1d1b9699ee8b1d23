package rerank

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Candidate is one of the analyses of a sentence.
type Candidate struct {
	Gold     float64 // how close it is to gold, from 0: what Store.Weighted multiplies losses by
	Log      float64 // log-probability under the model that made it
	Features []int32 // rising numbers, from 0
}

// Store has lists of candidates as pairs of the best one and each worse one, with the features that only one of both
// has. Memory is about 10 bytes for each of those.
type Store struct {
	Features int  // their number
	Weighted bool // a pair counts by the difference of Gold; else each counts 1

	first []int32 // of each list, its first pair; one more at the end
	logs  []float64
	count []float64
	begin []int   // of each pair, its first entry in diff; one more at the end
	diff  []int32 // feature k of the target is k, of the other one ^k
}

// NewStore returns an empty store of n features.
func NewStore(features int, weighted bool) *Store {
	return &Store{Features: features, Weighted: weighted, first: []int32{0}, begin: []int{0}}
}

// Add adds the candidates of a sentence. The target is the one of the highest Gold, then of the highest Log, then the
// first. Candidates as good as it form no pair. Nothing of the list is kept.
func (s *Store) Add(list []Candidate) error {
	for i, c := range list {
		switch {
		case math.IsNaN(c.Log) || math.IsInf(c.Log, 0) || math.IsNaN(c.Gold) || math.IsInf(c.Gold, 0):
			return fmt.Errorf("candidate %d has log-probability %v and score %v, both must be finite", i+1, c.Log, c.Gold)
		case len(c.Features) > 0 && (c.Features[0] < 0 || int(c.Features[len(c.Features)-1]) >= s.Features):
			return fmt.Errorf("candidate %d has features %d to %d, there are %d from 0", i+1, c.Features[0],
				c.Features[len(c.Features)-1], s.Features)
		}
	}
	if len(list) == 0 {
		return nil
	}
	best := Best(list)
	for _, c := range list {
		if c.Gold >= best.Gold {
			continue
		}
		n := 1.0
		if s.Weighted {
			n = best.Gold - c.Gold
		}
		s.logs, s.count = append(s.logs, best.Log-c.Log), append(s.count, n)
		s.difference(best.Features, c.Features)
	}
	if n := int32(len(s.logs)); n > s.first[len(s.first)-1] {
		s.first = append(s.first, n)
	}
	return nil
}

// Best is the candidate that a list should begin with; a list has one at least.
func Best(list []Candidate) Candidate {
	best := list[0]
	for _, c := range list[1:] {
		if cmp.Or(cmp.Compare(c.Gold, best.Gold), cmp.Compare(c.Log, best.Log)) > 0 {
			best = c
		}
	}
	return best
}

// difference adds what only one of two rising lists has.
func (s *Store) difference(a, b []int32) {
	for len(a)+len(b) > 0 {
		switch {
		case len(b) == 0 || len(a) > 0 && a[0] < b[0]:
			s.diff = append(s.diff, a[0])
			a = a[1:]
		case len(a) == 0 || b[0] < a[0]:
			s.diff = append(s.diff, ^b[0])
			b = b[1:]
		default:
			a, b = a[1:], b[1:]
		}
	}
	s.begin = append(s.begin, len(s.diff))
}

// Pairs is the number of pairs, Lists that of sentences with any, Entries that of features of pairs: a pass over the
// data looks at each.
func (s *Store) Pairs() int { return len(s.logs) }

// Lists is the number of sentences that form pairs.
func (s *Store) Lists() int { return len(s.first) - 1 }

// Entries is the number of features of all pairs.
func (s *Store) Entries() int { return len(s.diff) }

func (s *Store) of(pair int32) []int32 { return s.diff[s.begin[pair]:s.begin[pair+1]] }

// index leads from features to pairs: those of feature k are pairs[begin[k]:begin[k+1]], rising, ^p where the other
// candidate has the feature.
type index struct {
	begin []int
	pairs []int32
}

func (s *Store) index() index {
	x := index{begin: make([]int, s.Features+1), pairs: make([]int32, len(s.diff))}
	for _, k := range s.diff {
		x.begin[feature(k)+1]++
	}
	for k := range s.Features {
		x.begin[k+1] += x.begin[k]
	}
	at := slices.Clone(x.begin[:s.Features])
	for p := range int32(s.Pairs()) {
		for _, k := range s.of(p) {
			f := feature(k)
			x.pairs[at[f]] = p
			if k < 0 {
				x.pairs[at[f]] = ^p
			}
			at[f]++
		}
	}
	return x
}

func (x index) of(k int32) []int32 { return x.pairs[x.begin[k]:x.begin[k+1]] }

// feature is k of k and of ^k.
func feature(k int32) int32 { return max(k, ^k) }
