package hiddenreranker

import (
	"math"

	"parlance/algo/engine/belief"
)

// scorer scores the candidates of a problem. It belongs to one goroutine.
type scorer struct {
	m        *member
	p        *problem
	single   [][]float64 // ψ of each word by value, then its gradient
	pair     [][]float64 // ψ of each edge by values
	dSingle  [][]float64
	dPair    [][]float64
	beliefs  []belief.Beliefs // of each candidate
	forests  []belief.Forest
	logZ     []float64 // log Σ_h exp(θ·φ(t, h)) of each candidate
	prob     []float64 // p(t | s)
	memory   []float64
	occupied int
}

func (m *member) scorer() *scorer { return &scorer{m: m} }

// room is n numbers, all 0.
func (s *scorer) room(n int) []float64 {
	if s.occupied+n > len(s.memory) {
		s.memory, s.occupied = make([]float64, max(2*len(s.memory), n, 1<<12)), 0
	}
	out := s.memory[s.occupied : s.occupied+n : s.occupied+n]
	s.occupied += n
	clear(out)
	return out
}

// sum computes log Z of each candidate; scale times theta are the weights.
func (s *scorer) sum(p *problem, theta []float64, scale float64) {
	s.load(p, theta, scale)
	for len(s.beliefs) < len(p.trees) {
		s.beliefs, s.forests = append(s.beliefs, belief.Beliefs{}), append(s.forests, belief.Forest{})
	}
	s.logZ = s.logZ[:0]
	for j := range p.trees {
		s.forest(j)
		s.logZ = append(s.logZ, s.beliefs[j].Sum(&s.forests[j]))
	}
}

// load computes ψ of all words and edges.
func (s *scorer) load(p *problem, theta []float64, scale float64) {
	s.p, s.occupied = p, 0
	s.single, s.pair = s.single[:0], s.pair[:0]
	k := s.m.k
	for _, u := range p.words {
		psi := s.room(int(u.classes) * k)
		for c := range int(u.classes) {
			b := p.blocks[int(u.first)+c]
			part := psi[c*k : (c+1)*k]
			for _, id := range p.ids[b[0]:b[1]] {
				for x, t := range theta[int(id)*k : (int(id)+1)*k] {
					part[x] += t
				}
			}
		}
		less := 0.0
		if s.m.normalise {
			less = math.Log(float64(len(psi)))
		}
		for x := range psi {
			psi[x] = psi[x]*scale - less
		}
		s.single = append(s.single, psi)
	}
	pairs := theta[len(s.m.singles)*k:]
	for _, e := range p.edges {
		psi := s.room(int(e.up*e.down) * k * k)
		s.eachPair(e, func(b [2]int32, x, row int) {
			part := psi[row : row+k]
			for _, id := range p.ids[b[0]:b[1]] {
				for y, t := range pairs[(int(id)*k+x)*k : (int(id)*k+x+1)*k] {
					part[y] += t
				}
			}
		})
		for i := range psi {
			psi[i] *= scale
		}
		s.pair = append(s.pair, psi)
	}
}

// eachPair visits, for each pair of classes of an edge and each value x of the parent's class, where the row of the
// values of the word's class begins in the table of the edge.
func (s *scorer) eachPair(e edgeUnit, visit func(block [2]int32, x, row int)) {
	k, width := s.m.k, int(e.down)*s.m.k
	for cu := range int(e.up) {
		for cv := range int(e.down) {
			b := s.p.blocks[int(e.first)+cu*int(e.down)+cv]
			for x := range k {
				visit(b, x, (cu*k+x)*width+cv*k)
			}
		}
	}
}

// forest makes that of candidate j.
func (s *scorer) forest(j int) {
	f := &s.forests[j]
	f.Parent, f.Single, f.Pair = f.Parent[:0], f.Single[:0], f.Pair[:0]
	for _, e := range s.p.trees[j] {
		f.Parent, f.Single = append(f.Parent, e.parent), append(f.Single, s.single[e.word])
		if e.edge < 0 {
			f.Pair = append(f.Pair, nil)
		} else {
			f.Pair = append(f.Pair, s.pair[e.edge])
		}
	}
}

// small is what a candidate must weigh for its share of a gradient.
const small = 1e-7

// loss is −log p(t₁ | s), after sum. With gradient, that by ψ is computed, for Each:
//
//	Σ_j (p(t_j | s) − [j = 1])·E[φ | t_j]
func (s *scorer) loss(gradient bool) float64 {
	most := s.logZ[0]
	for _, z := range s.logZ {
		most = max(most, z)
	}
	sum := 0.0
	s.prob = s.prob[:0]
	for _, z := range s.logZ {
		s.prob = append(s.prob, math.Exp(z-most))
		sum += s.prob[len(s.prob)-1]
	}
	for j := range s.prob {
		s.prob[j] /= sum
	}
	if gradient {
		s.expect()
	}
	return most + math.Log(sum) - s.logZ[s.p.target]
}

// expect adds up the shares of values.
func (s *scorer) expect() {
	s.dSingle, s.dPair = s.dSingle[:0], s.dPair[:0]
	for _, psi := range s.single {
		s.dSingle = append(s.dSingle, s.room(len(psi)))
	}
	for _, psi := range s.pair {
		s.dPair = append(s.dPair, s.room(len(psi)))
	}
	for j, tree := range s.p.trees {
		by := s.prob[j]
		if j == s.p.target {
			by--
		}
		if math.Abs(by) < small {
			continue
		}
		s.beliefs[j].Marginals(func(v int, single, pair []float64) {
			add(s.dSingle[tree[v].word], single, by)
			if pair != nil {
				add(s.dPair[tree[v].edge], pair, by)
			}
		})
	}
}

func add(dst, list []float64, by float64) {
	for i, x := range list {
		dst[i] += by * x
	}
}

// each visits the weights of the problem with their gradients after loss, some more than once: those from at on are
// changed by the elements of by.
func (s *scorer) each(visit func(at int, by []float64)) {
	k, p := s.m.k, s.p
	for i, u := range p.words {
		for c := range int(u.classes) {
			b := p.blocks[int(u.first)+c]
			part := s.dSingle[i][c*k : (c+1)*k]
			for _, id := range p.ids[b[0]:b[1]] {
				visit(int(id)*k, part)
			}
		}
	}
	first := len(s.m.singles) * k
	for i, e := range p.edges {
		s.eachPair(e, func(b [2]int32, x, row int) {
			part := s.dPair[i][row : row+k]
			for _, id := range p.ids[b[0]:b[1]] {
				visit(first+(int(id)*k+x)*k, part)
			}
		})
	}
}
