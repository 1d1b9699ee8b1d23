package depparser

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/option"
	"parlance/algo/parse/tree"
	"parlance/algo/text"
)

// treed gives documents random trees that their forms and tags tell something of.
func treed(docs []*text.Document) []*text.Document {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, d := range docs {
		l := text.NewLayer(text.Dependencies)
		bounds := d.SentenceTokens()
		var sent, tok, head []int32
		var rel []string
		for s := 1; s < len(bounds); s++ {
			n := bounds[s] - bounds[s-1]
			verb := 1 + (n-1)/3
			for t := int32(1); t <= n; t++ {
				h, r := verb, "mod"
				switch {
				case t == verb:
					h, r = 0, "root"
				case t == 1:
					r = "subj"
				case t > verb+1 && rng.IntN(4) > 0:
					h = t - 1
				}
				sent, tok, head, rel = append(sent, int32(s)), append(tok, t), append(head, h), append(rel, r)
			}
		}
		l.N = len(sent)
		l.SetInts("sent", sent)
		l.SetInts("tok", tok)
		l.SetInts("head", head)
		l.SetStrs("deprel", rel)
		d.SetLayer(l)
	}
	return docs
}

// trained trains on small trees and returns the documents that were held back.
func trained(t *testing.T, workers int, args ...option.Arg) (*model, []*text.Document, []string) {
	t.Helper()
	m := configured(t, args...)
	docs := treed(kindtest.Sample(30))
	var notices []string
	tr := &kind.Training{On: kind.Documents(docs[:20]), Seed: 1, Workers: workers, Report: func(kind.Progress) {},
		Notice: func(s string) { notices = append(notices, s) }}
	if err := m.Train(context.Background(), tr); err != nil {
		t.Fatal(err)
	}
	return m, docs[20:], notices
}

func configured(t testing.TB, args ...option.Arg) *model {
	t.Helper()
	m, s := &model{}, &option.Set{}
	m.Options(s)
	args = append([]option.Arg{arg("bits", 14)}, args...)
	if !slices.ContainsFunc(args, func(a option.Arg) bool { return a.Name == "epochs" }) {
		args = append(args, arg("epochs", 3))
	}
	if err := s.Apply(args); err != nil {
		t.Fatal(err)
	}
	return m
}

func arg(name string, v any) option.Arg { return kindtest.Arg(name, v) }

// variants are options that make models of different make.
var variants = map[string][]option.Arg{
	"arc":             {arg("factorization", "arc")},
	"nonprojective":   {arg("factorization", "arc"), arg("trees", "nonprojective"), arg("roots", "multi")},
	"sibling":         {arg("factorization", "sibling"), arg("features", "lean")},
	"carreras":        {arg("labels", "none")},
	"carreras mbr":    {arg("decoder", "mbr"), arg("prune", 0.0)},
	"model0":          {arg("factorization", "model0"), arg("objective", "perceptron")},
	"model1":          {arg("factorization", "model1"), arg("objective", "loglinear")},
	"model2":          {arg("factorization", "model2")},
	"automata":        {arg("factorization", "head_automata"), arg("trees", "nonprojective")},
	"grandparents":    {arg("factorization", "grandparent_sibling"), arg("coarse_tag", "xpos")},
	"eg":              {arg("factorization", "arc"), arg("optimizer", "eg"), arg("l2", 0.1)},
	"eg loglinear":    {arg("factorization", "sibling"), arg("optimizer", "eg"), arg("objective", "loglinear")},
	"k best":          {arg("k", 4), arg("min_feature_count", 2)},
	"joint":           {arg("labels", "joint")},
	"joint loglinear": {arg("labels", "joint"), arg("objective", "loglinear"), arg("factorization", "arc")},
	"joint crossing":  {arg("labels", "joint"), arg("trees", "nonprojective"), arg("factorization", "arc")},
	"history":         {names("history", historySets...), arg("history_policy", "all")},
	"sgd":             {arg("optimizer", "sgd"), arg("factorization", "sibling")},
	"lbfgs":           {arg("factorization", "arc"), arg("optimizer", "lbfgs"), arg("objective", "loglinear")},
	"lbfgs and trees": {arg("factorization", "arc"), arg("optimizer", "lbfgs"), arg("objective", "loglinear"),
		arg("trees", "nonprojective"), arg("l2", 0.1)},
}

