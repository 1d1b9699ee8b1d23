package depparser

import (
	"math"
	"slices"
)

// table holds weights by hashed key: a feature stands at the first bits of its key. Two features
// that share a place share the weight.
type table struct {
	w     []float32
	drop  uint      // bits of a key that are dropped
	total []float32 // Σ t·Δ of the updates, to average; nil once averaged
}

func newTable(bits int) *table {
	return &table{w: make([]float32, 1<<bits), drop: uint(64 - bits), total: make([]float32, 1<<bits)}
}

// add changes a weight by d in step t, counted from 0.
func (t *table) add(i uint32, d, step float64) {
	t.w[i] += float32(d)
	t.total[i] += float32(step * d)
}

// average makes the weights the means over steps updates: w − Σ t·Δ / T.
func (t *table) average(steps float64) {
	for i, x := range t.total {
		t.w[i] -= float32(float64(x) / steps)
	}
	t.total = nil
}

// averaged returns a table of the means, and leaves this one to be learned on.
func (t *table) averaged(steps float64) *table {
	out := &table{w: make([]float32, len(t.w)), drop: t.drop}
	for i, x := range t.total {
		out.w[i] = t.w[i] - float32(float64(x)/steps)
	}
	return out
}

// unit is what settled weights are multiples of: 1/32767 of the greatest.
func (t *table) unit() float64 {
	most := 0.0
	for _, x := range t.w {
		most = max(most, math.Abs(float64(x)))
	}
	if most < 1e-30 {
		return 1
	}
	return most / math.MaxInt16
}

// settle rounds the weights to 16 bits, as they are stored.
func (t *table) settle() {
	unit := t.unit()
	for i, x := range t.w {
		t.w[i] = float32(math.Round(float64(x)/unit) * unit)
	}
}

// settle rounds the weights of all tables.
func (p *parser) settle() {
	for _, t := range p.scorer.tables() {
		if t != nil {
			t.settle()
		}
	}
}

// average makes the weights of all tables means.
func (s *scorer) average(steps float64) {
	for _, t := range s.tables() {
		if t != nil {
			t.average(steps)
		}
	}
}

// averaged returns a parser with the means of the weights.
func (p *parser) averaged(steps float64) *parser {
	out, s := *p, *p.scorer
	for _, t := range []**table{&s.first, &s.second, &s.third, &s.labels} {
		if *t != nil {
			*t = (*t).averaged(steps)
		}
	}
	out.scorer = &s
	return &out
}

// snapshot returns a parser with a copy of the weights.
func (p *parser) snapshot() *parser {
	out, s := *p, *p.scorer
	for _, t := range []**table{&s.first, &s.second, &s.third, &s.labels} {
		if *t != nil {
			*t = &table{w: slices.Clone((*t).w), drop: (*t).drop}
		}
	}
	out.scorer = &s
	return &out
}

// bytes is what the tables take in memory.
func (p *parser) bytes() int64 {
	n := int64(0)
	for _, t := range p.scorer.tables() {
		if t != nil {
			n += int64(4 * len(t.w))
		}
	}
	if p.pruner != nil {
		n += p.pruner.bytes()
	}
	return n
}
