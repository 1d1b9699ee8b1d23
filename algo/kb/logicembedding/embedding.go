package logicembedding

import (
	"math"
	"math/rand/v2"

	"parlance/algo/kb/logic"
	"parlance/algo/numeric/buffer"
)

// embedding is the vectors [p] ∈ ℝᵏ of pairs and the matrices [R] ∈ ℝ²ˣᵏ of relations.
type embedding struct {
	k         int
	pairs     []float64 // k a pair
	relations []float64 // 2k a relation, the row of truth first
}

// grow adds rows drawn from N(0, sd²) for pairs and relations that are new, in their order.
func (e *embedding) grow(pairs, relations int, sd float64, rng *rand.Rand) {
	draw := func(list []float64, n int) []float64 {
		for len(list) < n {
			list = append(list, sd*rng.NormFloat64())
		}
		return list
	}
	e.pairs = draw(e.pairs, pairs*e.k)
	e.relations = draw(e.relations, relations*2*e.k)
}

func (e *embedding) pair(p int32) []float64     { return e.pairs[int(p)*e.k:][:e.k] }
func (e *embedding) relation(r int32) []float64 { return e.relations[int(r)*2*e.k:][:2*e.k] }

// atom is [R][p].
func (e *embedding) atom(relation, pair int32) logic.Vec {
	p, r := e.pair(pair), e.relation(relation)
	yes, no := r[:len(p)], r[len(p):][:len(p)]
	var v logic.Vec
	for j, x := range p {
		v[0] += yes[j] * x
		v[1] += no[j] * x
	}
	return v
}

// finite reports whether all values are numbers.
func (e *embedding) finite() bool {
	for _, list := range [][]float64{e.pairs, e.relations} {
		for _, x := range list {
			if math.IsNaN(x) || math.IsInf(x, 0) {
				return false
			}
		}
	}
	return true
}

// stepper takes steps of stochastic gradient descent. It owns its buffers, so that a step allocates nothing.
type stepper struct {
	*embedding
	squared                bool
	eta, l2                float64
	values, grads          []logic.Vec // of atoms
	nodes, work            []logic.Vec
	pairOf, relationOf     []int       // by atom: index into the distinct ones
	pairRows, relationRows [][]float64 // of distinct ones
	slopes                 []float64   // gradients of distinct pairs, k each
	distinct               []int32
}

// residual is the loss, n = ‖v − t‖ or n², and its gradient g; false where that vanishes.
func (s *stepper) residual(v logic.Vec, target logic.Vec, weight float64) (loss float64, g logic.Vec, ok bool) {
	d := logic.Vec{v[0] - target[0], v[1] - target[1]}
	n := math.Sqrt(d[0]*d[0] + d[1]*d[1])
	if n < 1e-12 {
		return 0, d, false
	}
	loss, scale := n, 1/n
	if s.squared {
		loss, scale = n*n, 2
	}
	weight = min(weight, 1/s.eta) // a heavy fact moves by no more than the gradient
	return weight * loss, logic.Vec{weight * scale * d[0], weight * scale * d[1]}, true
}

// rate is the learning rate of a step whose gradient has the squared length: no more than
// loss/‖∇‖² with the squared loss (Polyak 1987), lest steps between large values overshoot and run away.
func (s *stepper) rate(loss, length float64) float64 {
	if s.squared && s.eta*length > loss {
		return loss / length
	}
	return s.eta
}

// fact takes a step towards the target for the atom R(p):
//
//	∂/∂[p] = [R]ᵀg    ∂/∂[R] = g[p]ᵀ
func (s *stepper) fact(relation, pair int32, target logic.Vec, weight float64) float64 {
	loss, g, ok := s.residual(s.atom(relation, pair), target, weight)
	if !ok {
		return 0
	}
	p, r := s.pair(pair), s.relation(relation)
	yes, no := r[:len(p)], r[len(p):][:len(p)]
	keep, eta := 1-s.eta*s.l2, s.eta
	if s.squared {
		length := 0.0
		for j, x := range p {
			m := yes[j]*g[0] + no[j]*g[1]
			length += m*m + (g[0]*g[0]+g[1]*g[1])*x*x
		}
		eta = s.rate(loss, length)
	}
	g0, g1 := eta*g[0], eta*g[1]
	for j, x := range p {
		y, n := yes[j], no[j]
		p[j] = keep*x - (y*g0 + n*g1)
		yes[j] = keep*y - g0*x
		no[j] = keep*n - g1*x
	}
	return loss
}