func TestKind(t *testing.T) {
	docs := treed(kindtest.Sample(30))
	for name, args := range variants {
		t.Run(name, func(t *testing.T) {
			epochs := 2
			if strings.HasPrefix(name, "eg") { // it starts slowly
				epochs = 6
			}
			args = append([]option.Arg{arg("bits", 12), arg("epochs", epochs)}, args...)
			kindtest.Run(t, kindtest.Case{Kind: Kind(), Options: args, Train: docs[:8], Test: docs[8:14], Resumes: true})
		})
	}
}

// TestPlaces: the score of every part is the sum of the weights at the places that learning changes.
func TestPlaces(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	d := treed(kindtest.Sample(3))[2]
	for f := tree.Arc; f <= tree.GrandparentSibling; f++ {
		m := configured(t, arg("factorization", f.String()))
		p := m.empty()
		p.scorer = newScorer(standard, f.Types(), 12)
		for _, tab := range p.scorer.tables() {
			if tab != nil {
				for i := range tab.w {
					tab.w[i] = float32(rng.NormFloat64())
				}
			}
		}
		w := p.worker()
		var s sentence
		b := d.SentenceTokens()
		s.load(d.Layer("tokens"), m.columns(), int(b[0]), int(b[1]))
		w.load(context.Background(), &s, nil)
		for i, x := range w.parts.All() {
			if x.G != tree.None && w.v.inside(x.G, x.H, x.M) {
				continue
			}
			sum, k := 0.0, 0
			w.v.each(x, func(place uint32) {
				sum += float64(p.scorer.of(x.Type).w[place])
				k++
			})
			if math.Abs(sum-w.score[i]) > 1e-3 || k == 0 {
				t.Fatalf("%v: part %+v has %d features of sum %v, score %v", f, x, k, sum, w.score[i])
			}
		}
	}
}

// TestRelationChoices: an arc may have the relations seen between its tags, else those of its modifier's tag, else all.
func TestRelationChoices(t *testing.T) {
	d := treed(kindtest.Sample(1))[0]
	var it item
	bounds := d.SentenceTokens()
	it.load(d.Layer("tokens"), configured(t).columns(), int(bounds[0]), int(bounds[1]))
	it.gold, it.labels = make([]int32, it.n+1), make([]uint16, it.n+1)
	for m := 2; m <= it.n; m++ {
		it.gold[m] = 1
	}
	tag := func(i int) uint64 { return it.value[coarse][i+shift] }
	other := 2
	for other <= it.n && tag(other) == tag(1) {
		other++
	}
	it.labels[1] = 3
	for m := 2; m <= it.n; m++ {
		if it.labels[m] = 1; tag(m) == tag(1) {
			it.labels[m] = 3
		}
	}
	l := newLabeler(make([]string, 4), features{}, 4)
	if got := l.choices(&it.sentence, 0, 1); len(got) != 4 {
		t.Errorf("before any tree: %v, want all", got)
	}
	l.observe(&it)
	for _, c := range []struct {
		h, m int
		want uint16
	}{{0, 1, 3}, {1, other, 1}, {other, 1, 3}} {
		if got := l.choices(&it.sentence, c.h, c.m); !slices.Equal(got, []uint16{c.want}) {
			t.Errorf("arc %d → %d: %v, want %d", c.h, c.m, got, c.want)
		}
	}
}

// TestLearns: what the trees are made of is learned by every objective and optimizer.
func TestLearns(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine, much arithmetic: nothing for a short run")
	}
	for name, args := range variants {
		epochs := 20
		if name == "eg" { // the hinge loss leaves the gold trees slowly
			epochs = 40
		}
		m, docs, _ := trained(t, 1, append(slices.Clone(args), arg("epochs", epochs))...)
		right, named, n := 0, 0, 0
		for _, d := range docs {
			v := *d
			if err := m.Annotate(context.Background(), []*text.Document{&v}, &kind.Run{Workers: 1}); err != nil {
				t.Fatal(err)
			}
			for i, h := range v.Layer("dependencies").Ints("head") {
				if n++; h == d.Layer("dependencies").Ints("head")[i] {
					right++
				}
				if r := v.Layer("dependencies").Strs("deprel"); r == nil || r[i] == d.Layer("dependencies").Strs("deprel")[i] {
					named++
				}
			}
		}
		if share := float64(named) / float64(n); share < 0.8 {
			t.Errorf("%s: %.2f of the relations are right", name, share)
		}
		if share := float64(right) / float64(n); share < 0.7 {
			t.Errorf("%s: %.2f of the heads are right", name, share)
		}
	}
}

