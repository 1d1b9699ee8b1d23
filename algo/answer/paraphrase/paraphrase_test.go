package paraphrase

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"parlance/algo/answer/sentences"
	"parlance/algo/bitext"
	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/storage/value"
)

// document is a document of one sentence of words/TAG/head/relation, heads from 1, with a term, "" for none.
func document(id, term, s string) *text.Document {
	d := &text.Document{ID: id}
	if term != "" {
		d.Fields = []text.Field{{Name: termField, Value: value.Str(term)}}
	}
	toks, deps := text.NewLayer(text.Tokens), text.NewLayer(text.Dependencies)
	ints := map[string][]int32{}
	var forms, tags, rels []string
	var heads []int32
	var b strings.Builder
	for i, w := range strings.Fields(s) {
		p := strings.Split(w, "/")
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		from := b.Len()
		b.WriteString(p[0])
		for name, v := range map[string]int{"sent": 1, "tok": i + 1, "char_start": from, "char_end": b.Len()} {
			ints[name] = append(ints[name], int32(v))
		}
		var h int32
		fmt.Sscan(p[2], &h)
		forms, tags, heads, rels = append(forms, p[0]), append(tags, p[1]), append(heads, h), append(rels, p[3])
	}
	d.Text, toks.N, deps.N = b.String(), len(forms), len(forms)
	for name, v := range ints {
		toks.SetInts(name, v)
	}
	toks.SetStrs("form", forms)
	toks.SetStrs("xpos", tags)
	deps.SetInts("sent", ints["sent"])
	deps.SetInts("tok", ints["tok"])
	deps.SetInts("head", heads)
	deps.SetStrs("deprel", rels)
	d.SetLayer(toks)
	d.SetLayer(deps)
	return d
}

// configured is a model with options.
func configured(t testing.TB, args ...option.Arg) *model {
	t.Helper()
	m, s := &model{}, &option.Set{}
	m.Options(s)
	if err := s.Apply(args); err != nil {
		t.Fatal(err)
	}
	return m
}

