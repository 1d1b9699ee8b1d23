package logic

import (
	"context"
	"iter"
)

// Pair is what facts are about: two entities, or one where Object is None.
type Pair struct{ Subject, Object int32 }

// Domain is the pairs that formulas range over, numbered from 0. The zero value is empty.
type Domain struct {
	pairs               []Pair
	index               map[Pair]int32
	bySubject, byObject map[int32][]int32
}

// Add returns the number of a pair, a new one for a new pair.
func (d *Domain) Add(p Pair) int32 {
	if i, ok := d.index[p]; ok {
		return i
	}
	if d.index == nil {
		d.index, d.bySubject, d.byObject = map[Pair]int32{}, map[int32][]int32{}, map[int32][]int32{}
	}
	i := int32(len(d.pairs))
	d.pairs = append(d.pairs, p)
	d.index[p] = i
	d.bySubject[p.Subject] = append(d.bySubject[p.Subject], i)
	d.byObject[p.Object] = append(d.byObject[p.Object], i)
	return i
}

// Find returns the number of a pair.
func (d *Domain) Find(p Pair) (int32, bool) {
	i, ok := d.index[p]
	return i, ok
}

// Pair returns the pair of a number below Len.
func (d *Domain) Pair(i int32) Pair { return d.pairs[i] }

// Len is the number of pairs.
func (d *Domain) Len() int { return len(d.pairs) }

// grounding enumerates the instances of one rule.
type grounding struct {
	*binder
	ctx   context.Context
	steps int
	d     *Domain
	order []int   // atoms, those with most that is known first
	pairs []int32 // of atoms
	yield func([]int32) bool
}

// Instances yields the instances of a rule over the domain, one pair for each atom of its tree:
// those all of whose pairs are of the domain. The slice is used again. The time is proportional
// to the instances and to the matches of the atoms that come first. The sequence ends early when
// the context does; the caller asks it.
func (d *Domain) Instances(ctx context.Context, b *Bound) iter.Seq[[]int32] {
	return func(yield func([]int32) bool) {
		g := &grounding{binder: newBinder(b), ctx: ctx, d: d, pairs: make([]int32, len(b.Atoms)), yield: yield}
		g.order = joinOrder(len(b.Atoms), func(i int) (Slot, Slot) { return b.Atoms[i].Subject, b.Atoms[i].Object }, -1)
		g.match(0)
	}
}

// joinOrder puts atoms with the most known slots first, beginning after atom first unless that is -1.
func joinOrder(n int, slots func(int) (Slot, Slot), first int) []int {
	known, used, order := map[int32]bool{}, make([]bool, n), []int(nil)
	take := func(i int) {
		used[i] = true
		for _, s := range slotsOf(slots(i)) {
			if s.Var {
				known[s.ID] = true
			}
		}
	}
	if first >= 0 {
		take(first)
	}
	for {
		best, score := -1, -1
		for i := range n {
			if used[i] {
				continue
			}
			k := 0
			for _, s := range slotsOf(slots(i)) {
				if known[s.ID] && s.Var || !s.Var && s.ID != None {
					k++
				}
			}
			if k > score {
				best, score = i, k
			}
		}
		if best < 0 {
			return order
		}
		order = append(order, best)
		take(best)
	}
}

func slotsOf(s, o Slot) [2]Slot { return [2]Slot{s, o} }

// match binds the atoms from the depth on; false stops all.
func (g *grounding) match(depth int) bool {
	if depth == len(g.order) {
		return g.yield(g.pairs)
	}
	atom := g.order[depth]
	p := g.rule.Atoms[atom]
	s, sKnown := g.lookup(p.Subject)
	o, oKnown := g.lookup(p.Object)
	try := func(i int32) bool {
		if g.steps++; g.steps%4096 == 0 && g.ctx.Err() != nil {
			return false
		}
		undo, ok := g.bind(p, g.d.pairs[i])
		more := true
		if ok {
			g.pairs[atom] = i
			more = g.match(depth + 1)
		}
		g.release(p, undo)
		return more
	}
	switch {
	case sKnown && oKnown:
		i, ok := g.d.index[Pair{s, o}]
		return !ok || try(i)
	case sKnown:
		return each(g.d.bySubject[s], try)
	case oKnown:
		return each(g.d.byObject[o], try)
	}
	for i := range g.d.pairs {
		if !try(int32(i)) {
			return false
		}
	}
	return true
}

func each(list []int32, try func(int32) bool) bool {
	for _, i := range list {
		if !try(i) {
			return false
		}
	}
	return true
}
