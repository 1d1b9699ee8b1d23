package depparser

import (
	"math"
	"slices"

	"parlance/algo/parse/tree"
)

// margins is MIRA over the k best trees (Crammer et al. 2006; McDonald, Crammer and Pereira 2005): the
// least change of the weights after which the gold tree is ahead of each of them by its wrong heads.
type margins struct {
	k int
	c float64 // bound of each multiplier
}

// place is a feature of a tree's difference to the gold one.
type place struct {
	at   uint64 // table and place
	coef float64
}

func (o margins) gradient(w *worker, it *item, g *gradient) {
	f := w.p.factorization
	w.gold = f.Parts(it.heads, w.gold[:0])
	gold := 0.0
	for _, x := range w.gold {
		gold += w.value(x)
	}
	var sides []gradient // gold against one of the trees, without those that are gold
	var diffs [][]place
	var lack []float64 // loss − w·Δ
	for i, z := range w.decoder.(tree.Lister).KBest(&w.parts, w.score, o.k, nil) {
		wrong := 0
		for m := 1; m <= w.parts.N; m++ {
			if z.Heads[m] != it.heads[m] {
				wrong++
			}
		}
		if i == 0 {
			g.wrong = wrong
		}
		if wrong == 0 {
			continue
		}
		w.found = f.Parts(z.Heads, w.found[:0])
		var side gradient
		side.difference(w)
		sides, diffs = append(sides, side), append(diffs, side.sparse(w))
		lack = append(lack, float64(wrong)-(gold-z.Score))
		g.loss = max(g.loss, lack[len(lack)-1])
	}
	for j, a := range hildreth(diffs, lack, o.c) {
		for i, x := range sides[j].parts {
			if a > 0 {
				g.add(x, a*sides[j].coef[i])
			}
		}
	}
}

// sparse are the features of the parts, each once, by rising place.
func (g *gradient) sparse(w *worker) []place {
	var out []place
	for i, x := range g.parts {
		k := uint64(w.p.scorer.number(x.Type)) << 32
		w.v.each(x, func(at uint32) { out = append(out, place{k | uint64(at), g.coef[i]}) })
	}
	slices.SortStableFunc(out, func(a, b place) int {
		switch {
		case a.at < b.at:
			return -1
		case a.at > b.at:
			return 1
		}
		return 0
	})
	n := 0
	for _, p := range out {
		if n > 0 && out[n-1].at == p.at {
			out[n-1].coef += p.coef
			continue
		}
		out[n] = p
		n++
	}
	return out[:n]
}

// dot is the inner product of two differences.
func dot(a, b []place) (sum float64) {
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i].at < b[j].at:
			i++
		case a[i].at > b[j].at:
			j++
		default:
			sum += a[i].coef * b[j].coef
			i++
			j++
		}
	}
	return sum
}

// Bounds of Hildreth's method.
const (
	hildrethRounds    = 10_000
	hildrethTolerance = 1e-8
)

// hildreth returns the multipliers of the least change Σ α_j·Δ_j with Δ_j·(w + Σ α·Δ) ≥ loss_j, 0 ≤ α ≤
// c, by cyclic steps on the dual (Censor and Zenios 1997): lack_j is loss_j − Δ_j·w.
func hildreth(diffs [][]place, lack []float64, c float64) []float64 {
	n := len(diffs)
	gram, alpha := make([]float64, n*n), make([]float64, n)
	for i := range n {
		for j := range n {
			gram[i*n+j] = dot(diffs[i], diffs[j])
		}
	}
	for range hildrethRounds {
		most := 0.0
		for j := range n {
			if gram[j*n+j] < 1e-12 {
				continue
			}
			rest := lack[j]
			for i, a := range alpha {
				rest -= a * gram[j*n+i]
			}
			next := min(c, max(0, alpha[j]+rest/gram[j*n+j]))
			most = max(most, math.Abs(next-alpha[j])*gram[j*n+j])
			alpha[j] = next
		}
		if most < hildrethTolerance {
			break
		}
	}
	return alpha
}