// read makes definitions of documents.
func read(t testing.TB, m *model, docs ...*text.Document) *gatherer {
	t.Helper()
	g, err := m.gather(context.Background(), kind.Documents(docs))
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// spanOf is the phrase of a text.
func (g *gatherer) spanOf(t testing.TB, d *definition, s string) *phrase {
	t.Helper()
	want := strings.Fields(s)
	forms := g.forms(d)
	for i := range forms {
		if i+len(want) <= len(forms) && slices.Equal(forms[i:i+len(want)], want) {
			p := &phrase{from: i, to: i + len(want), text: g.words.id(s)}
			p.root = i
			for k := i; k < p.to; k++ {
				if h := int(d.heads[k]); h < p.from || h >= p.to {
					p.root = k
				}
			}
			p.context = d.contextOf(p)
			return p
		}
	}
	t.Fatalf("%q is not in %v", s, forms)
	return nil
}

func near(a, b float64) bool { return math.Abs(a-b) < 1e-6 }

// The sentences of the worked example of localSim.
const (
	keeps = "Paraphrasing/NN/4/nsubj is/VBZ/4/cop a/DT/4/det process/NN/0/root that/WDT/6/nsubj " +
		"keeps/VBZ/4/acl:relcl the/DT/8/det meaning/NN/6/obj intact/JJ/6/xcomp ././4/punct"
	preserves = "Paraphrasing/NN/4/nsubj is/VBZ/4/cop a/DT/4/det technique/NN/0/root that/WDT/6/nsubj " +
		"preserves/VBZ/4/acl:relcl the/DT/8/det meaning/NN/6/obj ././4/punct"
)

// TestLocal is the worked example, both ways round; a phrase beside itself gives 8.
func TestLocal(t *testing.T) {
	m := configured(t)
	g := read(t, m, document("a", "paraphrasing", keeps), document("b", "paraphrasing", preserves))
	a, b := g.list[0][0], g.list[0][1]
	p, q := g.spanOf(t, a, "keeps the meaning intact"), g.spanOf(t, b, "preserves the meaning")
	cosine := a.cosine(b)
	want := [types]float64{2.0 / 3, 1.0 / 3, 0, 0, 0, .75, 2 / math.Sqrt(20), 1.0 / 3, 1, 14.0 / 18}
	for i, f := range localTypes(a, p, b, q, cosine) {
		if !near(f, want[i]) {
			t.Errorf("f%d = %.6f, want %.6f", i+1, f, want[i])
		}
	}
	if got := local(a, p, b, q, cosine); !near(got, 4.308325) || !near(got, local(b, q, a, p, cosine)) {
		t.Errorf("ls = %.6f, want 4.308325", got)
	}
	if got := local(a, p, a, p, 1); !near(got, positiveTypes) {
		t.Errorf("a phrase beside itself has %g, want %d", got, positiveTypes)
	}
	var found []string
	for _, x := range a.phrases {
		found = append(found, g.words.list[x.text])
	}
	if !slices.Contains(found, "keeps the meaning intact") || !slices.Contains(found, "is a process") ||
		slices.ContainsFunc(found, func(s string) bool {
			return strings.Contains(s, "paraphrasing") ||
				strings.Contains(s, ".")
		}) {
		t.Errorf("phrases %q", found)
	}
}

// TestGlobal is the worked example: one difference in three pairs of definitions, and alone.
func TestGlobal(t *testing.T) {
	m := configured(t)
	t3 := &table{m: m, diffs: words{list: []string{"x", "y"}}, list: []candidate{{local: 4.308325}, {local: 3.2,
		diff: 0},
		{local: 2}, {local: 4.308325, diff: 1}, {local: -1, diff: 2}, {local: 1}}}
	t3.diffs.list = append(t3.diffs.list, "z")
	// The last one is in the first pair as well, and is less there.
	t3.seen = []occurrence{{0, 0}, {0, 5}, {1, 1}, {2, 2}, {3, 3}, {4, 4}}
	t3.global()
	if got := t3.list[0].score; !near(got, 4.481051) {
		t.Errorf("score %.6f, want 4.481051", got)
	}
	if got := t3.list[3].score; !near(got, 3.689432) {
		t.Errorf("score alone %.6f, want 3.689432", got)
	}
	if got := t3.list[4].score; !math.IsInf(got, -1) {
		t.Errorf("score %g of a negative sum", got)
	}
}

// The sentences of the worked example of features.
const (
	decreases = "Osteoporosis/NN/4/nsubj is/VBZ/4/cop a/DT/4/det disease/NN/0/root that/WDT/6/nsubj " +
		"decreases/VBZ/4/acl:relcl the/DT/8/det quantity/NN/6/obj of/IN/10/case bone/NN/8/nmod and/CC/12/cc " +
		"makes/VBZ/6/conj bones/NNS/12/obj fragile/JJ/12/xcomp"
	reduces = "Osteoporosis/NN/4/nsubj is/VBZ/4/cop a/DT/4/det disease/NN/0/root that/WDT/6/nsubj " +
		"reduces/VBZ/4/acl:relcl bone/NN/8/compound mass/NN/6/obj and/CC/10/cc increases/VBZ/6/conj the/DT/12/det " +
		"risk/NN/10/obj of/IN/15/case bone/NN/15/compound fracture/NN/12/nmod"
)

// TestFeatures is the worked example of four pairs, both ways round.
func TestFeatures(t *testing.T) {
	m := configured(t)
	g := read(t, m, document("a", "osteoporosis", decreases), document("b", "osteoporosis", reduces))
	a, b := g.list[0][0], g.list[0][1]
	cosine := a.cosine(b)
	third, two := 1.0/3, 2.0/3
	for _, c := range []struct {
		p, q string
		want []float64
		sum  float64
	}{
		{"decreases the quantity of bone", "reduces bone mass", []float64{.25, .25, .25, .6, 0, 1, 1, .4, 0, 1, 1, 1,
			.307692, .461538, .307692, 0, .572078}, 7.599001},
		{"decreases the quantity of bone", "increases the risk of bone fracture", []float64{.545455, .545455, .545455,
			.833333, 0, 1, 1, 0, 0, two, two, two, third, third, third, 0, .572078}, 8.041775},
		{"makes bones fragile", "reduces bone mass", []float64{0, third, 0, 1, 0, 1, 1, 0, third, two, two, two,
			.222222, .222222, .222222, 0, .572078}, 6.238744},
		{"makes bones fragile", "increases the risk of bone fracture", []float64{0, .222222, 0, .5, 0, 1, 1, 0, .5, .5,
			.5, 1, 1, 1, 1, 0, .572078}, 7.794300},
	} {
		p, q := g.spanOf(t, a, c.p), g.spanOf(t, b, c.q)
		f, back := g.words.features(a, p, b, q, cosine), g.words.features(b, q, a, p, cosine)
		back[7], back[8] = back[8], back[7]
		for i, w := range c.want {
			if !near(f[i], w) || !near(back[i], f[i]) {
				t.Errorf("%s / %s: f%d = %.6f and %.6f, want %.6f", c.p, c.q, i+1, f[i], back[i], w)
			}
		}
		if math.Abs(sum(f)-c.sum) > 3e-6 {
			t.Errorf("%s / %s: sum %.6f, want %.6f", c.p, c.q, sum(f), c.sum)
		}
	}
	p := g.spanOf(t, a, "decreases the quantity of bone")
	f := g.words.features(a, p, a, p, 1)
	for i, v := range f {
		// f15 and f16 count only words next to the phrase, or trigrams, among all.
		if want := one(i != 7 && i != 8); v != want && i != 14 && i != 15 {
			t.Errorf("a phrase beside itself: f%d = %g, want %g", i+1, v, want)
		}
	}
}

// TestPhrases compares with all spans by the definition of a phrase.
func TestPhrases(t *testing.T) {
	m := configured(t)
	d := document("a", "osteoporosis", decreases)
	g := read(t, m, d)
	var got []string
	for _, p := range g.list[0][0].phrases {
		got = append(got, g.words.list[p.text])
	}
	want := []string{"is a disease", "is a disease that decreases the quantity",
		"is a disease that decreases the quantity of bone", "decreases the quantity", "decreases the quantity of bone",
		"makes bones", "makes bones fragile"}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("phrases %q, want %q", got, want)
	}
}

