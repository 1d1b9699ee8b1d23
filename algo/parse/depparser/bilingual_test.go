package depparser

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"parlance/algo/bitext"
	"parlance/algo/bitext/bitexttest"
	"parlance/algo/bitext/subtreerules"
	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/lexical"
	"parlance/algo/option"
	"parlance/algo/parse/subtrees"
	"parlance/algo/parse/tree"
	"parlance/algo/parse/tree/treetest"
	"parlance/algo/text"
)

// remembered is a parser that knows the trees of documents by name.
type remembered struct {
	kind.Model
	trees map[string]*text.Layer
}

func (r remembered) Schema() kind.Schema {
	return kind.Schema{Reads: []kind.LayerUse{{Layer: "tokens", Columns: []string{"form"}}},
		Writes: []kind.LayerUse{{Layer: "dependencies"}}}
}

func (r remembered) Annotate(_ context.Context, docs []*text.Document, _ *kind.Run) error {
	for _, d := range docs {
		if d.Layer("dependencies") != nil {
			return fmt.Errorf("document %s has trees", d.ID)
		}
		if l := r.trees[d.ID]; l != nil {
			d.SetLayer(l)
		}
	}
	return nil
}

// learned trains a model of another kind.
func learned(t testing.TB, k kind.Kind, docs []*text.Document, args ...option.Arg) kind.Model {
	t.Helper()
	m, s := k.New(), &option.Set{}
	m.Options(s)
	if err := s.Apply(args); err != nil {
		t.Fatal(err)
	}
	tr := &kind.Training{On: kind.Documents(docs), Seed: 1, Workers: 1, Report: func(kind.Progress) {},
		Notice: func(string) {}}
	if err := m.Train(context.Background(), tr); err != nil {
		t.Fatal(err)
	}
	return m
}

// targets are the second documents of pairs.
func targets(docs []*text.Document) (out []*text.Document) {
	for i := 1; i < len(docs); i += 2 {
		out = append(out, docs[i])
	}
	return out
}

// language is what parsers of pairs look into: rules and target subtrees of some pairs, and a parser that
// remembers the trees of others.
func language(t testing.TB, learn, parse []*text.Document, args ...option.Arg) models {
	t.Helper()
	out := models{named: map[string]kind.Trained{}}
	put := func(name string, m kind.Model) {
		out.named[name] = kind.Trained{Model: m, Resources: out, Label: name + "@1"}
	}
	put("rules", learned(t, subtreerules.Kind(), learn, args...))
	put("list", learned(t, subtrees.Kind(), targets(learn), arg("chains", true), arg("lower", true), arg("min_count", 1)))
	trees := map[string]*text.Layer{}
	for _, d := range targets(parse) {
		trees[d.ID] = d.Layer("dependencies")
	}
	put("target", remembered{trees: trees})
	return out
}

// bare are documents whose targets have no trees.
func bare(docs []*text.Document) (out []*text.Document) {
	for i, d := range docs {
		x := *d
		if i%2 == 1 {
			x.DropLayer("dependencies")
		}
		out = append(out, &x)
	}
	return out
}

// modes are options of each use of a translation.
var modes = map[string][]option.Arg{
	reordered: nil, byRules: {arg("constraints", "rules"), arg("target_subtrees", "list")},
	bySubtrees: {names("target_models", "target")},
	verified:   {arg("constraints", "rules"), arg("target_subtrees", "list"), names("target_models", "target")},
}

func mode(use string, more ...option.Arg) []option.Arg {
	return append(append([]option.Arg{arg("bilingual", use), arg("labels", "none")}, modes[use]...), more...)
}

// cross makes the sentence of a pair of lines as a model sees it.
func cross(t testing.TB, res models, use, line string) *crossed {
	t.Helper()
	docs := bitexttest.Parsed(line)
	m := configured(t, mode(use)...)
	b, err := m.translations(res)
	if err != nil {
		t.Fatal(err)
	}
	x, err := b.translated(context.Background(), docs[0], bare(docs)[1])
	if err != nil {
		t.Fatal(err)
	}
	return x.sentence(0, docs[0].Layer("tokens").N)
}

