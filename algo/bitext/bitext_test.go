package bitext_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"parlance/algo/bitext"
	"parlance/algo/bitext/bitexttest"
	"parlance/algo/kind"
	"parlance/algo/text"
)

var sides = bitext.Sides{Key: "pair", Side: "side", Source: "source"}

// TestPairs: pairs come when they are complete, in any order of sides, then documents without a partner as they came.
func TestPairs(t *testing.T) {
	d := bitexttest.Pairs("a ||| b", "c ||| d", "e ||| f", "g ||| h")
	var got []string
	for p, err := range sides.Pairs(context.Background(), kind.Documents{d[2], d[4], d[1], d[7], d[5], d[0]}) {
		if err != nil {
			t.Fatal(err)
		}
		name := func(d *text.Document) string {
			if d == nil {
				return "-"
			}
			return d.Text
		}
		got = append(got, name(p.Source)+name(p.Target))
	}
	if want := []string{"ef", "ab", "c-", "-h"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	for want, docs := range map[string]kind.Documents{
		"document x has no pair":                  {bitexttest.Document("x", "a")},
		"documents 0.s and 0.s are on the same s": {d[0], d[0]},
		"on the same side":                        {d[0], d[1], d[0]},
	} {
		var last error
		for _, err := range sides.Pairs(context.Background(), docs) {
			last = errors.Join(last, err)
		}
		if last == nil || !strings.Contains(last.Error(), want) {
			t.Errorf("%v, want %q", last, want)
		}
	}
	n := 0
	for range sides.Pairs(context.Background(), kind.Documents(d)) {
		n++
		break
	}
	if n != 1 {
		t.Errorf("%d pairs after a break", n)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, err := range sides.Pairs(ctx, kind.Documents(d)) {
		if !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	}
}

// TestImages: of several links that to the topmost word counts, of several of these the first; in a cycle the first.
func TestImages(t *testing.T) {
	d := bitexttest.Parsed("a b c d ||| A/X:2 B/X:0 C/X:2 D/X:5 E/X:4 ||| ")
	tree := bitext.NewTree(d[1], "upos")
	if !slices.Equal(tree.Heads, []int32{1, bitext.Root, 1, 4, 3}) || tree.Tags[0] != "X" || tree.Head(-1) != bitext.None {
		t.Fatalf("%v %q", tree.Heads, tree.Tags)
	}
	links := []bitext.Link{{Source: 0, Target: 2}, {Source: 0, Target: 1}, {Source: 1, Target: 2}, {Source: 1, Target: 0},
		{Source: 2, Target: 4}, {Source: 2, Target: 3}}
	if got, want := bitext.Images(links, 4, tree), []int32{1, 0, 3, bitext.None}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestTranslations: sentences that have a translation make a document, links are between rows, and what is out of range
// is left out.
func TestTranslations(t *testing.T) {
	d := bitexttest.Document("x", "a b / c / d e")
	if target, links := bitext.TranslationOf(d); target != nil || links != nil {
		t.Error("a translation without the layer")
	}
	l := text.NewLayer(bitext.Translations)
	l.N = 5
	l.Rank = []int32{1, 2, 1, 1, 1}
	l.SetInts("sent", []int32{1, 1, 2, 3, 4})
	l.SetStrs("translation", []string{"A B C", "Z", " ", "D  E", "F"})
	l.SetStrs("links", []string{"1-3 2-1 3-1 1-4 0-1 -", "1-1", "1-1", "2-1 x-y 1-2", "1-1"})
	d.SetLayer(l)
	target, links := bitext.TranslationOf(d)
	if got := bitext.Forms(target); !slices.Equal(got, []string{"A", "B", "C", "D", "E"}) {
		t.Fatalf("%q", got)
	}
	want := []bitext.Link{{Source: 0, Target: 2, Prob: 1}, {Source: 1, Target: 0, Prob: 1},
		{Source: 4, Target: 3, Prob: 1}, {Source: 3, Target: 4, Prob: 1}}
	if !slices.Equal(links, want) {
		t.Errorf("%v, want %v", links, want)
	}
	if err := target.VerifyTokens(target.Layer("tokens")); err != nil || len(target.SentenceTokens()) != 3 {
		t.Errorf("%v, %v", err, target.SentenceTokens())
	}
}
