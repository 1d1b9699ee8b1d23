package tree_test

import (
	"math"
	"math/rand/v2"
	"testing"

	. "parlance/algo/parse/tree"
	"parlance/algo/parse/tree/treetest"
)

// TestKBest: the k best trees are those of enumeration, each once, for k up to more than there are.
func TestKBest(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	var p Parts
	for _, c := range classes() {
		d := decoder(c).(Lister)
		for try := range 150 {
			treetest.Candidates(&p, rng.IntN(6), []float64{1, 0.6}[try%2], Arc, c, rng)
			score := treetest.Random(&p, rng, 3)
			for i := range score {
				if try%3 == 0 {
					score[i] = math.Round(score[i])
				}
				if try%7 == 0 && rng.IntN(4) == 0 {
					score[i] = math.Inf(-1)
				}
			}
			want := treetest.Brute(Arc, c, &p, score).Trees
			k := []int{0, 1, 2, 10, 100, 2000}[rng.IntN(6)]
			got := d.KBest(&p, score, k, nil)
			if len(got) != min(k, len(want)) {
				t.Fatalf("%+v: %d trees of %d for k = %d", c, len(got), len(want), k)
			}
			seen := map[string]bool{}
			for i, x := range got {
				key := string(bytes(x.Heads))
				if seen[key] || !treetest.Tree(x.Heads, c) || math.Abs(x.Score-want[i].Score) > 1e-9 ||
					math.Abs(x.Score-Score(Arc, &p, score, x.Heads)) > 1e-9 {
					t.Fatalf("%+v: tree %d is %v, want %v", c, i, x, want[i])
				}
				seen[key] = true
			}
		}
	}
}

func bytes(heads []int32) (out []byte) {
	for _, h := range heads {
		out = append(out, byte(h))
	}
	return out
}

// TestMBR: no tree has more expected heads.
func TestMBR(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	var p Parts
	for _, c := range classes() {
		d := NewMBR(decoder(c), decoder(c))
		for range 50 {
			treetest.Candidates(&p, 1+rng.IntN(5), 0.8, Arc, c, rng)
			score := treetest.Random(&p, rng, 2)
			mu := treetest.Brute(Arc, c, &p, score).Mu
			heads := make([]int32, p.N+1)
			got, ok := d.Best(&p, score, heads)
			if want := treetest.Brute(Arc, c, &p, mu).Trees[0].Score; !ok || math.Abs(got-want) > 1e-9 {
				t.Fatalf("%+v: %v expects %v heads, the best %v", c, heads, got, want)
			}
		}
	}
}
