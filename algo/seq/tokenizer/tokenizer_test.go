package tokenizer

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"
	"unicode"

	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/option"
	"parlance/algo/text"

	"pgregory.net/rapid"
)

// document makes a document of sentences written with blanks between tokens. ~ before a token says that no white space
// stands before it; a sentence that begins with ¶ begins a paragraph.
func document(id string, sentences ...string) *text.Document {
	var b strings.Builder
	l := text.NewLayer(text.Tokens)
	var ints [4][]int32
	var forms []string
	for s, sentence := range sentences {
		if rest, ok := strings.CutPrefix(sentence, "¶"); ok {
			b.WriteString("\n\n")
			sentence = rest
		}
		for k, token := range strings.Fields(sentence) {
			form, glued := strings.CutPrefix(token, "~")
			if !glued && b.Len() > 0 {
				b.WriteString(" ")
			}
			for c, v := range [4]int{s + 1, k + 1, b.Len(), b.Len() + len(form)} {
				ints[c] = append(ints[c], int32(v))
			}
			b.WriteString(form)
			forms = append(forms, form)
		}
	}
	l.N = len(forms)
	for c, name := range []string{"sent", "tok", "char_start", "char_end"} {
		l.SetInts(name, ints[c])
	}
	l.SetStrs("form", forms)
	d := &text.Document{ID: id, Text: b.String()}
	d.SetLayer(l)
	return d
}

// corpus has sentences that end with a full stop or with none, abbreviations, contractions and commas.
func corpus(n int) (out []*text.Document) {
	names := []string{"Ann", "Bob", "Carla", "Dan", "Eve", "Finn", "Gail"}
	verbs := []string{"runs", "sleeps", "reads", "waits", "sings"}
	for i := range n {
		name, verb, next := names[i%7], verbs[i%5], names[(i+3)%7]
		out = append(out, document(fmt.Sprint(i),
			fmt.Sprintf("Dr. %s %s ~, but %s do ~n't ~.", name, verb, strings.ToLower(next)),
			fmt.Sprintf("%s %s ~.", next, verbs[(i+1)%5]),
			fmt.Sprintf("We %s%d ~!", verb, i),
			fmt.Sprintf("%s %s ~.", name, verbs[(i+2)%5]),
			fmt.Sprintf("¶Mr. %s is here", name),
			fmt.Sprintf("¶%s %s ~; it ~'s no. %d ~.", next, verb, i)))
	}
	return out
}

func TestKind(t *testing.T) {
	docs, arg := corpus(30), kindtest.Arg
	kindtest.Variants(t, kindtest.Case{Kind: Kind(), Train: docs[:20], Test: docs[20:], Gold: kind.Documents(docs[20:]),
		Options: []option.Arg{arg("iterations", 20)}}, map[string][]option.Arg{
		"default": nil,
		"options": {arg("min_count", 2), arg("lines", "learn"), arg("character_features", "form[-1..1], lemma[0]"),
			arg("sentence_features", "form[-1..0]")},
	})
}

// fitted is a model of documents.
func fitted(t *testing.T, docs kind.Documents, args ...option.Arg) *model {
	t.Helper()
	m, _ := fittedTelling(t, docs, args...)
	return m
}

// fittedTelling is a model of documents, with the notices of its training.
func fittedTelling(t *testing.T, docs kind.Documents, args ...option.Arg) (m *model, notices []string) {
	t.Helper()
	set := &option.Set{}
	m = &model{}
	m.Options(set)
	if err := set.Apply(args); err != nil {
		t.Fatal(err)
	}
	err := m.Train(context.Background(), &kind.Training{On: docs, Seed: 1, Workers: 1, Report: func(kind.Progress) {},
		Notice: func(s string) { notices = append(notices, s) }})
	if err != nil {
		t.Fatal(err)
	}
	return m, notices
}

// cutUp is what a model makes of a text: tokens, sentences parted by |.
func cutUp(t *testing.T, m *model, s string) string {
	t.Helper()
	d := &text.Document{Text: s}
	if err := m.Annotate(context.Background(), []*text.Document{d}, &kind.Run{Workers: 1}); err != nil {
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
		out = append(out, f)
	}
	return strings.Join(out, " ")
}

