package auth

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"parlance/db"
)

var errWrong = errors.New("wrong password")

func wrong() error { return errWrong }
func right() error { return nil }

// try is a login that ends with what the check gives.
func try(th *Throttle, address, user string, check func() error) (*Login, error) {
	l, err := th.Login(address, user)
	if err != nil {
		return l, err
	}
	return l, l.Try(check)
}

// took returns how long the answer to a wrong password takes.
func took(t *testing.T, th *Throttle, address, user string) time.Duration {
	t.Helper()
	start := time.Now()
	l, err := try(th, address, user, wrong)
	if err != errWrong {
		t.Errorf("%s %s: %v", address, user, err)
	}
	l.Wait(context.Background())
	return time.Since(start)
}

func TestDelaysGrow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var th Throttle
		want := firstDelay
		for range 12 {
			if got := took(t, &th, "192.0.2.1:5000", "ann"); got != want {
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
			if got := took(t, &th, c.address, c.user); got != c.want {
				t.Errorf("%s %s: delayed by %s, want %s", c.address, c.user, got, c.want)
			}
		}
		time.Sleep(forget + time.Second)
		if got := took(t, &th, "192.0.2.1:5000", "ann"); got != firstDelay {
			t.Errorf("after a long time delayed by %s", got)
		}
	})
}

// isRefused reports whether a login was refused for those before it.
func isRefused(err error) bool {
	var e *db.Error
	return errors.As(err, &e) && e.Code == "53300" && e.Hint != ""
}

// TestClientsThatDoNotWait guesses without waiting for answers, one after the other and at the same time.
func TestClientsThatDoNotWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var th Throttle
		guesses := 0
		for start := time.Now(); time.Since(start) < 10*time.Second; time.Sleep(5 * time.Millisecond) {
			if _, err := try(&th, "192.0.2.1:5000", "ann", wrong); err == errWrong {
				guesses++
			} else if !isRefused(err) {
				t.Fatal(err)
			}
		}
		if guesses != 7 { // at 0, 0.1, 0.3, 0.7, 1.5, 3.1 and 6.3 s
			t.Errorf("%d guesses in ten seconds", guesses)
		}
		for _, c := range []struct {
			address, user string
			want          bool
		}{
			{"192.0.2.1:7000", "ann", false}, // a right password is not even looked at
			{"192.0.2.2:7000", "ann", true},
			{"192.0.2.1:7000", "bob", true},
		} {
			start := time.Now()
			l, err := try(&th, c.address, c.user, right)
			if (err == nil) != c.want || err != nil && !isRefused(err) {
				t.Errorf("%s %s: %v", c.address, c.user, err)
			}
			if l.Wait(t.Context()); time.Since(start) != 0 {
				t.Errorf("%s %s: delayed by %s", c.address, c.user, time.Since(start))
			}
		}
	})
}

// TestGuessesAtTheSameTime has many logins begin before any password is checked.
func TestGuessesAtTheSameTime(t *testing.T) {
	var th Throttle
	var checked int // under the lock of the throttle
	var all sync.WaitGroup
	logins := make([]*Login, 50)
	for i := range logins {
		var err error
		if logins[i], err = th.Login("192.0.2.1:5000", "ann"); err != nil {
			t.Fatal(err)
		}
	}
	for _, l := range logins {
		all.Go(func() {
			_ = l.Try(func() error {
				checked++
				return errWrong
			})
		})
	}
	if all.Wait(); checked != 1 {
		t.Errorf("%d passwords are checked", checked)
	}
}

// TestManyNamesFromOneAddress tries one password for many users.
func TestManyNamesFromOneAddress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var th Throttle
		for range 3 { // a client that is wrong again and again is one name
			for i := range maxNames {
				if _, err := try(&th, "192.0.2.1:5000", fmt.Sprint("user", i), wrong); err != errWrong {
					t.Fatalf("user %d: %v", i, err)
				}
			}
			time.Sleep(maxDelay)
		}
		if _, err := try(&th, "192.0.2.1:5000", "ann", right); err != nil {
			t.Error(err)
		}
		if _, err := try(&th, "192.0.2.1:5000", "one more", wrong); err != errWrong {
			t.Error(err)
		}
		if _, err := try(&th, "192.0.2.1:5000", "ann", right); !isRefused(err) {
			t.Errorf("after %d names: %v", maxNames+1, err)
		}
		if _, err := try(&th, "192.0.2.2:5000", "ann", right); err != nil {
			t.Error(err)
		}
		time.Sleep(maxDelay)
		if _, err := try(&th, "192.0.2.1:5000", "ann", right); err != nil {
			t.Errorf("after the delay: %v", err)
		}
	})
}

func TestContextEndsTheDelay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var th Throttle
		for range 10 {
			took(t, &th, "a", "b")
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		l, err := try(&th, "a", "b", wrong)
		if err != errWrong {
			t.Fatal(err)
		}
		start := time.Now()
		l.Wait(ctx)
		if got := time.Since(start); got != time.Millisecond {
			t.Errorf("waited %s", got)
		}
	})
}

func TestMemoryIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var th Throttle
		for i := range 3 * maxKept {
			_, _ = try(&th, "192.0.2.1:1", fmt.Sprint("user", i), wrong)
			time.Sleep(maxDelay)
		}
		if len(th.counts) != maxKept || th.recent.Len() != maxKept {
			t.Errorf("%d and %d names are kept", len(th.counts), th.recent.Len())
		}
		if d := took(t, &th, "192.0.2.1:1", "new"); d != maxDelay {
			t.Errorf("the address was forgotten: %s", d)
		}
	})
}
