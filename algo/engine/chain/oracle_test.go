package chain

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
)

// oracle enumerates all labellings of a tiny sequence.
type oracle struct {
	labels, n int
	paths     []Path // by falling score
	logZ      float64
}

// newOracle scores every labelling from dense scores and weights.
func newOracle(labels, n int, state [][]float64, trans func(i, j int) float64, rules *Constraints) *oracle {
	o := &oracle{labels: labels, n: n}
	y := make([]uint16, n)
	var walk func(t int, s float64)
	walk = func(t int, s float64) {
		if t == n {
			if n == 0 || rules == nil || rules.AllowedEnd(int(y[n-1])) {
				o.paths = append(o.paths, Path{slices.Clone(y), s})
			}
			return
		}
		for j := range labels {
			add := state[t][j]
			if t == 0 && rules != nil && !rules.AllowedStart(j) {
				continue
			}
			if t > 0 {
				if rules != nil && !rules.Allowed(int(y[t-1]), j) {
					continue
				}
				add += trans(int(y[t-1]), j)
			}
			if math.IsInf(add, -1) {
				continue
			}
			y[t] = uint16(j)
			walk(t+1, s+add)
		}
	}
	walk(0, 0)
	slices.SortStableFunc(o.paths, func(a, b Path) int { return cmp.Compare(b.Score, a.Score) })
	o.logZ = math.Inf(-1)
	if len(o.paths) > 0 {
		hi, sum := o.paths[0].Score, 0.0
		for _, p := range o.paths {
			sum += math.Exp(p.Score - hi)
		}
		o.logZ = hi + math.Log(sum)
	}
	return o
}

// prob sums the probabilities of the labellings that satisfy a condition.
func (o *oracle) prob(ok func(y []uint16) bool) float64 {
	var sum float64
	for _, p := range o.paths {
		if ok(p.Labels) {
			sum += math.Exp(p.Score - o.logZ)
		}
	}
	return sum
}

// randomModel has weights of the given spread for about half of all pairs.
func randomModel(rng *rand.Rand, labels, attributes int, spread float64, full bool) *Model {
	p := Parts{Labels: labels, Attributes: attributes, AttrStart: []uint32{0}}
	draw := func() float64 {
		if spread > 100 { // extreme: a few distinct values, exact in floating point
			return spread * float64(rng.IntN(3)-1)
		}
		return spread * rng.NormFloat64()
	}
	for range attributes {
		for j := range labels {
			if full || rng.IntN(2) == 0 {
				p.PairLabel = append(p.PairLabel, uint16(j))
				p.Weights = append(p.Weights, draw())
			}
		}
		p.AttrStart = append(p.AttrStart, uint32(len(p.Weights)))
	}
	for i := range labels {
		for j := range labels {
			if full || rng.IntN(2) == 0 {
				p.TransFrom, p.TransTo = append(p.TransFrom, uint16(i)), append(p.TransTo, uint16(j))
				p.TransWeights = append(p.TransWeights, draw())
			}
		}
	}
	m, err := NewModel(p)
	if err != nil {
		panic(err)
	}
	return m
}

func randomSequence(rng *rand.Rand, n, attributes int, values bool) Sequence {
	s := Sequence{AttrOffsets: []uint32{0}}
	for range n {
		for range rng.IntN(4) {
			s.Attrs = append(s.Attrs, uint32(rng.IntN(attributes)))
			if values {
				s.Values = append(s.Values, float32(rng.IntN(5)-2)/2)
			}
		}
		s.AttrOffsets = append(s.AttrOffsets, uint32(len(s.Attrs)))
	}
	return s
}

func randomRules(rng *rand.Rand, labels int) *Constraints {
	c := NewConstraints(labels)
	for i := range labels {
		if rng.IntN(4) == 0 {
			c.ForbidStart(i)
		}
		if rng.IntN(4) == 0 {
			c.ForbidEnd(i)
		}
		for j := range labels {
			if rng.IntN(3) == 0 {
				c.Forbid(i, j)
			}
		}
	}
	return c
}

// stateScores adds up weights the slow way.
func stateScores(m *Model, s Sequence) [][]float64 {
	out := make([][]float64, s.Len())
	for t := range out {
		out[t] = make([]float64, m.Labels())
		for k := s.AttrOffsets[t]; k < s.AttrOffsets[t+1]; k++ {
			v := 1.0
			if s.Values != nil {
				v = float64(s.Values[k])
			}
			for w := range m.States() {
				if w.Attr == s.Attrs[k] {
					out[t][w.Label] += v * w.Weight
				}
			}
		}
	}
	return out
}

// transitionOf looks a weight up the slow way.
func transitionOf(m *Model) func(i, j int) float64 {
	table := map[[2]int]float64{}
	for w := range m.Transitions() {
		table[[2]int{int(w.From), int(w.To)}] = w.Weight
	}
	return func(i, j int) float64 { return table[[2]int{i, j}] }
}