// TestExplain: the contributions sum up to the difference of the scores of both trees.
func TestExplain(t *testing.T) {
	for _, name := range []string{"arc", "carreras", "model1", "nonprojective", "joint"} {
		m, docs, _ := trained(t, 1, variants[name]...)
		e, err := m.Explain(context.Background(), docs[:1], kind.At{Sent: 1, Tok: 2}, &kind.Run{Workers: 1})
		if err != nil || len(e.Decisions) != 1 {
			t.Fatal(err, e)
		}
		x := e.Decisions[0]
		if x.RunnerUp == "" || x.RunnerUp == x.Outcome || x.Margin <= 0 || len(x.Contributions) == 0 || x.Prob <= 0 ||
			x.Prob > 1+1e-9 {
			t.Errorf("%s: %+v", name, x)
		}
		a := m.pool.get(m)
		b := docs[0].SentenceTokens()
		a.sent.load(docs[0].Layer("tokens"), m.columns(), int(b[0]), int(b[1]))
		if err := a.parse(context.Background(), m, 1); err != nil {
			t.Fatal(err)
		}
		best := a.found[0].score
		w := a.w
		w.score[w.parts.Find(int(w.heads[2]), 2)] = math.Inf(-1)
		second, _ := w.decoder.Best(&w.parts, w.score, w.heads)
		if math.Abs(best-second-x.Margin) > 1e-4 {
			t.Errorf("%s: margin %v, trees differ by %v", name, x.Margin, best-second)
		}
		for _, c := range x.Contributions {
			if !strings.Contains(c.Feature, "=") {
				t.Errorf("%s: a feature is called %s", name, c.Feature)
			}
		}
	}
}

// TestLongSentences: beyond max_length trees are found from coarse to fine or, without a chart or memory for one, by
// arcs alone, and the row says so.
func TestLongSentences(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine, much arithmetic: nothing for a short run")
	}
	m, docs, _ := trained(t, 1)
	crossing, _, _ := trained(t, 1, arg("trees", "nonprojective"), arg("factorization", "head_automata"))
	m.opt.maxLength, crossing.opt.maxLength = 3, 3
	for _, c := range []struct {
		m       *model
		n       int
		memory  int
		decoder string
	}{{m, 5, 256, refined}, {m, 50, 0, "eisner, arcs"}, {m, pieceLength + 7, 256, refined + ", in pieces"}, {crossing,
		50, 256, "cle, arcs"}} {
		m, n := c.m, c.n
		m.opt.memory = c.memory
		d := long(docs[0], n)
		if err := m.Annotate(context.Background(), []*text.Document{d}, &kind.Run{Workers: 1, Prob: true}); err != nil {
			t.Fatal(err)
		}
		if p := d.Layer("dependencies").Prob; len(p) != n || !math.IsNaN(p[0]) {
			t.Errorf("%d tokens: a probability of %v", n, p[:1])
		}
		heads := append([]int32{0}, d.Layer("dependencies").Ints("head")...)
		if f := tree.Check(heads, true); f != tree.Sound && (m != crossing || f != tree.NonProjective) {
			t.Errorf("%d tokens: %v", n, f)
		}
		p := d.Layer("parses")
		if got := p.Strs("decoder")[0]; got != c.decoder || p.Ints("certified")[0] != 0 {
			t.Errorf("%d tokens: %s, want %s", n, got, c.decoder)
		}
	}
}

