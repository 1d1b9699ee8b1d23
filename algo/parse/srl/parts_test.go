package srl

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/metrics"
	"parlance/algo/option"
	"parlance/algo/parse/frame"
	"parlance/algo/text"
	"parlance/algo/text/treebank"
)

// treeOf is a tree by its heads, those of tokens 1, 2, …
func treeOf(heads ...int32) *tree {
	t := &tree{}
	t.read(&treebank.Sentence{To: len(heads), Heads: append([]int32{0}, heads...), Labels: make([]string, len(heads)+1)})
	return t
}

// TestWalk: I see a beautiful bird . with heads 2 0 5 5 2 2.
func TestWalk(t *testing.T) {
	x := treeOf(2, 0, 5, 5, 2, 2)
	for _, c := range []struct {
		how   string
		maxUp int
		p     int
		want  []int32
	}{
		{"walk", 0, 5, []int32{5, 3, 4, 2, 1, 6}}, {"walk", 0, 4, []int32{4, 5, 3, 2, 1, 6}},
		{"walk", 1, 4, []int32{4, 5, 3}},
		{"walk", 0, 2, []int32{2, 1, 5, 6}}, {"walk_grandchildren", 0, 2, []int32{2, 1, 5, 6, 3, 4}},
		{"children", 0, 5, []int32{5, 3, 4}}, {"all", 0, 5, []int32{1, 2, 3, 4, 5, 6}},
	} {
		if got := x.candidates(&options{candidates: c.how, maxUp: c.maxUp}, c.p); !slices.Equal(got, c.want) {
			t.Errorf("%s, %d up, of %d: %v, want %v", c.how, c.maxUp, c.p, got, c.want)
		}
	}
}

// TestWalkOfNoTree: cycles, heads that are no tokens and tokens without a head end the walk.
func TestWalkOfNoTree(t *testing.T) {
	for _, heads := range [][]int32{{2, 1}, {9, -1}, {1, 2}, {-1, -1}, {2, 3, 1}} {
		x := treeOf(heads...)
		got := slices.Clone(x.candidates(&options{candidates: "walk_grandchildren"}, 1))
		if sorted := slices.Sorted(slices.Values(got)); got[0] != 1 || len(slices.Compact(sorted)) != len(got) {
			t.Errorf("heads %v: %v", heads, got)
		}
	}
}

// TestSpans: the tokens of an argument from its head.
func TestSpans(t *testing.T) {
	heads := []int32{0, 2, 5, 5, 5, 0, 8, 8, 5} // 1→2, 2→5, 3→5, 4→5, 5 root, 6→8, 7→8, 8→5
	x := &extents{heads: map[int][]int32{1: heads},
		nodes: map[int][][2]int{1: {{1, 8}, {1, 2}, {1, 1}, {5, 8}, {6, 8}, {7, 8}}}}
	for _, c := range []struct {
		how             string
		predicate, head int
		want            [2]int
	}{
		{"head", 5, 8, [2]int{8, 8}}, {"subtree", 5, 8, [2]int{6, 8}}, {"subtree", 5, 2, [2]int{1, 2}},
		{"subtree", 8, 5, [2]int{1, 5}}, {"subtree", 5, 5, [2]int{5, 5}}, {"constituent", 5, 8, [2]int{6, 8}},
		{"constituent", 5, 2, [2]int{1, 2}}, {"constituent", 2, 5, [2]int{5, 8}}, {"constituent", 5, 4, [2]int{4, 4}},
	} {
		x.how = c.how
		if a, z := x.of(1, c.predicate, c.head); [2]int{a, z} != c.want {
			t.Errorf("%s: argument %d of %d is %d to %d, want %v", c.how, c.head, c.predicate, a, z, c.want)
		}
	}
}

// scores are those of a model on documents whose roles it does not see.
func scores(t *testing.T, m *model, docs []*text.Document) map[string]float64 {
	t.Helper()
	v, _ := score(t, m, docs)
	return v
}