// toyLine is the toy of what features say: t1 → t2, t2 the root, t3 → t2, t4 → t3.
const toyLine = "s1/X:2 s2/X:0 s3/X:2 ||| t1/X:2 t2/X:0 t3/X:2 t4/X:3 ||| 0-0 1-1 "

func toyLanguage(t testing.TB) models {
	docs := bitexttest.Parsed(toyLine + "2-3")
	return language(t, docs, docs, arg("min_count", 1), arg("min_pair_count", 1))
}

func printedFacts(list []fact) string {
	var out []string
	for _, f := range list {
		out = append(out, strings.TrimPrefix(f.name(), "translation "))
	}
	slices.Sort(out)
	return strings.Join(out, "; ")
}

// TestToyFacts has the features of arcs that the definitions give (Chen et al. 2011, table 1).
func TestToyFacts(t *testing.T) {
	res := toyLanguage(t)
	c := cross(t, res, bySubtrees, toyLine+"2-3")
	for at, want := range map[[2]int]string{
		{2, 3}: "22=- right; 22=- right order=+; 23=+ right; 23=+ right order=+; order=+",
		{2, 1}: "22=+ left; 22=+ left order=+; 23=- left; 23=- left order=+; order=+",
		{3, 2}: "22=- left; 22=- left order=+; 23=- left; 23=- left order=+; order=+",
		{3, 1}: "22=- left; 22=- left order=+; 23=- left; 23=- left order=+; order=+",
		{0, 2}: "",
	} {
		if got := printedFacts(c.arcFacts(nil, at[0], at[1])); got != want {
			t.Errorf("arc %v: %s\nwant %s", at, got, want)
		}
	}
	if got := printedFacts(c.siblingFacts(nil, 2, 3, 1)); got != "33s=- right; 33s=- right order=+" {
		t.Errorf("siblings: %s", got)
	}
	c = cross(t, res, bySubtrees, toyLine)
	if got := printedFacts(c.arcFacts(nil, 2, 3)) + printedFacts(c.arcFacts(nil, 3, 1)); got != "order=+order=+" {
		t.Errorf("a word without a link: %s", got)
	}
	c = cross(t, res, verified, toyLine+"2-3")
	want := "22=- ZERO; 22=- ZERO right; 22=- pair=-; 22=- pair=- order=+; 22=- pair=- right; " +
		"23=+ HF; 23=+ HF right; 23=+ pair=+; 23=+ pair=+ order=+; 23=+ pair=+ right; order=+"
	if got := printedFacts(c.arcFacts(nil, 2, 3)); got != want {
		t.Errorf("verified: %s\nwant %s", got, want)
	}
	c = cross(t, res, verified, strings.Replace(toyLine, "t3", "z", 1)+"2-3")
	if got := printedFacts(c.arcFacts(nil, 2, 3)); !strings.Contains(got, "23=+ ZERO;") ||
		!strings.Contains(got, "23=+ pair=-;") {
		t.Errorf("a subtree that is not known: %s", got)
	}
}

