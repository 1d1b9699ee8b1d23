package wikigazetteer

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sort"
	"strings"
	"testing"

	"parlance/algo/gazetteer"
	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/storage/value"
)

// document makes a page of sentences such as "Jazz/NNP is/VBZ [a/DT kind/NN] of/IN [music/NN]", brackets being chunks
// NP. Fields follow as name, value.
func document(title string, fields []string, sentences ...string) *text.Document {
	d := &text.Document{ID: "id of " + title}
	if title != "" {
		fields = append([]string{titleField, title}, fields...)
	}
	for i := 0; i < len(fields); i += 2 {
		d.Fields = append(d.Fields, text.Field{Name: fields[i], Value: value.Str(fields[i+1])})
	}
	toks := text.NewLayer(text.Tokens)
	var ints [4][]int32
	var forms, tags []string
	var chunks []text.Span
	for k, s := range sentences {
		open, n := 0, int32(0)
		for _, w := range strings.Fields(s) {
			if n++; w[0] == '[' && len(w) > 1 {
				open, w = int(n), w[1:]
			}
			closes := strings.HasSuffix(w, "]") && len(w) > 1
			form, tag, _ := strings.Cut(strings.TrimSuffix(w, "]"), "/")
			if d.Text != "" {
				d.Text += " "
			}
			start := len(d.Text)
			d.Text += form
			for c, v := range []int32{int32(k + 1), n, int32(start), int32(len(d.Text))} {
				ints[c] = append(ints[c], v)
			}
			forms, tags = append(forms, form), append(tags, tag)
			if closes {
				chunks = append(chunks, text.Span{Sent: int32(k + 1), First: int32(open), Last: n, Label: "NP"})
			}
		}
	}
	toks.N = len(forms)
	for c, name := range []string{"sent", "tok", "char_start", "char_end"} {
		toks.SetInts(name, ints[c])
	}
	toks.SetStrs("form", forms)
	toks.SetStrs("xpos", tags)
	toks.SetStrs("upos", tags)
	d.SetLayer(toks)
	d.SetLayer(d.SpanLayer(text.Chunks, chunks))
	return d
}

func train(t testing.TB, docs []*text.Document, res kind.Resources, args ...option.Arg) *model {
	t.Helper()
	m, s := &model{}, &option.Set{}
	m.Options(s)
	if err := s.Apply(args); err != nil {
		t.Fatal(err)
	}
	tr := &kind.Training{On: kind.Documents(docs), Workers: 1, Resources: res, Report: func(kind.Progress) {},
		Notice: func(string) {}}
	if err := m.Train(context.Background(), tr); err != nil {
		t.Fatal(err)
	}
	return m
}

