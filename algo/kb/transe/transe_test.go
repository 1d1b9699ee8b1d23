package transe

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"parlance/algo/kb/triples"
	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/option"
	"parlance/storage/value"

	"gonum.org/v1/gonum/diff/fd"
)

// facts is a table of triples, written "a r b; c r d".
func facts(s string) [][]value.Value {
	var out [][]value.Value
	for _, f := range strings.Split(s, ";") {
		w := strings.Fields(f)
		out = append(out, []value.Value{value.Str(w[0]), value.Str(w[1]), value.Str(w[2]), {}, {}})
	}
	return out
}

// chains is a knowledge base of n persons with a city and its country each, where the country of
// every seventh person is for testing.
func chains(n int) (train, test kind.Tables) {
	train, test = kind.Tables{}, kind.Tables{}
	for i := range n {
		train["triples"] = append(train["triples"],
			facts(fmt.Sprintf("p%02d lives_in c%02d; c%02d part_of s%02d", i, i, i, i))...)
		in := train
		if i%7 == 3 {
			in = test
		}
		in["triples"] = append(in["triples"], facts(fmt.Sprintf("p%02d national_of s%02d", i, i))...)
	}
	return train, test
}

func TestKind(t *testing.T) {
	train, test := chains(12)
	train["entities"] = [][]value.Value{{value.Str("p01"), value.Str("odd")}, {value.Str("p02"), value.Str("even")}}
	null := value.Value{}
	for _, args := range [][]option.Arg{
		{kindtest.Arg("epochs", 20), kindtest.Arg("batches", 4)},
		{kindtest.Arg("epochs", 10), kindtest.Arg("norm", "l2"), kindtest.Arg("corruption", "bernoulli"),
			kindtest.Arg("filtered", true), kindtest.Arg("types", "induced"), kindtest.Arg("corruptions", 3)},
	} {
		kindtest.Run(t, kindtest.Case{Kind: Kind(), Options: args, Tables: train, Gold: test, Resumes: true,
			Queries: []kindtest.Query{
				{Relation: "complete", Args: []value.Value{value.Str("p01"), value.Str("lives_in"), null}},
				{Relation: "complete", Args: []value.Value{null, value.Str("lives_in"), null}},
				{Relation: "complete", Args: []value.Value{value.Str("p1"), value.Str("lives_in"), null},
					Fails: "unknown entity 'p1'"},
				{Relation: "score", Args: []value.Value{value.Str("p01"), value.Str("lives_in"), value.Str("c02")}},
			}})
	}
}

// random returns vectors with some of each.
func random(absolute bool, entities, relations, dim int) vectors {
	r := rand.New(rand.NewPCG(3, 4))
	v := vectors{dim: dim, absolute: absolute}
	for range entities * dim {
		v.EntityVectors = append(v.EntityVectors, r.NormFloat64())
	}
	for range relations * dim {
		v.RelationVectors = append(v.RelationVectors, r.NormFloat64())
	}
	v.measure()
	return v
}

// TestGradient compares the gradient of the distance with differences, for all three vectors.
func TestGradient(t *testing.T) {
	for _, absolute := range []bool{true, false} {
		v := random(absolute, 2, 1, 7)
		x := triples.Triple{Subject: 0, Object: 1}
		g := make([]float64, v.dim)
		v.gradient(x, g)
		for i, at := range [][]float64{v.entity(0), v.relation(0), v.entity(1)} {
			want := fd.Gradient(nil, func(p []float64) float64 {
				old := append([]float64(nil), at...)
				copy(at, p)
				defer copy(at, old)
				return v.distance(x)
			}, append([]float64(nil), at...), &fd.Settings{Formula: fd.Central, Step: 1e-6})
			for k, w := range want {
				if i == 2 {
					w = -w
				}
				if math.Abs(g[k]-w) > 1e-7 {
					t.Errorf("absolute %v, vector %d: gradient %v, differences %v", absolute, i, g[k], w)
				}
			}
		}
	}
}

