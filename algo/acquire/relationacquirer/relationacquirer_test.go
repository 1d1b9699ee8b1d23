package relationacquirer

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"parlance/algo/acquire/template"
	"parlance/algo/acquire/tuples"
	"parlance/algo/classify/svm/solver"
	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/storage/value"
)

// document is parsed sentences of tokens form/upos/head/relation; its text is the forms with spaces.
func document(id string, lines ...string) *text.Document {
	d := &text.Document{ID: id}
	toks, arcs := text.NewLayer(text.Tokens), text.NewLayer(text.Dependencies)
	var sent, tok, head, start, end []int32
	var forms, tags, labels []string
	var b strings.Builder
	for s, line := range lines {
		for i, w := range strings.Fields(line) {
			part := strings.Split(w, "/")
			h := int32(0)
			fmt.Sscan(part[2], &h)
			start = append(start, int32(b.Len()))
			b.WriteString(part[0])
			end = append(end, int32(b.Len()))
			b.WriteByte(' ')
			sent, tok, head = append(sent, int32(s+1)), append(tok, int32(i+1)), append(head, h)
			forms, tags, labels = append(forms, part[0]), append(tags, part[1]), append(labels, part[3])
		}
	}
	d.Text = b.String()
	toks.N, arcs.N = len(sent), len(sent)
	toks.SetInts("sent", sent)
	toks.SetInts("tok", tok)
	toks.SetInts("char_start", start)
	toks.SetInts("char_end", end)
	toks.SetStrs("form", forms)
	toks.SetStrs("upos", tags)
	arcs.SetInts("sent", sent)
	arcs.SetInts("tok", tok)
	arcs.SetInts("head", head)
	arcs.SetStrs("deprel", labels)
	d.SetLayer(toks)
	d.SetLayer(arcs)
	return d
}

// clause is "a verb b because of c in d": nouns a to d.
func clause(verb, a, b, c, d string) string {
	return fmt.Sprintf("%s/NOUN/2/nsubj %s/VERB/0/root %s/NOUN/2/obj after/ADP/5/case %s/NOUN/2/obl in/ADP/7/case "+
		"%s/NOUN/5/nmod ././PUNCT/2/punct",
		a, verb, b, c, d)
}

// long has a path that no pattern has: the effect hangs below another noun. In deep the cause does.
func long(verb, a, b, filler, c string) string {
	return fmt.Sprintf("%s/NOUN/2/nsubj %s/VERB/0/root %s/NOUN/2/obj of/ADP/5/case %s/NOUN/3/nmod after/ADP/7/case "+
		"%s/NOUN/2/obl ././PUNCT/2/punct",
		a, verb, filler, b, c)
}

func deep(verb, a, b, filler, c string) string {
	return fmt.Sprintf("%s/NOUN/4/nsubj of/ADP/3/case %s/NOUN/1/nmod %s/VERB/0/root %s/NOUN/4/obj after/ADP/7/case "+
		"%s/NOUN/4/obl ././PUNCT/4/punct",
		filler, a, verb, b, c)
}

func texts(list ...string) (out []value.Value) {
	for _, s := range list {
		out = append(out, value.Str(s))
	}
	return out
}

// causing is the pattern of the first stage.
const causing = "X <nsubj cause >obj Y"

// causes are pairs that a first stage has found by a pattern, NULL for none.
func causes(pattern string, pairs ...string) kind.Tables {
	var out [][]value.Value
	for _, p := range pairs {
		a, b, _ := strings.Cut(p, " ")
		row := append(texts(a, b), make([]value.Value, 3)...)
		if pattern != "" {
			row[2] = value.Str(pattern)
		}
		out = append(out, row)
	}
	return kind.Tables{"instances": out}
}

func tried(docs []*text.Document, roles map[string]kind.Input, workers int, args ...option.Arg) (*model, []string,
	error) {
	m, s := &model{}, &option.Set{}
	m.Options(s)
	if err := s.Apply(args); err != nil {
		return nil, nil, err
	}
	var told []string
	err := m.Train(context.Background(), &kind.Training{On: kind.Documents(docs), Roles: roles, Workers: workers,
		Seed:   1,
		Report: func(kind.Progress) {}, Notice: func(s string) { told = append(told, s) }})
	return m, told, err
}

