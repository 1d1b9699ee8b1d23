package tree

import (
	"math"

	"parlance/algo/numeric/buffer"
)

// MBR decodes for the greatest expected number of right heads (minimum Bayes risk): the scores of
// arcs are their probabilities.
type MBR struct {
	decoder Decoder
	summer  Summer
	mu      []float64
}

// NewMBR takes a decoder for factorization Arc and a summer for the factorization of the parts.
func NewMBR(decoder Decoder, summer Summer) *MBR { return &MBR{decoder: decoder, summer: summer} }

// Best is that of Decoder but returns the expected number of right heads.
func (d *MBR) Best(p *Parts, score []float64, heads []int32) (float64, bool) {
	d.mu = buffer.Resize(d.mu, p.Len())
	if z, ok := d.summer.Marginals(p, score, d.mu); !ok {
		return z, false
	}
	for a := range p.Head {
		if math.IsInf(score[a], -1) {
			d.mu[a] = score[a]
		}
	}
	return d.decoder.Best(p, d.mu, heads)
}
