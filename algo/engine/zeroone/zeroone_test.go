package zeroone

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"parlance/algo/engine/partition"
)

var ctx = context.Background()

// costs are kinds of objectives: normal, tiny, tied, extreme, none.
func costs(rng *rand.Rand) []func() float64 {
	return []func() float64{
		rng.NormFloat64,
		func() float64 { return rng.NormFloat64() * 1e-12 },
		func() float64 { return float64(rng.IntN(5) - 2) },
		func() float64 { return float64(rng.IntN(3)-1) * 800 },
		func() float64 { return 0 },
	}
}

// TestEnumeration compares with all assignments of up to 16 variables.
func TestEnumeration(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	feasible, infeasible, uncertain, unknown := 0, 0, 0, 0
	for kind, cost := range costs(rng) {
		for range 300 {
			g := random(rng, rng.IntN(10), cost)
			if rng.IntN(20) == 0 {
				g = random(rng, 16, cost)
			}
			want := g.best()
			for _, o := range []Options{Defaults(), {Nodes: rng.IntN(3)}} {
				s, err := g.problem().Solve(ctx, o)
				var none *Infeasible
				switch {
				case errors.As(err, &none):
					checkInfeasible(t, g, none, want)
					infeasible++
				case errors.Is(err, ErrNodes):
					if unknown++; o.Nodes > 10 || s.Bound < want-1e-9*max(1, math.Abs(want)) {
						t.Errorf("not found with %d nodes, bound %v, want %v", o.Nodes, s.Bound, want)
					}
				case err != nil:
					t.Fatal(err)
				default:
					checkSolution(t, g, s, want, o.Nodes > 10)
					if feasible++; !s.Certified {
						uncertain++
					}
				}
				if t.Failed() {
					t.Fatalf("kind %d: %+v %v, want %v: %+v", kind, s, err, want, g)
				}
			}
		}
	}
	if feasible < 500 || infeasible < 300 || uncertain+unknown < 20 {
		t.Errorf("%d feasible, %d infeasible, %d uncertain, %d unknown", feasible, infeasible, uncertain, unknown)
	}
}

// programOf reads a problem back.
func programOf(p *Problem) *program {
	g := &program{cost: p.objective}
	for _, c := range p.constraints {
		r := testRow{terms: c.terms, right: c.right}
		if c.equal {
			r.sense = Equal
		}
		g.rows = append(g.rows, r)
	}
	return g
}

// TestSearchesEnumerate: where the bound is far off at first, it holds wherever the search ends.
func TestSearchesEnumerate(t *testing.T) {
	deep := 0
	for seed := range uint64(150) {
		rng := rand.New(rand.NewPCG(seed, 7))
		p := knapsacks(rng, 14)
		if seed%3 == 0 {
			p = links(rng, 4)
		} else if seed%3 == 1 {
			p = chains(rng, 3)
		}
		for j := range p.objective { // all choices look alike
			p.objective[j] = math.Round(p.objective[j]*2) + .01*rng.Float64()
		}
		g := programOf(p)
		want := g.best()
		for _, nodes := range []int{1, 2, 3, 5, 8, 13, 21, 34, 1 << 20} {
			s, err := p.Solve(ctx, Options{Nodes: nodes})
			if errors.Is(err, ErrNodes) && nodes < 1<<20 && s.Bound >= want-1e-9 {
				continue
			}
			if err != nil {
				t.Fatalf("seed %d, %d nodes: %v, bound %v, want %v", seed, nodes, err, s.Bound, want)
			}
			if checkSolution(t, g, s, want, nodes == 1<<20); t.Failed() {
				t.Fatalf("seed %d, %d nodes: %+v, want %v", seed, nodes, s, want)
			}
			deep = max(deep, s.Nodes)
		}
	}
	if deep < 20 {
		t.Errorf("at most %d nodes", deep)
	}
}

// TestLagrange: whatever the multipliers, the bound and the losses are those of all assignments that the groups allow.
func TestLagrange(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	grouped := 0
	for range 500 {
		g := random(rng, 1+rng.IntN(7), rng.NormFloat64)
		p := g.problem()
		c := component{p: p}
		for j := range g.cost {
			c.vars = append(c.vars, j)
		}
		for r := range p.constraints {
			c.constraints = append(c.constraints, r)
		}
		s := newState(&c, nil)
		l := newLagrange(s)
		for r := range l.lambda {
			l.lambda[r] = max(0, rng.NormFloat64())
		}
		bound := l.value(s)
		grouped += len(s.groups)
		if best := g.best(); best > bound+1e-9 {
			t.Fatalf("bound %v below %v: %+v", bound, best, g)
		}
		checkLosses(t, g, s, l, bound)
	}
	if grouped < 100 {
		t.Errorf("%d groups", grouped)
	}
}

