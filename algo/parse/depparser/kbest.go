package depparser

import (
	"parlance/algo/engine/online"
	"parlance/algo/parse/tree"
)

// margins is MIRA over the k best trees (Crammer et al. 2006; McDonald, Crammer and Pereira 2005): the
// least change of the weights after which the gold tree is ahead of each of them by its wrong heads.
type margins struct {
	k int
	c float64 // bound of each multiplier
}

func (o margins) gradient(w *worker, it *item, g *gradient) {
	f := w.p.factorization
	w.gold = f.Parts(it.heads, w.gold[:0])
	gold := 0.0
	for _, x := range w.gold {
		gold += w.value(x)
	}
	var sides []gradient // gold against one of the trees, without those that are gold
	var diffs []online.Vector
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
	for j, a := range online.Hildreth(diffs, lack, o.c) {
		for i, x := range sides[j].parts {
			if a > 0 {
				g.add(x, a*sides[j].coef[i])
			}
		}
	}
}

// sparse are the features of the parts, by table and place.
func (g *gradient) sparse(w *worker) online.Vector {
	var out []online.Term
	for i, x := range g.parts {
		k := uint64(w.p.scorer.number(x.Type)) << 32
		w.v.each(x, func(at uint32) { out = append(out, online.Term{At: k | uint64(at), Value: g.coef[i]}) })
	}
	return online.Collect(out)
}
