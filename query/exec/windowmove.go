package exec

import (
	"context"

	"parlance/storage/value"
)

// rowSpan is the rows [from, to) of a partition.
type rowSpan struct{ from, to int }

// spans returns the rows of the frame of row i in order: those before what EXCLUDE leaves out, the one that it keeps,
// those behind.
func (c *windowCall) spans(p *partition, i int) ([3]rowSpan, error) {
	from, to, err := c.frame(p, i)
	if err != nil {
		return [3]rowSpan{}, err
	}
	hole, end, kept := c.hole(p, i)
	out := [3]rowSpan{0: {from, min(max(hole, from), to)}, 2: {min(max(end, from), to), to}}
	if kept >= from && kept < to {
		out[1] = rowSpan{kept, kept + 1}
	}
	return out, nil
}

// move computes an aggregate by adding the rows that a frame has beyond the last one and taking back those that it lost.
func (c *windowCall) move(ctx context.Context, p *partition) error {
	acc, args := c.call.Agg.Moving(), make([]value.Value, len(c.args))
	work := 0
	each := func(from, to int, do func([]value.Value) error) error {
		for ; from < to; from++ {
			if work++; work&4095 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			if !c.read(int(p.rows[from]), args) {
				continue
			}
			if err := do(args); err != nil {
				return err
			}
		}
		return nil
	}
	// beyond calls do for the rows of a that b has not.
	beyond := func(a, b rowSpan, do func([]value.Value) error) error {
		if err := each(a.from, min(a.to, b.from), do); err != nil {
			return err
		}
		return each(max(a.from, b.from, b.to), a.to, do)
	}
	var last [3]rowSpan
	for i, row := range p.rows {
		if i&4095 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		now, err := c.spans(p, i)
		if err != nil {
			return err
		}
		for k := range now {
			if err := beyond(last[k], now[k], acc.Remove); err != nil {
				return err
			}
			if err := beyond(now[k], last[k], acc.Add); err != nil {
				return err
			}
		}
		last = now
		if c.out[row], err = acc.Value(); err != nil {
			return err
		}
	}
	return nil
}

// extrema computes the greatest value of each frame, or with sign -1 the least, the first of equals.
func (c *windowCall) extrema(ctx context.Context, p *partition, sign int) error {
	t, err := newExtrema(ctx, c, p, sign)
	if err != nil {
		return err
	}
	for i, row := range p.rows {
		if i&4095 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		now, err := c.spans(p, i)
		if err != nil {
			return err
		}
		best := int32(-1)
		for _, s := range now {
			best = t.better(best, t.among(s))
		}
		if best >= 0 {
			c.out[row] = c.typed(0, int(p.rows[best]))
		}
	}
	return nil
}

// extremaTree is a segment tree over the rows of a partition: the best row below each node, -1 for none. The
// children of node k are 2k and 2k+1, row i is node n+i.
type extremaTree struct {
	c    *windowCall
	p    *partition
	sign int
	best []int32
}

func newExtrema(ctx context.Context, c *windowCall, p *partition, sign int) (*extremaTree, error) {
	n := len(p.rows)
	t := &extremaTree{c: c, p: p, sign: sign, best: make([]int32, 2*n)}
	args := make([]value.Value, len(c.args))
	for i, row := range p.rows {
		t.best[n+i] = -1
		if c.read(int(row), args) {
			t.best[n+i] = int32(i)
		}
	}
	for k := n - 1; k > 0; k-- {
		if k&4095 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		t.best[k] = t.better(t.best[2*k], t.best[2*k+1])
	}
	return t, nil
}

// better is the better one of two rows, the first of equals.
func (t *extremaTree) better(a, b int32) int32 {
	switch {
	case a < 0:
		return b
	case b < 0:
		return a
	}
	a, b = min(a, b), max(a, b)
	if t.sign*value.Compare(t.c.typed(0, int(t.p.rows[b])), t.c.typed(0, int(t.p.rows[a]))) > 0 {
		return b
	}
	return a
}

// among is the best of some rows.
func (t *extremaTree) among(s rowSpan) int32 {
	best := int32(-1)
	for from, to := s.from+len(t.best)/2, s.to+len(t.best)/2; from < to; from, to = from/2, to/2 {
		if from&1 == 1 {
			best = t.better(best, t.best[from])
			from++
		}
		if to&1 == 1 {
			to--
			best = t.better(best, t.best[to])
		}
	}
	return best
}
