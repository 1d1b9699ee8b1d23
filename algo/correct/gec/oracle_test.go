package gec

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"parlance/algo/correct/confusion"
	"parlance/algo/correct/correcttest"
	"parlance/algo/engine/zeroone"
	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/metrics"
	"parlance/algo/option"
	"parlance/algo/text"
)

// solved is the values of slots of the best assignment, 0 for what was written, else 1 + the option.
func solved(t *testing.T, m *model, list []correction, all []slot, ties []bond) ([]int, float64) {
	t.Helper()
	p, err := m.program(list, all, ties, make([]int, len(all)), 0)
	if err != nil {
		t.Fatal(err)
	}
	s, err := p.Solve(context.Background(), zeroone.Defaults())
	if err != nil {
		t.Fatal(err)
	}
	if !s.Certified {
		t.Error("the solution is not certified")
	}
	out := make([]int, len(all))
	for i, v := range p.vars {
		out[i] = slices.IndexFunc(v, func(x int) bool { return s.X[x] })
	}
	return out, s.Value
}

// TestJointByHand has p(noun) = sg .45, pl .55; p(verb) = sg .9, pl .1; p(article) = a .6, the .3, 0 .1, all written as
// a singular: the best consistent choice is sg, sg, a.
func TestJointByHand(t *testing.T) {
	list := []correction{{score: math.Log(.55 / .45)}, {score: math.Log(.1 / .9)}, {score: math.Log(.3 / .6)},
		{score: math.Log(.1 / .6)}}
	all := []slot{
		{module: moduleNoun, source: confusion.Singular, options: []int{0}, values: []int{confusion.Plural}},
		{module: moduleAgreement, source: confusion.Singular, options: []int{1}, values: []int{confusion.Plural}},
		{module: moduleArticle, source: 1, options: []int{2, 3}, values: []int{0, 0}},
	}
	ties := []bond{{"number", 1, 0, 0}, {"article", 2, 0, 0}}
	base := math.Log(.45 * .9 * .6)
	got, value := solved(t, &model{joint: hard}, list, all, ties)
	if !slices.Equal(got, []int{0, 0, 0}) || math.Abs(base+value - -1.414694) > 1e-6 {
		t.Errorf("choice %v with log %v", got, base+value)
	}
	got, value = solved(t, &model{joint: none}, list, all, nil)
	if !slices.Equal(got, []int{1, 0, 0}) || math.Abs(base+value - -1.214023) > 1e-6 {
		t.Errorf("without constraints: choice %v with log %v", got, base+value)
	}
	list[2].score = 10 // the is right
	if got, _ = solved(t, &model{joint: hard}, list, all, ties); !slices.Equal(got, []int{0, 0, 1}) {
		t.Errorf("with the: %v", got)
	}
}

// TestJointEnumerates compares random components with all assignments, with constraints that must hold and with a
// price.
func TestJointEnumerates(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	for n := range 1000 {
		var list []correction
		var all []slot
		add := func(module string, source int, values ...int) {
			s := slot{module: module, source: source, values: values}
			for range values {
				s.options = append(s.options, len(list))
				list = append(list, correction{score: 3 * rng.NormFloat64()})
			}
			all = append(all, s)
		}
		var ties []bond
		add(moduleNoun, n%2, 1-n%2)
		for range rng.IntN(3) {
			source := rng.IntN(2)
			add(moduleAgreement, source, 1-source)
			tie := bond{"number", len(all) - 1, 0, 0}
			if rng.IntN(4) == 0 {
				tie.b, tie.want = -1, rng.IntN(2)
			}
			ties = append(ties, tie)
		}
		if rng.IntN(2) == 0 {
			add(moduleArticle, 1, 0, 0)
			ties = append(ties, bond{"article", len(all) - 1, 0, 0})
		} else {
			add(moduleArticle, 0, 1, 0)
			ties = append(ties, bond{"article", len(all) - 1, 0, 0})
		}
		m := &model{joint: []string{hard, mild}[rng.IntN(2)]}
		best := math.Inf(-1)
		choice := make([]int, len(all))
		var walk func(i int, sum float64)
		walk = func(i int, sum float64) {
			if i < len(all) {
				for v := range len(all[i].values) + 1 {
					choice[i] = v
					add := 0.0
					if v > 0 {
						add = list[all[i].options[v-1]].score
					}
					walk(i+1, sum+add)
				}
				return
			}
			value := func(k int) int {
				if choice[k] == 0 {
					return all[k].source
				}
				return all[k].values[choice[k]-1]
			}
			for _, b := range ties {
				broken := false
				switch {
				case all[b.a].module == moduleArticle:
					broken = value(b.a) == 1 && value(b.b) == confusion.Plural
				case b.b < 0:
					broken = value(b.a) != b.want
				default:
					broken = value(b.a) != value(b.b)
				}
				if broken && m.joint == hard {
					return
				}
				if broken {
					sum -= penalty
				}
			}
			best = max(best, sum)
		}
		walk(0, 0)
		if _, got := solved(t, m, list, all, ties); math.Abs(got-best) > 1e-9 {
			t.Fatalf("component %d, %s: %v, the best is %v", n, m.joint, got, best)
		}
	}
}

