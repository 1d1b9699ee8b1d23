// Package belief sums over the values of variables that form trees: sum-product and max-product belief propagation,
// exact, in the space of logarithms.
//
// # Model
//
// A forest has variables; each has a parent or is a root. An assignment h gives each variable v one of its values, and
// its score is
//
//	s(h) = Σ_v ψ_v(h_v) + Σ_v ψ_uv(h_u, h_v), u the parent of v
//
// Sum is log Z = log Σ_h exp(s(h)), Marginals the shares of values and of pairs of values among all assignments, each
// weighing exp(s(h)), and Best the assignment of the highest score.
//
// # Messages
//
// From the leaves to the roots
//
//	I_u(x) = ψ_u(x) + Σ_{v child of u} M_v(x)
//	M_v(x) = log Σ_y exp(ψ_uv(x, y) + I_v(y))
//	p(h_v = y | h_u = x) = exp(ψ_uv(x, y) + I_v(y) − M_v(x))
//
// and from the roots to the leaves μ_uv(x, y) = μ_u(x)·p(h_v = y | h_u = x), which needs no message that is divided
// out again, so that scores of any size do no harm.
package belief

import (
	"math"

	"parlance/algo/numeric/fastexp"
)

// Forest is trees of variables. A parent has a lower number than its children.
type Forest struct {
	Parent []int32     // −1 for roots
	Single [][]float64 // ψ_v by value: its length is how many values v has, 1 at least
	// Pair is ψ_uv by value of the parent, then of v; nil for roots, and for a child all of whose pairs score 0.
	Pair [][]float64
}

// Beliefs are what is known of a forest. It belongs to one goroutine, and keeps its memory from one forest to the next.
type Beliefs struct {
	f       *Forest
	offset  []int     // of each variable, the place of its values
	inside  []float64 // I, by offset
	pairAt  []int     // of each variable, the place of its pairs
	given   []float64 // p(h_v = y | h_u = x), by pairAt
	single  []float64 // μ_v, by offset
	message []float64
	from    []int32 // max-product: the best value of v for each value of its parent
}

// Sum propagates from the leaves to the roots and returns log Z. Cost is that of all pairs of values of neighbours.
func (b *Beliefs) Sum(f *Forest) float64 {
	b.load(f)
	total := 0.0
	for v := len(f.Parent) - 1; v >= 0; v-- {
		in, u := b.values(v), f.Parent[v]
		if u < 0 {
			total += logSum(in)
			continue
		}
		up := b.values(int(u))
		k := len(in)
		for x := range up {
			row := b.given[b.pairAt[v]+x*k : b.pairAt[v]+(x+1)*k]
			most := math.Inf(-1)
			for y := range row {
				row[y] = in[y]
				if f.Pair[v] != nil {
					row[y] += f.Pair[v][x*k+y]
				}
				most = max(most, row[y])
			}
			sum := 0.0
			for y := range row {
				row[y] = exp(row[y] - most)
				sum += row[y]
			}
			for y := range row {
				row[y] /= sum
			}
			up[x] += most + math.Log(sum)
		}
	}
	return total
}

// load makes room, and begins with the scores of single values.
func (b *Beliefs) load(f *Forest) {
	b.f = f
	b.offset, b.pairAt, b.inside = append(b.offset[:0], 0), append(b.pairAt[:0], 0), b.inside[:0]
	pairs := 0
	for v, s := range f.Single {
		b.inside = append(b.inside, s...)
		b.offset = append(b.offset, len(b.inside))
		if u := f.Parent[v]; u >= 0 {
			pairs += len(s) * len(f.Single[u])
		}
		b.pairAt = append(b.pairAt, pairs)
	}
	b.given, b.single = sized(b.given, pairs), sized(b.single, len(b.inside))
}

func sized(s []float64, n int) []float64 {
	if cap(s) < n {
		return make([]float64, n+n/2)[:n]
	}
	return s[:n]
}

// values is I of a variable.
func (b *Beliefs) values(v int) []float64 { return b.inside[b.offset[v]:b.offset[v+1]] }

// logSum is log Σ exp.
func logSum(list []float64) float64 {
	most := list[0]
	for _, x := range list[1:] {
		most = max(most, x)
	}
	sum := 0.0
	for _, x := range list {
		sum += exp(x - most)
	}
	return most + math.Log(sum)
}

// exp is e^x for x ≤ 0.
func exp(x float64) float64 {
	if x < -700 {
		return 0
	}
	return fastexp.Exp(x)
}

// Marginals calls visit for each variable, once after Sum, parents first, with the shares of its values and those of
// its pairs with the parent, by value of the parent first; nil for roots. They may be read until visit returns.
func (b *Beliefs) Marginals(visit func(v int, single, pair []float64)) {
	for v, u := range b.f.Parent {
		mine := b.single[b.offset[v]:b.offset[v+1]]
		if u < 0 {
			in := b.values(v)
			z := logSum(in)
			for x := range in {
				mine[x] = exp(in[x] - z)
			}
			visit(v, mine, nil)
			continue
		}
		above := b.single[b.offset[u]:b.offset[u+1]]
		pair := b.given[b.pairAt[v]:b.pairAt[v+1]]
		clear(mine)
		for x, p := range above {
			row := pair[x*len(mine) : (x+1)*len(mine)]
			for y := range row {
				row[y] *= p
				mine[y] += row[y]
			}
		}
		visit(v, mine, pair)
	}
}

// Best returns the assignment of the highest score, the lowest values of equal ones, in the place of dst, and its
// score.
func (b *Beliefs) Best(f *Forest, dst []int32) (float64, []int32) {
	b.load(f)
	if cap(b.from) < len(b.given)+len(b.inside) {
		b.from = make([]int32, len(b.given)+len(b.inside))
	}
	at := b.from[:len(b.given)+len(b.inside)]
	dst, total := append(dst[:0], make([]int32, len(f.Parent))...), 0.0
	for v := len(f.Parent) - 1; v >= 0; v-- {
		in, u := b.values(v), f.Parent[v]
		if u < 0 {
			best := first(in)
			dst[v], total = int32(best), total+in[best]
			continue
		}
		up := b.values(int(u))
		for x := range up {
			b.message = append(b.message[:0], in...)
			if f.Pair[v] != nil {
				for y := range b.message {
					b.message[y] += f.Pair[v][x*len(in)+y]
				}
			}
			best := first(b.message)
			at[b.pairAt[v]+x] = int32(best)
			up[x] += b.message[best]
		}
	}
	for v, u := range f.Parent {
		if u >= 0 {
			dst[v] = at[b.pairAt[v]+int(dst[u])]
		}
	}
	return total, dst
}

// first is the place of the highest number, the first of equal ones.
func first(list []float64) int {
	best := 0
	for i, x := range list {
		if x > list[best] {
			best = i
		}
	}
	return best
}