// TestFilters leaves out pairs that contain each other, and those that differ in a name.
func TestFilters(t *testing.T) {
	m := configured(t)
	g := &gatherer{opt: &m.opt}
	name := g.words.id("xerox")
	d := &definition{names: []bool{true}}
	e := &definition{names: []bool{false}}
	for r := range reps {
		d.ids[r], e.ids[r] = []uint32{name}, []uint32{g.words.id("it")}
	}
	p := func(s string) *phrase { return &phrase{text: g.words.id(s), to: 1} }
	if g.allowed(e, p("reduces bone mass"), e, p("reduces bone mass density")) {
		t.Error("a phrase within another is allowed")
	}
	if g.allowed(d, p("that xerox made"), e, p("that apple made")) || g.allowed(e, p("a b"), d, p("c d")) {
		t.Error("a name on one side is allowed")
	}
	if !g.allowed(d, p("made by xerox"), d, p("xerox made")) || g.allowed(e, p("a b"), e, p("a b")) {
		t.Error("the same name on both sides is refused, or the same phrase is allowed")
	}
}

// TestSpelling has variants and words within one edit.
func TestSpelling(t *testing.T) {
	for a, b := range map[string]string{"colour": "color", "organised": "organized", "e-mail": "email",
		"centre": "center",
		"four":   "four"} {
		if spelling(a) != spelling(b) {
			t.Errorf("%s and %s are spelled %s and %s", a, b, spelling(a), spelling(b))
		}
	}
	for _, c := range []struct {
		a, b string
		want bool
	}{{"bone", "bones", true}, {"bone", "tone", true}, {"bone", "ones", false}, {"naïve", "naive", true}, {"a",
		"abc", false}} {
		if oneEdit(c.a, c.b) != c.want || oneEdit(c.b, c.a) != c.want {
			t.Errorf("%s and %s within one edit: %v", c.a, c.b, !c.want)
		}
	}
}

// synonyms are verb phrases of the same meaning, by line.
var synonyms = [][]string{
	{"destroys/VBZ the/DT bone/NN", "ruins/VBZ the/DT bone/NN", "breaks/VBZ the/DT bone/NN"},
	{"eats/VBZ small/JJ fish/NN", "feeds/VBZ small/JJ fish/NN"},
	{"carries/VBZ heavy/JJ goods/NNS", "transports/VBZ heavy/JJ goods/NNS"},
}