// TestMargin checks that a fact which is nearer than its corruption by more than the margin moves nothing.
func TestMargin(t *testing.T) {
	for _, norm := range []string{"l1", "l2"} {
		m, set := &model{}, &option.Set{}
		m.Options(set)
		if err := set.Apply([]option.Arg{kindtest.Arg("norm", norm), kindtest.Arg("dim", 2),
			kindtest.Arg("margin", 1.5)}); err != nil {
			t.Fatal(err)
		}
		d, err := triples.Read(context.Background(), kind.Tables{"triples": facts("a r b")})
		if err != nil {
			t.Fatal(err)
		}
		m.Graph, m.vectors = d.Graph, start(d, 2, norm == "l1", 1)
		copy(m.EntityVectors, []float64{1, 0, 0, 1})
		copy(m.RelationVectors, []float64{-1, 1}) // a + r = b
		loss, err := m.trainer(d, nil, &kind.Training{Seed: 1}).epoch(context.Background(), 1)
		if err != nil {
			t.Fatal(err)
		}
		if want := []float64{1, 0, 0, 1}; loss != 0 || !slices.Equal(m.EntityVectors, want) || m.RelationVectors[0] != -1 ||
			m.RelationVectors[1] != 1 {
			t.Errorf("%s: loss %v, entities %v, relation %v", norm, loss, m.EntityVectors, m.RelationVectors)
		}
	}
}

// TestStep checks one batch of one fact against the formula.
func TestStep(t *testing.T) {
	for _, norm := range []string{"l1", "l2"} {
		m := &model{}
		set := &option.Set{}
		m.Options(set)
		if err := set.Apply([]option.Arg{kindtest.Arg("norm", norm), kindtest.Arg("dim", 3), kindtest.Arg("margin", 10.0),
			kindtest.Arg("rate", 0.1)}); err != nil {
			t.Fatal(err)
		}
		d, err := triples.Read(context.Background(), kind.Tables{"triples": facts("a r b")})
		if err != nil {
			t.Fatal(err)
		}
		d.Weights[0] = 2
		m.Graph, m.vectors = d.Graph, start(d, 3, norm == "l1", 1)
		before := vectors{dim: 3, absolute: m.absolute, EntityVectors: append([]float64(nil), m.EntityVectors...),
			RelationVectors: append([]float64(nil), m.RelationVectors...)}
		tr := m.trainer(d, nil, &kind.Training{Seed: 1})
		loss, err := tr.epoch(context.Background(), 1)
		if err != nil {
			t.Fatal(err)
		}
		bad := tr.pairs[0].bad
		if want := 2 * (10 + before.distance(d.Facts[0]) - before.distance(bad)); math.Abs(loss-want) > 1e-12 {
			t.Errorf("%s: loss %v, want %v", norm, loss, want)
		}
		want := before
		want.EntityVectors, want.RelationVectors = append([]float64(nil), before.EntityVectors...),
			append([]float64(nil), before.RelationVectors...)
		for k := range 3 {
			slope := func(x triples.Triple) float64 {
				diff := before.entity(x.Subject)[k] + before.relation(0)[k] - before.entity(x.Object)[k]
				if norm == "l1" {
					return math.Copysign(1, diff)
				}
				return 2 * diff
			}
			good, worse := 0.2*slope(d.Facts[0]), 0.2*slope(bad)
			want.entity(0)[k] -= good
			want.entity(1)[k] += good
			want.entity(bad.Subject)[k] += worse
			want.entity(bad.Object)[k] -= worse
			want.relation(0)[k] += worse - good
		}
		unit(want.entity(0))
		unit(want.entity(1))
		for i, x := range want.EntityVectors {
			if math.Abs(x-m.EntityVectors[i]) > 1e-12 {
				t.Errorf("%s: entities are %v, want %v", norm, m.EntityVectors, want.EntityVectors)
				break
			}
		}
		for i, x := range want.RelationVectors {
			if math.Abs(x-m.RelationVectors[i]) > 1e-12 {
				t.Errorf("%s: relations are %v, want %v", norm, m.RelationVectors, want.RelationVectors)
				break
			}
		}
	}
}

