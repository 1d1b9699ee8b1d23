package mentiondetector

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"parlance/algo/coref/mention"
	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/option"
	"parlance/algo/text"
)

func TestKind(t *testing.T) {
	train, test := sample(30), sample(9)
	for name, opts := range map[string][]option.Arg{
		"learned": nil,
		"wide":    {kindtest.Arg("wide", true), kindtest.Arg("trees", "none")},
		"rules":   {kindtest.Arg("method", "rules")},
		"counts":  {kindtest.Arg("method", "rules"), kindtest.Arg("filter", "counts")},
		"both":    {kindtest.Arg("filter", "counts"), kindtest.Arg("string_ratio", 0.01)},
	} {
		t.Run(name, func(t *testing.T) {
			kindtest.Run(t, kindtest.Case{Kind: Kind(), Options: opts, Train: train, Test: test})
		})
	}
}

// TestRules compares the candidates of trees with those worked out by hand.
func TestRules(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"He/PRP/2/nsubj saw/VBD/0/root his/PRP$/4/nmod:poss dog/NN/2/obj", "He | his dog | his"},
		{"of/IN/3/case the/DT/3/det king/NN/0/root of/IN/5/case Spain/NNP/3/nmod ,/,/7/punct Alphonso/NNP/3/appos",
			"the king of Spain , Alphonso | the king of Spain | Spain | Alphonso"},
		{"Ann/NNP/0/root and/CC/3/cc Bob/NNP/1/conj", "Ann and Bob | Ann | Bob"},
		{"the/DT/3/det man/NN/3/compound 's/POS/2/case", ""},
		{"the/DT/2/det man/NN/4/nmod:poss 's/POS/2/case hat/NN/0/root", "the man 's hat | the man 's"},
		{"John/NNP/0/root Smith/NNP/1/flat ,/,/1/punct", "John Smith"},
		{"She/PRP/4/nsubj is/VBZ/4/cop a/DT/4/det nurse/NN/0/root", "She | a nurse"},
		{"the/DT/2/det band/NN/0/root (/-LRB-/4/punct Blur/NNP/2/appos )/-RRB-/4/punct", "the band ( Blur ) | the band | " +
			"Blur"},
		{"this/DT/2/nsubj is/VBZ/0/root", "this"}, {"this/DT/2/det way/NN/0/root", "this way"},
	} {
		d := readOf(parsed("d", c.line))
		got := strings.Join(spansOf(d, candidatesOf(d, sources{dependencies: true})), " | ")
		if got != c.want {
			t.Errorf("%s: got %q, want %q", c.line, got, c.want)
		}
	}
}

// TestOtherSources: constituents, entities, and tags where there is no tree.
func TestOtherSources(t *testing.T) {
	doc := parsed("d", "the/DT old/JJ man/NN of/IN York/NNP ran/VBD to/IN him/PRP")
	doc.DropLayer(text.Dependencies.Name)
	d := readOf(doc)
	if got := strings.Join(spansOf(d, candidatesOf(d, sources{dependencies: true})), " | "); got != "the old man | York "+
		"| him" {
		t.Errorf("by tags: %q", got)
	}
	l := text.NewLayer(text.Constituents)
	l.N = 3
	l.SetInts("sent", []int32{1, 1, 1})
	l.SetInts("node", []int32{1, 2, 3})
	l.SetInts("parent", []int32{0, 1, 1})
	l.SetStrs("label", []string{"S", "NP-SBJ", "VP"})
	l.SetInts("tok_start", []int32{1, 1, 6})
	l.SetInts("tok_end", []int32{8, 5, 8})
	doc.SetLayer(l)
	doc.SetLayer(doc.SpanLayer(text.Entities, []text.Span{{Sent: 1, First: 2, Last: 3, Label: "PER"}}))
	d = readOf(doc)
	list := candidatesOf(d, sources{constituents: true, entities: true})
	if got := strings.Join(spansOf(d, list), " | "); got != "the old man of York | old man | York | him" {
		t.Errorf("by constituents: %q", got)
	}
	if list[1].found != asEntity || list[2].found.String() != "name" {
		t.Errorf("found by %s and %s", list[1].found, list[2].found)
	}
}

// TestOtherLanguages: pronouns by the universal tags, where words are in no table.
func TestOtherLanguages(t *testing.T) {
	doc := parsed("d", "Er//2/nsubj sieht//0/root sie//2/obj")
	doc.Layer(text.Tokens.Name).SetStrs("upos", []string{"PRON", "VERB", "PRON"})
	d := readOf(doc)
	if got := strings.Join(spansOf(d, candidatesOf(d, sources{dependencies: true})), " | "); got != "Er | sie" {
		t.Errorf("%q", got)
	}
}

