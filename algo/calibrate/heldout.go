package calibrate

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"

	"parlance/algo/kind"
	"parlance/algo/metrics"
	"parlance/algo/numeric/parallel"
	"parlance/algo/option"
	"parlance/algo/text"
)

// Every tenth document is held out, every second of fewer than twenty. Of many, whole runs of documents are, for
// neighbours are alike: what is held out beside its neighbours is easier than new text.
const (
	share      = 10
	smallShare = 2
	small      = 20
	run        = 5
	many       = 200
)

// temperatureRows is how many rows at least the temperature of a Tempered model is chosen by; each one that is tried
// annotates their documents again.
const temperatureRows = 2000

// mostRows bounds the rows of a curve, in whole documents.
const mostRows = 200_000

// fit calibrates the trained model, whose last progress is given; nil where nothing is held out that could be compared.
func (m *model) fit(ctx context.Context, in *kind.Training, last kind.Progress) (*fitted, error) {
	report := in.Report
	asked, held := m.Model, in.Validate
	if held == nil {
		n, err := count(ctx, in.On)
		if err != nil {
			return nil, err
		}
		if n < 2 {
			in.Notice("prob is not calibrated: that needs VALIDATE, or two documents at least")
			return nil, nil
		}
		all := fold{Input: in.On, every: share, run: 1}
		switch {
		case n < small:
			all.every = smallShare
		case n >= many:
			all.run = run
		}
		own := *in
		own.On, own.Resume, own.Save = all.rest(m.half), nil, nil
		own.Notice = func(string) {}
		own.Report = func(p kind.Progress) {
			p.Note, p.Aside = "for calibration: "+p.Note, true
			report(p)
		}
		if asked, err = m.second(ctx, &own); errors.Is(err, kind.ErrNoData) {
			in.Notice("prob is not calibrated: what is left without held-out documents is nothing to learn from")
			return nil, nil
		} else if err != nil {
			return nil, err
		}
		held = all.out()
	}
	h := &heldOut{m: m, asked: asked, in: in}
	f, err := h.fit(ctx, held)
	if err == nil && f != nil {
		report(kind.Progress{Step: last.Step, Of: last.Of, Objective: math.NaN(), HeldOut: math.NaN(),
			Note: f.summary(len(h.rows), h.docs), Aside: true})
	}
	return f, err
}

// second trains a model with the same options.
func (m *model) second(ctx context.Context, in *kind.Training) (kind.Model, error) {
	other, set := m.untrained(), &option.Set{}
	other.Options(set)
	if err := set.Restore(m.set.Values(option.Train, option.Predict, option.Run)); err != nil {
		return nil, err
	}
	return other, other.Train(ctx, in)
}

// fold is a part of an input by runs of documents: the last of every n runs is held out, the rest is the others,
// or half of all. every is even, so odd runs are never held out.
type fold struct {
	kind.Input
	every, run int
	held, half bool
}

func (f fold) out() fold { f.held = true; return f }

func (f fold) rest(half bool) fold { f.half = half; return f }

// has tells whether document i, 0-based, belongs to it.
func (f fold) has(i int) bool {
	k := i/f.run + 1
	if f.half {
		return k%2 == 1
	}
	return (k%f.every == 0) == f.held
}

// Documents yields those of the fold.
func (f fold) Documents(ctx context.Context) iter.Seq2[*text.Document, error] {
	return func(yield func(*text.Document, error) bool) {
		i := 0
		for d, err := range f.Input.Documents(ctx) {
			if i++; err == nil && !f.has(i-1) {
				continue
			}
			if !yield(d, err) {
				return
			}
		}
	}
}

// Count estimates the documents of the fold.
func (f fold) Count() int {
	n := f.Input.Count()
	switch {
	case f.half:
		return (n + 1) / 2
	case f.held:
		return n / f.every
	}
	return n - n/f.every
}

func count(ctx context.Context, in kind.Input) (n int, err error) {
	for _, err := range in.Documents(ctx) {
		if err != nil {
			return 0, err
		}
		if n++; n >= many {
			break
		}
	}
	return n, nil
}

