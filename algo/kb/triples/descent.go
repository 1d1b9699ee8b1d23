package triples

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"parlance/algo/checkpoint"
	"parlance/algo/kind"
	"parlance/algo/option"
)

// Descent runs the epochs of a training that changes its parameters in place. With VALIDATE it scores
// them every few epochs, stops when that brought nothing so often, and leaves the best.
type Descent struct {
	Epochs   int
	Every    int // epochs between scores of what is held out
	Patience int // scores without a better one before it stops
	Params   [][]float64
}

// Options declares the options, with the defaults of epochs and of epochs between scores.
func (d *Descent) Options(s *option.Set, epochs, every int) {
	s.Int(&d.Epochs, "epochs", epochs, 1, math.MaxInt32, "passes over the facts, at most")
	s.Int(&d.Every, "validate_every", every, 1, math.MaxInt32,
		"epochs between scores on the data of VALIDATE").Validating()
	s.Int(&d.Patience, "patience", 3, 1, math.MaxInt32,
		"stop after this many scores without a better one; the parameters of the best are kept").Validating()
}

// progress is what a checkpoint says besides the parameters.
type progress struct {
	Epoch int // done
	Best  int // epoch of the best score, 0 for none
	Score float64
}

// descent is a Descent on its way.
type descent struct {
	Descent
	progress
	best  [][]float64
	t     *kind.Training
	start time.Time
	keep  *checkpoint.Keeper
}

// Run calls epoch for every number from 1, with the objective of the epoch as its result. Where an
// epoch depends on its number and the parameters only, a training that goes on from a checkpoint
// ends in the same parameters. The model is what t.Score scores.
func (d Descent) Run(ctx context.Context, t *kind.Training, m kind.Model,
	epoch func(ctx context.Context, n int) (objective float64, err error)) error {
	run := &descent{Descent: d, t: t, start: time.Now(), keep: checkpoint.NewKeeper(t)}
	if t.Resume != nil {
		if err := run.resume(t.Resume); err != nil {
			return err
		}
	}
	for run.Epoch < d.Epochs && !run.stale() {
		objective, err := epoch(ctx, run.Epoch+1)
		if err != nil {
			return err
		}
		run.Epoch++
		if err := run.scored(ctx, m, objective); err != nil {
			return err
		}
		if err := run.save(); err != nil {
			return err
		}
	}
	if run.Best > 0 {
		run.restore()
		t.Notice(fmt.Sprintf("the parameters of epoch %d are kept, with the best score on the data of VALIDATE, %.4f",
			run.Best, run.Score))
	}
	return nil
}

// stale reports whether patience is at its end.
func (d *descent) stale() bool { return d.Best > 0 && d.Epoch-d.Best >= d.Every*d.Patience }

// scored reports an epoch, with a score if it is time for one.
func (d *descent) scored(ctx context.Context, m kind.Model, objective float64) error {
	p := kind.Progress{Step: d.Epoch, Of: d.Epochs, Objective: objective, HeldOut: math.NaN()}
	if d.t.Score != nil && (d.Epoch%d.Every == 0 || d.Epoch == d.Epochs) {
		var err error
		if p.HeldOut, p.Metric, err = d.t.Score(ctx, m); err != nil {
			return err
		}
		if d.Best == 0 || p.HeldOut > d.Score {
			d.Best, d.Score, d.best = d.Epoch, p.HeldOut, nil
			for _, v := range d.Params {
				d.best = append(d.best, slices.Clone(v))
			}
		}
	}
	p.Seconds = time.Since(d.start).Seconds()
	d.t.Report(p)
	return nil
}

func (d *descent) restore() {
	for i, v := range d.best {
		copy(d.Params[i], v)
	}
}

// save keeps a checkpoint when it is time.
func (d *descent) save() error {
	return d.keep.Save(func(w *kind.Writer) error {
		if err := w.JSON("progress", d.progress); err != nil {
			return err
		}
		for i, v := range slices.Concat(d.Params, d.best) {
			if err := w.Float64s(fmt.Sprintf("parameters%d", i), v); err != nil {
				return err
			}
		}
		return nil
	})
}

func (d *descent) resume(r *kind.Reader) error {
	if err := r.JSON("progress", &d.progress); err != nil {
		return err
	}
	read := func(i, size int) ([]float64, error) {
		name := fmt.Sprintf("parameters%d", i)
		v, err := r.Float64s(name)
		if err == nil && len(v) != size {
			err = kind.Corrupt(name, "its length is that of another training")
		}
		return v, err
	}
	n := len(d.Params)
	for i, p := range d.Params {
		v, err := read(i, len(p))
		if err != nil {
			return err
		}
		copy(p, v)
		if d.Best == 0 {
			continue
		}
		if v, err = read(n+i, len(p)); err != nil {
			return err
		}
		d.best = append(d.best, v)
	}
	return nil
}
