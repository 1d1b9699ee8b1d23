package pairrelation

import (
	"testing"

	"parlance/algo/kindtest"

	"pgregory.net/rapid"
)

// ruled labels a pair by rules.
func ruled(t testing.TB, m *model, res looked, term1, term2 string, f facts) answer {
	t.Helper()
	k, err := m.opt.look(res)
	if err != nil {
		t.Fatal(err)
	}
	return m.label(k, term1, term2, f)
}

// TestRules has the pairs of the paper, and one at least for every rule.
func TestRules(t *testing.T) {
	res := looked{kb: toy()}
	m := trainedOn(t, rows("a|b"), res, kindtest.Arg("lexicon", "wn"), kindtest.Arg("k_min", -0.3))
	counts := func(a, b float64) facts { f := unknown; f.count1, f.count2 = a, b; return f }
	contrast, near, far, alike := unknown, unknown, unknown, unknown
	contrast.contrast, near.rank, far.rank, alike.score, alike.scored = 2, 3, 11, -0.2, true
	for _, c := range []struct {
		a, b  string
		f     facts
		label string
		dir   direction
		rule  string
	}{
		{"colour terms", "color terms", unknown, "v", neither, "spelling"},
		{"IBM", "International Business Machine", unknown, "a", forward, "acronym"},
		{"festival", "music festival", unknown, "h", forward, "head"},
		{"Niigata City", "Wakayama City", unknown, "w", neither, "morpheme"},
		{"Ford", "Toyota", unknown, "k", neither, "classmate"},
		{"noncontact", "high resolution", unknown, "u", neither, "none"},
		{"((", "dog", unknown, "x", neither, "ill-formed"},
		{"12", "dog", unknown, "x", neither, "ill-formed"},
		{"e-mail", "email", unknown, "v", neither, "spelling"},
		{"organisation", "Organization", unknown, "v", neither, "spelling"},
		{"centre", "center", counts(1, 1000), "v", neither, "spelling"},
		{"さくらんぼ", "サクランボ", unknown, "v", neither, "spelling"},
		{"コンピューター", "コンピュータ", unknown, "v", neither, "spelling"},
		{"ＩＢＭ", "ibm", unknown, "v", neither, "spelling"},
		{"dogs", "dog", unknown, "v", neither, "inflection"},
		{"mice", "mouse", unknown, "v", neither, "inflection"},
		{"jail", "prison house", unknown, "v", neither, "variant"},
		{"橋本", "端本", unknown, "v", neither, "reading"},
		{"infer", "imply", unknown, "m", forward, "misuse"},
		{"imply", "inferred", unknown, "m", backward, "misuse"},
		{"goverment", "government", counts(3, 900), "e", forward, "typing"},
		{"government", "govrenment", counts(900, 3), "e", backward, "typing"},
		{"goverment", "government", counts(30, 900), "u", neither, "none"},
		{"ソフトウェア", "ソフトウエア", counts(900, 3), "f", backward, "typing"},
		{"University of East Anglia", "UEA", unknown, "a", backward, "acronym"},
		{"XML", "extensible markup language", unknown, "u", neither, "none"},
		{"HTML", "hypertext markup language", unknown, "a", forward, "acronym"},
		{"東大", "東京大学", unknown, "a", forward, "acronym"},
		{"Wizard of Menlo Park", "Thomas Edison", unknown, "n", forward, "alias"},
		{"wheel", "auto", unknown, "p", forward, "meronym"},
		{"car", "wheels", unknown, "p", backward, "meronym"},
		{"dog", "n.carnivore", unknown, "h", backward, "hypernym"},
		{"carnivore", "hounds", unknown, "h", forward, "hypernym"},
		{"University of Tokyo", "university", unknown, "h", backward, "head"},
		{"音楽祭り", "祭り", unknown, "h", backward, "head"},
		{"dog", "hound", unknown, "s", neither, "synonym"},
		{"cat", "hounds", unknown, "k", neither, "classmate"},
		{"first half", "second half", unknown, "t", forward, "number"},
		{"12th century", "9th century", unknown, "t", backward, "number"},
		{"departure day", "arrival day", unknown, "t", forward, "order word"},
		{"arrival", "departure", unknown, "t", backward, "order"},
		{"hot", "cold", unknown, "d", neither, "antonym"},
		{"cold water", "hot water", unknown, "d", neither, "antonym word"},
		{"tax-exclusive", "tax-inclusive", unknown, "d", neither, "affix"},
		{"unhappy", "happy", unknown, "d", neither, "affix"},
		{"careful", "careless", unknown, "d", neither, "affix"},
		{"employer", "employee", unknown, "d", neither, "affix"},
		{"tea", "coffee", contrast, "c", neither, "contrast"},
		{"tea", "coffee", alike, "k", neither, "similarity"},
		{"tea", "coffee", near, "o", neither, "rank"},
		{"tea", "coffee", far, "u", neither, "none"},
		{"新潟市", "和歌山市", unknown, "w", neither, "morpheme"},
	} {
		a := ruled(t, m, res, c.a, c.b, c.f)
		if leaves[a.label].code != c.label || a.dir != c.dir || a.rule != c.rule {
			t.Errorf("%s, %s: %s %s by %s, want %s %s by %s", c.a, c.b, leaves[a.label].code, a.dir, a.rule,
				c.label, c.dir, c.rule)
		}
	}
	typed := looked{kb: &knowledgeBase{types: map[string][]string{"Ford": {"company"}, "Toyota": {"company"}}}}
	m = trainedOn(t, rows("a|b"), typed, kindtest.Arg("lexicon", "firms"), kindtest.Arg("by_type", true))
	if a := ruled(t, m, typed, "Ford", "Toyota", unknown); a.rule != "type" {
		t.Errorf("%+v", a)
	}
}

