package progress

import (
	"math"
	"sync"
	"time"

	"parlance/algo/kind"
)

// HeartbeatEvery is the longest time that a training tells nothing.
const HeartbeatEvery = 2 * time.Second

// Heartbeat tells that work goes on while its kind tells nothing itself.
type Heartbeat struct {
	Tell  func(kind.Progress)
	Every time.Duration
	Began time.Time // of the work

	mu   sync.Mutex
	last kind.Progress
	at   time.Time // when something was told last
}

// Report records what the kind reports.
func (h *Heartbeat) Report(p kind.Progress) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.last, h.at = p, time.Now()
}

// Start begins to tell. The function that it returns ends that, and returns when nothing is told any more.
func (h *Heartbeat) Start() (stop func()) {
	over, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		tick := time.NewTicker(h.Every)
		defer tick.Stop()
		for {
			select {
			case <-over:
				return
			case <-tick.C:
				h.beat()
			}
		}
	}()
	return func() { close(over); <-done }
}

// beat tells the last progress again with the time, if nothing was told for a while.
func (h *Heartbeat) beat() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if time.Since(h.at) < h.Every {
		return
	}
	p := h.last
	if h.at.IsZero() { // the kind has told nothing yet
		p.Objective, p.HeldOut = math.NaN(), math.NaN()
	}
	p.Aside, p.Seconds, p.Note = true, time.Since(h.Began).Seconds(), "under way"
	h.Tell(p)
}
