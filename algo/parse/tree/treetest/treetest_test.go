package treetest

import (
	"math"
	"slices"
	"testing"

	"parlance/algo/parse/tree"
)

// TestCounts: Koo et al. 2007; multi-root trees are (n+1)^(n−1), single-root ones n^(n−1), projective
// ones C(3n,n)/(2n+1) and C(3n−2,n−1)/n.
func TestCounts(t *testing.T) {
	want := map[Class][]int{
		{true, true}:   {1, 2, 7, 30, 143, 728},
		{true, false}:  {1, 3, 12, 55, 273, 1428},
		{false, true}:  {1, 2, 9, 64, 625, 7776},
		{false, false}: {1, 3, 16, 125, 1296, 16807},
	}
	for _, c := range Classes {
		for i, w := range want[c] {
			got := 0
			for range Enumerate(i+1, c) {
				got++
			}
			if got != w {
				t.Errorf("%+v: %d trees of %d tokens, want %d", c, got, i+1, w)
			}
		}
	}
}

// TestFormula has the best score, the best trees and ln Z that Koo and Collins 2010's factorizations
// give under the formula.
func TestFormula(t *testing.T) {
	type row struct {
		n      int
		single bool
		max    float64
		heads  []int32
		logZ   float64
	}
	for f, rows := range map[tree.Factorization][]row{
		tree.Arc: {{4, true, 9, []int32{2, 0, 2, 2}, 10.229276}, {5, true, 12, nil, 13.421322},
			{5, false, 12, nil, 13.877804}},
		tree.Sibling: {{4, true, 16, []int32{2, 0, 2, 2}, 16.102363}, {5, false, 21, []int32{2, 0, 2, 2, 2}, 21.074101}},
		tree.Carreras: {{4, true, 19, []int32{2, 0, 2, 2}, 19.021083}, {5, true, 22, nil, 22.755889},
			{5, false, 22, nil, 22.784739}},
		tree.Model0: {{4, true, 14, []int32{2, 3, 4, 0}, 14.066538}, {5, false, 15, nil, 16.847396}},
		tree.Model1: {{4, true, 18, []int32{2, 0, 2, 2}, 18.817738}, {4, false, 22, []int32{2, 0, 4, 0}, 22.210705},
			{5, true, 27, []int32{2, 0, 2, 2, 2}, 27.133552}},
		tree.Model2: {{4, true, 25, []int32{2, 4, 2, 0}, 25.052066}, {5, true, 30, []int32{2, 0, 2, 2, 2}, 30.100894},
			{5, false, 30, nil, 30.148201}},
	} {
		for _, r := range rows {
			var p tree.Parts
			p.Full(r.n)
			p.Reset(f.Types())
			e := Brute(f, Class{true, r.single}, &p, Scores(&p, Formula))
			if e.Trees[0].Score != r.max || math.Abs(e.LogZ-r.logZ) > 1e-6 ||
				r.heads != nil && !slices.Equal(e.Trees[0].Heads[1:], r.heads) {
				t.Errorf("%v, %d tokens, single %v: %v, ln Z %.6f; want %v", f, r.n, r.single, e.Trees[0], e.LogZ, r)
			}
		}
	}
}
