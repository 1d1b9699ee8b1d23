package segmenter

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/option"
	"parlance/algo/text"
)

// samples are sentences of a made-up language: nouns are made of the syllables of a to c, verbs end in z, particles are
// single letters.
func samples() (out [][]taggedWord) {
	nouns := []string{"ab", "abc", "ca", "bb", "cab", "a", "bca", "cc", "aab", "acb", "bac", "caa"}
	verbs := []string{"xz", "yz", "xyz", "yxz", "xxz"}
	for i := range 40 {
		first := nouns[i%len(nouns)]
		if i%4 == 1 { // a word that is there once
			first = string([]byte{'a' + byte(i%3), 'c', 'a' + byte(i/3%3), 'a' + byte(i/9%3), 'b'})
		}
		s := []taggedWord{{first, "N"}, {"o", "P"}, {nouns[(5*i+3)%len(nouns)], "N"}}
		if i%3 == 0 {
			s = append(s, taggedWord{"i", "P"}, taggedWord{nouns[(7*i+1)%len(nouns)], "N"})
		}
		out = append(out, append(s, taggedWord{verbs[i*i%len(verbs)], "V"}, taggedWord{"。", "."}))
	}
	return out
}

// documents makes a document of each four sentences.
func documents(sentences ...[]taggedWord) kind.Documents {
	var out kind.Documents
	for part := range slices.Chunk(sentences, 4) {
		var b strings.Builder
		l := text.NewLayer(text.Tokens)
		var columns [4][]int32
		var forms, tags []string
		for s, words := range part {
			for k, w := range words {
				for c, v := range [4]int{s + 1, k + 1, b.Len(), b.Len() + len(w.word)} {
					columns[c] = append(columns[c], int32(v))
				}
				b.WriteString(w.word)
				forms, tags = append(forms, w.word), append(tags, w.tag)
			}
			b.WriteString("\n")
		}
		l.N = len(forms)
		for c, name := range []string{"sent", "tok", "char_start", "char_end"} {
			l.SetInts(name, columns[c])
		}
		l.SetStrs("form", forms)
		l.SetStrs("xpos", tags)
		d := &text.Document{ID: fmt.Sprintf("d%d", len(out)), Text: b.String()}
		d.SetLayer(l)
		out = append(out, d)
	}
	return out
}

func TestKind(t *testing.T) {
	docs, arg := documents(samples()...), kindtest.Arg
	kindtest.Variants(t, kindtest.Case{Kind: Kind(), Train: docs[:8], Test: docs[8:], Resumes: true,
		Options: []option.Arg{arg("layer", "xpos"), arg("epochs", 3)}},
		map[string][]option.Arg{
			"errors": {arg("folds", 2), arg("threshold", 1)},
			"perceptron": {arg("policy", "threshold"), arg("learner", "perceptron"),
				{Name: "features", List: []option.Arg{arg("", "C"), arg("", "W")}}},
			"loglinear": {arg("policy", "threshold"), arg("threshold", 1), arg("learner", "loglinear")},
		})
}