// TestThirds: siblings and chains keep their heads; a sibling pair has a set only where the images are adjacent on one
// side.
func TestThirds(t *testing.T) {
	line := "a/X:0 b/X:1 c/X:1 d/X:3 ||| A/X:0 C/X:1 B/X:1 D/X:2 ||| 0-0 1-2 2-1 3-3"
	docs := bitexttest.Parsed(line)
	res := language(t, docs, docs, arg("min_count", 1), arg("min_pair_count", 1))
	c := cross(t, res, verified, line)
	if e := c.siblings(1, 2, 3); e != (evidence{plus, lexical.High, true}) {
		t.Errorf("siblings: %v", e)
	}
	if e := c.siblings(1, 3, 4); e != (evidence{image: minus}) {
		t.Errorf("a grandchild as a sibling: %v", e)
	}
	if e := c.chain(1, 3, 4); e != (evidence{plus, lexical.High, true}) {
		t.Errorf("chain: %v", e)
	}
	if e := c.chain(1, 4, 3); e != (evidence{image: minus}) {
		t.Errorf("chain upside down: %v", e)
	}
	apart := "a/X:0 b/X:1 c/X:1 d/X:3 ||| A/X:0 C/X:1 x/X:1 B/X:1 ||| 0-0 1-3 2-1"
	docs = bitexttest.Parsed(apart, "q ||| A/X:0 C/X:1 B/X:1 ||| ")
	c = cross(t, language(t, docs, docs[:2], arg("min_count", 1), arg("min_pair_count", 1)), verified, apart)
	if e := c.siblings(1, 2, 3); e != (evidence{plus, lexical.Zero, true}) {
		t.Errorf("siblings with another between: %v", e)
	}
	if e := c.chain(1, 3, 4); e != (evidence{}) {
		t.Errorf("a chain with a word without a link: %v", e)
	}
	if e := cross(t, res, verified, "a/X:0 b/X:1 c/X:1 ||| A/X:0 C/X:1 ||| 0-0 1-1 2-0").siblings(1, 2,
		3); e != (evidence{}) {
		t.Errorf("two words with one image: %v", e)
	}
	left := "b/X:3 c/X:3 a/X:0 ||| B/X:3 C/X:3 A/X:0 ||| 0-0 1-1 2-2"
	docs = bitexttest.Parsed(left)
	if e := cross(t, language(t, docs, docs, arg("min_count", 1), arg("min_pair_count", 1)), verified, left).siblings(3, 2,
		1); e != (evidence{plus, lexical.High, true}) {
		t.Errorf("siblings on the left: %v", e)
	}
	if s := printedFacts(c.imageFacts(nil, bitext.Chain, evidence{plus, lexical.Low, false},
		directions(bitext.Chain, 3, 1, 2),
		plus)); s != "33c=+ LF; 33c=+ LF left-right; 33c=+ pair=-; 33c=+ pair=- left-right" {
		t.Error(s)
	}
}

// TestReordering has the worked example of links that cross (Chen, Kazama and Torisawa 2010, sec. 4.3).
func TestReordering(t *testing.T) {
	c := cross(t, toyLanguage(t), reordered, "a/X:0 b/X:1 c/X:1 d/X:1 ||| A B C D ||| 0-2 1-3 2-0 3-1")
	for at, want := range map[[2]int]answer{{1, 2}: plus, {2, 3}: minus, {1, 3}: minus, {1, 4}: plus, {4, 3}: plus} {
		if got := c.arc(at[0], at[1]).order; got != want {
			t.Errorf("arc %v: %v", at, got)
		}
	}
	if got := printedFacts(c.arcFacts(nil, 3, 2)); got != "order=-; order=- left" {
		t.Error(got)
	}
	c = cross(t, toyLanguage(t), reordered, "a/X:0 b/X:1 c/X:1 ||| A ||| 0-0")
	if c.arc(2, 3).order != silent || c.arc(1, 2).order != plus {
		t.Error("words without links")
	}
}

// TestStoredTrees: trees that a target has in the corpus are seen by no parser, which would be gold.
func TestStoredTrees(t *testing.T) {
	docs := bitexttest.Parsed("a/X:0 ||| A/X:2 B/X:0 ||| 0-0 0-1")
	m := configured(t, mode(byRules)...)
	b, err := m.translations(toyLanguage(t))
	if err != nil {
		t.Fatal(err)
	}
	x, err := b.translated(context.Background(), docs[0], docs[1])
	if err != nil || x.images[0] != 0 || x.target.Heads[0] != bitext.None || docs[1].Layer("dependencies") == nil {
		t.Errorf("image %v, heads %v, error %v", x.images, x.target.Heads, err)
	}
}

// ruled is constraints with given rules.
type ruled struct {
	bitext.Constraints
	rules []*bitext.Rule
}

func (r ruled) Rules([]uint32, []int8) []*bitext.Rule { return r.rules }

