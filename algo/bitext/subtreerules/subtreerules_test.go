package subtreerules

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"parlance/algo/bitext"
	"parlance/algo/bitext/bitexttest"
	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/lexical"
	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/storage/value"
)

var background = context.Background()

func fresh(t testing.TB, opts ...option.Arg) *model {
	t.Helper()
	m, s := Kind().New().(*model), &option.Set{}
	m.Options(s)
	if err := s.Apply(opts); err != nil {
		t.Fatal(err)
	}
	return m
}

func plain(docs []*text.Document) *kind.Training {
	return &kind.Training{On: kind.Documents(docs), Seed: 1, Workers: 1, Report: func(kind.Progress) {},
		Notice: func(string) {}}
}

func train(t testing.TB, lines []string, opts ...option.Arg) *model {
	t.Helper()
	m := fresh(t, opts...)
	if err := m.Train(background, plain(bitexttest.Parsed(lines...))); err != nil {
		t.Fatal(err)
	}
	return m
}

// all keeps everything that occurs.
var all = []option.Arg{kindtest.Arg("min_count", 1), kindtest.Arg("top", 0), kindtest.Arg("min_pair_count", 1)}

// rows are those of a relation, the columns parted by blanks.
func rows(t testing.TB, m *model, relation string) (out []string) {
	t.Helper()
	r, err := m.Open(background, relation, nil, &kind.Run{})
	if err != nil {
		t.Fatal(err)
	}
	for {
		b, err := r.Next(background)
		if err != nil {
			t.Fatal(err)
		}
		if b == nil {
			return out
		}
		for i := range b.N {
			var line []string
			for c := range b.Cols {
				line = append(line, b.Cols[c].At(i).String())
			}
			out = append(out, strings.Join(line, " "))
		}
	}
}

// TestPrintedExample: society and fringe below it become fringes of society (Chen, Kazama and Torisawa 2010, sec. 4.2);
// without the link of a noun there is no rule.
func TestPrintedExample(t *testing.T) {
	line := "shehui/NOUN:2 bianyuan/NOUN:0 ||| fringes/NOUN:0 of/IN:1 society/NOUN:2 ||| "
	m := train(t, []string{line + "0-2 1-0"}, all...)
	if got, want := rows(t, m, "rules"), []string{"2to3 N:2-N:0 => W_2:0-of/IN:1-W_1:2 1"}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if got := rows(t, train(t, []string{line + "1-0"}, all...), "rules"); len(got) > 0 {
		t.Errorf("without a link: %q", got)
	}
	if got := rows(t, train(t, []string{line + "0-2 1-0 0-1"}, all...), "rules"); !slices.Equal(got,
		[]string{"2to2 N:2-N:0 => W_2:0-W_1:1 1"}) {
		t.Errorf("of two links that to the topmost word counts: %q", got)
	}
}

