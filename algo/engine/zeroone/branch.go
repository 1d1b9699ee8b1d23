package zeroone

import (
	"context"
	"errors"
	"math"
	"slices"
)

// errNone tells that no assignment obeys the constraints.
var errNone = errors.New("no assignment")

// branching is a depth-first search. A node fixes what propagation and the bound imply, and ends where the bound
// shows that nothing better than the best assignment found is below it.
type branching struct {
	*state
	lagrange *lagrange

	ctx          context.Context
	nodes, limit int
	best         []int8
	value        float64
	rounding     float64 // by how much sums may be off
	open         float64 // what no assignment exceeds
	certified    bool
}

// Steps against broken rows at the root and below.
const (
	rootSteps = 150
	nodeSteps = 6
)

func newBranching(s *state) *branching {
	b := &branching{state: s, lagrange: newLagrange(s), value: math.Inf(-1), open: math.Inf(-1)}
	b.rounding = 1e-10 * b.lagrange.scale
	return b
}

// run searches all of the component or as many nodes as are allowed.
func (b *branching) run(ctx context.Context, limit int) error {
	b.ctx, b.limit = ctx, limit
	err := b.node(math.Inf(1), rootSteps)
	if errors.Is(err, ErrNodes) {
		if b.open = max(b.open, b.value); b.best != nil {
			b.certified = b.open <= b.value+b.rounding
			return nil
		}
		return ErrNodes
	}
	if err != nil {
		return err
	}
	if b.best == nil {
		return errNone
	}
	b.open, b.certified = b.value, true
	return nil
}

// node searches below what is fixed. No assignment there exceeds above.
func (b *branching) node(above float64, steps int) error {
	if b.nodes > 0 && b.nodes >= b.limit { // the root is always looked at
		b.open = max(b.open, above)
		return ErrNodes
	}
	if b.nodes++; b.nodes&255 == 0 && b.ctx.Err() != nil {
		return b.ctx.Err()
	}
	length := len(b.trail)
	defer b.undo(length)
	if !b.propagate() {
		return nil
	}
	bound, ok := b.tightenBound(steps)
	bound = min(bound, above)
	if !ok || bound <= b.value+b.rounding {
		return nil
	}
	j := b.choose()
	if j < 0 {
		b.take()
		return nil
	}
	first := b.lagrange.x[j]
	for i, v := range []int8{first, 1 - first} {
		at := len(b.trail)
		b.fix(j, v)
		err := b.node(bound, nodeSteps)
		b.undo(at)
		if err != nil {
			if i == 0 && errors.Is(err, ErrNodes) {
				b.open = max(b.open, bound) // the other value has not been tried
			}
			return err
		}
	}
	return nil
}

// tightenBound steps down the bound and fixes variables whose other value cannot lead to anything better. It reports
// false if nothing is left.
func (b *branching) tightenBound(steps int) (float64, bool) {
	l := b.lagrange
	lowest, stuck, theta := math.Inf(1), 0, 1.0
	copy(l.kept, l.lambda)
	for i := 0; ; i++ {
		bound := l.value(b.state)
		if bound < lowest-b.rounding {
			lowest, stuck = min(lowest, bound), 0
			copy(l.kept, l.lambda)
		} else if stuck++; stuck == 5 {
			stuck, theta = 0, theta/2
		}
		length, obeys := l.measure(b.state)
		if obeys {
			b.candidate()
		}
		if lowest <= b.value+b.rounding {
			return lowest, false
		}
		if fixed, ok := b.fixByLoss(bound); !ok {
			return lowest, false
		} else if fixed {
			continue
		}
		if length == 0 || i >= steps {
			break
		}
		gap := bound - b.value
		if math.IsInf(b.value, -1) {
			gap = 0.05 * l.scale
		}
		l.step(theta * gap / length)
	}
	copy(l.lambda, l.kept)
	lowest = min(lowest, l.value(b.state))
	return lowest, lowest > b.value+b.rounding
}

// fixByLoss fixes each free variable whose other value would take the bound below the best value, and what follows.
func (b *branching) fixByLoss(bound float64) (fixed, ok bool) {
	l := b.lagrange
	before := len(b.trail)
	for j, x := range b.x {
		if x < 0 && bound-l.loss[j] <= b.value+b.rounding {
			b.fix(int32(j), l.x[j])
		}
	}
	if len(b.trail) == before {
		return false, true
	}
	return true, b.propagate()
}

// candidate takes what maximises the bound, which obeys all rows, if it is better than the best so far.
func (b *branching) candidate() {
	sum := 0.0
	for j, x := range b.lagrange.x {
		sum += float64(x) * b.cost[j]
	}
	if sum > b.value {
		b.value, b.best = sum, slices.Clone(b.lagrange.x)
	}
}

// take takes what is fixed, which is all.
func (b *branching) take() {
	copy(b.lagrange.x, b.x)
	b.candidate()
}

// choose returns the free variable in most rows that the maximising assignment breaks, of those the one about which the
// bound cares least; −1 if none is free.
func (b *branching) choose() int32 {
	l := b.lagrange
	l.measure(b.state)
	best, most := int32(-1), -1
	for j, x := range b.x {
		if x >= 0 {
			continue
		}
		broken := 0
		for _, e := range b.rowsOf[j] {
			if l.excess[e.row] > 0 {
				broken++
			}
		}
		if best < 0 || broken > most || broken == most && l.loss[j] < l.loss[best] {
			best, most = int32(j), broken
		}
	}
	return best
}
