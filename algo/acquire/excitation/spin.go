package excitation

import (
	"context"
	"math"
)

// graph is signed links between nodes, by rows; both directions are there.
type graph struct {
	start []int
	to    []uint32
	w     []float64 // weights, w_ij = w_ji
}

// edge is a link between two nodes, i < j.
type edge struct {
	i, j uint32
	w    float64 // its sign, or a signed strength
}

// newGraph makes the normalised graph of links: w_ij = w/√(d_i d_j), with d the number of links of a node.
func newGraph(n int, edges []edge) *graph {
	g := &graph{start: make([]int, n+1)}
	for _, e := range edges {
		g.start[e.i+1]++
		g.start[e.j+1]++
	}
	for i := range n {
		g.start[i+1] += g.start[i]
	}
	g.to, g.w = make([]uint32, 2*len(edges)), make([]float64, 2*len(edges))
	next := append([]int(nil), g.start[:n]...)
	put := func(from, to uint32, w float64) {
		g.to[next[from]], g.w[next[from]] = to, w
		next[from]++
	}
	for _, e := range edges {
		w := e.w / math.Sqrt(float64(g.degree(int(e.i)))*float64(g.degree(int(e.j))))
		put(e.i, e.j, w)
		put(e.j, e.i, w)
	}
	return g
}

func (g *graph) degree(i int) int { return g.start[i+1] - g.start[i] }

// field is Σ_j w_ij m_j.
func (g *graph) field(i int, m []float64) (sum float64) {
	for k := g.start[i]; k < g.start[i+1]; k++ {
		sum += g.w[k] * m[g.to[k]]
	}
	return sum
}

// spins is the spin model: the means of its mean field.
type spins struct {
	g        *graph
	beta     float64
	coupling float64   // α of the seeds; 0: they are fixed
	seed     []float64 // ±1 of seeds, 0 of others
}

const (
	maxSweeps = 1000
	tolerance = 1e-9
)

// solve finds the means, from 0 and the seeds, node after node:
//
//	m_i = tanh( β Σ_j w_ij m_j + 2αa_i )       a_i the sign of a seed; with fixed seeds m_i = a_i
//
// For β < 1 there is one solution, whatever it begins with. It returns the number of sweeps.
func (s *spins) solve(ctx context.Context, m []float64) (int, error) {
	copy(m, s.seed)
	for sweep := 1; sweep <= maxSweeps; sweep++ {
		if err := ctx.Err(); err != nil {
			return sweep, err
		}
		change := 0.0
		for i := range m {
			x := s.mean(i, m)
			change = max(change, math.Abs(x-m[i]))
			m[i] = x
		}
		if change < tolerance {
			return sweep, nil
		}
	}
	return maxSweeps, nil
}

func (s *spins) mean(i int, m []float64) float64 {
	if s.coupling == 0 && s.seed[i] != 0 {
		return s.seed[i]
	}
	return math.Tanh(s.beta*s.g.field(i, m) + 2*s.coupling*s.seed[i])
}

// energy is E = −½ Σ_ij w_ij m_i m_j.
func (s *spins) energy(m []float64) (e float64) {
	for i := range m {
		e -= m[i] * s.g.field(i, m) / 2
	}
	return e
}

// free is the free energy F = βE + Σ_i [ (1+m_i)/2 ln (1+m_i)/2 + (1−m_i)/2 ln (1−m_i)/2 ], without the seeds' own
// part.
func (s *spins) free(m []float64) float64 {
	f := s.beta * s.energy(m)
	part := func(p float64) float64 {
		if p <= 0 {
			return 0
		}
		return p * math.Log(p)
	}
	for _, x := range m {
		f += part((1+x)/2) + part((1-x)/2)
	}
	return f
}
