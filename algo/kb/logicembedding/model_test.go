package logicembedding

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"parlance/algo/kb/logic"
	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/option"
)

// Steps follow the gradient of the loss, also where pairs and relations occur several times.
func TestStepsFollowFiniteDifferences(t *testing.T) {
	sig := &logic.Signature{Relations: &logic.Names{}, Entities: &logic.Names{}}
	for i := range 3 {
		sig.Relations.Add(fmt.Sprint("r", i))
	}
	for _, text := range []string{
		"r0(x) => r1(x)", "r0(x) and not r0(x)", "r0(x,y) and r1(y,z) => r0(x,z)", "r0(x,y) <=> r2(y,x)",
		"(r0(x) xor r1(x)) or not (r2(x) => r0(x))",
	} {
		b, err := sig.Bind(logic.MustParse(text))
		if err != nil {
			t.Fatal(err)
		}
		for _, squared := range []bool{false, true} {
			pairs := []int32{0, 1, 0, 2}[:len(b.Atoms)]
			fresh := func() *stepper {
				e := &embedding{k: 3}
				e.grow(3, 3, 0.7, rand.New(rand.NewPCG(2, 2)))
				return &stepper{embedding: e, squared: squared, eta: 1e-9}
			}
			loss := func(s *stepper) float64 { return s.instance(b, pairs, 1) } // a step of 1e-9 changes nothing that matters
			const h = 1e-5
			moved := fresh()
			moved.eta = 1e-3
			moved.instance(b, pairs, 1)
			lists := func(s *stepper) [][]float64 { return [][]float64{s.pairs, s.relations} }
			for l := range 2 {
				for i, before := range lists(fresh())[l] {
					up, down := fresh(), fresh()
					lists(up)[l][i] += h
					lists(down)[l][i] -= h
					d := (loss(up) - loss(down)) / (2 * h)
					if g := (before - lists(moved)[l][i]) / 1e-3; math.Abs(d-g) > 1e-6*(1+math.Abs(d)) {
						t.Fatalf("%s, squared %v: list %d value %d: step %v, difference %v", text, squared, l, i, g, d)
					}
				}
			}
		}
	}
}

// The penalty takes eta·l2 of the old value off each pair and relation of a step, once, and nothing off others.
func TestPenalty(t *testing.T) {
	sig := &logic.Signature{Relations: &logic.Names{}, Entities: &logic.Names{}}
	for i := range 3 {
		sig.Relations.Add(fmt.Sprint("r", i))
	}
	b, err := sig.Bind(logic.MustParse("r0(x,y) and r1(y,z) => r0(x,z)"))
	if err != nil {
		t.Fatal(err)
	}
	const k, eta = 3, 0.1
	for name, step := range map[string]func(*stepper){
		"fact":     func(s *stepper) { s.fact(0, 1, logic.True, 1) },
		"instance": func(s *stepper) { s.instance(b, []int32{0, 1, 0}, 1) },
	} {
		values := func(l2 float64, step func(*stepper)) []float64 {
			e := &embedding{k: k}
			e.grow(3, 3, 0.7, rand.New(rand.NewPCG(2, 2)))
			step(&stepper{embedding: e, eta: eta, l2: l2})
			return slices.Concat(e.pairs, e.relations)
		}
		old, without, with := values(0, func(*stepper) {}), values(0, step), values(0.5, step)
		for i, x := range old {
			want := without[i]
			if without[i] != x {
				want -= eta * 0.5 * x
			}
			if math.Abs(with[i]-want) > 1e-14 {
				t.Errorf("%s, value %d: %v, want %v", name, i, with[i], want)
			}
		}
	}
}

// With vectors as long as there are pairs, one-hot vectors reproduce any table; descent finds a solution.
func TestAnyTableIsLearned(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	in := kind.Tables{}
	for p := range 6 {
		for r := range 5 {
			in["triples"] = append(in["triples"], row(fmt.Sprint("e", p), fmt.Sprint("r", r), "o", nil, rng.IntN(2) == 0))
		}
	}
	m := learn(t, in, 1, nil, kindtest.Arg("k", 6), kindtest.Arg("l2", 0.0), kindtest.Arg("loss", "squared"),
		kindtest.Arg("negatives", "listed"), kindtest.Arg("epochs", 2000), kindtest.Arg("init_sd", 0.5))
	for _, f := range m.know.facts {
		want := 1.0
		if f.false {
			want = 0
		}
		if got := m.truth(m.atom(f.relation, f.pair)); math.Abs(got-want) > 1e-6 {
			t.Fatalf("cell %v: %v", f, got)
		}
	}
}

