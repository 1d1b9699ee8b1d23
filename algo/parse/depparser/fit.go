package depparser

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"time"

	"parlance/algo/checkpoint"
	"parlance/algo/kind"
	"parlance/algo/numeric/optimize"
	"parlance/algo/parse/tree"
	"parlance/algo/text"
	"parlance/storage/guard"
)

// Streams of random numbers.
const (
	streamPruner = 1 + iota
	streamParser
	streamLabels
)

// pruner's settings: few epochs, for it is to keep arcs, not to choose among them.
const (
	prunerEpochs = 3
	prunerRate   = 0.02
	prunerBits   = 20
	prunerLeast  = 0.01
)

// Train learns the pruner and then the parser; labels, which are learned one by one, meanwhile.
func (m *model) Train(ctx context.Context, t *kind.Training) error {
	known, err := m.known(t.Resources)
	if err != nil {
		return err
	}
	b, err := m.read(ctx, t.On, known)
	if err != nil {
		return err
	}
	if m.opt.labels != noLabels && len(b.labels) > 1<<m.labelBits() {
		return fmt.Errorf("%d relations exceed the table of their weights: bits must be greater", len(b.labels))
	}
	m.often = known.often
	b.notice(t)
	p := m.empty()
	if p.decisions != nil {
		p.decisions.learn(b.items)
	}
	t, workers := inTurn(t), max(1, t.Workers)
	keep := checkpoint.NewKeeper(t)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	labels := m.startLabels(ctx, t, b, workers)
	defer func() { cancel(); _, _ = labels() }() // no goroutine is left
	if m.opt.prune > 0 && p.factorization != tree.Arc {
		if p.pruner, err = m.prunerOf(ctx, t, b, workers); err != nil {
			return err
		}
	}
	if b, err = b.narrow(t, p.factorization.Types()); err != nil {
		return err
	}
	p.scorer = newScorer(m.set(), p.factorization.Types(), m.opt.bits)
	if m.opt.labels == together {
		m.labeler = newJointLabeler(b, m.set())
		p.labeler, p.sums, p.scorer.labels = m.labeler, m.opt.objective == logLinear, newTable(m.labelBits())
	}
	p.scorer.more = m.opt.sources()
	f := &fitting{m: m, labels: labels, t: t, p: p, start: time.Now(), keep: keep}
	return f.fit(ctx, b.items, workers)
}

// inTurn lets one goroutine report at a time.
func inTurn(t *kind.Training) *kind.Training {
	out := *t
	var turn sync.Mutex
	out.Report = func(p kind.Progress) {
		turn.Lock()
		defer turn.Unlock()
		t.Report(p)
	}
	return &out
}

// startLabels learns labels, in a goroutine if there are workers for it, and returns what waits for
// them.
func (m *model) startLabels(ctx context.Context, t *kind.Training, b *bank, workers int) func() (*labeler, error) {
	switch {
	case m.opt.labels != secondStage:
		return func() (*labeler, error) { return m.labeler, nil }
	case t.Resume != nil:
		return sync.OnceValues(func() (*labeler, error) { return decodeLabeler(t.Resume, m.set(), false) })
	case workers == 1:
		return sync.OnceValues(func() (*labeler, error) { return m.fitLabels(ctx, t, b) })
	}
	done := make(chan struct{})
	var l *labeler
	var err error
	go func() {
		defer close(done)
		defer guard.Recover(&err, "learning relations")
		l, err = m.fitLabels(ctx, t, b)
	}()
	return func() (*labeler, error) {
		<-done
		return l, err
	}
}

func (m *model) set() features {
	set := standard
	if m.opt.features == leanSet {
		set = lean
	}
	if m.opt.clusters != "" {
		set = set.withClusters(len(m.opt.prefixes))
		if m.opt.picks() {
			set = set.onlyFrequent()
		}
	}
	return set
}

func (p *parser) workers(n int) []*worker {
	var ws []*worker
	for range n {
		ws = append(ws, p.worker())
	}
	return ws
}

// fitPruner learns a log-linear parser of arcs.
func (m *model) fitPruner(ctx context.Context, t *kind.Training, b *bank, p *parser, workers int) error {
	start := time.Now()
	ws, l := p.workers(workers), newLearner(p.scorer)
	rng := rand.New(rand.NewPCG(t.Seed, streamPruner))
	for e := 1; e <= prunerEpochs; e++ {
		rate := prunerRate / math.Sqrt(float64(e))
		loss, _, err := p.epoch(ctx, b.items, likelihood{prunerLeast}, l, func(*gradient, float64) float64 { return rate },
			rng, ws)
		if err != nil {
			return err
		}
		t.Report(kind.Progress{Step: e, Of: prunerEpochs, Objective: loss, HeldOut: math.NaN(),
			Seconds: time.Since(start).Seconds(), Note: "pruner"})
	}
	p.scorer.average(l.steps)
	p.settle()
	return nil
}