// TestRules: a rule of three words that become two fires once, with either of two right sides in the list; a word that
// is added must stand between the images (Chen, Kazama and Torisawa 2010, sec. 4.3).
func TestRules(t *testing.T) {
	signed := "signed/VERB:2 de/DEC:3 xm/NOUN:0 ||| "
	first := &bitext.Rule{Type: bitext.ThreeToTwo, Right: []bitext.Slot{{Source: 2, Head: -1}, {Source: 0, Head: 0}}}
	second := &bitext.Rule{Type: bitext.ThreeToTwo, Right: []bitext.Slot{{Source: 2, Head: 1}, {Source: 0, Head: -1}}}
	for name, x := range map[string]struct {
		list string
		want string
	}{
		"first":  {"projects/NOUN:0 signed/VERB:1", "rule 3to2"},
		"second": {"projects/NOUN:2 signed/VERB:0", "rule 3to2"},
		"both":   {"projects/NOUN:2 signed/VERB:0 / projects/NOUN:0 signed/VERB:1", "rule 3to2"},
		"none":   {"projects/NOUN:0 sign/VERB:1", ""},
	} {
		docs := bitexttest.Parsed(signed + x.list + " ||| 0-1 2-0")
		res := language(t, docs, docs, arg("min_count", 1))
		c := cross(t, res, byRules, signed+"we signed the projects ||| 0-1 2-3")
		c.constraints = ruled{rules: []*bitext.Rule{first, second}}
		if got := printedFacts(c.grandFacts(nil, 3, 2, 1)); got != x.want {
			t.Errorf("%s: %q", name, got)
		}
		c = cross(t, res, byRules, signed+"we signed the projects ||| 2-3")
		c.constraints = ruled{rules: []*bitext.Rule{first, second}}
		if got := printedFacts(c.grandFacts(nil, 3, 2, 1)); got != "" {
			t.Errorf("%s without the link of the verb: %q", name, got)
		}
	}
	added := func(w string) *bitext.Rule {
		return &bitext.Rule{Type: bitext.TwoToThree,
			Right: []bitext.Slot{{Source: 1, Head: -1}, {Source: -1, Word: w, Head: 0}, {Source: 0, Head: 1}}}
	}
	docs := bitexttest.Parsed(
		"car/NOUN:2 wheel/NOUN:0 ||| wheel/NOUN:0 of/ADP:1 car/NOUN:2 / wheel/NOUN:0 in/ADP:1 car/NOUN:2 ||| 0-2 1-0")
	res := language(t, docs, docs, arg("min_count", 1))
	for w, want := range map[string]string{"of": "order=+; order=+ left; rule 2to3", "in": "order=+; order=+ left"} {
		c := cross(t, res, byRules, "car/NOUN:2 wheel/NOUN:0 ||| wheel of the car in Rome ||| 0-3 1-0")
		c.constraints = ruled{rules: []*bitext.Rule{added(w)}}
		if got := printedFacts(c.arcFacts(nil, 2, 1)); got != want {
			t.Errorf("%s: %q", w, got)
		}
		c.types[bitext.TwoToThree] = false
		if c.arcs = nil; printedFacts(c.arcFacts(nil, 2, 1)) != "order=+; order=+ left" {
			t.Error("a type that is off fires")
		}
	}
}

