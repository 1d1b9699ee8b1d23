// Package dual finds dependency trees under scores of siblings and grandparents whose arcs may cross
// by dual decomposition (Koo, Rush, Collins, Jaakkola and Sontag 2010): head automata score
// modifiers, a decoder of trees sees to it that they are a tree, and prices of arcs make both agree.
package dual

import (
	"context"
	"fmt"
	"math"

	"parlance/algo/numeric/buffer"
	"parlance/algo/parse/tree"
)

// Options of a search.
type Options struct {
	Iterations  int // at most, from 1; of each subproblem where the search is exact
	Step        Step
	Beta        float64 // share of the scores of arcs that goes to the trees, from 0 to 1
	Eager       bool    // decode all automata in each iteration, not only those whose prices changed
	Subproblems int     // at most, of branch and bound; 0 does not branch
}

// Step is a rule for how far prices move in an iteration.
type Step uint8

const (
	// Polyak is 1.5·(dual value − best score) over the number of arcs that differ, times 0.7 after
	// each 20 iterations without a lower bound (Polyak 1969, Held, Wolfe and Crowder 1974).
	Polyak Step = iota
	// Decreasing is δ/(1 + η), δ the first gap, η how often the dual value rose (Koo et al. 2010).
	Decreasing
)

var steps = []string{"polyak", "decreasing"}

func (s Step) String() string { return steps[s] }

// Defaults branch early, which on sentences of treebanks ends sooner than iterating on, and nearly always with the best
// tree.
func Defaults() Options { return Options{Iterations: 50, Beta: 0.001, Subproblems: 200} }

// Check tells which option is out of range.
func (o Options) Check() error {
	switch {
	case o.Iterations < 1:
		return fmt.Errorf("iterations %d, want at least 1", o.Iterations)
	case !(o.Beta >= 0 && o.Beta <= 1):
		return fmt.Errorf("beta %v, want 0 to 1", o.Beta)
	case int(o.Step) >= len(steps):
		return fmt.Errorf("step %d, want one of %v", o.Step, steps)
	case o.Subproblems < 0:
		return fmt.Errorf("subproblems %d, want 0 or more", o.Subproblems)
	}
	return nil
}

// Result is what a search found.
type Result struct {
	Heads       []int32 // of the best tree seen; entry 0 is not used
	Score       float64
	Certified   bool    // it is the best tree there is
	Bound       float64 // no tree scores more
	Iterations  int     // of all subproblems
	Subproblems int     // 1 without branching
}

// tolerance of the gap at which a tree counts as the best: exact ties never end in agreement.
const tolerance = 1e-6

// Decoder finds trees under tree.HeadAutomata or tree.GrandparentSibling. It keeps buffers: one
// goroutine at a time.
type Decoder struct {
	f       tree.Factorization
	trees   tree.Decoder
	options Options

	automata
	weight []float64 // of arcs, for the trees
	heads  []int32   // of the last tree
	dirty  []change  // by head
	differ []int32   // by arc, iterations in which tree and automata differed
	best   Result
}

// New takes a factorization and the decoder that tells what a tree is: tree.NewArborescence, or
// tree.NewEisner for projective ones.
func New(f tree.Factorization, trees tree.Decoder, o Options) (*Decoder, error) {
	if f != tree.HeadAutomata && f != tree.GrandparentSibling {
		return nil, fmt.Errorf("dual decomposition takes factorizations %v and %v, not %v", tree.HeadAutomata,
			tree.GrandparentSibling, f)
	}
	return &Decoder{f: f, trees: trees, options: o}, o.Check()
}

// Best is that of tree.Decoder. The tree need not be the best one: Solve tells.
func (d *Decoder) Best(p *tree.Parts, score []float64, heads []int32) (float64, bool) {
	r, err := d.Solve(context.Background(), p, score, heads)
	return r.Score, err == nil && !math.IsInf(r.Score, -1)
}

// Solve writes the best tree seen to heads, which the result holds too. Without a tree its score is
// −∞. An iteration costs that of the trees and what is left of the automata, O(Σ arcs²) a head, times
// the parents with grandparents. The error is that of ctx, which is heeded between iterations; within them
// that of the parts is.
func (d *Decoder) Solve(ctx context.Context, p *tree.Parts, score []float64, heads []int32) (Result, error) {
	d.load(d.f, p, score, d.options.Beta)
	arcs := p.Arcs.Len()
	d.weight, d.differ = buffer.Resize(d.weight, arcs), buffer.Resize(d.differ, arcs)
	d.heads, d.dirty = buffer.Resize(d.heads, p.N+1), buffer.Resize(d.dirty, p.N+1)
	d.best = Result{Heads: heads, Score: math.Inf(-1)}
	var err error
	if d.options.Subproblems > 0 {
		err = d.branch(ctx)
	} else {
		var s outcome
		s, err = d.descend(ctx)
		d.best.Subproblems, d.best.Bound, d.best.Certified = 1, s.bound, s.solved
	}
	d.best.Bound = max(d.best.Bound, d.best.Score)
	return d.best, err
}

