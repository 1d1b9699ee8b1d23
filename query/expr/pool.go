package expr

import (
	"errors"
	"sync/atomic"
)

// ErrPool is that all statements together would hold more than memory_limit allows.
var ErrPool = errors.New("all statements together need more memory than memory_limit allows")

// guaranteedBytes is what a statement may hold however much others do, so that small ones go on.
const guaranteedBytes = 1 << 20

// guaranteedColumn is how long the texts of a column under way may be however much others do.
const guaranteedColumn = 4 << 20

// Pool counts the bytes that the statements of a process hold. A nil Pool has no bound.
type Pool struct{ most, held atomic.Int64 }

// Limit sets the bound.
func (p *Pool) Limit(bytes int64) { p.most.Store(bytes) }

// Held is what is held now.
func (p *Pool) Held() int64 { return p.held.Load() }

// add counts n more bytes, or takes some back, and reports whether the pool is exceeded.
func (p *Pool) add(n int64) bool { return p != nil && p.held.Add(n) > p.most.Load() }

// fits tells whether n more bytes would be few enough for a column under way.
func (p *Pool) fits(n int) bool {
	return p == nil || n <= guaranteedColumn || p.held.Load()+int64(n) <= p.most.Load()
}

// Share is what one holder has of a Pool.
type Share struct {
	Of   *Pool
	held int
}

// Set counts n bytes in place of what the holder had; false if they are more than spared and the pool is exceeded.
func (s *Share) Set(n int) bool {
	exceeded := s.Of.add(int64(n - s.held))
	s.held = n
	return n <= guaranteedBytes || !exceeded
}