// rows reads a relation: the cells of a row joined by |, - for NULL.
func rows(t testing.TB, m *model, name string) (out []string) {
	t.Helper()
	r, err := m.Open(context.Background(), name, nil, &kind.Run{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for {
		b, err := r.Next(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if b == nil {
			return out
		}
		for i := range b.N {
			var cells []string
			for c := range b.Cols {
				s := "-"
				if v := b.Cols[c].At(i); !v.IsNull() {
					s = v.String()
				}
				cells = append(cells, s)
			}
			out = append(out, strings.Join(cells, "|"))
		}
	}
}

// labels are the cases that the paper tells, and some that it leaves open.
var labels = []struct{ sentence, lastWord, lastNoun string }{
	{"[Franz/NNP Fischler/NNP] is/VBZ [an/DT Austrian/JJ politician/NN] ./.", "politician", "politician"},
	{"[Jazz/NNP] is/VBZ [a/DT kind/NN] of/IN [music/NN] ./.", "music", "music"},
	{"[Ichiro/NNP] is/VBZ [a/DT Japanese/JJ given/VBN name/NN] ./.", "name", "name"},
	{"[Springfield/NNP] is/VBZ [the/DT name/NN] of/IN [several/JJ towns/NNS] ./.", "towns", "towns"},
	{"[He/PRP] was/VBD [an/DT American/JJ guitarist/NN] ,/, [singer/NN] and/CC [songwriter/NN] ./.",
		"guitarist", "guitarist"},
	{"[Osaka/NNP] is/VBZ [one/CD] of/IN [the/DT largest/JJS cities/NNS] ./.", "cities", "cities"},
	{"[Mercury/NNP] may/MD refer/VB to/IN :/:", "", ""},
	{"[Ann/NNP] was/VBD [a/DT poet/NN ,/, critic/NN and/CC editor/NN] ./.", "editor", "poet"},
	{"[Mo/NNP] is/VBZ [the/DT oldest/JJS living/VBG] ./.", "living", ""},
	{"[Go/NNP] (/( which/WDT is/VBZ [a/DT verb/NN] )/) is/VBZ [a/DT game/NN] ./.", "verb", "game"},
	{"[This/DT] IS/VBZ ./.", "", ""},
	{"[X/NNP] is/VBZ [a/DT type/NN] ./.", "", ""},
	{"[X/NNP] is/VBZ [a/DT name/NN] ./.", "name", "name"},
	{"[X/NNP] is/VBZ (/( [a/DT b/NN]", "b", ""},
	{"[The/DT apple/NN] is/VBZ [a/DT tree/NN] of/IN [the/DT Rosaceae/NNP] ./.", "tree", "tree"},
}

// TestLabels: the label of a sentence, by both rules of the head.
func TestLabels(t *testing.T) {
	for _, c := range labels {
		d := document("T", nil, c.sentence)
		paper := train(t, []*text.Document{d}, nil, kindtest.Arg("head", "last_word"), kindtest.Arg("parentheses", true))
		if got := paper.pages[0].label; got != c.lastWord {
			t.Errorf("%s: last_word gives %q, want %q", c.sentence, got, c.lastWord)
		}
		ours := train(t, []*text.Document{d}, nil)
		if got := ours.pages[0].label; got != c.lastNoun {
			t.Errorf("%s: last_noun gives %q, want %q", c.sentence, got, c.lastNoun)
		}
	}
}

// TestTags: without chunks the phrases are runs of tags, Penn's or universal.
func TestTags(t *testing.T) {
	for _, c := range labels {
		if strings.Contains(c.sentence, "living") || strings.Contains(c.sentence, "critic") {
			continue // what a run of tags is differs from the chunk
		}
		d := document("T", nil, strings.NewReplacer("[", "", "]", "").Replace(c.sentence))
		d.DropLayer(text.Chunks.Name)
		for _, args := range [][]option.Arg{nil, {kindtest.Arg("noun_phrases", "tags")}} {
			if got := train(t, []*text.Document{d}, nil, args...).pages[0].label; got != c.lastNoun {
				t.Errorf("%s: %q, want %q", c.sentence, got, c.lastNoun)
			}
		}
	}
	d := document("T", nil, "Oslo/PROPN is/AUX the/DET new/ADJ capital/NOUN of/ADP Norway/PROPN")
	m := train(t, []*text.Document{d}, nil, kindtest.Arg("noun_phrases", "tags"), kindtest.Arg("tags", "upos"))
	if p := m.pages[0]; p.label != "capital" || p.phrase != "the new capital" {
		t.Errorf("universal tags give %q in %q", p.label, p.phrase)
	}
}

// TestClause: what stands behind a Chinese 是 is one noun phrase, whose noun stands last.
func TestClause(t *testing.T) {
	for _, c := range []struct{ sentence, phrase, label string }{
		{"南京/ns 是/v 江苏/ns 的/u 城市/n 。/w", "城市", "城市"},
		{"南京/ns 是/v 江苏/ns 的/u 一/m 个/q 大/a 城市/n ，/w 有/v 公园/n 。/w", "一 个 大 城市", "城市"},
		{"李/nr 明/nr （/w 是/v 人/n ）/w 是/v 中国/ns 作家/n 和/c 老师/n 。/w", "中国 作家 和 老师", "作家"},
		{"王/nr 芳/nr 是/v 医生/n 、/w 老师/n 。/w", "医生 、 老师", "医生"},
		{"花/n 是/v 红/a 的/u 。/w", "", ""},
		{"我/r 是/v", "", ""},
		{"花/n 很/d 红/a 。/w", "", ""},
	} {
		m := train(t, []*text.Document{document("T", nil, c.sentence)}, nil, kindtest.Arg("noun_phrases", "clause"),
			kindtest.Arg("be_forms", "是"), kindtest.Arg("noun_tags", "n"))
		if p := m.pages[0]; p.label != c.label || p.phrase != c.phrase {
			t.Errorf("%s: %q in %q, %v", c.sentence, p.label, p.phrase, p.outcome)
		}
	}
}

// TestFirst: the metadata first names the defining sentence, behind a note on top of the page, and over sentences that
// a splitter has cut.
func TestFirst(t *testing.T) {
	d := document("Apple", []string{firstField, "The apple is a tree ."}, "This/DT is/VBZ [a/DT note/NN]",
		"[The/DT apple/NN] is/VBZ [a/DT tree/NN] ./.")
	cut := document("JFK", []string{firstField, "John F. Kennedy was the president ."}, "John/NNP F./NNP",
		"Kennedy/NNP was/VBD [the/DT president/NN] ./.")
	wrong := document("X", []string{firstField, "not there"}, "It/PRP is/VBZ [a/DT pear/NN]")
	m := train(t, []*text.Document{d, cut, wrong}, nil)
	for i, want := range []string{"tree", "president", "pear"} {
		if m.pages[i].label != want {
			t.Errorf("%s: %q, want %q", m.pages[i].title, m.pages[i].label, want)
		}
	}
}

// TestRedirects: Aa leads to B to C; circles, missing pages and long ways lead nowhere.
func TestRedirects(t *testing.T) {
	to := func(title, other string) *text.Document {
		return document(title, []string{redirectField, other})
	}
	hard := document("Hard", nil)
	hard.Text = "#REDIRECT [[C#History|see there]]"
	docs := []*text.Document{
		to("Aa", "B"), to("B", "C"), document("C", nil, "It/PRP is/VBZ [a/DT city/NN]"), to("D", "E"), to("E", "D"),
		to("F", "Missing"),
		to("G", "G"), to("H", "D"), hard, to("Small", "c"), to("Under", "Two_words"),
		document("Two words", nil, "It/PRP is/VBZ [a/DT town/NN]")}
	m := train(t, docs, nil)
	want := []string{"Aa|city|-|C|redirect", "B|city|-|C|redirect", "C|city|-|C|title", "Hard|city|-|C|redirect",
		"Small|city|-|C|redirect",
		"Under|town|-|Two words|redirect", "Two words|town|-|Two words|title"}
	if got := rows(t, m, "entries"); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	for _, s := range []string{"redirects|10", "redirects followed|5", "redirects in circles|4", "redirects to no page|1",
		"redirects too long|0"} {
		if !slices.Contains(rows(t, m, "statistics"), s) {
			t.Errorf("%s is not among %q", s, rows(t, m, "statistics"))
		}
	}
	short := train(t, docs, nil, kindtest.Arg("hops", 1))
	if got := rows(t, short, "entries"); slices.Contains(got, want[0]) || !slices.Contains(got, want[1]) {
		t.Errorf("with one hop: %q", got)
	}
	if !slices.Contains(rows(t, train(t, docs, nil, kindtest.Arg("title_case_first", false)), "statistics"),
		"redirects to no page|2") {
		t.Error("c is C without title_case_first")
	}
}

// phrasesOf are the phrases of titles.
func phrasesOf(t testing.TB, titles []string, args ...option.Arg) (out []string) {
	var docs []*text.Document
	for _, s := range titles {
		docs = append(docs, document(s, nil, "X/NN is/VBZ [a/DT thing/NN]"))
	}
	m := train(t, docs, nil, args...)
	for _, e := range m.entries {
		out = append(out, e.phrase)
	}
	return out
}

// TestPhrases: which titles are phrases.
func TestPhrases(t *testing.T) {
	titles := []string{"IPod", "It", "it", "1997 Cup", "a b c d e f g h i", "A1 b c d e f g h i", "B b c d e f g h",
		"Oslo", "Oslo", "The Hague", "NATO"}
	got := phrasesOf(t, titles)
	want := []string{"IPod", "iPod", "B b c d e f g h", "Oslo", "The Hague", "NATO", "nATO"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	got = phrasesOf(t, titles, kindtest.Arg("capitalized", false), kindtest.Arg("title_case_first", false),
		kindtest.Arg("max_words", 2))
	if want = []string{"IPod", "it", "1997 Cup", "Oslo", "The Hague", "NATO"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	none := train(t, []*text.Document{document("", nil, "X/NN is/VBZ [a/DT thing/NN]"), document("Empty page", nil)}, nil)
	if none.pages[0].title != "id of" {
		t.Errorf("without a title: %q", none.pages[0].title)
	}
	if none.pages[1].outcome != noSentence || len(none.entries) != 1 {
		t.Errorf("an empty page: %v, %v", none.pages[1].outcome, none.entries)
	}
}

// TestParts: first and last words of names of people, what the word is more often; titles come before them.
func TestParts(t *testing.T) {
	singer := "X/NN is/VBZ [a/DT singer/NN]"
	docs := []*text.Document{document("Jimi Lee", nil, singer), document("Ann Lee (singer)", nil, singer),
		document("Lee Marvin", nil, singer), document("Ann Oslo", nil, singer),
		document("Oslo", nil, "X/NN is/VBZ [a/DT city/NN]"), document("Mono", nil, singer), document("Yo Yo 2", nil, singer),
		document("Big River", nil, "X/NN is/VBZ [a/DT river/NN]")}
	lex := gazetteer.NewLexicon([]string{"word", "class"}, "exact")
	lex.Add([]string{"singer", "person"})
	res := kindtest.Resources{Lexicons: map[string]kind.Lexicon{"classes": lex}}
	m := train(t, docs, res, kindtest.Arg("name_parts", true), kindtest.Arg("coarse", "classes"))
	got := rows(t, m, "labelled")[len(docs):]
	if want := []string{"Jimi|given_name", "Lee|surname", "Ann|given_name", "Marvin|surname",
		"Yo|given_name"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := rows(t, m, "classes"); !slices.Contains(got, "Mono|person") ||
		slices.ContainsFunc(got, func(s string) bool { return strings.HasPrefix(s, "Oslo|") }) {
		t.Errorf("classes: %q", got)
	}
	if got := rows(t, train(t, docs, nil, kindtest.Arg("name_parts", true), kindtest.Arg("persons", "singer")),
		"labelled"); !slices.Contains(got, "Marvin|surname") {
		t.Errorf("by the label: %q", got)
	}
}

// TestRareAndCommon: labels of few pages are left out, and titles that are common words.
func TestRareAndCommon(t *testing.T) {
	docs := []*text.Document{document("Self", nil, "The/DT self/NN is/VBZ [a/DT book/NN] on/IN a/DT self/NN"),
		document("Oslo", nil, "Oslo/NNP is/VBZ [a/DT city/NN]"), document("Rome", nil, "Rome/NNP is/VBZ [a/DT city/NN]")}
	m := train(t, docs, nil, kindtest.Arg("min_label_count", 2), kindtest.Arg("min_capital", 0.5))
	if got := rows(t, m, "entries"); !slices.Equal(got, []string{"Oslo|city|-|Oslo|title", "Rome|city|-|Rome|title"}) {
		t.Errorf("%q", got)
	}
	if m.pages[0].outcome != rareLabel {
		t.Errorf("book: %v", m.pages[0].outcome)
	}
	if got := rows(t, m, "labels"); !slices.Equal(got, []string{"city|-|2|2"}) {
		t.Errorf("%q", got)
	}
}

// matched are columns of B and I over tokens, leftmost longest.
func matched(entries []gazetteer.Entry, forms []string, labelled bool) []string {
	trie := gazetteer.New(gazetteer.Options{}, entries)
	out := make([]string, len(forms))
	for i := 0; i < len(forms); {
		n, l := trie.Match(forms, i)
		for k := range n {
			out[i+k] = "I"
			if k == 0 {
				out[i] = "B"
			}
			if labelled {
				out[i+k] += "-" + strings.Join(l, "+")
			}
		}
		i += max(n, 1)
	}
	return out
}

// TestMatching: the columns of "Rare Jimi Hendrix song draft …", where the longest phrase need not have a label.
func TestMatching(t *testing.T) {
	nothing := "Jimi/NNP may/MD refer/VB to/IN :/:"
	docs := []*text.Document{document("Jimi Hendrix", nil, "He/PRP was/VBD [a/DT guitarist/NN]"),
		document("Jimi", nil, nothing), document("Hendrix", nil, "H/NNP is/VBZ [a/DT surname/NN]"),
		document("Rare", nil, nothing), document("Jimi Hendrix song", nil, nothing)}
	m := train(t, docs, nil)
	var all, some []gazetteer.Entry
	for i := range m.entries {
		tokens := strings.Fields(m.entries[i].phrase)
		all = append(all, gazetteer.Entry{Tokens: tokens})
		if l := m.labelOf(&m.entries[i]); l != "" {
			some = append(some, gazetteer.Entry{Tokens: tokens, Labels: []string{l}})
		}
	}
	forms := strings.Fields("Rare Jimi Hendrix song draft sells for almost $ 17,000 .")
	if got := matched(all, forms, false); strings.Join(got, " ") != "B B I I       " {
		t.Errorf("matches: %q", got)
	}
	if got := matched(some, forms, true); strings.Join(got, " ") != " B-guitarist I-guitarist        " {
		t.Errorf("labels: %q", got)
	}
}

// TestLongest: leftmost longest tags are those of all spans, taken by start, then length, without overlaps.
func TestLongest(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	for range 200 {
		known := map[string]bool{}
		var entries []gazetteer.Entry
		for range rng.IntN(12) {
			var tokens []string
			for range 1 + rng.IntN(4) {
				tokens = append(tokens, string(rune('a'+rng.IntN(3))))
			}
			known[strings.Join(tokens, " ")] = true
			entries = append(entries, gazetteer.Entry{Tokens: tokens})
		}
		forms := make([]string, 12)
		for i := range forms {
			forms[i] = string(rune('a' + rng.IntN(3)))
		}
		var spans [][2]int
		for i := range forms {
			for j := i + 1; j <= len(forms); j++ {
				if known[strings.Join(forms[i:j], " ")] {
					spans = append(spans, [2]int{i, j})
				}
			}
		}
		sort.SliceStable(spans, func(a, b int) bool {
			return spans[a][0] < spans[b][0] || spans[a][0] == spans[b][0] && spans[a][1] > spans[b][1]
		})
		want, end := make([]string, len(forms)), 0
		for _, s := range spans {
			if s[0] < end {
				continue
			}
			want[s[0]], end = "B", s[1]
			for k := s[0] + 1; k < s[1]; k++ {
				want[k] = "I"
			}
		}
		if got := matched(entries, forms, false); !slices.Equal(got, want) {
			t.Fatalf("%v in %v: %q, want %q", known, forms, got, want)
		}
	}
}

func TestNothing(t *testing.T) {
	m, s := &model{}, &option.Set{}
	m.Options(s)
	if err := s.Apply(nil); err != nil {
		t.Fatal(err)
	}
	err := m.Train(context.Background(), &kind.Training{On: kind.Documents(nil), Report: func(kind.Progress) {},
		Notice: func(string) {}})
	if !errors.Is(err, kind.ErrNoData) {
		t.Errorf("without pages: %v", err)
	}
}

func TestContract(t *testing.T) {
	var docs []*text.Document
	nouns := []string{"city", "singer", "river"}
	for i := range 60 {
		docs = append(docs, document(fmt.Sprintf("Page%d Name%d", i, i%7), nil, "It/PRP is/VBZ [a/DT "+nouns[i%3]+"/NN]"))
	}
	docs = append(docs, document("Old", []string{redirectField, "Page1 Name1"}))
	lex := gazetteer.NewLexicon([]string{"word", "class"}, "exact")
	lex.Add([]string{"singer", "person"})
	res := kindtest.Resources{Lexicons: map[string]kind.Lexicon{"classes": lex}}
	kindtest.Run(t,
		kindtest.Case{Kind: Kind(), Train: docs, Resources: res,
			Options: []option.Arg{kindtest.Arg("coarse", "classes"), kindtest.Arg("name_parts", true)}})
	kindtest.Run(t, kindtest.Case{Kind: Kind(), Train: docs, Options: []option.Arg{kindtest.Arg("noun_phrases", "tags")}})
}
