package chain

import (
	"context"
	"math"
)

const (
	epochs       = 5
	firstRate    = 0.2
	lowScale     = 1e-6 // scale at which it is multiplied into v
	longSequence = 200  // tokens
)

// averager is stochastic gradient descent with averaged weights (Polyak and Juditsky
// 1992; Bottou 2010). The penalty is applied lazily through a common factor:
//
//	w_t = scale_t·v_t,  Σ_{k≤t} w_k = total_t·v_t + u_t,  total_t = Σ_{k≤t} scale_k
//
// so that one sequence touches only its own features. The average begins anew with the
// second epoch.
type averager struct {
	v, u  []float64
	scale float64
	total float64
	count float64 // steps averaged
	steps float64 // steps in all
	epoch int     // epochs finished
	first float64 // rate of the first step
	trans *transitions
}

func newAverager(x []float64, l *layout) *averager {
	return &averager{v: x, u: make([]float64, len(x)), scale: 1, first: firstRate,
		trans: newTransitions(l.labels, l.from, l.to)}
}

// weights returns the mean of the weights so far.
func (s *averager) weights() []float64 {
	out := make([]float64, len(s.v))
	for i, v := range s.v {
		if s.count > 0 {
			out[i] = (s.total*v + s.u[i]) / s.count
		} else {
			out[i] = s.scale * v
		}
	}
	return out
}

// average runs the epochs that are left, from the weights x unless resumed.
func (t *trainer) average(ctx context.Context, x []float64) (stopped bool, err error) {
	if t.sgd == nil {
		t.sgd = newAverager(x, t.layout)
	}
	s := t.sgd
	for s.epoch < epochs {
		loss, err := t.pass(ctx)
		if err != nil {
			return false, err
		}
		s.epoch++
		var norm float64
		for _, v := range s.v {
			norm += v * v
		}
		norm *= s.scale * s.scale
		if t.report(Progress{Phase: Averaging, Step: s.epoch, Of: epochs, Objective: loss + 0.5*t.opt.L2*norm,
			WeightNorm: math.Sqrt(norm), trainer: t}) {
			return true, nil
		}
	}
	return false, nil
}

// pass is one epoch in an order drawn from the seed and the epoch.
func (t *trainer) pass(ctx context.Context) (float64, error) {
	s := t.sgd
	if s.epoch == 1 {
		s.restart()
	}
	order := (&Online{Seed: t.opt.Seed}).order(t.data, s.epoch)
	return t.descend(ctx, order, t.opt.L2/float64(len(order)))
}

// restart begins the average anew.
func (s *averager) restart() {
	s.total, s.count = 0, 0
	clear(s.u)
}

// descend takes a step for each sequence; penalty is the share of one of L2.
func (t *trainer) descend(ctx context.Context, order []uint32, penalty float64) (float64, error) {
	s := t.sgd
	first := s.first
	if penalty > 0 {
		first = min(first, 0.5/penalty)
	}
	var loss float64
	for n, i := range order {
		if n&255 == 0 {
			if err := ctx.Err(); err != nil {
				return 0, err
			}
		}
		rate := first / (1 + first*penalty*s.steps)
		loss += t.step(int(i), rate*damping(t.data.Sequence(int(i)).Len()))
		s.steps++
		s.scale *= 1 - rate*penalty
		if s.scale < lowScale {
			for f := range s.v {
				s.v[f] *= s.scale
			}
			s.total /= s.scale
			s.scale = 1
		}
		s.total += s.scale
		s.count++
	}
	return loss, nil
}

// damping keeps the step of a very long sequence, whose gradient grows with its length, from
// overshooting.
func damping(length int) float64 { return min(1, longSequence/float64(length)) }

// step moves the weights of one sequence against the gradient of its loss.
func (t *trainer) step(i int, rate float64) float64 {
	s, l, k := t.sgd, t.layout, t.obj.workers[0]
	seq, lat := t.data.Sequence(i), &k.lattice
	gold := t.data.Gold[t.data.Offsets[i]:t.data.Offsets[i+1]]
	lat.resize(l.labels, seq.Len())
	l.score(seq, s.v, lat.scores)
	for j := range lat.scores {
		lat.scores[j] *= s.scale
	}
	states := l.states()
	s.trans.setScaled(s.v[states:], s.scale)
	loss := lat.run(s.trans)
	for n, y := range gold {
		loss -= lat.scores[n*l.labels+int(y)]
		if n > 0 {
			loss -= s.trans.at(int(gold[n-1]), int(y))
		}
	}
	move := -rate / s.scale
	clear(k.expect)
	for n, y := range gold {
		if n > 0 {
			lat.addTransitions(s.trans, n, k.expect, k.plain)
		}
		m := lat.row(lat.r, n)
		for j := range m {
			m[j] = move * lat.marginal(n, j)
		}
		m[y] -= move
		s.moveStates(l, seq, n, m)
	}
	for q, e := range k.expect {
		if e = e*s.trans.factor[q] + k.plain[q]; e != 0 {
			s.move(states+q, move*e)
		}
		k.plain[q] = 0
	}
	for n := 1; n < len(gold); n++ {
		s.move(states+s.trans.index(int(gold[n-1]), int(gold[n])), -move)
	}
	return loss
}

func (s *averager) move(f int, delta float64) {
	s.v[f] += delta
	s.u[f] -= s.total * delta
}

// moveStates moves the features of a token by delta of their labels.
func (s *averager) moveStates(l *layout, seq Sequence, t int, delta []float64) {
	for p := seq.AttrOffsets[t]; p < seq.AttrOffsets[t+1]; p++ {
		a, x := seq.Attrs[p], 1.0
		if seq.Values != nil {
			x = float64(seq.Values[p])
		}
		lo, hi := l.attrStart[a], l.attrStart[a+1]
		labels := l.pairLabel[lo:hi]
		v, u := s.v[lo:hi][:len(labels)], s.u[lo:hi][:len(labels)]
		for q, y := range labels {
			d := x * delta[y]
			v[q] += d
			u[q] -= s.total * d
		}
	}
}
