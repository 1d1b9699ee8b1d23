package pairrelation

import (
	"fmt"
	"math"
	"testing"

	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/storage/value"
)

// trainedOn trains with options on pairs.
func trainedOn(t testing.TB, in kind.Input, res kind.Resources, options ...option.Arg) *model {
	t.Helper()
	m, set := &model{}, &option.Set{}
	m.Options(set)
	if err := set.Apply(options); err != nil {
		t.Fatal(err)
	}
	if err := m.Train(background,
		&kind.Training{On: in, Resources: res, Seed: 1, Workers: 2, Report: func(kind.Progress) {},
			Notice: func(s string) { t.Log(s) }}); err != nil {
		t.Fatal(err)
	}
	return m
}

// opened reads a relation.
func opened(t testing.TB, m *model, res kind.Resources, name string, args ...value.Value) [][]value.Value {
	t.Helper()
	r, err := m.Open(background, name, args, &kind.Run{Resources: res, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var out [][]value.Value
	for {
		b, err := r.Next(background)
		if err != nil {
			t.Fatal(err)
		}
		if b == nil {
			return out
		}
		for i := range b.N {
			out = append(out, b.Row(nil, i))
		}
	}
}

// near2 compares percentages of two decimals.
func near2(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(100*got-want) > 0.00501 {
		t.Errorf("%s is %.3f%%, want %.2f%%", what, 100*got, want)
	}
}

// weighted is a row for each label and rank that stands for many pairs.
func weighted(n int, label string, rank int, weight float64) []value.Value {
	return row(map[string]any{"term1": fmt.Sprintf("a%d", n), "term2": fmt.Sprintf("b%d", n), "label": label, "rank": rank,
		"weight": weight})
}

// TestDistribution has the counts of Table 1 of Kuroda et al. 2010, and the unions that follow from
// them, of which the paper prints some otherwise.
func TestDistribution(t *testing.T) {
	in := kind.Tables{}
	table := []struct {
		label string
		count float64
		share float64
	}{{"k", 108149, 36.04}, {"w", 67089, 22.35}, {"s", 26113, 8.70}, {"h", 24599, 8.20}, {"v", 20766, 6.92},
		{"o", 18950, 6.31}, {"u", 12383, 4.13},
		{"c", 8092, 2.70}, {"t", 3793, 1.26}, {"d", 3038, 1.01}, {"p", 2995, 1.00}, {"a", 1855, 0.62}, {"n", 725, 0.24},
		{"e", 715, 0.24}, {"m", 397, 0.13},
		{"x", 250, 0.08}, {"f", 180, 0.06}, {"y", 33, 0.01}}
	for i, x := range table {
		in["pairs"] = append(in["pairs"], weighted(i, x.label, 1, x.count))
	}
	m := trainedOn(t, in, nil)
	sum, all, shares := 0.0, 0.0, map[string]float64{}
	for i, r := range opened(t, m, nil, "report") {
		sum += r[4].Float()
		all += r[3].Float()
		shares[r[1].S] = r[4].Float()
		if r[0].Int() != int64(i+1) || r[1].S != table[i].label || r[3].Float() != table[i].count ||
			math.Abs(r[5].Float()-sum) > 1e-12 {
			t.Errorf("place %d is %v", i+1, r)
		}
		near2(t, table[i].label, r[4].Float(), table[i].share)
	}
	if all != 300122 {
		t.Errorf("%v pairs", all)
	}
	for _, r := range opened(t, m, nil, "unions") {
		shares[r[0].S] = r[3].Float()
	}
	for _, c := range []struct {
		what      string
		got, want float64
	}{{"k*", shares["k*"], 58.39}, {"k**", shares["k**"], 63.36}, {"s*", shares["s*"], 16.91},
		{"k** and s*", shares["k**"] + shares["s*"], 80.27}, {"h", shares["h"], 8.20}, {"p", shares["p"], 1.00},
		{"o and u", shares["o"] + shares["u"], 10.44}, {"semantic", shares["semantic"], 89.33},
		{"pair", shares["pair"], 100}} {
		near2(t, c.what, c.got, c.want)
	}
	if math.Abs(shares["r"]-shares["s*"]-shares["h"]-shares["p"]-shares["k**"]-shares["o"]) > 1e-12 {
		t.Error("what is related does not add up")
	}
}

// pilot is Table 2 of the paper: percentages at the ranks 1, 2, 4, 8 and 10.
var pilot = map[string][5]float64{
	"v": {18.13, 10.48, 3.92, 2.51, 1.04}, "o": {17.08, 21.24, 26.93, 28.24, 29.56},
	"w": {13.65, 13.33, 14.30, 12.19, 12.75}, "s": {11.74, 9.14, 7.05, 4.64, 4.06},
	"u": {11.07, 16.48, 17.63, 20.79, 20.87}, "h": {10.50, 10.29, 11.17, 12.96, 10.20},
	"k": {7.82, 8.38, 7.84, 7.74, 8.22}, "d": {2.58, 2.00, 1.57, 1.16, 0.85},
	"p": {2.00, 1.14, 1.08, 1.35, 1.79}, "c": {1.43, 1.05, 1.27, 1.35, 1.89}, "a": {1.05, 1.33, 0.88, 0.39, 0.57},
	"x": {1.05, 1.14, 1.27, 1.64, 2.08},
	"t": {0.29, 0.19, 0.20, 0.39, 0.47}, "f": {0.10, 0.10, 0, 0.10, 0.09}, "m": {0, 0.10, 0.20, 0, 0.19},
}

// TestTrend has the pilot of the paper: with the rank, v, s and d fall, o, u and x rise, and h, k, w
// hardly change.
func TestTrend(t *testing.T) {
	in, n := kind.Tables{}, 0
	sums := [5]float64{}
	for _, l := range leaves {
		for i, rank := range []int{1, 2, 4, 8, 10} {
			sums[i] += pilot[l.code][i]
			in["pairs"] = append(in["pairs"], weighted(n, l.code, rank, pilot[l.code][i]))
			n++
		}
	}
	for i, want := range [5]float64{98.49, 96.39, 95.31, 95.45, 94.63} {
		if math.Abs(sums[i]-want) > 0.006 {
			t.Errorf("column %d adds up to %.2f, want %.2f", i+1, sums[i], want)
		}
	}
	m := trainedOn(t, in, nil)
	trend, slopes := map[string]float64{}, map[string]float64{}
	for _, r := range opened(t, m, nil, "trend") {
		trend[r[0].S], slopes[r[0].S] = r[3].Float(), r[4].Float()
		if r[2].Int() != 5 {
			t.Errorf("%d ranks", r[2].Int())
		}
	}
	for label, sign := range map[string]float64{"v": -1, "s": -1, "d": -1, "o": 1, "u": 1, "x": 1} {
		if trend[label]*sign < 1-1e-12 || slopes[label]*sign <= 0 {
			t.Errorf("%s: spearman %v, slope %v", label, trend[label], slopes[label])
		}
	}
	for _, label := range []string{"h", "k", "w"} {
		if math.Abs(slopes[label]) > 0.005 || math.Abs(slopes[label]) > math.Abs(slopes["s"])/4 {
			t.Errorf("the slope of %s is %v", label, slopes[label])
		}
	}
	shares := map[int64]float64{}
	for _, r := range opened(t, m, nil, "by_rank", value.Str("union"), value.Value{}) {
		if r[1].S == "semantic" {
			shares[r[0].Int()] = r[4].Float()
		}
	}
	if math.Abs(shares[1]-(1-(17.08+11.07+1.05)/98.49)) > 1e-9 || shares[10] >= shares[1] {
		t.Errorf("semantic shares by rank are %v", shares)
	}
}

// TestRaters: who judged alike is in full agreement at the top and not at the leaves.
func TestRaters(t *testing.T) {
	m := trainedOn(t, rows("a|b|1|k||ann", "a|b|1|w||bob", "c|d|1|s||ann", "c|d|1|s||bob", "e|f|1|u||ann", "e|f|1|u||bob",
		"e|f|1|o||bob", "g|h|1|v||ann"), nil)
	got := map[string]float64{}
	for _, r := range opened(t, m, nil, "agreement") {
		got[r[0].S+" "+r[1].S] = r[5].Float()
		if r[4].Int() != 3 {
			t.Errorf("%v", r)
		}
	}
	// At the leaves ann says k, s, u and bob w, s, o; at the top k**, s*, u and k**, s*, o.
	for what, want := range map[string]float64{"leaf cohen": (1.0/3 - 1.0/9) / (1 - 1.0/9),
		"top cohen":   (2.0/3 - 2.0/9) / (1 - 2.0/9),
		"leaf fleiss": (1.0/3 - 8.0/36) / (1 - 8.0/36), "top fleiss": (2.0/3 - 10.0/36) / (1 - 10.0/36)} {
		if math.Abs(got[what]-want) > 1e-12 {
			t.Errorf("%s is %v, want %v", what, got[what], want)
		}
	}
	// A majority decides, of equally many the priority.
	want := map[string]string{"a": "w", "c": "s", "e": "o", "g": "v"}
	for _, r := range opened(t, m, nil, "judged") {
		if want[r[0].S] != r[3].S {
			t.Errorf("%v", r)
		}
	}
}
