package operator

import (
	"context"
	"strings"

	"parlance/query/expr"
	"parlance/query/fn"
	"parlance/query/plan"
	"parlance/query/turn"
	"parlance/storage/value"
)

// windowCall is one call of a window function or aggregate, with its arguments over all rows.
type windowCall struct {
	call                 *plan.WindowCall
	args                 []column
	mask                 []bool      // rows that FILTER keeps; nil without
	from, to             int         // rows or groups of the frame's ends, counted from the present one
	key                  *column     // of the order, for frames of RANGE
	preceding, following value.Value // distances of the ends of such frames
	out                  []value.Value
	held                 expr.Reservation // by texts of out
	frames               expr.Reservation // by the accumulator of a frame
}

// append adds the arguments of a batch.
func (c *windowCall) append(env *expr.Env, b *value.Batch) error {
	for i, e := range c.call.Args {
		v, err := expr.Eval(e, env, b)
		if err != nil {
			return err
		}
		c.args[i].append(&v, b.N)
	}
	if c.call.Filter != nil {
		mask, err := maskOf(c.call.Filter, env, b)
		if err != nil {
			return err
		}
		c.mask = append(c.mask, mask...)
	}
	return nil
}

// maskOf tells for each row whether a condition is true.
func maskOf(cond expr.Expr, env *expr.Env, b *value.Batch) ([]bool, error) {
	keep, err := expr.Filter(cond, env, b)
	if err != nil {
		return nil, err
	}
	mask := make([]bool, b.N)
	for _, i := range keep {
		mask[i] = true
	}
	return mask, nil
}

// compute computes the call for the rows of a partition.
func (c *windowCall) compute(ctx context.Context, p *partition) error {
	if c.call.Agg != nil {
		return c.aggregate(ctx, p)
	}
	f := &fn.Frame{N: len(p.rows), Arg: func(row, k int) (value.Value, bool) {
		if k >= len(c.args) {
			return value.Value{}, false
		}
		return c.typed(k, int(p.rows[row])), true
	}}
	for i, row := range p.rows {
		if i&1023 == 0 && turn.Err(ctx) != nil {
			return ctx.Err()
		}
		f.Row, f.First, f.Last, f.Groups = i, int(p.first[i]), int(p.last[i]), int(p.group[i])
		var err error
		if f.From, f.To, err = c.frame(p, i); err != nil {
			return err
		}
		v, err := c.call.F.Value(f)
		if err != nil {
			return expr.ErrorAt(c.call.Pos, err)
		}
		c.out[row] = v
	}
	return nil
}

// typed returns argument k of a row with its declared type.
func (c *windowCall) typed(k, row int) value.Value {
	v := c.args[k].at(row)
	if t := c.call.Args[k].Type(); !v.IsNull() && c.args[k].any == nil && t != value.Null {
		v.T = t
	}
	return v
}

// aggregate computes an aggregate over the frames. Rows are added one by one while a frame grows at its end only; a
// frame that loses rows is added up anew, at the cost of its length.
func (c *windowCall) aggregate(ctx context.Context, p *partition) error {
	var acc fn.Accumulator
	from, to := -1, -1
	var v value.Value
	var texts growingText
	args := make([]value.Value, len(c.args))
	work := 0
	for i, row := range p.rows {
		a, z, err := c.frame(p, i)
		if err != nil {
			return err
		}
		if a == from && z == to {
			c.out[row] = v
			continue
		}
		if acc == nil || a != from || z < to {
			c.frames.Release() // what the accumulator before held
			acc, texts, from, to = c.call.Agg.NewWithin(ctx), growingText{}, a, a
		}
		for ; to < z; to++ {
			if work++; work&4095 == 0 && turn.Err(ctx) != nil {
				return ctx.Err()
			}
			if !c.read(int(p.rows[to]), args) {
				continue
			}
			if err := addCounted(acc, args, &c.frames); err != nil {
				return expr.ErrorAt(c.call.Pos, err)
			}
		}
		v = acc.Value()
		if err := c.held.Take(texts.add(v.S)); err != nil {
			return err
		}
		c.out[row] = v
	}
	return nil
}

// read sets args to the arguments of a row, and reports whether the aggregate takes the row.
func (c *windowCall) read(row int, args []value.Value) bool {
	if c.mask != nil && !c.mask[row] {
		return false
	}
	for k := range args {
		args[k] = c.typed(k, row)
	}
	return len(args) == 0 || !args[0].IsNull() || c.call.Agg.Nulls
}

// growingText counts the bytes of the values of one accumulator. An accumulator of texts appends to a buffer, so its
// next text begins with the last one and shares its bytes as long as the buffer has room; append makes a buffer with at
// least a quarter more room where it has none.
type growingText struct {
	last string
	full int // length of the last text that was counted as a buffer of its own
}

// add returns the bytes that text needs beside the texts before it. Comparing texts that share bytes takes no time.
func (g *growingText) add(text string) int {
	n := len(text)
	if n <= g.full+g.full/4 && strings.HasPrefix(text, g.last) {
		n -= len(g.last)
	} else {
		g.full = n
	}
	g.last = text
	return n
}