// TestBilingualCharts: the score of every part is the sum of the weights at the places that learning changes, and the
// best tree of the chart is the best one of all trees.
func TestBilingualCharts(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 2))
	lines := bitexttest.Attachments(30, 3)
	docs := bitexttest.Parsed(lines...)
	res := language(t, docs, docs, arg("min_count", 1), arg("min_pair_count", 1))
	for use := range modes {
		for _, f := range []tree.Factorization{tree.Arc, tree.Sibling, tree.Carreras, tree.Model0} {
			facts := 0
			args := mode(use, arg("factorization", f.String()))
			if f != tree.Arc {
				args = append(args, arg("prune", 0.0))
			}
			m := configured(t, args...)
			m.parser = m.empty()
			m.parser.scorer = newScorer(standard, f.Types(), 14)
			m.parser.scorer.more = m.opt.sources()
			for _, tab := range m.parser.scorer.tables() {
				if tab != nil {
					for i := range tab.w {
						tab.w[i] = float32(rng.NormFloat64())
					}
				}
			}
			w := m.parser.worker()
			for _, line := range lines[:4] {
				pair := bitexttest.Parsed(line)
				it := items(t, m, res, pair)[0]
				w.load(context.Background(), &it.sentence, nil)
				for i, x := range w.parts.All() {
					if x.G != tree.None && w.v.inside(x.G, x.H, x.M) {
						continue
					}
					sum := 0.0
					w.v.each(x, func(place uint32) { sum += float64(m.parser.scorer.of(x.Type).w[place]) })
					if math.Abs(sum-w.score[i]) > 1e-3 {
						t.Fatalf("%s, %v: part %+v has features of sum %v, score %v", use, f, x, sum, w.score[i])
					}
					facts += len((&explainer{a: &annotator{w: w, sent: it.sentence}}).moreNames(nil, x))
				}
				heads := make([]int32, it.n+1)
				got, _ := w.decoder.Best(&w.parts, w.score, heads)
				want := treetest.Brute(f, treetest.Class{Projective: true, Single: true}, &w.parts, w.score).Trees[0]
				if math.Abs(got-want.Score) > 1e-6 || !slices.Equal(heads[1:], want.Heads[1:]) {
					t.Errorf("%s, %v: %v of score %v, want %v of %v", use, f, heads, got, want.Heads, want.Score)
				}
			}
			trees := use == bySubtrees || use == verified
			if (facts > 0) != (f != tree.Arc && trees || f > tree.Sibling && use == byRules) {
				t.Errorf("%s, %v: %d features of pairs of arcs", use, f, facts)
			}
		}
	}
}

// items are sentences as a model reads them.
func items(t testing.TB, m *model, res models, docs []*text.Document) []*item {
	t.Helper()
	k, err := m.known(res)
	if err != nil {
		t.Fatal(err)
	}
	b, err := m.read(context.Background(), kind.Documents(bare(docs)), k)
	if err != nil {
		t.Fatal(err)
	}
	return b.items
}

// attached trains on pairs and returns the share of right heads of others, and the model.
func attached(t testing.TB, res models, train, test []*text.Document, args ...option.Arg) (float64, *model) {
	t.Helper()
	m := configured(t, append(args, arg("epochs", 5))...)
	tr := &kind.Training{On: kind.Documents(bare(train)), Resources: res, Seed: 1, Workers: 1,
		Report: func(kind.Progress) {}, Notice: func(string) {}}
	if err := m.Train(context.Background(), tr); err != nil {
		t.Fatal(err)
	}
	right, all := 0, 0
	s := m.Schema()
	docs := bare(test)
	for _, u := range s.Units(docs) {
		for i := range u {
			x := *u[i]
			x.DropLayer("dependencies")
			u[i] = &x
		}
		if err := m.Annotate(context.Background(), u, &kind.Run{Resources: res, Workers: 1}); err != nil {
			t.Fatal(err)
		}
		for _, d := range u {
			for _, g := range test {
				if g.ID != d.ID || d.Field("side").String() != "source" {
					continue
				}
				for i, h := range g.Layer("dependencies").Ints("head") {
					if all++; d.Layer("dependencies").Ints("head")[i] == h {
						right++
					}
				}
			}
		}
	}
	return float64(right) / float64(all), m
}

// split are pairs to learn rules from, to train with and to test on; documents of different lists have different names.
func split(lines []string, sizes ...int) (out [][]*text.Document) {
	docs := bitexttest.Parsed(lines...)
	for _, n := range sizes {
		out = append(out, docs[:2*n])
		docs = docs[2*n:]
	}
	return out
}