// TestFitsTraining: gold trees, gold senses and all candidates fit a small corpus without an error.
func TestFitsTraining(t *testing.T) {
	docs := framed(kindtest.Sample(24))
	m := trained(t, docs, kindtest.Arg("candidates", "all"), kindtest.Arg("sense_folds", 0), kindtest.Arg("epochs", 20),
		kindtest.Arg("cutoff", 1))
	if v := scores(t, m, docs); v["semantic_f1 "+metrics.All] != 100 {
		t.Errorf("semantic F1 %.1f on what was learned", v["semantic_f1 "+metrics.All])
	}
}

// TestSelection: the search finds the one template that tells roles apart, is deterministic, and drops what is no use.
func TestSelection(t *testing.T) {
	docs := framed(kindtest.Sample(60))
	args := []option.Arg{kindtest.Arg("select", true), kindtest.Arg("select_share", 1.0),
		kindtest.Arg("features",
			pairHeader+"\np.sent.bins(9), order(a, p), p.lemma.length.bins(30), a.deprel & a.lemma & order(a, p)")}
	a, b := trained(t, docs, args...), trained(t, docs, args...)
	if fmt.Sprint(a.trace) != fmt.Sprint(b.trace) || a.set.String() != b.set.String() {
		t.Errorf("two searches differ:\n%v\n%v", a.trace, b.trace)
	}
	if got := a.set.Templates(); !slices.Contains(got, "a.deprel & a.lemma & order(a, p)") ||
		slices.Contains(got, "p.sent.bins(9)") ||
		len(a.trace) == 0 {
		t.Errorf("templates %v, trace %v", got, a.trace)
	}
	last := map[string]string{} // what was done with a template last
	for _, c := range a.trace {
		if c.Action != "stay" {
			last[c.Template] = c.Action
		}
	}
	for name, action := range last {
		if in := slices.Contains(a.set.Templates(), name); in != (action == "add") {
			t.Errorf("template %s: %s, in use: %v", name, action, in)
		}
	}
	for i, c := range a.trace {
		if c.Action == "add" && !(c.After > c.Before) || c.Action == "drop" && c.After < c.Before {
			t.Errorf("step %d: %+v", i+1, c)
		}
	}
}

// TestFurtherTrees: features of the second best tree are others than those of the same values in the best one, and come
// from its arcs.
func TestFurtherTrees(t *testing.T) {
	d := *framed(kindtest.Sample(4))[3]
	arcs := *d.Layer(text.Dependencies.Name)
	twice := text.NewLayer(text.Dependencies)
	for c := range arcs.Def.Columns {
		twice.Cols[c] = text.Col{Ints: append(slices.Clone(arcs.Cols[c].Ints), arcs.Cols[c].Ints...),
			Strs: append(slices.Clone(arcs.Cols[c].Strs), arcs.Cols[c].Strs...)}
	}
	twice.N = 2 * arcs.N
	twice.Rank = append(slices.Repeat([]int32{1}, arcs.N), slices.Repeat([]int32{2}, arcs.N)...)
	rel := twice.Strs("deprel")
	rel[arcs.N] = "other"
	d.SetLayer(twice)
	set, err := (&options{features: pairHeader + "\na.deprel, a.lemma", tags: "xpos"}).pairs()
	if err != nil {
		t.Fatal(err)
	}
	frames, _ := frame.Read(&d)
	of := func(trees int) []uint64 {
		r, err := newPairReader(set, trees, nil)
		if err != nil {
			t.Fatal(err)
		}
		view := d
		toks := *d.Layer(text.Tokens.Name)
		toks.Cols = slices.Clone(toks.Cols)
		toks.SetStrs("lemma", toks.Strs("form"))
		view.Layers = slices.Clone(d.Layers)
		view.SetLayer(&toks)
		if err := r.bind(context.Background(), &view, frames); err != nil {
			t.Fatal(err)
		}
		h, err := r.features(1, 0, frames[1][0].Predicate, 1)
		if err != nil {
			t.Fatal(err)
		}
		return slices.Clone(h)
	}
	one, two := of(1), of(2)
	if len(one) != 2 || len(two) != 4 || !slices.Equal(one, two[:2]) {
		t.Fatalf("features of one tree %v, of two %v", one, two)
	}
	sorted := slices.Sorted(slices.Values(two))
	if len(slices.Compact(sorted)) != 4 {
		t.Errorf("features of the second tree are those of the first: %v", two)
	}
}

