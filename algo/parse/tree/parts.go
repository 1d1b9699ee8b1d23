package tree

import (
	"iter"
	"math"
)

// Parts numbers the parts that candidate arcs can form, type after type, so that scores and
// probabilities are vectors. k numbers the next nearer sibling of an arc: 0 is none, k the k-th
// nearest arc of the same head and direction; so does l for the one nearer still, l < k. j numbers
// the arcs to the head, as in In. Numbers of parts that no tree has (a grandparent that is the
// modifier, or within the arc where trees are projective) exist and are not used.
type Parts struct {
	Arcs
	Types Type

	sib, grand, grandSib, triSib []int32 // of each arc, its first number
	leaf, end                    int     // first numbers
	length                       int
	done                         <-chan struct{} // of a context, nil for none
}

// Reset numbers the parts of the types for the arcs that p holds.
func (p *Parts) Reset(types Type) {
	p.Types = types
	n := p.Arcs.Len() // Dep has the number of the arc
	number := func(dst []int32, t Type, count func(arc int) int) []int32 {
		dst = dst[:0]
		if types&t == 0 {
			return dst
		}
		for a := range p.Head {
			dst = append(dst, int32(n))
			n += count(a)
		}
		return dst
	}
	p.sib = number(p.sib, Sib, func(a int) int { return p.Inner(a) + 1 })
	p.grand = number(p.grand, Grand, func(a int) int { return len(p.In(int(p.Head[a]))) })
	p.grandSib = number(p.grandSib, GrandSib, func(a int) int { return p.Above(a) * (p.Inner(a) + 1) })
	p.triSib = number(p.triSib, TriSib, func(a int) int { return 1 + p.Inner(a)*(p.Inner(a)+1)/2 })
	if p.leaf = n; types&Leaf != 0 {
		n += 2 * p.Arcs.Len()
	}
	if p.end = n; types&End != 0 {
		n += 2*(p.N+1) + p.Arcs.Len()
	}
	p.length = n
}

// Len returns how many numbers there are.
func (p *Parts) Len() int { return p.length }

// Above returns how many values j has for an arc: the arcs to its head, and one, 0, for the root,
// which has no head.
func (p *Parts) Above(arc int) int {
	if h := int(p.Head[arc]); h > 0 {
		return len(p.In(h))
	}
	return 1
}

// Sib returns the number of an arc with its k-th sibling.
func (p *Parts) Sib(arc, k int) int { return int(p.sib[arc]) + k }

// Grand returns the number of an arc with the j-th arc to its head, which is not the root.
func (p *Parts) Grand(arc, j int) int { return int(p.grand[arc]) + j }

// Leaf returns the number of an arc whose modifier has no modifier on a side.
func (p *Parts) Leaf(arc, side int) int { return p.leaf + 2*arc + side }

// GrandSib returns the number of an arc with the j-th arc to its head and its k-th sibling; those of
// one j are neighbours.
func (p *Parts) GrandSib(arc, j, k int) int {
	return int(p.grandSib[arc]) + j*(p.Inner(arc)+1) + k
}

// TriSib returns the number of an arc with its k-th sibling and then the l-th one: l < k, or both 0.
func (p *Parts) TriSib(arc, k, l int) int {
	if k == 0 {
		return int(p.triSib[arc])
	}
	return int(p.triSib[arc]) + 1 + k*(k-1)/2 + l
}

// End returns the number of an arc that is the outermost of its head on its side.
func (p *Parts) End(arc int) int { return p.end + 2*(p.N+1) + arc }

// NoEnd returns the number of a head without modifiers in a direction.
func (p *Parts) NoEnd(h, direction int) int { return p.end + 2*h + direction }

// Number returns that of a part, −1 if it has arcs that are not candidates.
func (p *Parts) Number(x Part) int {
	if x.Type == End && x.M == None {
		return p.NoEnd(int(x.H), int(x.S))
	}
	arc := p.Find(int(x.H), int(x.M))
	if arc < 0 {
		return -1
	}
	k, l, j := 0, 0, 0
	if x.S >= 0 && x.Type != Leaf && x.Type != End {
		if k = p.nearer(int(x.H), int(x.S), arc); k == 0 {
			return -1
		}
	}
	if x.T >= 0 {
		if l = p.nearer(int(x.H), int(x.T), arc); l == 0 {
			return -1
		}
	}
	if x.G >= 0 {
		a := p.Find(int(x.G), int(x.H))
		if a < 0 {
			return -1
		}
		j = p.Rank(a)
	}
	switch x.Type {
	case Dep:
		return arc
	case Sib:
		return p.Sib(arc, k)
	case Grand:
		return p.Grand(arc, j)
	case Leaf:
		return p.Leaf(arc, int(x.S))
	case GrandSib:
		return p.GrandSib(arc, j, k)
	case TriSib:
		return p.TriSib(arc, k, l)
	}
	return p.End(arc)
}

