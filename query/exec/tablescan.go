package exec

import (
	"context"
	"errors"
	"slices"

	"parlance/query/operator"
	"parlance/query/plan"
	"parlance/storage/guard"
	"parlance/storage/value"
)

// tableScan yields the rows of a table. A goroutine reads one batch ahead, but where an index finds few rows: starting
// it costs more than they do.
type tableScan struct {
	batches chan *value.Batch
	errs    chan error
	cancel  context.CancelFunc
	start   func(context.Context)
	few     func(context.Context) ([]*value.Batch, error) // nil where rows may be many; errMany if they are
	found   []*value.Batch                                // by few, not yet yielded
	asked   bool                                          // few has answered
}

// fewRows is how many rows are read at once by who asks for them.
const fewRows = 128

var errMany = errors.New("more than a few rows")

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
	if u := n.Index(); u != nil && u.LooksUp() {
		t.few = func(ctx context.Context) (found []*value.Batch, err error) {
			defer guard.Recover(&err, "reading "+n.Object.Name)
			if _, ok := r.lookupKeys[n]; ok {
				return nil, errMany
			}
			rows := 0
			err = r.scanBy(ctx, n, u, func(_ []uint64, b *value.Batch) error {
				if rows += b.N; rows > fewRows {
					return errMany
				}
				found = append(found, b)
				return nil
			})
			return found, err
		}
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
	return r.scanBy(ctx, n, n.Index(), emit)
}

// scanBy gives the rows that an index finds, all rows if it is nil.
func (r *Execution) scanBy(ctx context.Context, n *plan.Table, u *plan.IndexUse,
	emit func([]uint64, *value.Batch) error) error {
	if u != nil {
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
	if b, err := t.nextOfFew(ctx); b != nil || err != nil || t.few != nil {
		return b, err
	}
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

// nextOfFew yields the rows that are read at once. Where they turn out to be many, it leaves all to the goroutine.
func (t *tableScan) nextOfFew(ctx context.Context) (*value.Batch, error) {
	if t.few != nil && !t.asked {
		var err error
		switch t.found, err = t.few(ctx); {
		case errors.Is(err, errMany):
			t.few, t.found = nil, nil
		case err != nil:
			return nil, err
		}
		t.asked = true
	}
	if len(t.found) == 0 {
		return nil, nil
	}
	b := t.found[0]
	t.found = t.found[1:]
	return b, nil
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
