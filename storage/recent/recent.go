// Package recent keeps what was used lately, in bounded memory.
package recent

import "sync"

// Map keeps values until others that were used later need their room. Two generations stand for
// recency: when the young one is full it becomes the old one, and what is found in the old one
// moves to the young one. It is not safe for concurrent use; the zero Map keeps nothing.
type Map[K comparable, V any] struct {
	Limit int         // of the costs of both generations together
	Cost  func(V) int // of a value; nil for 1

	young, old map[K]V
	used       int // by the young ones
}

// Get returns a value and makes it a young one.
func (m *Map[K, V]) Get(k K) (V, bool) {
	if v, ok := m.young[k]; ok {
		return v, true
	}
	v, ok := m.old[k]
	if ok {
		m.Put(k, v)
	}
	return v, ok
}

// Put keeps a value, in place of one that k had. A value that costs more than half the limit is
// not kept.
func (m *Map[K, V]) Put(k K, v V) {
	c := m.cost(v)
	if c > m.Limit/2 {
		return
	}
	if was, ok := m.young[k]; ok {
		m.used -= m.cost(was)
	}
	if m.young == nil || m.used+c > m.Limit/2 {
		m.old, m.young, m.used = m.young, map[K]V{}, 0
	}
	m.young[k] = v
	m.used += c
}

func (m *Map[K, V]) cost(v V) int {
	if m.Cost == nil {
		return 1
	}
	return m.Cost(v)
}

// DeleteFunc forgets the values for which f is true.
func (m *Map[K, V]) DeleteFunc(f func(K, V) bool) {
	for k, v := range m.young {
		if f(k, v) {
			m.used -= m.cost(v)
			delete(m.young, k)
		}
	}
	for k, v := range m.old {
		if f(k, v) {
			delete(m.old, k)
		}
	}
}

// Each calls f once for every key that is kept, in no order.
func (m *Map[K, V]) Each(f func(K, V)) {
	for k, v := range m.young {
		f(k, v)
	}
	for k, v := range m.old {
		if _, ok := m.young[k]; !ok {
			f(k, v)
		}
	}
}

// Shared is a Map for several goroutines.
type Shared[K comparable, V any] struct {
	mu   sync.Mutex
	kept Map[K, V]
}

// NewShared returns a map that keeps values of a limit of costs together.
func NewShared[K comparable, V any](limit int, cost func(V) int) *Shared[K, V] {
	return &Shared[K, V]{kept: Map[K, V]{Limit: limit, Cost: cost}}
}

// Get returns a value and makes it a young one.
func (s *Shared[K, V]) Get(k K) (V, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.kept.Get(k)
}

// Put keeps a value as Map.Put does.
func (s *Shared[K, V]) Put(k K, v V) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.kept.Put(k, v)
}

// Drop forgets the values of the keys for which f is true.
func (s *Shared[K, V]) Drop(f func(K) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.kept.DeleteFunc(func(k K, _ V) bool { return f(k) })
}