// TestAttachments: where only the translation tells what a phrase belongs to, each use of it helps, its tree nearly
// always; wrong trees of the target help no more.
func TestAttachments(t *testing.T) {
	x := split(bitexttest.Attachments(500, 5), 300, 100, 100)
	both := append(slices.Clone(x[1]), x[2]...)
	res := language(t, x[0], both)
	base, _ := attached(t, res, x[1], x[2], arg("labels", "none"))
	if base > 0.95 {
		t.Errorf("without a translation %v of the heads are right", base)
	}
	for use := range modes {
		least := base + 0.04
		if use == bySubtrees || use == verified {
			least = 0.99
		}
		if got, _ := attached(t, res, x[1], x[2], mode(use)...); got < least {
			t.Errorf("%s: %v of the heads are right, %v without a translation", use, got, base)
		}
	}
	wrong := wrongTrees(both)
	if got, _ := attached(t, language(t, x[0], wrong), x[1], x[2],
		mode(bySubtrees, arg("reordering", false))...); got > base+0.02 {
		t.Errorf("with wrong trees: %v, %v without a translation", got, base)
	}
}

// wrongTrees are documents whose targets have random trees.
func wrongTrees(docs []*text.Document) (out []*text.Document) {
	rng := rand.New(rand.NewPCG(9, 9))
	for i, d := range docs {
		x := *d
		if old := d.Layer("dependencies"); i%2 == 1 {
			l := *old
			l.Cols = slices.Clone(old.Cols)
			heads := make([]int32, l.N)
			order := rng.Perm(l.N)
			for k, at := range order {
				if k > 0 {
					heads[at] = int32(order[rng.IntN(k)] + 1)
				}
			}
			l.SetInts("head", heads)
			x.SetLayer(&l)
		}
		out = append(out, &x)
	}
	return out
}

// TestIdentity: where the translation is a copy with the right tree, a tree is found by it alone.
func TestIdentity(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	var lines []string
	for range 160 {
		n := 3 + rng.IntN(5)
		var words, links []string
		heads := projectiveTree(rng, n)
		for i := range n {
			words = append(words, fmt.Sprintf("w%d/X:%d", rng.IntN(50), heads[i+1]))
			links = append(links, fmt.Sprintf("%d-%d", i, i))
		}
		s := strings.Join(words, " ")
		lines = append(lines, s+" ||| "+s+" ||| "+strings.Join(links, " "))
	}
	x := split(lines, 120, 40)
	base, _ := attached(t, models{}, x[0], x[1], arg("labels", "none"))
	res := language(t, x[0], append(slices.Clone(x[0]), x[1]...))
	for _, use := range []string{bySubtrees, verified} {
		for _, f := range []string{"arc", "carreras"} {
			got, _ := attached(t, res, x[0], x[1], mode(use, arg("factorization", f))...)
			if got < 0.98 || base > 0.7 {
				t.Errorf("%s, %s: %v, %v without the copy", use, f, got, base)
			}
		}
	}
}

func projectiveTree(rng *rand.Rand, n int) []int32 {
	for {
		heads := make([]int32, n+1)
		root := 1 + rng.IntN(n)
		for m := 1; m <= n; m++ {
			if m != root {
				heads[m] = int32(1 + rng.IntN(n))
			}
		}
		if tree.Check(heads, true) == tree.Sound {
			return heads
		}
	}
}

