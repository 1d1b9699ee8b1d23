package auth

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"
)

// took returns how long a failure of an address and user takes.
func took(th *Throttle, address, user string) time.Duration {
	start := time.Now()
	th.Failed(context.Background(), address, user)
	return time.Since(start)
}

func TestDelaysGrow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var th Throttle
		want := firstDelay
		for range 12 {
			if got := took(&th, "192.0.2.1:5000", "ann"); got != want {
				t.Errorf("delayed by %s, want %s", got, want)
			}
			want = min(2*want, maxDelay)
		}
		for _, c := range []struct {
			address, user string
			want          time.Duration
		}{
			{"192.0.2.1:6000", "bob", maxDelay},  // the address is known, whatever the port
			{"192.0.2.2:5000", "ann", maxDelay},  // the user is known
			{"192.0.2.3:5000", "cy", firstDelay}, // neither is
			{"192.0.2.3:5000", "dee", 2 * firstDelay},
			{"[2001:db8::1]:1", "e", firstDelay},
			{"[2001:db8::2]:1", "f", 2 * firstDelay}, // the same network
			{"[2001:db8:1::]:1", "g", firstDelay},
			{"@", "h", firstDelay},
		} {
			if got := took(&th, c.address, c.user); got != c.want {
				t.Errorf("%s %s: delayed by %s, want %s", c.address, c.user, got, c.want)
			}
		}
		time.Sleep(forget + time.Second)
		if got := took(&th, "192.0.2.1:5000", "ann"); got != firstDelay {
			t.Errorf("after a long time delayed by %s", got)
		}
	})
}

func TestContextEndsTheDelay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var th Throttle
		for range 10 {
			took(&th, "a", "b")
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		start := time.Now()
		th.Failed(ctx, "a", "b")
		if got := time.Since(start); got != time.Millisecond {
			t.Errorf("waited %s", got)
		}
	})
}

func TestMemoryIsBounded(t *testing.T) {
	var th Throttle
	for i := range 3 * maxKept {
		th.delay("192.0.2.1:1", fmt.Sprint("user", i))
	}
	if len(th.counts) != maxKept || th.recent.Len() != maxKept {
		t.Errorf("%d and %d names are kept", len(th.counts), th.recent.Len())
	}
	if d := th.delay("192.0.2.1:1", "new"); d != maxDelay {
		t.Errorf("the address was forgotten: %s", d)
	}
}