// world is sentences of causes and of sales: cause and sell with nouns of two sorts, those of causes also below others.
func world(seed uint64, n int) (docs []*text.Document, first kind.Tables, truth map[pair]bool) {
	rng := rand.New(rand.NewPCG(seed, 3))
	truth = map[pair]bool{}
	var pairs []string
	for d := range n {
		var lines []string
		for range 4 {
			a, b := fmt.Sprint("fire", rng.IntN(20)), fmt.Sprint("death", rng.IntN(20))
			c, e := fmt.Sprint("year", rng.IntN(9)), fmt.Sprint("town", rng.IntN(9))
			filler := fmt.Sprint("wave", rng.IntN(30))
			switch rng.IntN(5) {
			case 0:
				lines = append(lines, clause("sell", c, a, b, e))
				continue
			case 1:
				lines = append(lines, long("cause", a, b, filler, c))
			case 2:
				lines = append(lines, deep("cause", a, b, filler, e))
			default:
				lines = append(lines, clause("cause", a, b, c, e))
			}
			truth[pair{a, b}] = true
			if rng.IntN(2) == 0 {
				pairs = append(pairs, a+" "+b)
			}
		}
		docs = append(docs, document(fmt.Sprintf("d%03d", d), lines...))
	}
	slices.Sort(pairs)
	return docs, causes(causing, slices.Compact(pairs)...), truth
}

// TestCandidates: the generator against a plain enumeration, with and without classes.
func TestCandidates(t *testing.T) {
	docs, _, _ := world(1, 20)
	docs = append(docs, document("same", clause("cause", "fire1", "fire1", "death1", "death1")))
	g := generator{classed: true, classes: map[string][]string{}, between: map[pair]bool{{"A", "B"}: true},
		partials: [2]map[string]bool{{"X <nsubj cause": true}, {"cause >obj Y": true}}}
	for i := range 20 {
		g.classes[fmt.Sprint("fire", i)], g.classes[fmt.Sprint("death", i)] = []string{"A", "C"}, []string{"B"}
	}
	g.ready()
	o := tuples.ReaderOptions{Language: "en", Noun: "head", MaxPath: 6}
	sizes := map[string]int{}
	for _, mode := range []string{"both", "class", "partial"} {
		for _, d := range docs {
			r := tuples.NewReader(o)
			for s := range r.Sentences(d) {
				var x scan
				g.look(s, &x)
				var got, want [][2]int
				g.candidates(&x, mode, func(a, b int) { got = append(got, [2]int{x.Nouns[a], x.Nouns[b]}) })
				for _, i := range s.Nouns {
					for _, j := range s.Nouns {
						a, b := s.Noun(i), s.Noun(j)
						class := strings.HasPrefix(a, "fire") && strings.HasPrefix(b, "death")
						at := func(tok int, rel string) bool {
							return d.Layer("dependencies").Strs("deprel")[s.From+tok-1] == rel
						}
						partial := s.Lemma(2) != "sell" && (at(i, "nsubj") || at(j, "obj"))
						if a != b && (mode == "class" && class || mode == "partial" && partial || mode == "both" &&
							class && partial) {
							want = append(want, [2]int{i, j})
						}
					}
				}
				if !slices.Equal(got, want) {
					t.Fatalf("%s: %v, want %v", mode, got, want)
				}
				sizes[mode] += len(got)
			}
		}
	}
	if !(sizes["both"] > 0 && sizes["both"] < sizes["class"] && sizes["both"] < sizes["partial"]) {
		t.Errorf("%v", sizes)
	}
}

// TestExchange: one noun is exchanged, the one that matches stays, and the new pair is none of the first.
func TestExchange(t *testing.T) {
	x := &scan{nouns: []string{"fire", "death", "wave", "fire"},
		match: [2][][]string{{{"p"}, nil, nil, nil}, {nil, nil, {"q"}, nil}}}
	for draw := range uint64(40) {
		a, b, ok := exchange(x, 0, 1, draw, map[pair]bool{})
		if !ok || a != 0 || b != 2 {
			t.Fatalf("%d %d %v", a, b, ok) // the fourth noun is the word of the first
		}
		if _, _, ok := exchange(x, 0, 1, draw, map[pair]bool{{"fire", "wave"}: true}); ok {
			t.Fatal("a pair of the first ones is a negative example")
		}
		if a, b, ok := exchange(x, 1, 2, draw, map[pair]bool{}); !ok || b != 2 || a != 0 && a != 3 {
			t.Fatalf("%d %d %v", a, b, ok)
		}
		if _, _, ok := exchange(x, 0, 2, draw, nil); ok {
			t.Fatal("both nouns match")
		}
	}
}

