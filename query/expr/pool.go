package expr

import (
	"errors"
	"runtime"
	"sync/atomic"
)

// ErrPool is returned if all statements together would hold more than memory_limit allows.
var ErrPool = errors.New("all statements together need more memory than memory_limit allows")

// guaranteedBytes is what a statement may hold even if the pool is exhausted, so that small statements go on.
const guaranteedBytes = 1 << 20

// guaranteedColumn is the size that the texts of a column being computed may have even if the pool is exhausted.
const guaranteedColumn = 4 << 20

// Pool counts the bytes that the statements of a process hold. A nil Pool has no limit.
//
// The garbage collector lets the heap grow to about twice of what is in use. So that the process does not exceed the
// limit by that, the pool collects garbage once more than half of it is held: each time a sixteenth of the limit was
// taken.
type Pool struct {
	most, held atomic.Int64
	taken      atomic.Int64 // since garbage was collected
	collecting atomic.Bool
}

// Limit sets the limit.
func (p *Pool) Limit(bytes int64) { p.most.Store(bytes) }

// Held returns the bytes that are held now.
func (p *Pool) Held() int64 { return p.held.Load() }

// add counts n more bytes, or takes some back, and reports whether the pool is exceeded.
func (p *Pool) add(n int64) bool {
	if p == nil {
		return false
	}
	held, most := p.held.Add(n), p.most.Load()
	if n > 0 && p.taken.Add(n) > max(most/16, leastCollected) && held > most/2 &&
		p.collecting.CompareAndSwap(false, true) {
		runtime.GC()
		p.taken.Store(0)
		p.collecting.Store(false)
	}
	return held > most
}

// leastCollected is how much is taken at least before garbage is collected.
const leastCollected = 1 << 20

// fits reports whether a column being computed may take n more bytes.
func (p *Pool) fits(n int) bool {
	return p == nil || n <= guaranteedColumn || p.held.Load()+int64(n) <= p.most.Load()
}

// Share is the part of a Pool that one operator holds.
type Share struct {
	Of   *Pool
	held int
}

// Set replaces the bytes that the operator holds by n. It returns false if n is more than guaranteedBytes and the pool
// is exhausted.
func (s *Share) Set(n int) bool {
	exceeded := s.Of.add(int64(n - s.held))
	s.held = n
	return n <= guaranteedBytes || !exceeded
}
