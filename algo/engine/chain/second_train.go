package chain

import (
	"context"
	"fmt"
	"io"

	"parlance/algo/numeric/buffer"
	"parlance/algo/numeric/optimize"
	"parlance/algo/numeric/parallel"
)

// SecondProgress is the state of a training of second order after an iteration. Model may be called
// until the report returns.
type SecondProgress struct {
	Step, Of  int
	Objective float64
	trainer   *secondTrainer
	state     *optimize.State
}

// Checkpoint writes what Options.Resume needs to go on as if never interrupted.
func (p SecondProgress) Checkpoint(w io.Writer) error { return p.state.Encode(w) }

// Model returns the model as it stands.
func (p SecondProgress) Model() (*Second, error) { return p.trainer.model(p.state.X) }

// secondTrainer minimises Σ −log p(y|x) + ½·L2·|w|² over w: states of the layout, pairs, triples.
type secondTrainer struct {
	opt      Options
	data     *Data
	layout   *layout // pairs are its transitions
	pairs    *pairs
	pairAt   []uint32 // by transition between states: the pair weight
	tripleAt []int32  // by transition between states: the triple weight, −1 without
	triples  []Triple
	observed []float64
	shards   []*secondShard
	trans    *transitions
	weight   []float64 // of transitions between states
	scale    []float64 // as in trainer
	w        []float64
}

type secondShard struct {
	first, last int
	lattice     lattice
	scores      []float64
	grad        []float64
	scaled      []float64 // expected transitions without e^w
	plain       []float64 // with it
	loss        float64
}

// TrainSecond fits the weights of second order. possible are the pairs of labels that can be, those
// of the data among them, and Start with each first label. Without AllTransitions only triples in the
// data have a weight. L1 is not for it; with Initial it begins there. WarmStart scales the variables of
// L-BFGS alone.
func TrainSecond(ctx context.Context, d *Data, possible []Pair, opt Options,
	report func(SecondProgress) bool) (*Second, Summary, error) {
	if err := d.Check(); err != nil {
		return nil, Summary{}, err
	}
	if err := opt.check(); err != nil {
		return nil, Summary{}, err
	}
	if opt.L1 > 0 {
		return nil, Summary{}, fmt.Errorf("%w: L1 is for order 1", ErrInvalid)
	}
	if d.Tokens() == 0 {
		return nil, Summary{}, fmt.Errorf("%w: no tokens to train on", ErrInvalid)
	}
	t, err := newSecondTrainer(d, possible, opt)
	if err != nil {
		return nil, Summary{}, err
	}
	r, err := t.minimise(ctx, report)
	sum := Summary{r.Status, r.Objective, r.GradientNorm, r.Iterations, r.Evaluations, t.size()}
	if err != nil {
		return nil, sum, fmt.Errorf("train chain of second order: %w", err)
	}
	m, err := t.model(r.State.X)
	return m, sum, err
}

// minimise runs L-BFGS from the initial weights, or from a checkpoint.
func (t *secondTrainer) minimise(ctx context.Context, report func(SecondProgress) bool) (optimize.Result, error) {
	opt := t.opt
	o := &optimize.LBFGS{Memory: opt.Memory, Iterations: opt.Iterations, Epsilon: opt.Epsilon, Past: opt.Period,
		Delta: opt.Delta, Workers: opt.Workers}
	each := func(it optimize.Iteration) bool {
		return report != nil && report(SecondProgress{it.Step, opt.Iterations, it.Objective, t, it.State})
	}
	if opt.Resume == nil {
		x := make([]float64, t.size())
		copy(x, startOf(t.layout, opt.Initial))
		for i, q := range t.scale {
			x[i] /= q
		}
		return o.Minimize(ctx, x, t.scaled, each)
	}
	st, err := optimize.DecodeState(opt.Resume)
	if err != nil {
		return optimize.Result{}, err
	}
	if len(st.X) != t.size() {
		return optimize.Result{}, fmt.Errorf("%w: checkpoint has %d weights, want %d", ErrInvalid, len(st.X), t.size())
	}
	return o.Resume(ctx, st, t.scaled, each)
}