// TestTruthMaps: (1, 0) is true, (0, 1) is false, and values beyond are the nearer one.
func TestTruthMaps(t *testing.T) {
	for _, c := range []struct {
		by   string
		v    logic.Vec
		want float64
	}{
		{"cosine", logic.True, 1}, {"cosine", logic.False, 0}, {"cosine", logic.Vec{3, 4}, 0.6}, {"cosine", logic.Vec{}, 0},
		{"cosine", logic.Vec{-1, 1}, 0},
		{"first", logic.True, 1}, {"first", logic.False, 0}, {"first", logic.Vec{0.25, 0.5}, 0.25},
		{"first", logic.Vec{2, 0}, 1},
		{"clamp", logic.True, 1}, {"clamp", logic.False, 0}, {"clamp", logic.Vec{0.5, 0.25}, 0.625},
		{"clamp", logic.Vec{math.NaN(), 0}, 0},
	} {
		m := &model{}
		m.opt.truthMap = c.by
		if got := m.truth(c.v); math.Abs(got-c.want) > 1e-15 {
			t.Errorf("%s of %v: %v, want %v", c.by, c.v, got, c.want)
		}
	}
}

// [p] → M[p] and [R] → [R]M⁻¹ leaves every truth as it is.
func TestChangeOfBasis(t *testing.T) {
	m := learn(t, paper(true), 1, nil, kindtest.Arg("k", 2))
	formulas := append(append([]string{"profAt(x) => worksFor(x)"}, impliedCells...), falseCells...)
	var before []float64
	for _, f := range formulas {
		before = append(before, truthOf(t, m, f))
	}
	a, b, c, d := 2.0, 1.0, 0.5, 3.0 // M = [a b; c d]
	det := a*d - b*c
	e := m.emb
	for i := 0; i < len(e.pairs); i += 2 {
		x, y := e.pairs[i], e.pairs[i+1]
		e.pairs[i], e.pairs[i+1] = a*x+b*y, c*x+d*y
	}
	for i := 0; i < len(e.relations); i += 2 {
		x, y := e.relations[i], e.relations[i+1]
		e.relations[i], e.relations[i+1] = (x*d-y*c)/det, (-x*b+y*a)/det
	}
	for i, f := range formulas {
		if got := truthOf(t, m, f); math.Abs(got-before[i]) > 1e-12 {
			t.Errorf("%s: %v, was %v", f, got, before[i])
		}
	}
}

func TestUnknownPairIsNull(t *testing.T) {
	m := learn(t, paper(true), 1, nil)
	if got := truthOf(t, m, "profAt(SMITH,LONDON)"); !math.IsNaN(got) {
		t.Errorf("an unknown pair has truth %v", got)
	}
}

