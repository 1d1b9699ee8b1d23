package progress

import "parlance/algo/kind"

// A rate means something only after some time and some part of the work of a stage: before, it is a guess.
const (
	leastSeconds = 5
	leastShare   = 0.05
)

// Rates adds to progress how fast its stage goes and how long the rest of it takes. A stage begins where the number of
// steps is another one, or where steps or time begin again. It is used by one goroutine at a time.
type Rates struct {
	first, last kind.Progress // of the stage
}

// Add returns progress with rate and time left, where they mean something.
func (r *Rates) Add(p kind.Progress) kind.Progress {
	if r.last.Seconds == 0 || p.Of != r.last.Of || p.Step < r.last.Step || p.Seconds < r.last.Seconds {
		r.first = p
	}
	r.last = p
	steps, seconds := float64(p.Step-r.first.Step), p.Seconds-r.first.Seconds
	if steps > 0 && seconds >= leastSeconds && steps >= leastShare*float64(p.Of) {
		p.Rate = steps / seconds
		p.Left = max(0, float64(p.Of-p.Step)/p.Rate)
	}
	return p
}
