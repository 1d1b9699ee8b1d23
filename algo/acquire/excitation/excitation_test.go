package excitation

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"parlance/algo/acquire/template"
	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/metrics"
	"parlance/algo/option"
	"parlance/storage/value"
)

// The worked network: cause and prevent are seeds.
const (
	cause = iota
	prevent
	develop
	cure
	worsen
	relieve
)

var worked = []edge{{cause, develop, 1}, {cause, cure, -1}, {prevent, develop, -1}, {prevent, cure, 1}, {develop, cure,
	-1}, {develop, worsen, 1},
	{cure, worsen, -1}, {cure, relieve, 1}, {worsen, relieve, -1}}

func solved(t *testing.T, edges []edge, seed []float64, beta, coupling float64) ([]float64, *spins) {
	t.Helper()
	s := &spins{g: newGraph(len(seed), edges), beta: beta, coupling: coupling, seed: seed}
	m := make([]float64, len(seed))
	if _, err := s.solve(context.Background(), m); err != nil {
		t.Fatal(err)
	}
	return m, s
}

func near(a, b float64) bool { return math.Abs(a-b) < 1.5e-6 }

// TestSpins: the worked means, energy and free energy, which is above −ln Z; soft seeds; the first step.
func TestSpins(t *testing.T) {
	seed := []float64{1, -1, 0, 0, 0, 0}
	m, s := solved(t, worked, seed, 0.75, 0)
	for i, want := range []float64{1, -1, 0.602472, -0.597788, 0.306855, -0.231461} {
		if !near(m[i], want) {
			t.Errorf("node %d has %v, want %v", i, m[i], want)
		}
	}
	if e, f := s.energy(m), s.free(m); !near(e, -1.058099) || !near(f, -3.105605) || f < -enumerate(s)-1e-9 ||
		!near(-enumerate(s), -3.213604) {
		t.Errorf("E = %v, F = %v, −ln Z = %v", e, f, -enumerate(s))
	}
	first := slices.Clone(seed)
	for i, want := range map[int]float64{develop: 0.485633, cure: -0.441701, worsen: 0, relieve: 0} {
		if got := s.mean(i, first); !near(got, want) {
			t.Errorf("the first step gives node %d %v, want %v", i, got, want)
		}
	}
	m, _ = solved(t, worked, seed, 0.75, 1)
	for i, want := range map[int]float64{cause: 0.979997, develop: 0.594276, cure: -0.589834, worsen: 0.303046,
		relieve: -0.228570} {
		if !near(m[i], want) {
			t.Errorf("soft seeds: node %d has %v, want %v", i, m[i], want)
		}
	}
}

// enumerate is ln Z over all states with the seeds fixed.
func enumerate(s *spins) float64 {
	z := 0.0
	m := slices.Clone(s.seed)
	for state := range 1 << 4 {
		for k := range 4 {
			m[2+k] = float64(1 - 2*(state>>k&1))
		}
		z += math.Exp(-s.beta * s.energy(m))
	}
	return math.Log(z)
}

// TestOneSolution: below β = 1 the order of nodes changes nothing, without seeds all is 0; flips of nodes and of seeds
// flip the means.
func TestOneSolution(t *testing.T) {
	seed := []float64{1, -1, 0, 0, 0, 0}
	m, _ := solved(t, worked, seed, 0.9, 0)
	turn := func(i uint32) uint32 { return 5 - i }
	var back []edge
	for _, e := range worked {
		back = append(back, edge{turn(e.j), turn(e.i), e.w})
	}
	other, _ := solved(t, back, []float64{0, 0, 0, 0, -1, 1}, 0.9, 0)
	for i := range m {
		if math.Abs(m[i]-other[5-i]) > 1e-8 {
			t.Errorf("node %d: %v and %v", i, m[i], other[5-i])
		}
	}
	for _, x := range must(solved(t, worked, make([]float64, 6), 0.9, 0)) {
		if x != 0 {
			t.Errorf("%v without seeds", x)
		}
	}
	for k := range 6 { // gauge: turn all links of a node, and its seed
		var turned []edge
		for _, e := range worked {
			if int(e.i) == k || int(e.j) == k {
				e.w = -e.w
			}
			turned = append(turned, e)
		}
		flipped := slices.Clone(seed)
		flipped[k] = -flipped[k]
		for i, x := range must(solved(t, turned, flipped, 0.9, 0)) {
			want := m[i]
			if i == k {
				want = -want
			}
			if math.Abs(x-want) > 1e-8 {
				t.Errorf("gauge %d: node %d has %v, want %v", k, i, x, want)
			}
		}
	}
}

