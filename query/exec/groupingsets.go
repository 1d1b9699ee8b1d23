package exec

import (
	"context"
	"errors"

	"parlance/query/expr"
	"parlance/query/plan"
	"parlance/storage/value"
)

// groupingSets groups its input by several lists of keys at once. The groups of one list come out before
// those of the next.
type groupingSets struct {
	in    Operator
	n     *plan.Aggregate
	parts []*aggregate
	done  bool
	at    int // the part whose groups come out
}

func newGroupingSets(in Operator, n *plan.Aggregate, env *expr.Env, memory *budget) *groupingSets {
	g := &groupingSets{in: in, n: n}
	memory.most /= len(n.Sets)
	for _, set := range n.Sets {
		g.parts = append(g.parts, newAggregate(&union{}, n.Part(set), env, memory.again()))
	}
	return g
}

func (g *groupingSets) Next(ctx context.Context) (*value.Batch, error) {
	if !g.done {
		if err := g.fill(ctx); err != nil {
			return nil, err
		}
		g.done = true
	}
	for ; g.at < len(g.parts); g.at++ {
		b, err := g.parts[g.at].Next(ctx)
		if err != nil {
			return nil, err
		}
		if b != nil {
			return g.row(b, g.n.Sets[g.at]), nil
		}
	}
	return nil, nil
}

func (g *groupingSets) fill(ctx context.Context) error {
	for {
		b, err := g.in.Next(ctx)
		if err != nil {
			return err
		}
		for _, p := range g.parts {
			if b == nil {
				err = p.finish(ctx)
			} else {
				err = p.add(b)
			}
			if err != nil {
				return err
			}
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		if b == nil {
			return nil
		}
	}
}

// row lays the columns of a part out as those of all keys and calls.
func (g *groupingSets) row(b *value.Batch, set []int) *value.Batch {
	out := &value.Batch{N: b.N}
	for _, c := range g.n.Columns()[:len(g.n.Keys)] {
		out.Cols = append(out.Cols, value.FromValues(c.Type, make([]value.Value, b.N)))
	}
	for i, k := range set {
		out.Cols[k] = b.Cols[i]
	}
	next := len(set)
	for _, c := range g.n.Calls {
		if c.F != nil {
			out.Cols = append(out.Cols, b.Cols[next])
			next++
			continue
		}
		bits := value.Vec{Type: value.Integer, Ints: make([]int64, b.N)}
		for i := range bits.Ints {
			bits.Ints[i] = g.n.Grouping(c, set)
		}
		out.Cols = append(out.Cols, bits)
	}
	return out
}

func (g *groupingSets) Close() error {
	err := g.in.Close()
	for _, p := range g.parts {
		err = errors.Join(err, p.Close())
	}
	return err
}
