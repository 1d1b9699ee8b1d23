package gecmodule

import (
	"math"
	"math/rand/v2"
	"testing"

	"parlance/algo/correct/confusion"
	"parlance/algo/correct/correcttest"
	"parlance/algo/correct/evidence"
)

// TestLifts compares lifts with sums over the rows of the other folds.
func TestLifts(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	type row struct {
		of    string
		fold  int
		right bool
		p     float64
	}
	var list []row
	l := lifting{3, map[string][][2]float64{}}
	for range 200 {
		r := row{string(rune('a' + rng.IntN(4))), rng.IntN(3), rng.IntN(3) == 0, rng.Float64()}
		list = append(list, r)
		l.add(r.of, r.fold, r.right, r.p)
	}
	for _, of := range []string{"a", "b", "c", "d", "none"} {
		for fold := -1; fold < 3; fold++ {
			right, expected := 1.0, 1.0
			for _, r := range list {
				if r.of == of && r.fold != fold {
					expected += r.p
					if r.right {
						right++
					}
				}
			}
			if got, want := float64(l.without(of, fold)), math.Log(right/expected); math.Abs(got-want) > 1e-6 {
				t.Errorf("lift of %s without fold %d: %v, want %v", of, fold, got, want)
			}
		}
	}
	rows := l.rows()
	if !sortedLifts(rows) || sortedLifts([]liftRow{{"b", 1}, {"a", 1}}) || sortedLifts([]liftRow{{"a", 1}, {"a", 1}}) {
		t.Errorf("order of %v", rows)
	}
}

// TestTrees trains with trees and without: trees change prob, and the margins stay.
func TestTrees(t *testing.T) {
	res, docs := native(t), correcttest.Documents(500, 0.3, 4)
	plain := train(t, res, docs, map[string]any{"module": nounNumber, "ngrams": "web", "trees": 0})
	with := train(t, res, docs, map[string]any{"module": nounNumber, "ngrams": "web"})
	if plain.ranker != nil || with.ranker == nil || len(with.ranker.Trees.Roots) != 80 {
		t.Fatalf("trees: %v without, %v with", plain.ranker, with.ranker)
	}
	changed := 0
	for _, d := range docs[:100] {
		for _, s := range confusion.Read(d) {
			left, right := proposed(t, plain, res, s), proposed(t, with, res, s)
			for k := range left {
				if left[k].Margin != right[k].Margin || left[k].LM != right[k].LM {
					t.Fatalf("%v and %v", left[k], right[k])
				}
				low := evidence.Logit(left[k].Prob) < floor-1e-6
				if same := math.Abs(left[k].Prob-right[k].Prob) < 1e-12; !same {
					changed++
				}
				if low && left[k].Prob != right[k].Prob {
					t.Errorf("below the floor %v became %v", left[k].Prob, right[k].Prob)
				}
			}
		}
	}
	if changed == 0 {
		t.Error("trees change nothing")
	}
}
