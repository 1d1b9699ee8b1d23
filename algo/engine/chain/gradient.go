package chain

import (
	"context"
	"math"
	"math/rand/v2"
)

const (
	sampleSize = 1000 // sequences that calibrate the first step
	leastRate  = 1.0 / 128
	rates      = 10
)

// gradient is descent on Σ −log p(y|x) + ½·L2·|w|² with steps
//
//	η_k = η_0 / (1 + η_0·λ·k),  λ = L2 / sequences
//
// (Bottou 2010). The weights are the mean since the last epoch whose number is a power of two.
type gradient struct {
	t       *trainer
	o       Online
	penalty float64
}

// newTrainerOnline prepares gradients of single sequences.
func newTrainerOnline(d *Data, l *layout, o Online) *trainer {
	k := &worker{expect: make([]float64, len(l.from)), plain: make([]float64, len(l.from))}
	t := &trainer{opt: Options{L2: o.L2, Seed: o.Seed}, data: d, layout: l, obj: &objective{workers: []*worker{k}}}
	t.sgd = newAverager(startOf(l, o.Initial), l)
	return t
}

func newGradient(ctx context.Context, d *Data, l *layout, o Online) (*gradient, error) {
	g := &gradient{t: newTrainerOnline(d, l, o), o: o}
	g.penalty = o.L2 / float64(max(1, len(o.order(d, 0))))
	if g.t.sgd.first = o.Rate; o.Rate > 0 || o.Restore != nil {
		return g, nil
	}
	rate, err := g.t.calibrate(ctx, o, g.penalty)
	g.t.sgd.first = rate
	return g, err
}

func (g *gradient) pass(ctx context.Context, epoch int) (Pass, error) {
	s := g.t.sgd
	if epoch&(epoch-1) == 0 && epoch > 0 {
		s.restart()
	}
	order := g.o.order(g.t.data, epoch)
	loss, err := g.t.descend(ctx, order, g.penalty)
	var norm float64
	for _, v := range s.v {
		norm += v * v
	}
	return Pass{Updates: len(order), Objective: loss + 0.5*g.o.L2*norm*s.scale*s.scale}, err
}

func (g *gradient) state() LearnerState { return g.t.sgd.state() }

func (g *gradient) restored() {}

func (s *averager) state() LearnerState {
	numbers := []*float64{&s.scale, &s.total, &s.count, &s.steps, &s.first}
	return LearnerState{Numbers: numbers, Vectors: [][]float64{s.v, s.u}}
}

func (g *gradient) model() *Model { return modelOf(g.t.layout, g.t.sgd.weights()) }

// calibrate returns the first step, a power of two, whose epoch over a sample ends with the
// smallest objective on it.
func (t *trainer) calibrate(ctx context.Context, o Online, penalty float64) (float64, error) {
	sample := o.order(t.data, 0)
	rng := rand.New(rand.NewPCG(o.Seed, math.MaxUint64))
	rng.Shuffle(len(sample), func(i, j int) { sample[i], sample[j] = sample[j], sample[i] })
	sample = sample[:min(sampleSize, len(sample))]
	start := t.sgd.v
	best, least := leastRate, math.Inf(1)
	for k := range rates {
		rate := leastRate * float64(int(1)<<k)
		t.sgd = newAverager(append([]float64(nil), start...), t.layout)
		t.sgd.first = rate
		if _, err := t.descend(ctx, sample, penalty); err != nil {
			return 0, err
		}
		loss := 0.0
		for n, i := range sample {
			if n&63 == 0 && ctx.Err() != nil {
				return 0, ctx.Err()
			}
			loss += t.step(int(i), 0)
		}
		for _, v := range t.sgd.v {
			loss += 0.5 * penalty * float64(len(sample)) * v * v * t.sgd.scale * t.sgd.scale
		}
		if loss < least {
			best, least = rate, loss
		}
	}
	t.sgd = newAverager(start, t.layout)
	return best, nil
}

// gradientL1 is descent on Σ −log p(y|x) + L1·Σ|w_i| with steps η_k = η_0·decay^(k/N). A weight that
// a sequence uses is drawn towards 0 by what it could have been drawn so far, less what it was
// (Tsuruoka, Tsujii and Ananiadou 2009):
//
//	u_k = (L1/N)·Σ_{j≤k} η_j,  w_i > 0: w_i ← max(0, w_i − (u_k + q_i)),  w_i < 0: w_i ← min(0, w_i + (u_k − q_i))
//
// with q_i the sum of what w_i was moved by such steps.
type gradientL1 struct {
	t     *trainer
	o     Online
	q     []float64
	u     float64
	steps float64
}

// rateL1 is the first step where none is given.
const rateL1 = 0.5

func newGradientL1(_ context.Context, d *Data, l *layout, o Online) (*gradientL1, error) {
	if o.Rate == 0 {
		o.Rate = rateL1
	}
	return &gradientL1{t: newTrainerOnline(d, l, o), o: o, q: make([]float64, l.size())}, nil
}

func (g *gradientL1) pass(ctx context.Context, epoch int) (out Pass, err error) {
	order := g.o.order(g.t.data, epoch)
	n := float64(len(order))
	for k, i := range order {
		if k&255 == 0 && ctx.Err() != nil {
			return out, ctx.Err()
		}
		rate := g.o.Rate * math.Pow(g.o.Decay, g.steps/n)
		g.u += g.o.L1 / n * rate
		seq := g.t.data.Sequence(int(i))
		out.Objective += g.t.step(int(i), rate*damping(seq.Len()))
		g.clipSequence(seq)
		g.steps++
	}
	for _, v := range g.t.sgd.v {
		out.Objective += g.o.L1 * math.Abs(v)
	}
	out.Updates = len(order)
	return out, nil
}

func (g *gradientL1) state() LearnerState {
	s := g.t.sgd.state()
	s.Numbers, s.Vectors = append(s.Numbers, &g.u, &g.steps), append(s.Vectors, g.q)
	return s
}

func (g *gradientL1) restored() {}

// clipSequence draws the weights that a sequence uses.
func (g *gradientL1) clipSequence(seq Sequence) {
	l, v := g.t.layout, g.t.sgd.v
	if seq.Len() == 0 {
		return
	}
	for _, a := range seq.Attrs[seq.AttrOffsets[0]:seq.AttrOffsets[seq.Len()]] {
		for f := l.attrStart[a]; f < l.attrStart[a+1]; f++ {
			w := g.clip(v[f], g.q[f])
			g.q[f] += w - v[f]
			v[f] = w
		}
	}
	for f := l.states(); f < l.size(); f++ {
		w := g.clip(v[f], g.q[f])
		g.q[f] += w - v[f]
		v[f] = w
	}
}

func (g *gradientL1) clip(w, q float64) float64 {
	switch {
	case w > 0:
		return max(0, w-(g.u+q))
	case w < 0:
		return min(0, w+(g.u-q))
	}
	return 0
}

// model draws every weight by what it is still owed.
func (g *gradientL1) model() *Model {
	w := append([]float64(nil), g.t.sgd.v...)
	for f, v := range w {
		w[f] = g.clip(v, g.q[f])
	}
	return modelOf(g.t.layout, w)
}