// fitted is a model of documents.
func fitted(t *testing.T, docs kind.Documents, args ...option.Arg) *model {
	t.Helper()
	m, set := &model{}, &option.Set{}
	m.Options(set)
	if err := set.Apply(append([]option.Arg{kindtest.Arg("layer", "xpos")}, args...)); err != nil {
		t.Fatal(err)
	}
	err := m.Train(context.Background(), &kind.Training{On: docs, Seed: 1, Workers: 1, Report: func(kind.Progress) {},
		Notice: func(string) {}})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// cutUp is what a model makes of a text: words with tags, sentences parted by |.
func cutUp(t *testing.T, m *model, s string, run kind.Run) string {
	t.Helper()
	d := &text.Document{Text: s}
	if err := m.Annotate(context.Background(), []*text.Document{d}, &run); err != nil {
		t.Fatal(err)
	}
	l := d.Layer("tokens")
	if err := d.VerifyTokens(l); err != nil {
		t.Fatalf("%q: %v", s, err)
	}
	var out []string
	for i, f := range l.Strs("form") {
		if i > 0 && l.Ints("sent")[i] != l.Ints("sent")[i-1] {
			out = append(out, "|")
		}
		out = append(out, f+"/"+l.Strs("xpos")[i])
	}
	return strings.Join(out, " ")
}

// TestLearns: words that are learned are found again in text without spaces, and unknown ones by their characters.
func TestLearns(t *testing.T) {
	docs := documents(samples()...)
	for _, lattice := range []string{hybridLattice, characterLattice} {
		m := fitted(t, docs, kindtest.Arg("lattice", lattice))
		for _, c := range [][2]string{
			{"abcobbxz。", "abc/N o/P bb/N xz/V 。/."},
			{"abcobb xz。caocaayz。\ncabo abxxz。", "abc/N o/P bb/N xz/V 。/. | ca/N o/P caa/N yz/V 。/. | cab/N o/P ab/N xxz/V 。/."},
			{"cbcbobbxz。", "cbcb/N o/P bb/N xz/V 。/."},
		} {
			if got := cutUp(t, m, c[0], kind.Run{}); got != c[1] {
				t.Errorf("%s: %s becomes %s, want %s", lattice, c[0], got, c[1])
			}
		}
	}
	words := fitted(t, docs, kindtest.Arg("lattice", wordLattice))
	if got := cutUp(t, words, "cbcbobbxz。", kind.Run{}); strings.Contains(got, "cbcb/") {
		t.Errorf("a lattice of words knows %s", got)
	}
}

// TestOptions: the options that change what is learned or read.
func TestOptions(t *testing.T) {
	docs := documents(samples()...)
	m := fitted(t, docs)
	m.opt.spaces = "cut"
	if got := cutUp(t, m, "ab cobbxz。", kind.Run{}); !strings.HasPrefix(got, "ab/N c") {
		t.Errorf("a word goes across white space: %s", got)
	}
	m = fitted(t, docs, kindtest.Arg("lattice", "characters"))
	m.opt.spaces = "cut"
	for _, s := range []string{"a bcobbxz。", "ab cob bx z。", "a b c"} {
		for _, w := range strings.Fields(cutUp(t, m, s, kind.Run{})) {
			if form, _, _ := strings.Cut(w, "/"); !strings.Contains(s, form) {
				t.Errorf("%s goes across white space of %q", form, s)
			}
		}
	}
	wide := fitted(t, docs, kindtest.Arg("full_width", true))
	if got := cutUp(t, wide, "ａｂｃｏbbxz。", kind.Run{}); got != "ａｂｃ/N ｏ/P bb/N xz/V 。/." {
		t.Errorf("full width: %s", got)
	}
	for _, bad := range []option.Arg{kindtest.Arg("layer", "entities"), kindtest.Arg("features", "C, X"),
		kindtest.Arg("policy", "errors"), kindtest.Arg("clip", -1)} {
		var set option.Set
		(&model{}).Options(&set)
		if err := set.Apply([]option.Arg{bad}); err == nil {
			t.Errorf("%s = %s is taken", bad.Name, bad.Text())
		}
	}
}

// TestAnalyses: the n best analyses differ in their words; their first is the best.
func TestAnalyses(t *testing.T) {
	m := fitted(t, documents(samples()...))
	d := &text.Document{Text: "abcobbxz。"}
	if err := m.Annotate(context.Background(), []*text.Document{d}, &kind.Run{NBest: 4}); err != nil {
		t.Fatal(err)
	}
	l := d.Layer("tokens")
	seen := map[string]bool{}
	for r := range int32(4) {
		var words []string
		for i, f := range l.Strs("form") {
			if l.Rank[i] == r+1 {
				words = append(words, f+"/"+l.Strs("xpos")[i])
			}
		}
		s := strings.Join(words, " ")
		if seen[s] || len(words) == 0 || r == 0 && s != cutUp(t, m, d.Text, kind.Run{}) {
			t.Errorf("analysis %d: %s, seen before: %v", r+1, s, seen[s])
		}
		seen[s] = true
	}
}

// TestOddText: what is no text of the language is cut as well.
func TestOddText(t *testing.T) {
	m := fitted(t, documents(samples()...))
	for _, s := range []string{"", " \n\t\n ", "ε", "\n。\n。", strings.Repeat("ж", 3000), "a\xffb", "。。。！！”ab。"} {
		d := &text.Document{Text: s}
		if err := m.Annotate(context.Background(), []*text.Document{d}, &kind.Run{Prob: true}); err != nil {
			t.Fatalf("%q: %v", s, err)
		}
		l := d.Layer("tokens")
		if err := d.VerifyTokens(l); err != nil {
			t.Errorf("%q: %v", s, err)
		}
		if got, want := strings.Join(l.Strs("form"), ""), strings.Join(strings.Fields(s), ""); got != want {
			t.Errorf("%q becomes %q", s, got)
		}
	}
}

// TestCut: where sentences end.
func TestCut(t *testing.T) {
	for _, c := range [][2]string{
		{"甲。乙！丙？丁", "甲。|乙！|丙？|丁"}, {"“甲。”乙", "“甲。”|乙"}, {"甲！！！乙", "甲！！！|乙"}, {"甲\n乙\r\n丙", "甲|\n乙|\r|\n丙"},
		{"3.5 is", "3.5 is"}, {"", ""},
	} {
		var got []string
		sentences(c[0], 0, len(c[0]), nil, func(from, to int) bool {
			got = append(got, c[0][from:to])
			return true
		})
		if s := strings.Join(got, "|"); s != c[1] {
			t.Errorf("%q: %q, want %q", c[0], s, c[1])
		}
	}
	n := 0
	sentences(strings.Repeat("甲", 2000), 0, 6000, nil, func(from, to int) bool {
		n++
		return to-from <= 3*hardLength
	})
	if n != 4 {
		t.Errorf("a text without signs has %d sentences", n)
	}
}

// TestTable: keys keep their numbers when the table grows.
func TestTable(t *testing.T) {
	x := newTable(0)
	for i := range uint32(5000) {
		if v, added := x.add(uint64(i)*0x10001 + 1); v != i || !added {
			t.Fatalf("key %d is number %d", i, v)
		}
	}
	for i := range uint32(5000) {
		if v, ok := x.find(uint64(i)*0x10001 + 1); v != i || !ok {
			t.Fatalf("key %d is number %d", i, v)
		}
	}
	if _, ok := x.find(7); ok {
		t.Error("a key that was not added is found")
	}
}