// TestLearns: chunks that were not seen are cut as ones like them, and sentences end where sentences like them did.
func TestLearns(t *testing.T) {
	m := fitted(t, corpus(40))
	for _, c := range [][2]string{
		{"Dr. Hal naps, but ivy don't. Joe naps. We naps77! Kim waits.",
			"Dr. Hal naps , but ivy do n't . | Joe naps . | We naps77 ! | Kim waits ."},
		{"Mr. Hal is here\n\nAnn sleeps; it's no. 7.", "Mr. Hal is here | Ann sleeps ; it 's no. 7 ."},
		{"Mr. Hal is\nhere", "Mr. Hal is here"},
		{" \n ", ""},
		{"", ""},
		{"don't.", "do n't ."},
	} {
		if got := cutUp(t, m, c[0]); got != c[1] {
			t.Errorf("%q: %s, want %s", c[0], got, c[1])
		}
	}
}

// TestLines: with lines = learn a line feed is what sentences begin behind, and a blank in its place is not.
func TestLines(t *testing.T) {
	var docs kind.Documents
	for i := range 60 {
		letter := func(k int) string { return string([]byte{'a' + byte((i+k)*(i+3*k+1)/2%5)}) }
		d := document(fmt.Sprint(i), letter(1)+" "+letter(2)+" "+letter(3), letter(4)+" "+letter(5), letter(6)+" "+letter(7))
		for _, at := range []int{5, 9} {
			d.Text = d.Text[:at] + "\n" + d.Text[at+1:]
		}
		docs = append(docs, d)
	}
	if got := cutUp(t, fitted(t, docs, kindtest.Arg("lines", "learn")), "c a\nb a"); got != "c a | b a" {
		t.Errorf("learned: %s", got)
	}
	m := fitted(t, docs)
	if a, b := cutUp(t, m, "c a\nb a"), cutUp(t, m, "c a b a"); a != b {
		t.Errorf("as a blank: %s and %s", a, b)
	}
}

// TestTokensWithBlanks: a token that holds white space is learned as its parts, which is told, and a number is not cut
// within its digits.
func TestTokensWithBlanks(t *testing.T) {
	var docs []*text.Document
	for i := range 60 {
		d := document(fmt.Sprint(i), fmt.Sprintf("Il a %d_%03d livres ~.", i*13%300+1, i*170%1000), "Il part ~.")
		d.Text = strings.ReplaceAll(d.Text, "_", " ")
		l := d.Layer(text.Tokens.Name)
		forms := l.Strs("form")
		for k, form := range forms {
			forms[k] = strings.ReplaceAll(form, "_", " ")
		}
		docs = append(docs, d)
	}
	m, notices := fittedTelling(t, docs)
	for _, c := range [][2]string{
		{"Il a 25 500 livres.", "Il a 25 500 livres ."},
		{"Il a 140 000 voix. Il part.", "Il a 140 000 voix . | Il part ."},
	} {
		if got := cutUp(t, m, c[0]); got != c[1] {
			t.Errorf("%q: %s, want %s", c[0], got, c[1])
		}
	}
	want := "tokens that hold white space: 60; it always ends a token, so their parts are learned"
	if !slices.Contains(notices, want) {
		t.Errorf("notices %q, want %q", notices, want)
	}
	if _, notices := fittedTelling(t, corpus(5)); slices.ContainsFunc(notices, func(s string) bool {
		return strings.Contains(s, "white space")
	}) {
		t.Errorf("notices of tokens without blanks: %q", notices)
	}
}

// TestDivide: a part in the middle of a sentence begins none, the first part does; a token of white space alone has no
// part, and what follows begins the sentence in its place.
func TestDivide(t *testing.T) {
	g := &gold{tokens: []span{{0, 3}, {4, 7}, {7, 8}, {8, 9}}, forms: []string{"1 2", "3 4", " ", "5"},
		first: []bool{true, false, true, false}, starts: map[int32]bool{}}
	n := g.divide("1 2 3 4 5")
	if n != 3 || !slices.Equal(g.first, []bool{true, false, false, false, true}) ||
		!slices.Equal(g.tokens, []span{{0, 1}, {2, 3}, {4, 5}, {6, 7}, {8, 9}}) ||
		!slices.Equal(g.forms, []string{"1", "2", "3", "4", "5"}) {
		t.Errorf("%d tokens are divided: %+v", n, g)
	}
	blank := document("blank", "_")
	blank.Text, blank.Layer(text.Tokens.Name).Strs("form")[0] = " ", " "
	fitted(t, append(corpus(2), blank)) // a document without a part is left out
}

