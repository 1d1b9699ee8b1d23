package gecmodule

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"parlance/algo/correct/confusion"
	"parlance/algo/correct/correcttest"
	"parlance/algo/correct/evidence"
	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/metrics"
	"parlance/algo/option"
	"parlance/algo/text"
)

func plain(line string) *confusion.Sentence { return confusion.New(strings.Fields(line), nil, nil) }

// TestInflation has the table of the label the: P(the|the) = .95, P(0|the) = .04, P(a|the) = .01, k = .85.
func TestInflation(t *testing.T) {
	row := []float64{.01, .95, .04}
	got := Inflated(row, confusion.LabelThe, .85)
	for i, want := range []float64{.0385, .8075, .154} {
		if math.Abs(got[i]-want) > 1e-9 {
			t.Errorf("P'(%s|the) = %v, want %v", confusion.Articles[i], got[i], want)
		}
	}
	if x := Inflated(row, 1, 1); !slices.Equal(x, row) {
		t.Errorf("k = 1 changes %v", x)
	}
	if x := Inflated([]float64{0, 1, 0}, 1, .5); !slices.Equal(x, []float64{0, 1, 0}) {
		t.Errorf("a label without errors becomes %v", x)
	}
	const n = 100_000
	tk := &task{labels: 3}
	for i := range n {
		source := 1
		switch {
		case i%100 < 1:
			source = 0
		case i%100 < 5:
			source = 2
		}
		tk.items = append(tk.items, item{source: source, gold: 1, labels: []int{0, 1, 2}})
	}
	sources := tk.inflated(.85, rand.New(rand.NewPCG(1, 1)))
	var seen [3]float64
	for i, s := range sources {
		seen[s]++
		if tk.items[i].source != 1 && s != tk.items[i].source {
			t.Fatal("a real error was changed")
		}
	}
	for i, p := range got {
		if d := math.Abs(seen[i]/n - p); d > 3*math.Sqrt(p*(1-p)/n) {
			t.Errorf("share of source %s is %v, want %v", confusion.Articles[i], seen[i]/n, p)
		}
	}
	if same := tk.inflated(1, rand.New(rand.NewPCG(1, 1))); slices.ContainsFunc(tk.items,
		func(x item) bool { return x.source != 1 }) &&
		!slices.EqualFunc(same, tk.items, func(s int, x item) bool { return s == x.source }) {
		t.Error("k = 1 changes sources")
	}
}

// TestPerceptronByHand has three passes over four examples, labels in the order a, the, 0.
func TestPerceptronByHand(t *testing.T) {
	const sun, idea, water, none, the = 0, 1, 2, 3, 4
	tk := &task{labels: 3, hashes: make([]uint64, 5), sources: []int32{none, the, none}}
	all := []int{0, 1, 2}
	items := []struct {
		item
		source int32
	}{{item{[]int32{sun}, 2, 1, all}, none}, {item{[]int32{idea}, 1, 0, all}, the},
		{item{[]int32{water}, 2, 2, all}, none},
		{item{[]int32{sun}, 1, 1, all}, the}}
	a := newAveraging(tk)
	sums := make([]float64, len(a.w.values))
	for range 3 {
		for i := range items {
			a.see(&items[i].item, items[i].source)
			for k, v := range a.w.values {
				sums[k] += float64(v)
			}
		}
	}
	final := map[[2]int]float32{{sun, 1}: 1, {sun, 0}: -1, {none, 0}: -1, {water, 2}: 1, {water, 1}: -1, {none, 2}: 1}
	for k, v := range a.w.values {
		if want := final[[2]int{k / 3, k % 3}]; v != want {
			t.Errorf("weight of feature %d for label %d: %v, want %v", k/3, k%3, v, want)
		}
	}
	mean := a.mean()
	want := map[[2]int]float64{{sun, 1}: 1, {sun, 0}: -1, {none, 1}: .166667, {none, 0}: -1, {water, 2}: .833333,
		{water, 1}: -.833333, {none, 2}: .833333}
	for k, v := range mean.values {
		if math.Abs(float64(v)-want[[2]int{k / 3, k % 3}]) > 1e-5 || math.Abs(float64(v)-sums[k]/12) > 1e-5 {
			t.Errorf("mean of feature %d for label %d: %v, want %v, naively %v", k/3, k%3, v,
				want[[2]int{k / 3, k % 3}], sums[k]/12)
		}
	}
}

