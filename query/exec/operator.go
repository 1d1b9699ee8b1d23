// Package exec runs plans and statements: one file per operator, pulling typed batches.
package exec

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"parlance/query/ast"
	"parlance/query/expr"
	"parlance/query/plan"
	"parlance/storage/value"
)

// Operator yields batches; Next returns nil at the end. Close frees what it holds and may
// be called more than once.
type Operator interface {
	Next(ctx context.Context) (*value.Batch, error)
	Close() error
}

// Stats is what EXPLAIN ANALYZE shows of a node.
type Stats struct {
	Rows         int64
	Documents    int64 // annotated
	Time         time.Duration
	Hits, Misses int64
	Annotated    bool
	Keys         int // that were looked up
	Steps        int // of a recursive select
}

// analysis is the counts of the nodes of a plan. Subselects may run in the goroutine of a scan.
type analysis struct {
	mu sync.Mutex
	m  map[plan.Node]*Stats
}

// of returns the counts of a node; nil where nothing is counted.
func (a *analysis) of(n plan.Node) *Stats {
	if a == nil {
		return nil
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	st := a.m[n]
	if st == nil {
		st = &Stats{}
		a.m[n] = st
	}
	return st
}

// run is the state of one execution of a plan.
type run struct {
	*Engine
	ses    *Session
	now    *running
	from   *ast.Execute // that runs the statement; nil for one that is run as it is
	env    *expr.Env
	snap   snapshot
	began  time.Time // the statement
	opened time.Time // the transaction block, or the statement outside of one
	floats uint64    // parameters that are floats, the first at bit 0
	stats  *analysis // nil unless analysing
	shared *sharing  // of annotations between the nodes of a plan; nil for one node
	withs  *withs    // rows of WITH clauses that are computed once
	// documents that joins around a node have a use for
	allowed map[*plan.Layer]allowed
	// rows of tables that joins around them have a use for
	sought map[*plan.Table][][]value.Value
	// rows of the last steps of recursive selects around a node
	last map[*plan.Working]*working
	// what joins of the step of a recursive select hold of sides that no step changes; nil outside
	sides  map[*plan.Join]*heldRows
	result Result          // of a query
	guard  guarded         // its rows
	random *rand.PCG       // nil before random() is called
	texts  *annotator      // of a query over an ad-hoc text
	told   map[string]bool // notices that say the same once a statement
	lone   bool            // it computes expressions over the rows of one text
}

// build makes the operator of a node.
func (r *run) build(n plan.Node) (Operator, error) {
	op, err := r.operator(n)
	if err != nil || r.stats == nil {
		return op, err
	}
	return &timed{op, r.stats.of(n)}, nil
}

func (r *run) operator(n plan.Node) (Operator, error) {
	switch n := n.(type) {
	case *plan.Layer:
		return r.layer(n)
	case *plan.Table:
		return r.table(n)
	case *plan.Relation:
		return r.relation(n)
	case *plan.Evaluate:
		return r.evaluateRows(n)
	case plan.One:
		return &one{}, nil
	case *plan.Rename:
		return r.build(n.Input)
	case *plan.Filter:
		if c, ok := n.Cond.(*expr.Const); ok && !c.V.Bool() {
			return &union{}, nil
		}
		return unary(r, n.Input, func(in Operator) Operator { return &filter{in, n.Cond, r.env} })
	case *plan.Project:
		return unary(r, n.Input, func(in Operator) Operator { return &project{in: in, exprs: n.Exprs, env: r.env} })
	case *plan.Join:
		return r.join(n)
	case *plan.Apply:
		return unary(r, n.Left, func(in Operator) Operator { return &apply{r: r, n: n, left: in} })
	case *plan.Shared:
		return r.sharedRows(n)
	case *plan.Window:
		return unary(r, n.Input, func(in Operator) Operator { return newWindow(in, n, r.env, r.budget()) })
	case *plan.Aggregate:
		return unary(r, n.Input, func(in Operator) Operator {
			return newAggregate(in, n, r.env, r.budget())
		})
	case *plan.Distinct:
		return unary(r, n.Input, func(in Operator) Operator { return newDistinct(in, typesOf(n.Columns()), r.budget()) })
	case *plan.Sort:
		return unary(r, n.Input, func(in Operator) Operator { return newSorter(in, n, r.budget()) })
	case *plan.Limit:
		return r.limit(n)
	case *plan.Recursive:
		return r.recursive(n)
	case *plan.Working:
		return r.lastRows(n)
	case *plan.Union:
		u := &union{}
		for _, p := range n.Parts {
			op, err := r.build(p)
			if err != nil {
				u.Close()
				return nil, err
			}
			u.parts = append(u.parts, op)
		}
		return u, nil
	}
	return nil, fmt.Errorf("no operator for %T", n)
}

func unary(r *run, input plan.Node, wrap func(Operator) Operator) (Operator, error) {
	in, err := r.build(input)
	if err != nil {
		return nil, err
	}
	return wrap(in), nil
}

// timed counts rows and time.
type timed struct {
	op Operator
	st *Stats
}

func (t *timed) Next(ctx context.Context) (*value.Batch, error) {
	start := time.Now()
	b, err := t.op.Next(ctx)
	t.st.Time += time.Since(start)
	if b != nil {
		t.st.Rows += int64(b.N)
	}
	return b, err
}

func (t *timed) Close() error { return t.op.Close() }

// one yields a single row without columns.
type one struct {
	done bool
	row  value.Batch
}

func (o *one) Next(context.Context) (*value.Batch, error) {
	if o.done {
		return nil, nil
	}
	o.done = true
	o.row.N = 1
	return &o.row, nil
}

func (o *one) Close() error { return nil }

// drain reads all rows of an operator, at most limit (0 for all), and closes it.
func drain(ctx context.Context, op Operator, limit int) ([][]value.Value, error) {
	return drainWithin(ctx, op, limit, nil)
}

// drainWithin is drain with rows that count against a memory while they are read.
func drainWithin(ctx context.Context, op Operator, limit int, memory *expr.Memory) ([][]value.Value, error) {
	held := expr.Held{Of: memory}
	defer held.Release()
	defer op.Close()
	var rows [][]value.Value
	for {
		b, err := op.Next(ctx)
		if err != nil || b == nil {
			return rows, err
		}
		if limit == 0 || b.N <= limit {
			if err := held.Take(expr.ValuesBytes(b.Cols, b.N)); err != nil {
				return nil, err
			}
		}
		for i := range b.N {
			if limit > 0 && len(rows) >= limit {
				return rows, nil
			}
			rows = append(rows, b.Row(make([]value.Value, 0, len(b.Cols)), i))
		}
	}
}
