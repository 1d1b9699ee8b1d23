package aligner

import (
	"bufio"
	"fmt"
	"slices"
	"strings"
	"testing"

	"parlance/algo/bitext"
	"parlance/algo/bitext/bitexttest"
	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/metrics"
	"parlance/algo/option"
	"parlance/algo/testutil/realdata"
	"parlance/algo/text"
	"parlance/storage/value"
)

// words aligns two sentences and writes the links as i-j.
func words(m *model, source, target string) string {
	var out []string
	for _, l := range m.Align(background, strings.Fields(source), strings.Fields(target)) {
		out = append(out, fmt.Sprintf("%d-%d", l.Source, l.Target))
	}
	return strings.Join(out, " ")
}

// TestLearns: from pairs of sentences alone, all models find what translates what; words without a counterpart stay
// alone where directions agree.
func TestLearns(t *testing.T) {
	lines := bitexttest.Generated(400, 1)
	for _, c := range []struct {
		opts []option.Arg
		want string
	}{
		{nil, "1-0 2-4 4-2 5-5"},
		{[]option.Arg{kindtest.Arg("links", byFinalAnd)}, "1-0 2-4 4-2 5-5"},
		{[]option.Arg{kindtest.Arg("model", ibm1), kindtest.Arg("iterations", 20)}, "1-0 2-4 4-2 5-5"},
		{[]option.Arg{kindtest.Arg("model", ibm2), kindtest.Arg("iterations", 20), kindtest.Arg("joint", false),
			kindtest.Arg("estimate", byVariational), kindtest.Arg("null", .08), kindtest.Arg("links", byIntersection)},
			"1-0 2-4 4-2 5-5"},
	} {
		m := train(t, lines, c.opts...)
		got := words(m, "THE n3 v5 a n7 .", "N3 wa N7 o V5 。")
		for _, w := range strings.Fields(c.want) {
			if !slices.Contains(strings.Fields(got), w) {
				t.Errorf("%v: links %s, want %s among them", c.opts, got, c.want)
				break
			}
		}
	}
}

// TestBadPairs: what cannot be learned from is left out and told, what cannot be aligned gets no links.
func TestBadPairs(t *testing.T) {
	docs := bitexttest.Pairs(append(bitexttest.Generated(50, 2), "n1 v1 ||| ", " ||| N1", "n9 ||| N9 N8",
		strings.Repeat("n1 ", 101)+"||| N1", "n1 v2 . / n3 v4 . ||| N1 V2 。 / N3 V4 。", "n1 . / n2 . ||| N1 。 N2 。",
		"2 . ||| 2 .", "2 . ||| 2 .")...)
	alone := docs[104]
	docs = slices.Delete(docs, 105, 106)
	var notices []string
	m, tr := fresh(t), plain(kind.Documents(docs))
	tr.Notice = func(s string) { notices = append(notices, s) }
	if err := m.Train(background, tr); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"1 documents without a partner", "2 pairs of sentences of which a side has no words",
		"1 pairs with more than 100 words"} {
		if !slices.ContainsFunc(notices, func(s string) bool { return strings.Contains(s, want) }) {
			t.Errorf("%q lacks %q", notices, want)
		}
	}
	s := m.Schema()
	for _, u := range s.Units(docs) {
		if err := m.Annotate(background, u, &kind.Run{Prob: true}); err != nil {
			t.Fatal(err)
		}
	}
	if l := alone.Layer("alignments"); l == nil || l.N > 0 {
		t.Errorf("a document without a partner has links %v", l)
	}
	for _, docs := range [][]*text.Document{{{ID: "a"}, {ID: "b"}}, bitexttest.Pairs("a ||| b", "c ||| d")[:3]} {
		if err := m.Annotate(background, docs, &kind.Run{}); err != nil {
			t.Error(err)
		}
	}
	long := strings.Repeat("n1 v1 n2 . ", 75)
	if got := m.Align(background, strings.Fields(long), strings.Fields(long)); len(got) > 90_000 {
		t.Errorf("%d links of sentences of 300 words", len(got))
	}
	if got := words(m, "n1", strings.Repeat("N1 ", 50)); got == "" {
		t.Error("one word against fifty has no link")
	}
}

