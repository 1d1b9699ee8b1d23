package exec

import (
	"context"
	"errors"
	"sync"

	"parlance/query/plan"
	"parlance/storage/value"
)

// apply runs its right side for each row of the left.
type apply struct {
	r    *run
	n    *plan.Apply
	left Operator
}

func (a *apply) Next(ctx context.Context) (*value.Batch, error) {
	for {
		b, err := a.left.Next(ctx)
		if err != nil || b == nil {
			return nil, err
		}
		rows, err := a.batch(ctx, b)
		if err != nil {
			return nil, err
		}
		if len(rows) > 0 {
			return value.FromRows(typesOf(a.n.Columns()), rows), nil
		}
	}
}

// batch returns the joined rows of one batch of the left side.
func (a *apply) batch(ctx context.Context, b *value.Batch) ([][]value.Value, error) {
	var out [][]value.Value
	width := len(a.n.Right.Columns())
	for i := range b.N {
		right, err := a.rows(ctx, b, i)
		if err != nil {
			return nil, err
		}
		left := b.Row(nil, i)
		kept := 0
		for _, r := range right {
			row := append(left[:len(left):len(left)], r...)
			if a.n.On != nil {
				v, err := a.n.On.At(a.r.env, value.FromRows(typesOf(a.n.Columns()), [][]value.Value{row}), 0)
				if err != nil {
					return nil, err
				}
				if !v.Bool() {
					continue
				}
			}
			out = append(out, row)
			kept++
		}
		if kept == 0 && a.n.Kind == "LEFT" {
			out = append(out, append(left, make([]value.Value, width)...))
		}
	}
	return out, nil
}

// rows runs the right side for row i.
func (a *apply) rows(ctx context.Context, b *value.Batch, i int) ([][]value.Value, error) {
	env := *a.r.env
	env.Args = make([]value.Value, len(a.n.Args))
	for k, x := range a.n.Args {
		v, err := x.At(a.r.env, b, i)
		if err != nil {
			return nil, err
		}
		env.Args[k] = v
	}
	inner := *a.r
	inner.env = &env
	op, err := inner.build(a.n.Right)
	if err != nil {
		return nil, err
	}
	return drain(ctx, op, 0)
}

func (a *apply) Close() error { return a.left.Close() }

func typesOf(cols []plan.Column) []value.Type {
	types := make([]value.Type, len(cols))
	for i, c := range cols {
		types[i] = c.Type
	}
	return types
}

// withs keeps the rows of WITH clauses.
type withs struct {
	mu sync.Mutex
	m  map[*plan.Shared]*withRows
}

type withRows struct {
	once sync.Once
	kept
	err error
}

// close lets go of the files; the statement has ended.
func (w *withs) close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	var err error
	for _, rows := range w.m {
		err = errors.Join(err, rows.close())
	}
	w.m = nil
	return err
}

// sharedRows reads a WITH clause: its select itself, or its rows if they are computed once.
func (r *run) sharedRows(n *plan.Shared) (Operator, error) {
	if !n.Once() {
		return r.build(n.Input)
	}
	if r.withs == nil {
		r.withs = &withs{}
	}
	r.withs.mu.Lock()
	defer r.withs.mu.Unlock()
	w := r.withs.m[n]
	if w == nil {
		w = &withRows{}
		if r.withs.m == nil {
			r.withs.m = map[*plan.Shared]*withRows{}
		}
		r.withs.m[n] = w
	}
	return &replay{r: r, n: n, rows: w}, nil
}

// replay yields the rows of a WITH clause, which the first reader computes.
type replay struct {
	r    *run
	n    *plan.Shared
	rows *withRows
	in   Operator
}

func (p *replay) Next(ctx context.Context) (*value.Batch, error) {
	p.rows.once.Do(func() { p.rows.err = p.fill(ctx) })
	if p.rows.err != nil {
		return nil, p.rows.err
	}
	if p.in == nil {
		in, err := p.rows.reader()
		if err != nil {
			return nil, err
		}
		p.in = in
	}
	return p.in.Next(ctx)
}

func (p *replay) fill(ctx context.Context) error {
	op, err := p.r.build(p.n.Input)
	if err != nil {
		return err
	}
	defer op.Close()
	for {
		b, err := op.Next(ctx)
		if err != nil || b == nil {
			return err
		}
		if err := p.rows.add(b, p.r.memory()); err != nil {
			return err
		}
	}
}

func (p *replay) Close() error { return nil }
