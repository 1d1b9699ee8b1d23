package nonlocal

import (
	"math"

	"parlance/algo/numeric/buffer"
)

// table is the local scores of one text:
//
//	s(y) = Σ_t node[t, y_t] + Σ_{t>0} edge[t, y_{t−1}, y_t]
//
// −Inf forbids.
type table struct {
	labels, n int
	node      []float64 // n×labels
	edge      []float64 // of token t from t·stride: labels×labels
	stride    int       // 0 where all tokens share their edges
}

func (b *table) resize(labels, n int, shared bool) {
	b.labels, b.n, b.stride = labels, n, labels*labels
	size := n
	if shared {
		b.stride, size = 0, 1
	}
	b.node, b.edge = buffer.Resize(b.node, n*labels), buffer.Resize(b.edge, size*labels*labels)
	clear(b.node)
	clear(b.edge)
}

func (b *table) nodes(t int) []float64 { return b.node[t*b.labels:][:b.labels] }

// edges returns the scores of the labels at token t after label j.
func (b *table) edges(t, j int) []float64 { return b.edge[t*b.stride+j*b.labels:][:b.labels] }

// score returns s(y).
func (b *table) score(y []uint16) float64 {
	s := 0.0
	for t, k := range y {
		if t > 0 {
			s += b.edges(t, int(y[t-1]))[k]
		}
		s += b.nodes(t)[k]
	}
	return s
}

var blocked = math.Inf(-1)
