// Package checkpoint keeps what a training needs to go on from where it was interrupted: the state of a
// learner, part by part, and the best model so far.
package checkpoint

import (
	"time"

	"parlance/algo/kind"
)

// Checkpoints come this far apart: seldom enough that they cost no more than a twentieth of the time, but
// where one takes seconds. They change no result.
const (
	leastEvery = time.Second
	mostEvery  = time.Minute
	saveShare  = 20
)

// Keeper keeps the checkpoints of a training when it is time for one.
type Keeper struct {
	t     *kind.Training
	saved time.Time
	every time.Duration
}

// NewKeeper begins to count the time.
func NewKeeper(t *kind.Training) *Keeper {
	k := &Keeper{t: t, saved: time.Now(), every: t.SaveEvery}
	if k.every == 0 {
		k.every = leastEvery
	}
	return k
}

// Due tells whether it is time for a checkpoint.
func (k *Keeper) Due() bool { return k.t.Save != nil && time.Since(k.saved) >= k.every }

// Save keeps a checkpoint if it is due, and sets the time until the next by what it took.
func (k *Keeper) Save(write func(*kind.Writer) error) error {
	if !k.Due() {
		return nil
	}
	start := time.Now()
	if err := k.t.Save(write); err != nil {
		return err
	}
	k.saved = time.Now()
	if k.t.SaveEvery == 0 {
		k.every = min(mostEvery, max(leastEvery, saveShare*k.saved.Sub(start)))
	}
	return nil
}