// TestTypes has a rule of each type, worked by hand.
func TestTypes(t *testing.T) {
	for line, want := range map[string]string{
		"a/NOUN:2 b/VERB:0 ||| B/VERB:0 A/NOUN:1 " +
			"||| 0-1 1-0": "2to2 N:2-V:0 => W_2:0-W_1:1 1",
		"a/NOUN:0 b/NOUN:1 ||| A/NOUN:2 B/NOUN:0 " +
			"||| 0-0 1-1": "2to2 N:0-N:1 => W_1:2-W_2:0 1",
		"qian/VERB:2 de/DEC:3 xm/NOUN:0 ||| projects/NOUN:0 signed/VERB:1 " +
			"||| 0-1 2-0": "3to2 V:2-de/DEC:3-N:0 => W_3:0-W_1:1 1",
		"a/VERB:0 b/VERB:1 c/NOUN:2 ||| x/DET:2 A/VERB:0 B/VERB:2 C/NOUN:3 ||| " +
			"0-1 1-2 2-3": "3to3 V:0-V:1-N:2 => W_1:0-W_2:1-W_3:2 1",
		"a/ADJ:0 b/ADV:1 ||| A/ADJ:0 B/ADV:1 " +
			"||| 0-0 1-1": "2to2 a/ADJ:0-b/ADV:1 => W_1:0-W_2:1 1",
		"a/NOUN:0 b/NOUN:1 ||| A/NOUN:0 x/X:1 B/NOUN:1 " +
			"||| 0-0 1-2": "2to2 N:0-N:1 => W_1:0-W_2:1 1",
		"a/NOUN:0 b/NOUN:1 ||| A/NOUN:0 x/X:1 y/X:2 B/NOUN:3 ||| 0-0 1-3":       "",
		"a/NOUN:0 b/NOUN:1 ||| A/NOUN:0 ||| 0-0 1-0":                            "",
		"a/NOUN:0 b/NOUN:1 c/NOUN:2 ||| A/NOUN:3 B/NOUN:3 C/NOUN:0 ||| 0-0 1-1": "",
		"a/NOUN:2 b/NOUN:0 c/NOUN:2 ||| A/NOUN:2 B/NOUN:0 C/NOUN:2 ||| 0-0 2-2": "",
		"a/NOUN:0 b/X:1 c/X:2 ||| A/NOUN:0 C/NOUN:1 " +
			"||| 0-0 2-1": "3to2 N:0-b/X:1-c/X:2 => W_1:0-W_3:1 1",
		"de/PART:2 yi/NOUN:0 ||| of/ADP:2 a/NOUN:0 ||| 1-1": "",
		"san/NUM:2 ben/NOUN:0 ||| three/NUM:3 of/ADP:3 books/NOUN:0 " +
			"||| 0-0 1-2": "2to2 san/NUM:2-N:0 => W_1:2-W_2:0 1",
		"a/NOUN:0 b/NOUN:1 ||| B/NOUN:2 of/ADP:3 A/NOUN:0 " +
			"||| 0-2 1-0": "2to3 N:0-N:1 => W_2:2-of/ADP:3-W_1:0 1",
		"a/NOUN:0 b/NOUN:1 ||| A/NOUN:2 of/ADP:3 B/NOUN:0 " +
			"||| 0-0 1-2": "2to3 N:0-N:1 => W_1:2-of/ADP:3-W_2:0 1",
		"a/NOUN:0 b/NOUN:1 c/X:2 ||| A/NOUN:2 of/ADP:3 B/NOUN:0 ||| " +
			"0-0 1-2 2-1": "3to3 N:0-N:1-c/X:2 => W_1:2-W_3:3-W_2:0 1",
		"a/NOUN:0 b/NOUN:1 c/VERB:1 ||| A/NOUN:2 of/ADP:3 B/NOUN:0 C/VERB:1 ||| " +
			"0-0 1-2 2-3": "2to2 N:0-V:1 => W_1:0-W_2:1 1",
		"a/NOUN:0 b/NOUN:1 / c/VERB:0 d/NOUN:1 ||| A/NOUN:0 B/NOUN:1 / C/VERB:0 D/NOUN:1 " +
			"||| 2-2 3-3": "2to2 V:0-N:1 => W_1:0-W_2:1 1",
	} {
		got := strings.Join(rows(t, train(t, []string{line}, all...), "rules"), "\n")
		if strings.Contains(line, "c/X:2") && strings.Contains(got, "2to3") {
			t.Errorf("%s: the word between has a link: %s", line, got)
		}
		if want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%s\n%s\nwant %q", line, got, want)
		}
	}
}

