package operator

import (
	"context"
	"sync"
	"time"

	"parlance/query/expr"
	"parlance/query/fn"
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

// Analysis is the counts of the nodes of a plan. Subselects may run in the goroutine of a scan.
type Analysis struct {
	mu     sync.Mutex
	ByNode map[plan.Node]*Stats
}

// Of returns the counts of a node; nil where nothing is counted.
func (a *Analysis) Of(n plan.Node) *Stats {
	if a == nil {
		return nil
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	st := a.ByNode[n]
	if st == nil {
		st = &Stats{}
		a.ByNode[n] = st
	}
	return st
}

// timed counts rows and time.
type timed struct {
	op Operator
	st *Stats
}

// NewTimed returns op, counting its rows and time in st.
func NewTimed(op Operator, st *Stats) Operator { return &timed{op, st} }

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

// oneRow yields a single row without columns.
type oneRow struct {
	done bool
	row  value.Batch
}

// NewOneRow returns one row without columns.
func NewOneRow() Operator { return &oneRow{} }

func (o *oneRow) Next(context.Context) (*value.Batch, error) {
	if o.done {
		return nil, nil
	}
	o.done = true
	o.row.N = 1
	return &o.row, nil
}

func (o *oneRow) Close() error { return nil }

// Drain reads all rows of an operator, at most limit (0 for all), and closes it.
func Drain(ctx context.Context, op Operator, limit int) ([][]value.Value, error) {
	return DrainWithin(ctx, op, limit, nil)
}

// DrainWithin is Drain with rows that count against memory while they are read.
func DrainWithin(ctx context.Context, op Operator, limit int, memory *expr.Memory) ([][]value.Value, error) {
	held := expr.Reservation{Of: memory}
	defer held.Release()
	defer op.Close()
	var rows [][]value.Value
	for {
		b, err := op.Next(ctx)
		if err != nil || b == nil {
			return rows, err
		}
		if limit == 0 || b.N <= limit {
			if err := held.Take(expr.ValuesBytes(b.Cols, b.N) + b.N*(fn.Grown(rowHeader)-rowHeader)); err != nil {
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

// TypesOf returns the types of columns.
func TypesOf(cols []plan.Column) []value.Type {
	types := make([]value.Type, len(cols))
	for i, c := range cols {
		types[i] = c.Type
	}
	return types
}