// outcome is that of one subproblem.
type outcome struct {
	bound  float64 // −∞ if it has no tree
	solved bool    // the best tree seen is no worse than all of its trees
}

// descend lowers the dual value by subgradients from the prices there are (Koo et al. 2010, figure 1).
func (d *Decoder) descend(ctx context.Context) (outcome, error) {
	out, s := outcome{bound: math.Inf(1)}, stepper{rule: d.options.Step}
	clear(d.differ)
	for i := range d.dirty {
		d.dirty[i] = all
	}
	for range d.options.Iterations {
		d.best.Iterations++
		dual, ok := d.evaluate()
		if err := ctx.Err(); err != nil {
			return out, err
		}
		if !ok || math.IsInf(dual, -1) {
			return outcome{math.Inf(-1), true}, nil
		}
		gap := dual - d.primal()
		out.bound = min(out.bound, dual)
		if d.closed(out.bound) {
			out.solved = true
			return out, nil
		}
		if s.rule == Polyak {
			gap = dual - d.best.Score
		}
		if !d.move(s.next(dual, gap, d.differing())) {
			out.solved = true // tree and automata agree
			return out, nil
		}
	}
	return out, nil
}

// closed tells whether no tree under a bound is better than the best one seen.
func (d *Decoder) closed(bound float64) bool {
	return !math.IsInf(d.best.Score, -1) && bound-d.best.Score <= tolerance*(1+math.Abs(d.best.Score))
}

// evaluate decodes both sides under the prices and returns the dual value; false without a tree.
func (d *Decoder) evaluate() (float64, bool) {
	p := d.p
	for x := range d.weight {
		if d.barred[x] {
			d.weight[x] = math.Inf(-1)
			continue
		}
		d.weight[x] = d.options.Beta*d.dep[x] + d.u[x] + d.v[x]
	}
	sum, ok := d.trees.Best(p, d.weight, d.heads)
	if !ok {
		return 0, false
	}
	for h := range p.N + 1 {
		if p.Ended() {
			return 0, false
		}
		if d.options.Eager {
			d.dirty[h] = all
		}
		d.decode(h, d.dirty[h])
		d.dirty[h] = clean
		sum += d.value[h]
	}
	return sum, true
}

// primal returns the score of the last tree and keeps it if it is the best.
func (d *Decoder) primal() float64 {
	sum := 0.0
	for h := range d.p.N + 1 {
		sum += d.score(d.heads, h)
	}
	for m := 1; m <= d.p.N; m++ {
		sum += d.options.Beta * d.dep[d.p.Find(int(d.heads[m]), m)]
	}
	if sum > d.best.Score {
		d.best.Score = sum
		copy(d.best.Heads, d.heads)
	}
	return sum
}

// differing returns how many prices will change.
func (d *Decoder) differing() int {
	n := 0
	for x, taken := range d.take {
		m := d.p.Mod[x]
		inTree := d.heads[m] == d.p.Head[x]
		if taken != inTree {
			n++
		}
		if d.grand && (d.parent[m] == int32(x)) != inTree {
			n++
		}
	}
	return n
}

// move changes the prices where tree and automata differ; false if they nowhere do.
func (d *Decoder) move(step float64) bool {
	moved := false
	for x, taken := range d.take {
		h, m := d.p.Head[x], d.p.Mod[x]
		inTree := d.heads[m] == h
		if taken != inTree {
			d.u[x] += toward(taken, step)
			d.dirty[h] |= onSide(d.p.Direction(x))
			moved = true
			d.differ[x]++
		}
		if !d.grand {
			continue
		}
		if chosen := d.parent[m] == int32(x); chosen != inTree {
			d.v[x] += toward(chosen, step)
			d.dirty[m] |= parents
			moved = true
			d.differ[x]++
		}
	}
	return moved
}

func toward(automaton bool, step float64) float64 {
	if automaton {
		return step
	}
	return -step
}