// TestKernel: the machine of degree 1 is the linear one, that of degree 3 is a linear one on the expansion of three
// binary features.
func TestKernel(t *testing.T) {
	x := &solver.Rows{Width: 3, Offsets: []uint32{0}}
	var y []int8
	var ids []uint32
	for k := range 8 {
		for f := range 3 {
			if k>>f&1 == 1 {
				x.Columns = append(x.Columns, uint32(f))
			}
		}
		x.Offsets, ids = append(x.Offsets, uint32(len(x.Columns))), append(ids, uint32(k))
		y = append(y, []int8{-1, 1}[k%3%2])
	}
	train := func(k solver.Kernel, x *solver.Rows) []float64 {
		s, err := solver.Machine{Kernel: k, C: 1, Epsilon: 1e-9, Cache: 1 << 20}.Train(context.Background(), x, ids,
			y, solver.NewColumnMap(x.Width))
		if err != nil {
			t.Fatal(err)
		}
		p := solver.NewPool(k, x)
		var q solver.Query
		var out []float64
		for i := range 8 {
			cols, vals := x.Row(i)
			p.Kernels(&q, cols, vals)
			sum := s.B
			for j, v := range q.Values {
				sum += s.Coef[j] * v
			}
			out = append(out, sum)
		}
		return out
	}
	// (z + 1)³ with z the common features is a product over sets of one, two and three features: 1 + 7·Σ_i + 12·Σ_ij
	// + 6·Σ_ijk.
	e := &solver.Rows{Width: 8, Offsets: []uint32{0}, Values: []float32{}}
	for k := range 8 {
		for set := range 8 {
			if set&k == set {
				weight := []float64{1, 7, 12, 6}[slices.Index([]int{0, 1, 2, 3}, size(set))]
				e.Columns, e.Values = append(e.Columns, uint32(set)), append(e.Values, float32(math.Sqrt(weight)))
			}
		}
		e.Offsets = append(e.Offsets, uint32(len(e.Columns)))
	}
	m := &model{gamma: 1}
	m.opt.degree = 3
	a, b := train(m.kernel(), x), train(solver.Kernel{}, e)
	for i := range a {
		if math.Abs(a[i]-b[i]) > 1e-4 {
			t.Errorf("sample %d: %v by the kernel, %v by the expansion", i, a[i], b[i])
		}
	}
}

func size(set int) (n int) {
	for ; set > 0; set >>= 1 {
		n += set & 1
	}
	return n
}

// TestWorld: pairs of sentences whose whole path the first stage has not seen are found, and sales are not.
func TestWorld(t *testing.T) {
	docs, first, truth := world(2, 60)
	m, _, err := tried(docs, map[string]kind.Input{"stage1": first}, 2)
	if err != nil {
		t.Fatal(err)
	}
	right, found, hidden := 0, 0, 0
	for _, i := range m.instances {
		if i.score <= 0 {
			continue
		}
		found++
		if truth[i.pair] {
			right++
		}
		if strings.Contains(i.path, "wave") && !i.reversed {
			hidden++
		}
	}
	if precision := float64(right) / float64(found); precision < 0.9 || hidden < 10 {
		t.Errorf("%d of %d pairs are right, %d by a path of their own", right, found, hidden)
	}
	for _, e := range m.examples {
		if e.positive != truth[e.pair] && e.positive {
			t.Errorf("%v is a positive example", e)
		}
	}
}

