package metrics

import (
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"parlance/algo/text"

	"pgregory.net/rapid"
)

// cutText returns a document of words with tags, word/TAG, written with a glue between them; a line is a sentence.
func cutText(glue, written string) *text.Document {
	d := &text.Document{ID: "d"}
	toks, sents := text.NewLayer(text.Tokens), text.NewLayer(text.Sentences)
	for s, line := range strings.Split(written, "\n") {
		from := int32(len(d.Text))
		end := from
		for t, w := range strings.Fields(line) {
			form, tag, _ := strings.Cut(w, "/")
			at := int32(len(d.Text))
			end = at + int32(len(form))
			for c, v := range []int32{int32(s + 1), int32(t + 1), at, end} {
				toks.Cols[c].Ints = append(toks.Cols[c].Ints, v)
			}
			toks.SetStrs("form", append(toks.Strs("form"), form))
			toks.SetStrs("upos", append(toks.Strs("upos"), tag))
			toks.N++
			d.Text += form + glue
		}
		for c, v := range []int32{int32(s + 1), from, end} {
			sents.Cols[c].Ints = append(sents.Cols[c].Ints, v)
		}
		sents.N++
	}
	d.SetLayer(toks)
	d.SetLayer(sents)
	return d
}

// TestSegmentationByHand has ab cd ef cut as ab c d ef, two of three words right, of which one has its tag.
func TestSegmentationByHand(t *testing.T) {
	v := &Vocabulary{Words: map[string]bool{"ab": true, "ef": true},
		Tagged: map[[2]string]bool{{"ab", "NR"}: true, {"ef", "NN"}: true}}
	list := scored(t, NewSegmentation(Options{Known: v}), cutText("", "ab/NR cd/NR ef/NN"),
		cutText("", "ab/NR c/NN d/NN ef/VV"))
	for name, want := range map[string]float64{"recall": 2. / 3, "precision": 0.5, "f1": 4. / 7, "tagged_recall": 1. / 3,
		"tagged_precision": 0.25, "tagged_f1": 2. / 7,
		"oov_recall": 0, "iv_recall": 1, "tagged_iv_recall": 0.5, "tagged_oov_recall": 0, "oov_rate": 1. / 3} {
		near(t, name, find(t, list, name, All).Value(), want)
	}
	if find(t, list, "oov_recall", All).Support != 1 || Main(list).Name != "f1" {
		t.Errorf("one unknown word, f1 the main metric: %+v", Main(list).Name)
	}
}

// TestWordsOfOneToken has two words with the ends of one token, as del of de and el: both against both, and against
// one.
func TestWordsOfOneToken(t *testing.T) {
	two := func() *text.Document {
		d := cutText("", "de/P el/D")
		l := d.Layer("tokens")
		l.SetInts("char_start", []int32{0, 0})
		l.SetInts("char_end", []int32{4, 4})
		return d
	}
	near(t, "both", find(t, scored(t, NewSegmentation(Options{}), two(), two()), "tagged_f1", All).Value(), 1)
	one := cutText("", "deel/P")
	near(t, "one of two", find(t, scored(t, NewSegmentation(Options{}), two(), one), "recall", All).Value(), 0.5)
	near(t, "two for one", find(t, scored(t, NewSegmentation(Options{}), one, two()), "precision", All).Value(), 0.5)
}

// TestPublishedRecalls has the counts behind a published table: 214 of 278 unknown and 7,657 of 7,730 known words.
func TestPublishedRecalls(t *testing.T) {
	u := Units{}
	u.Add(7871, 0, 137, 7657, 7730, 214, 278)
	for at, want := range map[int]float64{wordKnown + 2: 0.7698, wordKnown: 0.9906} {
		if got := Share(at, at+1).of(u.sums(wordWidth)); math.Abs(got-want) > 5e-5 {
			t.Errorf("recall %v, want %v", got, want)
		}
	}
}