// TestPairs has the pairs of subtrees of a translation, worked by hand: head and dependent are kept, sides may change.
func TestPairs(t *testing.T) {
	line := "b1/X:2 a/X:0 b2/X:2 b3/X:2 c/X:4 ||| A/X:0 B3/X:1 C/X:2 B2/X:1 x/X:1 B1/X:5 ||| 0-5 1-0 2-3 3-1 4-2"
	got := rows(t, train(t, []string{line}, all...), "subtrees")
	want := []string{
		"22 a:0-b2:1 A:0-B2:1 1 HF", // of these lower case is what is kept
		"22 a:0-b3:1 A:0-B3:1 1 HF",
		"22 b3:0-c:1 B3:0-C:1 1 HF",
		"23 b1:2-a:0 A:0-x:1-B1:2 1 HF",
		"33s a:0-b2:1-b3:1 A:0-B3:1-B2:1 1 HF",
		"33c a:0-b3:1-c:2 A:0-B3:1-C:2 1 HF",
	}
	for i := range want {
		want[i] = strings.ToLower(want[i][:len(want[i])-2]) + "HF"
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestLookUps: what is listed is found, in the order and with the words that were seen alone.
func TestLookUps(t *testing.T) {
	m := train(t, []string{"b1/X:2 a/X:0 ||| A/X:0 x/X:1 B1/X:2 ||| 0-2 1-0"}, all...)
	s, u := [3]uint32{m.Source("A"), m.Source("b1")}, [3]uint32{m.Target("a"), m.Target("B1"), m.Target("x")}
	so, to := lexical.OrderOf(1, 0, -1), lexical.OrderOf(0, 2, 1)
	if !m.Pair(bitext.ArcToChain, s, u, so, to) {
		t.Error("the pair is not found")
	}
	if m.Pair(bitext.ArcToChain, s, u, lexical.OrderOf(0, 1, -1), to) ||
		m.Pair(bitext.ArcToChain, s, u, so, lexical.OrderOf(2, 0, 1)) ||
		m.Pair(bitext.Chain, s, u, so, to) || m.Pair(bitext.ArcToChain, u, s, so, to) || m.Source("z") != 0 {
		t.Error("a pair is found that was not seen")
	}
	m = train(t, []string{"a/ADJ:0 b/NOUN:1 ||| A/ADJ:0 B/NOUN:1 ||| 0-0 1-1"}, all...)
	rules := func(forms, tags string, heads ...int8) int {
		var classes []uint32
		for i, w := range strings.Fields(forms) {
			id, _ := m.Class(w, strings.Fields(tags)[i])
			classes = append(classes, id)
		}
		return len(m.Rules(classes, heads))
	}
	if n := rules("A other", "ADJ PROPN", -1, 0); n != 1 {
		t.Errorf("%d rules", n)
	}
	if rules("A b", "ADJ NOUN", 1, -1)+rules("c b", "ADJ NOUN", -1, 0)+rules("a b", "ADV NOUN", -1, 0)+
		rules("b A", "NOUN ADJ", -1, 0) != 0 {
		t.Error("a rule is found for another subtree")
	}
	if _, content := m.Class("x", "VERB"); !content {
		t.Error("a verb needs no link")
	}
}

// TestKeys: source sides of rules have different keys.
func TestKeys(t *testing.T) {
	seen := map[uint64]string{}
	for _, n := range []int{2, 3} {
		for x := range 1 << (4 * n) {
			classes, heads := make([]uint32, n), make([]int8, n)
			for i := range n {
				classes[i], heads[i] = 1+uint32(x>>(4*i)&3)*100_000, int8(x>>(4*i+2)&3)-1
			}
			k, name := subtreeKey(classes, heads), fmt.Sprint(classes, heads)
			if seen[k] != "" {
				t.Fatalf("%s and %s have one key", name, seen[k])
			}
			seen[k] = name
		}
	}
}

// TestPack: what is packed comes out again, and different pairs have different keys.
func TestPack(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	id := func() uint32 { return uint32(rng.IntN(maxWords + 1)) }
	for range 2000 {
		p, s, u := bitext.Part(rng.IntN(4)), [3]uint32{id(), id(), id()}, [3]uint32{id(), id(), id()}
		so, to := uint8(rng.IntN(8)), uint8(rng.IntN(8))
		p2, s2, u2, so2, to2 := unpack(pack(p, s, u, so, to))
		if p != p2 || s != s2 || u != u2 || so != so2 || to != to2 {
			t.Fatal(p, s, u, so, to, p2, s2, u2, so2, to2)
		}
	}
}

// TestSums compares counts of random trees with those of a map over all words of each part.
func TestSums(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 1))
	lines := random(rng, 200)
	m := train(t, lines, all...)
	want := map[string]int{}
	for i := 0; i < len(lines); i++ {
		docs := bitexttest.Parsed(lines[i])
		pair := bitext.Pair{Source: docs[0], Target: docs[1]}
		c := m.newCouple(bitext.NewTree(docs[0], "upos"), bitext.NewTree(docs[1], "upos"), pair.Links())
		head := func(i int) int32 { return c.source.Heads[i] }
		for h := range c.source.Forms {
			for d := range c.source.Forms {
				if int(head(d)) != h || c.images[h] < 0 || c.images[d] < 0 {
					continue
				}
				a, b := c.images[h], c.images[d]
				if c.target.Head(b) == a {
					want["22"]++
				}
				if x := c.target.Head(b); x >= 0 && x != a && c.target.Head(x) == a && b != a {
					want["23"]++
				}
				for e := range c.source.Forms {
					if c.images[e] < 0 || e == d || e == h {
						continue
					}
					if int(head(e)) == d && c.target.Head(b) == a && c.target.Head(c.images[e]) == b {
						want["33c"]++
					}
					near := int(head(e)) == h && e > d && (d > h) == (e > h)
					for k := d + 1; k < e; k++ {
						near = near && int(head(k)) != h
					}
					if near && c.target.Head(b) == a && c.target.Head(c.images[e]) == a && c.images[e] != b {
						want["33s"]++
					}
				}
			}
		}
	}
	for p := range m.pairs {
		sum := 0
		for _, n := range m.pairs[p].counts {
			sum += int(n)
		}
		if name := bitext.Part(p).String(); sum != want[name] || sum < 10 {
			t.Errorf("%s: %d, want %d", name, sum, want[name])
		}
		for i, k := range m.pairs[p].keys {
			if m.pairs[p].find(k) != i {
				t.Fatalf("pair %d of %d is not found", i, p)
			}
		}
	}
}

