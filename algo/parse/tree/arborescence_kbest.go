package tree

import (
	"math"
	"slices"
)

// subspace is the trees that have the first fixed heads of its best tree and at the next token none
// of those excluded (Lawler 1972).
type subspace struct {
	Scored
	fixed    int
	excluded []int32
}

// KBest is that of Lister. Each tree costs at most n calls of Best.
func (c *Arborescence) KBest(p *Parts, score []float64, k int, dst []Scored) []Scored {
	l := lister{c, p, score, make([]float64, p.Arcs.Len()), nil}
	l.add(subspace{Scored: Scored{Heads: make([]int32, p.N+1)}})
	for ; k > 0 && len(l.open) > 0 && !p.Ended(); k-- {
		best := slices.MinFunc(l.open, subspace.compare)
		at := slices.IndexFunc(l.open, func(s subspace) bool { return s.compare(best) == 0 })
		l.open = slices.Delete(l.open, at, at+1)
		dst = append(dst, best.Scored)
		if k > 1 {
			l.split(best)
		}
	}
	return dst
}

type lister struct {
	*Arborescence
	p     *Parts
	score []float64
	limit []float64 // scores with those arcs −∞ that a subspace has not
	open  []subspace
}

func (s subspace) compare(x subspace) int {
	switch {
	case s.Score > x.Score:
		return -1
	case s.Score < x.Score:
		return 1
	}
	return slices.Compare(s.Heads, x.Heads)
}

// split adds the subspaces without the best tree: the first head that differs is that of token m.
func (l *lister) split(s subspace) {
	for m := s.fixed + 1; m <= l.p.N; m++ {
		x := subspace{Scored{slices.Clone(s.Heads), 0}, m - 1, []int32{s.Heads[m]}}
		if m == s.fixed+1 {
			x.excluded = append(x.excluded, s.excluded...)
		}
		if len(x.excluded) < len(l.p.In(m)) {
			l.add(x)
		}
	}
}

// add finds the best tree of a subspace whose heads are fixed.
func (l *lister) add(s subspace) {
	copy(l.limit, l.score)
	for m := 1; m <= s.fixed; m++ {
		for _, a := range l.p.In(m) {
			if l.p.Head[a] != s.Heads[m] {
				l.limit[a] = math.Inf(-1)
			}
		}
	}
	for _, h := range s.excluded {
		l.limit[l.p.Find(int(h), s.fixed+1)] = math.Inf(-1)
	}
	var ok bool
	if s.Score, ok = l.Best(l.p, l.limit, s.Heads); ok {
		l.open = append(l.open, s)
	}
}
