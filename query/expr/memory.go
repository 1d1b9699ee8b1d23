package expr

import (
	"errors"
	"sync/atomic"

	"parlance/storage/value"
)

// ErrMemory is that a statement would hold more than statement_memory allows.
var ErrMemory = errors.New("the statement needs more memory than statement_memory allows")

// Memory counts the bytes that a statement holds and cannot write to files, in a pool too. A nil Memory has no bound.
type Memory struct {
	Limit int64
	Pool  *Pool
	held  atomic.Int64
}

// Take counts n more bytes; ErrMemory or ErrPool if they are too many.
func (m *Memory) Take(n int) error {
	if m == nil {
		return nil
	}
	held, exceeded := m.held.Add(int64(n)), m.Pool.add(int64(n))
	switch {
	case held > m.Limit:
		return ErrMemory
	case exceeded && held > guaranteedBytes:
		return ErrPool
	}
	return nil
}

// ReleaseAll gives all back to the pool, at the end of the statement.
func (m *Memory) ReleaseAll() { m.Pool.add(-m.held.Swap(0)) }

// Release takes n bytes back.
func (m *Memory) Release(n int) {
	if m != nil {
		m.held.Add(-int64(n))
		m.Pool.add(-int64(n))
	}
}

// fits tells whether n more bytes would be few enough.
func (m *Memory) fits(n int) bool {
	return m == nil || m.held.Load()+int64(n) <= m.Limit && m.Pool.fits(n)
}

// exceeded is why n more bytes do not fit.
func (m *Memory) exceeded(n int) error {
	if m.held.Load()+int64(n) <= m.Limit {
		return ErrPool
	}
	return ErrMemory
}

// Reservation is what one holder has taken of a Memory.
type Reservation struct {
	Of    *Memory
	bytes int
}

// Take counts n more bytes; ErrMemory or ErrPool if they are too many.
func (h *Reservation) Take(n int) error {
	h.bytes += n
	return h.Of.Take(n)
}

// Release gives all back.
func (h *Reservation) Release() {
	h.Of.Release(h.bytes)
	h.bytes = 0
}

// rowOverhead is about what a row takes besides its texts, cellBytes what a value of it does.
const (
	rowOverhead   = 24
	valueOverhead = 32
)

// RowsBytes is about what rows take.
func RowsBytes(rows [][]value.Value) int {
	n := 0
	for _, r := range rows {
		n += rowOverhead + valueOverhead*len(r)
		for i := range r {
			n += len(r[i].S)
		}
	}
	return n
}

// ValuesBytes is about what the rows of n values of columns take.
func ValuesBytes(cols []value.Vec, n int) int {
	bytes := (rowOverhead + valueOverhead*len(cols)) * n
	for c := range cols {
		bytes += cols[c].TextBytes(n)
	}
	return bytes
}
