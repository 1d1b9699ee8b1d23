package zeroone

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"parlance/algo/engine/partition"
)

// ErrNodes tells that the search has spent its nodes before it found an assignment that obeys all constraints. There
// may be one.
var ErrNodes = errors.New("the search has found no assignment within its nodes")

// Options bound the work.
type Options struct {
	Nodes int // at most this many nodes of the search in each component
}

// Defaults are options under which components like those of BENCHMARKS.md are certified.
func Defaults() Options { return Options{Nodes: 20_000} }

// Solution is an assignment with its value.
type Solution struct {
	X     []bool
	Value float64
	Bound float64 // no assignment has a greater value
	Nodes int     // nodes of the search

	Certified bool // no assignment is better, but for rounding
}

// Gap returns how much better an assignment might be.
func (s Solution) Gap() float64 { return max(0, s.Bound-s.Value) }

// Infeasible tells that no assignment obeys the constraints.
type Infeasible struct {
	Constraints []string // the names of those that contradict each other are among these
}

func (e *Infeasible) Error() string {
	const most = 8
	names, more := e.Constraints, ""
	if len(names) > most {
		names, more = names[:most], fmt.Sprintf(" and %d more", len(names)-most)
	}
	return "no assignment obeys the constraints " + strings.Join(names, ", ") + more
}

// Solve finds the best assignment. The error is Infeasible where there is none. Equal programs have equal answers.
func (p *Problem) Solve(ctx context.Context, o Options) (Solution, error) {
	if p.err != nil {
		return Solution{}, p.err
	}
	s := Solution{X: make([]bool, len(p.objective)), Certified: true}
	found := true
	for _, part := range p.components() {
		if err := part.solve(ctx, o, &s); errors.Is(err, ErrNodes) {
			found = false
		} else if err != nil {
			return Solution{}, err
		}
	}
	if !found {
		return Solution{Bound: s.Bound, Nodes: s.Nodes}, ErrNodes
	}
	for j, x := range s.X {
		if x {
			s.Value += p.objective[j]
		}
	}
	if s.Bound = max(s.Bound, s.Value); s.Certified {
		s.Bound = s.Value
	}
	return s, nil
}

// component is variables and the constraints over them, by their numbers in a problem.
type component struct {
	p           *Problem
	vars        []int
	constraints []int
}

// components returns those of a problem by their first variables; constraints without variables are one of their own.
func (p *Problem) components() []component {
	var all component
	for j := range p.objective {
		all.vars = append(all.vars, j)
	}
	var empty []int
	for r, c := range p.constraints {
		if len(c.terms) > 0 {
			all.constraints = append(all.constraints, r)
		} else {
			empty = append(empty, r)
		}
	}
	parts := p.split(all)
	if empty != nil {
		parts = append(parts, component{p: p, constraints: empty})
	}
	return parts
}

// split returns the parts of a component, whose variables rise, that share no constraint. Each constraint has a
// variable in it.
func (p *Problem) split(whole component) []component {
	place := make(map[int]int32, len(whole.vars))
	for i, j := range whole.vars {
		place[j] = int32(i)
	}
	sets := partition.NewUnionFind(len(whole.vars))
	first := make([]int32, len(whole.constraints)) // place of a variable
	for i, r := range whole.constraints {
		first[i] = -1
		for _, t := range p.constraints[r].terms {
			if at, ok := place[t.Var]; ok && first[i] < 0 {
				first[i] = at
			} else if ok {
				sets.Union(first[i], at)
			}
		}
	}
	labels := sets.Labels(nil)
	parts := make([]component, sets.Sets())
	for i, j := range whole.vars {
		c := &parts[labels[i]]
		c.p, c.vars = p, append(c.vars, j)
	}
	for i, r := range whole.constraints {
		c := &parts[labels[first[i]]]
		c.constraints = append(c.constraints, r)
	}
	return parts
}

// solve adds the answer of the component to s.
func (c *component) solve(ctx context.Context, o Options, s *Solution) error {
	whole := newState(c, nil)
	if !whole.propagate() {
		return c.infeasible()
	}
	var free component
	for i, j := range c.vars {
		if x := whole.x[i]; x < 0 {
			free.vars = append(free.vars, j)
		} else if x == 1 {
			s.X[j] = true
			s.Bound += c.p.objective[j]
		}
	}
	for i, r := range c.constraints {
		if whole.open(i) {
			free.constraints = append(free.constraints, r)
		}
	}
	found := true
	for _, part := range c.p.split(free) {
		b := newBranching(newState(&part, s.X))
		err := b.run(ctx, o.Nodes)
		s.Nodes += b.nodes
		s.Bound += b.open
		s.Certified = s.Certified && b.certified
		switch {
		case errors.Is(err, errNone):
			return c.infeasible()
		case errors.Is(err, ErrNodes):
			found = false
		case err != nil:
			return err
		}
		for i, j := range part.vars {
			s.X[j] = found && b.best[i] == 1
		}
	}
	if !found {
		return ErrNodes
	}
	return nil
}

func (c *component) infeasible() error {
	e := &Infeasible{}
	for _, r := range c.constraints {
		e.Constraints = append(e.Constraints, c.p.constraints[r].name)
	}
	slices.Sort(e.Constraints)
	e.Constraints = slices.Compact(e.Constraints)
	return e
}