func newSecondTrainer(d *Data, possible []Pair, opt Options) (*secondTrainer, error) {
	l, err := newLayout(d, opt.AllStates, false)
	if err != nil {
		return nil, err
	}
	p, err := newPairs(d.Labels, possible)
	if err != nil {
		return nil, err
	}
	t := &secondTrainer{opt: opt, data: d, layout: l, pairs: p}
	states := l.states()
	l.from, l.to, l.observed = nil, nil, l.observed[:states:states]
	at := make([]uint32, len(p.list))
	for i, x := range p.list {
		if x.From != Start {
			at[i] = uint32(l.size())
			l.from, l.to, l.observed = append(l.from, x.From), append(l.to, x.To), append(l.observed, 0)
		}
	}
	seen := make([]bool, len(p.from))
	t.trans = newTransitions(len(p.list), p.from, p.to)
	t.trans.closed = true
	if err := t.count(func(q, k int) {
		if q >= 0 {
			seen[q] = true
		}
		if p.list[k].From != Start {
			l.observed[at[k]]++
		}
	}); err != nil {
		return nil, err
	}
	t.list(at, seen)
	t.observed = append(append([]float64(nil), l.observed...), make([]float64, len(t.triples))...)
	_ = t.count(func(q, _ int) {
		if q >= 0 && t.tripleAt[q] >= 0 {
			t.observed[t.tripleAt[q]]++
		}
	})
	t.cut()
	if opt.WarmStart {
		t.precondition()
	}
	return t, nil
}

// precondition scales the variables.
func (t *secondTrainer) precondition() {
	t.scale, t.w = preconditioner(t.layout, t.opt.L2), make([]float64, t.size())
	count := map[[2]uint16]float64{}
	for k, from := range t.layout.from {
		count[[2]uint16{from, t.layout.to[k]}] = t.layout.observed[t.layout.states()+k]
	}
	for i, x := range t.triples {
		t.scale = append(t.scale, precondition(t.opt.L2, t.observed[t.layout.size()+i], count[[2]uint16{x.Before, x.From}]))
	}
}

// scaled is the objective in the variables of L-BFGS.
func (t *secondTrainer) scaled(ctx context.Context, v, grad []float64) (float64, error) {
	if t.scale == nil {
		return t.evaluate(ctx, v, grad)
	}
	for i, q := range t.scale {
		t.w[i] = q * v[i]
	}
	f, err := t.evaluate(ctx, t.w, grad)
	for i, q := range t.scale {
		grad[i] *= q
	}
	return f, err
}

// list numbers the weights of the transitions between states.
func (t *secondTrainer) list(at []uint32, seen []bool) {
	p := t.pairs
	t.weight = make([]float64, len(p.from))
	for q := range p.from {
		a, b := p.list[p.from[q]], p.list[p.to[q]]
		t.pairAt = append(t.pairAt, at[p.to[q]])
		if a.From == Start || !seen[q] && !t.opt.AllTransitions {
			t.tripleAt = append(t.tripleAt, -1)
			continue
		}
		t.tripleAt = append(t.tripleAt, int32(t.layout.size()+len(t.triples)))
		t.triples = append(t.triples, Triple{Before: a.From, From: a.To, To: b.To})
	}
}

// count calls each for every token of the data: with the transition into its state, −1 at the start,
// and the state.
func (t *secondTrainer) count(each func(transition, state int)) error {
	var states []uint16
	for i := range t.data.Sequences() {
		gold := t.data.Gold[t.data.Offsets[i]:t.data.Offsets[i+1]]
		var ok bool
		if states, ok = t.pairs.states(states[:0], gold); !ok {
			return fmt.Errorf("%w: sequence %d has neighbouring labels that are not possible", ErrInvalid, i)
		}
		for n, s := range states {
			q := -1
			if n > 0 {
				q = t.trans.index(int(states[n-1]), int(s))
			}
			each(q, int(s))
		}
	}
	return nil
}

func (t *secondTrainer) size() int { return t.layout.size() + len(t.triples) }

// cut makes shards; how many depends on the data alone.
func (t *secondTrainer) cut() {
	count := min(max(t.data.Tokens()/shardTokens, 1), shardsAtMost)
	first := 0
	for k := 1; k <= count; k++ {
		want := uint32(uint64(t.data.Tokens()) * uint64(k) / uint64(count))
		last := first
		for last < t.data.Sequences() && (t.data.Offsets[last+1] <= want || k == count) {
			last++
		}
		t.shards = append(t.shards, &secondShard{first: first, last: last, grad: make([]float64, t.layout.states()),
			scaled: make([]float64, len(t.pairs.from)), plain: make([]float64, len(t.pairs.from))})
		first = last
	}
}

