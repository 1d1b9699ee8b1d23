package metrics

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"parlance/algo/text"

	"pgregory.net/rapid"
)

// fix is an edit of tokens counted from 0 by an annotator.
type fix struct {
	from, to  int
	words     string
	annotator int32
}

// sourceOf returns a document of one sentence with edits.
func sourceOf(source string, fixes ...fix) *text.Document {
	d := &text.Document{ID: "d", Text: source}
	toks := text.NewLayer(text.Tokens)
	at := int32(0)
	for i, w := range strings.Fields(source) {
		for c, v := range []int32{1, int32(i + 1), at, at + int32(len(w))} {
			toks.Cols[c].Ints = append(toks.Cols[c].Ints, v)
		}
		toks.Cols[4].Strs = append(toks.Cols[4].Strs, w)
		toks.N++
		at += int32(len(w)) + 1
	}
	d.SetLayer(toks)
	l := text.NewLayer(text.Edits)
	for _, f := range fixes {
		start := int32(len(source))
		if f.from < toks.N {
			start = toks.Ints("char_start")[f.from]
		}
		end := start
		if f.to > f.from {
			end = toks.Ints("char_end")[f.to-1]
		}
		kind := "Type"
		if f.words == "noop" {
			kind, f.words = "noop", ""
		}
		for name, v := range map[string]int32{"sent": 1, "char_start": start, "char_end": end, "annotator": f.annotator} {
			l.SetInts(name, append(l.Ints(name), v))
		}
		l.SetStrs("correction", append(l.Strs("correction"), f.words))
		l.SetStrs("type", append(l.Strs("type"), kind))
		l.N++
	}
	d.SetLayer(l)
	return d
}

// rewritten is a prediction that replaces a whole sentence, or leaves it.
func rewritten(source, words string) *text.Document {
	if source == words {
		return sourceOf(source)
	}
	return sourceOf(source, fix{0, len(strings.Fields(source)), words, 0})
}

// TestMaxMatchExamples has alternatives, insertions and phrases that overlap, as the examples of Dahlmeier and Ng 2012.
func TestMaxMatchExamples(t *testing.T) {
	const bread, work = "our young baker puts bun into pan .", "she walk to work today"
	words := []fix{{4, 5, "buns||a bun", 0}, {6, 6, "a", 0}}
	for _, c := range []struct {
		source, words            string
		gold                     []fix
		right, edits, gold3, f05 float64
	}{
		{bread, "our young baker puts a bun into pan .", words, 1, 1, 2, 0.833333},
		{bread, "our young baker puts buns into pan .", words, 1, 1, 2, 0.833333},
		{bread, "our young baker puts a bun into a pan .", words, 2, 2, 2, 1},
		{bread, bread, words, 0, 0, 2, 0},
		{bread, "our young bakers put bun into the pan .", words, 0, 1, 2, 0},
		{work, "she walked to the work today", []fix{{1, 2, "walked", 0}, {3, 3, "the", 0}}, 2, 2, 2, 1},
		{work, "she walked to the work today", []fix{{1, 2, "walked", 0}}, 1, 2, 1, 0.555556},
		{work, "she walked to the work today", nil, 0, 1, 0, 0},
		{work, work, nil, 0, 0, 0, 1},
		{work, "she Walked to work today", []fix{{1, 2, "walked", 0}}, 0, 1, 1, 0}, // case counts
		{"a b", "a b c", []fix{{0, 0, "noop", 0}, {2, 2, "c", 1}}, 1, 1, 1, 1},
		{"a b", "a b", []fix{{0, 0, "noop", 0}, {2, 2, "c", 1}}, 0, 0, 0, 1},
		{"he go", "he goes", []fix{{1, 2, "goes", 0}}, 1, 1, 1, 1},
		{"a a b", "a b", []fix{{0, 1, "", 0}}, 1, 1, 1, 1},
	} {
		s := NewEdits(Options{})
		list := scored(t, s, sourceOf(c.source, c.gold...), rewritten(c.source, c.words))
		got, f := s.units.sums(3), Main(list)
		if got[0] != c.right || got[1] != c.edits || got[2] != c.gold3 || math.Abs(f.Value()-c.f05) > 1e-6 ||
			f.Name != "f0.5" {
			t.Errorf("%q as %q: %v and %s %v, want %v %v %v and %v", c.source, c.words, got, f.Name, f.Value(), c.right,
				c.edits, c.gold3, c.f05)
		}
	}
}

// TestAnnotatorOfCumulativeF has a sentence for which the choice of the annotator depends on what was scored before.
func TestAnnotatorOfCumulativeF(t *testing.T) {
	gold := sourceOf("a b c d", fix{0, 1, "x", 0}, fix{1, 2, "y", 0}, fix{2, 3, "z", 0}, fix{0, 1, "w", 1})
	s := NewEdits(Options{})
	scored(t, s, gold, sourceOf("a b c d"))
	if got := s.units.sums(3); got[2] != 1 {
		t.Errorf("without a proposal the gold edits are %v, want those of the annotator with fewer", got)
	}
	scored(t, s, gold, rewritten("a b c d", "x y c d"))
	if got := s.units.sums(3); got[0] != 2 || got[2] != 4 {
		t.Errorf("with two right edits of annotator 0: %v", got)
	}
	scored(t, s, sourceOf("a b", fix{0, 1, "x", 0}, fix{0, 1, "x", 1}, fix{1, 2, "y", 1}), rewritten("a b", "x b"))
	if got := s.units.sums(3); got[0] != 3 || got[2] != 5 {
		t.Errorf("of two annotators with one right edit: %v, want the one with fewer edits", got)
	}
}

