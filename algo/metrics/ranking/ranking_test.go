package ranking

import (
	"context"
	"math"
	"slices"
	"testing"

	"parlance/algo/metrics"

	"pgregory.net/rapid"
)

func near(t rapid.TB, what string, got, want float64) {
	t.Helper()
	if math.IsNaN(got) || math.Abs(got-want) > 1e-6 {
		t.Errorf("%s is %.9f, want %.9f", what, got, want)
	}
}

func find(t rapid.TB, list []metrics.Metric, name, label string) metrics.Metric {
	t.Helper()
	for _, m := range list {
		if m.Name == name && m.Label == label {
			return m
		}
	}
	t.Fatalf("no %s of %s", name, label)
	return metrics.Metric{}
}

// TestListsByHand has the numbers of Chang et al. 2014 and Kazama et al. 2010: hit, miss, hit.
func TestListsByHand(t *testing.T) {
	hits := []bool{true, false, true}
	near(t, "AP of 2", AveragePrecision(hits, 2), 0.833333333)
	near(t, "AP of 4", AveragePrecision(hits, 4), 0.416666667)
	near(t, "P@1", PrecisionAt(hits, 1), 1)
	near(t, "P@3", PrecisionAt(hits, 3), 2.0/3)
	near(t, "P@10", PrecisionAt(hits, 10), 0.2)
	near(t, "P@0", PrecisionAt(hits, 0), 0)
	near(t, "AP of none", AveragePrecision(hits, 0), 0)
	var l Lists
	l.Add("a", hits, 2)
	l.Add("b", []bool{false, true}, 1)
	l.Add("b", nil, 3)
	l.Add("b", []bool{false}, 0) // no answer: does not count
	m := l.Metrics(1, 2)
	near(t, "map", find(t, m, "map", metrics.All).Value(), (0.833333333+0.5+0)/3)
	near(t, "map_weighted", find(t, m, "map_weighted", metrics.All).Value(), (2*0.833333333+0.5)/6)
	near(t, "mrr", find(t, m, "mrr", metrics.All).Value(), 0.5)
	near(t, "precision@2", find(t, m, "precision@2", metrics.All).Value(), (0.5+0.5)/3)
	near(t, "map of b", find(t, m, "map", "b").Value(), 0.25)
	near(t, "support", find(t, m, "map", metrics.All).Support, 3)
	if m[0].Name != "map" || m[0].Label != metrics.All {
		t.Errorf("the first metric is %s of %s", m[0].Name, m[0].Label)
	}
}

func TestRanksByHand(t *testing.T) {
	near(t, "last", Rank(3, 2, Last), 6)
	near(t, "middle", Rank(3, 2, Middle), 5)
	near(t, "foremost", Rank(3, 2, Foremost), 4)
	near(t, "not found", Reciprocal(0)+Within(0, 10), 0)
	var r Ranks
	for _, x := range []float64{1, 2, 10, 100} {
		r.Add("", x)
	}
	m := r.Metrics(1, 10)
	near(t, "mrr", find(t, m, "mrr", metrics.All).Value(), (1+0.5+0.1+0.01)/4)
	near(t, "hits@1", find(t, m, "hits@1", metrics.All).Value(), 0.25)
	near(t, "hits@10", find(t, m, "hits@10", metrics.All).Value(), 0.75)
	near(t, "mean_rank", find(t, m, "mean_rank", metrics.All).Value(), 113.0/4)
	if len(m) != 4 {
		t.Errorf("%d metrics without groups", len(m))
	}
}

func TestMaxDiffByHand(t *testing.T) {
	var list []Answer
	for _, c := range []struct {
		scores      []float64
		best, worst int
	}{{[]float64{3, 1, 2, 0}, 0, 3}, {[]float64{3, 1, 2, 0}, 0, 1}, {[]float64{0, 0, 0, 0}, 0, 3}, {nil, 0, 0}} {
		b, w := MaxDiff(c.scores, c.best, c.worst)
		list = append(list, Answer{BestRight: b, WorstRight: w})
	}
	m := MaxDiffAccuracy(list)
	near(t, "accuracy", m[0].Value(), 4.0/8)
	near(t, "best", find(t, m, "best", metrics.All).Value(), 3.0/4)
	near(t, "worst", find(t, m, "worst", metrics.All).Value(), 1.0/4)
}

// TestAgainstDefinitions compares with the definitions written out: AP averages the precision at
// the place of every answer, and equal scores never help.
func TestAgainstDefinitions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 15).Draw(t, "n")
		scores, right := make([]float64, n), make([]bool, n)
		for i := range scores {
			scores[i], right[i] = float64(rapid.IntRange(0, 4).Draw(t, "score")), rapid.Bool().Draw(t, "right")
		}
		hits := Hits(scores, right)
		sum, answers := 0.0, 0
		for i := range n {
			if !right[i] {
				continue
			}
			answers++
			above, rightAbove := 0, 0 // with itself, and with what is level: wrong ones come first
			for k := range n {
				level := scores[k] == scores[i]
				if scores[k] > scores[i] || level && !right[k] || level && right[k] && k <= i {
					above++
					if right[k] {
						rightAbove++
					}
				}
			}
			sum += float64(rightAbove) / float64(above)
		}
		want := 0.0
		if answers > 0 {
			want = sum / float64(answers)
		}
		near(t, "AP", AveragePrecision(hits, answers), want)
		slices.Sort(scores)
		slices.Reverse(scores)
		if answers > 0 && First(hits) == 0 {
			t.Error("an answer got lost")
		}
	})
}

// TestPairedTests compares two systems on the same queries.
func TestPairedTests(t *testing.T) {
	var a, b Lists
	for i := range 40 {
		a.Add("", []bool{i%4 != 0, true}, 1+i%2)
		b.Add("", []bool{i%4 == 1, true}, 1+i%2)
	}
	for _, test := range []metrics.Test{metrics.Randomised, metrics.Sign, metrics.Student} {
		set := metrics.Chance{Confidence: 0.95, Resamples: 200, Shuffles: 2000, Test: test, Workers: 2}
		found, err := metrics.Compare(context.Background(), a.Metrics(1), b.Metrics(1), set)
		if err != nil {
			t.Fatal(err)
		}
		if c := found[0]; !c.Tested || c.P > 0.001 || c.Value <= 0 || c.Interval.Low <= 0 {
			t.Errorf("test %d: %+v", test, c)
		}
	}
}