// TestScores compares scores in blocks with those one by one.
func TestScores(t *testing.T) {
	for _, absolute := range []bool{true, false} {
		for _, dim := range []int{1, 4, 7} {
			v := random(absolute, 9, 2, dim)
			for _, open := range []triples.Side{triples.Subject, triples.Object} {
				given, out := []int32{3, 0, 8}, make([]float64, 27)
				v.Scores(open, 1, given, out)
				for i, g := range given {
					for e := range int32(9) {
						if got, want := out[i*9+int(e)],
							v.Score(triples.Of(1, open, e, g)); math.Abs(got-want) > 1e-12*(1+math.Abs(want)) {
							t.Errorf("score %v, alone %v", got, want)
						}
					}
				}
			}
		}
	}
}

// TestBernoulli replaces the subject three times of four where a subject has three objects.
func TestBernoulli(t *testing.T) {
	m := &model{}
	set := &option.Set{}
	m.Options(set)
	if err := set.Apply([]option.Arg{kindtest.Arg("corruption", "bernoulli")}); err != nil {
		t.Fatal(err)
	}
	d, err := triples.Read(context.Background(),
		kind.Tables{"triples": facts("a r x; a r y; a r z; a s x; b s x; c s y; d s y")})
	if err != nil {
		t.Fatal(err)
	}
	m.Graph = d.Graph
	tr := m.trainer(d, nil, &kind.Training{})
	if got := fmt.Sprintf("%.4f", tr.first); got != "[0.7500 0.3333]" {
		t.Errorf("chances are %s", got)
	}
}

// TestChains learns that who lives in a part is a national of the whole.
func TestChains(t *testing.T) {
	train, test := chains(40)
	m := &model{}
	set := &option.Set{}
	m.Options(set)
	if err := set.Apply([]option.Arg{kindtest.Arg("dim", 20), kindtest.Arg("norm", "l2"), kindtest.Arg("epochs", 500),
		kindtest.Arg("batches", 5), kindtest.Arg("filtered", true), kindtest.Arg("rate", 0.05),
		kindtest.Arg("corruptions", 5)}); err != nil {
		t.Fatal(err)
	}
	best := 0
	tr := &kind.Training{On: train, Seed: 1, Workers: 2, Report: func(kind.Progress) {}, Notice: func(s string) { best++ }}
	tr.Score = func(ctx context.Context, m kind.Model) (float64, string, error) {
		list, err := m.Evaluate(ctx, test, &kind.Run{Workers: 2})
		if err != nil {
			return 0, "", err
		}
		return list[0].Value(), list[0].Name, nil
	}
	if err := m.Train(context.Background(), tr); err != nil {
		t.Fatal(err)
	}
	got, _, err := tr.Score(context.Background(), m)
	if err != nil {
		t.Fatal(err)
	}
	if t.Logf("mrr %.3f", got); got < 0.95 || best != 1 {
		t.Errorf("mrr %v, %d notices", got, best)
	}
}

// TestKnownRole never draws what an input has in the role known.
func TestKnownRole(t *testing.T) {
	m, set := &model{}, &option.Set{}
	m.Options(set)
	if err := set.Apply(nil); err != nil {
		t.Fatal(err)
	}
	d, err := triples.Read(context.Background(), kind.Tables{"triples": facts("a r b; c s c")})
	if err != nil {
		t.Fatal(err)
	}
	known, err := d.Known(context.Background(),
		&kind.Training{Roles: map[string]kind.Input{triples.KnownRole: kind.Tables{"triples": facts(
			"a r a; c r b; new r b")}}})
	if err != nil {
		t.Fatal(err)
	}
	m.Graph = d.Graph
	tr, r := m.trainer(d, known, &kind.Training{}), rand.New(rand.NewPCG(1, 2))
	seen := map[triples.Triple]bool{}
	for range 200 {
		seen[tr.corrupt(r, d.Facts[0])] = true
	}
	if seen[triples.Triple{}] || seen[triples.Triple{Subject: 2, Object: 1}] || len(seen) != 2 {
		t.Errorf("drawn are %v", seen)
	}
}
