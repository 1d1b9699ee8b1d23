// Package zeroone solves small 0/1 programs, as joint inference under constraints needs them (Roth and Yih 2004):
//
//	maximise Σ_j c_j x_j  where  Σ_j a_rj x_j ≤, = or ≥ b_r for each constraint r,  x_j in {0, 1}
//
// with whole numbers a and b. It knows nothing of documents. The answer is certified to be the best one, or says how
// much better another might be.
//
// problem.go has the program, solve.go splits it into components: what shares no constraint is solved alone.
// propagate.go fixes what bounds of the constraints imply, lagrange.go bounds the objective, branch.go searches.
package zeroone

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
)

// ErrInvalid tells that a program makes no sense.
var ErrInvalid = errors.New("invalid 0/1 program")

// MaxCoefficient is the greatest absolute value of a coefficient.
const MaxCoefficient = 1_000_000

// Term is a variable with its coefficient.
type Term struct{ Var, Coef int }

// Sense is how the two sides of a constraint compare.
type Sense uint8

// The senses.
const (
	AtMost  Sense = iota // ≤
	Equal                // =
	AtLeast              // ≥
)

// Problem is a 0/1 program, at first without variables. It belongs to one goroutine.
type Problem struct {
	objective   []float64
	constraints []constraint
	err         error // the first mistake
}

// constraint is Σ terms ≤ or = right.
type constraint struct {
	name  string
	terms []Term
	equal bool
	right int
}

// Variable adds a variable with its coefficient of the objective and returns its number, from 0 on.
func (p *Problem) Variable(objective float64) int {
	if math.IsNaN(objective) || math.IsInf(objective, 0) {
		p.fail("variable %d counts %g in the objective, want a finite number", len(p.objective), objective)
	}
	p.objective = append(p.objective, objective)
	return len(p.objective) - 1
}

// Constrain adds a constraint. Its name is for messages. Terms of one variable add up. Mistakes are told by Solve.
func (p *Problem) Constrain(name string, terms []Term, sense Sense, right int) {
	terms = slices.Clone(terms)
	slices.SortStableFunc(terms, func(a, b Term) int { return cmp.Compare(a.Var, b.Var) })
	c := constraint{name: name, equal: sense == Equal, right: right}
	sign := 1
	if sense == AtLeast {
		sign, c.right = -1, -right
	}
	if right > math.MaxInt32 || right < -math.MaxInt32 || len(terms) > math.MaxInt32 || sense > AtLeast {
		p.fail("constraint %q of %d terms with the right side %d", name, len(terms), right)
		return
	}
	for _, t := range terms {
		if t.Var < 0 || t.Var >= len(p.objective) || t.Coef < -MaxCoefficient || t.Coef > MaxCoefficient {
			p.fail("constraint %q has %d times variable %d of %d", name, t.Coef, t.Var, len(p.objective))
			return
		}
		t.Coef *= sign
		if n := len(c.terms); n > 0 && c.terms[n-1].Var == t.Var {
			c.terms[n-1].Coef += t.Coef
		} else {
			c.terms = append(c.terms, t)
		}
	}
	c.terms = slices.DeleteFunc(c.terms, func(t Term) bool { return t.Coef == 0 })
	p.constraints = append(p.constraints, c)
}

// ExactlyOne makes one of some different variables 1.
func (p *Problem) ExactlyOne(name string, vars ...int) { p.Constrain(name, ones(vars), Equal, 1) }

// AtMostOne makes no two of some different variables 1.
func (p *Problem) AtMostOne(name string, vars ...int) { p.Constrain(name, ones(vars), AtMost, 1) }

// Implies makes a variable 1 where another is: x_a ≤ x_b.
func (p *Problem) Implies(name string, a, b int) {
	p.Constrain(name, []Term{{a, 1}, {b, -1}}, AtMost, 0)
}

// Same makes two variables equal.
func (p *Problem) Same(name string, a, b int) { p.Constrain(name, []Term{{a, 1}, {b, -1}}, Equal, 0) }

func ones(vars []int) []Term {
	terms := make([]Term, len(vars))
	for i, v := range vars {
		terms[i] = Term{v, 1}
	}
	return terms
}

func (p *Problem) fail(format string, args ...any) {
	if p.err == nil {
		p.err = fmt.Errorf("%w: %s", ErrInvalid, fmt.Sprintf(format, args...))
	}
}