// TestHardAgrees: after a hard choice no slot that is tied disagrees where something of its component is changed.
func TestHardAgrees(t *testing.T) {
	res := modules(t)
	ctx := context.Background()
	for _, how := range []string{none, hard} {
		m := trained(t, res, names, kindtest.Arg("joint", how))
		members, err := m.members(res)
		if err != nil {
			t.Fatal(err)
		}
		clashes := 0
		for _, d := range correcttest.Documents(60, 0.25, 11) {
			for _, s := range confusion.Read(d) {
				list := collect(members, s)
				m.rate(members, list)
				for i := range list {
					list[i].score += 1 // more is changed
				}
				made, err := m.decide(ctx, members, s, list)
				if err != nil {
					t.Fatal(err)
				}
				clashes += disagree(members, s, list, made)
			}
		}
		if how == hard && clashes > 0 || how == none && clashes == 0 {
			t.Errorf("joint = %s: %d pairs disagree", how, clashes)
		}
	}
}

// disagree counts bonds that are broken and of which one side was changed.
func disagree(members []member, s *confusion.Sentence, list []correction, made []bool) (n int) {
	all := slots(members, list)
	value := func(k int) (v int, changed bool) {
		for i, o := range all[k].options {
			if made[o] {
				return all[k].values[i], true
			}
		}
		return all[k].source, false
	}
	for _, b := range bonds(s, all) {
		if b.b < 0 {
			continue
		}
		x, c1 := value(b.a)
		y, c2 := value(b.b)
		article := all[b.a].module == moduleArticle
		if (c1 || c2) && (article && x == 1 && y == confusion.Plural || !article && x != y) {
			n++
		}
	}
	return n
}

// trained is a corrector of some modules, with an option.
func trained(t *testing.T, res kind.Resources, some []string, a option.Arg) *model {
	t.Helper()
	m, err := correcttest.Train(Kind(), correcttest.Documents(60, 0.15, 7), res, list(some...), a)
	if err != nil {
		t.Fatal(err)
	}
	return m.Model.(*model)
}

// TestUnion: of a union the edits are those of its modules, but for clashes; each module's are found again.
func TestUnion(t *testing.T) {
	res := modules(t)
	m := trained(t, res, []string{"article", "noun_number"}, kindtest.Arg("combine", union))
	m.joint = none
	ctx := context.Background()
	for _, d := range correcttest.Documents(30, 0.2, 12) {
		for _, s := range confusion.Read(d) {
			members, err := m.members(res)
			if err != nil {
				t.Fatal(err)
			}
			both := edits(t, ctx, m, members, s, -1)
			one, two := edits(t, ctx, m, members, s, 0), edits(t, ctx, m, members, s, 1)
			if len(both) > len(one)+len(two) {
				t.Errorf("%d edits of %d and %d", len(both), len(one), len(two))
			}
			for _, e := range slices.Concat(one, two) {
				if !slices.ContainsFunc(both, func(x confusion.Edit) bool { return x == e || x.Clashes(e) }) {
					t.Errorf("%v is lost", e)
				}
			}
		}
	}
}