// TestWithoutParagraphs: what ends a sentence before blank lines alone in training ends it without them too.
func TestWithoutParagraphs(t *testing.T) {
	var docs kind.Documents
	for i := range 40 {
		letter := func(k int) string { return string([]byte{'a' + byte((i+k)*(i+3*k+1)/2%5)}) }
		docs = append(docs, document(fmt.Sprint(i), letter(1)+" "+letter(2)+" end", "¶"+letter(3)+" "+letter(4)+" end"))
	}
	if got := cutUp(t, fitted(t, docs), "c a end b d"); got != "c a end | b d" {
		t.Error(got)
	}
}

// TestSeen: a chunk is cut as it mostly was; one that was seen less than min_count is left to its characters.
func TestSeen(t *testing.T) {
	docs := append(corpus(20), document("x", "do ~nt do ~nt dont"), document("y", "cannot", "can ~not"))
	m := fitted(t, docs)
	if got := cutUp(t, m, "dont cannot"); got != "do nt can not" {
		t.Errorf("%s", got)
	}
	if k := m.known["dont"]; k.count != 2 || k.total != 3 || k.prob() != 2.5/4 {
		t.Errorf("%+v", k)
	}
	if k, ok := fitted(t, docs, kindtest.Arg("min_count", 4)).known["dont"]; ok {
		t.Errorf("%+v", k)
	}
}

// TestOverlapping: of words that share their text the first is learned; a chunk with text in no token is left out.
func TestOverlapping(t *testing.T) {
	d := document("x", "im Haus", "zum Haus")
	l := d.Layer("tokens")
	l.SetInts("char_end", []int32{2, 7, 11, 16})
	l.SetInts("char_start", []int32{0, 3, 8, 8})
	g := goldOf(d)
	if len(g.tokens) != 3 {
		t.Errorf("%+v", g.tokens)
	}
	seen := tally{}
	g.count(d.Text, seen)
	if got := seen.chunks(); !slices.Equal(got, []string{"Haus", "im", "zum"}) {
		t.Errorf("%v", got)
	}
}

// TestChunks: chunks are what fields are, at their places.
func TestChunks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringOf(rapid.SampledFrom([]rune(" \n\u3000aé.\u0085"))).Draw(t, "text")
		var got []string
		chunks(s, func(c span) bool { got = append(got, s[c.from:c.to]); return true })
		if want := strings.FieldsFunc(s, unicode.IsSpace); !slices.Equal(got, want) {
			t.Fatalf("%q: %q, want %q", s, got, want)
		}
	})
}

// TestInvariants: whatever the text, tokens cover all but white space and divide no character.
func TestInvariants(t *testing.T) {
	m := fitted(t, corpus(20))
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOf(rapid.SampledFrom([]string{"don't", "Dr.", "\n\n", " ", "Ann", "runs.", "é", "İ", "日本", "...",
			"\u3000", "7,5",
			"\u0301", "́'s"})).Draw(t, "parts")
		s := strings.Join(parts, "")
		d := &text.Document{Text: s}
		if err := m.Annotate(context.Background(), []*text.Document{d}, &kind.Run{Workers: 1, Prob: true}); err != nil {
			t.Fatal(err)
		}
		l := d.Layer("tokens")
		if err := d.VerifyTokens(l); err != nil {
			t.Fatal(err)
		}
		if got, want := strings.Join(l.Strs("form"), ""), strings.Join(strings.Fields(s), ""); got != want {
			t.Fatalf("%q for %q", got, want)
		}
	})
}

