package numfn

import (
	"testing"

	"pgregory.net/rapid"

	"parlance/query/fn/fntest"
	"parlance/storage/value"
)

// TestSpanAlgebra compares span functions with sets of positions.
func TestSpanAlgebra(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		draw := func(name string) (value.Value, value.Value, map[int64]bool) {
			from := rapid.Int64Range(0, 6).Draw(rt, name)
			to := from + rapid.Int64Range(1, 4).Draw(rt, name)
			set := map[int64]bool{}
			for i := from; i < to; i++ {
				set[i] = true
			}
			return value.Int(from), value.Int(to), set
		}
		a, b, x := draw("first")
		c, d, y := draw("second")
		common, all := int64(0), int64(len(y))
		for i := range x {
			if y[i] {
				common++
			} else {
				all++
			}
		}
		gap := int64(-1) // positions between, -1 where they overlap
		if common == 0 {
			gap = 0
			for i := min(b.Int(), d.Int()); i < max(a.Int(), c.Int()); i++ {
				gap++
			}
		}
		k := rapid.Int64Range(0, 3).Draw(rt, "k")
		check := func(name string, want value.Value, args ...value.Value) {
			if got, err := fntest.Call(t, Functions, name, args...); err != nil || got != want {
				rt.Fatalf("%s(%v) = %v %v, want %v", name, args, got, err, want)
			}
		}
		distance := value.Int(gap)
		if gap < 0 {
			distance = value.Value{}
		}
		check("span_distance", distance, a, b, c, d)
		check("token_distance", distance, a, value.Int(b.Int()-1), c, value.Int(d.Int()-1))
		check("adjacent", value.Bool(gap == 0), a, b, c, d)
		check("overlaps", value.Bool(common > 0), a, b, c, d)
		check("overlap_length", value.Int(common), a, b, c, d)
		check("span_jaccard", value.Real(float64(common)/float64(all)), a, b, c, d)
		check("precedes", value.Bool(gap >= 0 && a.Int() < c.Int()), a, b, c, d)
		check("precedes", value.Bool(gap >= 0 && a.Int() < c.Int() && gap <= k), a, b, c, d, value.Int(k))
		check("follows", value.Bool(gap >= 0 && c.Int() < a.Int() && gap <= k), a, b, c, d, value.Int(k))
		shared := value.Value{}
		if common > 0 {
			first := int64(-1)
			for i := range x {
				if y[i] && (first < 0 || i < first) {
					first = i
				}
			}
			shared = jsonSpan(first, first+common)
		}
		check("span_intersection", shared, a, b, c, d)
		check("contains", value.Bool(common == int64(len(y))), a, b, c, d)
		check("within", value.Bool(common == int64(len(x))), a, b, c, d)
		check("span_union", jsonSpan(min(a.Int(), c.Int()), max(b.Int(), d.Int())), a, b, c, d)
	})
}