func edits(t *testing.T, ctx context.Context, m *model, members []member, s *confusion.Sentence,
	only int) (out []confusion.Edit) {
	t.Helper()
	list := collect(members, s)
	m.rate(members, list)
	for i := range list {
		if only >= 0 && !slices.ContainsFunc(list[i].said, func(x said) bool { return x.by == only }) {
			list[i].score = math.Inf(-1)
		}
	}
	made, err := m.decide(ctx, members, s, list)
	if err != nil {
		t.Fatal(err)
	}
	for i, ok := range made {
		if ok {
			out = append(out, list[i].Edit)
		}
	}
	return out
}

func TestRealised(t *testing.T) {
	s := confusion.New(strings.Fields("He is a honest man with a big apple"), nil, nil)
	of := func(e confusion.Edit) string {
		got := realised(s, []correction{{Edit: e}}, []bool{true})
		for _, x := range got {
			if edited, written := s.Change(x); edited == written {
				t.Errorf("%v changes nothing", x)
			}
		}
		words, err := confusion.Apply(s.Forms, got)
		if err != nil {
			t.Fatal(err)
		}
		return strings.Join(words, " ")
	}
	for e, want := range map[confusion.Edit]string{
		{Start: 7, End: 8, Words: "old"}:   "He is a honest man with an old apple",
		{Start: 7, End: 8}:                 "He is a honest man with an apple",
		{Start: 3, End: 4, Words: "good"}:  "He is a good man with a big apple",
		{Start: 3, End: 3, Words: "very"}:  "He is a very honest man with a big apple",
		{Start: 8, End: 9, Words: "pears"}: "He is a honest man with a big pears",
		{Start: 8, End: 9}:                 "He is a honest man with a big",
	} {
		if got := of(e); got != want {
			t.Errorf("%v: %s, want %s", e, got, want)
		}
	}
}

// TestCorrectedText: the corrected sentences are the tokens with the edits made.
func TestCorrectedText(t *testing.T) {
	res := modules(t)
	m := trained(t, res, names, kindtest.Arg("joint", mild))
	docs := correcttest.Documents(20, 0.2, 13)
	s := metrics.NewEdits(metrics.Options{})
	for _, d := range docs {
		view := *d
		view.DropLayer(text.Edits.Name)
		if err := m.Annotate(context.Background(), []*text.Document{&view},
			&kind.Run{Resources: res, Prob: true}); err != nil {
			t.Fatal(err)
		}
		if err := s.Add(context.Background(), []*text.Document{d}, []*text.Document{&view}); err != nil {
			t.Fatal(err)
		}
		l := view.Layer(Corrected.Name)
		e := view.Layer(text.Edits.Name)
		n := 0
		for i := range l.N {
			n += int(l.Ints("edits")[i])
			if (l.Ints("edits")[i] > 0) != (l.Strs("text")[i] != d.Text[l.Ints("char_start")[i]:l.Ints("char_end")[i]]) {
				t.Errorf("%s has %d edits", l.Strs("text")[i], l.Ints("edits")[i])
			}
		}
		if n != e.N {
			t.Errorf("%d edits, %d in the sentences", e.N, n)
		}
	}
	if f := s.Metrics()[2].Value(); f < 0.4 {
		t.Errorf("F of generated errors: %v", f)
	}
}

// TestDecodeRefuses: a model whose parts do not fit each other is damaged.
func TestDecodeRefuses(t *testing.T) {
	for _, s := range []stored{{Names: []string{"a"}, Weights: make([]float64, inputs-1)},
		{Names: []string{"a", "b"}, Weights: make([]float64, 2*inputs)}} {
		m := &model{modules: []string{"a"}, combine: calibrated}
		var b []byte
		w := kind.NewWriter(func(_ string, p []byte) error { b = append(b, p...); return nil })
		if err := w.JSON("corrector", s); err != nil {
			t.Fatal(err)
		}
		if err := m.Decode(kind.NewReader(func(string) ([]byte, error) { return b, nil })); !errors.Is(err, kind.ErrCorrupt) {
			t.Errorf("%v: %v", s.Names, err)
		}
	}
}
