package feature

import (
	"context"
	"errors"
	"strings"
	"testing"

	"parlance/algo/text"
)

// TestGrowingEnds looks for attributes under a context that has ended, and drops some of them.
func TestGrowingEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, templates := range []string{"word, ngram(2)", "char_ngram(3)", "form[0], form[-1..1]"} {
		set, err := Parse(templates)
		if err != nil {
			t.Fatal(err)
		}
		for _, end := range []context.Context{ctx, t.Context()} {
			a := NewAlphabet(set)
			e, err := NewExtractor(a, nil)
			if err != nil {
				t.Fatal(err)
			}
			var rows Rows
			err = e.GrowUntil(end, longSentence(20_000), &rows)
			if ended := end.Err() != nil; ended != errors.Is(err, context.Canceled) || ended == (a.Len() > 10_000) {
				t.Errorf("%s: %d attributes, %v", templates, a.Len(), err)
			}
			if _, err := Prune(end, a, &rows, 2); (end.Err() != nil) != errors.Is(err, context.Canceled) {
				t.Errorf("%s: dropping ends with %v", templates, err)
			}
		}
	}
}

// longSentence is a document of one sentence of n different words.
func longSentence(n int) *text.Document {
	forms := make([]string, n)
	for i := range forms {
		forms[i] = string(rune('一'+i)) + "x"
	}
	d := sentenceOf(forms)
	d.Text = strings.Join(forms, " ")
	return d
}