// TestWordsAsText compares words of different white space: a sentence each, two words to one.
func TestWordsAsText(t *testing.T) {
	list := scored(t, NewSegmentation(Options{}), cutText(" ", "the end\nnow !"), cutText("\n  ", "the end now !"))
	near(t, "words in other space", find(t, list, "f1", All).Value(), 1)
	if find(t, list, "f1", All).Units.Len() != 2 {
		t.Error("units are not the gold sentences")
	}
	s := NewSegmentation(Options{})
	if err := s.document(cutText("", "ab"), cutText("", "abc")); err == nil ||
		!strings.Contains(err.Error(), "different texts") {
		t.Errorf("ab and abc are compared: %v", err)
	}
	near(t, "nothing predicted", find(t, scored(t, s, cutText("", "ab c"), &text.Document{Text: "abc"}), "recall",
		All).Value(), 0)
}

// TestSegmentationByDefinition compares with sets of ends, and a vocabulary without tags with one of all words.
func TestSegmentationByDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		chars := rapid.SliceOfN(rapid.SampledFrom([]string{"中", "a", "é"}), 1, 12).Draw(t, "text")
		draw := func(side string) (string, map[[2]int]string) {
			var b strings.Builder
			set, from, n := map[[2]int]string{}, 0, 0
			word := ""
			for i, c := range chars {
				word += c
				n++
				if i == len(chars)-1 || rapid.Bool().Draw(t, side) {
					tag := rapid.SampledFrom([]string{"N", "V"}).Draw(t, "tag")
					b.WriteString(word + "/" + tag + " ")
					set[[2]int{from, n}] = word + "/" + tag
					from, word = n, ""
				}
			}
			return b.String(), set
		}
		gold, g := draw("gold")
		predicted, p := draw("predicted")
		right, same := 0., 0.
		for w, x := range g {
			if y, ok := p[w]; ok {
				right++
				if x == y {
					same++
				}
			}
		}
		list := scored(t, NewSegmentation(Options{Known: &Vocabulary{Words: map[string]bool{"a": true}}}), cutText("", gold),
			cutText(" ", predicted))
		for name, want := range map[string]float64{"precision": right / float64(len(p)), "recall": right / float64(len(g)),
			"tagged_precision": same / float64(len(p)), "tagged_recall": same / float64(len(g))} {
			if got := find(t, list, name, All).Value(); math.Abs(got-want) > 1e-6 {
				t.Fatalf("%s as %s: %s is %v, want %v", gold, predicted, name, got, want)
			}
		}
		known := 0.
		for _, x := range g {
			if strings.HasPrefix(x, "a/") {
				known++
			}
		}
		if got := find(t, list, "iv_recall", All).Support; got != known {
			t.Fatalf("%s: %v known words, want %v", gold, got, known)
		}
	})
}

// TestSentenceBoundaries has boundaries after 2, 4 and 6 words of which one is found and one is wrong.
func TestSentenceBoundaries(t *testing.T) {
	gold, predicted := cutText(" ", "a b\nc d\ne f\ng h"), cutText("  ", "a b\nc\nd e f g h")
	list := scored(t, NewSentences(Options{}), gold, predicted)
	for name, want := range map[string]float64{"precision": 0.5, "recall": 1. / 3, "f1": 0.4, "whole_precision": 1. / 3,
		"whole_recall": 1. / 4} {
		near(t, name, find(t, list, name, All).Value(), want)
	}
	near(t, "itself", find(t, scored(t, NewSentences(Options{}), gold, gold), "f1", All).Value(), 1)
	s := NewSentences(Options{})
	if err := s.document(gold, cutText("", "x")); err == nil {
		t.Error("different texts are compared")
	}
	if scored(t, s, &text.Document{}, &text.Document{}); s.boundaries.Len() != 0 {
		t.Error("a document without sentences counts")
	}
}

// TestPlaces counts characters that are no white space, also over bytes that are no UTF-8.
func TestPlaces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.SampledFrom([]string{"a b", "é\u00a0x", "\xff a", "中  文", ""}).Draw(t, "s") + rapid.String().Draw(t,
			"more")
		at := places(s)
		for i := range len(s) + 1 {
			if i < len(s) && !utf8.RuneStart(s[i]) {
				continue
			}
			n, rest := 0, s[:i]
			for {
				_, size := visible(rest)
				if size == 0 {
					break
				}
				n, rest = n+1, rest[size:]
			}
			if int(at[i]) != n {
				t.Fatalf("%q: %d characters before %d, want %d", s, at[i], i, n)
			}
		}
	})
}
