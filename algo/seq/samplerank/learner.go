package samplerank

import (
	"context"
	"fmt"
	"math"

	"parlance/algo/engine/chain"
	"parlance/algo/engine/mcmc"
	"parlance/algo/seq/tagger"
)

// learner samples labels of all tokens and learns from each proposal. Feature a·L + l is attribute a with label l, and
// feature A·L + k·L + l is label l after k, of A attributes and L labels.
type learner struct {
	*mcmc.SampleRank
	data        *tagger.Data
	labels      int32
	first       []bool // tokens that begin a sequence, with one more at the end
	y           []int32
	objective   objective
	temperature float64
	random      *mcmc.Rand
	delta       []mcmc.Feature
}

func newLearner(d *tagger.Data, rate, margin, temperature float64, seed uint64) (*learner, error) {
	size := (int64(d.Attributes) + int64(d.Labels)) * int64(d.Labels)
	if size > math.MaxInt32 {
		return nil, fmt.Errorf("%d attributes with %d labels are more than %d weights; use fewer templates or a higher "+
			"min_count", d.Attributes, d.Labels, math.MaxInt32)
	}
	l := &learner{SampleRank: mcmc.NewSampleRank(int(size), rate, margin), data: d, labels: int32(d.Labels),
		first: make([]bool, d.Tokens()+1), y: make([]int32, d.Tokens()), temperature: temperature,
		random: mcmc.NewRand(seed)}
	for _, o := range d.Offsets {
		l.first[o] = true
	}
	for i := range l.y {
		l.y[i] = int32(l.random.Intn(d.Labels))
	}
	return l, nil
}

// change is f(y′) − f(y) where token t changes its label to b.
func (l *learner) change(t int, b int32) []mcmc.Feature {
	a, n, out := l.y[t], l.labels, l.delta[:0]
	d := l.data
	for _, attr := range d.Attrs[d.AttrOffsets[t]:d.AttrOffsets[t+1]] {
		at := int32(attr) * n
		out = append(out, mcmc.Feature{ID: at + a, Value: -1}, mcmc.Feature{ID: at + b, Value: 1})
	}
	pairs := int32(d.Attributes) * n
	if !l.first[t] {
		at := pairs + l.y[t-1]*n
		out = append(out, mcmc.Feature{ID: at + a, Value: -1}, mcmc.Feature{ID: at + b, Value: 1})
	}
	if !l.first[t+1] {
		next := l.y[t+1]
		out = append(out, mcmc.Feature{ID: pairs + a*n + next, Value: -1}, mcmc.Feature{ID: pairs + b*n + next, Value: 1})
	}
	l.delta = out
	return out
}

// step looks at label b for token t, learns, and takes it with probability min(1, exp(score/τ)) by the weights after.
func (l *learner) step(t int, b int32) {
	delta := l.change(t, b)
	score := 0.0
	if l.objective.modelWeight != 0 && t >= l.objective.labelled {
		score = l.Score(delta)
	}
	l.Learn(delta, l.objective.prefer(t, l.y[t], b, score))
	if mcmc.Metropolis(l.Score(delta)/l.temperature, l.random) {
		l.y[t] = b
	}
}

// stepsBetween is how many steps are made between looks at the context.
const stepsBetween = 1 << 10

// pass makes a proposal for each pair of one of the first tokens and a label.
func (l *learner) pass(ctx context.Context, tokens int) error {
	for k := range tokens * int(l.labels) {
		if k%stepsBetween == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		t := l.random.Intn(tokens)
		b := int32(l.random.Intn(int(l.labels) - 1))
		if b >= l.y[t] {
			b++
		}
		l.step(t, b)
	}
	return nil
}

// wrong counts the first tokens whose sampled label is not that of the truth.
func (l *learner) wrong(tokens int) (n int) {
	for t, y := range l.y[:tokens] {
		if y != l.objective.truth[t] {
			n++
		}
	}
	return n
}

// chain makes a chain of weights.
func (l *learner) chain(w []float64) (*chain.Model, error) {
	d, n := l.data, l.data.Labels
	p := chain.Parts{Labels: n, Attributes: d.Attributes, AttrStart: make([]uint32, 1, d.Attributes+1)}
	for a := range d.Attributes {
		for k, x := range w[a*n : (a+1)*n] {
			if x != 0 {
				p.PairLabel, p.Weights = append(p.PairLabel, uint16(k)), append(p.Weights, x)
			}
		}
		p.AttrStart = append(p.AttrStart, uint32(len(p.Weights)))
	}
	for k, x := range w[d.Attributes*n:] {
		if x != 0 {
			p.TransFrom, p.TransTo = append(p.TransFrom, uint16(k/n)), append(p.TransTo, uint16(k%n))
			p.TransWeights = append(p.TransWeights, x)
		}
	}
	return chain.NewModel(p)
}
