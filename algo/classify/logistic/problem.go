package logistic

import (
	"fmt"
	"math"

	"parlance/algo/engine/chain"
)

// Problem is a matrix with the labels of its events. Features are numbered attribute by attribute
// with rising labels, then the tied ones. It never changes once made.
type Problem struct {
	m        *Matrix
	labels   int
	first    []uint32 // features of attribute a are first[a] to first[a+1]
	attr     []uint32 // of a feature
	label    []uint16 // of a feature
	observed []float64
	seen     []float64 // events in which feature and label come together
	groups   []group
	ofLabel  [][]uint32 // features by label
	tied     []Tied
}

// group is attributes of a class.
type group struct {
	attrs []uint32
	cuts  []int // parts of about equal work that share no context, by where they begin; then the end
}

// Tied is a feature that fires for several labels, at most one a context.
type Tied struct {
	Contexts []uint32
	Labels   []uint16
	Values   []float64
}

// maxCells bounds the table of contexts and labels: 8 bytes a cell.
const maxCells = 1 << 30

// NewProblem numbers the pairs of attribute and label that occur. gold[i] is the label of event i.
func NewProblem(m *Matrix, gold []uint16, labels int) (*Problem, error) {
	if len(gold) != len(m.event) {
		return nil, fmt.Errorf("%w: %d labels for %d events", chain.ErrInvalid, len(gold), len(m.event))
	}
	if labels < 1 || labels > chain.MaxLabels {
		return nil, fmt.Errorf("%w: %d labels, want 1 to %d", chain.ErrInvalid, labels, chain.MaxLabels)
	}
	if int64(m.contexts)*int64(labels) > maxCells {
		return nil, fmt.Errorf(
			"%w: %d distinct items times %d labels are more than the %d scores that this optimizer keeps; lbfgs keeps none",
			chain.ErrInvalid, m.contexts, labels, maxCells)
	}
	for i, y := range gold {
		if int(y) >= labels {
			return nil, fmt.Errorf("%w: label %d of event %d, want below %d", chain.ErrInvalid, y, i, labels)
		}
	}
	p := &Problem{m: m, labels: labels}
	p.number(p.outcomes(gold))
	p.group()
	p.ofLabel = p.byLabel()
	return p, nil
}

// outcome is a label of a context with its events.
type outcome struct {
	label uint16
	count float64
}

// outcomes returns c(x, y) by context.
func (p *Problem) outcomes(gold []uint16) [][]outcome {
	out := make([][]outcome, p.m.contexts)
	flat := make([]outcome, len(gold)) // most contexts have one event
	for i, y := range gold {
		x := p.m.event[i]
		list, found := out[x], false
		for j := range list {
			if list[j].label == y {
				list[j].count++
				found = true
			}
		}
		if found {
			continue
		}
		if list == nil {
			flat[i] = outcome{y, 1}
			out[x] = flat[i : i+1 : i+1]
		} else {
			out[x] = append(list, outcome{y, 1})
		}
	}
	return out
}

// number numbers the features and sums up what was observed.
func (p *Problem) number(outcomes [][]outcome) {
	m := p.m
	sum, times := make([]float64, p.labels), make([]float64, p.labels)
	p.first = make([]uint32, 1, m.attributes+1)
	for a := range m.attributes {
		for k := m.start[a]; k < m.start[a+1]; k++ {
			v := 1.0
			if m.values != nil {
				v = float64(m.values[k])
			}
			for _, o := range outcomes[m.at[k]] {
				sum[o.label] += o.count * v
				times[o.label] += o.count
			}
		}
		for y, n := range times {
			if n > 0 {
				p.attr, p.label = append(p.attr, uint32(a)), append(p.label, uint16(y))
				p.observed, p.seen = append(p.observed, sum[y]), append(p.seen, n)
				sum[y], times[y] = 0, 0
			}
		}
		p.first = append(p.first, uint32(len(p.attr)))
	}
}

