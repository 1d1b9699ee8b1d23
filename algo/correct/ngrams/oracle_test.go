package ngrams

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/storage/value"
)

// lines makes documents of one sentence each.
func lines(list ...string) kind.Documents {
	docs := make(kind.Documents, len(list))
	for i, s := range list {
		d := &text.Document{ID: fmt.Sprint(i), Text: s}
		toks, sents := text.NewLayer(text.Tokens), text.NewLayer(text.Sentences)
		var sent, tok, from, to []int32
		var forms []string
		at := 0
		for k, w := range strings.Fields(s) {
			at += strings.Index(s[at:], w)
			sent, tok, forms = append(sent, 1), append(tok, int32(k+1)), append(forms, w)
			from, to = append(from, int32(at)), append(to, int32(at+len(w)))
			at += len(w)
		}
		toks.N, sents.N = len(forms), 1
		for name, v := range map[string][]int32{"sent": sent, "tok": tok, "char_start": from, "char_end": to} {
			toks.SetInts(name, v)
		}
		toks.SetStrs("form", forms)
		for name, v := range map[string]int32{"sent": 1, "char_start": 0, "char_end": int32(len(s))} {
			sents.SetInts(name, []int32{v})
		}
		d.SetLayer(toks)
		d.SetLayer(sents)
		docs[i] = d
	}
	return docs
}

// noise is sentences of words of which few are frequent, many of which repeat the beginning of another one.
func noise(n int, seed uint64) []string {
	rng := rand.New(rand.NewPCG(seed, 1))
	out := make([]string, n)
	for i := range out {
		var words []string
		if i > 0 && rng.IntN(3) > 0 {
			before := strings.Fields(out[rng.IntN(i)])
			words = append(words, before[:1+rng.IntN(len(before))]...)
		}
		for range 1 + rng.IntN(8) {
			r := rng.Float64()
			words = append(words, fmt.Sprintf("w%d", int(600*r*r*r)))
		}
		out[i] = strings.Join(words, " ")
	}
	return out
}

type settings struct {
	workers, memory int
	init            kind.Model
	notices         *[]string
}