// TestWideSentences: a sentence of too many parts is parsed by fewer arcs, and not learned from.
func TestWideSentences(t *testing.T) {
	m, docs, _ := trained(t, 1, arg("factorization", "model2"), arg("prune", 0.0), arg("epochs", 1))
	d := long(docs[0], 200)
	if err := m.Annotate(context.Background(), []*text.Document{d}, &kind.Run{Workers: 1, Prob: true}); err != nil {
		t.Fatal(err)
	}
	if f := tree.Check(append([]int32{0}, d.Layer("dependencies").Ints("head")...), true); f != tree.Sound {
		t.Error(f)
	}
	if got := d.Layer("parses").Strs("decoder")[0]; got != refined {
		t.Errorf("decoder %s", got)
	}
	wide, small := &item{}, &item{}
	wide.n, small.n = 200, 5
	var said string
	tr := &kind.Training{Notice: func(s string) { said = s }}
	b, err := (&bank{items: []*item{wide, small}}).narrow(tr, tree.Model2.Types())
	if err != nil || len(b.items) != 1 || b.items[0] != small ||
		!strings.HasPrefix(said, "1 sentence is left out: more than") {
		t.Error(err, said)
	}
	if _, err = (&bank{items: []*item{wide}}).narrow(tr, tree.Model2.Types()); err == nil {
		t.Error("nothing is left, and no fault")
	}
}

// long is one sentence of n tokens, those of a document again and again.
func long(d *text.Document, n int) *text.Document {
	out := &text.Document{ID: fmt.Sprint(n)}
	l, from := text.NewLayer(text.Tokens), d.Layer("tokens")
	var sent, tok []int32
	cols := map[string][]string{}
	for i := range n {
		sent, tok = append(sent, 1), append(tok, int32(i+1))
		for _, c := range []string{"form", "upos", "xpos"} {
			cols[c] = append(cols[c], from.Strs(c)[i%from.N])
		}
	}
	l.N = n
	l.SetInts("sent", sent)
	l.SetInts("tok", tok)
	for c, v := range cols {
		l.SetStrs(c, v)
	}
	out.SetLayer(l)
	return out
}

// TestFaultyTrees: what is no tree is left out, with a notice that names the first.
func TestFaultyTrees(t *testing.T) {
	docs := treed(kindtest.Sample(6))
	deps := docs[0].Layer("dependencies")
	heads := slices.Clone(deps.Ints("head"))
	heads[0], heads[1] = 2, 1
	deps.SetInts("head", heads)
	var notices []string
	m := configured(t)
	tr := &kind.Training{On: kind.Documents(docs), Seed: 1, Workers: 1, Report: func(kind.Progress) {},
		Notice: func(s string) { notices = append(notices, s) }}
	if err := m.Train(context.Background(), tr); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(strings.Join(notices, "\n"),
		"1 sentence is left out: the heads are no tree; document d0, sentence 1: heads run in a circle") {
		t.Error(notices)
	}
	heads = slices.Clone(docs[1].Layer("dependencies").Ints("head"))
	copy(heads, []int32{3, 4, 0, 3})
	docs[1].Layer("dependencies").SetInts("head", heads)
	for trees, want := range map[string]string{
		"projective": "1 trees have crossing arcs: the nearest projective ones are learned", "nonprojective": ""} {
		notices = nil
		m := configured(t, arg("factorization", "arc"), arg("trees", trees))
		tr.On = kind.Documents(docs[1:])
		if err := m.Train(context.Background(), tr); err != nil || strings.Join(notices, "\n") != want {
			t.Errorf("%s: %v, notices %q", trees, err, notices)
		}
	}
	tr.On = kind.Documents(docs[:1])
	if err := configured(t).Train(context.Background(), tr); err == nil ||
		!strings.Contains(err.Error(), "nothing to train on") {
		t.Error(err)
	}
}

