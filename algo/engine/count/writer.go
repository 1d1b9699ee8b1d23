package count

import (
	"context"
	"math"
	"slices"

	"parlance/storage/guard"
)

// Writer adds keys to a counter, in one goroutine. There may be as many at once as the counter has workers; one alone
// has its full buffers sorted aside.
type Writer[K Key] struct {
	c      *Counter[K]
	ctx    context.Context
	most   int // keys in the buffer
	keys   []K
	counts []uint64 // of a table
	table  map[K]uint32
	bytes  int // of a table
	closed bool
}

// Writer returns a writer, which ends by Close.
func (c *Counter[K]) Writer(ctx context.Context) *Writer[K] {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.open++
	w := &Writer[K]{c: c, ctx: ctx, most: min(c.limit/c.codec.size, math.MaxInt32)}
	if c.codec.tabled {
		w.table = map[K]uint32{}
	}
	return w
}

// Add counts a key. An error, also of another writer, stays.
func (w *Writer[K]) Add(k K) error {
	if w.table != nil {
		return w.AddN(k, 1)
	}
	if len(w.keys) == cap(w.keys) {
		if err := w.room(); err != nil {
			return err
		}
	}
	w.keys = append(w.keys, k)
	return nil
}

// room makes a buffer for the keys that are expected, doubles it as long as it may when it is full, then empties it.
func (w *Writer[K]) room() error {
	if n := len(w.keys); n < w.most {
		keys := make([]K, n, min(w.most, max(1024, 2*n, w.c.expected)))
		copy(keys, w.keys)
		w.keys = keys
		return nil
	}
	return w.flush()
}

// entryBytes is what a key takes in a table besides its text: twice the header, its slot, its count.
const entryBytes = 64

// AddN counts a key n times. Keys are strings; of others there are no tables, and it panics.
func (w *Writer[K]) AddN(k K, n uint64) error {
	if i, ok := w.table[k]; ok {
		w.counts[i] += n
		return nil
	}
	if w.bytes >= w.c.limit {
		if err := w.flush(); err != nil {
			return err
		}
	}
	k = w.c.codec.own(k)
	w.table[k] = uint32(len(w.keys))
	w.keys, w.counts = append(w.keys, k), append(w.counts, n)
	w.bytes += entryBytes + w.c.codec.length(k)
	return nil
}

// flush makes a run of the buffer: aside if a slot is free, else here.
func (w *Writer[K]) flush() error {
	c := w.c
	if err := w.ctx.Err(); err != nil {
		return err
	}
	if c.codec.tabled {
		err := c.record(w.ctx, w.sorted())
		clear(w.table)
		clear(w.keys)
		w.keys, w.counts, w.bytes = w.keys[:0], w.counts[:0], 0
		return err
	}
	select {
	case c.slots <- struct{}{}:
		keys := w.keys
		w.keys = c.buffer()
		c.sorting.Go(func() {
			defer func() { <-c.slots }()
			err := guard.Call("counting", func() error {
				l := c.sort(keys)
				_ = c.record(w.ctx, l) // the counter keeps the error
				c.release(l.keys)
				return nil
			})
			if err != nil {
				_ = c.add(run[K]{}, err)
			}
		})
		return c.add(run[K]{}, nil)
	default:
		l := c.sort(w.keys)
		w.keys = l.keys[:0]
		return c.record(w.ctx, l)
	}
}

// Close adds what is left. Closing again does nothing.
func (w *Writer[K]) Close() error {
	if w.closed {
		return nil
	}
	w.closed = true
	c := w.c
	var l list[K]
	if c.codec.tabled {
		l = w.sorted()
	} else {
		l = c.sort(w.keys)
	}
	w.keys, w.counts, w.table = nil, nil, nil
	c.mu.Lock()
	c.open--
	first := len(c.tail.keys) == 0 && c.err == nil
	if first {
		c.tail = l
	}
	c.mu.Unlock()
	if first {
		return c.add(run[K]{}, w.ctx.Err())
	}
	return c.record(w.ctx, l)
}

// sorted is the table by rising key.
func (w *Writer[K]) sorted() list[K] {
	order := make([]uint32, len(w.keys))
	for i := range order {
		order[i] = uint32(i)
	}
	c := w.c.codec
	slices.SortFunc(order, func(a, b uint32) int {
		switch {
		case c.before(w.keys[a], w.keys[b]):
			return -1
		case a == b:
			return 0
		}
		return 1
	})
	l := list[K]{make([]K, len(order)), make([]uint64, len(order))}
	for i, k := range order {
		l.keys[i], l.counts[i] = w.keys[k], w.counts[k]
	}
	return l
}

// sort sorts a buffer, which then is the list or one to use again.
func (c *Counter[K]) sort(keys []K) list[K] {
	scratch := c.buffer()
	scratch = slices.Grow(scratch[:0], len(keys))[:len(keys)]
	sorted, other := c.codec.sort(keys, scratch)
	c.release(other)
	return list[K]{keys: sorted}
}

// buffer returns one that was used before, or none yet.
func (c *Counter[K]) buffer() []K {
	c.mu.Lock()
	defer c.mu.Unlock()
	if n := len(c.free); n > 0 {
		b := c.free[n-1]
		c.free = c.free[:n-1]
		return b[:0]
	}
	return nil
}

func (c *Counter[K]) release(b []K) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.free = append(c.free, b)
}

// record makes a run of a list.
func (c *Counter[K]) record(ctx context.Context, l list[K]) error {
	c.mu.Lock()
	err, to := c.err, c.spool
	c.mu.Unlock()
	if err != nil {
		return err
	}
	return c.add(record(ctx, c.codec, &listed[K]{list: l}, to, c.progress.recorded))
}