func train(t testing.TB, in kind.Input, s settings, opts ...option.Arg) *model {
	t.Helper()
	m, err := try(t, in, s, opts...)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func try(t testing.TB, in kind.Input, s settings, opts ...option.Arg) (*model, error) {
	t.Helper()
	m, set := &model{memory: s.memory}, &option.Set{}
	m.Options(set)
	if err := set.Apply(opts); err != nil {
		t.Fatal(err)
	}
	notice := func(n string) {
		if s.notices != nil {
			*s.notices = append(*s.notices, n)
		}
	}
	tr := &kind.Training{On: in, Init: s.init, Workers: max(1, s.workers), Report: func(kind.Progress) {},
		Notice: notice}
	return m, m.Train(t.Context(), tr)
}

// listing is all n-grams of a model with their counts.
func listing(m *model) map[string]uint64 {
	out := map[string]uint64{}
	for w := 1; w < m.trie.levels[0].n; w++ {
		m.trie.walk([]uint32{uint32(w)}, w, func(gram []uint32, node int) bool {
			if n := m.trie.levels[len(gram)-1].counts.get(node); n > 0 {
				out[m.vocabulary.text(gram)] = n
			}
			return true
		})
	}
	return out
}

// plainly counts n-grams of up to order words in the simplest way.
func plainly(sentences []string, order int) map[string]uint64 {
	out := map[string]uint64{}
	for _, s := range sentences {
		words := strings.Fields("<s> " + s + " </s>")
		for i := range words {
			for j := i + 1; j <= min(len(words), i+order); j++ {
				out[strings.Join(words[i:j], " ")]++
			}
		}
	}
	return out
}

func sum(t testing.TB, m *model) string {
	t.Helper()
	w := kind.NewWriter(func(string, []byte) error { return nil })
	if err := m.Encode(w); err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%x", w.Sum())
}

func TestCounts(t *testing.T) {
	all := noise(400, 1)
	for _, order := range []int{1, 2, 3, 5} {
		want := plainly(all, order)
		m := train(t, lines(all...), settings{}, kindtest.Arg("orders", order))
		if got := listing(m); !maps.Equal(got, want) {
			t.Fatalf("order %d: %d n-grams, want %d", order, len(got), len(want))
		}
		for gram, n := range want {
			if got := m.Count(strings.Fields(gram)...); got != n {
				t.Fatalf("%q occurs %d times, want %d", gram, got, n)
			}
		}
		if m.Count("w1", "nowhere") != 0 || m.Count() != 0 || m.Count("w1", "w1", "w1", "w1", "w1", "w1") != 0 {
			t.Error("what is not there has a count")
		}
		const least = 3
		maps.DeleteFunc(want, func(g string, n uint64) bool { return n < least && strings.Contains(g, " ") })
		for _, smoothing := range []string{byKneserNey, byStupid} {
			m := train(t, lines(all...), settings{}, kindtest.Arg("orders", order), kindtest.Arg("min_count",
				least), kindtest.Arg("smoothing", smoothing))
			if got := listing(m); !maps.Equal(got, want) {
				t.Errorf("order %d, %s: %d n-grams with min_count, want %d", order, smoothing, len(got), len(want))
			}
		}
	}
}

// TestByHand compares with probabilities worked out by hand, and with those of another program on the same lines.
func TestByHand(t *testing.T) {
	var notices []string
	m := train(t, lines("a b a b", "a b c"), settings{notices: &notices}, kindtest.Arg("orders", 3))
	prob := map[string]float64{"a": -0.57403, "b": -0.73676, "<unk>": -1, "<s>": 0, "a b": -0.22792,
		"<s> a": -0.19837, "a b c": -0.52895, "b c </s>": -0.08796}
	back := map[string]float64{"<s>": -0.30103, "a": -0.30103, "b": -0.30103, "c": -0.30103, "a b": -0.30103,
		"<s> a": -0.30103, "b c": -0.30103, "c </s>": 0, "</s>": 0}
	for gram, want := range prob {
		ids := m.vocabulary.find(nil, strings.Fields(gram))
		if got := m.trie.levels[len(ids)-1].prob.get(m.trie.find(ids)); math.Abs(got-want) > 6e-6 {
			t.Errorf("log p of %q is %.5f, want %.5f", gram, got, want)
		}
	}
	for gram, want := range back {
		ids := m.vocabulary.find(nil, strings.Fields(gram))
		if got := m.trie.levels[len(ids)-1].back.get(m.trie.find(ids)); math.Abs(got-want) > 6e-6 {
			t.Errorf("back-off of %q is %.5f, want %.5f", gram, got, want)
		}
	}
	if len(notices) != 1 || !strings.Contains(notices[0], "too few counts") {
		t.Errorf("%q", notices)
	}
}

// slow is Kneser-Ney by its formulas, over maps.
type slow struct {
	order int
	c     map[string]uint64 // raw counts
	a     map[string]uint64
	d     [9][4]float64
	least uint64
	words []string // but <s>, with <unk>
}

func newSlow(sentences []string, order int, least uint64) *slow {
	s := &slow{order: order, c: plainly(sentences, order), a: map[string]uint64{}, least: least}
	left := map[string]map[string]bool{}
	for g := range s.c {
		first, rest, long := strings.Cut(g, " ")
		if !long {
			if g != "<s>" {
				s.words = append(s.words, g)
			}
			continue
		}
		if left[rest] == nil {
			left[rest] = map[string]bool{}
		}
		left[rest][first] = true
	}
	s.words = append(s.words, "<unk>")
	slices.Sort(s.words)
	var n [9][5]float64
	for g, c := range s.c {
		k := len(strings.Fields(g))
		switch {
		case g == "<s>":
		case k == order || strings.HasPrefix(g, "<s> "):
			s.a[g] = c
		default:
			s.a[g] = uint64(len(left[g]))
		}
		if s.a[g] < 5 {
			n[k][s.a[g]]++
		}
	}
	for k := 1; k <= order; k++ {
		y := n[k][1] / (n[k][1] + 2*n[k][2])
		defined := true
		for i := 1; i <= 3; i++ {
			s.d[k][i] = float64(i) - float64(i+1)*y*n[k][i+1]/n[k][i]
			defined = defined && s.d[k][i] >= 0 && s.d[k][i] <= float64(i)
		}
		if !defined || n[k][1]*n[k][2]*n[k][3] == 0 {
			s.d[k] = [4]float64{0, 0.5, 1, 1.5}
		}
	}
	return s
}

// p is p(w|h) with all of the n-grams, cut by least.
func (s *slow) p(h []string, w string) float64 {
	k := len(h) + 1
	total, freed := 0.0, 0.0
	for _, v := range s.words {
		g := strings.Join(append(slices.Clone(h), v), " ")
		a := s.a[g]
		total += float64(a)
		if k > 1 && s.c[g] < s.least {
			freed += float64(a)
		} else {
			freed += s.d[k][min(a, 3)]
		}
	}
	lower := 1 / float64(len(s.words))
	if k > 1 {
		lower = s.p(h[1:], w)
	}
	if total == 0 {
		return lower
	}
	g := strings.Join(append(slices.Clone(h), w), " ")
	p := freed / total * lower
	if k == 1 || s.c[g] >= s.least {
		p += (float64(s.a[g]) - s.d[k][min(s.a[g], 3)]) / total
	}
	return p
}

// TestKneserNey compares sentences of known and unknown words with the formulas.
func TestKneserNey(t *testing.T) {
	all := noise(300, 2)
	for _, x := range []struct{ order, least int }{{1, 1}, {2, 1}, {3, 1}, {4, 1}, {3, 2}, {4, 3}} {
		s := newSlow(all, x.order, uint64(x.least))
		var notices []string
		m := train(t, lines(all...), settings{notices: &notices}, kindtest.Arg("orders", x.order),
			kindtest.Arg("min_count", x.least))
		if len(notices) > 0 && x.order == 3 {
			t.Fatalf("%+v estimates no discounts: %q", x, notices)
		}
		for _, line := range append(noise(12, 3), "w1 new w2 w3", "new") {
			words := strings.Fields(line)
			h := []string{"<s>"}
			m.sentence(words, func(i int, id uint32, got scored) bool {
				w := m.vocabulary.word(id)
				h = h[max(0, len(h)-x.order+1):]
				if want := math.Log10(s.p(h, w)); math.Abs(got.log-want) > 1e-5 {
					t.Errorf("%+v: log p(%s|%v) is %v, want %v", x, w, h, got.log, want)
				}
				if h = append(slices.Clone(h), w); w == "<unk>" {
					h = nil
				}
				return true
			})
		}
	}
}

// TestSumsToOne adds the probabilities of all words after contexts of any kind.
func TestSumsToOne(t *testing.T) {
	all := noise(300, 4)
	for _, least := range []int{1, 2} {
		m := train(t, lines(all...), settings{}, kindtest.Arg("orders", 4), kindtest.Arg("min_count", least))
		for _, h := range []string{"", "w0", "w0 w1", "w2 w0 w1", "w29 w28 w27", "w0 new", "new w0"} {
			st := state{}
			st.nodes[0], st.n = begin, 1
			for _, id := range m.vocabulary.find(nil, strings.Fields(h)) {
				m.next(&st, id)
			}
			total := 0.0
			for id := range m.vocabulary.size() {
				if id != none && id != begin {
					now := st
					total += math.Pow(10, m.next(&now, uint32(id)).log)
				}
			}
			if math.Abs(total-1) > 1e-5 {
				t.Errorf("min_count %d: probabilities after %q sum up to %v", least, h, total)
			}
		}
	}
}

// TestStupidBackoff: counts a 3, b 3, c 1, </s> 2 make 9 tokens.
func TestStupidBackoff(t *testing.T) {
	m := train(t, lines("a b a b", "a b c"), settings{}, kindtest.Arg("orders", 3), kindtest.Arg("smoothing", byStupid))
	var got []float64
	m.sentence(strings.Fields("a b c a zzz b"), func(_ int, _ uint32, s scored) bool {
		got = append(got, math.Pow(10, s.log))
		return true
	})
	// <s> a: 2/2; <s> a b: 2/2; a b c: 1/3; a after b c, and after c, is not there; zzz after c a backs off to a single
	// word, of which none occurs; b after nothing; </s> after b: 1/3.
	want := []float64{1, 1, 1.0 / 3, 0.16 * 3 / 9, 0.4 / 9, 3.0 / 9, 1.0 / 3}
	for i := range want {
		if math.Abs(got[i]-want[i]) > 1e-9 {
			t.Errorf("%v, want %v", got, want)
			break
		}
	}
}

// TestSameBytes: neither workers nor memory nor the order of documents change a byte.
func TestSameBytes(t *testing.T) {
	all := noise(3000, 5)
	want := sum(t, train(t, lines(all...), settings{}))
	slices.Reverse(all)
	for _, s := range []settings{{workers: 2}, {memory: 1}, {workers: 3, memory: 1 << 16}} {
		if got := sum(t, train(t, lines(all...), s)); got != want {
			t.Errorf("%+v gives other bytes", s)
		}
	}
}

// TestInit: a corpus that is added later gives what both give at once.
func TestInit(t *testing.T) {
	a, b := noise(200, 6), append(noise(150, 7), "x w1 a0 w2", "zz")
	for _, smoothing := range []string{byKneserNey, byStupid} {
		opt := kindtest.Arg("smoothing", smoothing)
		first := train(t, lines(a...), settings{}, opt)
		if got, want := sum(t, train(t, lines(b...), settings{init: first}, opt)), sum(t, train(t,
			lines(slices.Concat(a, b)...), settings{}, opt)); got != want {
			t.Errorf("%s: a second corpus added gives other bytes than both at once", smoothing)
		}
	}
	first := train(t, lines(a...), settings{}, kindtest.Arg("min_count", 2))
	var notices []string
	train(t, lines(b...), settings{init: first, notices: &notices}, kindtest.Arg("min_count", 2))
	if len(notices) == 0 || !strings.Contains(notices[0], "left out") {
		t.Errorf("%q", notices)
	}
	if _, err := try(t, lines(b...), settings{init: first}, kindtest.Arg("orders", 3)); err == nil ||
		!strings.Contains(err.Error(), "option orders is 3") {
		t.Errorf("other orders: %v", err)
	}
}

// passed counts how often documents are read before they are done with, and after.
type passed struct {
	kind.Input
	before, after int
	done          bool
}

func (p *passed) Documents(ctx context.Context) iter.Seq2[*text.Document, error] {
	if p.done {
		p.after++
	}
	p.before++
	return p.Input.Documents(ctx)
}

func (p *passed) Done() { p.done = true }

// TestReadsOnce reads documents once and lets go of them.
func TestReadsOnce(t *testing.T) {
	in := &passed{Input: lines("a b", "b a")}
	if _, err := try(t, in, settings{}); err != nil || in.before != 1 || in.after > 0 || !in.done {
		t.Errorf("%v; read %d times, %d after it was done with, done: %v", err, in.before, in.after, in.done)
	}
}

func tableOf(grams map[string]uint64) kind.Tables {
	var out [][]value.Value
	for g, n := range grams {
		out = append(out, []value.Value{value.Str(g), value.Int(int64(n))})
	}
	return kind.Tables{"ngrams": out}
}

// TestTable: the n-grams of a text as a table give the model of the text.
func TestTable(t *testing.T) {
	all := noise(200, 8)
	bycounts := kindtest.Arg("source", byCounts)
	want := sum(t, train(t, lines(all...), settings{}))
	if got := sum(t, train(t, tableOf(plainly(all, 5)), settings{}, bycounts)); got != want {
		t.Error("a table of n-grams gives another model than its text")
	}
	m := train(t, tableOf(map[string]uint64{"a b c": 4, "a b d": 2, "b": 9, "<S> a": 1}), settings{}, bycounts,
		kindtest.Arg("orders", 3))
	if got, want := listing(m), map[string]uint64{"a": 6, "a b": 6, "a b c": 4, "a b d": 2, "b": 9, "b c": 4,
		"b d": 2, "c": 4, "d": 2, "<s>": 1, "<s> a": 1}; !maps.Equal(got, want) {
		t.Errorf("what a table lacks: %v", got)
	}
	for want, bad := range map[string][]value.Value{
		"row 1 has no n-gram":           {value.Str("  "), value.Int(1)},
		"where 1 is the least":          {value.Str("a"), value.Int(0)},
		"more than option orders":       {value.Str("a b c d e f"), value.Int(1)},
		"less than those of the n-gram": {value.Str("w"), value.Int(3)},
	} {
		in := kind.Tables{"ngrams": {bad, {value.Str("w x"), value.Int(5)}}}
		if _, err := try(t, in, settings{}, bycounts); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %q", bad, err, want)
		}
	}
}