// TestRulesSymmetric: the other order of the terms gives the same label the other way round, whatever
// the terms are, and nothing panics.
func TestRulesSymmetric(t *testing.T) {
	res := looked{kb: toy()}
	m := trainedOn(t, rows("a|b"), res, kindtest.Arg("lexicon", "wn"), kindtest.Arg("o_rank", 0))
	k, err := m.opt.look(res)
	if err != nil {
		t.Fatal(err)
	}
	word := rapid.OneOf(rapid.SampledFrom([]string{"dog", "cats", "unhappy", "hot", "the", "of", "12th", "東京", "ラーメン",
		"(a)", "U.S.A.", ""}), rapid.String())
	term := rapid.Custom(func(t *rapid.T) string {
		return rapid.StringN(0, 3, -1).Draw(t, "start") + word.Draw(t, "word") +
			rapid.SampledFrom([]string{"", " ", "-"}).Draw(t, "space") + word.Draw(t, "word")
	})
	rapid.Check(t, func(t *rapid.T) {
		a, b := term.Draw(t, "a"), term.Draw(t, "b")
		if rapid.Bool().Draw(t, "misspelt") {
			a = rapid.SampledFrom([]string{"qualcade", "beyondd", "plinthe"}).Draw(t, "word")
			b = "z" + a
		}
		f := unknown
		f.count1, f.count2 = float64(rapid.IntRange(-1, 500).Draw(t, "count1")),
			float64(rapid.IntRange(-1, 500).Draw(t, "count2"))
		one, other := m.label(k, a, b, f), m.label(k, b, a, f.swapped())
		if one.label != other.label || one.dir != -other.dir {
			t.Fatalf("%q, %q is %s %s, the other way round %s %s", a, b, leaves[one.label].code, one.dir,
				leaves[other.label].code, other.dir)
		}
	})
}

// TestSwapped: what has a side changes it, and patterns that were counted in one order are unknown in the other.
func TestSwapped(t *testing.T) {
	f := facts{rank: 1, back: 2, score: 3, scored: true, count1: 4, count2: 5, contrast: 6, conjunction: 7, suchAs: 8,
		partOf: 9, pmi: 10, hasPMI: true}
	want := facts{rank: 2, back: 1, score: 3, scored: true, count1: 5, count2: 4, contrast: 6, conjunction: 7, suchAs: -1,
		partOf: -1, pmi: 10, hasPMI: true}
	if got := f.swapped(); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}
