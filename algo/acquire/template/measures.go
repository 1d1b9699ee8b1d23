package template

import "math"

// Weights are the positive pointwise mutual informations of all cells, with the sum of each row.
type Weights struct {
	c   *Counts
	W   []float64 // beside the cells of Counts.Rows; 0 where it is not positive
	Sum []float64 // of each row
}

// Weigh computes the weights.
func (c *Counts) Weigh() *Weights {
	x := &Weights{c: c, W: make([]float64, len(c.Rows.IDs)), Sum: make([]float64, len(c.Templates))}
	for t := range c.Templates {
		for k := c.Rows.Start[t]; k < c.Rows.Start[t+1]; k++ {
			// w_t(f) = ln( c(f,t)·N / (c(t)·c(f)) )
			if w := math.Log(c.Rows.Counts[k] * c.Total / (c.OfRow[t] * c.OfColumn[c.Rows.IDs[k]])); w > 0 {
				x.W[k] = w
				x.Sum[t] += w
			}
		}
	}
	return x
}

// Shared is the sums of the weights, of either row, of the nouns that both rows have with a positive weight.
func (x *Weights) Shared(l, r int) (ofL, ofR float64) {
	x.each(l, r, func(a, b int) { ofL, ofR = ofL+x.W[a], ofR+x.W[b] })
	return ofL, ofR
}

// each yields the cells of nouns with a positive weight in both rows.
func (x *Weights) each(l, r int, yield func(a, b int)) {
	rows := x.c.Rows
	a, b := rows.Start[l], rows.Start[r]
	for a < rows.Start[l+1] && b < rows.Start[r+1] {
		switch f, g := rows.IDs[a], rows.IDs[b]; {
		case f < g:
			a++
		case g < f:
			b++
		default:
			if x.W[a] > 0 && x.W[b] > 0 {
				yield(a, b)
			}
			a++
			b++
		}
	}
}

// Lin is Σ_{f∈F_l∩F_r} (w_l(f)+w_r(f)) / (Σ_{F_l} w_l + Σ_{F_r} w_r), from 0 to 1.
func (x *Weights) Lin(l, r int) float64 {
	a, b := x.Shared(l, r)
	return x.LinOf(l, r, a, b)
}

// LinOf is Lin of shared sums.
func (x *Weights) LinOf(l, r int, ofL, ofR float64) float64 { return ratio(ofL+ofR, x.Sum[l]+x.Sum[r]) }

// PrecisionOf is Σ_{f∈F_l∩F_r} w_l(f) / Σ_{F_l} w_l: how much of l the nouns of r cover.
func (x *Weights) PrecisionOf(l int, ofL float64) float64 { return ratio(ofL, x.Sum[l]) }

func ratio(a, b float64) float64 {
	if b <= 0 {
		return 0
	}
	return min(a/b, 1)
}
