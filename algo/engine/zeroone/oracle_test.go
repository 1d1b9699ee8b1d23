package zeroone

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// program is what a Problem is made of, for the oracle.
type program struct {
	cost []float64
	rows []testRow
}

type testRow struct {
	terms []Term
	sense Sense
	right int
}

func (g *program) problem() *Problem {
	p := &Problem{}
	for _, c := range g.cost {
		p.Variable(c)
	}
	for r, row := range g.rows {
		p.Constrain(fmt.Sprint("r", r), row.terms, row.sense, row.right)
	}
	return p
}

// obeys checks an assignment, a set of bits.
func (g *program) obeys(x int) bool {
	for _, r := range g.rows {
		sum := 0
		for _, t := range r.terms {
			sum += t.Coef * (x >> t.Var & 1)
		}
		if sum > r.right && r.sense != AtLeast || sum < r.right && r.sense != AtMost {
			return false
		}
	}
	return true
}

func (g *program) value(x int) (sum float64) {
	for j, c := range g.cost {
		if x>>j&1 == 1 {
			sum += c
		}
	}
	return sum
}

// best enumerates: −Inf if nothing obeys.
func (g *program) best() float64 {
	best := math.Inf(-1)
	for x := range 1 << len(g.cost) {
		if v := g.value(x); v > best && g.obeys(x) {
			best = v
		}
	}
	return best
}

// random draws constraints of the usual kinds and of any other.
func random(rng *rand.Rand, n int, cost func() float64) *program {
	g := &program{}
	for range n {
		g.cost = append(g.cost, cost())
	}
	if n == 0 {
		return g
	}
	some := func(most int) (terms []Term) {
		for _, j := range rng.Perm(n)[:min(n, 1+rng.IntN(most))] {
			terms = append(terms, Term{j, 1})
		}
		return terms
	}
	for range rng.IntN(n + 2) {
		r := testRow{terms: some(4), sense: Sense(rng.IntN(3)), right: 1}
		switch rng.IntN(3) {
		case 0: // any coefficients, some variables twice, some constraints empty
			for i := range r.terms {
				r.terms[i].Coef = rng.IntN(9) - 4
			}
			if rng.IntN(4) == 0 {
				r.terms = append(r.terms, r.terms[0])
			}
			r.right = rng.IntN(7) - 3
		case 1: // implications and equalities
			r.terms = append(some(1), Term{rng.IntN(n), -1})
			r.right = 0
		}
		g.rows = append(g.rows, r)
	}
	return g
}

// correlation is the program of correlation clustering: a variable a pair, three constraints a triangle.
func correlation(rng *rand.Rand, n int) (p *Problem, pair func(a, b int) int, weight []float64) {
	p = &Problem{}
	number := map[[2]int]int{}
	for b := range n {
		for a := range b {
			w := rng.NormFloat64()
			number[[2]int{a, b}] = p.Variable(w)
			weight = append(weight, w)
		}
	}
	pair = func(a, b int) int { return number[[2]int{min(a, b), max(a, b)}] }
	for c := range n {
		for b := range c {
			for a := range b {
				x, y, z := pair(a, b), pair(b, c), pair(a, c)
				for _, t := range [][3]int{{x, y, z}, {y, z, x}, {x, z, y}} {
					p.Constrain(fmt.Sprint("triangle ", a, b, c), []Term{{t[0], 1}, {t[1], 1}, {t[2], -1}}, AtMost, 1)
				}
			}
		}
	}
	return p, pair, weight
}