// TestNoTranslation: without links all weights are those of a parser without translations, and with an empty list
// rules add nothing to the order of words.
func TestNoTranslation(t *testing.T) {
	x := split(bitexttest.Attachments(80, 6), 40, 40)
	res := language(t, x[0], append(slices.Clone(x[0]), x[1]...))
	unlinked := slices.Clone(x[1])
	for i, d := range unlinked {
		c := *d
		c.DropLayer("alignments")
		unlinked[i] = &c
	}
	_, plain := attached(t, res, unlinked, unlinked, arg("labels", "none"))
	notices := []string{}
	tr := &kind.Training{On: kind.Documents(bare(unlinked)), Resources: res, Seed: 1, Workers: 1,
		Report: func(kind.Progress) {}, Notice: func(s string) { notices = append(notices, s) }}
	if err := configured(t, mode(reordered)...).Train(context.Background(), tr); err != nil ||
		!strings.Contains(strings.Join(notices, " "), "40 documents have no translation with links") {
		t.Errorf("%q, %v", notices, err)
	}
	for use := range modes {
		if _, m := attached(t, res, unlinked, unlinked, mode(use)...); weightsOf(t, m) != weightsOf(t, plain) {
			t.Errorf("%s without links has other weights", use)
		}
	}
	other := bitexttest.Parsed("q/X:0 r/X:1 ||| Q/X:0 R/X:1 ||| 0-0 1-1")
	res.named["list"] = kind.Trained{Model: learned(t, subtrees.Kind(), targets(other), arg("chains", true),
		arg("min_count", 1)), Label: "list@2"}
	_, order := attached(t, res, x[1], x[1], mode(reordered)...)
	if _, m := attached(t, res, x[1], x[1], mode(byRules)...); weightsOf(t, m) != weightsOf(t, order) {
		t.Error("rules with an empty list have other weights than the order alone")
	}
}

func weightsOf(t testing.TB, m *model) string {
	t.Helper()
	w := kind.NewWriter(func(string, []byte) error { return nil })
	if err := m.parser.encode(w, "parser."); err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%x", w.Sum())
}

// TestOddUnits: documents without a partner or a side are parsed alone, targets get no trees, and groups that are no
// pairs have no translation.
func TestOddUnits(t *testing.T) {
	x := split(bitexttest.Attachments(60, 7), 40, 20)
	res := language(t, x[0], append(slices.Clone(x[0]), x[1]...))
	_, m := attached(t, res, x[0], x[1], mode(bySubtrees)...)
	sideless := bitexttest.Document("ad hoc", "n1 v2 n3 with n4")
	long := bitexttest.Pairs(strings.Repeat("n1 with ", 150)+" ||| N1 ||| 0-0",
		"n1 ||| "+strings.Repeat("N1 ", 50)+" ||| 0-49", " ||| N1", "n1 ||| ")
	for name, docs := range map[string][]*text.Document{
		"alone": x[1][:1], "target alone": x[1][1:2], "no side": {sideless}, "three": {x[1][0], x[1][2], x[1][1]},
		"nothing":   {{ID: "empty"}},
		"300 words": long[:2], "1:50": long[2:4], "no source": long[4:6], "no target": long[6:8],
	} {
		var views []*text.Document
		for _, d := range docs {
			v := *d
			v.DropLayer("dependencies")
			views = append(views, &v)
		}
		if err := m.Annotate(context.Background(), views, &kind.Run{Resources: res, Workers: 1, Prob: true}); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, d := range views {
			l, want := d.Layer("dependencies"), 0
			if toks := d.Layer("tokens"); toks != nil && d.Field("side").String() != "target" {
				want = toks.N
			}
			if l == nil && want > 0 || l != nil && l.N != want {
				t.Errorf("%s: document %s has other than %d heads", name, d.ID, want)
			}
		}
	}
}