// TestSparseRegression: at the minimum |∂L/∂w| ≤ l1 where w = 0, and = l1 elsewhere; a great l1 leaves no weight.
func TestSparseRegression(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 6))
	tk := &task{labels: 3, hashes: make([]uint64, 8), sources: []int32{5, 6, 7}}
	for range 200 {
		x := item{labels: []int{0, 1, 2}, source: rng.IntN(3)}
		x.gold = x.source
		for f := range int32(5) {
			if rng.IntN(2) == 0 {
				x.features = append(x.features, f)
			}
		}
		if len(x.features) > 2 && rng.IntN(3) > 0 {
			x.gold = int(x.features[0]) % 3
		}
		tk.items = append(tk.items, x)
	}
	ctx := context.Background()
	none, err := tk.regression(ctx, 1e5, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	if slices.ContainsFunc(none.values, func(v float32) bool { return v != 0 }) {
		t.Error("a great penalty leaves weights")
	}
	w, err := tk.regression(ctx, 2, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	x, grad := make([]float64, len(w.values)), make([]float64, len(w.values))
	for i, v := range w.values {
		x[i] = float64(v)
	}
	sources := tk.inflated(1, rng)
	loss, err := tk.loss(ctx, x, grad, sources)
	if err != nil || loss <= 0 {
		t.Fatal(loss, err)
	}
	kept := 0
	for i, g := range grad {
		if x[i] == 0 && math.Abs(g) > 2.05 || x[i] != 0 && math.Abs(math.Abs(g)-2) > 0.2 {
			t.Errorf("weight %v has the derivative %v", x[i], g)
		}
		if x[i] != 0 {
			kept++
			y := slices.Clone(x)
			y[i] += 1e-5
			up, _ := tk.loss(ctx, y, make([]float64, len(x)), sources)
			if d := (up - loss) / 1e-5; math.Abs(d-g) > 0.01 {
				t.Errorf("derivative %v, by difference %v", g, d)
			}
		}
	}
	if kept == 0 {
		t.Error("no weight is left")
	}
}

// TestCommaContexts has eight sentences, of whose contexts five are kept.
func TestCommaContexts(t *testing.T) {
	var list []*confusion.Sentence
	for _, l := range strings.Split("hence , we stop/hence , they go/hence , it works/hence we stop/in fact , we go/in "+
		"fact , it is/we stop here/so we go on", "/") {
		list = append(list, plain(l))
	}
	var got []string
	counts := map[string][2]int{}
	for _, p := range Contexts(list, .75, 2) {
		got = append(got, p.key())
	}
	for _, p := range Contexts(list, 0, 1) {
		counts[p.key()] = [2]int{p.Gaps, p.Commas}
	}
	want := []string{"<s> hence | ", "<s> in fact | ", "fact | ", "hence | ", "in fact | "}
	slices.Sort(want)
	if slices.Sort(got); !slices.Equal(got, want) {
		t.Errorf("contexts %q, want %q", got, want)
	}
	for key, want := range map[string][2]int{"<s> hence | ": {4, 3}, "hence | we": {2, 1}, "in fact | ": {2, 2},
		"<s> so | ": {1, 0}} {
		if counts[key] != want {
			t.Errorf("%s: %v gaps and commas, want %v", key, counts[key], want)
		}
	}
	l := &lists{Patterns: Contexts(list, .75, 2)}
	l.ready()
	if s := plain("hence it rains"); !l.matches(s, 1) || l.matches(s, 2) {
		t.Error("a comma is wanted after the first word alone")
	}
}

func TestCapitals(t *testing.T) {
	var list []*confusion.Sentence
	for range 5 {
		list = append(list, plain("On Monday we see Oslo . There is Rain"))
	}
	list = append(list, plain("the rain came , There it was"))
	if got := Capitals(list, 3); !slices.Equal(got, []string{"Monday", "Oslo"}) {
		t.Errorf("capitals %v; rain is written in lower case too, and There begins a sentence", got)
	}
	l := &lists{Capitals: []string{"Monday"}}
	l.ready()
	s := plain("on monday and Monday")
	got := l.findLower(s)
	if len(got) != 1 || got[0].Options[0].Edit != (confusion.Edit{Start: 1, End: 2, Words: "Monday"}) {
		t.Errorf("%v", got)
	}
}

func TestStyle(t *testing.T) {
	for line, want := range map[string]string{
		"I/PRP do/VBP n't/RB know/VB": "I do not know", "they/PRP wo/MD n't/RB": "they will not",
		"Ca/MD n't/RB you/PRP": "Can not you",
		"it/PRP ai/VBP n't/RB": "", "He/PRP came/VBD ,/, however/RB ,/, she/PRP left/VBD": "He came ; however , she left",
		"It/PRP is/VBZ ,/, however/RB ,/, true/JJ": "",
	} {
		var forms, tags []string
		for _, f := range strings.Fields(line) {
			i := strings.LastIndex(f, "/")
			forms, tags = append(forms, f[:i]), append(tags, f[i+1:])
		}
		s := confusion.New(forms, tags, nil)
		got := ""
		for _, c := range findStyle(s) {
			words, err := confusion.Apply(forms, []confusion.Edit{c.Options[0].Edit})
			if err != nil {
				t.Fatal(err)
			}
			got = strings.Join(words, " ")
		}
		if got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
}

// TestArticleFeatures compares all features of a slot with a list made by hand.
func TestArticleFeatures(t *testing.T) {
	s := confusion.New(strings.Fields("he ate very good red apple pie yesterday"),
		strings.Fields("PRP VBD RB JJ JJ NN NN NN"),
		[]confusion.Phrase{{Start: 0, End: 1, Label: "NP"}, {Start: 1, End: 2, Label: "VP"}, {Start: 2, End: 7, Label: "NP"}})
	list := confusion.FindArticles(s)
	if len(list) != 1 || list[0].Slot != 2 {
		t.Fatalf("candidates %v", list)
	}
	c := &collector{named: true}
	c.bind(s)
	c.article(&list[0])
	want := `wB=ate|w2B=he|w3B=<s>|wA=very|w2A=good|w3A=red|wBwA=ate very|w2BwB=he ate|wAw2A=very good|w3Bw2BwB=<s> he ate|
w2BwBwA=he ate very|wBwAw2A=ate very good|wAw2Aw3A=very good red|w4Bw3Bw2BwB=<s> <s> he ate|w3Bw2BwBwA=<s> he ate very|
w2BwBwAw2A=he ate very good|wBwAw2Aw3A=ate very good red|wAw2Aw3Aw4A=very good red apple|pB=VBD|p2B=PRP|p3B=<s>|pA=RB|p2A=JJ|
p3A=JJ|pBpA=VBD RB|p2BpB=PRP VBD|pAp2A=RB JJ|pBwB=VBD ate|pAwA=RB very|p2Bw2B=PRP he|p2Aw2A=JJ good|p2BpBpA=PRP VBD RB|
pBpAp2A=VBD RB JJ|pAp2Ap3A=RB JJ JJ|headWord=pie|wB&headWord=ate pie|npWords=very_good_red_apple_pie|
wB&npWords=ate very_good_red_apple_pie|NC=apple|wB&NC=ate apple|adj&headWord=good pie|wB&adj&headWord=ate good pie|
adjTag&headWord=JJ pie|wB&adjTag&headWord=ate JJ pie|adj&NC=good apple|wB&adj&NC=ate good apple|adjTag&NC=JJ apple|
wB&adjTag&NC=ate JJ apple|npTags&headWord=RB_JJ_JJ_NN_NN pie|wB&npTags&headWord=ate RB_JJ_JJ_NN_NN pie|
npTags&NC=RB_JJ_JJ_NN_NN apple|wB&npTags&NC=ate RB_JJ_JJ_NN_NN apple|headWord&headPOS=pie NN|headNumber=singular|
headWord&after1=pie yesterday|npWords&after1=very_good_red_apple_pie yesterday|headWord&after2=pie yesterday_</s>|
npWords&after2=very_good_red_apple_pie yesterday_</s>|headWord&after3=pie yesterday_</s>_</s>|
npWords&after3=very_good_red_apple_pie yesterday_</s>_</s>|verb=ate|verb&headWord=ate pie|
verb&npWords=ate very_good_red_apple_pie|verb&NC=ate apple|verb&adj&headWord=ate good pie|verb&adjTag&headWord=ate JJ pie|
verb&adj&NC=ate good apple|verb&adjTag&NC=ate JJ apple|verb&npTags&headWord=ate RB_JJ_JJ_NN_NN pie|
verb&npTags&NC=ate RB_JJ_JJ_NN_NN apple|headSeen=new`
	all := strings.Split(strings.ReplaceAll(want, "|\n", "|"), "|")
	got := slices.Clone(c.names)
	slices.Sort(got)
	slices.Sort(all)
	if !slices.Equal(got, all) {
		t.Errorf("features\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(all, "\n"))
	}
	seen := map[uint64]bool{}
	for _, h := range c.hashes {
		seen[h] = true
	}
	if len(seen) != len(c.hashes) {
		t.Error("two features have one hash")
	}
}

// train trains a module on generated text.
func train(t *testing.T, res kindtest.Resources, docs []*text.Document, opts map[string]any) *model {
	t.Helper()
	m, err := correcttest.Train(Kind(), docs, res, args(opts)...)
	if err != nil {
		t.Fatal(err)
	}
	return m.Model.(*model)
}

// recall is the recall and precision of the edits of a model, at a threshold.
func recall(t *testing.T, m *model, res kind.Resources, docs []*text.Document) (r, p, f float64) {
	t.Helper()
	s := metrics.NewEdits(metrics.Options{})
	for _, d := range docs {
		view := *d
		view.DropLayer(text.Edits.Name)
		if err := m.Annotate(context.Background(), []*text.Document{&view}, &kind.Run{Resources: res}); err != nil {
			t.Fatal(err)
		}
		if err := s.Add(context.Background(), []*text.Document{d}, []*text.Document{&view}); err != nil {
			t.Fatal(err)
		}
	}
	list := s.Metrics()
	return list[1].Value(), list[0].Value(), list[2].Value()
}

// TestInflationRaisesRecall: with the source as a feature and few errors, a perceptron that sees no more of them hardly
// ever changes anything; with inflated errors it finds more of them.
func TestInflationRaisesRecall(t *testing.T) {
	docs, test := correcttest.Documents(600, 0.02, 3), correcttest.Documents(200, 0.1, 4)
	var found [2]int
	for i, k := range []float64{1, 0.7} {
		m := train(t, kindtest.Resources{}, docs, map[string]any{"module": nounNumber, "inflation": k})
		for _, d := range test {
			list := confusion.Read(d)
			for n, g := range confusion.Golds(d, list) {
				for _, p := range proposed(t, m, nil, list[n]) {
					if p.Margin > 0 && g.Has(p.Edit) {
						found[i]++
					}
				}
			}
		}
	}
	if found[1] <= found[0] {
		t.Errorf("right edits with a margin above 0: %d without inflation, %d with", found[0], found[1])
	}
}

// TestModulesBeatNothing: each module corrects generated errors better than making no edit, which has F 0.
func TestModulesBeatNothing(t *testing.T) {
	res := native(t)
	docs, test := correcttest.Documents(300, 0.12, 3), correcttest.Documents(100, 0.12, 4)
	for _, module := range moduleNames {
		m := train(t, res, docs, map[string]any{"module": module, "ngrams": "web"})
		r, p, f := recall(t, m, res, test)
		if f < 0.03 || p < 0.1 {
			t.Errorf("%s: precision %v, recall %v, F %v", module, p, r, f)
		}
	}
}

// TestWordFormKeepsOthers: words that were never corrected are no candidates.
func TestWordFormKeepsOthers(t *testing.T) {
	m := train(t, native(t), correcttest.Documents(100, 0.2, 3), map[string]any{"module": wordForm, "ngrams": "web"})
	w := &worker{m: m}
	if got := w.find(plain("the technology of a technological student")); len(got) != 1 || got[0].Slot != 4 {
		t.Errorf("%v", got)
	}
}

// TestPriorOfNaiveBayes: nb and nb_priors differ by their priors alone.
func TestPriorOfNaiveBayes(t *testing.T) {
	res := native(t)
	docs := correcttest.Documents(100, 0.2, 3)
	opts := map[string]any{"module": preposition, "ngrams": "web", "algorithm": nb}
	a := train(t, res, docs, opts)
	opts["algorithm"] = nbPriors
	b := train(t, res, docs, opts)
	s := confusion.Read(docs[0])[0]
	left, right := proposed(t, a, res, s), proposed(t, b, res, s)
	if len(left) == 0 || len(left) != len(right) {
		t.Fatalf("%d and %d proposals", len(left), len(right))
	}
	web, err := a.worker(res, &evidence.Windows{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range left {
		native := math.Log((web.windows.Total(left[i].Fill) + unseen) / (web.windows.Total(left[i].Written) + unseen))
		if d := left[i].Margin - native - (right[i].Margin - right[i].Prior); math.Abs(d) > 1e-9 {
			t.Errorf("%s to %s: without priors the margins differ by %v", left[i].Written, left[i].Fill, d)
		}
	}
}

func proposed(t *testing.T, m *model, res kind.Resources, s *confusion.Sentence) []evidence.Proposal {
	t.Helper()
	w, err := m.worker(res, &evidence.Windows{})
	if err != nil {
		t.Fatal(err)
	}
	return w.Propose(s)
}

func args(opts map[string]any) (out []option.Arg) {
	for k, v := range opts {
		out = append(out, kindtest.Arg(k, v))
	}
	return out
}

// TestForeignText: text of another language gets few edits, and an empty document none.
func TestForeignText(t *testing.T) {
	res := native(t)
	m := train(t, res, correcttest.Documents(100, 0.15, 3), map[string]any{"module": article, "ngrams": "web"})
	s := confusion.New(strings.Fields("Der Hund schläft auf dem Sofa ."), strings.Fields("NNP NNP NN IN NN NN ."),
		[]confusion.Phrase{{Start: 0, End: 3, Label: "NP"}, {Start: 4, End: 6, Label: "NP"}})
	for _, r := range m.decide(s, proposed(t, m, res, s)) {
		if r.Made && r.Prob < m.Threshold() {
			t.Errorf("%v is made", r.Edit)
		}
	}
	empty := &text.Document{}
	if err := m.Annotate(context.Background(), []*text.Document{empty}, &kind.Run{Resources: res}); err != nil ||
		empty.Layer("edits").N != 0 {
		t.Errorf("an empty document: %v", err)
	}
}
