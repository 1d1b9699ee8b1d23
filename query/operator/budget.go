package operator

import (
	"parlance/query/expr"
	"parlance/storage/value"
)

// ordinaryBatch is the most bytes of a batch of results that is handed out even if the pool is exhausted.
const ordinaryBatch = 4 << 20

// CountBatch counts a batch of results against the pool, in place of the batch before.
func CountBatch(s *expr.Share, b *value.Batch) error {
	if n := b.Bytes(); !s.Set(n) && n > ordinaryBatch {
		return expr.ErrPool
	}
	return nil
}

// Budget is the memory that an operator may hold before it writes rows to files: work_memory, or less where all
// statements of the process together reach memory_limit.
type Budget struct {
	limit        int
	share        expr.Share
	poolExceeded bool // of memory_limit
	noSpill      bool // rows that files cannot divide must fit
}

// NewBudget returns one of n bytes, which counts against a pool.
func NewBudget(most int, pool *expr.Pool) *Budget {
	return &Budget{limit: most, share: expr.Share{Of: pool}}
}

// fresh returns an unused budget of the same size, for an operator that takes a partition of the rows.
func (b *Budget) fresh() *Budget { return &Budget{limit: b.limit, share: expr.Share{Of: b.share.Of}} }

// Exceeded notes how much the operator holds now, and reports whether that is too much.
func (b *Budget) Exceeded(bytes int) bool {
	b.poolExceeded = !b.share.Set(bytes)
	return b.poolExceeded || bytes > b.limit && !b.noSpill
}

// Err is the error for rows that must fit and do not.
func (b *Budget) Err() error {
	if b.poolExceeded {
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
