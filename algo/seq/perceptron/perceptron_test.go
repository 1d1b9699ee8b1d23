package perceptron

import (
	"context"
	"math"
	"testing"

	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/option"
)

func TestContract(t *testing.T) {
	kindtest.Variants(t, kindtest.Case{Kind: Kind(), Resumes: true}, map[string][]option.Arg{
		"documents": {kindtest.Arg("layer", "labels")},
		"spans":     {kindtest.Arg("layer", "entities")},
		"plain":     {kindtest.Arg("layer", "entities"), kindtest.Arg("variant", "plain"), kindtest.Arg("scheme", "iobes")},
		"margin": {kindtest.Arg("layer", "entities"), kindtest.Arg("variant", "margin"), kindtest.Arg("margin", 20),
			kindtest.Arg("states", "all")},
		"column": {kindtest.Arg("layer", "upos"), kindtest.Arg("shuffle", false)},
	})
}

// TestVariants: updates add and subtract 1, so that last weights are whole numbers and means are not.
func TestVariants(t *testing.T) {
	for variant, whole := range map[string]bool{"plain": true, "averaged": false} {
		m, s := Kind().New().(*model), &option.Set{}
		m.Options(s)
		if err := s.Apply([]option.Arg{kindtest.Arg("layer", "entities"), kindtest.Arg("variant", variant)}); err != nil {
			t.Fatal(err)
		}
		in := &kind.Training{On: kind.Documents(kindtest.Sample(20)), Report: func(kind.Progress) {}, Notice: func(string) {}}
		if err := m.Train(context.Background(), in); err != nil {
			t.Fatal(err)
		}
		parts := 0
		for w := range m.Chain.States() {
			if w.Weight != math.Trunc(w.Weight) {
				parts++
			}
		}
		if whole != (parts == 0) {
			t.Errorf("%s: %d weights are no whole numbers", variant, parts)
		}
	}
}
