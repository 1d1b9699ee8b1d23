package labelhistory

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"parlance/algo/engine/chain"
	"parlance/algo/feature"
	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/seq/bio"
	"parlance/algo/seq/tagger"
)

const templates = "form[0], form[1], label[-1], label[-2]|label[-1], label[-1]|form[0], label[-2]|form[-1]"

func sample(t *testing.T) (*tagger.Data, kind.Documents) {
	t.Helper()
	set, err := feature.Parse(templates)
	if err != nil {
		t.Fatal(err)
	}
	target, err := tagger.NewTarget("entities", bio.Scheme("bio"))
	if err != nil {
		t.Fatal(err)
	}
	docs := kind.Documents(kindtest.Sample(8))
	data, err := tagger.Read(context.Background(), docs, set, target, nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	return data, docs
}

// random gives about two of three pairs of attribute and label a weight.
func random(t *testing.T, data *tagger.Data) *chain.Model {
	t.Helper()
	r := rand.New(rand.NewPCG(3, 3))
	p := chain.Parts{Labels: data.Labels, Attributes: data.Attributes, AttrStart: []uint32{0}}
	for range data.Attributes {
		for y := range data.Labels {
			if r.IntN(3) > 0 {
				p.PairLabel, p.Weights = append(p.PairLabel, uint16(y)), append(p.Weights, r.NormFloat64())
			}
		}
		p.AttrStart = append(p.AttrStart, uint32(len(p.Weights)))
	}
	c, err := chain.NewModel(p)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// spelled are the attributes of token i by hand.
func spelled(forms []string, i int, last, second string) []string {
	out := []string{"form[0]=" + forms[i], "label[-1]=" + last, "label[-2]|label[-1]=" + second + "|" + last,
		"label[-1]|form[0]=" + last + "|" + forms[i]}
	if i+1 < len(forms) {
		out = append(out, "form[1]="+forms[i+1])
	}
	if i > 0 {
		out = append(out, "label[-2]|form[-1]="+second+"|"+forms[i-1])
	}
	return out
}

// TestScorer compares scores with sums over attributes that are spelled by hand, before and after
// the model is stored.
func TestScorer(t *testing.T) {
	data, docs := sample(t)
	joint, err := Expand(t.Context(), data, 1)
	if err != nil {
		t.Fatal(err)
	}
	c := random(t, data)
	weight := map[string]float64{}
	for w := range c.States() {
		weight[fmt.Sprint(joint.Name(w.Attr, data.Names), " ", w.Label)] = w.Weight
	}
	fresh, err := NewTrained(t.Context(), data.Names, data.Alphabet, joint, c)
	if err != nil {
		t.Fatal(err)
	}
	stored := map[string][]byte{}
	if err := fresh.Encode(
		kind.NewWriter(func(n string, p []byte) error { stored[n] = append(stored[n], p...); return nil })); err != nil {
		t.Fatal(err)
	}
	read := func(n string) ([]byte, error) {
		if p, ok := stored[n]; ok {
			return p, nil
		}
		return nil, errors.New("no section " + n)
	}
	again, err := Decode(kind.NewReader(read))
	if err != nil {
		t.Fatal(err)
	}
	for _, trained := range []Trained{fresh, again} {
		compare(t, &trained, docs, weight)
	}
	stored["joint.labels"] = stored["joint.labels"][4:]
	if _, err := Decode(kind.NewReader(read)); !errors.Is(err, kind.ErrCorrupt) {
		t.Errorf("damage gives %v", err)
	}
}

func compare(t *testing.T, trained *Trained, docs kind.Documents, weight map[string]float64) {
	t.Helper()
	e, err := feature.NewExtractor(trained.Alphabet, nil)
	if err != nil {
		t.Fatal(err)
	}
	names := append(append([]string{}, trained.Labels...), "start")
	labels := len(trained.Labels)
	s, out := trained.Scorer(), make([]float64, labels)
	if s.Order() != 2 {
		t.Fatalf("templates read two labels, and scores depend on %d", s.Order())
	}
	for _, d := range docs {
		var rows feature.Rows
		e.Extract(d, &rows)
		bounds, all := d.SentenceTokens(), d.Layer("tokens").Strs("form")
		for k := 1; k < len(bounds); k++ {
			forms := all[bounds[k-1]:bounds[k]]
			s.Load(&rows, int(bounds[k-1]), int(bounds[k]), false)
			for i := range forms {
				for last := range labels + 1 {
					for second := range labels + 1 {
						s.At(i, last, second, out)
						for y, got := range out {
							want := 0.0
							for _, f := range spelled(forms, i, names[last], names[second]) {
								want += weight[fmt.Sprint(f, " ", y)]
							}
							if math.Abs(got-want) > 1e-12 {
								t.Fatalf("%v: token %d after %s, %s: label %d has %g, want %g", forms, i, names[second],
									names[last], y, got, want)
							}
						}
					}
				}
			}
		}
	}
}

// TestExpand spells the attributes of every token with its gold history.
func TestExpand(t *testing.T) {
	data, docs := sample(t)
	joint, err := Expand(t.Context(), data, 1)
	if err != nil {
		t.Fatal(err)
	}
	item := 0
	for _, d := range docs {
		bounds, all := d.SentenceTokens(), d.Layer("tokens").Strs("form")
		for k := 1; k < len(bounds); k++ {
			last, second := "start", "start"
			for i := range int(bounds[k] - bounds[k-1]) {
				want := map[string]bool{}
				for _, f := range spelled(all[bounds[k-1]:bounds[k]], i, last, second) {
					want[f] = true
				}
				for _, a := range data.Attrs[data.AttrOffsets[item]:data.AttrOffsets[item+1]] {
					if name := joint.Name(a, data.Names); !want[name] {
						t.Fatalf("token %d of %s has %s", i, d.ID, name)
					} else {
						delete(want, name)
					}
				}
				if len(want) > 0 {
					t.Fatalf("token %d of %s lacks %v", i, d.ID, want)
				}
				last, second = data.Names[data.Gold[item]], last
				item++
			}
		}
	}
}

// TestExpandDropsRare counts the joint attributes that are left.
func TestExpandDropsRare(t *testing.T) {
	all, _ := sample(t)
	joint, err := Expand(t.Context(), all, 1)
	if err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	for _, a := range all.Attrs {
		count[joint.Name(a, all.Names)]++
	}
	want := 0
	for name, n := range count {
		if strings.Contains(name, "label") && n >= 3 {
			want++
		}
	}
	few, _ := sample(t)
	if got, err := Expand(t.Context(), few, 3); err != nil || got.Len() != want || want == 0 || want == joint.Len() {
		t.Errorf("%d joint attributes are left, want %d of %d", got.Len(), want, joint.Len())
	}
	for _, a := range few.Attrs {
		if int(a) >= few.Attributes {
			t.Fatalf("attribute %d of %d", a, few.Attributes)
		}
	}
}