// TestBest: the score of a pair is the greatest of its candidates, and more sentences lower none.
func TestBest(t *testing.T) {
	docs, first, _ := world(3, 40)
	again := *docs[0] // its candidates have equal scores, and the first of the text are kept
	again.ID = "z"
	docs = append(docs, &again)
	m, _, err := tried(docs, map[string]kind.Input{"stage1": first}, 1)
	if err != nil {
		t.Fatal(err)
	}
	want := map[pair]float64{}
	count := map[pair]int{}
	r := tuples.NewReader(m.opt.ReaderOptions)
	plain := func(features []uint32) float64 { // b + Σ β_i (γ·common + 1)³
		sum := m.bias
		for i, b := range m.beta {
			cols, _ := m.pool.Rows().Row(i)
			common := 0
			for _, c := range cols {
				if slices.Contains(features, c) {
					common++
				}
			}
			sum += b * math.Pow(m.gamma*float64(common)+1, 3)
		}
		return sum
	}
	for _, d := range docs {
		for s := range r.Sentences(d) {
			var x scan
			m.look(s, &x)
			m.candidates(&x, "both", func(a, b int) {
				k := pair{x.nouns[a], x.nouns[b]}
				f := plain(m.known(&x, a, b, nil))
				if count[k]++; count[k] == 1 || f > want[k] {
					want[k] = f
				}
			})
		}
	}
	if len(want) != len(m.instances) || len(want) == 0 {
		t.Fatalf("%d pairs, want %d", len(m.instances), len(want))
	}
	for k, i := range m.instances {
		if math.Abs(i.score-want[i.pair]) > 1e-9 || i.count != count[i.pair] || i.doc == "z" || k > 0 &&
			i.score > m.instances[k-1].score {
			t.Errorf("%v has %v of %d, want %v of %d", i.pair, i.score, i.count, want[i.pair], count[i.pair])
		}
	}
}

// TestFeatures: the features of a candidate, written out, and the first pairs that are taken.
func TestFeatures(t *testing.T) {
	m := &model{generator: generator{classed: true, classes: map[string][]string{"fire": {"7"}},
		partials: [2]map[string]bool{{"X <nsubj cause": true}, {}}}}
	m.opt.groups = groups
	m.generator.ready()
	r := tuples.NewReader(tuples.ReaderOptions{Language: "en", Noun: "head", MaxPath: 6})
	var got []string
	for s := range r.Sentences(document("a", "Big/ADJ/2/amod fire/NOUN/3/nsubj causes/VERB/0/root death/NOUN/3/obj")) {
		var x scan
		m.look(s, &x)
		m.describe(&x, 0, 1, func(f string) { got = append(got, f) })
	}
	want := []string{"X+0 upos NOUN", "X+1 cause", "X+1 upos VERB", "X+1+2 cause Y", "X+2 Y", "X+2 upos NOUN",
		"X-1 big", "X-1 upos ADJ", "X-2 #",
		"X-2-1 # big", "X class 7", "X partial X <nsubj cause", "Y+0 upos NOUN", "Y+1 #", "Y+1+2 # #", "Y+2 #",
		"Y-1 cause", "Y-1 upos VERB",
		"Y-2 X", "Y-2 upos NOUN", "Y-2-1 X cause", "between cause"}
	slices.Sort(got)
	if slices.Sort(want); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	docs, first, _ := world(8, 30)
	few, _, err := tried(docs, map[string]kind.Input{"stage1": first}, 1, kindtest.Arg("top", 1))
	if err == nil {
		for _, e := range few.examples {
			if e.positive && e.pair != few.examples[0].pair {
				t.Errorf("%v is an example", e.pair)
			}
		}
	} else if !strings.Contains(err.Error(), "nothing to train on") {
		t.Error(err)
	}
}

// TestAnnotate: relations of a document that was not read before, with their places.
func TestAnnotate(t *testing.T) {
	docs, first, _ := world(4, 40)
	m, _, err := tried(docs, map[string]kind.Input{"stage1": first}, 2)
	if err != nil {
		t.Fatal(err)
	}
	d := document("new", clause("sell", "fire1", "death1", "year1", "town1"),
		clause("cause", "storm", "death3", "year2", "town2"))
	if err := m.Annotate(context.Background(), []*text.Document{d}, &kind.Run{Prob: true}); err != nil {
		t.Fatal(err)
	}
	l := d.Layer("relations")
	if l.N != 1 || l.Ints("sent")[0] != 2 || l.Strs("label")[0] != "causes" || l.Prob[0] <= 0.5 {
		t.Fatalf("%d relations: %v", l.N, l.Cols)
	}
	cut := func(what string) string { return d.Text[l.Ints(what + "_start")[0]:l.Ints(what + "_end")[0]] }
	if cut("subject") != "storm" || cut("object") != "death3" {
		t.Errorf("%s causes %s", cut("subject"), cut("object"))
	}
}