// group divides the classes into parts.
func (p *Problem) group() {
	for c, attrs := range p.m.classes {
		g := group{attrs, []int{0, len(attrs)}}
		if c < p.m.apart {
			g.cuts = p.cut(attrs)
		}
		p.groups = append(p.groups, g)
	}
}

// share is the number of places that a worker takes at once.
const share = 1 << 14

// cut divides attributes into parts of about equal work.
func (p *Problem) cut(attrs []uint32) []int {
	cuts, n := []int{0}, 0
	for i, a := range attrs {
		n += (int(p.m.start[a+1]-p.m.start[a]) + 4) * int(p.first[a+1]-p.first[a])
		if n >= share && i+1 < len(attrs) {
			cuts, n = append(cuts, i+1), 0
		}
	}
	return append(cuts, len(attrs))
}

// Tie adds features that fire for several labels; gold is what NewProblem had.
func (p *Problem) Tie(gold []uint16, features ...Tied) error {
	outcomes := p.outcomes(gold)
	for _, f := range features {
		if len(f.Contexts) != len(f.Labels) || len(f.Contexts) != len(f.Values) {
			return fmt.Errorf("%w: contexts, labels and values of a feature differ in number", chain.ErrInvalid)
		}
		o, n := 0.0, 0.0
		for i, x := range f.Contexts {
			if int(x) >= p.m.contexts || int(f.Labels[i]) >= p.labels || i > 0 && x <= f.Contexts[i-1] {
				return fmt.Errorf("%w: contexts of a feature must rise, below %d, and labels be below %d", chain.ErrInvalid,
					p.m.contexts, p.labels)
			}
			for _, c := range outcomes[x] {
				if c.label == f.Labels[i] {
					o += c.count * f.Values[i]
					n += c.count
				}
			}
		}
		p.tied = append(p.tied, f)
		p.observed, p.seen = append(p.observed, o), append(p.seen, n)
	}
	return nil
}

// Features returns the number of features.
func (p *Problem) Features() int { return len(p.observed) }

// places returns the number of (x, y) where features are not 0, for all features together.
func (p *Problem) places() int {
	n := 0
	for _, a := range p.attr {
		n += int(p.m.start[a+1] - p.m.start[a])
	}
	for _, t := range p.tied {
		n += len(t.Contexts)
	}
	return n
}

// byLabel returns the features of each label.
func (p *Problem) byLabel() [][]uint32 {
	out := make([][]uint32, p.labels)
	for k, y := range p.label {
		out[y] = append(out[y], uint32(k))
	}
	return out
}

// high is the largest |f_k(x, y)|.
func (p *Problem) high(k int) float64 {
	if k < len(p.attr) {
		return p.m.high[p.attr[k]]
	}
	h := 0.0
	for _, v := range p.tied[k-len(p.attr)].Values {
		h = max(h, math.Abs(v))
	}
	return h
}

// Negative returns an attribute with a value below 0, −1 where there is none.
func (p *Problem) Negative() int { return p.m.negative }

// Model returns weights as a model without transitions. Tied features have no place in it.
func (p *Problem) Model(w []float64) (*chain.Model, error) {
	return chain.NewModel(chain.Parts{Labels: p.labels, Attributes: p.m.attributes, AttrStart: p.first, PairLabel: p.label,
		Weights: append([]float64{}, w[:len(p.attr)]...)})
}

// Initial returns the weights that a model with the same numbers of attributes and labels has.
func (p *Problem) Initial(m *chain.Model) []float64 {
	w := make([]float64, p.Features())
	for a := range p.m.attributes {
		labels, weights := m.Row(uint32(a))
		for k := p.first[a]; k < p.first[a+1]; k++ {
			for i, y := range labels {
				if y == p.label[k] {
					w[k] = weights[i]
				}
			}
		}
	}
	return w
}