// TestScores: EVALUATE counts words, and sentences with both ends right.
func TestScores(t *testing.T) {
	m := fitted(t, corpus(40))
	gold := kind.Documents{document("x", "Dr. Ann runs ~.", "Bob sleeps ~. We wait77 ~!")}
	list, err := m.Evaluate(context.Background(), gold, &kind.Run{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]float64{}
	for _, x := range list {
		got[x.Name] = x.Value()
	}
	if got["f1"] != 1 || got["sentence_whole_precision"] != 1.0/3 || got["sentence_whole_recall"] != 0.5 ||
		got["sentence_precision"] != 0.5 || got["sentence_recall"] != 1 {
		t.Errorf("%v", got)
	}
}

// TestPrune: the weights that stay are those of the whole model from the limit on, and their attributes alone.
func TestPrune(t *testing.T) {
	const least = 0.25
	docs := kind.Documents(corpus(40))
	whole, pruned := fitted(t, docs, kindtest.Arg("prune", 0)), fitted(t, docs, kindtest.Arg("prune", least))
	for i, c := range [][2]cutter{{whole.chunk, pruned.chunk}, {whole.sentences, pruned.sentences}} {
		weights := func(c cutter) map[string]float64 {
			out := map[string]float64{}
			for w := range c.Chain.States() {
				out[fmt.Sprintf("%s %d", c.Alphabet.Name(w.Attr), w.Label)] = w.Weight
			}
			return out
		}
		want, attributes := map[string]float64{}, map[uint32]bool{}
		for w := range c[0].Chain.States() {
			if math.Abs(w.Weight) >= least {
				want[fmt.Sprintf("%s %d", c[0].Alphabet.Name(w.Attr), w.Label)] = w.Weight
				attributes[w.Attr] = true
			}
		}
		if got := weights(c[1]); len(want) == len(weights(c[0])) || len(want) == 0 || !maps.Equal(got, want) {
			t.Errorf("model %d: %d of %d weights stay, want %d", i, len(got), len(weights(c[0])), len(want))
		}
		if c[1].Alphabet.Len() != len(attributes) {
			t.Errorf("model %d: %d attributes stay, want %d", i, c[1].Alphabet.Len(), len(attributes))
		}
		if !slices.Equal(slices.Collect(c[0].Chain.Transitions()), slices.Collect(c[1].Chain.Transitions())) {
			t.Errorf("model %d has other transitions", i)
		}
	}
}

// TestRefuses: what cannot be learned from.
func TestRefuses(t *testing.T) {
	m, set := &model{}, &option.Set{}
	m.Options(set)
	if err := set.Apply([]option.Arg{kindtest.Arg("sentence_features", "fom[0]")}); err == nil ||
		!strings.Contains(err.Error(), "form") {
		t.Errorf("%v", err)
	}
	if err := set.Apply([]option.Arg{kindtest.Arg("character_features", "upos[0]")}); err == nil {
		t.Error("templates may read the label")
	}
	m = &model{}
	set = &option.Set{}
	m.Options(set)
	if err := set.Apply(nil); err != nil {
		t.Fatal(err)
	}
	err := m.Train(context.Background(), &kind.Training{On: kind.Documents{{ID: "x", Text: "a b"}},
		Report: func(kind.Progress) {}, Notice: func(string) {}})
	if !errors.Is(err, kind.ErrNoData) {
		t.Errorf("%v", err)
	}
}

// TestLong: a chunk of any length, and many chunks, are cut in time that grows with them, and end with the context.
func TestLong(t *testing.T) {
	m := fitted(t, corpus(20))
	for _, s := range []string{strings.Repeat("a.", 1<<17), strings.Repeat("b ", 1<<17), strings.Repeat("日", 1<<16)} {
		if got := cutUp(t, m, s); len(got) < len(s)/2 {
			t.Errorf("%d bytes of %d", len(got), len(s))
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := m.Annotate(ctx, []*text.Document{{Text: s}}, &kind.Run{}); !errors.Is(err, context.Canceled) {
			t.Errorf("%v", err)
		}
	}
}

func FuzzCut(f *testing.F) {
	docs := corpus(12)
	m, set := &model{}, &option.Set{}
	m.Options(set)
	if err := set.Apply([]option.Arg{kindtest.Arg("iterations", 5)}); err != nil {
		f.Fatal(err)
	}
	if err := m.Train(context.Background(), &kind.Training{On: kind.Documents(docs), Report: func(kind.Progress) {},
		Notice: func(string) {}}); err != nil {
		f.Fatal(err)
	}
	f.Add("Dr. Ann don't.\n\nx")
	f.Add("\u0301a\u3000")
	f.Fuzz(func(t *testing.T, s string) {
		d := &text.Document{Text: strings.ToValidUTF8(s, "?")}
		if err := m.Annotate(context.Background(), []*text.Document{d}, &kind.Run{}); err != nil {
			t.Fatal(err)
		}
		if err := d.VerifyTokens(d.Layer("tokens")); err != nil {
			t.Fatal(err)
		}
	})
}