// instance takes a step towards the truth of an instance of a rule: pairs has one an atom. All
// gradients are computed before a value changes; what occurs more than once gets their sum and
// one penalty.
func (s *stepper) instance(b *logic.Bound, pairs []int32, weight float64) float64 {
	s.fit(len(b.Atoms), len(b.Tree.Nodes))
	for i, a := range b.Atoms {
		s.values[i] = s.atom(a.Relation, pairs[i])
	}
	loss, g, ok := s.residual(b.Tree.Eval(s.values, s.nodes), logic.True, weight)
	if !ok {
		return 0
	}
	b.Tree.Gradient(g, s.nodes, s.work, s.grads)
	s.collect(b, pairs)
	s.update(loss)
	return loss
}

// fit makes the buffers as long as a tree wants them.
func (s *stepper) fit(atoms, nodes int) {
	if len(s.nodes) != nodes {
		s.nodes, s.work = buffer.Resize(s.nodes, nodes), buffer.Resize(s.work, nodes)
	}
	if len(s.values) != atoms {
		s.values, s.grads = buffer.Resize(s.values, atoms), buffer.Resize(s.grads, atoms)
		s.pairOf, s.relationOf = buffer.Resize(s.pairOf, atoms), buffer.Resize(s.relationOf, atoms)
		s.slopes, s.distinct = buffer.Resize(s.slopes, atoms*s.k), buffer.Resize(s.distinct, atoms)
	}
}

// collect finds the distinct pairs and relations of an instance.
func (s *stepper) collect(b *logic.Bound, pairs []int32) {
	s.pairRows, s.relationRows = s.pairRows[:0], s.relationRows[:0]
	for i, p := range pairs {
		k := 0
		for k < len(s.pairRows) && s.distinct[k] != p {
			k++
		}
		if k == len(s.pairRows) {
			s.distinct[k] = p
			s.pairRows = append(s.pairRows, s.pair(p))
		}
		s.pairOf[i] = k
	}
	for i, a := range b.Atoms {
		k := 0
		for k < len(s.relationRows) && s.distinct[k] != a.Relation {
			k++
		}
		if k == len(s.relationRows) {
			s.distinct[k] = a.Relation
			s.relationRows = append(s.relationRows, s.relation(a.Relation))
		}
		s.relationOf[i] = k
	}
}

// update finds the gradients of the pairs from the old relations, then changes the relations by the
// old pairs, then the pairs.
func (s *stepper) update(loss float64) {
	keep, k := 1-s.eta*s.l2, s.k
	slopes := s.slopes[:k*len(s.pairRows)]
	clear(slopes)
	for i, g := range s.grads {
		r := s.relationRows[s.relationOf[i]]
		to := slopes[s.pairOf[i]*k:][:k]
		yes, no := r[:len(to)], r[k:][:len(to)]
		for j := range to {
			to[j] += yes[j]*g[0] + no[j]*g[1]
		}
	}
	eta := s.eta
	if s.squared {
		eta = s.rate(loss, square(slopes)+s.relationLength())
	}
	for _, r := range s.relationRows {
		for j := range r {
			r[j] *= keep
		}
	}
	for i, g := range s.grads {
		p, r := s.pairRows[s.pairOf[i]], s.relationRows[s.relationOf[i]]
		yes, no := r[:len(p)], r[k:][:len(p)]
		g0, g1 := eta*g[0], eta*g[1]
		for j, x := range p {
			yes[j] -= g0 * x
			no[j] -= g1 * x
		}
	}
	for i, p := range s.pairRows {
		from := slopes[i*k:][:len(p)]
		for j := range p {
			p[j] = keep*p[j] - eta*from[j]
		}
	}
}

// relationLength bounds the squared length of the gradient of the relations from above:
// Σ_R (Σ_a ‖g_a‖·‖p_a‖)² over the atoms a of each relation R.
func (s *stepper) relationLength() float64 {
	total := 0.0
	for r := range s.relationRows {
		sum := 0.0
		for i, g := range s.grads {
			if s.relationOf[i] == r {
				sum += math.Sqrt((g[0]*g[0] + g[1]*g[1]) * square(s.pairRows[s.pairOf[i]]))
			}
		}
		total += sum * sum
	}
	return total
}

func square(v []float64) float64 {
	sum := 0.0
	for _, x := range v {
		sum += x * x
	}
	return sum
}