// narrowArcs leaves the arcs that the pruner keeps with the items.
func (m *model) narrowArcs(ctx context.Context, t *kind.Training, b *bank, p *parser, workers int) error {
	ws := p.workers(workers)
	each(ws, len(b.items), func(w *worker, i int) {
		if ctx.Err() == nil {
			b.items[i].keep = w.prune(ctx, &b.items[i].sentence, m.opt.prune, nil)
		}
	})
	if err := ctx.Err(); err != nil {
		return err
	}
	arcs, gold, tokens := kept(b.items)
	if m.opt.objective == logLinear || m.opt.optimizer == "eg" { // the gold tree must be one of those that are summed
		for _, it := range b.items {
			for t := 1; t <= it.n; t++ {
				it.keep[int(it.heads[t])*(it.n+1)+t] = true
			}
		}
	}
	t.Notice(fmt.Sprintf("%.1f arcs a token are left, %.2f %% of the gold ones among them", float64(arcs)/float64(tokens),
		100*float64(gold)/float64(tokens)))
	return nil
}

func (m *model) fitLabels(ctx context.Context, t *kind.Training, b *bank) (*labeler, error) {
	start := time.Now()
	l := newLabeler(b.labels, m.set(), m.labelBits())
	for _, it := range b.items {
		l.observe(it)
	}
	x, steps := labelling{l: l}, 0.0
	rng := rand.New(rand.NewPCG(t.Seed, streamLabels))
	for e := 1; e <= labelEpochs; e++ {
		wrong, err := x.learn(ctx, b.items, labelC, rng, &steps)
		if err != nil {
			return nil, err
		}
		t.Report(kind.Progress{Step: e, Of: labelEpochs, Objective: float64(wrong), HeldOut: math.NaN(),
			Seconds: time.Since(start).Seconds(), Note: "labels"})
	}
	l.table.average(steps)
	l.table.settle()
	return l, nil
}

// labelBits is the size of the table of labels: there are more features than of heads, but a parser of
// arcs is to be small.
func (m *model) labelBits() int {
	if m.factorization() == tree.Arc {
		return m.opt.bits
	}
	return m.opt.bits + 1
}

// Settings of the labels.
const (
	labelEpochs = 5
	labelC      = 0.02
)

// fit learns epoch after epoch, from the checkpoint on if there is one; with VALIDATE the best one is kept.
func (f *fitting) fit(ctx context.Context, items []*item, workers int) error {
	ws := f.p.workers(workers)
	f.best.New = func() kind.Model { return &model{opt: f.m.opt} }
	f.state = checkpoint.State{}.With("epoch", checkpoint.Value(&f.epoch)).With("best", &f.best)
	if f.m.opt.optimizer == "lbfgs" {
		return f.batch(ctx, items, ws)
	}
	f.l = newLearner(f.p.scorer)
	if f.m.opt.minCount > 1 {
		if err := f.l.drop(ctx, ws[0], items, f.m.opt.minCount); err != nil {
			return err
		}
	}
	source := rand.NewPCG(f.t.Seed, streamParser)
	f.begin(source)
	next, err := f.epochs(ctx, items, ws, rand.New(source))
	if err != nil {
		return err
	}
	return f.run(ctx, next)
}

// pass goes over the sentences once and returns an objective and what else there is to tell.
type pass func(ctx context.Context, epoch int) (value float64, note string, err error)

// epochs returns what goes over the sentences once, and sets the state to the checkpoint.
func (f *fitting) epochs(ctx context.Context, items []*item, ws []*worker, rng *rand.Rand) (pass, error) {
	var d *gradientDual
	if f.m.opt.optimizer == "eg" {
		d = newDual(1/f.m.opt.l2, egStart, f.m.opt.objective == maxMargin, len(items))
		f.state = append(f.state, d.state()...)
	}
	switch {
	case f.t.Resume != nil:
		if err := f.state.Read(f.t.Resume); err != nil {
			return nil, err
		}
	case d != nil:
		if err := d.start(ctx, ws[0], items, f.l); err != nil {
			return nil, err
		}
	}
	if d == nil {
		return f.online(items, ws, rng), nil
	}
	return func(ctx context.Context, _ int) (float64, string, error) {
		v, err := d.epoch(ctx, ws[0], items, f.l, rng)
		return v, "dual objective", err
	}, nil
}

