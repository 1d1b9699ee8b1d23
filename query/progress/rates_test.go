package progress

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"parlance/algo/kind"
)

// TestRates tells rate and time left of a stage by its own steps, and only after some of them.
func TestRates(t *testing.T) {
	var r Rates
	for _, c := range []struct {
		step, of             int
		seconds, rate, total float64
	}{
		{1, 100, 60, 0, 0},    // a minute of preparation is no step
		{2, 100, 62, 0, 0},    // too soon
		{4, 100, 66, 0, 0},    // 6 s, 3 % of the steps
		{6, 100, 70, .5, 188}, // 5 steps in 10 s
		{51, 100, 95, 50. / 35, 34.3},
		{100, 100, 130, 99. / 70, 0},
		{1, 20, 140, 0, 0}, // the next stage
		{2, 20, 144, 0, 0},
		{3, 20, 148, .25, 68},
		{1, 20, 150, 0, 0}, // and one with as many steps
		{1, 0, 151, 0, 0},  // of which nobody knows how many
		{1001, 0, 161, 100, 0},
		{2000, 0, 3, 0, 0}, // the next statement
	} {
		p := r.Add(kind.Progress{Step: c.step, Of: c.of, Seconds: c.seconds})
		if p.Rate-c.rate > .01 || c.rate-p.Rate > .01 || p.Left-c.total > .1 || c.total-p.Left > .1 {
			t.Errorf("step %d of %d at %g s: %g steps/s, %g s left; want %g, %g",
				c.step, c.of, c.seconds, p.Rate, p.Left, c.rate, c.total)
		}
	}
}

// TestShare tells the time left by the share of the work that is done, where there is one.
func TestShare(t *testing.T) {
	var r Rates
	for _, c := range []struct{ share, seconds, left float64 }{
		{0.01, 1, 0}, {0.05, 4, 0}, {0.21, 6, 5 * 0.79 / 0.2}, {0.51, 11, 9.8}, {1, 21, 0},
	} {
		p := r.Add(kind.Progress{Step: int(1e5 * c.share), Share: c.share, Seconds: c.seconds})
		if p.Left-c.left > .01 || c.left-p.Left > .01 {
			t.Errorf("%g %% at %g s: %g s left, want %g", 100*c.share, c.seconds, p.Left, c.left)
		}
	}
}

// TestCount tells what has been read with its share, not before a second has passed.
func TestCount(t *testing.T) { synctest.Test(t, testCount) }

func testCount(t *testing.T) {
	var got []kind.Progress
	count := Count(func(p kind.Progress) { got = append(got, p) }, "rows", func() float64 { return 0.25 })
	count(10)
	if len(got) != 0 {
		t.Errorf("told at once: %v", got)
	}
	time.Sleep(1050 * time.Millisecond)
	count(5)
	count(5)
	if len(got) != 1 || got[0].Step != 15 || got[0].Share != 0.25 || !got[0].Aside || got[0].Note != "rows read" {
		t.Errorf("after a second: %+v", got)
	}
	if s := got[0].String(); !strings.HasPrefix(s, "step 15  25 %  1.") {
		t.Errorf("as a line: %s", s)
	}
}
