package metrics

import (
	"context"
	"math"
	"testing"

	"pgregory.net/rapid"
)

// TestCombinations compares combinations of any number of statistics with their formulas.
func TestCombinations(t *testing.T) {
	sums := []float64{3, 4, 1, 2, 0, 0}
	p, r := Share(0, 1), Share(2, 3)
	for _, c := range []struct {
		name string
		c    *Combine
		want float64
	}{
		{"share", p, 0.75}, {"empty", Share(4, 5), 0}, {"nothing proposed", ShareOr(4, 5, 1), 1},
		{"given in spite of that", ShareOr(0, 1, 1), 0.75},
		{"f1", Harmonic(1, p, r), 2 * 0.75 * 0.5 / 1.25}, {"f0.5", Harmonic(0.5, p, r), 1.25 * 0.375 / (0.25*0.75 + 0.5)},
		{"mean of different combinations", Average(p, r, Sum), (0.75 + 0.5 + 3) / 3},
		{"f of counts", FBeta(2), 5 * 3 / (5*3. + 4 + 4*1)}, {"precision", Precision, 3. / 7}, {"recall", Recall, 3. / 4},
	} {
		if got := c.c.of(sums); math.Abs(got-c.want) > 1e-15 {
			t.Errorf("%s is %v, want %v", c.name, got, c.want)
		}
	}
}

// TestPublishedFBeta has precisions and recalls with the F_0.5 and F_1 that were printed beside them.
func TestPublishedFBeta(t *testing.T) {
	for _, c := range [][4]float64{{0.5, 43.70, 22.04, 36.52}, {0.5, 44.28, 22.57, 37.14}, {0.5, 52.44, 29.89, 45.56},
		{0.5, 44.22, 21.54, 36.53}, {1, 46, 23, 30.67}} {
		if got := harmonic(c[0], c[1], c[2]); math.Abs(got-c[3]) > 0.005 {
			t.Errorf("F%v of %v and %v is %v, want %v", c[0], c[1], c[2], got, c[3])
		}
	}
}

func TestBetaOf(t *testing.T) {
	for name, want := range map[string]float64{"f1": 1, "F0.5": 0.5, "f2.PER": 2, "f0.5.PER": 0.5, "b3_f0.5": 0.5,
		"macro_f2": 2, "f1.5": 1, "f0.5x": 0,
		"las": 0, "hits@3": 0, "f": 0, "f0": 0, "off2": 0, "precision.f2": 0} {
		if got := BetaOf(name); got != want {
			t.Errorf("%s asks for %v, want %v", name, got, want)
		}
	}
}

func TestCutLabel(t *testing.T) {
	for name, want := range map[string][2]string{"f1": {"f1", ""}, "f1.PER": {"f1", "PER"}, "f0.5": {"f0.5", ""},
		"f0.5.PER": {"f0.5", "PER"}, "f1.5": {"f1", "5"},
		"recall.a.b": {"recall", "a.b"}, "f2.PER": {"f2", "PER"}, "b3_f0.5": {"b3_f0.5", ""}} {
		if metric, label := CutLabel(name); [2]string{metric, label} != want {
			t.Errorf("%s is %s of %s, want %v", name, metric, label, want)
		}
	}
}

// TestMetricThatOneModelLacks compares F1 with that of a model that has not met the label.
func TestMetricThatOneModelLacks(t *testing.T) {
	f := Metric{Name: "f1", Combine: F1}
	for i := range 30 {
		f.Units.Add(One(i%2 == 0), 2, 1)
	}
	c := Chance{Confidence: 0.95, Resamples: 100, Shuffles: 100, Seed: 1, Workers: 1}
	own, err := Intervals(context.Background(), []Metric{f}, c)
	if err != nil {
		t.Fatal(err)
	}
	got, err := Compare(context.Background(), []Metric{{Name: "f1"}}, []Metric{f}, c)
	if err != nil {
		t.Fatal(err)
	}
	if d := got[0]; d.Value != -f.Value() || math.Abs(d.Interval.Low+own[0].High) > 1e-12 ||
		math.Abs(d.Interval.High+own[0].Low) > 1e-12 {
		t.Errorf("the difference is %+v, F1 %v in %v", d, f.Value(), own[0])
	}
}

// TestFourStatistics compares means and intervals of a precision and a recall with denominators of
// their own with those of resamples written out, also beside metrics of three statistics.
func TestFourStatistics(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var four, three Units
		n := rapid.IntRange(FewestUnits, 12).Draw(t, "units")
		for range n {
			x := func() float32 { return float32(rapid.IntRange(0, 4).Draw(t, "x")) / 4 }
			four.Add(x(), 1, x(), 2)
			three.Add(x(), x(), x())
		}
		p, r := Share(0, 1), Share(2, 3)
		list := []Metric{{Combine: F1, Units: three}, {Combine: p, Units: four}, {Combine: r, Units: four},
			{Combine: Harmonic(2, p, r), Units: four}}
		c := Chance{Confidence: 0.9, Resamples: 40, Shuffles: 40, Seed: 3, Workers: 2}
		found, err := Intervals(context.Background(), list, c)
		if err != nil {
			t.Fatal(err)
		}
		for i, m := range list {
			alone, err := Intervals(context.Background(), []Metric{m}, c)
			if err != nil || *alone[0] != *found[i] {
				t.Fatalf("metric %d has the interval %v alone and %v beside others: %v", i, alone[0], found[i], err)
			}
		}
		s := four.sums(4)
		if got, want := list[3].Value(), harmonic(2, ratio(s[0], s[1]), ratio(s[2], s[3])); math.Abs(got-want) > 1e-12 {
			t.Fatalf("F2 is %v, want %v", got, want)
		}
		same, err := Compare(context.Background(), list, list, c)
		if err != nil {
			t.Fatal(err)
		}
		for i, d := range same {
			if d.Value != 0 || d.P != 1 || d.Interval.Low != 0 || d.Interval.High != 0 || d.Units != n {
				t.Fatalf("metric %d against itself: %+v", i, d)
			}
		}
	})
}

// TestSourcesKeepTheirColumns compares metrics whose statistics have different lengths between two models.
func TestSourcesKeepTheirColumns(t *testing.T) {
	var a, b, wide Units
	for i := range 20 {
		a.Add(One(i%2 == 0), 1)
		b.Add(One(i%4 == 0), 1)
		wide.Add(1, 1, 1, 1, float32(i), 20)
	}
	x := []Metric{{Combine: Ratio, Units: a}, {Combine: Share(4, 5), Units: wide}}
	y := []Metric{{Combine: Ratio, Units: b}, {Combine: Share(4, 5), Units: wide}}
	got, err := Compare(context.Background(), x, y,
		Chance{Confidence: 0.95, Resamples: 200, Shuffles: 999, Test: Randomised, Seed: 1, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	if got[0].Value != 0.25 || !(got[0].P < 0.1) || got[1].Value != 0 || got[1].P != 1 || got[1].Interval.High != 0 {
		t.Errorf("differences %+v", got)
	}
	sign, err := Compare(context.Background(), x, y, Chance{Test: Sign, Workers: 1})
	if err != nil || math.Abs(sign[0].P-2.0/32) > 1e-12 {
		t.Errorf("5 of 5 better by the sign test: p %v, %v", sign[0].P, err)
	}
}

func TestUnitsRefuseRaggedRows(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("rows of two lengths are added")
		}
	}()
	var u Units
	u.Add(1, 2)
	u.Add(1)
}
