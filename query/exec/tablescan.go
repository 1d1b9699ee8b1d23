package exec

import (
	"context"
	"slices"

	"parlance/query/operator"
	"parlance/query/plan"
	"parlance/storage/guard"
	"parlance/storage/value"
)

// tableScan yields the rows of a table. A goroutine reads one batch ahead.
type tableScan struct {
	batches chan *value.Batch
	errs    chan error
	cancel  context.CancelFunc
	start   func(context.Context)
}

// Table makes the operator that reads a table; one that needs no columns only counts rows.
func (r *Execution) Table(n *plan.Table) (operator.Operator, error) {
	if !slices.Contains(n.Need, true) {
		return operator.NewCountScan(n, r.Snapshot.TableCount(n.Object)), nil
	}
	t := &tableScan{batches: make(chan *value.Batch), errs: make(chan error, 1)}
	t.start = func(ctx context.Context) {
		ctx, t.cancel = context.WithCancel(ctx)
		go func() {
			t.errs <- r.ScanTable(ctx, n, func(_ []uint64, b *value.Batch) error {
				select {
				case t.batches <- b:
					return nil
				case <-ctx.Done():
					return ctx.Err()
				}
			})
			close(t.batches)
		}()
	}
	return t, nil
}

// ScanTable gives the rows that a node needs to emit: those of its lookup keys, those that an index finds by its
// conditions, else all. They may not meet all conditions yet.
func (r *Execution) ScanTable(ctx context.Context, n *plan.Table, emit func([]uint64, *value.Batch) error) (err error) {
	defer guard.Recover(&err, "reading "+n.Object.Name)
	if keys, ok := r.lookupKeys[n]; ok {
		if ok, err := r.emitLookupRows(ctx, n, keys, emit); err != nil || ok {
			return err
		}
	}
	if u := n.Index(); u != nil {
		ranges, ok, err := r.keyRanges(n.Object, u)
		if err != nil {
			return err
		}
		if ok {
			ok, err = r.Snapshot.LookupRows(ctx, n.Object, u.Columns, ranges, n.Need, emit)
		}
		if err != nil || ok {
			return err
		}
	}
	return r.Snapshot.ScanTable(ctx, n.Object, n.Need, emit)
}

func (t *tableScan) Next(ctx context.Context) (*value.Batch, error) {
	if t.cancel == nil {
		t.start(ctx)
	}
	select {
	case b, ok := <-t.batches:
		if ok {
			return b, nil
		}
		err := <-t.errs
		t.errs <- err
		return nil, err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Close stops the scan and waits until it has ended.
func (t *tableScan) Close() error {
	if t.cancel == nil {
		return nil
	}
	t.cancel()
	for range t.batches {
	}
	return nil
}