// TestConventionsOfThePublicScorer has sentences whose counts depend on an order: of insertions at one place, of
// which each gold edit matches one; of annotators, by F up to the sentence, then by right edits, then by fewer
// edits, then by number. The counts are those of the public scorer.
func TestConventionsOfThePublicScorer(t *testing.T) {
	type sentence struct {
		source, words string
		gold          []fix
	}
	for _, c := range []struct {
		name string
		list []sentence
		want [3]float64
	}{
		{"from both ends in turn", []sentence{{"a", "c b b", []fix{{1, 1, "b", 0}}}}, [3]float64{1, 2, 1}},
		{"a gold edit matches one insertion", []sentence{{"a", "b b", []fix{{0, 0, "b", 0}}}}, [3]float64{1, 2, 1}},
		{"behind a match those that do not join it are passed over",
			[]sentence{{"a", "a c a a b", []fix{{1, 1, "c", 0}, {1, 1, "a", 0}}}}, [3]float64{2, 3, 2}},
		{"the last gold edit from the right", []sentence{{"a", "b c c b", []fix{{1, 1, "c||a", 0}, {1, 1, "c", 0}}}},
			[3]float64{2, 4, 2}},
		{"a gold edit that changes nothing keeps its word", []sentence{{"a b b", "b", []fix{{1, 2, "b", 0}}}},
			[3]float64{0, 2, 1}},
		{"F up to the sentence", []sentence{{"a", "b", []fix{{0, 1, "", 0}, {1, 1, "b", 0}, {0, 0, "c", 1}, {0, 1, "", 1}}},
			{"a", "b c b", []fix{{1, 1, "a", 0}, {1, 1, "c", 1}}}}, [3]float64{2, 3, 3}},
		{"more right edits", []sentence{{"a a a", "b", []fix{{2, 3, "", 0}, {1, 2, "", 1}}},
			{"a", "b c c b", []fix{{0, 0, "b", 0}, {1, 1, "b", 1}, {1, 1, "c", 1}}}}, [3]float64{3, 6, 3}},
		{"fewer edits", []sentence{{"a b c", "b", []fix{{1, 2, "b", 0}, {3, 3, "c", 1}}},
			{"a", "b", []fix{{1, 1, "c", 0}, {1, 1, "c", 1}}}}, [3]float64{0, 2, 2}},
		{"the first annotator of two with equal F, right edits and cost", []sentence{{"a", "b", []fix{{0, 1, "b", 0}}},
			{"a b c d e f", "x y c d e f", []fix{{0, 1, "x", 0}, {0, 2, "x y", 1}, {2, 3, "p", 1}, {3, 4, "p", 1},
				{4, 5, "p", 1}, {5, 6, "p", 1}}}}, [3]float64{2, 3, 2}},
	} {
		s := NewEdits(Options{})
		for _, x := range c.list {
			scored(t, s, sourceOf(x.source, x.gold...), rewritten(x.source, x.words))
		}
		if s.sums != c.want {
			t.Errorf("%s: %v, want %v", c.name, s.sums, c.want)
		}
	}
}

// TestPredictedEdits applies edits of bytes: inside tokens, insertions, deletions; overlapping ones are refused.
func TestPredictedEdits(t *testing.T) {
	d := sourceOf("the dog bark", fix{0, 1, "A", 0}, fix{3, 3, "!", 0}, fix{1, 1, "big old", 0})
	l := d.Layer("edits")
	p, err := editsOf(d)
	if err != nil {
		t.Fatal(err)
	}
	words, err := applied([]string{"the", "dog", "bark"}, p.sentence(1, -1))
	if got := strings.Join(words, " "); err != nil || got != "A big old dog bark !" {
		t.Errorf("corrected to %q: %v", got, err)
	}
	l.Ints("char_start")[1], l.Ints("char_end")[1] = 12, 12 // behind bark, whose last byte is before
	l.Ints("char_start")[0], l.Ints("char_end")[0] = 6, 7   // the g of dog
	l.Ints("char_start")[2], l.Ints("char_end")[2] = 11, 11 // before its k
	p, err = editsOf(d)
	if err != nil {
		t.Fatal(err)
	}
	words, err = applied([]string{"the", "dog", "bark"}, p.sentence(1, -1))
	if got := strings.Join(words, " "); err != nil || got != "the doA barbig oldk !" {
		t.Errorf("corrected to %q: %v", got, err)
	}
	if err := NewEdits(Options{}).Add(context.Background(), []*text.Document{d},
		[]*text.Document{sourceOf("the dog bark", fix{0, 2, "A", 0}, fix{1, 3, "B", 0})}); err == nil {
		t.Error("overlapping edits are applied")
	}
	l.Ints("sent")[0] = 7
	if _, err := editsOf(d); err == nil {
		t.Error("an edit in no sentence is read")
	}
}