// TestBits: fewer bits of logarithms change perplexity little.
func TestBits(t *testing.T) {
	all := noise(500, 9)
	exact, coded := train(t, lines(all...), settings{}), train(t, lines(all...), settings{}, kindtest.Arg("bits", 10))
	a, _ := exact.LogProb(strings.Fields(all[3]))
	b, _ := coded.LogProb(strings.Fields(all[3]))
	if a == b || math.Abs(a-b) > 0.02 {
		t.Errorf("log p is %v, with 10 bits %v", a, b)
	}
}

func TestContract(t *testing.T) {
	queries := []kindtest.Query{{Relation: "ngrams", Args: []value.Value{value.Str("w1")}},
		{Relation: "score", Args: []value.Value{value.Str("w1 w2 new")}}, {Relation: "token_scores",
			Args: []value.Value{value.Str("w1 new")}}}
	gold := lines(noise(20, 10)...)
	for _, opts := range [][]option.Arg{nil, {kindtest.Arg("smoothing", byStupid)}, {kindtest.Arg("bits", 8),
		kindtest.Arg("min_count", 2), kindtest.Arg("orders", 3)}} {
		kindtest.Run(t, kindtest.Case{Kind: Kind(), Options: opts, Train: lines(noise(60, 11)...), Gold: gold,
			Queries: queries})
	}
	kindtest.Run(t, kindtest.Case{Kind: Kind(), Options: []option.Arg{kindtest.Arg("source", byCounts)},
		Tables: tableOf(plainly(noise(60, 12), 5)),
		Gold:   kind.Tables{"sentences": {{value.Str("w1 w2 new")}}}, Queries: queries})
	for _, bits := range []int{0, 8} {
		kindtest.Run(t, kindtest.Case{Kind: Kind(),
			Options: []option.Arg{kindtest.Arg("source", byModel), kindtest.Arg("bits", bits)},
			Anew:    true,
			Tables:  kind.Tables{"probabilities": backoffTable(t, train(t, lines(noise(60, 12)...), settings{}))},
			Gold:    kind.Tables{"sentences": {{value.Str("w1 w2 new")}}}, Queries: queries})
	}
}