// random is lines of random trees that are much alike, with random links.
func random(rng *rand.Rand, n int) (out []string) {
	tree := func(prefix string, heads []int) string {
		var words []string
		for i, h := range heads {
			words = append(words, fmt.Sprintf("%s%d/%s:%d", prefix, rng.IntN(6), []string{"NOUN", "VERB", "ADP"}[i%3], h))
		}
		return strings.Join(words, " ")
	}
	for range n {
		k := 3 + rng.IntN(6)
		var a, b []int
		for i := range k {
			h := 0
			if i > 0 {
				h = 1 + rng.IntN(i)
			}
			a = append(a, h)
			if rng.IntN(4) == 0 && i > 0 {
				h = 1 + rng.IntN(i)
			}
			b = append(b, h)
		}
		var links []string
		for i := range k {
			if rng.IntN(6) > 0 {
				links = append(links, fmt.Sprintf("%d-%d", i, i))
			} else if rng.IntN(2) == 0 {
				links = append(links, fmt.Sprintf("%d-%d", i, rng.IntN(k)))
			}
		}
		out = append(out, tree("s", a)+" ||| "+tree("t", b)+" ||| "+strings.Join(links, " "))
	}
	return out
}

// TestTop keeps the most frequent rules and what occurs often enough; multi chooses among links.
func TestTop(t *testing.T) {
	lines := append(slices.Repeat([]string{"a/NOUN:2 b/VERB:0 ||| A/NOUN:2 B/VERB:0 ||| 0-0 1-1"}, 5),
		slices.Repeat([]string{"a/NOUN:0 b/VERB:1 ||| A/NOUN:2 B/VERB:0 ||| 0-0 1-1"}, 3)...)
	if got := rows(t, train(t, lines, kindtest.Arg("top", 1)), "rules"); !slices.Equal(got,
		[]string{"2to2 N:2-V:0 => W_1:2-W_2:0 5"}) {
		t.Errorf("%q", got)
	}
	if got := rows(t, train(t, lines, kindtest.Arg("min_count", 4)), "rules"); len(got) != 1 {
		t.Errorf("%q", got)
	}
	if got := rows(t, train(t, lines, kindtest.Arg("min_pair_count", 6)), "subtrees"); len(got) != 0 {
		t.Errorf("%q", got)
	}
	two := "a/ADJ:0 b/ADV:1 ||| X/ADJ:3 B/ADV:3 A/ADJ:0 ||| 0-0 0-2 1-1"
	first := "a/ADJ:0 b/ADV:1 ||| A/ADJ:0 B/ADV:1 Z/X:1 ||| 0-0 0-2 1-1"
	for multi, want := range map[string]int{"first": 1, "skip": 0} {
		if got := rows(t, train(t, []string{first}, append(all, kindtest.Arg("multi", multi))...),
			"rules"); len(got) != want {
			t.Errorf("multi = %s: %q", multi, got)
		}
	}
	for multi, want := range map[string]int{"top": 1, "first": 0, "skip": 0} {
		if got := rows(t, train(t, []string{two}, append(all, kindtest.Arg("multi", multi))...), "rules"); len(got) != want {
			t.Errorf("multi = %s: %q", multi, got)
		}
	}
}

