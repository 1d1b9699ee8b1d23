package operator

import (
	"parlance/query/expr"
	"parlance/storage/value"
)

// ordinaryBatch bounds batches of results that are handed out however much others hold.
const ordinaryBatch = 4 << 20

// CountBatch counts a batch that is handed out, in place of the one before.
func CountBatch(s *expr.Share, b *value.Batch) error {
	if n := b.Bytes(); !s.Set(n) && n > ordinaryBatch {
		return expr.ErrPool
	}
	return nil
}

// Budget is what an operator may hold before it writes rows to files: work_memory, or what the statements of
// the process leave of memory_limit.
type Budget struct {
	most   int
	share  expr.Share
	short  bool // of memory_limit
	forced bool // rows that files cannot divide must fit
}

// NewBudget returns one of so many bytes, which counts against a pool.
func NewBudget(most int, pool *expr.Pool) *Budget {
	return &Budget{most: most, share: expr.Share{Of: pool}}
}

// again returns one for an operator that takes a part of the rows.
func (b *Budget) again() *Budget { return &Budget{most: b.most, share: expr.Share{Of: b.share.Of}} }

// Exceeded notes what the operator holds and reports whether that is too much.
func (b *Budget) Exceeded(bytes int) bool {
	b.short = !b.share.Set(bytes)
	return b.short || bytes > b.most && !b.forced
}

// Err is why rows that must fit do not.
func (b *Budget) Err() error {
	if b.short {
		return expr.ErrPool
	}
	return ErrMemory
}

// Release gives back what is held.
func (b *Budget) Release() {
	if b != nil {
		b.share.Set(0)
	}
}
