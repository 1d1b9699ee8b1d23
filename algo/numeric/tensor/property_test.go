package tensor

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"parlance/algo/testutil/testtime"
)

// cases are problems of many shapes.
func cases() []*Problem {
	var out []*Problem
	for seed := range uint64(4) {
		for _, typed := range []bool{false, true} {
			out = append(out, random(seed, 9, 4, typed, seed%2 == 0))
		}
	}
	return out
}

// TestRelationStepIsBest: the gradient of R is 0 after a pass, and the objective by the trace is
// the one of all cells.
func TestRelationStepIsBest(t *testing.T) {
	for _, p := range cases() {
		for _, r := range []int{2, 4, 6} {
			a := randomFactors(uint64(r), p, r)
			_, f, value := passed(t, p, Options{Rank: r, L2: 0.2}, a.A)
			d := drop(p)
			near(t, "dJ/dR", norm(gradient(d, f, 0.2)[len(f.A):]), 0, 1e-11)
			near(t, "J", value, denseObjective(d, f, 0.2), 1e-10)
		}
	}
}

// TestRowStepIsBest: with the partner held at the A before, the rows have a gradient of 0.
func TestRowStepIsBest(t *testing.T) {
	for _, p := range cases() {
		a := randomFactors(5, p, 3)
		g, f, _ := passed(t, p, Options{Rank: 3, L2: 0.2}, a.A)
		before := slices.Clone(g.a)
		if err := g.solveRows(background); err != nil {
			t.Fatal(err)
		}
		near(t, "gradient", norm(partnerGradient(drop(p), f.R, before, g.f, 0.2)), 0, 1e-10)
	}
}

// partnerGradient is λa_i − Σ_k E_k A R' − E_k' A R with E of new rows against old ones.
func partnerGradient(p *Problem, rel [][]float64, old, now []float64, l2 float64) []float64 {
	n, r := p.Entities, len(rel[0])
	r = int(math.Sqrt(float64(r)))
	out := make([]float64, n*r)
	add(out, l2, now)
	for k := range p.Relations {
		for _, turned := range []bool{false, true} {
			left, right, m := now, old, rel[k]
			if turned {
				left, right = old, now
			}
			x := residualOf(p, k, left, right, m, r)
			y, step := make([]float64, n*r), make([]float64, n*r)
			multiply(y, old, m, n, r, r, false, !turned, false)
			multiply(step, x, y, n, n, r, turned, false, false)
			add(out, -1, step)
		}
	}
	return out
}

func residualOf(p *Problem, k int, left, right, m []float64, r int) []float64 {
	n := p.Entities
	joint := &Factors{Entities: 2 * n, Rank: r, A: append(slices.Clone(left), right...), R: [][]float64{m}}
	rel := p.Relations[k]
	q := &Problem{Entities: 2 * n, Relations: []Relation{{Subjects: rel.Subjects, Values: rel.Values}}}
	for _, j := range rel.Objects {
		q.Relations[0].Objects = append(q.Relations[0].Objects, j+int32(n))
	}
	set := func(s int, by int32) []int32 {
		var out []int32
		for e := range int32(n) {
			if p.Sets == nil || has(p.Sets[s], int(e)) {
				out = append(out, e+by)
			}
		}
		return out
	}
	q.Sets = [][]int32{set(rel.Left, 0), set(rel.Right, int32(n))}
	q.Relations[0].Right = 1
	whole := residual(q, joint, 0)
	out := make([]float64, n*n)
	for i := range n {
		copy(out[i*n:(i+1)*n], whole[i*2*n+n:(i+1)*2*n])
	}
	return out
}

// TestOneTypeIsNone: one set of all entities gives what no sets give, and both row steps agree.
func TestOneTypeIsNone(t *testing.T) {
	p := random(3, 12, 4, false, true)
	plain, f := objectives(t, p, Options{Rank: 4, L2: 0.1, Iterations: 8})
	for _, global := range []bool{false, true} {
		one, g := objectives(t, all(p), Options{Rank: 4, L2: 0.1, Iterations: 8, Global: global})
		for i, x := range plain {
			near(t, "J", one[i], x, 1e-9)
		}
		near(t, "score", g.Score(1, 2, 3), f.Score(1, 2, 3), 1e-9)
	}
}

// TestFullRank: with as many columns as entities and no penalty, all cells that count come back.
func TestFullRank(t *testing.T) {
	for _, p := range cases() {
		a := randomFactors(9, p, p.Entities)
		_, f, value := passed(t, p, Options{Rank: p.Entities}, a.A)
		near(t, "J", value, 0, 1e-8)
		d := drop(p)
		for k := range d.Relations {
			near(t, "residual", norm(residual(d, f, k)), 0, 1e-6)
		}
	}
}