// nearer returns the place, from 1, of the arc from h to s among those nearer than an arc, 0 for none.
func (p *Parts) nearer(h, s, arc int) int {
	a := p.Find(h, s)
	if a < 0 || a >= arc {
		return 0
	}
	if k := a - (arc - p.Inner(arc)) + 1; k > 0 {
		return k
	}
	return 0
}

// All yields every number with its part, by rising number.
func (p *Parts) All() iter.Seq2[int, Part] {
	return func(yield func(int, Part) bool) {
		i := 0
		give := func(x Part) bool {
			i++
			return yield(i-1, x)
		}
		_ = p.all(Dep, func(x Part, _ int) bool { return give(x) }) &&
			p.all(Sib, func(x Part, arc int) bool { return p.siblings(x, arc, give) }) &&
			p.all(Grand, func(x Part, arc int) bool { return p.grandparents(x, arc, give) }) &&
			p.all(GrandSib, func(x Part, arc int) bool {
				return p.grandparents(x, arc, func(x Part) bool { return p.siblings(x, arc, give) })
			}) &&
			p.all(TriSib, func(x Part, arc int) bool { return p.triples(x, arc, give) }) &&
			p.all(Leaf, func(x Part, _ int) bool {
				x.S = Inside
				ok := give(x)
				x.S = Outside
				return ok && give(x)
			}) && p.ends(give)
	}
}

// all calls of with the arcs as parts of a type.
func (p *Parts) all(t Type, of func(x Part, arc int) bool) bool {
	if p.Types&t == 0 {
		return true
	}
	for a := range p.Head {
		if !of(Part{t, None, p.Head[a], p.Mod[a], None, None}, a) {
			return false
		}
	}
	return true
}

func (p *Parts) siblings(x Part, arc int, give func(Part) bool) bool {
	x.S = None
	ok := give(x)
	for k := arc - p.Inner(arc); ok && k < arc; k++ {
		x.S = p.Mod[k]
		ok = give(x)
	}
	return ok
}

func (p *Parts) grandparents(x Part, arc int, give func(Part) bool) bool {
	if x.H == 0 {
		return x.Type == Grand || give(x)
	}
	for _, a := range p.In(int(x.H)) {
		x.G = p.Head[a]
		if !give(x) {
			return false
		}
	}
	return true
}

func (p *Parts) triples(x Part, arc int, give func(Part) bool) bool {
	from := arc - p.Inner(arc)
	ok := give(x)
	for k := from; ok && k < arc; k++ {
		x.S, x.T = p.Mod[k], None
		ok = give(x)
		for l := from; ok && l < k; l++ {
			x.T = p.Mod[l]
			ok = give(x)
		}
	}
	return ok
}

func (p *Parts) ends(give func(Part) bool) bool {
	if p.Types&End == 0 {
		return true
	}
	for h := range p.N + 1 {
		for d := int32(Left); d <= Right; d++ {
			if !give(Part{End, None, int32(h), None, d, None}) {
				return false
			}
		}
	}
	return p.all(End, func(x Part, arc int) bool {
		x.S = int32(p.Direction(arc))
		return give(x)
	})
}

// Decoder finds trees under scores of the parts of one factorization. It keeps buffers: one goroutine
// at a time. Parts must hold its types; score and mu have an entry for each number, and scores may
// be −∞ but not NaN or +∞. Of equal trees always the same one is found.
type Decoder interface {
	// Best writes the heads of the best tree, heads[1..n], and returns its score; false if the
	// candidate arcs leave no tree, or if the context of the parts has ended.
	Best(p *Parts, score []float64, heads []int32) (float64, bool)
}

// Summer is a decoder that sums over all trees.
type Summer interface {
	// Marginals writes the probability of each part, exp(score)/Z summed over the trees that have it,
	// and returns ln Z. Numbers of parts that no tree has get 0.
	Marginals(p *Parts, score, mu []float64) (float64, bool)
}

// Lister is a decoder that finds the k best trees.
type Lister interface {
	// KBest appends at most k trees by falling score.
	KBest(p *Parts, score []float64, k int, dst []Scored) []Scored
}

// Scored is a tree with its score.
type Scored struct {
	Heads []int32 // entry 0 is not used
	Score float64
}

// Score returns the score of a tree, −∞ if it has an arc that is no candidate.
func Score(f Factorization, p *Parts, score []float64, heads []int32) float64 {
	sum := 0.0
	for _, x := range f.Parts(heads, nil) {
		i := p.Number(x)
		if i < 0 {
			return math.Inf(-1)
		}
		sum += score[i]
	}
	return sum
}