// heldOut compares a model with gold on documents that it did not learn from.
type heldOut struct {
	m     *model
	asked kind.Model
	in    *kind.Training
	rows  []row
	docs  int
}

// fit chooses the temperature, then fits the curve.
func (h *heldOut) fit(ctx context.Context, held kind.Input) (*fitted, error) {
	f := &fitted{Temperature: 1}
	t, tempered := h.asked.(Tempered)
	if tempered {
		if err := h.temper(ctx, held, t, f); err != nil {
			return nil, err
		}
	}
	if err := h.read(ctx, held, mostRows); err != nil {
		return nil, err
	}
	if len(h.rows) == 0 {
		h.in.Notice("prob is not calibrated: there is no prediction on held-out documents to compare with gold")
		return nil, nil
	}
	method := h.m.chosen()
	if method == byTemper && !tempered {
		lnT, err := lowest(func(x float64) (float64, error) {
			return logLoss(h.rows, func(p float64) float64 { return soften(p, math.Exp(x)) }), ctx.Err()
		})
		if err != nil {
			return nil, err
		}
		f.Temperature = math.Exp(lnT)
	}
	if method == byIsotonic {
		c := isotonic(h.rows)
		f.Curve = &c
	}
	return f, nil
}

// temper leaves the model asked at the temperature of the least loss.
func (h *heldOut) temper(ctx context.Context, held kind.Input, t Tempered, f *fitted) error {
	lnT, err := lowest(func(x float64) (float64, error) {
		if err := t.Temper(math.Exp(x)); err != nil {
			return 0, err
		}
		err := h.read(ctx, held, temperatureRows)
		return logLoss(h.rows, func(p float64) float64 { return p }), err
	})
	if err != nil {
		return err
	}
	f.Temperature = math.Exp(lnT)
	return t.Temper(f.Temperature)
}

// read annotates documents until there are n rows.
func (h *heldOut) read(ctx context.Context, held kind.Input, most int) error {
	h.rows, h.docs = h.rows[:0], 0
	const atOnce = 8
	var batch []*text.Document
	for d, err := range held.Documents(ctx) {
		if err != nil {
			return err
		}
		if batch = append(batch, d); len(batch) < atOnce {
			continue
		}
		if err := h.compare(ctx, batch); err != nil {
			return err
		}
		if batch = batch[:0]; len(h.rows) >= most {
			return nil
		}
	}
	return h.compare(ctx, batch)
}

// compare annotates documents, each by one worker, and appends their rows in order.
func (h *heldOut) compare(ctx context.Context, docs []*text.Document) error {
	found := make([][]row, len(docs))
	err := parallel.Reduce(ctx, h.in.Workers, len(docs), func(_, i int) (err error) {
		found[i], err = h.document(ctx, docs[i])
		return err
	}, func(i int) { h.rows = append(h.rows, found[i]...) })
	if err != nil {
		return err
	}
	h.docs += len(docs)
	return nil
}

// document compares the rows of one document that have prob and gold.
func (h *heldOut) document(ctx context.Context, gold *text.Document) (rows []row, err error) {
	defer func() {
		if x := recover(); x != nil {
			err = fmt.Errorf("calibration: annotation of document %s failed: %v", gold.ID, x)
		}
	}()
	view := *gold
	use, _ := learned(h.m.Model.Schema())
	r := &kind.Run{Resources: h.in.Resources, Workers: 1, Wanted: []string{use.Layer}, Prob: true,
		Report: func(kind.Progress) {}}
	if err := h.asked.Annotate(ctx, []*text.Document{&view}, r); err != nil {
		return nil, err
	}
	l := view.Layer(use.Layer)
	if l == nil || l == gold.Layer(use.Layer) {
		return nil, nil
	}
	verdicts, err := metrics.Verdicts(l.Def, use.Columns, gold, &view)
	if err != nil {
		return nil, err
	}
	for i, v := range verdicts {
		if v != metrics.Unjudged && i < len(l.Prob) && !math.IsNaN(l.Prob[i]) {
			rows = append(rows, row{l.Prob[i], v == metrics.Correct})
		}
	}
	return slices.Clip(rows), nil
}