func must(m []float64, _ *spins) []float64 { return m }

// clause is a row of the table: verb noun, verb noun; ! before a verb that is denied.
func clause(first, second, conn, kindOf string, causal bool, count float64) []value.Value {
	var row []value.Value
	for _, s := range []string{first, second} {
		verb, noun, _ := strings.Cut(s, " ")
		verb, not := strings.CutPrefix(verb, "!")
		if t := parseTemplate(verb); !not {
			row = append(row, value.Str(noun), value.Str(t.Slot), value.Str(t.Predicate), value.Bool(false))
		} else {
			row = append(row, value.Str(noun), value.Str(t.Slot), value.Str(t.Predicate), value.Bool(true))
		}
	}
	return append(row, value.Str(conn), value.Str(kindOf), value.Bool(causal), value.Real(count), value.Value{},
		value.Value{})
}

// input is clauses with the tuples that they contain.
func input(clauses ...[]value.Value) kind.Tables {
	var tuples [][]value.Value
	for _, r := range clauses {
		for _, k := range []int{0, 4} {
			tuples = append(tuples, []value.Value{r[k], r[k+1], r[k+2], r[11], r[k+3], {}, {}})
		}
	}
	return kind.Tables{"clauses": clauses, "tuples": tuples}
}

func list(name string, values ...string) option.Arg {
	a := option.Arg{Name: name}
	for _, v := range values {
		a.List = append(a.List, option.Arg{Value: value.Str(v)})
	}
	return a
}

func tried(in kind.Input, args ...option.Arg) (*model, error) {
	m, s := &model{}, &option.Set{}
	m.Options(s)
	if err := s.Apply(append([]option.Arg{kindtest.Arg("min_template", 1), kindtest.Arg("hypotheses", 300),
		kindtest.Arg("causalities", 500)}, args...)); err != nil {
		return nil, err
	}
	return m, m.Train(context.Background(), &kind.Training{On: in, Workers: 1, Report: func(kind.Progress) {},
		Notice: func(string) {}})
}

