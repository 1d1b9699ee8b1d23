package translator

import (
	"strconv"
	"strings"
	"testing"

	"parlance/algo/bitext"
	"parlance/algo/bitext/bitexttest"
	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/storage/value"
)

// fresh is a model with options.
func fresh(t testing.TB, opts ...option.Arg) *model {
	t.Helper()
	m, s := Kind().New().(*model), &option.Set{}
	m.Options(s)
	if err := s.Apply(opts); err != nil {
		t.Fatal(err)
	}
	return m
}

func plain(in kind.Input) *kind.Training {
	return &kind.Training{On: in, Resources: resources, Workers: 1, Report: func(kind.Progress) {},
		Notice: func(string) {}}
}

func train(t testing.TB, lines []string, opts ...option.Arg) *model {
	t.Helper()
	m := fresh(t, append([]option.Arg{kindtest.Arg("aligner", "al")}, opts...)...)
	if err := m.Train(background, plain(kind.Documents(bitexttest.Pairs(lines...)))); err != nil {
		t.Fatal(err)
	}
	return m
}

func say(t testing.TB, m *model, sentence string) string {
	t.Helper()
	list, err := m.Translate(background, resources, strings.Fields(sentence), 1)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(list[0].Words, " ") + " | " + written(list[0].Links)
}

// TestTranslates: phrases bring particles and order with them, unknown words stay, links tell what became what.
func TestTranslates(t *testing.T) {
	m := train(t, bitexttest.Generated(400, 1))
	got := say(t, m, "The n3 v5 a n7 .")
	words, links, _ := strings.Cut(got, " | ")
	for _, w := range []string{"n3", "v5", "n7", "。"} {
		if !strings.Contains(words, w) {
			t.Errorf("%s lacks %s", got, w)
		}
	}
	for _, l := range strings.Fields(links) {
		i, j, _ := strings.Cut(l, "-")
		from, _ := strconv.Atoi(i)
		to, _ := strconv.Atoi(j)
		a, b := strings.Fields("the n3 v5 a n7 .")[from-1], strings.Fields(words)[to-1]
		if a != b && a+b != ".。" {
			t.Errorf("link %s of %s and %s: %s", l, a, b, got)
		}
	}
	if got := say(t, m, "zzz"); got != "zzz | 1-1" {
		t.Errorf("an unknown word becomes %s", got)
	}
	if got := say(t, m, strings.TrimSpace(strings.Repeat("n1 ", 400))); strings.Count(got, "n1") != 400 ||
		!strings.Contains(got, " 400-") {
		t.Errorf("400 words become %d", strings.Count(got, "n1"))
	}
	if got := say(t, m, ""); got != " | " {
		t.Errorf("nothing becomes %q", got)
	}
}

// TestTuned: weights that are trained translate held-out pairs no worse than those at the beginning.
func TestTuned(t *testing.T) {
	lines, dev := bitexttest.Generated(200, 2), bitexttest.Generated(40, 3)
	score := func(tuned bool) float64 {
		m := fresh(t, kindtest.Arg("aligner", "al"), kindtest.Arg("lm", "lm"), kindtest.Arg("nbest", 20))
		tr := plain(kind.Documents(bitexttest.Pairs(lines...)))
		if tuned {
			tr.Validate = kind.Documents(bitexttest.Pairs(dev...))
		}
		if err := m.Train(background, tr); err != nil {
			t.Fatal(err)
		}
		list, err := m.Evaluate(background, kind.Documents(bitexttest.Pairs(dev...)),
			&kind.Run{Resources: resources, Workers: 2})
		if err != nil {
			t.Fatal(err)
		}
		return list[0].Value()
	}
	if before, after := score(false), score(true); !(after >= before && after > .3) {
		t.Errorf("BLEU %v, trained %v", before, after)
	}
}

func TestFaults(t *testing.T) {
	pairs := kind.Documents(bitexttest.Pairs("a ||| a"))
	for want, c := range map[string]struct {
		in   kind.Input
		opts []option.Arg
	}{
		"option aligner names":               {pairs, nil},
		"option aligner: lm@1 is of another": {pairs, []option.Arg{kindtest.Arg("aligner", "lm")}},
		"option lm: al@1 is of another":      {pairs, []option.Arg{kindtest.Arg("aligner", "al"), kindtest.Arg("lm", "al")}},
		"there is no model nowhere":          {pairs, []option.Arg{kindtest.Arg("aligner", "nowhere")}},
		"no pairs of sentences with links": {kind.Documents(bitexttest.Pairs("a ||| b", "a ||| ")),
			[]option.Arg{kindtest.Arg("aligner", "al")}},
		"document x has no pair": {kind.Documents{bitexttest.Document("x", "a")},
			[]option.Arg{kindtest.Arg("aligner", "al")}},
	} {
		if err := fresh(t, c.opts...).Train(background, plain(c.in)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// TestNBest: ranks of several translations of each sentence.
func TestNBest(t *testing.T) {
	m := train(t, bitexttest.Generated(200, 2))
	docs := []*text.Document{bitexttest.Document("d", "the n1 v1 / a n2 ."), bitexttest.Document("e", ""), {ID: "f"}}
	if err := m.Annotate(background, docs, &kind.Run{Resources: resources, NBest: 3}); err != nil {
		t.Fatal(err)
	}
	l := docs[0].Layer(bitext.Translations.Name)
	if l.N != 6 || l.Rank[0] != 1 || l.Rank[2] != 3 || l.Rank[3] != 1 || l.Ints("sent")[3] != 2 {
		t.Errorf("%d rows, ranks %v", l.N, l.Rank)
	}
	if docs[1].Layer(bitext.Translations.Name).N+docs[2].Layer(bitext.Translations.Name).N > 0 {
		t.Error("nothing is translated")
	}
}

func TestContract(t *testing.T) {
	all := bitexttest.Pairs(bitexttest.Generated(50, 9)...)
	c := kindtest.Case{Kind: Kind(), Train: all[:80], Test: all[80:], Gold: kind.Documents(all[80:]), Resources: resources,
		Options: []option.Arg{kindtest.Arg("aligner", "al")},
		Queries: []kindtest.Query{{Relation: "phrases", Args: []value.Value{value.Str("n1")}}}}
	kindtest.Run(t, c)
	kindtest.Variants(t, c, map[string][]option.Arg{
		"lm": {kindtest.Arg("lm", "lm"), kindtest.Arg("stack", 10)},
		"narrow": {kindtest.Arg("max_phrase", 2), kindtest.Arg("distortion_limit", 0), kindtest.Arg("min_count", 2),
			kindtest.Arg("lower", false)},
	})
}