func TestFaultsAreFoundBeforeTraining(t *testing.T) {
	for _, c := range []struct {
		change func(kind.Tables)
		want   string
	}{
		{func(in kind.Tables) { in["rules"] = append(in["rules"], row("profAt(x) => workFor(x)", nil)) },
			"character 24: unknown relation workFor; did you mean worksFor?"},
		{func(in kind.Tables) { in["rules"] = append(in["rules"], row("profAt(x) -> worksFor(x)", nil)) },
			"rules, row 3, profAt(x) -> worksFor(x): formula, character 11"},
		{func(in kind.Tables) { in["rules"] = append(in["rules"], row("profAt(x) => bornIn(x)", -1.0)) },
			"rules, row 3: weight -1"},
		{func(in kind.Tables) { in["triples"][3] = row("a", "b", "c", math.Inf(1), nil) }, "triples, row 4: weight +Inf"},
		{func(in kind.Tables) { in["triples"][3] = row("a", "", "c", nil, nil) }, "triples, row 4: a fact needs"},
		{func(in kind.Tables) { in["triples"] = nil }, "nothing to train on"},
		{func(in kind.Tables) { delete(in, "triples") }, "nothing to train on"},
	} {
		in := paper(true)
		c.change(in)
		m, s := Kind().New(), &option.Set{}
		m.Options(s)
		if err := s.Apply(nil); err != nil {
			t.Fatal(err)
		}
		err := m.Train(context.Background(), &kind.Training{On: in, Workers: 1, Report: func(kind.Progress) {},
			Notice: func(string) {}})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

// Rules that come later are learned without forgetting, in fewer epochs.
func TestRulesAreAdded(t *testing.T) {
	for _, c := range []struct {
		epochs int
		spare  bool
	}{{30, false}, {10, true}} {
		implied, kept := 0.0, 0.0
		for seed := range uint64(20) {
			first := learn(t, paper(false), seed, nil)
			m := learn(t, paper(true), seed, first, kindtest.Arg("epochs", c.epochs), kindtest.Arg("spare_derived", c.spare))
			if first.emb.pairs[0] == m.emb.pairs[0] || len(first.know.rules) != 0 {
				t.Fatal("the first model was changed, or the second one was not")
			}
			for _, f := range impliedCells {
				implied += truthOf(t, m, f) / 60
			}
			kept += truthOf(t, m, "profAt(JONES,UWASH) and worksFor(BROWN,CAMBRIDGE) and bornIn(EVANS,PARIS)") / 20
		}
		t.Logf("%d epochs: implied %.2f, kept %.2f", c.epochs, implied, kept)
		if implied < 0.85 || kept < 0.85 {
			t.Errorf("%d epochs: implied %.3f, kept %.3f", c.epochs, implied, kept)
		}
	}
}

func TestAddedFactsAndPairs(t *testing.T) {
	first := learn(t, paper(true), 1, nil)
	in := kind.Tables{"triples": {row("MILLER", "profAt", "MIT", nil, nil),
		row("SMITH", "bornIn", "CAMBRIDGE", nil, false)}}
	m := learn(t, in, 1, first, kindtest.Arg("epochs", 100), kindtest.Arg("replay", 20))
	if got := truthOf(t, m, "profAt(MILLER,MIT)"); got < 0.8 {
		t.Errorf("a new fact has truth %v", got)
	}
	if got := truthOf(t, m, "profAt(JONES,UWASH)"); got < 0.8 {
		t.Errorf("a fact of the first model has truth %v", got)
	}
	if _, err := m.formula("profAt(MILLER,MIT)"); err != nil || m.know.domain.Len() != 8 {
		t.Errorf("%v, %d pairs", err, m.know.domain.Len())
	}
	bad, s := Kind().New(), &option.Set{}
	bad.Options(s)
	if err := s.Apply([]option.Arg{kindtest.Arg("k", 7)}); err != nil {
		t.Fatal(err)
	}
	err := bad.Train(context.Background(), &kind.Training{On: in, Init: first, Workers: 1, Report: func(kind.Progress) {},
		Notice: func(string) {}})
	if err == nil || !strings.Contains(err.Error(), "k = 7") {
		t.Errorf("%v", err)
	}
}

func TestNothingWithoutWeight(t *testing.T) {
	m, s := Kind().New(), &option.Set{}
	m.Options(s)
	if err := s.Apply(nil); err != nil {
		t.Fatal(err)
	}
	in := kind.Tables{"triples": {row("a", "r", "b", 0.0, nil)}}
	if err := m.Train(context.Background(), &kind.Training{On: in, Workers: 1, Report: func(kind.Progress) {},
		Notice: func(string) {}}); !errors.Is(err, kind.ErrNoData) {
		t.Errorf("%v", err)
	}
}

func TestStepsAllocateNothing(t *testing.T) {
	m := learn(t, paper(true), 1, nil)
	s := &stepper{embedding: m.emb, eta: 0.05, l2: 0.05}
	b := m.know.rules[0].bound
	pairs := []int32{0, 0}
	s.instance(b, pairs, 1)
	if n := testing.AllocsPerRun(100, func() {
		s.instance(b, pairs, 1)
		s.fact(0, 0, logic.True, 1)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestContradictionsAreNoticed(t *testing.T) {
	in := kind.Tables{
		"triples": {row("a", "p", "b", nil, nil), row("c", "q", "d", nil, nil)},
		"rules":   {row("p(x) => q(x)", nil), row("p(x) => not q(x)", nil), row("p(x,y) => q(x,z)", nil)},
	}
	for _, variant := range []string{embedded, forwardChain} {
		m, s := Kind().New().(*model), &option.Set{}
		m.Options(s)
		if err := s.Apply([]option.Arg{kindtest.Arg("variant", variant)}); err != nil {
			t.Fatal(err)
		}
		var notices []string
		tr := &kind.Training{On: in, Workers: 1, Report: func(kind.Progress) {},
			Notice: func(n string) { notices = append(notices, n) }}
		if err := m.Train(context.Background(), tr); err != nil {
			t.Fatal(err)
		}
		all := strings.Join(notices, "\n")
		if !strings.Contains(all, "contradict each other; facts concerned: 1, first q(a,b): it holds by rule forall x: "+
			"p(x) => q(x), and it does not by rule forall x: p(x) => not q(x)") {
			t.Errorf("%s: %s", variant, all)
		}
		if variant == forwardChain && !strings.Contains(all, "derives nothing: formula, character") {
			t.Errorf("%s: %s", variant, all)
		}
	}
}

// Steps that run away end the training with an error, and no model.
func TestValuesThatGrowAreRefused(t *testing.T) {
	m, s := Kind().New(), &option.Set{}
	m.Options(s)
	if err := s.Apply([]option.Arg{kindtest.Arg("l2", 1e6), kindtest.Arg("eta", 1.0)}); err != nil {
		t.Fatal(err)
	}
	err := m.Train(context.Background(), &kind.Training{On: paper(true), Workers: 1, Report: func(kind.Progress) {},
		Notice: func(string) {}})
	if err == nil || !strings.Contains(err.Error(), "beyond bounds") {
		t.Errorf("%v", err)
	}
}
