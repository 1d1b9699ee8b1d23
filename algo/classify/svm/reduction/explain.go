package reduction

import (
	"fmt"

	"parlance/algo/kind"
)

// Explain compares class own of the loaded sample, whose columns and values are given, with the
// runner-up. The margin is how far own is ahead, for pairs of classes the decision value of their
// machine; contributions are columns of linear machines by name, else support vectors with their
// kernels, and b as bias.
func (c *Classifier) Explain(own int, prob float64, labels []string, cols []uint32, vals []float32,
	name func(column uint32) string) kind.Decision {
	x := kind.Decision{Outcome: labels[own], Prob: prob}
	other := c.RunnerUp(own)
	if other < 0 {
		return x
	}
	x.RunnerUp = labels[other]
	c.contributions(own, other, cols, vals, name, func(f string, v, weight float64) {
		if v*weight != 0 {
			x.Margin += v * weight
			x.Contributions = append(x.Contributions, kind.Contribution{Feature: f, Value: v, Weight: weight})
		}
	})
	x.Sort()
	return x
}

// contributions calls add with what makes the decision of a loaded sample: for the weight of own
// against other, b under the name bias, and the features or the support vectors that differ. It
// sums to how far own is ahead; columns and values are those of the sample, name their names.
func (c *Classifier) contributions(own, other int, cols []uint32, vals []float32, name func(uint32) string,
	add func(feature string, value, weight float64)) {
	sign := map[int]float64{own: 1, other: -1}
	if c.m.Scheme == Pairwise {
		sign = map[int]float64{number(min(own, other), max(own, other), c.m.Classes): 1}
		if own > other {
			sign[number(other, own, c.m.Classes)] = -1
		}
	}
	if c.m.Linear() {
		weight := func(a uint32) float64 {
			ks, ws := c.m.Weights.Row(a)
			sum := 0.0
			for i, k := range ks {
				sum += sign[int(k)] * ws[i]
			}
			return sum
		}
		for i, a := range cols {
			v := 1.0
			if vals != nil {
				v = float64(vals[i])
			}
			add(name(a), v, weight(a))
		}
		add("bias", 1, weight(uint32(c.m.Weights.Attributes()-1)))
		return
	}
	coef, b := make([]float64, c.m.Pool.Len()), 0.0
	for k := range c.m.vectors {
		s, ok := sign[k]
		if !ok {
			continue
		}
		b += s * c.m.offset[k]
		for i, v := range c.m.vectors[k] {
			coef[v] += s * c.m.coefs[k][i]
		}
	}
	for v, w := range coef {
		if w != 0 {
			add(fmt.Sprintf("support vector %d", v+1), c.query.Values[v], w)
		}
	}
	add("bias", 1, b)
}
