package auth

import (
	"container/list"
	"context"
	"crypto/sha256"
	"net/netip"
	"sync"
	"time"
)

// Bounds of a Throttle.
const (
	firstDelay = 100 * time.Millisecond // after the first failure; doubles with each
	maxDelay   = 10 * time.Second
	forget     = 10 * time.Minute // without a failure, until the count starts again
	maxKept    = 4096             // addresses and users that are remembered
)

// Throttle delays the answers to failed logins, longer with each failure of an address or a user. Successful logins are
// never delayed, so nobody can lock a user out. The zero
// value is ready; it is safe for concurrent use.
type Throttle struct {
	mu     sync.Mutex
	counts map[[sha256.Size]byte]*list.Element
	recent list.List // of *failures, the latest failure first
}

// failures are those of one address or user.
type failures struct {
	key  [sha256.Size]byte
	n    int
	last time.Time
}

// Failed counts a failed login and waits for its delay, or until the context ends.
func (t *Throttle) Failed(ctx context.Context, address, user string) {
	wait := time.NewTimer(t.delay(address, user))
	defer wait.Stop()
	select {
	case <-wait.C:
	case <-ctx.Done():
	}
}

// delay counts a failure and returns its delay.
func (t *Throttle) delay(address, user string) time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := time.Now()
	n := max(t.count("address "+network(address), now), t.count("user "+user, now))
	for len(t.counts) > maxKept {
		oldest := t.recent.Back()
		delete(t.counts, oldest.Value.(*failures).key)
		t.recent.Remove(oldest)
	}
	return min(maxDelay, firstDelay<<min(n-1, 20))
}

// count adds a failure to those of a name and returns their number.
func (t *Throttle) count(name string, now time.Time) int {
	key := sha256.Sum256([]byte(name)) // names are as long as clients like
	e, ok := t.counts[key]
	if !ok {
		if t.counts == nil {
			t.counts = map[[sha256.Size]byte]*list.Element{}
		}
		e = t.recent.PushFront(&failures{key: key})
		t.counts[key] = e
	}
	f := e.Value.(*failures)
	if now.Sub(f.last) > forget {
		f.n = 0
	}
	f.n++
	f.last = now
	t.recent.MoveToFront(e)
	return f.n
}

// network is the host of an address host:port; of IPv6, what one customer of a provider has.
func network(address string) string {
	a, err := netip.ParseAddrPort(address)
	if err != nil {
		return address
	}
	host := a.Addr().Unmap().WithZone("")
	bits := 32
	if host.Is6() {
		bits = 64
	}
	p, err := host.Prefix(bits)
	if err != nil {
		return address
	}
	return p.String()
}
