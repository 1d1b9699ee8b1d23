package exec

import (
	"context"
	"errors"

	"parlance/query/operator"
	"parlance/query/plan"
	"parlance/storage/value"
)

// apply is a join whose right side reads columns of the left: it builds and runs the right side for each row of the
// left.
type apply struct {
	r       *Execution
	n       *plan.Apply
	left    operator.Operator
	batch   *value.Batch      // of the left side
	next    int               // row of it
	row     []value.Value     // that right runs for
	right   operator.Operator // nil between rows
	matched bool              // a row of right was joined
}

// Next collects joined rows until they fill a batch.
func (a *apply) Next(ctx context.Context) (*value.Batch, error) {
	var out [][]value.Value
	for len(out) < value.BatchSize {
		if a.right == nil {
			if more, err := a.advance(ctx); err != nil {
				return nil, err
			} else if !more {
				break
			}
		}
		b, err := a.right.Next(ctx)
		if err == nil && b != nil {
			out, err = a.join(out, b)
		} else if err == nil {
			if !a.matched && a.n.Kind == "LEFT" {
				out = append(out, append(a.row, make([]value.Value, len(a.n.Right.Columns()))...))
			}
			err = a.end()
		}
		if err != nil {
			return nil, err
		}
	}
	if len(out) == 0 {
		return nil, nil
	}
	return value.FromRows(operator.TypesOf(a.n.Columns()), out), nil
}

// advance opens the right side for the next row of the left; it returns false after the last one.
func (a *apply) advance(ctx context.Context) (bool, error) {
	if err := ctx.Err(); err != nil {
		return false, err
	}
	for a.batch == nil || a.next == a.batch.N {
		b, err := a.left.Next(ctx)
		if err != nil || b == nil {
			return false, err
		}
		a.batch, a.next = b, 0
	}
	env := *a.r.Env
	env.Args = make([]value.Value, len(a.n.Args))
	for k, x := range a.n.Args {
		v, err := x.At(a.r.Env, a.batch, a.next)
		if err != nil {
			return false, err
		}
		env.Args[k] = v
	}
	inner := *a.r
	inner.Env = &env
	op, err := inner.Build(a.n.Right)
	if err != nil {
		return false, err
	}
	a.right, a.matched, a.row = op, false, a.batch.Row(nil, a.next)
	a.next++
	return true, nil
}

// join appends the row of the left, joined with those rows of a batch of the right side that meet the condition.
func (a *apply) join(out [][]value.Value, b *value.Batch) ([][]value.Value, error) {
	for i := range b.N {
		row := b.Row(a.row[:len(a.row):len(a.row)], i)
		if a.n.On != nil {
			v, err := a.n.On.At(a.r.Env, value.FromRows(operator.TypesOf(a.n.Columns()), [][]value.Value{row}), 0)
			if err != nil {
				return nil, err
			}
			if !v.Bool() {
				continue
			}
		}
		out, a.matched = append(out, row), true
	}
	return out, nil
}

// end closes the right side.
func (a *apply) end() error {
	op := a.right
	a.right = nil
	return op.Close()
}

func (a *apply) Close() error {
	var err error
	if a.right != nil {
		err = a.end()
	}
	return errors.Join(err, a.left.Close())
}
