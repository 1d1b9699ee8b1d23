package dual

import (
	"math"

	"parlance/algo/numeric/buffer"
	"parlance/algo/parse/tree"
)

// automata finds for each head by itself its best modifiers, and its best parent where parts have
// grandparents, under penalties of arcs. Modifiers of a side are read off from the nearest to the
// outermost (Koo et al. 2010, section 3):
//
//	best[k] = max_{k' < k} best[k'] + g(h, k', k) − u(h, k),   value = max_k best[k] + g(h, k, END)
//
// where k is a place among the candidate arcs of the side, 0 is START. With grandparents g depends on
// the parent, and the best parent is that whose two sides less v(parent, h) are best.
type automata struct {
	p     *tree.Parts
	grand bool

	// Scores of the sentence.
	base  []int32   // of each arc, its first place in table
	table []float64 // score of an arc by parent and next nearer modifier
	end   []float64 // of each arc
	noEnd []float64 // by 2·head + direction
	dep   []float64 // score of an arc that the table has not

	// Penalties and limits.
	u, v   []float64 // of each arc, on its choice by the head and by the modifier
	barred []bool    // arcs that are not to be chosen
	forced []bool    // arcs that must be chosen

	// The choice.
	take   []bool    // by arc
	parent []int32   // by head, the arc that enters it, −1 without grandparents and for the root
	value  []float64 // by head
	under  []float64 // by 2·arc + direction, value of the modifiers of its modifier under it
	alone  []float64 // by 2·head + direction, the same without grandparents
	reach  []float64 // best of a side by place
}

// change is what changed of the penalties of a head.
type change uint8

const (
	clean   change = 0
	parents change = 1 // of its parents
	all     change = 7 // and of its modifiers on both sides
)

// onSide is a change of the penalties of modifiers on a side.
func onSide(direction int) change { return 2 << direction }

// load sums the scores of the parts of a choice; share of the scores of arcs is left to the trees.
func (a *automata) load(f tree.Factorization, p *tree.Parts, score []float64, share float64) {
	arcs := p.Arcs.Len()
	a.p, a.grand = p, f == tree.GrandparentSibling
	a.base, a.table = a.base[:0], a.table[:0]
	a.take, a.barred, a.forced = buffer.Resize(a.take, arcs), buffer.Resize(a.barred, arcs), buffer.Resize(a.forced, arcs)
	a.end, a.dep = buffer.Resize(a.end, arcs), buffer.Resize(a.dep, arcs)
	for x := range arcs {
		a.base = append(a.base, int32(len(a.table)))
		a.end[x], a.dep[x] = score[p.End(x)], score[x]
		inner := p.Inner(x)
		a.barred[x] = math.IsInf(score[x], -1)
		own := 0.0
		if !a.barred[x] {
			own = score[x] * (1 - share)
		}
		if p.Ended() {
			a.table = append(a.table, make([]float64, a.above(x)*(inner+1))...)
			continue
		}
		for j := range a.above(x) {
			plus := own
			if a.grand && p.Head[x] > 0 {
				plus += score[p.Grand(x, j)]
			}
			for k := range inner + 1 {
				v := plus + score[p.Sib(x, k)]
				if a.grand {
					v += score[p.GrandSib(x, j, k)]
				}
				a.table = append(a.table, v)
			}
		}
	}
	a.noEnd = a.noEnd[:0]
	for h := range p.N + 1 {
		a.noEnd = append(a.noEnd, score[p.NoEnd(h, tree.Left)], score[p.NoEnd(h, tree.Right)])
	}
	a.u, a.v, a.under = buffer.Resize(a.u, arcs), buffer.Resize(a.v, arcs), buffer.Resize(a.under, 2*arcs)
	a.noEnd[0] = 0 // nothing is on the left of the root
	a.parent, a.value = buffer.Resize(a.parent, p.N+1), buffer.Resize(a.value, p.N+1)
	a.reach = buffer.Resize(a.reach, p.N+1)
	a.alone = buffer.Resize(a.alone, 2*(p.N+1))
	clear(a.u)
	clear(a.v)
	clear(a.forced)
}

// above returns how many parents the head of an arc can choose from.
func (a *automata) above(arc int) int {
	if a.grand {
		return a.p.Above(arc)
	}
	return 1
}

