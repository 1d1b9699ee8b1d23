package metrics

import (
	"context"
	"math"
	"strconv"
	"strings"
	"testing"

	"parlance/algo/text"

	"pgregory.net/rapid"
)

// coreference returns a document whose mentions are letters, one token each; words are clusters.
func coreference(written string) *text.Document {
	d := &text.Document{ID: "d"}
	l := text.NewLayer(text.Mentions)
	for i, cluster := range strings.Fields(written) {
		for _, letter := range cluster {
			appendMention(l, strconv.Itoa(i), letter)
		}
	}
	d.SetLayer(l)
	return d
}

func appendMention(l *text.Layer, cluster string, at rune) {
	put := func(column string, v int32) { l.SetInts(column, append(l.Ints(column), v)) }
	put("mention", int32(l.N+1))
	put("sent", 1)
	put("tok_start", at)
	put("tok_end", at)
	put("char_start", at)
	put("char_end", at+1)
	l.SetStrs("cluster", append(l.Strs("cluster"), cluster))
	l.N++
}

func scored(t rapid.TB, s Scorer, gold, predicted *text.Document) []Metric {
	t.Helper()
	if err := s.Add(context.Background(), []*text.Document{gold}, []*text.Document{predicted}); err != nil {
		t.Fatal(err)
	}
	return s.Metrics()
}

// knownCases are examples of the papers on MUC (Vilain et al. 1995), B³ (Bagga and Baldwin 1998), CEAF (Luo 2005) and
// LEA (Moosavi and Strube 2016), and clusters whose measures were worked out by hand: recall, precision and F.
func knownCases() []knownCase {
	f := func(r, p float64) [3]float64 { return [3]float64{r, p, 2 * r * p / max(r+p, 1e-300)} }
	return []knownCase{
		{"pq rst", "pq rst", map[string][3]float64{"muc": f(1, 1), "b3": f(1, 1), "ceafm": f(1, 1), "ceafe": f(1, 1),
			"blanc": f(1, 1), "lea": f(1, 1)}},
		// u and v are no mentions of the key: p|q and r|st in the response, p|r and st|u in the key
		{"pq rst", "pr stu v", map[string][3]float64{"muc": f(1./3, 1./3), "b3": f(13./30, 7./18), "ceafm": f(3./5, 3./6),
			"ceafe": f(7./12, 7./18), "lea": f(1./5, 1./6)}},
		{"pqr st", "pqrst", map[string][3]float64{"muc": f(1, 3./4), "b3": f(1, 13./25), "ceafm": f(3./5, 3./5),
			"ceafe": f(3./8, 3./4), "lea": f(1, 4./10)}},
		{"pqr st", "p q r s t", map[string][3]float64{"muc": f(0, 0), "b3": f(2./5, 1), "ceafe": f(7./12, 7./30),
			"lea": f(0, 0)}},
		// BLANC without links between clusters, or without links within them
		{"pqr", "pqr", map[string][3]float64{"blanc": f(1, 1)}},
		{"p q r", "p q r", map[string][3]float64{"blanc": f(1, 1)}},
		{"pqr", "p q r", map[string][3]float64{"blanc": f(0, 0)}},
		{"p q r", "pqr", map[string][3]float64{"blanc": f(0, 0)}},
		{"pqr", "pq r", map[string][3]float64{"blanc": f(1./3, 1)}},
		{"p q r", "pq r", map[string][3]float64{"blanc": f(2./3, 1)}},
		// p again, in another cluster, is left out
		{"pq rst", "pq rst ppu", map[string][3]float64{"muc": f(1, 1), "b3": f(1, 5./6), "ceafe": f(1, 2./3)}},
		{"12345 67 89ABC", "12345 6789ABC",
			map[string][3]float64{"muc": f(1, 0.9), "b3": f(1, 16./21), "ceafe": f(11./18, 11./12),
				"blanc": {(1 + 35./45) / 2, (21./31 + 1) / 2, 0.841346}}},
		{"12345 67 89ABC", "1234589ABC 67",
			map[string][3]float64{"muc": f(1, 0.9), "b3": f(1, 7./12), "ceafe": f(5./9, 5./6),
				"blanc": {(1 + 20./45) / 2, (21./46 + 1) / 2, 0.621125}}},
		{"ABCD", "AB CD", map[string][3]float64{"muc": f(2./3, 1)}},
		{"AB CD", "ABCD", map[string][3]float64{"muc": f(1, 2./3)}},
		{"ABC", "AC", map[string][3]float64{"muc": f(0.5, 1)}},
		{"BCDEGHJ", "ABC DEF GHI", map[string][3]float64{"muc": f(0.5, 0.5)}},
		{"ABC DEFG", "AB CD FGH", map[string][3]float64{"muc": f(2./5, 2./4)}},
		{"ABC DEFG", "AB CD FGHI", map[string][3]float64{"muc": f(2./5, 2./5), "b3": f(5./12, 0.5), "ceafe": f(0.65, 1.3/3),
			"lea": f((1+4./6)/7, (2+4./6)/8)}},
		{"", "", map[string][3]float64{"muc": f(0, 0), "b3": f(0, 0), "ceafe": f(0, 0), "blanc": f(0, 0), "lea": f(0, 0),
			"mention": f(0, 0), "pairwise": f(0, 0)}},
		{"a b", "ab", map[string][3]float64{"lea": f(0, 0), "b3": f(1, 0.5)}},
		{"a bc", "a bc", map[string][3]float64{"lea": f(1, 1)}},
		{"abcd", "ab cd", map[string][3]float64{"pairwise": f(2./6, 1), "anaphor": f(2./3, 1)}},
		{"ac bd", "abcd", map[string][3]float64{"anaphor": f(1, 2./3)}},      // b has no antecedent
		{"abc d", "ad bxc", map[string][3]float64{"anaphor": f(1./2, 1./3)}}, // c by b; d and x are none
		{"ab", "b a", map[string][3]float64{"anaphor": f(0, 0)}},
		{"acb", "bca", map[string][3]float64{"anaphor": f(1, 1)}}, // order is that of the text
	}
}