// TestBranches: the branches of both nouns of a path are its partial patterns.
func TestBranches(t *testing.T) {
	docs, _, _ := world(5, 10)
	r := tuples.NewReader(tuples.ReaderOptions{Language: "en", Noun: "head", MaxPath: 6})
	n := 0
	for _, d := range docs {
		for s := range r.Sentences(d) {
			for _, i := range s.Nouns {
				for _, j := range s.Nouns {
					p := s.Path(i, j)
					x, y, ok := template.Partial(p)
					if !ok {
						continue
					}
					n++
					var xs, ys []string
					s.Branch(i, true, nil, func(b string) { xs = append(xs, b) })
					s.Branch(j, false, nil, func(b string) { ys = append(ys, b) })
					if !slices.Contains(xs, x) || !slices.Contains(ys, y) {
						t.Fatalf("%s: %q and %q lack %s, %s", p, xs, ys, x, y)
					}
				}
			}
		}
	}
	if n == 0 {
		t.Error("there is no path")
	}
}

func TestFaults(t *testing.T) {
	docs, first, _ := world(6, 10)
	bare := document("bare", "fire/NOUN/0/root")
	bare.DropLayer("dependencies")
	for _, c := range []struct {
		docs  []*text.Document
		roles map[string]kind.Input
		want  string
	}{
		{docs, map[string]kind.Input{"stage1": kind.Tables{"instances": nil}}, "the first stage has no pairs"},
		{docs, map[string]kind.Input{"stage1": causes("", "fire1 death1")}, "no partial patterns"},
		{docs, map[string]kind.Input{"stage1": causes("X <nmod:of Y", "fire1 death1")}, "no partial patterns"},
		{docs, map[string]kind.Input{"stage1": causes("X causes Y", "fire1 death1")}, "the pattern 'X causes Y'"},
		{docs, map[string]kind.Input{"stage1": causes(causing, "a b")},
			"of 40 sentences 0 have a pair of the first stage"},
		{[]*text.Document{bare}, map[string]kind.Input{"stage1": first}, "no sentence has dependencies"},
		{docs, map[string]kind.Input{"stage1": first,
			"classes": kind.Tables{"memberships": {append(texts("fire1", "7"), value.Real(1))}}},
			"no word is of a class of the first stage"},
	} {
		if _, _, err := tried(c.docs, c.roles, 1); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
	_, told, err := tried(docs, map[string]kind.Input{"stage1": first}, 1)
	if err != nil || !slices.Contains(told, "there are few partial patterns: 2") {
		t.Errorf("%v %v", told, err)
	}
}

func TestKind(t *testing.T) {
	docs, first, _ := world(7, 24)
	classes := kind.Tables{}
	var paired [][]value.Value
	for _, row := range first["instances"] {
		paired = append(paired, append(slices.Clone(row[:3]), value.Str("A"), value.Str("B")))
	}
	for i := range 20 {
		classes["memberships"] = append(classes["memberships"],
			append(texts(fmt.Sprint("fire", i), "A"), value.Real(0.9)),
			append(texts(fmt.Sprint("death", i), "B"), value.Real(0.2)),
			append(texts(fmt.Sprint("death", i), "A"), value.Real(0.1)))
	}
	m, _, err := tried(docs[:16], map[string]kind.Input{"stage1": first}, 1)
	if err != nil {
		t.Fatal(err)
	}
	best := texts(m.instances[0].source, m.instances[0].target)
	queries := []kindtest.Query{{Relation: "score", Args: best}, {Relation: "instances", Args: best[:1]},
		{Relation: "score", Args: texts("nothing", "fire1"), Fails: "unknown noun"}}
	for _, c := range []struct {
		roles map[string]kind.Input
		args  []option.Arg
		gold  kind.Input
	}{
		{map[string]kind.Input{"stage1": first}, nil, nil},
		{map[string]kind.Input{"stage1": first},
			[]option.Arg{kindtest.Arg("candidates", "class"), kindtest.Arg("task", "pairs")},
			kind.Tables{"pairs": {best}}},
		{map[string]kind.Input{"stage1": kind.Tables{"instances": paired}, "classes": classes},
			[]option.Arg{kindtest.Arg("candidates", "partial"), kindtest.Arg("degree", 2)}, nil},
	} {
		kindtest.Run(t, kindtest.Case{Kind: Kind(), Options: c.args, Train: docs[:16], Test: docs[16:],
			Roles: c.roles, Gold: c.gold,
			Queries: queries})
	}
}