func train(t testing.TB, in kind.Input, args ...option.Arg) *model {
	t.Helper()
	m, err := tried(in, args...)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func (m *model) at(name string) int {
	i, _ := m.find(parseTemplate(name).Predicate, parseTemplate(name).Slot)
	return i
}

// linkOf is the sign of the link of two templates, 0 for none.
func (m *model) linkOf(a, b string) float64 {
	i, j := uint32(m.at(a)), uint32(m.at(b))
	for _, l := range m.net.links {
		if l.i == min(i, j) && l.j == max(i, j) {
			return l.w
		}
	}
	return 0
}

// TestConstraints: the matrix of connectives and pairs of nouns, and negation.
func TestConstraints(t *testing.T) {
	for _, c := range []struct {
		row  []value.Value
		want int8 // of the pair of nouns, when both verbs are excitatory
	}{
		{clause("smoke cigarette", "suffer cancer", "and", "and", false, 1), 1},
		{clause("smoke cigarette", "suffer cancer", "but", "but", false, 1), -1},
		{clause("smoke cigarette", "!suffer cancer", "but", "but", false, 1), 1},
		{clause("!smoke cigarette", "!suffer cancer", "and", "and", false, 1), 1},
		{clause("smoke cigarette", "!suffer cancer", "and", "and", false, 1), -1},
	} {
		m, s := &model{}, &option.Set{}
		m.Options(s)
		e, ok, err := m.event(c.row, 1)
		if err != nil || !ok || e.sign != c.want {
			t.Errorf("%v: %d, want %d (%v)", c.row, e.sign, c.want, err)
		}
	}
}

// TestGrow: classified pairs link other templates; the cut of pairs is exclusive; those of both signs go; what is not a
// seed says nothing.
func TestGrow(t *testing.T) {
	base := func(n float64) [][]value.Value {
		return [][]value.Value{clause("cause flu", "cause fever", "and", "and", false, n), clause("catch flu",
			"run_up fever", "and", "and", false, 3),
			clause("apply vaccine", "prevent flu", "and", "and", false, 9), clause("sell vaccine", "stem flu", "and",
				"and", false, 9)}
	}
	seeds := []option.Arg{list("excitatory", "cause"), list("inhibitory", "prevent"), kindtest.Arg("noun_pairs", 5),
		kindtest.Arg("min_links", 1),
		kindtest.Arg("iterations", 1), kindtest.Arg("same_noun", false)}
	m := train(t, input(base(6)...), seeds...)
	if m.linkOf("catch", "run_up") != 1 || m.linkOf("sell", "stem") != 0 || m.net.iterations[0].pnp != 1 {
		t.Errorf("links %v of %+v", m.net.links, m.net.iterations[0])
	}
	if _, err := tried(input(base(5)...), seeds...); !errors.Is(err, kind.ErrNoData) || !strings.Contains(err.Error(),
		"noun_pairs (5)") {
		t.Errorf("a pair that occurs 5 times is classified: %v", err)
	}
	both := append(base(6), clause("cause flu", "prevent fever", "and", "and", false, 1))
	if _, err := tried(input(both...), seeds...); !errors.Is(err, kind.ErrNoData) {
		t.Errorf("a pair of both signs is classified: %v", err)
	}
	with := slices.Clone(seeds)
	with[0] = list("excitatory", "cause", "apply")
	m = train(t, input(base(6)...), with...)
	if m.linkOf("sell", "stem") != -1 || m.net.iterations[0].nnp != 1 {
		t.Errorf("with the seed apply: %v", m.net.links)
	}
	m = train(t, input(append(base(6), clause("weave ash", "spread ash", "but", "but", false, 1))...),
		append(slices.Clone(seeds[:5]), kindtest.Arg("same_noun", true))...)
	if m.linkOf("weave", "spread") != -1 {
		t.Errorf("a noun does not facilitate itself: %v", m.net.links)
	}
}

// TestPrune: templates with few links go once, or until none is left.
func TestPrune(t *testing.T) {
	chain := []edge{{0, 1, 1}, {1, 2, 1}, {2, 3, 1}}
	if got := prune(chain, 4, 2, false); !slices.Equal(got, []edge{{1, 2, 1}}) {
		t.Errorf("%v", got)
	}
	if got := prune(chain, 4, 2, true); len(got) != 0 {
		t.Errorf("%v", got)
	}
}

// TestScores: the worked scores.
func TestScores(t *testing.T) {
	one, two := contradictionScore(.9, -.8, .25), contradictionScore(.7, -.6, .3)
	if !near(one, .18) || !near(two, .126) || !near(one*two*(.9*.7*12), 0.1714608*.9*.7*12/7.56) {
		t.Errorf("%v %v", one, two)
	}
	m := &model{net: &network{templates: make([]template.Template, 5), value: []float64{.9, -.8, .7, -.6}},
		opt: options{perTemplate: 9, hypotheses: 9}}
	f := &facts{nouns: []string{"crime", "fear"}, phrases: []phrase{{0, 0, 1}, {1, 0, 1}, {2, 1, 1}, {3, 1, 1}},
		contradictions: []contradiction{{0, 1, .25, one}, {2, 3, .3, two}},
		causalities:    []causality{{first: 0, second: 2, noun1: 0, noun2: 1, count: 1, npfreq: 12, score: .63}}}
	h := m.hypothesise(f, &events{}, []uint32{0, 1})
	if len(h) != 1 || h[0].first != 1 || h[0].second != 3 || !near(h[0].score, 0.1714608) {
		t.Errorf("%+v", h)
	}
	written := &events{list: []event{{first: 3, second: 1, noun1: 1, noun2: 0}}}
	if h := m.hypothesise(f, written, []uint32{0, 1}); len(h) != 0 {
		t.Errorf("a hypothesis stands in the text: %+v", h)
	}
	f.phrases = slices.Delete(f.phrases, 3, 4)
	if h := m.hypothesise(f, &events{}, []uint32{0, 1}); len(h) != 0 {
		t.Errorf("a phrase that is not attested is used: %+v", h)
	}
}

// world generates clauses of templates and pairs of nouns with hidden signs, a tenth of them wrong. Verbs of either
// sign take the same nouns.
func world(seed uint64) (kind.Tables, map[string]int8) {
	rng := rand.New(rand.NewPCG(seed, 41))
	sign := map[string]int8{}
	var verbs []string
	for k := range 60 {
		v := fmt.Sprintf("v%02d", k)
		verbs = append(verbs, v)
		sign[v] = 1
		if k%3 == 0 {
			sign[v] = -1
		}
	}
	pairs := map[string]int8{}
	var rows [][]value.Value
	for range 6000 {
		a, b := verbs[rng.IntN(60)], verbs[rng.IntN(60)]
		n, k := fmt.Sprint("n", rng.IntN(8)), fmt.Sprint("k", rng.IntN(8))
		g, ok := pairs[n+k]
		if !ok {
			g = int8(1 - 2*rng.IntN(2))
			pairs[n+k] = g
		}
		conn := "and"
		natural := g * sign[a] * sign[b]
		if natural < 0 != (rng.IntN(10) == 0) {
			conn = "but"
		}
		rows = append(rows, clause(a+" "+n, b+" "+k, conn, conn, false, 1))
	}
	return input(rows...), sign
}

// TestReclamp: templates that rounds add have free values unless they are held like seeds.
func TestReclamp(t *testing.T) {
	in, _ := world(1)
	for _, held := range []bool{false, true} {
		m := train(t, in, list("excitatory", "v01", "v02", "v04", "v05", "v07", "v08"),
			list("inhibitory", "v00", "v03", "v06", "v09"),
			kindtest.Arg("top", 5), kindtest.Arg("iterations", 2), kindtest.Arg("reclamp", held))
		certain := 0
		for i, x := range m.net.value {
			if m.net.seed[i] == 0 && math.Abs(x) == 1 {
				certain++
			}
		}
		if want := map[bool]int{false: 0, true: 10}[held]; certain != want {
			t.Errorf("reclamp = %v: %d templates besides the seeds are held, want %d", held, certain, want)
		}
	}
}

// TestWorld: signs come back from a few seeds; similarity finds no suppressing verb.
func TestWorld(t *testing.T) {
	in, sign := world(1)
	seeds := []option.Arg{list("excitatory", "v01", "v02", "v04", "v05", "v07", "v08"), list("inhibitory", "v00", "v03",
		"v06", "v09"), kindtest.Arg("noun_pairs", 0),
		kindtest.Arg("top", 5), kindtest.Arg("iterations", 4), kindtest.Arg("reclamp", true)}
	score := func(m *model) (right, low int) {
		for v, s := range sign {
			if x := m.net.value[m.at(v)]; x*float64(s) > 0 {
				right++
				if s < 0 && m.net.seed[m.at(v)] == 0 {
					low++
				}
			}
		}
		return right, low
	}
	m := train(t, in, seeds...)
	right, _ := score(m)
	if right < 57 {
		t.Errorf("%d of 60 signs are right: %+v", right, m.net.iterations)
	}
	for _, x := range m.net.value {
		if math.Abs(x) > 1 {
			t.Errorf("value %v", x)
		}
	}
	if _, low := score(train(t, in, append(seeds, kindtest.Arg("method", "similarity"))...)); low > 3 {
		t.Errorf("similarity finds %d suppressing verbs", low)
	}
	for _, c := range m.facts.contradictions {
		if m.net.value[c.exc] <= 0 || m.net.value[c.inh] >= 0 || c.score > c.sim {
			t.Fatalf("contradiction %+v", c)
		}
	}
	if len(m.facts.hypotheses) == 0 {
		t.Error("no hypotheses")
	}
}

// TestEvaluate: recalls of both signs, their mean and its interval, with more verbs of one sign than of the other.
func TestEvaluate(t *testing.T) {
	m := &model{net: &network{templates: make([]template.Template, 5), value: []float64{.9, -.4, .2, -.1, 0},
		seed: []int8{1, 0, 0, 0, 0}, freq: make([]float64, 5)}}
	got := m.signs(map[int]int8{1: 1, 2: 1, 3: -1, 4: 1})
	want := map[string]float64{"balanced_recall": .75, "recall_excitatory": .5, "recall_inhibitory": 1, "coverage": .75}
	for _, x := range got {
		if w, ok := want[x.Name]; ok && x.Value() != w {
			t.Errorf("%s is %v, want %v", x.Name, x.Value(), w)
		}
	}
	if _, err := metrics.Intervals(context.Background(), got,
		metrics.Chance{Confidence: .95, Resamples: 50, Workers: 1}); err != nil {
		t.Error(err)
	}
}

// TestCauses: connectives that say cause do not count, nor but; strict leaves out what they state.
func TestCauses(t *testing.T) {
	rows := [][]value.Value{clause("cause flu", "cause fever", "and", "and", false, 6), clause("catch flu",
		"run_up fever", "and", "and", false, 3),
		clause("catch flu", "run_up fever", "so", "and", true, 3), clause("catch flu", "run_up chill", "so", "and",
			true, 3), clause("run_up fever", "!catch flu", "but", "but", false, 3),
		clause("prevent flu", "reduce fever", "and", "and", false, 3), clause("prevent flu", "reduce fever", "then",
			"and", false, 1), clause("catch flu", "!reduce fever", "and", "and", false, 1)}
	args := []option.Arg{list("excitatory", "cause"), list("inhibitory", "prevent"), kindtest.Arg("min_links", 1)}
	said := func(m *model) (out []string) {
		for _, c := range m.facts.causalities {
			out = append(out, fmt.Sprintf("%s %v", m.said(c), c.count))
		}
		slices.Sort(out)
		return out
	}
	// cause has no value but as a seed
	want := []string{"catch|obj flu → not reduce|obj fever 1", "catch|obj flu → run_up|obj fever 3",
		"cause|obj flu → cause|obj fever 6", "prevent|obj flu → reduce|obj fever 4"}
	if got := said(train(t, input(rows...), args...)); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if got := said(train(t, input(rows...), append(args, kindtest.Arg("strict", true))...)); !slices.Equal(got,
		slices.Concat(want[:1], want[2:])) {
		t.Errorf("strict: %q", got)
	}
}

// TestBadInput: empty seeds, seeds that match nothing, contradictory seeds, wrong rows.
func TestBadInput(t *testing.T) {
	row := clause("cause flu", "cause fever", "and", "and", false, 1)
	wrong := slices.Clone(row)
	wrong[9] = value.Str("or")
	negative := slices.Clone(row)
	negative[11] = value.Real(-1)
	for _, c := range []struct {
		in   kind.Tables
		args []option.Arg
		want string
	}{
		{input(row), []option.Arg{list("excitatory")}, "has no seeds"},
		{input(row), []option.Arg{list("excitatory", "cuse"), list("inhibitory", "prevnt")}, "did you mean"},
		{input(row), []option.Arg{list("excitatory", "cause"), list("inhibitory", "cause")},
			"both excitatory and inhibitory"},
		{kind.Tables{"clauses": {wrong}, "tuples": {}}, nil, "and or but is wanted"},
		{kind.Tables{"clauses": {negative}, "tuples": {}}, nil, "row 1"},
		{kind.Tables{"clauses": {}, "tuples": {}}, nil, "none occurs"},
	} {
		if _, err := tried(c.in, c.args...); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}

func TestContract(t *testing.T) {
	in, sign := world(2)
	seeds := []option.Arg{list("excitatory", "v01", "v02", "v04", "v05"), list("inhibitory", "v00", "v03", "v06"),
		kindtest.Arg("min_template", 1), kindtest.Arg("top", 5), kindtest.Arg("hypotheses", 300),
		kindtest.Arg("causalities", 300), kindtest.Arg("iterations", 3)}
	var gold, pairs [][]value.Value
	for k := range 20 {
		v, w := fmt.Sprintf("v%02d", 20+k), fmt.Sprintf("v%02d", 21+k)
		gold = append(gold, []value.Value{value.Str(v), value.Real(float64(sign[v])), {}})
		pairs = append(pairs, []value.Value{value.Str(v), value.Str(w), value.Bool(sign[v] != sign[w])})
	}
	queries := []kindtest.Query{{Relation: "causalities", Args: []value.Value{value.Str("n1")}},
		{Relation: "causalities", Args: []value.Value{value.Str("n1x")}, Fails: "did you mean"},
		{Relation: "contradictions", Args: []value.Value{value.Str("k2")}}, {Relation: "hypotheses",
			Args: []value.Value{value.Str("n1")}},
		{Relation: "value", Args: []value.Value{value.Str("v11")}}, {Relation: "value",
			Args: []value.Value{value.Str("v1x")}, Fails: "did you mean"}}
	kindtest.Run(t, kindtest.Case{Kind: Kind(), Options: seeds, Tables: in, Queries: queries,
		Gold: kind.Tables{"signs": gold}})
	kindtest.Run(t, kindtest.Case{Kind: Kind(), Options: append(seeds, kindtest.Arg("task", "pairs")), Tables: in,
		Queries: queries, Gold: kind.Tables{"pairs": pairs}})
}