type knownCase struct {
	key, response string
	want          map[string][3]float64
}

func TestKnownCases(t *testing.T) {
	for _, c := range knownCases() {
		list := scored(t, NewMentions(Options{}), coreference(c.key), coreference(c.response))
		for name, want := range c.want {
			for i, part := range []string{"recall", "precision", "f1"} {
				if got := find(t, list, name+"_"+part, All).Value(); math.Abs(got-want[i]) > 1e-5 {
					t.Errorf("%q against %q: %s of %s is %v, want %v", c.response, c.key, part, name, got, want[i])
				}
			}
		}
		mean := (find(t, list, "muc_f1", All).Value() + find(t, list, "b3_f1", All).Value() + find(t, list, "ceafe_f1",
			All).Value()) / 3
		if got := Main(list); got.Name != "conll" || math.Abs(got.Value()-mean) > 1e-9 {
			t.Errorf("the main metric %s is %v, want the mean %v", got.Name, got.Value(), mean)
		}
	}
}

// TestMentionsByDefinition compares all measures with their definitions over sets of mentions and of links.
// TestMentionInTwoClusters counts a repeated mention as version 8.01 of the reference scorer does: one of the key can
// be found in its last cluster alone, one of the response counts in its first.
func TestMentionInTwoClusters(t *testing.T) {
	for _, c := range []struct {
		key, response     string
		recall, precision float64
	}{
		{"ab ac", "abc", 1. / 2, 1. / 2},
		{"abc", "ab ac", 1. / 2, 1},
		{"abc", "abx cx", 1. / 2, 1. / 3},
	} {
		m := scored(t, NewMentions(Options{}), coreference(c.key), coreference(c.response))
		near(t, c.key+" "+c.response+" recall", find(t, m, "muc_recall", All).Value(), c.recall)
		near(t, c.key+" "+c.response+" precision", find(t, m, "muc_precision", All).Value(), c.precision)
	}
}

func TestMentionsByDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func(side string) [][]rune {
			var out [][]rune
			for r := 'a'; r < 'i'; r++ {
				at := rapid.IntRange(0, 4).Draw(t, side)
				if at == 0 {
					continue
				}
				for len(out) < at {
					out = append(out, nil)
				}
				out[at-1] = append(out[at-1], r)
			}
			var full [][]rune
			for _, c := range out {
				if len(c) > 0 {
					full = append(full, c)
				}
			}
			return full
		}
		key, response := draw("key"), draw("response")
		write := func(list [][]rune) string {
			var words []string
			for _, c := range list {
				words = append(words, string(c))
			}
			return strings.Join(words, " ")
		}
		got := scored(t, NewMentions(Options{}), coreference(write(key)), coreference(write(response)))
		for name, want := range defined(key, response) {
			if x := find(t, got, name, All).Value(); math.Abs(x-want) > 1e-5 {
				t.Fatalf("%q against %q: %s is %v, want %v", write(response), write(key), name, x, want)
			}
		}
	})
}

// defined is each measure as its paper defines it.
func defined(key, response [][]rune) map[string]float64 {
	out := map[string]float64{}
	common := func(a, b []rune) float64 {
		n := 0.0
		for _, x := range a {
			if strings.ContainsRune(string(b), x) {
				n++
			}
		}
		return n
	}
	size := func(list [][]rune) (n float64) {
		for _, c := range list {
			n += float64(len(c))
		}
		return n
	}
	b3 := func(a, b [][]rune) float64 {
		sum := 0.0
		for _, k := range a {
			for _, x := range k {
				for _, r := range b {
					if strings.ContainsRune(string(r), x) {
						sum += common(k, r) / float64(len(k))
					}
				}
			}
		}
		return ratio(sum, size(a))
	}
	out["b3_recall"], out["b3_precision"] = b3(key, response), b3(response, key)
	var assign func(i int, used int, f func(k, r []rune) float64) float64
	assign = func(i, used int, f func(k, r []rune) float64) float64 {
		if i == len(key) {
			return 0
		}
		best := assign(i+1, used, f)
		for j, r := range response {
			if used>>j&1 == 0 {
				best = max(best, f(key[i], r)+assign(i+1, used|1<<j, f))
			}
		}
		return best
	}
	e := assign(0, 0, func(k, r []rune) float64 { return 2 * common(k, r) / float64(len(k)+len(r)) })
	out["ceafe_recall"], out["ceafe_precision"] = ratio(e, float64(len(key))), ratio(e, float64(len(response)))
	m := assign(0, 0, common)
	out["ceafm_recall"], out["ceafm_precision"] = ratio(m, size(key)), ratio(m, size(response))
	both := 0.0
	for _, k := range key {
		for _, r := range response {
			both += common(k, r)
		}
	}
	out["mention_recall"], out["mention_precision"] = ratio(both, size(key)), ratio(both, size(response))
	definedLinks(key, response, out)
	return out
}

// definedLinks are the measures of links.
func definedLinks(key, response [][]rune, out map[string]float64) {
	sk, ak := linkSets(key)
	sr, ar := linkSets(response)
	shared := func(a, b map[[2]rune]bool) (n float64) {
		for l := range a {
			if b[l] {
				n++
			}
		}
		return n
	}
	r, p := ratio(shared(sk, sr), float64(len(sk))), ratio(shared(sk, sr), float64(len(sr)))
	rn, pn := ratio(shared(ak, ar), float64(len(ak))), ratio(shared(ak, ar), float64(len(ar)))
	out["pairwise_recall"], out["pairwise_precision"], out["pairwise_f1"] = r, p, harmonic(1, p, r)
	if len(sk) > 0 && len(ak) > 0 {
		out["blanc_f1"] = (harmonic(1, p, r) + harmonic(1, pn, rn)) / 2
	}
}

// linkSets are the pairs of mentions in one cluster, and those in two.
func linkSets(list [][]rune) (same, apart map[[2]rune]bool) {
	same, apart = map[[2]rune]bool{}, map[[2]rune]bool{}
	for i, a := range list {
		for k, b := range list[i:] {
			for _, x := range a {
				for _, y := range b {
					switch {
					case k == 0 && x < y:
						same[[2]rune{x, y}] = true
					case k > 0:
						apart[[2]rune{min(x, y), max(x, y)}] = true
					}
				}
			}
		}
	}
	return same, apart
}

