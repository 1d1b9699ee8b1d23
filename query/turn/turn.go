// Package turn has statements of clients compute in turns when there are many, so that those of administrators, which
// never wait for a turn, find a free processor soon. Loops over data ask Err where they would ask their context.
package turn

import (
	"container/list"
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

const (
	slice = 20 * time.Millisecond  // how long a turn lasts when others wait
	lease = 200 * time.Millisecond // after its end, until a statement that no longer asks has lost its turn
	// perProcessor is how many statements compute at once for each processor. The next goroutine that becomes ready
	// waits for at most as many time slices of Go's scheduler, 10 ms each.
	perProcessor = 2
)

// Queue is where statements wait for their turn, in order. Statements that have not computed yet go before others, but
// for every fourth turn. The zero value is ready.
type Queue struct {
	mu      sync.Mutex
	holders list.List    // of *Slot
	waiting [2]list.List // of *Slot: those that begin, and others
	given   int
	tight   atomic.Bool // somebody waits
}

// Slot is the turn of one statement, whose goroutines share it.
type Slot struct {
	q      *Queue
	end    atomic.Int64 // of the turn, in nanoseconds since the start of the process; 0 without a turn
	used   bool         // has had a turn
	at     *list.Element
	in     *list.List
	ready  chan struct{} // closed when it gets its turn
	closed bool
}

// NewSlot returns the slot of a statement, to be closed when that ends.
func (q *Queue) NewSlot() *Slot { return &Slot{q: q} }

type key struct{}

// With returns a context under which a statement computes in turns.
func With(ctx context.Context, s *Slot) context.Context { return context.WithValue(ctx, key{}, s) }

// Err waits for the turn of the statement of the context, if it takes turns, and returns the error of the context.
func Err(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if s, ok := ctx.Value(key{}).(*Slot); ok {
		s.take(ctx)
	}
	return ctx.Err()
}

var start = time.Now()

func now() int64 { return int64(time.Since(start)) + 1 }

// take waits until the statement has its turn. It goes on with the one that it has while nobody else waits.
func (s *Slot) take(ctx context.Context) {
	if end := s.end.Load(); end != 0 && (end > now() || !s.q.tight.Load()) {
		if end <= now() {
			s.end.CompareAndSwap(end, now()+int64(slice))
		}
		return
	}
	ready := s.ask()
	if ready == nil {
		return
	}
	look := time.NewTicker(lease / 4)
	defer look.Stop()
	for {
		select {
		case <-ready:
			return
		case <-ctx.Done():
			return
		case <-look.C:
			s.q.reclaim()
		}
	}
}

// ask gives the slot a turn and returns nil, or puts it into the queue and returns what is closed when it has one.
func (s *Slot) ask() <-chan struct{} {
	q := s.q
	q.mu.Lock()
	defer q.mu.Unlock()
	switch {
	case s.closed:
		return nil
	case s.in == &q.holders && s.end.Load() > now():
		return nil // another goroutine of the statement got it
	case s.in == &q.holders:
		s.leave()
	case s.in != nil:
		return s.ready // another goroutine of the statement waits already
	}
	if q.waiting[0].Len()+q.waiting[1].Len() == 0 && q.holders.Len() < most() {
		s.hold()
		return nil
	}
	s.ready = make(chan struct{})
	s.in = &q.waiting[0]
	if s.used {
		s.in = &q.waiting[1]
	}
	s.at = s.in.PushBack(s)
	ready := s.ready
	q.fill()
	return ready
}

func most() int { return perProcessor * runtime.GOMAXPROCS(0) }

// hold begins the turn of a slot. The queue is locked.
func (s *Slot) hold() {
	s.in, s.used = &s.q.holders, true
	s.at = s.in.PushBack(s)
	s.end.Store(now() + int64(slice))
}

// leave takes a slot off its list. The queue is locked.
func (s *Slot) leave() {
	s.in.Remove(s.at)
	s.in, s.at = nil, nil
	s.end.Store(0)
}

// fill gives free turns to those that wait. The queue is locked.
func (q *Queue) fill() {
	for q.holders.Len() < most() {
		from := &q.waiting[0]
		if q.given++; from.Len() == 0 || q.given%4 == 0 && q.waiting[1].Len() > 0 {
			from = &q.waiting[1]
		}
		first := from.Front()
		if first == nil {
			break
		}
		s := first.Value.(*Slot)
		s.leave()
		s.hold()
		close(s.ready)
	}
	q.tight.Store(q.waiting[0].Len()+q.waiting[1].Len() > 0)
}

// reclaim takes the turns of statements that have not asked for long: they wait for their client or a lock.
func (q *Queue) reclaim() {
	q.mu.Lock()
	defer q.mu.Unlock()
	var next *list.Element
	for e := q.holders.Front(); e != nil; e = next {
		next = e.Next()
		if s := e.Value.(*Slot); s.end.Load() < now()-int64(lease) {
			s.leave()
		}
	}
	q.fill()
}

// Close gives the turn back at the end of the statement.
func (s *Slot) Close() {
	q := s.q
	q.mu.Lock()
	defer q.mu.Unlock()
	s.closed = true
	if s.in == nil {
		return
	}
	if s.in != &q.holders {
		close(s.ready)
	}
	s.leave()
	q.fill()
}
