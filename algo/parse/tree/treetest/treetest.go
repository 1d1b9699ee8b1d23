// Package treetest has what decoders of trees are tested against: all trees of a few tokens, and
// scores by formula or by chance.
package treetest

import (
	"iter"
	"math"
	"math/rand/v2"
	"slices"

	"parlance/algo/parse/tree"
)

// Class is a class of trees.
type Class struct {
	Projective bool // no arcs cross, the root stands before the first token
	Single     bool // one token has the head 0
}

// Classes are all four.
var Classes = []Class{{true, true}, {true, false}, {false, true}, {false, false}}

// Enumerate yields the heads of all trees of n tokens, in lexicographic order; entry 0 is unused. The
// slice is valid until the next one. O(n·nⁿ): for n up to 6 or 7.
func Enumerate(n int, c Class) iter.Seq[[]int32] {
	return func(yield func([]int32) bool) {
		heads := make([]int32, n+1)
		var place func(m int) bool
		place = func(m int) bool {
			if m > n {
				return !Tree(heads, c) || yield(heads)
			}
			for h := range n + 1 {
				if heads[m] = int32(h); h != m && !place(m+1) {
					return false
				}
			}
			return true
		}
		place(1)
	}
}

// Tree tells whether heads, each another token or 0, are a tree of the class, by the definitions.
func Tree(heads []int32, c Class) bool {
	roots := 0
	for m := 1; m < len(heads); m++ {
		if heads[m] == 0 {
			roots++
		}
		if !under(heads, m, 0) {
			return false
		}
		if !c.Projective {
			continue
		}
		h := int(heads[m])
		for x := min(h, m) + 1; x < max(h, m); x++ {
			if !under(heads, x, h) {
				return false
			}
		}
	}
	return !c.Single || roots == 1 || len(heads) == 1
}

// under tells whether the heads lead from m to a.
func under(heads []int32, m, a int) bool {
	for range heads {
		if m == a {
			return true
		}
		if m == 0 {
			return false
		}
		m = int(heads[m])
	}
	return m == a
}

// Formula is the score of a part by a formula in the numbers of its tokens, 0 for None; those of
// Leaf and End are 0.
func Formula(x tree.Part) float64 {
	g, h, m, s, t := max(0, int(x.G)), int(x.H), int(x.M), max(0, int(x.S)), max(0, int(x.T))
	switch x.Type {
	case tree.Dep:
		return float64((3*h+5*m+h*m)%7 - 3)
	case tree.Sib:
		return float64((h+2*m+3*s)%5 - 2)
	case tree.Grand:
		return float64((2*g+3*h+5*m)%7 - 3)
	case tree.GrandSib:
		return float64((g+2*h+3*m+4*s)%9 - 4)
	case tree.TriSib:
		return float64((h+2*m+3*s+4*t)%9 - 4)
	}
	return 0
}

// Scores are those of all parts.
func Scores(p *tree.Parts, of func(tree.Part) float64) []float64 {
	out := make([]float64, 0, p.Len())
	for _, x := range p.All() {
		out = append(out, of(x))
	}
	return out
}

// Random are normal scores of all parts.
func Random(p *tree.Parts, rng *rand.Rand, scale float64) []float64 {
	return Scores(p, func(tree.Part) float64 { return scale * rng.NormFloat64() })
}

// Candidates takes all arcs of n tokens, or with share < 1 each with that probability and those of
// one tree of the class always.
func Candidates(p *tree.Parts, n int, share float64, f tree.Factorization, c Class, rng *rand.Rand) {
	keep := make([]bool, (n+1)*(n+1))
	for i := range keep {
		keep[i] = rng.Float64() < share
	}
	if share < 1 {
		seen := 0
		var kept []int32
		for heads := range Enumerate(n, c) {
			if seen++; rng.IntN(seen) == 0 {
				kept = slices.Clone(heads)
			}
		}
		for m := 1; m < len(kept); m++ {
			keep[int(kept[m])*(n+1)+m] = true
		}
	}
	p.Keep(n, keep)
	p.Reset(f.Types())
}

// Exact is what enumeration finds under scores.
type Exact struct {
	Trees []tree.Scored // all trees with candidate arcs, by falling score
	LogZ  float64       // −∞ without trees
	Mu    []float64     // probability of each part
}

// Brute enumerates the trees of the candidate arcs.
func Brute(f tree.Factorization, c Class, p *tree.Parts, score []float64) Exact {
	e := Exact{LogZ: math.Inf(-1), Mu: make([]float64, p.Len())}
	for heads := range Enumerate(p.N, c) {
		if s := tree.Score(f, p, score, heads); !math.IsInf(s, -1) {
			e.Trees = append(e.Trees, tree.Scored{Heads: slices.Clone(heads), Score: s})
		}
	}
	slices.SortStableFunc(e.Trees, func(a, b tree.Scored) int {
		if a.Score > b.Score {
			return -1
		} else if a.Score < b.Score {
			return 1
		}
		return 0
	})
	if len(e.Trees) == 0 {
		return e
	}
	top, sum := e.Trees[0].Score, 0.0
	for _, t := range e.Trees {
		sum += math.Exp(t.Score - top)
	}
	e.LogZ = top + math.Log(sum)
	for _, t := range e.Trees {
		for _, x := range f.Parts(t.Heads, nil) {
			e.Mu[p.Number(x)] += math.Exp(t.Score - e.LogZ)
		}
	}
	return e
}
