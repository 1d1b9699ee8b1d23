package nonlocal

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/option"
	"parlance/algo/seq/bio"
	"parlance/algo/text"
)

// document is sentences such as "met Ann/PER in Rome/LOC".
func document(id string, sentences ...string) *text.Document {
	d := &text.Document{ID: id}
	toks := text.NewLayer(text.Tokens)
	var spans []text.Span
	for s, line := range sentences {
		var tags []string
		for i, w := range strings.Fields(line) {
			form, class, marked := strings.Cut(w, "/")
			if tags = append(tags, "O"); marked {
				tags[i] = "B-" + class
			}
			c := toks.Cols
			c[0].Ints, c[1].Ints = append(c[0].Ints, int32(s+1)), append(c[1].Ints, int32(i+1))
			c[2].Ints = append(c[2].Ints, int32(len(d.Text)))
			d.Text += form
			c[3].Ints = append(c[3].Ints, int32(len(d.Text)))
			d.Text += " "
			c[4].Strs = append(c[4].Strs, form)
			toks.N++
		}
		spans = bio.BIO.Decode(spans, int32(s+1), tags)
	}
	d.SetLayer(toks)
	d.SetLayer(d.SpanLayer(text.Entities, spans))
	return d
}

// clear once, ambiguous elsewhere: only the first sentence tells what the name is.
func ambiguous(n int, seed uint64) []*text.Document {
	rng := rand.New(rand.NewPCG(seed, 1))
	docs := make([]*text.Document, n)
	for i := range docs {
		name := fmt.Sprintf("N%d", rng.IntN(1<<30))
		class, verb := "PER", "mister"
		if rng.IntN(2) == 0 {
			class, verb = "LOC", "capital"
		}
		e := name + "/" + class
		lines := []string{"the " + verb + " " + e + " .", "yesterday " + e + " said no .", "then " + e + " said yes ."}
		rng.Shuffle(len(lines), func(a, b int) { lines[a], lines[b] = lines[b], lines[a] })
		docs[i] = document(fmt.Sprint(i), lines...)
	}
	return docs
}

// right is the share of the entities that a model finds.
func right(t *testing.T, algorithm string, train, test []*text.Document) float64 {
	t.Helper()
	m, s := &model{}, &option.Set{}
	m.Options(s)
	if err := s.Apply([]option.Arg{kindtest.Arg("algorithm", algorithm), kindtest.Arg("features", "form[-1..1], bias"),
		kindtest.Arg("epochs", 15)}); err != nil {
		t.Fatal(err)
	}
	tr := &kind.Training{On: kind.Documents(train), Seed: 1, Workers: 1, Report: func(kind.Progress) {},
		Notice: func(string) {}}
	if err := m.Train(context.Background(), tr); err != nil {
		t.Fatal(err)
	}
	found, all := 0, 0
	for _, d := range test {
		v := *d
		gold := d.Layer("entities").Spans()
		if err := m.Annotate(context.Background(), []*text.Document{&v}, &kind.Run{Workers: 1}); err != nil {
			t.Fatal(err)
		}
		for _, g := range gold {
			all++
			for _, p := range v.Layer("entities").Spans() {
				if p == g {
					found++
				}
			}
		}
	}
	return float64(found) / float64(all)
}

// Where a mention is clear once and ambiguous elsewhere, features of whole documents win.
func TestWholeDocumentsHelp(t *testing.T) {
	train, test := ambiguous(150, 1), ambiguous(60, 2)
	local, candidates, whole := right(t, "margin", train, test), right(t, "candidate", train, test),
		right(t, "proposed", train, test)
	if whole < local+0.1 || whole < 0.95 {
		t.Errorf("local features find %.3f, the proposed algorithm %.3f", local, whole)
	}
	if candidates > whole {
		t.Errorf("the candidate algorithm finds %.3f, the proposed one %.3f", candidates, whole)
	}
}