// TestFilterCounts: the example of the same time, which is often a candidate and never a mention.
func TestFilterCounts(t *testing.T) {
	var list []example
	add := func(line string, gold bool, times int) *mention.Document {
		d := readOf(parsed("d", line))
		for range times {
			list = append(list, example{read: d, list: []candidate{{Span: mention.Span{Start: 1, End: 4}}}, gold: []bool{gold}})
		}
		return d
	}
	never := add("at/IN the/DT same/JJ time/NN ./.", false, 40)
	mostly := add("see/VB the/DT big/JJ army/NN now/RB", true, 9)
	add("see/VB the/DT big/JJ army/NN now/RB", false, 1)
	rare := add("eat/VB a/DT red/JJ apple/NN then/RB", false, 4)
	s := mention.Span{Start: 1, End: 4}
	f := countAll(list, 5, 0, 0)
	if got := f.drops(never, s); got != "string" {
		t.Errorf("the same time: %q", got)
	}
	if got := f.drops(mostly, s) + f.drops(rare, s); got != "" {
		t.Errorf("the army and four apples: %q", got)
	}
	if got := countAll(list, 5, 1, 1).drops(mostly, s); got == "" {
		t.Error("a share of 1 keeps the army")
	}
	if got := countAll(list, 1<<20, 1, 1).drops(never, s); got != "" {
		t.Errorf("too few for any count: %q", got)
	}
	if got := countAll(list, 5, 0, 0).drops(readOf(parsed("d", "by/IN the/DT same/JJ time/NN ./.")),
		mention.Span{Start: 2, End: 4}); got != "head and word after" {
		t.Errorf("same time before a full stop: %q", got)
	}
}

// TestGradient compares the gradient with differences of the objective.
func TestGradient(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	v := &vectors{begin: []int32{0}}
	for range 20 {
		for range 1 + r.IntN(4) {
			v.features = append(v.features, int32(r.IntN(6)))
		}
		v.begin, v.gold = append(v.begin, int32(len(v.features))), append(v.gold, r.IntN(2) == 0)
	}
	f := v.objective(0.3)
	w, grad, none := make([]float64, 6), make([]float64, 6), make([]float64, 6)
	for i := range w {
		w[i] = r.NormFloat64()
	}
	if _, err := f(t.Context(), w, grad); err != nil {
		t.Fatal(err)
	}
	const h = 1e-6
	for i := range w {
		x := slices.Clone(w)
		x[i] += h
		up, _ := f(t.Context(), x, none)
		x[i] -= 2 * h
		down, _ := f(t.Context(), x, none)
		if d := (up - down) / (2 * h); math.Abs(d-grad[i]) > 1e-6 {
			t.Errorf("weight %d: gradient %v, difference %v", i, grad[i], d)
		}
	}
}

// train fits a model with options.
func train(t *testing.T, docs []*text.Document, opts ...option.Arg) (*model, error) {
	t.Helper()
	m, set := Kind().New(), &option.Set{}
	m.Options(set)
	if err := set.Apply(opts); err != nil {
		t.Fatal(err)
	}
	in := &kind.Training{On: kind.Documents(docs), Report: func(kind.Progress) {}, Notice: func(string) {}, Workers: 1}
	return m.(*model), m.Train(t.Context(), in)
}

// TestLearned: what is never mentioned again is left out.
func TestLearned(t *testing.T) {
	m, err := train(t, sample(40))
	if err != nil {
		t.Fatal(err)
	}
	for _, doc := range sample(5) {
		gold := doc.Layer(text.Mentions.Name)
		view := *doc
		view.DropLayer(text.Mentions.Name)
		if err := m.Annotate(t.Context(), []*text.Document{&view}, &kind.Run{}); err != nil {
			t.Fatal(err)
		}
		l := view.Layer(text.Mentions.Name)
		if !slices.Equal(l.Ints("tok_start"), gold.Ints("tok_start")) ||
			!slices.Equal(l.Ints("char_end"), gold.Ints("char_end")) {
			t.Errorf("%s: %d mentions, not the %d of gold", doc.Text, l.N, gold.N)
		}
	}
}

// TestBadInput: trees with cycles, heads outside, and nothing to learn from.
func TestBadInput(t *testing.T) {
	doc := parsed("d", "the/DT/2/det man/NN/1/obj of/IN/9/case Rome/NNP/4/nmod")
	d := readOf(doc)
	if got := spansOf(d, candidatesOf(d, sources{dependencies: true, wide: true})); len(got) == 0 {
		t.Error("no candidates of a broken tree")
	}
	if _, err := train(t, []*text.Document{{ID: "e"}}); err == nil {
		t.Error("an empty document is enough to learn from")
	}
	m, err := train(t, []*text.Document{{ID: "e"}}, kindtest.Arg("method", "rules"))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := m.Annotate(ctx, []*text.Document{{}}, &kind.Run{}); err == nil {
		t.Error("annotates after the end")
	}
}

// readOf and candidatesOf are Read and candidates under a context that does not end.
func readOf(doc *text.Document) *mention.Document {
	d, err := mention.Read(context.Background(), doc)
	if err != nil {
		panic(err)
	}
	return d
}

func candidatesOf(d *mention.Document, s sources) []candidate {
	list, err := candidates(context.Background(), d, s)
	if err != nil {
		panic(err)
	}
	return list
}
