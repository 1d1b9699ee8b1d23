package depparser

import (
	"context"
	"math"
	"strings"
	"testing"

	"parlance/algo/kind"
	"parlance/algo/parse/tree"
	"parlance/algo/text"
)

// TestArcRelations: the probability of an arc with a relation is its share of all trees with all relations.
func TestArcRelations(t *testing.T) {
	m, _, _ := trained(t, 1, arg("labels", "joint"), arg("objective", "loglinear"), arg("factorization", "arc"))
	for _, words := range []string{"Ann saw Bob .", "by train", "the soup Lee saw", "."} {
		d := brief(strings.Fields(words))
		run := &kind.Run{Workers: 1, Wanted: []string{"arc_relations"}, Report: func(kind.Progress) {}}
		if err := m.Annotate(context.Background(), []*text.Document{d}, run); err != nil {
			t.Fatal(err)
		}
		l := d.Layer("arc_relations")
		tok, head, rel := l.Ints("tok"), l.Ints("head"), l.Strs("deprel")
		prob := l.Cols[l.Def.Index("prob")].Floats
		got := map[relation]float64{}
		for i := range tok {
			got[relation{head[i], tok[i], rel[i]}] = prob[i]
		}
		want := enumerated(t, m, d)
		for x, p := range want {
			if math.Abs(got[x]-p) > 1e-9 && (p >= leastArc || got[x] != 0) {
				t.Errorf("%v: %v, by enumeration %v", x, got[x], p)
			}
		}
		if len(got) == 0 || len(got) > len(want) {
			t.Errorf("%d arcs with relations of %d", len(got), len(want))
		}
	}
}

// brief is a document of one sentence; tags are the first letters of its words.
func brief(words []string) *text.Document {
	d, l := &text.Document{ID: "brief"}, text.NewLayer(text.Tokens)
	var ints [4][]int32
	var tags []string
	for i, w := range words {
		at := int32(len(d.Text))
		d.Text += w + " "
		for k, v := range []int32{1, int32(i + 1), at, at + int32(len(w))} {
			ints[k] = append(ints[k], v)
		}
		tags = append(tags, w[:1])
	}
	l.N = len(words)
	for k, name := range []string{"sent", "tok", "char_start", "char_end"} {
		l.SetInts(name, ints[k])
	}
	l.SetStrs("form", words)
	l.SetStrs("upos", tags)
	l.SetStrs("xpos", tags)
	d.SetLayer(l)
	return d
}

type relation struct {
	head, tok int32
	name      string
}

// enumerated sums all projective trees with all relations of a sentence.
func enumerated(t *testing.T, m *model, d *text.Document) map[relation]float64 {
	t.Helper()
	toks := d.Layer(text.Tokens.Name)
	var s sentence
	s.load(toks, m.columns(), 0, toks.N)
	w := m.parser.worker()
	w.load(context.Background(), &s, nil)
	n := s.n
	type labelledArc struct {
		relation
		score float64
	}
	arcs := make([][]labelledArc, n+1) // by modifier
	for a, h := range w.parts.Head {
		mod := w.parts.Mod[a]
		for i, c := range w.joint.arc(&s, h, mod) {
			score := w.score[a] - w.joint.extra[a] + w.joint.scores[i]
			arcs[mod] = append(arcs[mod], labelledArc{relation{h, mod, m.labeler.labels[c]}, score})
		}
	}
	sums, total, heads := map[relation]float64{}, 0.0, make([]int32, n+1)
	var chosen []relation
	var walk func(mod int, score float64)
	walk = func(mod int, score float64) {
		if mod > n {
			if tree.Check(heads, true) == tree.Sound {
				total += math.Exp(score)
				for _, x := range chosen {
					sums[x] += math.Exp(score)
				}
			}
			return
		}
		for _, x := range arcs[mod] {
			heads[mod] = x.head
			chosen = append(chosen, x.relation)
			walk(mod+1, score+x.score)
			chosen = chosen[:len(chosen)-1]
		}
	}
	walk(1, 0)
	for x := range sums {
		sums[x] /= total
	}
	return sums
}