// TestTurned: turning A, and numbering entities and relations otherwise, changes no score.
func TestTurned(t *testing.T) {
	p := random(2, 10, 4, true, true)
	n, m := p.Entities, len(p.Relations)
	_, f := objectives(t, p, Options{Rank: 3, L2: 0.1, Iterations: 6})
	g := rand.New(rand.NewPCG(1, 1))
	entity, relation := g.Perm(n), g.Perm(m)
	q := &Problem{Entities: n, Relations: make([]Relation, m)}
	for k, r := range p.Relations {
		move := func(list []int32) (out []int32) {
			for _, e := range list {
				out = append(out, int32(entity[e]))
			}
			return out
		}
		q.Relations[relation[k]] = Relation{Subjects: move(r.Subjects), Objects: move(r.Objects), Values: r.Values,
			Left: r.Left, Right: r.Right}
	}
	for _, set := range p.Sets {
		var moved []int32
		for _, e := range set {
			moved = append(moved, int32(entity[e]))
		}
		slices.Sort(moved)
		q.Sets = append(q.Sets, moved)
	}
	_, h := objectives(t, q, Options{Rank: 3, L2: 0.1, Iterations: 6})
	near(t, "J", h.Objective, f.Objective, 1e-9)
	for i := range n {
		for k := range m {
			near(t, "score", h.Score(entity[i], relation[k], entity[(i+3)%n]), f.Score(i, k, (i+3)%n), 1e-7)
		}
	}
}

// TestCellsOutsideDoNotCount: what lies outside the sets changes nothing.
func TestCellsOutsideDoNotCount(t *testing.T) {
	p := people()
	_, f := objectives(t, p, Options{Rank: 2, L2: 0.1, Iterations: 5})
	q := people()
	q.Relations[0].Subjects = append(q.Relations[0].Subjects, 4, 2)
	q.Relations[0].Objects = append(q.Relations[0].Objects, 4, 0)
	_, g := objectives(t, q, Options{Rank: 2, L2: 0.1, Iterations: 5})
	if f.Objective != g.Objective || !slices.Equal(f.A, g.A) {
		t.Error("cells outside the sets changed the decomposition")
	}
}

// TestWorkers: the bits are the same with any number of workers, in several batches too.
func TestWorkers(t *testing.T) {
	counts, iterations := []int{1, 2, 3, 7}, 3
	if testing.Short() {
		counts, iterations = []int{1, 3}, 1
	}
	for _, typed := range []bool{false, true} {
		for _, init := range []Init{Eigen, Random} {
			p := random(11, 300, 9, typed, false)
			var want *Factors
			for _, workers := range counts {
				_, f := objectives(t, p, Options{Rank: 5, L2: 0.1, Iterations: iterations, Init: init, Workers: workers,
					Safeguard: true})
				if want == nil {
					want = f
				}
				if !slices.Equal(f.A, want.A) || !slices.EqualFunc(f.R, want.R, slices.Equal) {
					t.Errorf("%d workers give other bits", workers)
				}
			}
		}
	}
}

// TestBatches: small buffers change nothing.
func TestBatches(t *testing.T) {
	p := random(5, 20, 6, true, true)
	_, f := objectives(t, p, Options{Rank: 3, L2: 0.1, Iterations: 3})
	c, err := compile(p, maxBuffer/4)
	if err != nil {
		t.Fatal(err)
	}
	if len(c.batches) < 3 {
		t.Fatalf("%d batches", len(c.batches))
	}
	g := newFit(c, Options{Rank: 3, L2: 0.1})
	if err := g.start(background); err != nil {
		t.Fatal(err)
	}
	value, err := g.pass(background, true)
	for it := 0; it < 3 && err == nil; it++ {
		value, _, err = g.iterate(background, value, true)
	}
	if err != nil {
		t.Fatal(err)
	}
	near(t, "J", value, f.Objective, 1e-12)
}

// TestSafeguard: with it the objective never rises, even where one system for all oscillates.
func TestSafeguard(t *testing.T) {
	for _, untyped := range []bool{false, true} {
		p := people()
		if untyped {
			p.Sets = nil
		}
		js, _ := objectives(t, p, Options{Rank: 2, L2: 0.1, Iterations: 30, Global: true, Safeguard: true})
		for i := 1; i < len(js); i++ {
			if js[i] > js[i-1]+1e-3 {
				t.Errorf("J rises from %v to %v", js[i-1], js[i])
			}
		}
	}
}

// TestStart compares iterating on a subspace with the dense decomposition: groups in which all stand
// in the relation to all, and pairs of groups in which all stand to all of the other one.
func TestStart(t *testing.T) {
	p, at := &Problem{Entities: 400, Relations: make([]Relation, 1)}, 0
	for _, size := range []int{70, 50, 40, 30, 20, 10, 8, 6} {
		r := &p.Relations[0]
		for i := range size * size {
			r.Subjects, r.Objects = append(r.Subjects, int32(at+i%size)), append(r.Objects, int32(at+size/10*9+i/size))
		}
		at += size
	}
	c, err := compile(p, 5)
	if err != nil {
		t.Fatal(err)
	}
	m := c.symmetric()
	all, _, err := m.dense()
	if err != nil {
		t.Fatal(err)
	}
	values, vectors, err := m.top(background, 5, 1, 2)
	if err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(all, func(a, b float64) int { return int(math.Copysign(1, math.Abs(b)-math.Abs(a))) })
	for j, v := range values {
		near(t, "value", v, all[j], 1e-3*math.Abs(all[j]))
	}
	g := make([]float64, 25)
	outer(g, vectors, 5, 400, true)
	for i := range 5 {
		for j := i; j < 5; j++ {
			want := 0.0
			if i == j {
				want = 1
			}
			near(t, "orthonormal", g[i*5+j], want, 1e-10)
		}
	}
}