func checkLosses(t *testing.T, g *program, s *state, l *lagrange, bound float64) {
	t.Helper()
	best := make([]float64, len(g.cost)) // with the other value of each variable
	for j := range best {
		best[j] = math.Inf(-1)
	}
	most := math.Inf(-1)
	for x := range 1 << len(g.cost) {
		allowed := true
		for i, vars := range s.groups {
			count := 0
			for _, j := range vars {
				count += x >> j & 1
			}
			allowed = allowed && (count == 1 || count == 0 && s.atMost[i])
		}
		if !allowed {
			continue
		}
		v := g.value(x)
		for r, m := range l.lambda {
			sum := s.right[r]
			for k := s.start[r]; k < s.start[r+1]; k++ {
				sum -= s.coef[k] * int64(x>>s.of[k]&1)
			}
			v += m * float64(sum)
		}
		most = max(most, v)
		for j := range best {
			if x>>j&1 != int(l.x[j]) {
				best[j] = max(best[j], v)
			}
		}
	}
	if math.Abs(most-bound) > 1e-9 {
		t.Fatalf("bound %v, want %v: %+v", bound, most, g)
	}
	for j, v := range best {
		if math.Abs(bound-l.loss[j]-v) > 1e-9 {
			t.Fatalf("variable %d takes the bound %v to %v, want %v: %+v", j, bound, bound-l.loss[j], v, g)
		}
	}
}

func checkSolution(t *testing.T, g *program, s Solution, want float64, exact bool) {
	t.Helper()
	x, scale := 0, 0.0
	for j, v := range s.X {
		scale += math.Abs(g.cost[j])
		if v {
			x |= 1 << j
		}
	}
	near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-9*scale }
	if len(s.X) != len(g.cost) || !g.obeys(x) || !near(g.value(x), s.Value) {
		t.Errorf("assignment %b obeys %v with value %v", x, g.obeys(x), g.value(x))
	}
	if s.Bound < want-1e-9*scale || exact && !s.Certified || s.Certified && (!near(s.Value, want) || s.Gap() != 0) {
		t.Errorf("value %v, bound %v, want %v", s.Value, s.Bound, want)
	}
}

// checkInfeasible checks that the constraints named contradict each other by themselves.
func checkInfeasible(t *testing.T, g *program, none *Infeasible, want float64) {
	t.Helper()
	part := &program{cost: g.cost}
	for r, row := range g.rows {
		if slices.Contains(none.Constraints, fmt.Sprint("r", r)) {
			part.rows = append(part.rows, row)
		}
	}
	if !math.IsInf(want, -1) || !math.IsInf(part.best(), -1) {
		t.Errorf("%v, but the best is %v, and of these alone %v", none, want, part.best())
	}
}

// TestCorrelationClustering: the program of transitivity has the value of the engine for it.
func TestCorrelationClustering(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, n := range []int{3, 5, 7, 8, 9} {
		p, _, weight := correlation(rng, n)
		var edges []partition.Edge
		for b := range int32(n) {
			for a := range b {
				edges = append(edges, partition.Edge{A: a, B: b, Weight: weight[len(edges)]})
			}
		}
		want, err := partition.Correlation(ctx, n, edges, partition.Defaults())
		if err != nil || !want.Certified {
			t.Fatal(err)
		}
		s, err := p.Solve(ctx, Defaults())
		if err != nil || !s.Certified || math.Abs(s.Value-want.Value) > 1e-9 {
			t.Errorf("%d items: %v %v, want %v", n, s.Value, err, want.Value)
		}
	}
}

