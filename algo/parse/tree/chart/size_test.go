package chart

import (
	"math/rand/v2"
	"testing"

	"parlance/algo/parse/tree"
	"parlance/algo/parse/tree/treetest"
)

// TestNumbers compares the size that is foretold with that of the chart.
func TestNumbers(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, f := range charts {
		for _, n := range []int{1, 2, 9, 30} {
			for _, arcs := range []int{2, n} {
				var p tree.Parts
				if arcs < n {
					pruned(&p, n, arcs, f, rng)
				} else {
					p.Full(n)
					p.Reset(f.Types())
				}
				d := New(f, true)
				d.Best(&p, treetest.Random(&p, rng, 1), make([]int32, n+1))
				got := 0
				switch c := d.chart.(type) {
				case *sibling:
					got = len(c.closed) + len(c.pair) + len(c.open) + len(c.column)
				case *carreras:
					got = len(c.closed) + len(c.open) + len(c.column) + len(c.outer) + len(c.head) + len(c.mod)
				case *grand:
					got = len(c.open) + len(c.closed) + len(c.column) + len(c.base) + len(c.pair) + len(c.triple)
				}
				if want := Numbers(f, &p); got != want {
					t.Errorf("%v of %d tokens, %d arcs: %d numbers, foretold %d", f, n, p.Arcs.Len(), got, want)
				}
			}
		}
	}
	if got := Numbers(tree.Arc, &tree.Parts{}); got != 0 {
		t.Errorf("arcs without a chart take %d", got)
	}
}