// run goes over the sentences until the epochs are done or patience is at its end.
func (f *fitting) run(ctx context.Context, next pass) error {
	for {
		if err := f.checkpoint(nil); err != nil {
			return err
		}
		if f.epoch == f.m.opt.epochs {
			return f.end()
		}
		e := f.epoch + 1
		value, note, err := next(ctx, e)
		if err != nil {
			return err
		}
		if !f.p.scorer.bounded() {
			return fmt.Errorf("the training diverges in epoch %d; smaller steps are wanted, by a lower rate or a larger l2", e)
		}
		more, err := f.done(ctx, kind.Progress{Step: e, Of: f.m.opt.epochs, Objective: value, Note: note})
		if err != nil {
			return err
		}
		if !more {
			return f.end()
		}
	}
}

// egStart is the θ that gold parts begin with (Koo et al. 2007).
const egStart = 9

// fitting keeps the best model of a training.
type fitting struct {
	m      *model
	t      *kind.Training
	p      *parser
	l      *learner                 // nil for L-BFGS
	labels func() (*labeler, error) // waits for them
	start  time.Time
	epoch  int // done
	best   checkpoint.Best
	state  checkpoint.State
	keep   *checkpoint.Keeper
}

// online returns what goes over the sentences once.
func (f *fitting) online(items []*item, ws []*worker, rng *rand.Rand) pass {
	o := f.m.objective()
	return func(ctx context.Context, e int) (float64, string, error) {
		loss, wrong, err := f.p.epoch(ctx, items, o, f.l, f.m.step(e), rng, ws)
		if f.m.opt.objective == logLinear {
			return loss, "", err
		}
		return loss, text.Countf("%d {head|heads} wrong", wrong), err
	}
}

// batch runs L-BFGS.
func (f *fitting) batch(ctx context.Context, items []*item, ws []*worker) error {
	from, err := f.minimisation()
	if err == nil && f.t.Resume != nil {
		err = f.state.Read(f.t.Resume)
	}
	if err == nil && from == nil {
		err = f.checkpoint(writeMinimisation(nil))
	}
	if err != nil {
		return err
	}
	var failed error
	err = f.p.fitBatch(ctx, items, ws, from, f.m.opt.l2, f.m.opt.epochs, func(it optimize.Iteration) bool {
		more, err := f.done(ctx, kind.Progress{Step: it.Step, Of: f.m.opt.epochs, Objective: it.Objective})
		if err == nil && more {
			err = f.checkpoint(writeMinimisation(it.State))
		}
		failed = err
		return !more || err != nil
	})
	if failed != nil {
		return failed
	}
	if err != nil {
		return err
	}
	return f.end()
}

// now is the model as it stands.
func (f *fitting) now() *model {
	p := f.p.snapshot()
	if f.averages() {
		p = f.p.averaged(f.l.steps)
	}
	p.settle()
	return &model{opt: f.m.opt, labeler: f.m.labeler, often: f.m.often, parser: p}
}

// averages tells whether the weights are the means over all steps.
func (f *fitting) averages() bool { return f.l != nil && f.m.opt.optimizer != "eg" }

// done reports an epoch and tells whether to go on.
func (f *fitting) done(ctx context.Context, r kind.Progress) (bool, error) {
	r.Seconds, r.HeldOut, f.epoch = time.Since(f.start).Seconds(), math.NaN(), r.Step
	if f.t.Score == nil {
		f.t.Report(r)
		return true, nil
	}
	var err error
	if f.m.labeler, err = f.labels(); err != nil {
		return false, err
	}
	now := f.now()
	if r.HeldOut, r.Metric, err = f.t.Score(ctx, now); err != nil {
		return false, err
	}
	f.t.Report(r)
	f.best.Better(now, r.HeldOut, r.Step)
	return f.m.opt.patience == 0 || f.best.Stale < f.m.opt.patience, nil
}

// end takes the labels, and the last weights where none were chosen.
func (f *fitting) end() (err error) {
	best, ok := f.best.Model.(*model)
	if !ok {
		best = f.now()
	}
	f.m.parser = best.parser
	f.m.labeler, err = f.labels()
	return err
}

func (m *model) objective() objective {
	switch m.opt.objective {
	case logLinear:
		return likelihood{1e-3}
	case perceptron:
		return hinge{0}
	}
	if m.opt.k > 1 {
		return margins{m.opt.k, m.opt.c}
	}
	return hinge{1}
}

// step returns the length of the steps of an epoch.
func (m *model) step(epoch int) func(*gradient, float64) float64 {
	switch {
	case m.opt.objective == logLinear, m.opt.optimizer == "sgd" && m.opt.objective == maxMargin:
		rate := m.opt.rate / math.Sqrt(float64(epoch))
		return func(*gradient, float64) float64 { return rate }
	case m.opt.objective == perceptron, m.opt.k > 1:
		return func(*gradient, float64) float64 { return 1 }
	}
	c := m.opt.c
	// τ = min(C, loss / ‖Δ‖²) (Crammer et al. 2006, eq. 8)
	return func(g *gradient, norm float64) float64 { return min(c, g.loss/norm) }
}