// TestWorkedExample: a noun, its verb and its article agree.
func TestWorkedExample(t *testing.T) {
	p := &Problem{}
	v := make([]int, 0, 7)
	for _, prob := range []float64{.45, .55, .9, .1, .6, .3, 1e-9} {
		v = append(v, p.Variable(math.Log(prob)))
	}
	p.ExactlyOne("noun", v[0], v[1])
	p.ExactlyOne("verb", v[2], v[3])
	p.ExactlyOne("article", v[4], v[5], v[6])
	free, err := p.Solve(ctx, Defaults())
	if err != nil || math.Abs(free.Value+1.214023) > 1e-6 {
		t.Errorf("%v %v without constraints", free.Value, err)
	}
	p.Same("agreement", v[0], v[2])
	p.AtMostOne("a with a plural", v[4], v[1])
	s, err := p.Solve(ctx, Defaults())
	if err != nil || math.Abs(s.Value+1.414694) > 1e-6 || !s.Certified ||
		!slices.Equal(s.X, []bool{true, false, true, false, true, false, false}) {
		t.Errorf("%+v %v", s, err)
	}
	p.Implies("the", v[0], v[5])
	if s, err = p.Solve(ctx, Defaults()); err != nil || math.Abs(s.Value+2.107841) > 1e-6 {
		t.Errorf("%+v %v", s, err)
	}
	other := p.Variable(1)
	p.Constrain("elsewhere", []Term{{other, 2}}, AtMost, 1)
	p.Constrain("not the", []Term{{v[5], 1}}, AtMost, 0)
	p.Constrain("singular", []Term{{v[0], 1}}, AtLeast, 1)
	_, err = p.Solve(ctx, Defaults())
	const want = "no assignment obeys the constraints " +
		"a with a plural, agreement, article, not the, noun, singular, the, verb"
	if err == nil || err.Error() != want {
		t.Errorf("%v", err)
	}
}

func TestInvalid(t *testing.T) {
	for name, make := range map[string]func(p *Problem){
		"variable":    func(p *Problem) { p.AtMostOne("", 0, 2) },
		"below":       func(p *Problem) { p.Implies("", -1, 0) },
		"coefficient": func(p *Problem) { p.Constrain("", []Term{{0, MaxCoefficient + 1}}, AtMost, 1) },
		"right":       func(p *Problem) { p.Constrain("", []Term{{0, 1}}, AtMost, math.MaxInt) },
		"sense":       func(p *Problem) { p.Constrain("", []Term{{0, 1}}, 3, 1) },
		"objective":   func(p *Problem) { p.Variable(math.Inf(1)) },
	} {
		p := &Problem{}
		p.Variable(1)
		p.Variable(1)
		make(p)
		if _, err := p.Solve(ctx, Defaults()); !errors.Is(err, ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestConstraintsOnlyCost: a constraint more never raises the value, and parts that share nothing add up.
func TestConstraintsOnlyCost(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(r, "seed"), 0))
		a, b := random(rng, 1+rng.IntN(12), rng.NormFloat64), random(rng, 1+rng.IntN(12), rng.NormFloat64)
		both := &program{cost: append(slices.Clone(a.cost), b.cost...), rows: slices.Clone(a.rows)}
		for _, row := range b.rows {
			row.terms = slices.Clone(row.terms)
			for i := range row.terms {
				row.terms[i].Var += len(a.cost)
			}
			both.rows = append(both.rows, row)
		}
		x, errX := a.problem().Solve(ctx, Defaults())
		y, errY := b.problem().Solve(ctx, Defaults())
		z, errZ := both.problem().Solve(ctx, Defaults())
		if (errX != nil || errY != nil) != (errZ != nil) || errZ == nil && math.Abs(z.Value-x.Value-y.Value) > 1e-9 {
			r.Fatalf("%v %v, %v %v, together %v %v", x.Value, errX, y.Value, errY, z.Value, errZ)
		}
		if errX != nil {
			return
		}
		more := random(rng, len(a.cost), rng.NormFloat64)
		a.rows = append(a.rows, more.rows...)
		if w, err := a.problem().Solve(ctx, Defaults()); err == nil && w.Value > x.Value+1e-9 {
			r.Fatalf("%v with more constraints, %v with fewer", w.Value, x.Value)
		}
	})
}

func TestSameProblemSameAnswer(t *testing.T) {
	for seed := range uint64(5) {
		var last Solution
		for i := range 2 {
			p, _, _ := correlation(rand.New(rand.NewPCG(seed, 9)), 9)
			s, err := p.Solve(ctx, Options{Nodes: 20})
			if err != nil {
				t.Fatal(err)
			}
			if i > 0 && (!slices.Equal(s.X, last.X) || s.Bound != last.Bound || s.Nodes != last.Nodes) {
				t.Errorf("%+v, then %+v", last, s)
			}
			last = s
		}
	}
}

func TestSolveEndsWithItsContext(t *testing.T) {
	done, cancel := context.WithCancel(ctx)
	cancel()
	p, _, _ := correlation(rand.New(rand.NewPCG(5, 6)), 14)
	if _, err := p.Solve(done, Options{Nodes: 1 << 40}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}
