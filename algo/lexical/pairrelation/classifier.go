package pairrelation

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"parlance/algo/classify/logistic"
	"parlance/algo/engine/chain"
	"parlance/algo/kind"
)

// class is an outcome of the classifier.
type class struct {
	label int8
	dir   direction
}

// classifier is a multinomial logistic regression over features by name: feature f weighs labels
// label[start[f]:start[f+1]].
type classifier struct {
	classes []class
	names   []string
	index   map[string]uint32
	start   []uint32
	label   []uint32
	weight  []float64
}

// example is the features of a pair in one order of its terms.
type example struct {
	features []string
	class    class
}

// fit learns from examples. The numbers of features and classes depend on the examples alone.
func fit(ctx context.Context, t *kind.Training, o *options, list []example) (*classifier, error) {
	c := &classifier{}
	c.enumerate(list, o.minFeatures)
	d := &chain.Data{Labels: len(c.classes), Attributes: len(c.names), Offsets: []uint32{0}, AttrOffsets: []uint32{0}}
	for _, e := range list {
		for _, f := range e.features {
			if id, ok := c.index[f]; ok {
				d.Attrs = append(d.Attrs, id)
			}
		}
		row := d.Attrs[d.AttrOffsets[len(d.AttrOffsets)-1]:]
		slices.Sort(row)
		d.Attrs = d.Attrs[:len(d.Attrs)-len(row)+len(slices.Compact(row))]
		d.AttrOffsets = append(d.AttrOffsets, uint32(len(d.Attrs)))
		d.Gold = append(d.Gold, uint16(slices.Index(c.classes, e.class)))
	}
	d.Offsets = append(d.Offsets, uint32(len(list)))
	mx, err := logistic.NewMatrix(ctx, d)
	if err != nil {
		return nil, err
	}
	p, err := logistic.NewProblem(mx, d.Gold, d.Labels)
	if err != nil {
		return nil, err
	}
	w, _, err := logistic.Fit(ctx, p, logistic.Options{Method: logistic.CD, L2: o.l2, Sweeps: o.sweeps, Epsilon: 1e-4,
		Seed: t.Seed, Workers: t.Workers}, func(s logistic.Sweep) bool {
		t.Report(kind.Progress{Step: s.Number, Of: o.sweeps, Objective: s.Objective, HeldOut: math.NaN(), Active: s.Active})
		return false
	})
	if err != nil {
		return nil, err
	}
	return c, c.take(p, w)
}

// enumerate numbers classes by label and direction, and features that come often enough by name.
func (c *classifier) enumerate(list []example, least int) {
	counts := map[string]int{}
	for _, e := range list {
		if !slices.Contains(c.classes, e.class) {
			c.classes = append(c.classes, e.class)
		}
		for _, f := range e.features {
			counts[f]++
		}
	}
	slices.SortFunc(c.classes, func(a, b class) int {
		return cmp.Or(cmp.Compare(a.label, b.label), cmp.Compare(b.dir, a.dir))
	})
	for f, n := range counts {
		if n >= least {
			c.names = append(c.names, f)
		}
	}
	slices.Sort(c.names)
	c.ready()
}

// ready indexes the features.
func (c *classifier) ready() {
	c.index = make(map[string]uint32, len(c.names))
	for i, f := range c.names {
		c.index[f] = uint32(i)
	}
}

// take keeps the weights.
func (c *classifier) take(p *logistic.Problem, w []float64) error {
	m, err := p.Model(w)
	if err != nil {
		return fmt.Errorf("weights: %w", err)
	}
	c.start = []uint32{0}
	for a := range c.names {
		labels, weights := m.Row(uint32(a))
		for i, y := range labels {
			c.label, c.weight = append(c.label, uint32(y)), append(c.weight, weights[i])
		}
		c.start = append(c.start, uint32(len(c.label)))
	}
	return nil
}

// scores returns the sums of weights by class.
func (c *classifier) scores(features []string) []float64 {
	out := make([]float64, len(c.classes))
	for _, f := range c.known(features) {
		for k := c.start[f]; k < c.start[f+1]; k++ {
			out[c.label[k]] += c.weight[k]
		}
	}
	return out
}

// known returns the numbers of features that the classifier has, each once and rising.
func (c *classifier) known(features []string) []uint32 {
	var out []uint32
	for _, f := range features {
		if id, ok := c.index[f]; ok {
			out = append(out, id)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// probabilities turns scores into probabilities.
func probabilities(scores []float64) []float64 {
	top, sum := slices.Max(scores), 0.0
	out := make([]float64, len(scores))
	for i, s := range scores {
		out[i] = math.Exp(s - top)
		sum += out[i]
	}
	for i := range out {
		out[i] /= sum
	}
	return out
}
