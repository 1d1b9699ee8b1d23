package depparser

import (
	"math"
	"slices"
)

// table holds weights by hashed key: a feature stands at the first bits of its key. Two features
// that share a place share the weight. Single precision makes reading and updating a quarter faster than package online
// would (BenchmarkSums), in half of the memory.
type table struct {
	w     []float32
	drop  uint   // bits of a key that are dropped
	q     []int8 // settled weights, in units; then w is nil
	unit  float64
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

// settle rounds the weights to multiples of 1/127 of the greatest and keeps them so.
func (t *table) settle() {
	most := 0.0
	for _, x := range t.w {
		most = max(most, math.Abs(float64(x)))
	}
	t.unit = most / math.MaxInt8
	if most < 1e-30 {
		t.unit = 1
	}
	t.q = make([]int8, len(t.w))
	for i, x := range t.w {
		t.q[i] = int8(math.Round(float64(x) / t.unit))
	}
	t.w, t.total = nil, nil
}

// settle rounds the weights of all tables.
func (p *parser) settle() {
	for _, t := range p.scorer.tables() {
		if t != nil {
			t.settle()
		}
	}
}

// largest bounds weights, so that sums of them and of their steps are numbers.
const largest = 1e25

// bounded reports whether all weights are numbers within the bound.
func (s *scorer) bounded() bool {
	for _, t := range s.tables() {
		if t == nil {
			continue
		}
		for _, x := range t.w {
			if !(math.Abs(float64(x)) <= largest) {
				return false
			}
		}
	}
	return true
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
			n += t.bytes()
		}
	}
	if p.pruner != nil {
		n += p.pruner.bytes()
	}
	return n
}

// numeric is what weights are kept as: float32 while they are learned, multiples of a unit then.
type numeric interface{ float32 | int8 }

// total is what they are added up in: int32 for multiples.
type total interface{ float32 | int32 }

// lookup is a table to look weights up in.
type lookup[W numeric, S total] struct {
	w    []W
	drop uint
	unit float64
}

// fetch reads a weight at each key, so that memory answers for all of them at once; the sum says
// nothing.
//
//go:noinline
func (l lookup[W, S]) fetch(keys []uint64) (sum W) {
	drop := l.drop & 63
	for _, k := range keys {
		sum += l.w[k>>drop]
	}
	return sum
}

// exact are the weights that are learned, none of a table that there is not.
func (t *table) exact() lookup[float32, float32] {
	if t == nil {
		return lookup[float32, float32]{}
	}
	return lookup[float32, float32]{t.w, t.drop, 1}
}

// small are those of a settled table: a quarter of the memory, which is what looking up waits for.
func (t *table) small() lookup[int8, int32] {
	if t == nil {
		return lookup[int8, int32]{}
	}
	return lookup[int8, int32]{t.q, t.drop, t.unit}
}

// at is the weight at a place.
func (t *table) at(place uint32) float64 {
	if t.q != nil {
		return float64(t.q[place]) * t.unit
	}
	return float64(t.w[place])
}

// size is the number of places.
func (t *table) size() int { return max(len(t.w), len(t.q)) }

// bytes is what the table takes in memory.
func (t *table) bytes() int64 { return int64(4*(len(t.w)+len(t.total)) + len(t.q)) }