// generated are definitions of terms, two or three of each, that say the same in other words and add a fact.
func generated(terms int) (out []*text.Document) {
	rng := rand.New(rand.NewPCG(3, 4))
	verbs := strings.Fields("likes fears needs loves seeks finds hides shows takes keeps")
	things := []string{"cold/JJ water/NN", "old/JJ wood/NN"}
	fact := func() string { return verbs[rng.IntN(len(verbs))] + "/VBZ " + things[rng.IntN(len(things))] }
	verb := func(s string, at int, rel string, head int) string {
		w := strings.Fields(s)
		return fmt.Sprintf("%s/%d/%s %s/%d/x %s/%d/obj", w[0], head, rel, w[1], at+2, w[2], at)
	}
	for i := range terms {
		list := synonyms[i%len(synonyms)]
		for k := range 3 {
			s := fmt.Sprintf("Term%d/NN/4/nsubj is/VBZ/4/cop a/DT/4/det thing/NN/0/root that/WDT/6/nsubj %s "+
				"and/CC/10/cc %s "+
				"././4/punct", i, verb(list[rng.IntN(len(list))], 6, "acl:relcl", 4),
				verb(fact(), 10, "conj", 6))
			out = append(out, document(fmt.Sprintf("d%d.%d", i, k), fmt.Sprintf("term%d", i), s))
		}
	}
	return out
}

// goldOf tells which of two phrases of the grammar are paraphrases: they differ in verbs of one line alone.
func goldOf(p, q string) bool {
	p, q = strings.TrimPrefix(p, "is a thing that "), strings.TrimPrefix(q, "is a thing that ")
	verb := func(s string) string { return strings.Fields(s)[0] }
	if p[len(verb(p)):] != q[len(verb(q)):] {
		return false
	}
	for _, list := range synonyms {
		in := func(v string) bool {
			return slices.ContainsFunc(list, func(s string) bool { return strings.HasPrefix(s, v+"/") })
		}
		if in(verb(p)) && in(verb(q)) {
			return true
		}
	}
	return false
}

func train(t testing.TB, m *model, docs []*text.Document, roles map[string]kind.Input, res kind.Resources) []string {
	t.Helper()
	var notices []string
	if err := m.Train(context.Background(), &kind.Training{On: kind.Documents(docs), Roles: roles, Resources: res,
		Workers: 1,
		Report:  func(kind.Progress) {}, Notice: func(s string) { notices = append(notices, s) }}); err != nil {
		t.Fatal(err)
	}
	return notices
}

// precision is the share of right pairs among the first n.
func precision(m *model, n int) float64 {
	right := 0
	for _, r := range m.rows[:n] {
		if goldOf(r.p, r.q) {
			right++
		}
	}
	return float64(right) / float64(n)
}

// TestRanks: on generated definitions the score is above localSim, and a machine that has seen a third of the judged
// pairs above the sum of features.
func TestRanks(t *testing.T) {
	docs := generated(60)
	got := map[string]float64{}
	var judged [][]value.Value
	for _, method := range []string{byScore, byLocal, bySum} {
		m := configured(t, kindtest.Arg("method", method))
		train(t, m, docs, nil, nil)
		got[method] = precision(m, 15)
		if method == bySum {
			for i, r := range m.rows {
				if i%3 == 0 {
					judged = append(judged, []value.Value{value.Str(r.p), value.Str(r.q),
						value.Int(int64(one(goldOf(r.p, r.q))))})
				}
			}
		}
	}
	m := configured(t, kindtest.Arg("method", bySVM))
	train(t, m, docs, map[string]kind.Input{roleJudged: kind.Tables{roleJudged: judged}}, nil)
	got[bySVM] = precision(m, 15)
	t.Logf("precision of the first 15: %v", got)
	if got[byScore] <= got[byLocal] || got[bySVM] <= got[bySum] {
		t.Errorf("precision %v", got)
	}
}

// same is a model of alignments that links equal words, and others at equal places.
type same struct{ kind.Model }

func (same) Align(_ context.Context, a, b []string) (out []bitext.Link) {
	for i, w := range a {
		if k := slices.Index(b, w); k >= 0 {
			out = append(out, bitext.Link{Source: i, Target: k})
		} else if i < len(b) && !slices.Contains(a, b[i]) {
			out = append(out, bitext.Link{Source: i, Target: i})
		}
	}
	return out
}

func (same) Translation(string, string) (float64, float64) { return 0, 0 }

var resources = kindtest.Resources{Models: map[string]kind.Trained{"al": {Model: same{}, Label: "al@1"},
	"other": {Model: configured(nil2{}), Label: "other@1"}}}

// nil2 is a testing.TB for models without options.
type nil2 struct{ testing.TB }

func (nil2) Helper() {}

