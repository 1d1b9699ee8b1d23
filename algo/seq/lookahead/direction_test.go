package lookahead

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/option"
	"parlance/algo/text"
)

// tagged is a document of one sentence.
func tagged(id int, forms, tags []string) *text.Document {
	d := &text.Document{ID: fmt.Sprint(id)}
	l := text.NewLayer(text.Tokens)
	l.N = len(forms)
	var sent, tok, from, to []int32
	for i, f := range forms {
		sent, tok = append(sent, 1), append(tok, int32(i+1))
		from = append(from, int32(len(d.Text)))
		d.Text += f
		to = append(to, int32(len(d.Text)))
		d.Text += " "
	}
	l.Cols[0].Ints, l.Cols[1].Ints, l.Cols[2].Ints, l.Cols[3].Ints = sent, tok, from, to
	l.SetStrs("form", forms)
	l.SetStrs("upos", tags)
	d.SetLayer(l)
	return d
}

// tags trains on upos and returns the labels of the test documents.
func tags(t *testing.T, train, test []*text.Document, args ...option.Arg) [][]string {
	t.Helper()
	m, s := &model{}, &option.Set{}
	m.Options(s)
	if err := s.Apply(append(args, kindtest.Arg("layer", "upos"))); err != nil {
		t.Fatal(err)
	}
	tr := &kind.Training{On: kind.Documents(train), Seed: 1, Workers: 1, Report: func(kind.Progress) {},
		Notice: func(string) {}}
	if err := m.Train(context.Background(), tr); err != nil {
		t.Fatal(err)
	}
	var out [][]string
	for _, d := range test {
		v := *d
		if err := m.Annotate(context.Background(), []*text.Document{&v}, &kind.Run{Workers: 1}); err != nil {
			t.Fatal(err)
		}
		out = append(out, v.Layer("tokens").Strs("upos"))
	}
	return out
}

// TestReverseIsMirrored: from the end is from the left on reversed sentences with mirrored templates.
// The first sentence reads the same both ways, so that labels have the same numbers.
func TestReverseIsMirrored(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	var docs, mirrored []*text.Document
	for i := range 40 {
		forms, labels := []string{"a", "b", "c", "b", "a"}, []string{"X", "Y", "Z", "Y", "X"}
		if i > 0 {
			forms, labels = nil, nil
			for range 1 + rng.IntN(8) {
				k := rng.IntN(3)
				forms = append(forms, "abc"[k:k+1])
				labels = append(labels, "XYZ"[(k+len(labels)*k)%3:][:1])
			}
		}
		docs = append(docs, tagged(i, forms, labels))
		f, l := slices.Clone(forms), slices.Clone(labels)
		slices.Reverse(f)
		slices.Reverse(l)
		mirrored = append(mirrored, tagged(i, f, l))
	}
	for order := 1; order <= 2; order++ {
		o := kindtest.Arg("order", order)
		got := tags(t, docs, docs, o, kindtest.Arg("direction", "rtl"),
			kindtest.Arg("features", "form[-1]|form[0], form[0], form[2], bos"))
		want := tags(t, mirrored, mirrored, o, kindtest.Arg("features", "form[1]|form[0], form[0], form[-2], eos"))
		for i := range want {
			slices.Reverse(want[i])
			if !slices.Equal(got[i], want[i]) {
				t.Fatalf("order %d, sentence %d: %v, mirrored %v", order, i, got[i], want[i])
			}
		}
	}
}

// TestGardenPath: only the next word tells the label of x, and no template reads it. Its label, which
// one may follow, must be searched.
func TestGardenPath(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	var docs []*text.Document
	for i := range 60 {
		var forms, labels []string
		for range 1 + rng.IntN(4) {
			if rng.IntN(2) == 0 {
				forms, labels = append(forms, "x", "p"), append(labels, "A", "P")
			} else {
				forms, labels = append(forms, "x", "q"), append(labels, "B", "Q")
			}
		}
		docs = append(docs, tagged(i, forms, labels))
	}
	accuracy := func(depth int) float64 {
		right, n := 0, 0
		for i, got := range tags(t, docs[:40], docs[40:], kindtest.Arg("depth", depth), kindtest.Arg("features", "form[0]"),
			kindtest.Arg("margin", 1.0)) {
			for k, l := range docs[40+i].Layer("tokens").Strs("upos") {
				if n++; got[k] == l {
					right++
				}
			}
		}
		return float64(right) / float64(n)
	}
	if none, one := accuracy(0), accuracy(1); none > 0.9 || one < 1 {
		t.Errorf("accuracy %.3f without looking ahead, %.3f with", none, one)
	}
}