// TestRecallByType counts gold edits of the chosen annotator by type.
func TestRecallByType(t *testing.T) {
	list := scored(t, NewEdits(Options{}), sourceOf("a b c", fix{0, 1, "x", 0}, fix{2, 3, "z", 0}),
		rewritten("a b c", "x b c"))
	near(t, "recall of the type", find(t, list, "recall", "Type").Value(), 0.5)
	near(t, "f2", find(t, scored(t, NewEdits(Options{Beta: 2}), sourceOf("a b c", fix{0, 1, "x", 0}, fix{2, 3, "z", 0}),
		rewritten("a b c", "x b c")), "f2", All).Value(), 5*0.5/4.5)
}

// TestBestPathBruteForce compares the weight of the best path with that of all paths, and the lattice with its
// definition.
func TestBestPathBruteForce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string) []string {
			return rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c"}), 0, 6).Draw(t, name)
		}
		a, b := draw("source"), draw("words")
		l, err := newLattice(context.Background(), a, b)
		if err != nil {
			t.Fatal(err)
		}
		var gold []correction
		for range rapid.IntRange(0, 3).Draw(t, "edits") {
			from := rapid.IntRange(0, len(a)).Draw(t, "from")
			to := rapid.IntRange(from, len(a)).Draw(t, "to")
			gold = append(gold, correction{from: from, to: to, alternatives: []string{strings.Join(draw("correction"), " ")}})
		}
		l.weigh(gold)
		best := math.Inf(1)
		var walk func(node int, weight float64)
		walk = func(node int, weight float64) {
			if node == len(l.nodes)-1 {
				best = min(best, weight)
			}
			for _, id := range l.next[node] {
				if x := l.edges[id]; x.length == 1 || x.unchanged < x.length {
					if x.length > 1 && x.unchanged > maxUnchanged {
						t.Fatalf("an edit with %d unchanged words", x.unchanged)
					}
					walk(int(x.to), weight+x.weight)
				}
			}
		}
		walk(0, 0)
		found := 0.0
		for _, id := range l.path() {
			found += l.edges[id].weight
		}
		if math.Abs(found-best) > 1e-9 {
			t.Fatalf("%v to %v: the path weighs %v, the best one %v", a, b, found, best)
		}
		words, err := applied(a, toCorrections(l.best()))
		if err != nil || strings.Join(words, " ") != strings.Join(b, " ") {
			t.Fatalf("the edits of %v make %v, not %v: %v", a, words, b, err)
		}
	})
}

func toCorrections(list []change) (out []correction) {
	for _, c := range list {
		out = append(out, correction{from: c.from, to: c.to, alternatives: []string{c.words}})
	}
	return out
}

func BenchmarkEdits(b *testing.B) {
	source := strings.Repeat("the quick brown fox jumps over a lazy dog ", 3)
	gold := sourceOf(source, fix{1, 2, "slow", 0}, fix{8, 8, "very", 0})
	predicted := rewritten(source, strings.Replace(source, "quick", "slow", 1)+" .")
	for b.Loop() {
		if err := NewEdits(Options{}).Add(context.Background(), []*text.Document{gold},
			[]*text.Document{predicted}); err != nil {
			b.Fatal(err)
		}
	}
}

// TestVerdictsOfEdits: a correction is right if one of the annotators changes the same tokens to the same words, or has
// them among the alternatives; what no gold has is wrong, nothing is judged without gold, and noop never is.
func TestVerdictsOfEdits(t *testing.T) {
	const source = "our young baker puts bun into pan ."
	gold := sourceOf(source, fix{4, 5, "buns||a bun", 0}, fix{6, 6, "a", 1}, fix{0, 0, "noop", 2})
	predicted := sourceOf(source, fix{4, 5, "a bun", 0}, fix{4, 5, "buns", 0}, fix{4, 5, "bread", 0}, fix{6, 6, "a", 0},
		fix{5, 6, "a", 0}, fix{6, 7, "a pan", 0}, fix{0, 0, "noop", 0}, fix{0, 0, "", 0})
	got, err := Verdicts(text.Edits, nil, gold, predicted)
	want := []Verdict{Correct, Correct, Wrong, Correct, Wrong, Wrong, Unjudged, Wrong}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v, want %v", got, err, want)
	}
	bare := *gold
	bare.Layers = nil
	bare.SetLayer(gold.Layer(text.Tokens.Name))
	if got, err = Verdicts(text.Edits, nil, &bare, predicted); err != nil || slices.Max(got) != Unjudged {
		t.Errorf("without gold: %v, %v", got, err)
	}
	s := NewReliability(text.Edits, nil)
	err = s.Add(t.Context(), []*text.Document{&bare}, []*text.Document{predicted})
	if err != nil || len(s.Metrics()) != 0 {
		t.Errorf("nothing is judged: %v, %v", s.Metrics(), err)
	}
}
