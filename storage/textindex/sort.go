package textindex

import (
	"cmp"
	"slices"

	"parlance/storage/fulltext"
)

// sorting is the tokens of a run by term, in memory that the next run uses again.
type sorting struct {
	order     []uint32 // numbers of the terms, by their names
	starts    []uint32 // the tokens of the i-th of these are places[starts[i]:starts[i+1]]
	places    []uint32 // of tokens in the run, ascending for each term
	ends      []uint32 // the tokens of a unit end there
	units     []uint32 // unit of each stride-th token
	list      fulltext.Builder
	positions []int32
}

// stride is the distance between tokens whose units are known; from them to others is a short way.
const stride = 64

// sorted sorts the tokens of the run by the names of their terms: a count of each term tells where its tokens stand.
func (b *Builder) sorted() *sorting {
	s := &b.sorting
	s.order = s.order[:0]
	for k := range b.terms {
		s.order = append(s.order, uint32(k))
	}
	slices.SortFunc(s.order, func(x, y uint32) int { return cmp.Compare(b.terms[x], b.terms[y]) })
	next := make([]uint32, len(b.terms)) // place of the next token of each term, by number
	s.starts = append(s.starts[:0], 0)
	at := uint32(0)
	for _, k := range s.order {
		next[k] = at
		at += b.counts[k]
		s.starts = append(s.starts, at)
	}
	s.places = slices.Grow(s.places[:0], len(b.tokens))[:len(b.tokens)]
	for i, k := range b.tokens {
		s.places[next[k]] = uint32(i)
		next[k]++
	}
	s.ends, s.units = s.ends[:0], s.units[:0]
	end := uint32(0)
	for u, n := range b.lengths {
		end += uint32(n)
		s.ends = append(s.ends, end)
		for len(s.units)*stride < int(end) {
			s.units = append(s.units, uint32(u))
		}
	}
	return s
}

// postings makes the list of the i-th term, valid until the next call.
func (s *sorting) postings(i int) *fulltext.Builder {
	s.list.Reset()
	places := s.places[s.starts[i]:s.starts[i+1]]
	for len(places) > 0 {
		u := s.units[places[0]/stride]
		for places[0] >= s.ends[u] {
			u++
		}
		begin := uint32(0)
		if u > 0 {
			begin = s.ends[u-1]
		}
		s.positions = s.positions[:0]
		for len(places) > 0 && places[0] < s.ends[u] {
			s.positions = append(s.positions, int32(places[0]-begin))
			places = places[1:]
		}
		s.list.Add(u, s.positions)
	}
	return &s.list
}
