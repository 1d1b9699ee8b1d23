package feature

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"parlance/algo/kind"
	"parlance/algo/text"
)

// withColumns keeps the named columns of the tokens, as a reader that gives no more does.
func withColumns(d *text.Document, names ...string) *text.Document {
	out, l := *d, *d.Layer("tokens")
	l.Cols = slices.Clone(l.Cols)
	for i, c := range l.Def.Columns {
		if i > 1 && !slices.Contains(names, c.Name) {
			l.Cols[i] = text.Col{}
		}
	}
	out.Layers = []*text.Layer{&l}
	return &out
}

// TestLayersSuffice extracts from documents that carry what Layers asks for and no more.
func TestLayersSuffice(t *testing.T) {
	d := document("In/IN New/NNP York/NNP", "He/PRP grows/VBZ")
	for _, notation := range []string{"xpos[-1..1]", "bos, eos", "form[0], xpos[0]", "suffix(1)[0]",
		"gazetteer(cities)[0]", "ngram(2)", "char_ngram(3)"} {
		less := &text.Document{ID: d.ID, Text: d.Text}
		for _, use := range must(t, notation).Layers() {
			less.SetLayer(withColumns(d, use.Columns...).Layer(use.Layer))
		}
		if got, want := names(t, notation, less), names(t, notation, d); !slices.Equal(got, want) {
			t.Errorf("%s gives %q of what it asks for, %q of everything", notation, got, want)
		}
	}
}

// TestMissingColumns checks that NULL columns give no attributes, and every token an item.
func TestMissingColumns(t *testing.T) {
	d := withColumns(document("In/IN New/NNP"))
	for _, notation := range []string{"form[0]", "xpos[0]", "length[0], is_title[0], shape[0]",
		"lexicon(clusters, bits)[0]", "gazetteer(cities)[0]"} {
		if got := names(t, notation, d); !slices.Equal(got, []string{"", ""}) {
			t.Errorf("%s gives %q for tokens without columns", notation, got)
		}
	}
}

// TestSameMeaningAfterString compares what a set extracts with what its canonical notation does.
func TestSameMeaningAfterString(t *testing.T) {
	d := document("a/X b/Y c/Z", "d/X")
	for notation, canonical := range map[string]string{
		"bos[1]":                 "bos[1]",
		"bos[-1..1], eos[0]":     "bos[-1], bos, bos[1], eos",
		"bos[-1]|form[0]":        "bos[-1]|form[0]",
		"prefix(01)[0], bias[1]": "prefix(1)[0], bias[1]",
		"lower(form)[0]":         "lower[0]",
		"lexicon(a, b, 02)[+1]":  "lexicon(a, b, 2)[1]",
		"prefix(2)[0], prefix(02)[0], form[0]|xpos[-1], " +
			"form[-1..0]|xpos[0..1]": "prefix(2)[0], form[0]|xpos[-1], form[-1]|xpos[0], form[0]|xpos[1]",
	} {
		s := must(t, notation)
		if s.String() != canonical {
			t.Errorf("%s is %s, want %s", notation, s, canonical)
		}
		if got, want := names(t, s.String(), d), names(t, notation, d); !slices.Equal(got, want) {
			t.Errorf("%s gives %q, its canonical notation %q", notation, want, got)
		}
	}
	if got, want := names(t, "bos[-1], eos[1]", d), []string{"", "bos[-1]=1 eos[1]=1", "", ""}; !slices.Equal(got, want) {
		t.Errorf("offsets of sentence ends give %q, want %q", got, want)
	}
}

// TestErrorPlaces checks the characters that errors name, beyond ASCII too.
func TestErrorPlaces(t *testing.T) {
	for notation, want := range map[string]string{
		"# größer\nform[0], sufix(3)[0]": "character 19: unknown atom sufix",
		"form[0], word":                  "character 10: templates of tokens and of documents do not mix",
		"word; form[0]":                  "character 7: templates of tokens and of documents do not mix",
		"form[0]\nweight(count)":         "character 9: templates of tokens and of documents do not mix",
		"lower(lemma)[0]":                "lower is written lower[offset]",
	} {
		if _, err := Parse(notation); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want one with %q", notation, err, want)
		}
	}
	var many strings.Builder
	for i := range maxTemplates/41 + 1 {
		fmt.Fprintf(&many, "lexicon(l%d, c)[-20..20], ", i)
	}
	if _, err := Parse(many.String()); err == nil || !strings.Contains(err.Error(), "at most") {
		t.Errorf("a set without end gives %v", err)
	}
}

// TestNgramsStayApart gives forms with blanks, which multiword tokens have.
func TestNgramsStayApart(t *testing.T) {
	d := document("a_b c x a b_c")
	forms := d.Layer("tokens").Strs("form")
	for i, f := range forms {
		forms[i] = strings.ReplaceAll(f, "_", " ")
	}
	got := strings.Split(names(t, "ngram(2)", d)[0], "ngram(2)=")[1:]
	if len(got) != 4 {
		t.Errorf("bigrams %q, want 4 different ones", got)
	}
}

