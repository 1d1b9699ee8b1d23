package expr

import (
	"errors"
	"sync/atomic"

	"parlance/storage/value"
)

// ErrMemory is returned if a statement would hold more than statement_memory allows.
var ErrMemory = errors.New("the statement needs more memory than statement_memory allows")

// Memory counts the bytes that a statement holds and cannot write to temporary files. They count in a Pool, too. A nil
// Memory has no limit.
type Memory struct {
	Limit int64
	Pool  *Pool
	held  atomic.Int64
}

// Take counts n more bytes. It returns ErrMemory or ErrPool if they are too many.
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

// ReleaseAll gives all bytes back to the pool, at the end of the statement.
func (m *Memory) ReleaseAll() { m.Pool.add(-m.held.Swap(0)) }

// Release counts n bytes less.
func (m *Memory) Release(n int) {
	if m != nil {
		m.held.Add(-int64(n))
		m.Pool.add(-int64(n))
	}
}

// fits reports whether n more bytes would be within the limits.
func (m *Memory) fits(n int) bool {
	return m == nil || m.held.Load()+int64(n) <= m.Limit && m.Pool.fits(n)
}

// exceeded returns the error of n more bytes that do not fit.
func (m *Memory) exceeded(n int) error {
	if m.held.Load()+int64(n) <= m.Limit {
		return ErrPool
	}
	return ErrMemory
}

// Reservation is the part of a Memory that one operator has taken.
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

// rowOverhead is about the size of a row without its values, valueOverhead that of a value without its text.
const (
	rowOverhead   = 24
	valueOverhead = 32
)

// RowsBytes estimates the memory of rows.
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

// ValuesBytes estimates the memory of n rows of values of some columns.
func ValuesBytes(cols []value.Vec, n int) int {
	bytes := (rowOverhead + valueOverhead*len(cols)) * n
	for c := range cols {
		bytes += cols[c].TextBytes(n)
	}
	return bytes
}
