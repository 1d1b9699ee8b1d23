package verbentailment

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/option"
	"parlance/storage/value"
)

// row is a tuple of the table.
func row(noun, slot, verb string, count float64) []value.Value {
	return []value.Value{value.Str(noun), value.Str(slot), value.Str(verb), value.Real(count), {}, {}, {}}
}

// kitchen is the worked example.
func kitchen() kind.Tables {
	var out [][]value.Value
	for verb, nouns := range map[string]map[string]float64{
		"fry": {"oil": 6, "pan": 3, "pot": 1}, "cook": {"oil": 4, "pan": 9, "pot": 12, "stove": 15},
		"hit": {"pan": 2, "hammer": 8}, "paint": {"oil": 10}} {
		for n, c := range nouns {
			out = append(out, row(n, "obl:with", verb, c))
		}
	}
	return kind.Tables{"tuples": out}
}

func train(t testing.TB, in kind.Input, workers int, args ...option.Arg) *model {
	t.Helper()
	m, err := tried(in, workers, args...)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func tried(in kind.Input, workers int, args ...option.Arg) (*model, error) {
	m, s := &model{}, &option.Set{}
	m.Options(s)
	if err := s.Apply(args); err != nil {
		return nil, err
	}
	return m, m.Train(context.Background(), &kind.Training{On: in, Workers: workers, Seed: 1,
		Report: func(kind.Progress) {}, Notice: func(string) {}})
}

var few = kindtest.Arg("min_template", 1)

func near(a, b float64) bool { return math.Abs(a-b) < 5e-7 }

// TestKitchen: the worked numbers of the six measures.
func TestKitchen(t *testing.T) {
	m := train(t, kitchen(), 1, few)
	for _, want := range []struct {
		l, r                                     string
		base, trick, score, lin, precision, binc float64
	}{
		{"fry", "cook", 0.405165, 0.212308, 0.086020, 0.227067, 0.353377, 0.283267},
		{"cook", "fry", 0.101291, 0.053077, 0.005376, 0.227067, 0.101803, 0.152040},
		{"fry", "paint", 0.3, 0, 0, 0.831068, 0.646623, 0.733068},
		{"paint", "fry", 0.3, 0, 0, 0.831068, 1, 0.911629},
		{"hit", "cook", 0.128571, 0, 0, 0, 0, 0},
		{"fry", "fry", 0.251978, 0.071978, 0.018137, 1, 1, 1},
	} {
		rows, err := m.Open(context.Background(), "score", []value.Value{value.Str(want.l), value.Str("obl:with"),
			value.Str(want.r), value.Str("obl:with")}, nil)
		if err != nil {
			t.Fatal(err)
		}
		b, err := rows.Next(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		got := b.Row(nil, 0)
		for i, x := range []float64{want.score, want.base, want.trick, want.lin, want.precision} {
			if !near(got[i].Float(), x) {
				t.Errorf("%s → %s: %s %v, want %v", want.l, want.r, relations[4].Columns[i].Name, got[i].Float(), x)
			}
		}
		if !near(got[6].Float(), want.binc) {
			t.Errorf("%s → %s: binc %v, want %v", want.l, want.r, got[6].Float(), want.binc)
		}
	}
	if p := m.verbPairs[0]; m.counts.Templates[p.l].Predicate != "fry" || m.counts.Templates[p.r].Predicate != "cook" ||
		len(m.verbPairs) != 2 {
		t.Errorf("the list by score is %v", m.verbPairs)
	}
	m = train(t, kitchen(), 1, few, kindtest.Arg("measure", "binc"))
	if p := m.verbPairs[0]; m.counts.Templates[p.l].Predicate != "paint" || m.counts.Templates[p.r].Predicate != "fry" {
		t.Errorf("the list by binc is %v", m.verbPairs)
	}
}

// noise is tuples of random nouns in random templates.
func noise(templates, nouns int, seed uint64) kind.Tables {
	rng := rand.New(rand.NewPCG(seed, 2))
	var out [][]value.Value
	for v := range templates {
		for n := range nouns {
			if rng.IntN(3) == 0 {
				out = append(out, row(fmt.Sprint("n", n), []string{"nsubj", "obj"}[v%2], fmt.Sprint("v", v/2),
					float64(1+rng.IntN(9))))
			}
		}
	}
	return kind.Tables{"tuples": out}
}

// TestInvariants: rows of base sum to one, balance between both directions, bounds of the measures.
func TestInvariants(t *testing.T) {
	m := train(t, noise(20, 20, 1), 1, few)
	s, x := m.newScorer(), newSums(len(m.counts.Templates))
	y := newSums(len(m.counts.Templates))
	for l := range m.counts.Templates {
		s.gather(l, x)
		sum := 0.0
		for r := range m.counts.Templates {
			sum += x.base[r]
			s.gather(r, y)
			lr, rl := s.of("score", l, r, x), s.of("score", r, l, y)
			c := m.counts.OfRow[r] / m.counts.OfRow[l]
			if rl > 0 && math.Abs(lr/rl-c*c) > 1e-9*c*c || rl == 0 != (lr == 0) {
				t.Fatalf("Score(%d,%d)/Score(%d,%d) = %v, (c(r)/c(l))² = %v", l, r, r, l, lr/rl, c*c)
			}
			if lr < 0 || lr > x.base[r]*x.base[r] || (lr == 0) != (x.shared[r] < 2) {
				t.Fatalf("Score %v of base %v over %d nouns", lr, x.base[r], x.shared[r])
			}
			lin, prec, binc := s.of("lin", l, r, x), s.of("precision", l, r, x), s.of("binc", l, r, x)
			if math.Abs(lin-s.of("lin", r, l, y)) > 1e-12 || binc < min(lin, prec)-1e-12 || binc > max(lin,
				prec)+1e-12 || math.Abs(s.of("recall", l, r, x)-s.of("precision", r, l, y)) > 1e-12 {
				t.Fatalf("lin %v, precision %v, binc %v", lin, prec, binc)
			}
			_, between := m.between(l, r)
			if math.Abs(between.base[r]-x.base[r]) > 1e-12 || between.shared[r] != x.shared[r] {
				t.Fatal("a pair alone has other sums")
			}
		}
		if math.Abs(sum-1) > 1e-12 {
			t.Fatalf("row %d sums to %v", l, sum)
		}
	}
}

// TestBruteForce: the lists are those of all pairs, sorted, whatever the length and the number of workers.
func TestBruteForce(t *testing.T) {
	for _, measure := range []string{"score", "score_base", "score_trick", "lin", "precision", "recall", "binc"} {
		for _, n := range []int{5, 40, 100000} {
			m := train(t, noise(20, 20, 3), 2, few, kindtest.Arg("measure", measure), kindtest.Arg("nbest", n))
			dense := make([][]float64, len(m.counts.Templates))
			for i := range dense {
				dense[i] = make([]float64, len(m.counts.Nouns))
				ids, counts := m.counts.Rows.Row(i)
				for k, id := range ids {
					dense[i][id] = counts[k]
				}
			}
			all := map[[2]string]float64{}
			pairs := 0
			for l := range dense {
				for r := range dense {
					if v := plainMeasure(measure, dense, l, r); v > 0 && m.verb[l] != m.verb[r] {
						pairs++
						k := [2]string{m.counts.Templates[l].Predicate, m.counts.Templates[r].Predicate}
						all[k] = max(all[k], v)
					}
				}
			}
			var scores []float64
			for _, v := range all {
				scores = append(scores, v)
			}
			slices.Sort(scores)
			slices.Reverse(scores)
			if len(m.verbPairs) != min(n, len(scores)) || len(m.pairs) != min(n, pairs) {
				t.Fatalf("%s: %d and %d pairs", measure, len(m.verbPairs), len(m.pairs))
			}
			for i, p := range m.verbPairs {
				k := [2]string{m.counts.Templates[p.l].Predicate, m.counts.Templates[p.r].Predicate}
				if math.Abs(p.score-scores[i]) > 1e-12 || math.Abs(all[k]-p.score) > 1e-12 {
					t.Fatalf("%s of %d: place %d has %v, want %v", measure, n, i, p.score, scores[i])
				}
			}
		}
	}
}

// TestTies: a short list is the beginning of a long one, with many equal scores too.
func TestTies(t *testing.T) {
	var rows [][]value.Value
	for v := range 60 {
		for n := range 6 {
			rows = append(rows, row(fmt.Sprint("n", (v/10*3+n)%20), "obj", fmt.Sprintf("v%02d", v), 1))
		}
	}
	in := kind.Tables{"tuples": rows}
	all := train(t, in, 1, few, kindtest.Arg("nbest", 100000))
	for _, n := range []int{1, 7, 300} {
		if m := train(t, in, 2, few, kindtest.Arg("nbest", n)); !slices.Equal(m.verbPairs, all.verbPairs[:n]) {
			t.Errorf("the first %d are others", n)
		}
	}
}

// plainMeasure computes a measure from the formulas, over all nouns.
func plainMeasure(measure string, c [][]float64, l, r int) float64 {
	ofF := func(f int) (s float64) {
		for t := range c {
			s += c[t][f]
		}
		return s
	}
	ofT := func(t int) (s float64) {
		for f := range c[t] {
			s += c[t][f]
		}
		return s
	}
	total := 0.0
	for t := range c {
		total += ofT(t)
	}
	w := func(t, f int) float64 {
		if c[t][f] == 0 {
			return 0
		}
		return max(0, math.Log(c[t][f]*total/(ofT(t)*ofF(f))))
	}
	base, most, shared := 0.0, 0.0, 0
	both, left, right, sumL, sumR := 0.0, 0.0, 0.0, 0.0, 0.0
	for f := range c[l] {
		if c[l][f] > 0 && c[r][f] > 0 {
			x := c[r][f] / ofF(f) * c[l][f] / ofT(l)
			base += x
			most = max(most, x)
			shared++
		}
		sumL += w(l, f)
		sumR += w(r, f)
		if w(l, f) > 0 && w(r, f) > 0 {
			left += w(l, f)
			right += w(r, f)
			both += w(l, f) + w(r, f)
		}
	}
	trick := base - most
	if shared < 2 {
		trick = 0
	}
	div := func(a, b float64) float64 {
		if b == 0 {
			return 0
		}
		return a / b
	}
	switch measure {
	case "score":
		return base * trick
	case "score_base":
		return base
	case "score_trick":
		return trick
	case "lin":
		return div(both, sumL+sumR)
	case "precision":
		return div(left, sumL)
	case "recall":
		return div(right, sumR)
	}
	return math.Sqrt(div(both, sumL+sumR) * div(left, sumL))
}

// TestFilters: slots, vague verbs, voice, polarity, names and the cut, which comes last.
func TestFilters(t *testing.T) {
	flagged := func(r []value.Value, at int) []value.Value {
		r = slices.Clone(r)
		r[at] = value.Bool(true)
		return r
	}
	in := kind.Tables{"tuples": {row("a", "obj", "eat", 3), row("b", "obj", "eat", 2), row("a", "obj", "chew", 4),
		row("b", "obj", "chew", 1),
		row("a", "obj", "be", 50), row("a", "obl:under", "eat", 50), flagged(row("a", "obj", "chew", 50), 4),
		flagged(row("a", "obj", "sip", 50), 5),
		flagged(row("Rome", "obj", "chew", 50), 6), row("a", "nsubj", "eat", 4)}}
	m := train(t, in, 1, kindtest.Arg("min_template", 5))
	if got := fmt.Sprint(m.counts.Templates, m.counts.Nouns,
		m.counts.Total); got != "[obj of chew obj of eat] [a b] 10" {
		t.Error(got)
	}
	m = train(t, in, 1, kindtest.Arg("min_template", 5), kindtest.Arg("names", true), kindtest.Arg("passive", "map"))
	if got := fmt.Sprint(m.counts.Templates, m.counts.Nouns,
		m.counts.Total); got != "[obj of chew obj of eat obj of sip] [Rome a b] 110" {
		t.Error(got)
	}
	_, err := tried(in, 1, kindtest.Arg("min_template", 500))
	if err == nil ||
		err.Error() != "nothing to train on: of 3 templates in 10 rows none occurs 500 times in the slots that are wanted" {
		t.Error(err)
	}
	for _, bad := range [][]value.Value{row("a", "obj", "eat", -1), row("a", "obj", "eat", math.NaN()), {value.Str("a"),
		{}, value.Str("b"), value.Real(1), {}, {}, {}}} {
		if _, err := tried(kind.Tables{"tuples": {bad}}, 1); err == nil {
			t.Errorf("%v is accepted", bad)
		}
	}
}

// TestDirections: per_right, same_slot, ledir and dirt leave out what they should.
func TestDirections(t *testing.T) {
	in := noise(20, 20, 5)
	all := train(t, in, 1, few, kindtest.Arg("measure", "lin"))
	capped := train(t, in, 1, few, kindtest.Arg("measure", "lin"), kindtest.Arg("per_right", 2))
	ofRight := map[uint32]int{}
	for _, p := range all.verbPairs { // the first two of each right side, in order
		if r := all.verb[p.r]; ofRight[r] < 2 {
			if got := capped.verbPairs[ofRight[1000]]; got != p {
				t.Fatalf("place %d has %v, want %v", ofRight[1000], got, p)
			}
			ofRight[r]++
			ofRight[1000]++
		}
	}
	if len(capped.verbPairs) != ofRight[1000] {
		t.Errorf("%d pairs, want %d", len(capped.verbPairs), ofRight[1000])
	}
	for _, p := range train(t, in, 1, few, kindtest.Arg("same_slot", true)).pairs {
		if all.counts.Templates[p.l].Slot != all.counts.Templates[p.r].Slot {
			t.Fatal("slots differ")
		}
	}
	directed := train(t, kitchen(), 1, few, kindtest.Arg("measure", "lin"), kindtest.Arg("direction", "ledir"),
		kindtest.Arg("beta", 2.0))
	got := map[string]bool{}
	for _, p := range directed.verbPairs {
		got[directed.counts.Templates[p.l].Predicate+" "+directed.counts.Templates[p.r].Predicate] = true
	}
	// paint has one noun, fry three: the ratio 3 is over beta
	if !got["paint fry"] || got["fry paint"] || !got["fry cook"] || !got["cook fry"] {
		t.Errorf("%v", got)
	}
	two := kind.Tables{"tuples": {row("a", "nsubj", "eat", 2), row("b", "obj", "eat", 2), row("a", "nsubj", "chew", 2),
		row("b", "obj", "chew", 2),
		row("a", "nsubj", "run", 2), row("c", "nsubj", "rest", 9), row("c", "obj", "rest", 9)}}
	m := train(t, two, 1, few, kindtest.Arg("measure", "dirt"))
	if len(m.verbPairs) != 2 || !near(m.verbPairs[0].score, 1) {
		t.Errorf("dirt: %v", m.verbPairs)
	}
}

// taxonomy has general verbs, which take the nouns of their special ones, more often, and accidents: verbs that share
// one noun that dominates both.
func taxonomy(seed uint64) (kind.Tables, [][]value.Value) {
	rng := rand.New(rand.NewPCG(seed, 9))
	counts := map[[2]string]float64{}
	var gold [][]value.Value
	for g := range 12 {
		general := fmt.Sprint("general", g)
		for s := range 4 {
			special := fmt.Sprint("special", g, s)
			gold = append(gold, []value.Value{value.Str(special), value.Str(general)})
			for range 40 {
				n := fmt.Sprintf("noun%d.%d", g, s*6+rng.IntN(6))
				counts[[2]string{special, n}]++
				counts[[2]string{general, n}]++
			}
			counts[[2]string{special, fmt.Sprint("other", rng.IntN(30))}] += 8
		}
	}
	for a := range 40 {
		for _, v := range []string{"accident", "coincidence"} {
			counts[[2]string{fmt.Sprint(v, a), fmt.Sprint("only", a)}] += 40
			counts[[2]string{fmt.Sprint(v, a), fmt.Sprint("other", rng.IntN(30))}] += 4
		}
	}
	var out [][]value.Value
	for k, c := range counts {
		out = append(out, row(k[1], "obj", k[0], c))
	}
	return kind.Tables{"tuples": out}, gold
}

// TestTaxonomy: on planted entailments Score is better than its parts and the baselines.
func TestTaxonomy(t *testing.T) {
	in, gold := taxonomy(1)
	at := map[string]float64{}
	for _, measure := range measures {
		m := train(t, in, 1, few, kindtest.Arg("measure", measure))
		known := map[[2]string]bool{}
		for _, g := range gold {
			known[[2]string{g[0].S, g[1].S}] = true
		}
		if list := m.precision(known, 1); len(m.verbPairs) > 0 {
			at[measure] = list[0].Value() * float64(min(len(m.verbPairs), 100)) / 48
		}
	}
	if !(at["score"] >= at["score_trick"] && at["score_trick"] > at["score_base"] && at["score"] > at["lin"] &&
		at["score"] > 10*at["random"]) {
		t.Errorf("%v", at)
	}
}

// served is the worked example with subjects and objects.
func served() kind.Tables {
	in := kitchen()
	for _, verb := range []string{"fry", "cook", "bake"} {
		for _, n := range []string{"egg", "fish"} {
			in["tuples"] = append(in["tuples"], row("chef", "nsubj", verb, 2), row("guest", "nsubj", verb, 1),
				row(n, "obj", verb, 3))
		}
	}
	in["tuples"] = append(in["tuples"], row("chef", "nsubj", "rest", 20), row("bench", "obj", "rest", 20))
	return in
}

func TestContract(t *testing.T) {
	text := func(list ...string) (out []value.Value) {
		for _, s := range list {
			out = append(out, value.Str(s))
		}
		return out
	}
	queries := []kindtest.Query{{Relation: "entails", Args: text("fry")}, {Relation: "entails", Args: text("fy"),
		Fails: "did you mean fry"},
		{Relation: "score", Args: text("fry", "obl:with", "cook", "obl:with")}, {Relation: "score", Args: text("fry",
			"obl:of", "cook", "obj"), Fails: "unknown slot of fry"},
		{Relation: "witnesses", Args: text("fry", "obl:with", "cook", "obl:with")}}
	gold := kind.Tables{"gold": {text("fry", "cook")}}
	for _, measure := range []string{"score", "lin", "random"} {
		kindtest.Run(t, kindtest.Case{Kind: Kind(), Options: []option.Arg{few, kindtest.Arg("measure", measure)},
			Tables: served(), Queries: queries, Gold: gold})
	}
	judged := kind.Tables{"judgements": {append(text("fry", "obl:with", "cook", "obl:with"), value.Bool(true),
		value.Value{}),
		append(text("cook", "obl:with", "fry", "obl:with"), value.Bool(false), value.Value{})}}
	kindtest.Run(t, kindtest.Case{Kind: Kind(), Options: []option.Arg{few, kindtest.Arg("task", "judgements")},
		Tables: kitchen(), Queries: queries, Gold: judged})
}

// TestJudge: the area under the curve of two judgements, one of two slots.
func TestJudge(t *testing.T) {
	m := train(t, kitchen(), 1, few, kindtest.Arg("task", "judgements"))
	r := func(l, r, id string, right bool) []value.Value {
		return []value.Value{value.Str(l), value.Str("obl:with"), value.Str(r), value.Str("obl:with"),
			value.Bool(right), value.Str(id)}
	}
	got, err := m.Evaluate(context.Background(), kind.Tables{"judgements": {r("fry", "cook", "1", true),
		r("fry", "cook", "1", true), r("cook", "fry", "2", false), r("fry", "eat", "3", true)}}, &kind.Run{})
	if err != nil || got[0].Value() != 1 || !near(got[1].Value(), 2.0/3) {
		t.Errorf("%v %v", got, err)
	}
	if _, err := m.Evaluate(context.Background(), kind.Tables{"judgements": {r("fry", "cook", "1", true),
		r("cook", "fry", "1", false)}}, &kind.Run{}); err == nil {
		t.Error("contradictory judgements are accepted")
	}
}