// evaluate returns the objective at w and sets grad.
func (t *secondTrainer) evaluate(ctx context.Context, w, grad []float64) (float64, error) {
	for q, at := range t.pairAt {
		t.weight[q] = w[at]
		if k := t.tripleAt[q]; k >= 0 {
			t.weight[q] += w[k]
		}
	}
	t.trans.set(t.weight)
	value := 0.0
	for f, v := range w {
		grad[f] = t.opt.L2*v - t.observed[f]
		value += v * (0.5*t.opt.L2*v - t.observed[f])
	}
	err := parallel.Reduce(ctx, t.opt.Workers, len(t.shards), func(_, i int) error {
		return t.shards[i].evaluate(ctx, t, w)
	}, func(i int) {
		s := t.shards[i]
		value += s.loss
		for f, g := range s.grad {
			grad[f] += g
		}
		for q, e := range s.scaled {
			e = e*t.trans.factor[q] + s.plain[q]
			grad[t.pairAt[q]] += e
			if k := t.tripleAt[q]; k >= 0 {
				grad[k] += e
			}
		}
	})
	return value, err
}

// evaluate sets loss, gradient and expected transitions of a shard.
func (s *secondShard) evaluate(ctx context.Context, t *secondTrainer, w []float64) error {
	clear(s.grad)
	clear(s.scaled)
	clear(s.plain)
	s.loss = 0
	labels, states := t.layout.labels, len(t.pairs.list)
	marginals := make([]float64, labels)
	for i := s.first; i < s.last; i++ {
		if i&15 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		seq, l := t.data.Sequence(i), &s.lattice
		if seq.Len() == 0 {
			continue
		}
		s.scores = buffer.Resize(s.scores, seq.Len()*labels)
		t.layout.score(seq, w, s.scores)
		l.resize(states, seq.Len())
		t.pairs.expand(s.scores, l.scores, seq.Len())
		s.loss += l.run(t.trans)
		for n := range l.n {
			if n > 0 {
				l.addTransitions(t.trans, n, s.scaled, s.plain)
			}
			clear(marginals)
			for k, x := range t.pairs.list {
				marginals[x.To] += l.marginal(n, k)
			}
			s.addStates(t.layout, seq, n, marginals)
		}
	}
	return nil
}

// addStates adds the expected features of a token.
func (s *secondShard) addStates(l *layout, seq Sequence, n int, marginals []float64) {
	for p := seq.AttrOffsets[n]; p < seq.AttrOffsets[n+1]; p++ {
		a, v := seq.Attrs[p], 1.0
		if seq.Values != nil {
			v = float64(seq.Values[p])
		}
		lo, hi := l.attrStart[a], l.attrStart[a+1]
		g := s.grad[lo:hi]
		for q, y := range l.pairLabel[lo:hi] {
			g[q] += v * marginals[y]
		}
	}
}

// model makes a model of weights.
func (t *secondTrainer) model(w []float64) (*Second, error) {
	w = append([]float64(nil), w...)
	for i, q := range t.scale {
		w[i] *= q
	}
	n := t.layout.size()
	triples := append([]Triple(nil), t.triples...)
	kept := triples[:0]
	for i, x := range triples {
		if x.Weight = w[n+i]; x.Weight != 0 {
			kept = append(kept, x)
		}
	}
	return modelOf(t.layout, w[:n:n]).Second(t.pairs.list, kept)
}

// Possible returns the pairs of neighbouring labels that the data has, or all, as far as rules allow
// them; nil rules allow all. What the data has is always among them, and so is the most frequent
// label after itself and at the start: any sequence has a labelling.
func (d *Data) Possible(all bool, rules *Constraints) []Pair {
	seen := map[Pair]bool{}
	count := make([]int, d.Labels)
	for i := range d.Sequences() {
		last := uint16(Start)
		for _, y := range d.Gold[d.Offsets[i]:d.Offsets[i+1]] {
			seen[Pair{last, y}] = true
			count[y]++
			last = y
		}
	}
	most := -1
	for y, n := range count {
		free := rules == nil || rules.AllowedStart(y) && rules.AllowedEnd(y) && rules.Allowed(y, y)
		if free && (most < 0 || n > count[most]) {
			most = y
		}
	}
	most = max(most, 0)
	seen[Pair{Start, uint16(most)}], seen[Pair{uint16(most), uint16(most)}] = true, true
	var out []Pair
	for from := range d.Labels + 1 {
		for to := range d.Labels {
			p := Pair{uint16(from), uint16(to)}
			allowed := rules == nil
			if from == d.Labels {
				p.From = Start
				allowed = allowed || rules.AllowedStart(to)
			} else {
				allowed = allowed || rules.Allowed(from, to)
			}
			if seen[p] || all && allowed {
				out = append(out, p)
			}
		}
	}
	return out
}