// TestPhraseTable: a pair that is seen once between phrases that are seen once has a score of exactly 1.
func TestPhraseTable(t *testing.T) {
	m := configured(t, kindtest.Arg("method", byTable), kindtest.Arg("aligner", "al"))
	train(t, m, []*text.Document{document("a", "t", keeps), document("b", "t", preserves)}, nil, resources)
	if len(m.rows) == 0 || m.rows[0].score != 1 {
		t.Fatalf("%d rows", len(m.rows))
	}
	// Three definitions: counts of all pairs of phrases that the alignments allow.
	third := strings.ReplaceAll(preserves, "the/DT", "its/PRP$")
	docs := []*text.Document{document("a", "t", keeps), document("b", "t", preserves), document("c", "t", third)}
	m = configured(t, kindtest.Arg("method", byTable), kindtest.Arg("aligner", "al"))
	train(t, m, docs, nil, resources)
	single, both := map[string]float64{}, map[[2]string]float64{}
	for i, x := range docs {
		for _, y := range docs[i+1:] {
			a, b := bitext.Forms(x), bitext.Forms(y)
			for k := range a {
				a[k] = strings.ToLower(a[k])
			}
			for k := range b {
				b[k] = strings.ToLower(b[k])
			}
			bitext.Phrases(len(a), len(b), longestAligned, same{}.Align(context.Background(), a, b), func(x bitext.Box) {
				p, q := joined(a[x.I1:x.I2]), joined(b[x.J1:x.J2])
				single[p]++
				single[q]++
				if p != q {
					both[ordered(p, q)]++
				}
			})
		}
	}
	below := 0
	for _, r := range m.rows {
		n := both[ordered(r.p, r.q)]
		if want := n / single[r.p] * n / single[r.q]; !near(r.score, want) || want == 0 {
			t.Errorf("%q, %q: %g, want %g", r.p, r.q, r.score, want)
		}
		if r.score < 1 {
			below++
		}
	}
	if len(m.rows) != len(both) || below == 0 {
		t.Errorf("%d pairs, %d of them below 1, want %d", len(m.rows), below, len(both))
	}
}

func TestKind(t *testing.T) {
	docs := generated(9)
	judged := kind.Tables{roleJudged: {{value.Str("eats small fish"), value.Str("feeds small fish"), value.Int(1)},
		{value.Str("carries heavy goods"), value.Str("transports heavy goods"), value.Int(1)},
		{value.Str("destroys the bone"), value.Str("likes cold water"), value.Int(0)}, {value.Str("x"),
			value.Str("y"), value.Int(0)}}}
	var more [][]value.Value
	m := configured(t)
	train(t, m, docs, nil, nil)
	for _, r := range m.rows {
		more = append(more, []value.Value{value.Str(r.p), value.Str(r.q), value.Int(int64(one(goldOf(r.p, r.q))))})
	}
	for method, c := range map[string]kindtest.Case{byScore: {}, byLocal: {}, bySum: {},
		bySVM:   {Roles: map[string]kind.Input{roleJudged: kind.Tables{roleJudged: more}}},
		byTable: {Resources: resources, Options: []option.Arg{kindtest.Arg("aligner", "al")}}} {
		t.Run(method, func(t *testing.T) {
			c.Kind, c.Train, c.Gold = Kind(), docs, judged
			c.Options = append(c.Options, kindtest.Arg("method", method))
			kindtest.Run(t, c)
		})
	}
}

