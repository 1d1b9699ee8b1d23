package exec

import (
	"parlance/query/expr"
	"parlance/storage/value"
)

// ordinaryBatch bounds batches of results that are handed out however much others hold.
const ordinaryBatch = 4 << 20

// hand counts a batch that is handed out, in place of the one before.
func hand(s *expr.Share, b *value.Batch) error {
	if n := b.Bytes(); !s.Set(n) && n > ordinaryBatch {
		return expr.ErrPool
	}
	return nil
}

// budget is what an operator may hold before it writes rows to files: work_memory, or what the statements of
// the process leave of memory_limit.
type budget struct {
	most   int
	share  expr.Share
	short  bool // of memory_limit
	forced bool // rows that files cannot divide must fit
}

// newBudget returns one of so many bytes, which counts against a pool.
func newBudget(most int, pool *expr.Pool) *budget {
	return &budget{most: most, share: expr.Share{Of: pool}}
}

// again returns one for an operator that takes a part of the rows.
func (b *budget) again() *budget { return &budget{most: b.most, share: expr.Share{Of: b.share.Of}} }

// exceeded notes what the operator holds and reports whether that is too much.
func (b *budget) exceeded(bytes int) bool {
	b.short = !b.share.Set(bytes)
	return b.short || bytes > b.most && !b.forced
}

// fault is why rows that must fit do not.
func (b *budget) fault() error {
	if b.short {
		return expr.ErrPool
	}
	return ErrMemory
}

// release gives back what is held.
func (b *budget) release() {
	if b != nil {
		b.share.Set(0)
	}
}
