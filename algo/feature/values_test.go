package feature

import (
	"math"
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