// TestBadPairs: what cannot be learned from is told; bad options and inputs are errors.
func TestBadPairs(t *testing.T) {
	docs := bitexttest.Parsed("a/NOUN:0 b/NOUN:1 ||| A/NOUN:0 B/NOUN:1 ||| 0-0 1-1", "a/NOUN:0 ||| A/NOUN:0 ||| ",
		"a ||| b ||| 0-0",
		" ||| b:0 ||| ", "a/NOUN:9 b/NOUN:2 ||| A/NOUN:0 B/NOUN:1 ||| 0-0 1-1",
		strings.Repeat("a/X:1 ", 300)+" ||| A/X:0 ||| 299-0")
	alone := bitexttest.Parsed("x/NOUN:0 ||| y:0 ||| ")[:1]
	alone[0].Fields[0].Value = value.Str("alone")
	var notices []string
	m, tr := fresh(t, all...), plain(append(docs, alone...))
	tr.Notice = func(s string) { notices = append(notices, s) }
	if err := m.Train(background, tr); err != nil {
		t.Fatal(err)
	}
	if got := rows(t, m, "rules"); len(got) != 1 {
		t.Errorf("%q", got)
	}
	for _, want := range []string{"1 documents without a partner", "2 pairs are left out: there are no links",
		"3 pairs are left out: a side has no tree"} {
		if !slices.ContainsFunc(notices, func(s string) bool { return strings.Contains(s, want) }) {
			t.Errorf("%q lacks %q", notices, want)
		}
	}
	if err := fresh(t).Train(background, plain(alone)); err == nil ||
		!strings.Contains(err.Error(), "no pairs of documents") {
		t.Error(err)
	}
	for _, args := range [][]option.Arg{{{Name: "lists", Value: value.Str("rule")}},
		{kindtest.Arg("hf", .5), kindtest.Arg("mf", .4)},
		{{Name: "lists", Value: value.Str("rules")}, kindtest.Arg("min_pair_count", 3)}} {
		m, s := Kind().New().(*model), &option.Set{}
		m.Options(s)
		if err := s.Apply(args); err == nil {
			t.Errorf("%v is accepted", args)
		}
	}
	m = fresh(t, option.Arg{Name: "verbs", List: []option.Arg{{Value: value.Str("VB*")}, {Value: value.Str("MD")}}})
	if m.of("VBZ") != "V" || m.of("MD") != "V" || m.of("MDX") != "" || m.of("PROPN") != "N" {
		t.Error("classes of tags")
	}
}

func TestContract(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 1))
	docs := bitexttest.Parsed(random(rng, 60)...)
	kindtest.Run(t, kindtest.Case{Kind: Kind(), Train: docs[:100], Test: docs[100:]})
}
