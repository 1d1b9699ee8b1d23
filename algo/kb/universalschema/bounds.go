package universalschema

import "parlance/algo/kb/triples"

// Bounds adds the highest terms: for a given entity g,
//
//	θ(r, (g, e)) ≤ max_e d_r·t_e + d_r·t_g + max(0, max_p θ_known(r, p))   over the pairs p of g that have facts
//
// The sums are those of the scores, in their order, so that rounding keeps the bound.
func (t *theta) Bounds(open triples.Side, relation int32, given []int32, out []float64) {
	most := t.at(open, relation, 0)
	for e := range len(t.pairs.start) - 1 {
		most = max(most, t.at(open, relation, int32(e)))
	}
	for i, g := range given {
		known := 0.0
		t.pairs.of(open.Other(), g, func(pair, _ int32) { known = max(known, t.known(relation, pair)) })
		out[i] = most + t.at(open.Other(), relation, g) + known
	}
}

// Above scores the rows and looks through them.
func (t *theta) Above(open triples.Side, relation int32, given []int32, least float64,
	each func(int, int32, float64)) int64 {
	n := len(t.pairs.start) - 1
	first, line := make([]float64, n), make([]float64, n)
	t.all(open, relation, first)
	for i, g := range given {
		t.line(open, relation, g, first, line)
		for e, x := range line {
			if x >= least {
				each(i, int32(e), x)
			}
		}
	}
	return int64(n) * int64(len(given))
}