// TestPairsOfOppositeSign: of two eigenvalues of one size the positive one comes first.
func TestPairsOfOppositeSign(t *testing.T) {
	c, err := compile(people(), 2)
	if err != nil {
		t.Fatal(err)
	}
	values, _, err := c.symmetric().top(background, 5, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{1.7320508, -1.7320508, 1, -1, 0} {
		near(t, "eigenvalue", values[i], want, 1e-7)
	}
}

func TestRefusals(t *testing.T) {
	ok := Relation{Subjects: []int32{0}, Objects: []int32{1}}
	for name, p := range map[string]*Problem{
		"no entities":  {Relations: []Relation{ok}},
		"no relations": {Entities: 2},
		"no cells":     {Entities: 2, Relations: []Relation{{}}},
		"entity":       {Entities: 1, Relations: []Relation{ok}},
		"twice":        {Entities: 2, Relations: []Relation{{Subjects: []int32{0, 0}, Objects: []int32{1, 1}}}},
		"lengths":      {Entities: 2, Relations: []Relation{{Subjects: []int32{0}}}},
		"negative": {Entities: 2,
			Relations: []Relation{{Subjects: []int32{0}, Objects: []int32{1}, Values: []float64{-1}}}},
		"no number": {Entities: 2,
			Relations: []Relation{{Subjects: []int32{0}, Objects: []int32{1}, Values: []float64{math.NaN()}}}},
		"set": {Entities: 2, Relations: []Relation{ok}, Sets: [][]int32{{1, 0}}},
		"sets": {Entities: 2, Relations: []Relation{{Subjects: []int32{0}, Objects: []int32{1}, Left: 1}},
			Sets: [][]int32{{0, 1}}},
		"outside types": {Entities: 2, Relations: []Relation{ok}, Sets: [][]int32{{0}}},
	} {
		if _, err := Fit(background, p, Options{Rank: 2, L2: 0.1, Iterations: 2}); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// TestOddInputs: nothing panics, all values are finite.
func TestOddInputs(t *testing.T) {
	for seed := range uint64(30) {
		g := rand.New(rand.NewPCG(seed, 9))
		p := random(seed, 2+g.IntN(8), 2+g.IntN(3), seed%2 == 0, seed%3 == 0)
		if seed%5 == 0 {
			for k := range p.Relations {
				for i := range p.Relations[k].Values {
					p.Relations[k].Values[i] *= 1e150
				}
			}
		}
		o := Options{Rank: 1 + g.IntN(12), L2: []float64{0, 1e-12, 1, 1e300}[g.IntN(4)], Iterations: 5,
			Global: g.IntN(2) == 0, Safeguard: g.IntN(2) == 0, Init: Init(g.IntN(2))}
		f, err := Fit(background, p, o)
		if errors.Is(err, ErrEmpty) {
			continue
		}
		if err != nil {
			if !errors.Is(err, errNotFinite) {
				t.Errorf("seed %d: %v", seed, err)
			}
			continue
		}
		if !finite(f.A) || !slices.ContainsFunc(f.R, finite) {
			t.Errorf("seed %d: not finite", seed)
		}
	}
}

func TestCancelled(t *testing.T) {
	p := random(1, 400, 20, true, false)
	took := time.Hour
	for range 5 { // the machine may be busy
		ctx, cancel := context.WithCancel(background)
		time.AfterFunc(5*time.Millisecond, cancel)
		watch := testtime.Start()
		if _, err := Fit(ctx, p, Options{Rank: 60, L2: 0.1, Iterations: 1000, Workers: 2}); !errors.Is(err,
			context.Canceled) {
			t.Fatal(err)
		}
		if took = min(took, watch.Took()); took < testtime.Allow(2*time.Second) {
			return
		}
	}
	t.Errorf("it took %v to stop", took)
}

// TestCost: a step grows with r³, not with r⁶.
func TestCost(t *testing.T) {
	p := random(1, 80, 10, false, false)
	least := map[int]float64{}
	for range 3 {
		for _, r := range []int{20, 40, 80} {
			a := randomFactors(1, p, r)
			f := given(t, p, Options{Rank: r, L2: 0.1}, a.A)
			watch := testtime.Start()
			if _, err := f.pass(background, true); err != nil {
				t.Fatal(err)
			}
			s := watch.Took().Seconds()
			if least[r] == 0 || s < least[r] {
				least[r] = s
			}
		}
	}
	if ratio := least[80] / least[20]; ratio > 400 {
		t.Errorf("four times the rank costs %.0f times", ratio) // r³: 64; r⁶: 4096
	}
}
