package tagger

import (
	"parlance/algo/kind"
)

// Contrast gathers what speaks for one label against another.
type Contrast struct {
	t          *Trained
	own, other int
	d          *kind.Decision
}

// Contrast begins to explain a decision for label own against other.
func (t *Trained) Contrast(d *kind.Decision, own, other int) *Contrast {
	d.RunnerUp = t.Labels[other]
	return &Contrast{t, own, other, d}
}

// Add adds a feature whose weights differ by weight; differences of 0 are left out.
func (c *Contrast) Add(feature string, value, weight float64) {
	if weight != 0 {
		c.d.Margin += value * weight
		c.d.Contributions = append(c.d.Contributions, kind.Contribution{Feature: feature, Value: value, Weight: weight})
	}
}

// Attribute adds the weights of an attribute: w[a, own] − w[a, other].
func (c *Contrast) Attribute(attr uint32, name string, value float64) {
	labels, weights := c.t.Chain.Row(attr)
	diff := 0.0
	for i, l := range labels {
		switch int(l) {
		case c.own:
			diff += weights[i]
		case c.other:
			diff -= weights[i]
		}
	}
	c.Add(name, value, diff)
}

// Sort orders the contributions by falling |value·weight|.
func (c *Contrast) Sort() { c.d.Sort() }