// TestTranslationLayer: translations of the layer have the same features as those of a pair.
func TestTranslationLayer(t *testing.T) {
	x := split(bitexttest.Attachments(500, 5), 300, 100, 100)
	res := language(t, x[0], append(slices.Clone(x[1]), x[2]...))
	trees := map[string]*text.Layer{}
	inside := func(docs []*text.Document) (out []*text.Document) {
		for i := 0; i < len(docs); i += 2 {
			d, other := *docs[i], docs[i+1]
			words, links := other.Layer("tokens").Strs("form"), []string(nil)
			for _, l := range (bitext.Pair{Source: docs[i], Target: other}).Links() {
				links = append(links, fmt.Sprintf("%d-%d", l.Source+1, l.Target+1))
			}
			l := text.NewLayer(bitext.Translations)
			l.N = 2
			l.SetInts("sent", []int32{1, 9})
			l.SetStrs("translation", []string{strings.Join(words, " "), "no sentence"})
			l.SetStrs("links", []string{strings.Join(links, " ") + " 99-1 1-99 x", "1-1"})
			d.SetLayer(l)
			trees[d.ID] = other.Layer("dependencies")
			out = append(out, &d, &d) // one for each side of attached
		}
		return out
	}
	train := inside(x[1])
	half := func(docs []*text.Document) (out []*text.Document) {
		for i := 0; i < len(docs); i += 2 {
			out = append(out, docs[i])
		}
		return out
	}
	res.named["target"] = kind.Trained{Model: remembered{trees: trees}, Label: "target@2"}
	for use := range modes {
		m := configured(t, append(mode(use, arg("translation", ofLayer)), arg("epochs", 5))...)
		if s := m.Schema(); s.Unit != kind.PerDocument ||
			!slices.ContainsFunc(s.Reads, func(u kind.LayerUse) bool { return u.Layer == "translations" }) {
			t.Errorf("%s: schema %v", use, s)
		}
		tr := &kind.Training{On: kind.Documents(half(train)), Resources: res, Seed: 1, Workers: 1,
			Report: func(kind.Progress) {}, Notice: func(string) {}}
		if err := m.Train(context.Background(), tr); err != nil {
			t.Fatal(err)
		}
		_, paired := attached(t, language(t, x[0], append(slices.Clone(x[1]), x[2]...)), x[1], x[2], mode(use)...)
		if weightsOf(t, m) != weightsOf(t, paired) {
			t.Errorf("%s: other weights than those of pairs", use)
		}
	}
}

func TestBilingualOptions(t *testing.T) {
	for want, args := range map[string][]option.Arg{
		"needs constraints":     {arg("bilingual", byRules)},
		"needs target_subtrees": {arg("bilingual", verified), arg("constraints", "r")},
		"needs target_models":   {arg("bilingual", bySubtrees)},
		"no type of rules":      append(mode(byRules), names("rule_types", "1to1")),
		"rule_types":            append(mode(verified), names("rule_types", "2to2")),
		"group":                 {arg("group", "x")},
	} {
		m, s := &model{}, &option.Set{}
		m.Options(s)
		if err := s.Apply(args); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v", args, err)
		}
	}
	res := toyLanguage(t)
	for want, args := range map[string][]option.Arg{
		"option constraints: model target@1": {arg("bilingual", byRules), arg("constraints", "target"),
			arg("target_subtrees", "list")},
		"option target_subtrees: model rule": {arg("bilingual", byRules), arg("constraints", "rules"),
			arg("target_subtrees", "rules")},
		"model rules@1 writes no layer": {arg("bilingual", bySubtrees), names("target_models", "rules")},
		"no model other":                {arg("bilingual", bySubtrees), names("target_models", "other")},
	} {
		m := configured(t, args...)
		tr := &kind.Training{On: kind.Documents(bitexttest.Parsed(toyLine + "2-3")), Resources: res, Seed: 1, Workers: 1,
			Notice: func(string) {}, Report: func(kind.Progress) {}}
		if err := m.Train(context.Background(), tr); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	keyless := bitexttest.Document("keyless", "x")
	m := configured(t, mode(reordered)...)
	if err := m.Train(context.Background(),
		&kind.Training{On: kind.Documents{keyless}, Resources: res, Notice: func(string) {},
			Report: func(kind.Progress) {}}); err == nil || !strings.Contains(err.Error(), "has no pair") {
		t.Error(err)
	}
}

func TestBilingualKind(t *testing.T) {
	docs := bitexttest.Parsed(bitexttest.Attachments(24, 8)...)
	res := language(t, docs, docs, arg("min_count", 1))
	for _, use := range []string{verified, byRules} {
		t.Run(use, func(t *testing.T) {
			kindtest.Run(t, kindtest.Case{Kind: Kind(), Options: mode(use, arg("bits", 12), arg("epochs", 2)), Resources: res,
				Train: bare(docs[:32]), Test: bare(docs[32:]), Resumes: true})
		})
	}
}
