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
	maxKept    = 4096             // addresses, users and pairs of them that are remembered
	maxNames   = 32               // user names that fail from one address before it is refused for all of them
)

// Throttle slows down the guessing of passwords. A failed login is counted for its address, for its user, and for the
// pair of both when the proof of the password is checked, so it does not matter whether the client waits for the
// answer. The answer comes after a delay, longer with each failure of the address or user. Until then, the pair is
// closed: further logins of this user from this address are refused (53300), and their passwords are not even checked.
// So is every login from an address from which more than maxNames names have failed.
//
// A client that waits for its answers is delayed and never refused. A right password is never delayed, and nobody can
// lock a user out from another address. The zero value is ready; it is safe for concurrent use.
type Throttle struct {
	mu     sync.Mutex
	counts map[[sha256.Size]byte]*list.Element
	recent list.List // of *failures, the latest failure first
}

// failures are those of one address, user, or pair of them.
type failures struct {
	key    [sha256.Size]byte
	n      int
	names  int // of an address: users that failed
	last   time.Time
	closed time.Time // when it opens again
}

// Login is one login, from the client's name to the answer.
type Login struct {
	t             *Throttle
	address, user string
	delay         time.Duration // of the answer
}

// Login begins a login of a user from an address host:port, or refuses it.
func (t *Throttle) Login(address, user string) (*Login, error) {
	l := &Login{t: t, address: network(address), user: user}
	t.mu.Lock()
	defer t.mu.Unlock()
	return l, l.refused(time.Now())
}

// Try checks a password, which takes no time, by the function. An error of it is counted as a failure before anybody
// else may try, so guesses at the same time are no faster than others.
func (l *Login) Try(check func() error) error {
	t := l.t
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := l.refused(time.Now()); err != nil {
		return err
	}
	err := check()
	if err != nil {
		l.count(time.Now())
	}
	return err
}

// Wait delays the answer to a login that has failed, or returns when the context ends.
func (l *Login) Wait(ctx context.Context) {
	wait := time.NewTimer(l.delay)
	defer wait.Stop()
	select {
	case <-wait.C:
	case <-ctx.Done():
	}
}

// The keys under which failures are counted.
func (l *Login) ofAddress() [sha256.Size]byte { return key("address", l.address) }
func (l *Login) ofUser() [sha256.Size]byte    { return key("user", l.user) }
func (l *Login) ofPair() [sha256.Size]byte    { return key("pair", l.address+" "+l.user) }

// key hashes a name, for clients choose how long it is.
func key(what, name string) [sha256.Size]byte { return sha256.Sum256([]byte(what + " " + name)) }

// refused is the error of a login whose pair or address is closed.
func (l *Login) refused(now time.Time) error {
	for _, k := range [][sha256.Size]byte{l.ofPair(), l.ofAddress()} {
		if e, ok := l.t.counts[k]; ok && now.Before(e.Value.(*failures).closed) {
			return refused("53300", "wait for the answer to the last one; logins from other addresses go on",
				"too many failed logins of user %.128q from this address", l.user)
		}
	}
	return nil
}

// count counts a failure, sets its delay, and closes its pair until the delay has passed.
func (l *Login) count(now time.Time) {
	t := l.t
	address, user, pair := t.failed(l.ofAddress(), now), t.failed(l.ofUser(), now), t.failed(l.ofPair(), now)
	l.delay = delayOf(max(address.n, user.n))
	pair.closed = now.Add(l.delay)
	if pair.n == 1 {
		address.names++
	}
	if address.names > maxNames {
		address.closed = now.Add(l.delay)
	}
	for len(t.counts) > maxKept {
		oldest := t.recent.Back()
		delete(t.counts, oldest.Value.(*failures).key)
		t.recent.Remove(oldest)
	}
}

// delayOf is the delay of the nth failure.
func delayOf(n int) time.Duration { return min(maxDelay, firstDelay<<min(n-1, 20)) }

// failed adds a failure to those under a key.
func (t *Throttle) failed(key [sha256.Size]byte, now time.Time) *failures {
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
		f.n, f.names = 0, 0
	}
	f.n++
	f.last = now
	t.recent.MoveToFront(e)
	return f
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