// TestContradictions are refused with the option that is wrong.
func TestContradictions(t *testing.T) {
	for _, c := range [][]option.Arg{
		{arg("objective", "loglinear"), arg("optimizer", "mira")},
		{arg("objective", "perceptron"), arg("optimizer", "lbfgs")},
		{arg("objective", "maxmargin"), arg("optimizer", "lbfgs")},
		{arg("trees", "nonprojective")},
		{arg("factorization", "head_automata"), arg("decoder", "mbr")},
		{arg("factorization", "head_automata"), arg("objective", "loglinear")},
		{arg("factorization", "arc"), arg("decoder", "cle")},
		{arg("tag", "form")},
		{arg("k", 2), arg("objective", "loglinear")},
		{arg("k", 2), arg("factorization", "head_automata")},
		{arg("c", 1), arg("objective", "loglinear")},
		{arg("c", 1), arg("optimizer", "sgd")},
		{arg("rate", 1)},
		{arg("rate", 1), arg("objective", "perceptron")},
		{arg("l2", 2), arg("optimizer", "sgd")},
		{arg("min_feature_count", 2), arg("optimizer", "lbfgs"), arg("objective", "loglinear")},
		{arg("prune", 0), arg("factorization", "arc")},
		{arg("beta", 0.5)},
		{names("prefixes", "2")},
		{arg("top_words", 10)},
		{arg("history_policy", "all")},
	} {
		m, s := &model{}, &option.Set{}
		m.Options(s)
		if err := s.Apply(c); err == nil {
			t.Errorf("%v is taken", c)
		}
	}
	for _, c := range [][]option.Arg{
		{arg("c", 1)},
		{arg("c", 1), arg("k", 2)},
		{arg("rate", 1), arg("optimizer", "sgd")},
		{arg("rate", 1), arg("objective", "loglinear")},
		{arg("l2", 2), arg("optimizer", "eg")},
		{arg("beta", 0.5), arg("factorization", "head_automata")},
		{arg("top_words", 10), arg("subtrees", "st")},
	} {
		m, s := &model{}, &option.Set{}
		m.Options(s)
		if err := s.Apply(c); err != nil {
			t.Errorf("%v: %v", c, err)
		}
	}
}

// TestJointGradient: the gradient of the likelihood with relations is that of finite differences.
func TestJointGradient(t *testing.T) {
	m := configured(t, arg("labels", "joint"), arg("objective", "loglinear"), arg("factorization", "sibling"))
	docs := treed(kindtest.Sample(4))
	b, err := m.read(context.Background(), kind.Documents(docs), &knowledge{})
	if err != nil {
		t.Fatal(err)
	}
	p := m.empty()
	p.scorer = newScorer(lean, p.factorization.Types(), 14)
	p.labeler, p.sums, p.scorer.labels = newJointLabeler(b, lean), true, newTable(14)
	rng := rand.New(rand.NewPCG(5, 6))
	for _, tab := range p.scorer.tables() {
		if tab != nil {
			for i := range tab.w {
				tab.w[i] = float32(rng.NormFloat64() / 8)
			}
		}
	}
	w := p.worker()
	loss := func() (float64, *update) {
		var u update
		u.prepare(context.Background(), w, likelihood{}, b.items[1])
		return u.g.loss, &u
	}
	_, u := loss()
	for k, places := range u.places {
		want := map[uint32]float64{}
		for i, at := range places {
			want[at] -= u.coef[k][i]
		}
		tested := 0
		for at, g := range want {
			if tested++; tested > 20 {
				break
			}
			tab := p.scorer.tables()[k]
			old := tab.w[at]
			tab.w[at] = old + 1.0/64
			above, _ := loss()
			tab.w[at] = old - 1.0/64
			below, _ := loss()
			tab.w[at] = old
			if got := (above - below) * 32; math.Abs(got-g) > 2e-3*max(1, math.Abs(g)) {
				t.Errorf("table %d, place %d: gradient %v, differences %v", k, at, g, got)
			}
		}
		if len(places) == 0 && (k == 0 || k == 1 || k == relations) {
			t.Errorf("table %d has no gradient", k)
		}
	}
}

// TestDiverges: steps that carry weights beyond all bounds are an error, not a model that cannot be read.
func TestDiverges(t *testing.T) {
	for _, objective := range []string{maxMargin, logLinear} {
		for _, rate := range []float64{1e40, 1e300} {
			m := configured(t, arg("objective", objective), arg("optimizer", "sgd"), arg("rate", rate), arg("epochs", 1),
				arg("factorization", "arc"))
			tr := &kind.Training{On: kind.Documents(treed(kindtest.Sample(20))), Seed: 1, Workers: 1,
				Report: func(kind.Progress) {}, Notice: func(string) {}}
			err := m.Train(context.Background(), tr)
			if err == nil || !strings.Contains(err.Error(), "diverges in epoch 1") {
				t.Errorf("%s at a rate of %g gives %v", objective, rate, err)
			}
		}
	}
}
