package exec

import (
	"math"
	"sync"
	"time"

	"parlance/algo/kind"
)

// Of the work of a stage, rate and time left are told after stageSeconds and stageShare of it: before, they are a guess.
const (
	stageSeconds = 5
	stageShare   = 0.05
)

// Stages adds to progress how fast its stage goes and what is left of it. A stage begins where the number of steps is
// another one, or where they or the time begin again. It is used by one goroutine at a time.
type Stages struct {
	first, last kind.Progress // of the stage
}

// Add returns progress with rate and time left, where they mean something.
func (s *Stages) Add(p kind.Progress) kind.Progress {
	if s.last.Seconds == 0 || p.Of != s.last.Of || p.Step < s.last.Step || p.Seconds < s.last.Seconds {
		s.first = p
	}
	s.last = p
	steps, seconds := float64(p.Step-s.first.Step), p.Seconds-s.first.Seconds
	if steps > 0 && seconds >= stageSeconds && steps >= stageShare*float64(p.Of) {
		p.Rate = steps / seconds
		p.Left = max(0, float64(p.Of-p.Step)/p.Rate)
	}
	return p
}

// lifeEvery is the longest time without a sign of a training.
const lifeEvery = 2 * time.Second

// life tells that work goes on where it tells nothing itself.
type life struct {
	tell  func(kind.Progress)
	every time.Duration
	began time.Time

	mu   sync.Mutex
	last kind.Progress
	at   time.Time // of the last sign
}

// told notes what was told.
func (l *life) told(p kind.Progress) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.last, l.at = p, time.Now()
}

// watch gives signs until the function that it returns has returned.
func (l *life) watch() (stop func()) {
	over, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		tick := time.NewTicker(l.every)
		defer tick.Stop()
		for {
			select {
			case <-over:
				return
			case <-tick.C:
				l.sign()
			}
		}
	}()
	return func() { close(over); <-done }
}

// sign repeats the last progress with the time, where nothing was told for a while.
func (l *life) sign() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if time.Since(l.at) < l.every {
		return
	}
	p := l.last
	p.Aside, p.Seconds, p.Note = true, time.Since(l.began).Seconds(), "under way"
	l.tell(p)
}

// counted returns what notes that so many more of what a LOAD reads are there, and tells it once a second.
func (r *Execution) counted(what string) func(n int) {
	total, began, last := 0, time.Now(), time.Now()
	return func(n int) {
		if total += n; time.Since(last) < time.Second {
			return
		}
		last = time.Now()
		r.Session.Progress(kind.Progress{Step: total, Objective: math.NaN(), Aside: true, Seconds: last.Sub(began).Seconds(), Note: what + " read"})
	}
}
