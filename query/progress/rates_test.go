package progress

import (
	"testing"

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