// TestClustersAcrossDocuments has a cluster that two documents of a unit share; apart, each has clusters of one.
func TestClustersAcrossDocuments(t *testing.T) {
	doc := func(id string, clusters ...string) *text.Document {
		d := coreference(strings.Join(clusters, " "))
		d.ID = id
		return d
	}
	gold := []*text.Document{doc("1", "a", "b"), doc("2", "a", "b")}
	predicted := []*text.Document{doc("1", "a", "b"), doc("2", "a")}
	whole, apart := NewMentions(Options{}), NewMentions(Options{})
	if err := whole.Add(context.Background(), gold, predicted); err != nil {
		t.Fatal(err)
	}
	for i := range gold {
		if err := apart.Add(context.Background(), gold[i:i+1], predicted[i:i+1]); err != nil {
			t.Fatal(err)
		}
	}
	near(t, "links of the unit", find(t, whole.Metrics(), "muc_recall", All).Value(), 0.5)
	near(t, "links of documents", find(t, apart.Metrics(), "muc_recall", All).Value(), 0)
	near(t, "mentions", find(t, whole.Metrics(), "mention_recall", All).Value(), 0.75)
	if n := whole.Metrics()[0].Documents(); n != 1 {
		t.Errorf("%d units, want 1", n)
	}
}

// TestMentionsWithoutCluster takes a mention without a cluster for one of its own, and only the best rows of n-best
// lists.
func TestMentionsWithoutCluster(t *testing.T) {
	d := coreference("ab")
	l := d.Layer("mentions")
	l.Cols[1].Strs = []string{"", ""}
	list := scored(t, NewMentions(Options{}), coreference("a b"), d)
	near(t, "clusters of one", find(t, list, "b3_f1", All).Value(), 1)
	l.Rank = []int32{1, 2}
	near(t, "the best row", find(t, scored(t, NewMentions(Options{}), coreference("a b"), d), "mention_recall",
		All).Value(), 0.5)
}

func BenchmarkMentions(b *testing.B) {
	gold, predicted := text.NewLayer(text.Mentions), text.NewLayer(text.Mentions)
	for i := range 2000 {
		appendMention(gold, strconv.Itoa(i/3), rune(i+1))
		appendMention(predicted, strconv.Itoa((i+i*7%5)/3), rune(i+1))
	}
	x, y := &text.Document{}, &text.Document{}
	x.SetLayer(gold)
	y.SetLayer(predicted)
	for b.Loop() {
		if err := NewMentions(Options{}).Add(context.Background(), []*text.Document{x}, []*text.Document{y}); err != nil {
			b.Fatal(err)
		}
	}
}

// withKinds gives the mentions of coreference kinds by their letters: a to h are names, i to p pronouns, others have
// none.
func withKinds(d *text.Document) *text.Document {
	l := d.Layer(text.Mentions.Name)
	var kinds []string
	for _, at := range l.Ints("tok_start") {
		switch {
		case at <= 'h':
			kinds = append(kinds, "name")
		case at <= 'p':
			kinds = append(kinds, "pronoun")
		default:
			kinds = append(kinds, "")
		}
	}
	l.SetStrs("kind", kinds)
	return d
}

// TestMentionKinds scores mentions of one kind.
func TestMentionKinds(t *testing.T) {
	for _, c := range []struct {
		kind, key, response string
		want                map[string]float64 // recall
	}{
		{"", "ai cjq", "ai cjq", map[string]float64{"anaphor": 1, "mention": 1}},
		{"name", "aic dj", "aij d c", map[string]float64{"anaphor": 0, "mention": 1, "muc": 0}},    // c is missed
		{"pronoun", "aic dj", "aij d c", map[string]float64{"anaphor": .5, "mention": 1, "b3": 1}}, // j is wrong
		{"pronoun", "aij", "aj", map[string]float64{"anaphor": .5, "mention": .5, "muc": 0}},
		{"other", "aiqr", "aiq r", map[string]float64{"anaphor": .5, "muc": 0, "lea": 0}},
		{"verb", "aiqr", "aiqr", map[string]float64{"anaphor": 0, "mention": 0, "ceafe": 0}},
	} {
		opt := Options{}
		if c.kind != "" {
			opt.Only = map[string]string{byKind.Name: c.kind}
		}
		list := scored(t, NewMentions(opt), withKinds(coreference(c.key)), coreference(c.response))
		for name, want := range c.want {
			if got := find(t, list, name+"_recall", All).Value(); math.Abs(got-want) > 1e-6 {
				t.Errorf("%s of key %q, response %q: %s is %v, want %v", c.kind, c.key, c.response, name, got, want)
			}
		}
	}
}