// TestLayer reads the layer of definitions, and bounds what it compares.
func TestLayer(t *testing.T) {
	docs := generated(3)
	for i, d := range docs {
		l := text.NewLayer(sentences.Definitions)
		l.N = 1
		for _, name := range []string{"char_start", "form_start"} {
			l.SetInts(name, []int32{0})
		}
		l.SetInts("sent", []int32{1})
		l.SetInts("char_end", []int32{int32(len(d.Text))})
		l.SetInts("form_end", []int32{5})
		l.SetStrs("term", []string{[]string{"one", "two"}[i%2]})
		l.Cols[sentences.Definitions.Index("score")].Floats = []float64{1}
		d.Fields = nil
		d.SetLayer(l)
	}
	docs = append(docs, docs[0]) // the same again
	m := configured(t, kindtest.Arg("cosine", 0.0))
	g := read(t, m, docs...)
	if len(g.terms) != 2 || len(g.list[0])+len(g.list[1]) != 9 {
		t.Errorf("terms %v with %d and %d definitions", g.terms, len(g.list[0]), len(g.list[1]))
	}
	pairs, err := g.pairs(context.Background(), 1)
	if err != nil || len(pairs) != 10+6 {
		t.Errorf("%d pairs, want 16: %v", len(pairs), err)
	}
	m = configured(t, kindtest.Arg("cosine", 0.0), kindtest.Arg("max_group", 3), kindtest.Arg("max_term", 4))
	g = read(t, m, docs...)
	if pairs, _ := g.pairs(context.Background(), 1); len(pairs) != 3 {
		t.Errorf("%d pairs, want 3: the term with 5 definitions is vague, of the other 3 of 4 are compared", len(pairs))
	}
	m = configured(t, kindtest.Arg("cosine", 0.99))
	if pairs, _ := read(t, m, docs...).pairs(context.Background(), 1); len(pairs) > 3 {
		t.Errorf("%d pairs with nearly the same words", len(pairs))
	}
	m = configured(t, kindtest.Arg("cosine", 0.0), kindtest.Arg("sample", 5))
	if pairs, _ := read(t, m, docs...).pairs(context.Background(), 1); len(pairs) != 5 {
		t.Errorf("%d pairs drawn, want 5", len(pairs))
	}
}

// TestBadInput says what is wrong and what to do.
func TestBadInput(t *testing.T) {
	flat := document("f", "x", keeps)
	flat.DropLayer(text.Dependencies.Name)
	alone := document("a", "x", keeps)
	two := []*text.Document{document("a", "paraphrasing", keeps), document("b", "paraphrasing", preserves)}
	rows := func(labels ...int64) map[string]kind.Input {
		var out [][]value.Value
		for _, l := range labels {
			out = append(out, []value.Value{value.Str("Keeps  the meaning intact"), value.Str("preserves the " +
				"meaning"), value.Int(l)})
		}
		return map[string]kind.Input{roleJudged: kind.Tables{roleJudged: out}}
	}
	for want, c := range map[string]struct {
		docs  []*text.Document
		args  []option.Arg
		roles map[string]kind.Input
	}{
		"a model of kind definition":      {docs: []*text.Document{document("n", "", keeps)}},
		"no definition has a sound parse": {docs: []*text.Document{flat}},
		"no term with two":                {docs: []*text.Document{alone}},
		"judged pairs: TRAIN paraphrase":  {docs: two, args: []option.Arg{kindtest.Arg("method", bySVM)}},
		"of 1 judged pairs no right one": {docs: two, args: []option.Arg{kindtest.Arg("method", bySVM)},
			roles: rows(1)},
		"of 1 judged pairs no right one, or ": {docs: two, args: []option.Arg{kindtest.Arg("method", bySVM)},
			roles: rows(1, 0)},
		"other@1 aligns no words": {docs: two, args: []option.Arg{kindtest.Arg("method", byTable),
			kindtest.Arg("aligner", "other")}},
	} {
		m := configured(t, c.args...)
		err := m.Train(context.Background(), &kind.Training{On: kind.Documents(c.docs), Roles: c.roles,
			Resources: resources,
			Workers:   1, Report: func(kind.Progress) {}, Notice: func(string) {}})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	m, s := &model{}, &option.Set{}
	m.Options(s)
	if err := s.Apply([]option.Arg{kindtest.Arg("method", byTable)}); err == nil || !strings.Contains(err.Error(),
		"sentence_pairs") {
		t.Errorf("%v does not say how to make an aligner", err)
	}
}

// TestUndecided tells of pairs with both labels.
func TestUndecided(t *testing.T) {
	docs := generated(9)
	m := configured(t)
	train(t, m, docs, nil, nil)
	var judged [][]value.Value
	for i, r := range m.rows {
		judged = append(judged, []value.Value{value.Str(r.p), value.Str(r.q), value.Int(int64(one(goldOf(r.p, r.q))))})
		if i == 0 {
			judged = append(judged, []value.Value{value.Str(r.q), value.Str(r.p), value.Int(int64(one(!goldOf(r.p,
				r.q))))})
		}
	}
	m = configured(t, kindtest.Arg("method", bySVM))
	notices := train(t, m, docs, map[string]kind.Input{roleJudged: kind.Tables{roleJudged: judged}}, nil)
	if len(notices) != 1 || !strings.Contains(notices[0], "1 judged pairs have as many judgements for as against") {
		t.Errorf("notices %q", notices)
	}
}
