package exec

import (
	"context"
	"errors"
	"sync"

	"parlance/query/operator"
	"parlance/query/plan"
	"parlance/storage/value"
)

// WithResults keeps the rows of the WITH clauses that a statement computes once and reads several times.
type WithResults struct {
	mu     sync.Mutex
	byNode map[*plan.CTE]*withResult
}

// withResult is the rows of one clause.
type withResult struct {
	once sync.Once
	*operator.Materialized
	err error
}

// Close removes the rows, at the end of the statement.
func (w *WithResults) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	var err error
	for _, rows := range w.byNode {
		err = errors.Join(err, rows.Close())
	}
	w.byNode = nil
	return err
}

// readWith makes the operator that reads a WITH clause: its select itself, or its kept rows if it is computed once.
func (r *Execution) readWith(n *plan.CTE) (operator.Operator, error) {
	if !n.Once() {
		return r.Build(n.Input)
	}
	if r.Withs == nil {
		r.Withs = &WithResults{}
	}
	r.Withs.mu.Lock()
	defer r.Withs.mu.Unlock()
	w := r.Withs.byNode[n]
	if w == nil {
		w = &withResult{Materialized: operator.NewMaterialized(r.budget())}
		if r.Withs.byNode == nil {
			r.Withs.byNode = map[*plan.CTE]*withResult{}
		}
		r.Withs.byNode[n] = w
	}
	return &withReader{r: r, n: n, rows: w}, nil
}

// withReader yields the kept rows of a WITH clause. The first reader that asks for a row computes them all; others
// wait.
type withReader struct {
	r    *Execution
	n    *plan.CTE
	rows *withResult
	in   operator.Operator
}

func (p *withReader) Next(ctx context.Context) (*value.Batch, error) {
	p.rows.once.Do(func() { p.rows.err = p.fill(ctx) })
	if p.rows.err != nil {
		return nil, p.rows.err
	}
	if p.in == nil {
		in, err := p.rows.Reader()
		if err != nil {
			return nil, err
		}
		p.in = in
	}
	return p.in.Next(ctx)
}

// fill computes the rows.
func (p *withReader) fill(ctx context.Context) error {
	op, err := p.r.Build(p.n.Input)
	if err != nil {
		return err
	}
	defer op.Close()
	for {
		b, err := op.Next(ctx)
		if err != nil || b == nil {
			return err
		}
		if err := p.rows.Add(b); err != nil {
			return err
		}
	}
}

func (p *withReader) Close() error { return nil }
