package logicembedding

import (
	"context"
	"math"
	"strings"
	"testing"

	"parlance/algo/kb/logic"
	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/option"
	"parlance/storage/value"
)

// paper is the tables of the experiment.
func paper(rules bool) kind.Tables {
	t := kind.Tables{"triples": nil}
	for _, f := range paperFacts {
		for _, r := range strings.Fields(f.relations) {
			t["triples"] = append(t["triples"], row(f.subject, r, f.object, nil, nil))
		}
	}
	if rules {
		for _, r := range paperRules {
			t["rules"] = append(t["rules"], row(r, nil))
		}
	}
	return t
}

func learn(t testing.TB, in kind.Input, seed uint64, init kind.Model, options ...option.Arg) *model {
	t.Helper()
	m, s := Kind().New().(*model), &option.Set{}
	m.Options(s)
	if err := s.Apply(options); err != nil {
		t.Fatal(err)
	}
	tr := &kind.Training{On: in, Seed: seed, Workers: 1, Init: init, Report: func(kind.Progress) {},
		Notice: func(string) {}}
	if err := m.Train(context.Background(), tr); err != nil {
		t.Fatal(err)
	}
	return m
}

// truthOf asks for the truth of a formula; NaN for NULL.
func truthOf(t testing.TB, m *model, formula string) float64 {
	t.Helper()
	rows, err := m.Open(context.Background(), "truth", []value.Value{value.Str(formula)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	b, err := rows.Next(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if v := b.Row(nil, 0)[1]; !v.IsNull() {
		return v.Float()
	}
	return math.NaN()
}

// cells of the experiment: held out and implied, held out and false, mentioned by no rule.
var (
	impliedCells = []string{"worksFor(SMITH,CAMBRIDGE)", "livesIn(DAVIES,LONDON)", "livesIn(EVANS,PARIS)"}
	falseCells   = []string{"profAt(WILLIAMS,OXFORD)", "profAt(BROWN,CAMBRIDGE)", "registeredIn(BROWN,CAMBRIDGE)"}
	byTheWay     = "employeeAt(SMITH,CAMBRIDGE)"
)

// means trains with several seeds and averages the truth of formulas.
func means(t testing.TB, in kind.Input, seeds int, formulas []string, options ...option.Arg) map[string]float64 {
	out := map[string]float64{}
	for seed := range seeds {
		m := learn(t, in, uint64(seed+1), nil, options...)
		for _, f := range formulas {
			out[f] += truthOf(t, m, f) / float64(seeds)
		}
	}
	return out
}

func TestPaperTable(t *testing.T) {
	var trained, all []string
	for _, f := range paperFacts {
		for _, r := range strings.Fields(f.relations) {
			trained = append(trained, r+"("+f.subject+","+f.object+")")
		}
	}
	rule := "profAt(x) => worksFor(x)"
	all = append(append(append(append(all, trained...), impliedCells...), falseCells...), byTheWay, rule)
	forall := kindtest.Arg("forall", "mean")
	without, with := means(t, paper(false), 40, all, forall), means(t, paper(true), 40, all, forall)
	for _, c := range append(append([]string{byTheWay, rule}, impliedCells...), falseCells...) {
		t.Logf("%-32s facts only %.2f   and rules %.2f", c, without[c], with[c])
	}
	for _, c := range impliedCells {
		if !(without[c] < 0.35 && with[c] > 0.85) {
			t.Errorf("%s: %.3f without rules, %.3f with them", c, without[c], with[c])
		}
	}
	for _, c := range falseCells {
		if !(without[c] < 0.15 && with[c] < 0.15) {
			t.Errorf("%s: %.3f without rules, %.3f with them", c, without[c], with[c])
		}
	}
	for _, c := range trained {
		if !(without[c] > 0.5 && with[c] > 0.5) {
			t.Errorf("fact %s: %.3f without rules, %.3f with them", c, without[c], with[c])
		}
	}
	if !(with[byTheWay] > without[byTheWay]) || !(with[rule] > without[rule]) {
		t.Errorf("%.3f → %.3f, %.3f → %.3f", without[byTheWay], with[byTheWay], without[rule], with[rule])
	}
}

// Forward chaining derives what the vectors hold true besides the facts.
func TestPaperByForwardChaining(t *testing.T) {
	m := learn(t, paper(true), 1, nil, kindtest.Arg("variant", "forward_chain"))
	for _, c := range impliedCells {
		if got := truthOf(t, m, c); got != 1 {
			t.Errorf("%s is %v", c, got)
		}
	}
	for _, c := range append(falseCells, byTheWay) {
		if got := truthOf(t, m, c); got != 0 {
			t.Errorf("%s is %v", c, got)
		}
	}
	if m := learn(t, paper(true), 1, nil, kindtest.Arg("variant", "exact")); truthOf(t, m, impliedCells[0]) != 0 ||
		truthOf(t, m, "profAt(x) => worksFor(x)") != 0 || truthOf(t, m, "bornIn(x) => registeredIn(x)") != 1 {
		t.Error("exact values are not those of the facts")
	}
}

// The worked steps: one step from given values, eta small enough to read the gradient off.
func TestWorkedSteps(t *testing.T) {
	const eta = 1e-3
	start := func() *embedding {
		return &embedding{k: 2, pairs: []float64{1, 0.5}, relations: []float64{.5, .2, .1, .3, .4, -.1, .2, .6}}
	}
	gradient := func(step func(*stepper) float64) (loss float64, p, r []float64) {
		before, s := start(), &stepper{embedding: start(), eta: eta}
		loss = step(s)
		for i, x := range s.pairs {
			p = append(p, (before.pairs[i]-x)/eta)
		}
		for i, x := range s.relations {
			r = append(r, (before.relations[i]-x)/eta)
		}
		return loss, p, r
	}
	sig := &logic.Signature{Relations: &logic.Names{}, Entities: &logic.Names{}}
	sig.Relations.Add("r1")
	sig.Relations.Add("r2")
	b, err := sig.Bind(logic.MustParse("r1(x) => r2(x)"))
	if err != nil {
		t.Fatal(err)
	}
	loss, p, r := gradient(func(s *stepper) float64 { return s.instance(b, []int32{0, 0}, 1) })
	close := func(what string, got, want []float64) {
		t.Helper()
		for i := range want {
			if !(math.Abs(got[i]-want[i]) < 2e-9) {
				t.Errorf("%s = %v, want %v", what, got, want)
				return
			}
		}
	}
	close("loss", []float64{loss}, []float64{0.650773578})
	close("relations", r, []float64{-0.080096983, -0.040048491, -0.754294606, -0.377147303, -0.754294606, -0.377147303,
		0.054742542, 0.027371271})
	close("pair", p, []float64{-0.406247286, -0.134032793})
	loss, p, r = gradient(func(s *stepper) float64 { return s.fact(0, 0, logic.True, 1) })
	close("loss", []float64{loss}, []float64{0.471699057})
	close("relations", r, []float64{-0.847998304, -0.423999152, 0.529998940, 0.264999470, 0, 0, 0, 0})
	close("pair", p, []float64{-0.370999258, -0.010599979})
	if got := new(model).truth(start().atom(0, 0)); math.Abs(got-0.675) > 1e-15 {
		t.Errorf("truth %v, want 0.675", got)
	}
}