// TestPrunedValues compares values after Prune with those that the pruned alphabet extracts.
func TestPrunedValues(t *testing.T) {
	docs := []*text.Document{document("the cat sat on the mat"), document("the dog sat"), document("a bird sang"),
		document("zebra")}
	for _, weight := range []string{"binary", "count", "log", "tfidf"} {
		for _, norm := range []string{"none", "l2"} {
			a := NewAlphabet(must(t, "ngram(1), ngram(2), weight("+weight+"), norm("+norm+")"))
			e, err := NewExtractor(a, nil)
			if err != nil {
				t.Fatal(err)
			}
			var rows, got Rows
			for _, d := range docs {
				e.Grow(d, &rows)
			}
			e.Finish(&rows)
			p, err := Prune(t.Context(), a, &rows, 2)
			if err != nil {
				t.Fatal(err)
			}
			x, _ := NewExtractor(p, nil)
			for _, d := range docs {
				x.Extract(d, &got)
			}
			if !slices.Equal(got.Attrs, rows.Attrs) || !slices.Equal(got.Offsets, rows.Offsets) ||
				len(got.Values) != len(rows.Values) {
				t.Fatalf("%s, %s: pruned rows differ", weight, norm)
			}
			for i, v := range rows.Values {
				if math.Abs(float64(v-got.Values[i])) > 1e-6 {
					t.Errorf("%s, %s: value %d is %g in training, %g later", weight, norm, i, v, got.Values[i])
				}
			}
		}
	}
}

// TestFrozen checks that a frozen alphabet numbers nothing and stays as it is.
func TestFrozen(t *testing.T) {
	for _, notation := range []string{"form[0], form[-1]|form[0]", "word, weight(tfidf)"} {
		a := NewAlphabet(must(t, notation))
		e, _ := NewExtractor(a, nil)
		var r Rows
		e.Grow(document("a b"), &r)
		before := sections{}
		if err := a.Encode(before.writer()); err != nil {
			t.Fatal(err)
		}
		a.Freeze()
		e.Grow(document("b c a b"), &r)
		after := sections{}
		if err := a.Encode(after.writer()); err != nil {
			t.Fatal(err)
		}
		again, err := DecodeAlphabet(a.Set(), after.reader())
		if err != nil {
			t.Fatal(err)
		}
		if !a.Frozen() || !again.Frozen() {
			t.Errorf("%s: not frozen", notation)
		}
		for name, p := range before {
			if !slices.Equal(p, after[name]) {
				t.Errorf("%s: %s changed", notation, name)
			}
		}
	}
}

// TestClones extracts at once with clones, which must agree; run with -race.
func TestClones(t *testing.T) {
	docs := []*text.Document{document("In/IN New/NNP York/NNP , he/PRP"),
		document("New/NNP York/NNP grows/VBZ", "He/PRP grows/VBZ")}
	a := NewAlphabet(must(t, "form[-1..1], xpos[-1]|xpos[0]|form[0], gazetteer(cities)[0], lexicon(clusters, bits, 4)[0]"))
	e, err := NewExtractor(a, resources{})
	if err != nil {
		t.Fatal(err)
	}
	var want Rows
	for _, d := range docs {
		e.Grow(d, &want)
	}
	a.Freeze()
	got := make([]Rows, 8)
	var wg sync.WaitGroup
	for i := range got {
		c := e.Clone()
		wg.Go(func() {
			for _, d := range docs {
				c.Extract(d, &got[i])
			}
		})
	}
	wg.Wait()
	for i := range got {
		if !slices.Equal(got[i].Attrs, want.Attrs) || !slices.Equal(got[i].Offsets, want.Offsets) {
			t.Errorf("clone %d differs", i)
		}
	}
}

// TestMissingResource checks that the error names what is missing.
func TestMissingResource(t *testing.T) {
	for _, res := range []kind.Resources{nil, resources{}} {
		_, err := NewExtractor(NewAlphabet(must(t, "gazetteer(rivers)[0]")), res)
		if err == nil || !strings.Contains(err.Error(), "gazetteer rivers") {
			t.Errorf("error %v does not name gazetteer rivers", err)
		}
	}
}

// TestLongSentence compares what is extracted from a sentence that is looked up in several parts with what
// was numbered token by token.
func TestLongSentence(t *testing.T) {
	var sent strings.Builder
	for i := range 2*lookUpBlock + 40 {
		fmt.Fprintf(&sent, "w%dX%d/T%d ", i%37, i%11, i%5)
	}
	d := document(strings.TrimSpace(sent.String()))
	for _, notation := range []string{"ner", "pos", "bioner", "chunk",
		"word_cache(-3, 0), substring(3)[0], form[-2]|form[0]|xpos[1]"} {
		set, err := Resolve(notation)
		if err != nil {
			t.Fatal(err)
		}
		a := NewAlphabet(set)
		e, err := NewExtractor(a, nil)
		if err != nil {
			t.Fatal(err)
		}
		var grown, found Rows
		e.Grow(d, &grown)
		a.Freeze()
		e.Extract(d, &found)
		if !slices.Equal(found.Offsets, grown.Offsets) || !slices.Equal(found.Attrs, grown.Attrs) {
			t.Errorf("%s: %d attributes of a long sentence are found, %d were numbered, or others", notation, len(found.Attrs),
				len(grown.Attrs))
		}
	}
}
