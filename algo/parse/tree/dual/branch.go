package dual

import (
	"context"
	"math"
	"slices"
)

// subproblem is the trees with some arcs and without others.
type subproblem struct {
	bound float64
	fixed []decision
	u, v  []float64 // prices to start from
}

type decision struct {
	arc int32
	in  bool
}

// branch searches the trees in halves, with and without the arc on which tree and automata differed
// most often, the half of the highest bound first, until no bound is above the best tree.
func (d *Decoder) branch(ctx context.Context) error {
	open := []subproblem{{bound: math.Inf(1), u: slices.Clone(d.u), v: slices.Clone(d.v)}}
	barred := slices.Clone(d.barred)
	for len(open) > 0 && d.best.Subproblems < d.options.Subproblems {
		at := 0
		for i, s := range open {
			if s.bound > open[at].bound {
				at = i
			}
		}
		s := open[at]
		if d.closed(s.bound) {
			break
		}
		open = slices.Delete(open, at, at+1)
		d.best.Subproblems++
		d.restrict(s, barred)
		out, err := d.descend(ctx)
		if err != nil {
			d.best.Bound = math.Inf(1)
			return err
		}
		if out.solved {
			continue
		}
		arc := d.contested()
		for _, in := range []bool{true, false} {
			open = append(open, subproblem{
				bound: min(out.bound, s.bound),
				fixed: append(slices.Clone(s.fixed), decision{arc, in}),
				u:     slices.Clone(d.u), v: slices.Clone(d.v),
			})
		}
	}
	d.best.Bound = math.Inf(-1)
	for _, s := range open {
		d.best.Bound = max(d.best.Bound, s.bound)
	}
	d.best.Certified = len(open) == 0 || d.closed(d.best.Bound)
	return nil
}

// restrict bars and forces arcs: that a modifier has one head bars all others.
func (d *Decoder) restrict(s subproblem, barred []bool) {
	copy(d.u, s.u)
	copy(d.v, s.v)
	copy(d.barred, barred)
	clear(d.forced)
	for _, x := range s.fixed {
		if !x.in {
			d.barred[x.arc] = true
			continue
		}
		d.forced[x.arc] = true
		for _, y := range d.p.In(int(d.p.Mod[x.arc])) {
			if y != x.arc {
				d.barred[y] = true
			}
		}
	}
}

// contested returns the arc on which tree and automata differed most often.
func (d *Decoder) contested() int32 {
	at := int32(-1)
	for x, n := range d.differ {
		if d.barred[x] || d.forced[x] {
			continue
		}
		if at < 0 || n > d.differ[at] {
			at = int32(x)
		}
	}
	return at
}