// decode makes the choice of a head. What its changes leave as it was is not computed again.
func (a *automata) decode(h int, changed change) {
	if changed == clean {
		return
	}
	was := a.parent[h]
	at := 0
	if !a.grand || h == 0 {
		a.parent[h] = -1
		a.value[h] = a.sides(h, 0, changed, a.alone[2*h:])
	} else {
		a.value[h], a.parent[h] = math.Inf(-1), -1
		for j, x := range a.p.In(h) {
			if a.barred[x] {
				continue
			}
			if v := a.sides(h, j, changed, a.under[2*x:]) - a.v[x]; v > a.value[h] {
				a.value[h], a.parent[h], at = v, x, j
			}
		}
	}
	if a.parent[h] != was {
		changed = all
	}
	for d := tree.Left; d <= tree.Right; d++ {
		if changed&onSide(d) != 0 {
			a.side(h, d, at)
			a.trace(h, d, at)
		}
	}
}

// sides returns the value of both sides under the j-th parent, kept from change to change.
func (a *automata) sides(h, j int, changed change, kept []float64) float64 {
	for d := tree.Left; d <= tree.Right; d++ {
		if changed&onSide(d) != 0 {
			kept[d] = a.side(h, d, j)
		}
	}
	return kept[tree.Left] + kept[tree.Right]
}

// side returns the best score of the modifiers on a side under the j-th parent.
func (a *automata) side(h, d, j int) float64 {
	from, to := a.p.Of(h, d)
	best := a.reach[:1]
	best[0] = 0
	low := 0 // the last modifier that must be chosen
	for x := from; x < to; x++ {
		v := math.Inf(-1)
		if !a.barred[x] {
			at := int(a.base[x]) + j*len(best)
			v = maxSum(best[low:], a.table[at+low:at+len(best)]) - a.u[x]
		}
		best = append(best, v)
		if a.forced[x] {
			low = len(best) - 1
		}
	}
	v, _ := a.finish(h, d, best, low)
	return v
}

// row returns the scores of an arc by the next nearer modifier.
func (a *automata) row(arc, j int) []float64 {
	k := a.p.Inner(arc) + 1
	at := int(a.base[arc]) + j*k
	return a.table[at : at+k]
}

// finish returns the best score with the end and the place of the outermost modifier.
func (a *automata) finish(h, d int, best []float64, low int) (float64, int) {
	from, _ := a.p.Of(h, d)
	top, at := math.Inf(-1), 0
	for k := low; k < len(best); k++ {
		e := a.noEnd[2*h+d]
		if k > 0 {
			e = a.end[from+k-1]
		}
		if v := best[k] + e; v > top {
			top, at = v, k
		}
	}
	return top, at
}

// trace marks the modifiers of the best score, which side has just computed.
func (a *automata) trace(h, d, j int) {
	from, to := a.p.Of(h, d)
	for x := from; x < to; x++ {
		a.take[x] = false
	}
	_, k := a.finish(h, d, a.reach[:to-from+1], a.low(from, to))
	for k > 0 {
		x := from + k - 1
		a.take[x] = true
		low := a.low(from, x)
		k = argSum(a.reach[low:k], a.row(x, j)[low:])
		k += low
	}
}

// low returns the place of the last modifier of a range that must be chosen.
func (a *automata) low(from, to int) int {
	for x := to - 1; x >= from; x-- {
		if a.forced[x] {
			return x - from + 1
		}
	}
	return 0
}

// score returns that of the modifiers that heads gives h, without penalties.
func (a *automata) score(heads []int32, h int) float64 {
	j := 0
	if a.grand && h > 0 {
		j = a.p.Rank(a.p.Find(int(heads[h]), h))
	}
	sum := 0.0
	for d := tree.Left; d <= tree.Right; d++ {
		from, to := a.p.Of(h, d)
		k, e := 0, a.noEnd[2*h+d]
		for x := from; x < to; x++ {
			if int(heads[a.p.Mod[x]]) == h {
				sum += a.row(x, j)[k]
				k, e = x-from+1, a.end[x]
			}
		}
		sum += e
	}
	return sum
}

// maxSum returns max_k a[k] + b[k].
func maxSum(a, b []float64) float64 {
	b = b[:len(a)]
	top := math.Inf(-1)
	for k, x := range a {
		if v := x + b[k]; v > top {
			top = v
		}
	}
	return top
}

// argSum returns the first k with the greatest a[k] + b[k].
func argSum(a, b []float64) int {
	b = b[:len(a)]
	top, at := math.Inf(-1), 0
	for k, x := range a {
		if v := x + b[k]; v > top {
			top, at = v, k
		}
	}
	return at
}
