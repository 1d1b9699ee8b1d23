package partition

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
)

// errNodes tells that a search has spent its nodes.
var errNodes = errors.New("the search has spent its nodes")

// branching assigns one item after the other to a cluster before it or a new one. With the items from i on left, and
// the clusters so far,
//
//	v ≤ value so far + Σ_{u ≥ i} max(0, max_c w(u, c)) + opt(i)
//
// where w(u, c) = Σ_{a in c} w_ua and opt(i) is the best value of the items from i on alone. Those are found first,
// from the last item on (Russian doll search, Verfaillie, Lemaître and Schiex 1996).
type branching struct {
	n      int
	order  []int32   // items, those of most weight first
	weight []float64 // by places in order
	opt    []float64 // from the item solved last on
	solved int       // items from here on are solved

	nodes, limit int
	rounding     float64
	ctx          context.Context

	start    int         // the first item of the doll at hand
	toward   [][]float64 // w(u, c) by cluster
	saved    [][]float64 // what a row was, by item
	assigned []int32
	found    []int32 // best assignment of the doll
	value    float64 // its value
	best     []int32 // by item of the graph
}

func newBranching(g *graph, labels []int32, value float64, limit int) *branching {
	b := &branching{n: g.n, order: make([]int32, g.n), weight: make([]float64, g.n*g.n), limit: limit, solved: g.n,
		rounding: g.rounding()}
	size := make([]float64, g.n)
	for v, list := range g.near {
		b.order[v] = int32(v)
		for _, a := range list {
			size[v] += math.Abs(max(a.weight, -math.MaxFloat64/float64(g.n)))
		}
	}
	slices.SortFunc(b.order, func(u, v int32) int { return cmp.Or(cmp.Compare(size[v], size[u]), cmp.Compare(u, v)) })
	place := make([]int32, g.n)
	for i, v := range b.order {
		place[v] = int32(i)
	}
	for v, list := range g.near {
		for _, a := range list {
			b.weight[int(place[v])*g.n+int(place[a.to])] = a.weight
		}
	}
	b.opt = make([]float64, g.n+1)
	b.assigned, b.found = make([]int32, g.n), make([]int32, g.n)
	for range g.n {
		b.toward, b.saved = append(b.toward, make([]float64, g.n)), append(b.saved, make([]float64, g.n))
	}
	b.best, b.value = labels, value
	return b
}

// run solves the dolls; the last one is the whole.
func (b *branching) run(ctx context.Context) error {
	b.ctx = ctx
	known := b.value
	for b.start = b.n - 1; b.start >= 0; b.start-- {
		b.value = b.opt[b.start+1]              // the item alone
		b.found[b.start] = int32(b.n + b.start) // no other has this number
		if b.start == 0 {
			b.value = max(b.value, known)
		}
		if err := b.branch(b.start, 0, 0); err != nil {
			b.value = known
			return err
		}
		b.opt[b.start] = b.value
		b.solved = b.start
	}
	if b.value > known {
		b.read()
	}
	return nil
}

// read sets best from the assignment found.
func (b *branching) read() {
	number := map[int32]int32{}
	b.best = make([]int32, b.n)
	for i, v := range b.order {
		c, ok := number[b.found[i]]
		if !ok {
			c = int32(len(number))
			number[b.found[i]] = c
		}
		b.best[v] = c
	}
}

// branch assigns the items from i on, clusters being those in use.
func (b *branching) branch(i, clusters int, value float64) error {
	if i == b.n {
		if value > b.value {
			b.value = value
			copy(b.found, b.assigned)
		}
		return nil
	}
	if b.nodes++; b.nodes > b.limit {
		return errNodes
	}
	if b.nodes&4095 == 0 && b.ctx.Err() != nil {
		return b.ctx.Err()
	}
	if i > b.start && b.atMost(i, clusters, value) <= b.value+b.rounding {
		return nil
	}
	return b.children(i, clusters, value)
}

// atMost returns the bound.
func (b *branching) atMost(i, clusters int, value float64) float64 {
	value += b.opt[i]
	for u := i; u < b.n; u++ {
		best := 0.0
		for c := range clusters {
			best = max(best, b.toward[c][u])
		}
		value += best
	}
	return value
}

// children tries the clusters of an item by falling weight, the new one among them.
func (b *branching) children(i, clusters int, value float64) error {
	var buf [64]int32
	list := buf[:0]
	weight := func(c int32) float64 {
		if int(c) == clusters {
			return 0
		}
		return b.toward[c][i]
	}
	for c := range int32(clusters) + 1 {
		if w := weight(c); !math.IsInf(w, -1) {
			list = append(list, c)
		}
	}
	slices.SortStableFunc(list, func(x, y int32) int { return cmp.Compare(weight(y), weight(x)) })
	for _, c := range list {
		row := b.toward[c]
		w := weight(c)
		if int(c) == clusters {
			clear(row)
		}
		copy(b.saved[i], row)
		for u := i + 1; u < b.n; u++ {
			row[u] += b.weight[i*b.n+u]
		}
		b.assigned[i] = c
		err := b.branch(i+1, max(clusters, int(c)+1), value+w)
		copy(row, b.saved[i])
		if err != nil {
			return err
		}
	}
	return nil
}

// bound returns what no partition exceeds when the search has ended early: the items solved, and all positive weights
// of the others.
func (b *branching) bound() float64 {
	sum := b.opt[b.solved]
	for i := range b.solved {
		for u := i + 1; u < b.n; u++ {
			sum += max(0, b.weight[i*b.n+u])
		}
	}
	return sum
}