// TestWithSenses: each predicate gets its own sense.
func TestWithSenses(t *testing.T) {
	gold := [][]frame.Frame{nil, {{Predicate: 1, Sense: "a.01"}, {Predicate: 3, Sense: "b.01"}}}
	got := withSenses(gold, [][][]string{nil, {nil, {"a.02", "b.03"}}}, 1)
	if got[1][0].Sense != "a.02" || got[1][1].Sense != "b.03" || gold[1][0].Sense != "a.01" {
		t.Errorf("%v, gold %v", got, gold)
	}
}

// TestUniqueCore: with the rule no predicate has a core role twice, whatever the scores.
func TestUniqueCore(t *testing.T) {
	docs := framed(kindtest.Sample(30))
	m := trained(t, docs[:20], kindtest.Arg("none_bias", -10.0))
	twice := func(unique bool) (n int) {
		m.opt.unique = unique
		m.ready()
		for _, d := range docs[20:] {
			v := *d
			v.DropLayer(text.Roles.Name)
			if err := m.Annotate(context.Background(), []*text.Document{&v}, &kind.Run{}); err != nil {
				t.Fatal(err)
			}
			frames, _ := frame.Read(&v)
			for _, list := range frames {
				for _, f := range list {
					seen := map[string]bool{}
					for _, a := range f.Args {
						if frame.Core(a.Label) && seen[a.Label] {
							n++
						}
						seen[a.Label] = true
					}
				}
			}
		}
		return n
	}
	if n := twice(true); n > 0 {
		t.Errorf("%d core roles come twice", n)
	}
	if twice(false) == 0 {
		t.Error("without the rule no core role comes twice: the test shows nothing")
	}
}

// TestUnseen: a lemma that was never seen has the sense lemma.01; a predicate without arguments has a row for itself
// alone.
func TestUnseen(t *testing.T) {
	docs := framed(kindtest.Sample(20))
	m := trained(t, docs, kindtest.Arg("predicates", "given"))
	d := *docs[0]
	toks := *d.Layer(text.Tokens.Name)
	toks.Cols = slices.Clone(toks.Cols)
	form := slices.Clone(toks.Strs("form"))
	frames, _ := frame.Read(&d)
	p := frames[1][0].Predicate
	form[p-1] = "zorped"
	toks.SetStrs("form", form)
	d.SetLayer(&toks)
	d.DropLayer(text.Dependencies.Name)
	if err := m.Annotate(context.Background(), []*text.Document{&d}, &kind.Run{}); err != nil {
		t.Fatal(err)
	}
	frames, faults := frame.Read(&d)
	if faults > 0 || len(frames[1]) != 1 || !strings.HasPrefix(frames[1][0].Sense, "zorp") ||
		!strings.HasSuffix(frames[1][0].Sense, ".01") {
		t.Errorf("%+v, %d faults", frames[1], faults)
	}
}

// TestBadTraining: documents without roles, rows of tokens that are not there, sets over other places.
func TestBadTraining(t *testing.T) {
	docs := framed(kindtest.Sample(6))
	bare := *docs[0]
	bare.DropLayer(text.Roles.Name)
	m, s := Kind().New(), &option.Set{}
	m.Options(s)
	if err := s.Apply(nil); err != nil {
		t.Fatal(err)
	}
	in := &kind.Training{On: kind.Documents{&bare}, Seed: 1, Workers: 1, Report: func(kind.Progress) {},
		Notice: func(string) {}}
	if err := m.Train(context.Background(), in); !errors.Is(err, kind.ErrNoData) {
		t.Errorf("without roles: %v", err)
	}
	odd := *docs[1]
	l := *odd.Layer(text.Roles.Name)
	l.Cols = slices.Clone(l.Cols)
	l.SetInts("predicate", slices.Repeat([]int32{77}, l.N))
	odd.SetLayer(&l)
	trained(t, append([]*text.Document{&odd}, docs...))
	for _, notation := range []string{"over (p token) p.form", "over (p token, a token) a.form", "p.form",
		"over (p token, a token, f " +
			"span(roles)) a.no_such"} {
		m, s := Kind().New(), &option.Set{}
		m.Options(s)
		if err := s.Apply([]option.Arg{kindtest.Arg("features", notation)}); err == nil {
			t.Errorf("features %q are taken", notation)
		}
	}
}