// TestFaults: documents that are no pairs are an error that names them.
func TestFaults(t *testing.T) {
	pairs := bitexttest.Pairs("a ||| b", "c ||| d")
	third := bitexttest.Document("third", "x")
	third.Fields = pairs[0].Fields
	other := bitexttest.Pairs("a ||| b")
	other[1].Fields = other[0].Fields
	keyless := bitexttest.Document("keyless", "x")
	for want, docs := range map[string][]*text.Document{
		"there is no pair of sentences":          bitexttest.Pairs("a ||| "),
		"document keyless has no pair":           {keyless},
		"documents third and third are on the s": append(slices.Clone(pairs), third),
		"documents 0.s and 0.t are on the same":  other,
	} {
		if err := fresh(t).Train(background, plain(kind.Documents(docs))); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	m := fresh(t, kindtest.Arg("source", "de"))
	if err := m.Train(background, plain(kind.Documents(pairs))); err == nil ||
		!strings.Contains(err.Error(), "side = 'de'") {
		t.Errorf("no document of a pair is the source: %v", err)
	}
}

// TestSource: the side that is named is the source, whichever comes first.
func TestSource(t *testing.T) {
	docs := bitexttest.Pairs(bitexttest.Generated(200, 2)...)
	m := fresh(t, kindtest.Arg("source", "target"))
	if err := m.Train(background, plain(kind.Documents(docs))); err != nil {
		t.Fatal(err)
	}
	if a, _ := m.Translation("N1", "n1"); a < .5 {
		t.Errorf("t(n1|N1) is %v", a)
	}
	u := docs[:2]
	if err := m.Annotate(background, u, &kind.Run{}); err != nil || u[1].Layer("alignments").N == 0 ||
		u[0].Layer("alignments").N > 0 {
		t.Errorf("links do not stand with the source: %v", err)
	}
}

// TestSentences: documents with as many sentences are aligned sentence by sentence, others as one.
func TestSentences(t *testing.T) {
	m := train(t, bitexttest.Generated(300, 2))
	for line, want := range map[string][][4]int32{
		"n1 / n2 ||| N2 / N1":       nil,
		"n1 / n2 ||| N1 / N2":       {{1, 1, 1, 1}, {2, 1, 2, 1}},
		"n1 . / n2 . ||| N1 . N2 .": {{1, 1, 1, 1}, {2, 1, 1, 3}},
	} {
		docs := bitexttest.Pairs(line)
		if err := m.Annotate(background, docs, &kind.Run{Prob: true}); err != nil {
			t.Fatal(err)
		}
		l := docs[0].Layer("alignments")
		for _, w := range want {
			found := false
			for i := range l.N {
				found = found || [4]int32{l.Ints("sent")[i], l.Ints("tok")[i], l.Ints("other_sent")[i], l.Ints("other_tok")[i]} == w
			}
			if !found {
				t.Errorf("%s: no link %v in %v", line, w, l.Cols)
			}
		}
		p := bitext.Pair{Source: docs[0], Target: docs[1]}
		if again := p.Links(); len(again) != l.N {
			t.Errorf("%d of %d links are read", len(again), l.N)
		}
	}
}

// TestCharacters: characters of one side are aligned, and tokens linked where their characters are.
func TestCharacters(t *testing.T) {
	u := &units{lower: true, characters: [2]bool{true, false}}
	parts, number := u.cut(source, []string{"中国人", "2014年", "e\u0301A", "，"}, nil, nil)
	if want := []string{"中", "国", "人", "2014", "年", "e\u0301a", "，"}; !slices.Equal(parts, want) ||
		!slices.Equal(number, []int{0, 0, 0, 1, 1, 2, 3}) {
		t.Errorf("%q %v", parts, number)
	}
	var lines []string
	for i := range 200 {
		a, b := i%7, i*3%7
		lines = append(lines, fmt.Sprintf("%c%c ||| w%d w%d", '一'+a, '一'+b, a, b))
	}
	m := train(t, lines, kindtest.Arg("characters", "source"))
	if got := words(m, "\u4e00\u4e01 \u4e02", "w0 w1 w2"); got != "0-0 0-1 1-2" {
		t.Errorf("links %s", got)
	}
}

// TestDropped: named pairs of words are not linked.
func TestDropped(t *testing.T) {
	lines := bitexttest.Generated(200, 2)
	m := train(t, lines,
		option.Arg{Name: "drop_links", List: []option.Arg{kindtest.Arg("", "N3|n3"), kindtest.Arg("", ".|。")}})
	if got := words(m, "the n3 v5 a n7 .", "N3 wa N7 o V5 。"); strings.Contains(got, "1-0") ||
		strings.Contains(got, "5-5") ||
		!strings.Contains(got, "4-2") {
		t.Errorf("links %s", got)
	}
	s := &option.Set{}
	(&model{}).Options(s)
	if err := s.Apply([]option.Arg{kindtest.Arg("drop_links", "the")}); err == nil ||
		!strings.Contains(err.Error(), "source|target") {
		t.Error(err)
	}
}

// TestLexicon: the dictionary by words, by beginnings, and whole.
func TestLexicon(t *testing.T) {
	m := train(t, bitexttest.Generated(400, 1))
	count := func(args []value.Value, prefix string) (n int, first []value.Value) {
		rows, err := m.Open(background, "lexicon", args, &kind.Run{Prefix: prefix})
		if err != nil {
			t.Fatal(err)
		}
		for {
			b, err := rows.Next(background)
			if err != nil {
				t.Fatal(err)
			}
			if b == nil {
				return n, first
			}
			if n == 0 {
				first = b.Row(nil, 0)
			}
			n += b.N
		}
	}
	all, _ := count(nil, "")
	if all != len(m.table.targets) {
		t.Errorf("%d rows of %d", all, len(m.table.targets))
	}
	if n, row := count([]value.Value{value.Str("N3")}, ""); n == 0 || row[0].S != "n3" || row[1].S != "n3" ||
		row[2].Float() < .9 {
		t.Errorf("%d rows, %v", n, row)
	}
	if n, _ := count([]value.Value{value.Str("nowhere")}, ""); n != 0 {
		t.Errorf("%d translations of an unknown word", n)
	}
	sum := 0
	for _, p := range []string{"n", "v", "t", "a", "."} {
		n, _ := count(nil, p)
		sum += n
	}
	if sum != all {
		t.Errorf("%d rows by their beginnings, %d in all", sum, all)
	}
}

func TestContract(t *testing.T) {
	all := bitexttest.Pairs(bitexttest.Generated(60, 9)...)
	c := kindtest.Case{Kind: Kind(), Train: all[:80], Test: all[80:], Resumes: true}
	kindtest.Run(t, c)
	kindtest.Variants(t, c, map[string][]option.Arg{
		"ibm1": {kindtest.Arg("model", ibm1)},
		"ibm2": {kindtest.Arg("model", ibm2), kindtest.Arg("joint", false), kindtest.Arg("estimate", byVariational),
			kindtest.Arg("null", .08)},
		"apart":      {kindtest.Arg("joint", false), kindtest.Arg("links", byFinalAnd)},
		"characters": {kindtest.Arg("characters", "both"), kindtest.Arg("links", byProduct), kindtest.Arg("threshold", .3)},
		"backward":   {kindtest.Arg("links", byBackward)},
	})
}

// TestEnglishFrench: alignment error on the hand-aligned sentences of the HLT-2003 shared task, learned from these
// sentences alone.
func TestEnglishFrench(t *testing.T) {
	gold, pairs := fileLines(t, "align.enfr.gold"), fileLines(t, "align.enfr.src-tgt")
	docs := bitexttest.Pairs(pairs...)
	m := fresh(t)
	if err := m.Train(background, plain(kind.Documents(docs))); err != nil {
		t.Fatal(err)
	}
	scorer := metrics.NewAlignments(metrics.Options{})
	for i := 0; i < len(docs); i += 2 {
		p := bitext.Pair{Source: docs[i], Target: docs[i+1]}
		right := *p.Source
		right.SetLayer(goldLayer(p, gold[i/2]))
		if err := m.Annotate(background, docs[i:i+2], &kind.Run{}); err != nil {
			t.Fatal(err)
		}
		if err := scorer.Add(background, []*text.Document{&right}, []*text.Document{p.Source}); err != nil {
			t.Fatal(err)
		}
	}
	for _, x := range scorer.Metrics() {
		if v := x.Value(); x.Name == "aer" && !(v < .17) {
			t.Errorf("aer %.4f", v)
		} else {
			t.Logf("%s %.4f", x.Name, v)
		}
	}
}

func fileLines(t *testing.T, name string) (out []string) {
	in := bufio.NewScanner(realdata.Open(t, "mt", name))
	for in.Scan() {
		out = append(out, in.Text())
	}
	return out
}

// goldLayer reads links i-j and ipj, from 1.
func goldLayer(p bitext.Pair, line string) *text.Layer {
	var links []bitext.Link
	var labels []string
	for _, f := range strings.Fields(line) {
		var a, b int
		label := "sure"
		if _, err := fmt.Sscanf(f, "%d-%d", &a, &b); err != nil {
			label = "possible"
			if _, err := fmt.Sscanf(f, "%dp%d", &a, &b); err != nil {
				panic(err)
			}
		}
		links, labels = append(links, bitext.Link{Source: a - 1, Target: b - 1}), append(labels, label)
	}
	l := p.Layer(links, false)
	l.SetStrs("label", labels)
	return l
}
