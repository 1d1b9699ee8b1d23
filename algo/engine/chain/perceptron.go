package chain

import (
	"context"
	"math"

	"parlance/algo/engine/online"
	"parlance/algo/numeric/buffer"
)

// perceptron moves the weights towards the gold labels of each sequence that is labelled wrongly
// or not clearly enough.
//
// The difference is gathered over all features, for the weights of a sentence are many and often met twice.
type perceptron struct {
	*online.Weights
	opt    Online
	data   *Data
	layout *layout
	search *Decoder  // over a grammar that changes with the weights
	delta  []float64 // Φ(y*) − Φ(y), 0 but for moved
	moved  []uint32
	listed []bool // in moved
}

func newPerceptron(d *Data, l *layout, o Online) *perceptron {
	p := &perceptron{opt: o, data: d, layout: l, Weights: &online.Weights{W: startOf(l, o.Initial)},
		delta: make([]float64, l.size()), listed: make([]bool, l.size())}
	if o.Averaged {
		p.U = make([]float64, l.size())
	}
	p.restored()
	return p
}

// restored makes the search of the weights as they are.
func (p *perceptron) restored() {
	l := p.layout
	m := &Model{parts: Parts{Labels: l.labels, Attributes: l.attributes, AttrStart: l.attrStart, PairLabel: l.pairLabel,
		TransFrom: l.from, TransTo: l.to, TransWeights: p.W[l.states():]}}
	g := newGrammar(m, p.opt.Rules)
	g.gain = nil // it holds for weights that stay
	p.search = &Decoder{model: m, grammar: g}
}

func (p *perceptron) state() LearnerState {
	return LearnerState{Numbers: []*float64{&p.Steps}, Vectors: [][]float64{p.W, p.U}}
}

func (p *perceptron) model() *Model { return modelOf(p.layout, p.Mean()) }

func (p *perceptron) pass(ctx context.Context, epoch int) (out Pass, err error) {
	for n, i := range p.opt.order(p.data, epoch) {
		if n&63 == 0 && ctx.Err() != nil {
			return out, ctx.Err()
		}
		moved, errors, err := p.sequence(int(i))
		if err != nil {
			return out, err
		}
		if moved {
			out.Updates++
		}
		out.Errors += errors
		p.Next()
	}
	return out, nil
}

// sequence learns from one sequence.
func (p *perceptron) sequence(i int) (moved bool, errors int, err error) {
	seq := p.data.Sequence(i)
	gold := p.data.Gold[p.data.Offsets[i]:p.data.Offsets[i+1]]
	d := p.search
	d.lattice.scores = buffer.Resize(d.lattice.scores, p.layout.labels*seq.Len())
	d.lattice.labels, d.lattice.n = p.layout.labels, seq.Len()
	p.layout.score(seq, p.W, d.lattice.scores)
	d.loaded()
	best, score, err := d.Viterbi()
	if err != nil {
		return false, 0, err
	}
	for t, y := range best {
		if y != gold[t] {
			errors++
		}
	}
	switch {
	case p.opt.Rule == PassiveAggressive:
		if errors > 0 {
			p.difference(seq, gold, best)
			moved = p.passiveAggressive(score-d.Score(gold), errors)
		}
	case errors > 0:
		p.difference(seq, gold, best)
		moved = p.move(1)
	case p.opt.Rule == Margin:
		two, err := d.NBest(2)
		if err != nil {
			return false, 0, err
		}
		if len(two) == 2 && score-two[1].Score <= p.opt.C {
			p.difference(seq, gold, two[1].Labels)
			moved = p.move(1)
		}
	}
	return moved, errors, nil
}

func (p *perceptron) passiveAggressive(gap float64, errors int) bool {
	var square float64
	for _, f := range p.moved {
		square += p.delta[f] * p.delta[f]
	}
	return p.move(online.PassiveAggressive.Step(-gap, square, math.Sqrt(float64(errors)), p.opt.C))
}

// difference sets delta to Φ(gold) − Φ(other). Only tokens with different labels differ.
func (p *perceptron) difference(seq Sequence, gold, other []uint16) {
	l := p.layout
	for t, y := range gold {
		z := other[t]
		if y != z {
			for k := seq.AttrOffsets[t]; k < seq.AttrOffsets[t+1]; k++ {
				v := 1.0
				if seq.Values != nil {
					v = float64(seq.Values[k])
				}
				p.feature(seq.Attrs[k], y, v)
				p.feature(seq.Attrs[k], z, -v)
			}
		}
		if t > 0 && (y != z || gold[t-1] != other[t-1]) {
			if q := p.search.grammar.trans.index(int(gold[t-1]), int(y)); q >= 0 {
				p.add(uint32(l.states()+q), 1)
			}
			if q := p.search.grammar.trans.index(int(other[t-1]), int(z)); q >= 0 {
				p.add(uint32(l.states()+q), -1)
			}
		}
	}
}

// feature adds v to the difference at the feature of an attribute and a label, if there is one.
func (p *perceptron) feature(attr uint32, label uint16, v float64) {
	lo, hi := p.layout.attrStart[attr], p.layout.attrStart[attr+1]
	if int(hi-lo) == p.layout.labels {
		p.add(lo+uint32(label), v)
		return
	}
	for k := lo; k < hi; k++ {
		if p.layout.pairLabel[k] == label {
			p.add(k, v)
			return
		}
	}
}

func (p *perceptron) add(f uint32, v float64) {
	if !p.listed[f] {
		p.listed[f] = true
		p.moved = append(p.moved, f)
	}
	p.delta[f] += v
}

// move adds the difference, size times, and clears it. It tells whether any weight moved.
func (p *perceptron) move(size float64) (any bool) {
	states, g := p.layout.states(), p.search.grammar
	for _, f := range p.moved {
		d := size * p.delta[f]
		p.delta[f], p.listed[f] = 0, false
		if d == 0 {
			continue
		}
		any = true
		p.Add(int(f), d)
		if q := int(f) - states; q >= 0 {
			g.trans.weight[q] = p.W[f]
			if g.matrix != nil {
				if at := int(g.trans.from[q])*g.trans.labels + int(g.trans.to[q]); !math.IsInf(g.matrix[at], -1) {
					g.matrix[at] = p.W[f]
				}
			}
		}
	}
	p.moved = p.moved[:0]
	return any
}
