package trescal

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/option"
	"parlance/storage/value"
)

// synthetic is a typed knowledge base of 10 types and 20 relations: entities have latent vectors, and
// a subject stands in a relation to the 4 objects of the range that a latent matrix scores best.
// A fifth of the facts is held out.
func synthetic(perType int) (train, test kind.Tables) {
	const types, relations, latent, best = 10, 20, 4, 4
	g := rand.New(rand.NewPCG(3, 1))
	normal := func(n int) []float64 {
		v := make([]float64, n)
		for i := range v {
			v[i] = g.NormFloat64()
		}
		return v
	}
	train, test = kind.Tables{}, kind.Tables{}
	vectors := make([][]float64, types*perType)
	name := func(e int) value.Value { return value.Str(fmt.Sprintf("e%04d", e)) }
	for e := range vectors {
		vectors[e] = normal(latent)
		train["entities"] = append(train["entities"], []value.Value{name(e), value.Str(fmt.Sprint("t", e/perType))})
	}
	for k := range relations {
		domain, span, m := g.IntN(types), g.IntN(types), normal(latent*latent)
		for s := domain * perType; s < (domain+1)*perType; s++ {
			q := make([]float64, latent)
			for i, x := range vectors[s] {
				for j := range q {
					q[j] += x * m[i*latent+j]
				}
			}
			score := func(e int) (sum float64) {
				for j, x := range vectors[e] {
					sum += q[j] * x
				}
				return sum
			}
			objects := make([]int, perType)
			for i := range objects {
				objects[i] = span*perType + i
			}
			slices.SortFunc(objects, func(a, b int) int { return cmp.Compare(score(b), score(a)) })
			for _, o := range objects[:best] {
				row := []value.Value{name(s), value.Str(fmt.Sprint("r", k)), name(o), {}, {}}
				if g.IntN(5) == 0 {
					test["triples"] = append(test["triples"], row)
				} else {
					train["triples"] = append(train["triples"], row)
				}
			}
		}
	}
	return train, test
}

// meanAveragePrecision is that of entity retrieval, or of the task that an option names.
func meanAveragePrecision(t *testing.T, train, test kind.Tables, args ...option.Arg) float64 {
	t.Helper()
	m := trained(t, train, append([]option.Arg{kindtest.Arg("task", "entity_retrieval")}, args...)...)
	list, err := m.Evaluate(context.Background(), test, &kind.Run{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	num, den := 0.0, 0.0
	for i := range list[0].Units.Len() {
		u := list[0].Units.Row(i)
		num, den = num+float64(u[0]), den+float64(u[1])
	}
	return num / den
}

// TestTypesHelp: types in training help where queries do not check them, and checking helps more
// (Chang et al. 2014, table 1).
func TestTypesHelp(t *testing.T) {
	perType := 60
	if os.Getenv("PARLANCE_SLOW") != "" {
		perType = 200
	}
	train, test := synthetic(perType)
	rank, l2 := kindtest.Arg("rank", 20), kindtest.Arg("l2", 5.0)
	plain := meanAveragePrecision(t, train, test, rank, l2, kindtest.Arg("types", "none"))
	typed := meanAveragePrecision(t, train, test, rank, l2, kindtest.Arg("type_check", "false"))
	checked := meanAveragePrecision(t, train, test, rank, l2, kindtest.Arg("type_check", "true"))
	t.Logf("mean average precision: untyped %.3f, typed %.3f, checked %.3f", plain, typed, checked)
	if !(plain < typed && typed < checked) {
		t.Error("types do not help")
	}
}
