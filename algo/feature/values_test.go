package feature

import (
	"fmt"
	"math"
	"reflect"
	"testing"
)

// TestColumnAtoms reads the columns that the other examples leave empty.
func TestColumnAtoms(t *testing.T) {
	d := document("Dogs/NNS")
	l := d.Layer("tokens")
	l.SetStrs("lemma", []string{"dog"})
	l.SetStrs("upos", []string{"NOUN"})
	l.SetStrs("feats", []string{"Number=Plur"})
	for notation, want := range map[string]string{
		"lemma[0]": "lemma[0]=dog", "upos[0]": "upos[0]=NOUN", "feats[0]": "feats[0]=Number=Plur",
		"lemma[0]|upos[0]": "lemma[0]|upos[0]=dog|NOUN",
	} {
		if got := names(t, notation, d)[0]; got != want {
			t.Errorf("%s gives %q, want %q", notation, got, want)
		}
	}
}

// TestTfidfByHand checks values computed on paper: N = 2, df(a) = 2, df(b) = 1, so
// idf(a) = ln(3/3)+1 = 1 and idf(b) = ln(3/2)+1 = 1.4054651; "a a b" is (2, 1.4054651)/2.4444493.
func TestTfidfByHand(t *testing.T) {
	a := NewAlphabet(must(t, "word, weight(tfidf), norm(l2)"))
	e, _ := NewExtractor(a, nil)
	var r Rows
	e.Grow(document("a a b"), &r)
	e.Grow(document("a"), &r)
	e.Finish(&r)
	for i, want := range []float64{0.8181802, 0.5749619, 1} {
		if math.Abs(float64(r.Values[i])-want) > 1e-6 {
			t.Errorf("value %d is %g, want %g", i, r.Values[i], want)
		}
	}
}

// The second a of "a b a c": the words to its left and itself are two, after c is the end.
func TestWordCache(t *testing.T) {
	set, err := Parse("word_cache(-2, 0), word_cache(1, 2), substring(2)[0]")
	if err != nil {
		t.Fatal(err)
	}
	d := document("a b a cdcd")
	a := NewAlphabet(set)
	e, err := NewExtractor(a, nil)
	if err != nil {
		t.Fatal(err)
	}
	var grown, rows Rows
	e.Grow(d, &grown)
	e.Extract(d, &rows)
	if !reflect.DeepEqual(grown, rows) {
		t.Errorf("grown %v, extracted %v", grown, rows)
	}
	names := func(i int) (out []string) {
		for _, x := range rows.Attrs[rows.Offsets[i]:rows.Offsets[i+1]] {
			out = append(out, a.Name(x))
		}
		return out
	}
	if got := fmt.Sprint(
		names(2)); got != "[word_cache(-2, 0)=a word_cache(-2, 0)=b word_cache(1, 2)=cdcd word_cache(1, 2)=<end>]" {
		t.Error(got)
	}
	if got := fmt.Sprint(names(3)); got != "[word_cache(-2, 0)=b word_cache(-2, 0)=a word_cache(-2, 0)=cdcd "+
		"word_cache(1, 2)=<end> substring(2)[0]=cd substring(2)[0]=dc]" {
		t.Error(got)
	}
	for _, bad := range []string{"word_cache(1, 0)", "word_cache(-3, x)", "word_cache(0, 1)|form[0]", "substring(0)[0]",
		"label[-1]|substring(2)[0]"} {
		if _, err := Parse(bad); err == nil {
			t.Errorf("%s compiles", bad)
		}
	}
}
