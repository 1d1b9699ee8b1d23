package pairrelation

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/lexical/latentclasses"
	distributional "parlance/algo/lexical/similarity"
	"parlance/algo/option"
	"parlance/storage/value"
)

// language is words of planted classes with counts of their contexts, and what a lexicon says of them.
type language struct {
	counts [][]value.Value
	kb     *knowledgeBase
	words  []string
	rare   map[string]bool
}

// The contexts of a word come from its class, from its meaning, and from anywhere.
const (
	planted    = 12  // classes
	meanings   = 8   // in a class: synonyms, variants, and single words
	perClass   = 60  // contexts
	perMeaning = 12  // contexts
	anywhere   = 150 // contexts
)

// syllables names things by numbers, without digits.
func syllables(n int) string {
	return string([]byte{"bdfgklmnprst"[n%12], "aeio"[n/12%4], "bdfgklmnprst"[n/48%12], "aeio"[n/576%4]})
}

func newLanguage() *language {
	l := &language{kb: &knowledgeBase{}, rare: map[string]bool{}}
	rng := rand.New(rand.NewPCG(46, 2010))
	meaning := 0
	for c := range planted {
		for m := range meanings {
			meaning++
			name := syllables(7 * meaning)
			var forms []string
			switch {
			case m < 2: // synonyms
				forms = []string{name + "sta", syllables(7*meaning+3000) + "mo"}
				l.kb.triples = append(l.kb.triples, [3]string{forms[0], "synonym", forms[1]})
			case m < 4: // variants
				forms = []string{name + "lour", name + "lor"}
			default:
				forms = []string{name + "nik"}
			}
			for _, w := range forms {
				l.kb.triples = append(l.kb.triples, [3]string{w, "hypernym", fmt.Sprint("class", c)})
				l.word(rng, w, c, meaning, m >= meanings-2)
			}
		}
	}
	for i := range 60 {
		l.word(rng, syllables(9*i+11)+"gu", -1, 0, false)
	}
	return l
}

// word draws the contexts of a word; class −1 is of noise. Rare words have few.
func (l *language) word(rng *rand.Rand, word string, class, meaning int, rare bool) {
	n := 600
	if rare {
		n = 10
		l.rare[word] = true
	}
	l.words = append(l.words, word)
	counts := map[string]int{}
	for range n {
		c := fmt.Sprint("any", rng.IntN(anywhere))
		switch x := rng.Float64(); {
		case class >= 0 && x < 0.5:
			c = fmt.Sprint("class", class, "-", rng.IntN(perClass))
		case class >= 0 && x < 0.8 && !rare:
			c = fmt.Sprint("meaning", meaning, "-", rng.IntN(perMeaning))
		}
		counts[c]++
	}
	for i := range anywhere + planted*perClass + (planted*meanings+1)*perMeaning {
		c := fmt.Sprint("any", i)
		if j := i - anywhere; j >= 0 {
			c = fmt.Sprint("class", j/perClass, "-", j%perClass)
		}
		if j := i - anywhere - planted*perClass; j >= 0 {
			c = fmt.Sprint("meaning", j/perMeaning, "-", j%perMeaning)
		}
		if counts[c] > 0 {
			l.counts = append(l.counts, []value.Value{value.Str(word), value.Str(c), value.Real(float64(counts[c]))})
		}
	}
}

// trainKind trains a kind on the counts.
func (l *language) trainKind(t *testing.T, k kind.Kind, res kind.Resources, options ...option.Arg) kind.Model {
	t.Helper()
	m, set := k.New(), &option.Set{}
	m.Options(set)
	if err := set.Apply(options); err != nil {
		t.Fatal(err)
	}
	tr := &kind.Training{On: kind.Tables{"counts": l.counts}, Resources: res, Seed: 1, Workers: 2,
		Report: func(kind.Progress) {}, Notice: func(string) {}}
	if err := m.Train(background, tr); err != nil {
		t.Fatal(err)
	}
	return m
}

// sample pairs words with those at some ranks of their lists.
func (l *language) sample(t *testing.T, sim kind.Model, want func(string) bool, ranks ...int) kind.Tables {
	t.Helper()
	out := kind.Tables{"pairs": nil}
	for _, w := range l.words {
		if !want(w) {
			continue
		}
		rows, err := sim.Open(background, "similar", []value.Value{value.Str(w), {}}, &kind.Run{Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		var list []string
		for {
			b, err := rows.Next(background)
			if err != nil {
				t.Fatal(err)
			}
			if b == nil {
				break
			}
			for i := range b.N {
				word := b.Cols[0].At(i)
				list = append(list, word.S)
			}
		}
		rows.Close()
		for _, r := range ranks {
			if r <= len(list) {
				if list[r-1] == w {
					t.Fatalf("%s is similar to itself", w)
				}
				out["pairs"] = append(out["pairs"], row(map[string]any{"term1": w, "term2": list[r-1], "rank": r}))
			}
		}
	}
	return out
}

// shares reports the unions of a sample by rank.
func (l *language) shares(t *testing.T, in kind.Tables) map[string]float64 {
	t.Helper()
	res := looked{kb: l.kb}
	m := trainedOn(t, in, res, kindtest.Arg("lexicon", "planted"), kindtest.Arg("o_rank", 0))
	out := map[string]float64{}
	for _, level := range []string{"leaf", "union"} {
		for _, r := range opened(t, m, res, "by_rank", value.Str(level), value.Value{}) {
			out[fmt.Sprint(r[1].S, " ", r[0].Int())] = r[4].Float()
		}
	}
	return out
}

// TestSynthetic plants synonyms, variants, classes and noise: synonyms in the broad sense come first
// and fall with the rank, unrelated words rise, and latent classes find more classmates of rare words
// than their own counts do.
func TestSynthetic(t *testing.T) {
	l := newLanguage()
	raw := l.trainKind(t, distributional.Kind(), nil, kindtest.Arg("measure", "js"), kindtest.Arg("log_counts", false),
		kindtest.Arg("list_length", 40))
	common := func(w string) bool { return !l.rare[w] }
	s := l.shares(t, l.sample(t, raw, common, 1, 2, 4, 8, 16, 32))
	for _, want := range []struct {
		what string
		ok   bool
	}{
		{"synonyms come first", s["s* 1"] > 0.35 && s["s* 1"] > 5*s["s* 2"] && s["s* 2"] >= s["s* 16"]},
		{"classmates follow", s["k** 2"] > s["k** 32"] && s["k** 4"] > 0.5},
		{"the unrelated rise", s["u 1"] <= s["u 4"] && s["u 4"] < s["u 16"] && s["u 16"] <= s["u 32"]},
	} {
		if !want.ok {
			t.Errorf("not so: %s", want.what)
		}
	}
	lc := l.trainKind(t, latentclasses.Kind(), nil, kindtest.Arg("classes", planted+4), kindtest.Arg("restarts", 2))
	smooth := l.trainKind(t, distributional.Kind(), looked{model: lc}, kindtest.Arg("measure", "cls_js"),
		option.Arg{Name: "classes", List: []option.Arg{kindtest.Arg("", "lc")}}, kindtest.Arg("list_length", 40))
	rare := func(w string) bool { return l.rare[w] }
	own, classes := l.shares(t, l.sample(t, raw, rare, 1, 2)), l.shares(t, l.sample(t, smooth, rare, 1, 2))
	if a, b := own["k** 1"]+own["k** 2"], classes["k** 1"]+classes["k** 2"]; b <= a {
		t.Errorf("of rare words %.3f are classmates by their own counts, %.3f by classes", a/2, b/2)
	}
}
