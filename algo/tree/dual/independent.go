package dual

import "parlance/algo/tree"

// Independent appends the numbers of the parts that the automata choose each for itself, and returns
// their score: the best of all sets of arcs, in which a token may have no head or several. Training
// with these needs no tree (Koo et al. 2010, section 6).
func (d *Decoder) Independent(p *tree.Parts, score []float64, parts []int32) ([]int32, float64) {
	d.load(d.f, p, score, 0)
	sum := 0.0
	for h := range p.N + 1 {
		d.decode(h)
		sum += d.value[h]
		j := 0
		if d.parent[h] >= 0 {
			j = p.Rank(int(d.parent[h]))
		}
		for side := tree.Left; side <= tree.Right; side++ {
			if h > 0 || side == tree.Right {
				parts = d.chosen(h, side, j, parts)
			}
		}
	}
	return parts, sum
}

// chosen appends the parts of the modifiers of a head on a side.
func (d *Decoder) chosen(h, side, j int, parts []int32) []int32 {
	p := d.p
	from, to := p.Of(h, side)
	k, end := 0, p.NoEnd(h, side)
	for x := from; x < to; x++ {
		if !d.take[x] {
			continue
		}
		parts = append(parts, int32(x), int32(p.Sib(x, k)))
		if d.grand {
			if parts = append(parts, int32(p.GrandSib(x, j, k))); h > 0 {
				parts = append(parts, int32(p.Grand(x, j)))
			}
		}
		k, end = x-from+1, p.End(x)
	}
	return append(parts, int32(end))
}
