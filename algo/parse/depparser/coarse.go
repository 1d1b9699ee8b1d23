package depparser

import (
	"context"

	"parlance/algo/parse/tree"
	"parlance/algo/parse/tree/chart"
)

// leastCoarse is the least threshold by which arcs are left out where all do not fit, and coarseStep by how much it
// rises until they do.
const (
	leastCoarse = 1e-3
	coarseStep  = 4
)

// refined is what the decoder of a tree is called that refine has found.
const refined = eisner + ", coarse to fine"

// coarse is the parser of arcs alone that chooses the arcs of long sentences: the pruner, or without one the parser
// itself less all other parts.
func (p *parser) coarse() *parser {
	if p.pruner != nil {
		return p.pruner
	}
	arcs := *p.scorer
	arcs.types, arcs.parts = tree.Dep, [8]*group{}
	return &parser{factorization: tree.Arc, projective: p.projective, single: p.single, scorer: &arcs}
}

// refines tells whether a parser has a chart whose size follows the arcs that are left.
func (p *parser) refines() bool { return p.factorization != tree.Arc && !automata(p.factorization) }

// refine parses a sentence from coarse to fine (Charniak and Johnson 2005; Rush and Petrov 2012): by the chart of all
// parts of the arcs that are no less likely, by arcs alone, than threshold times the likeliest one to their modifier.
// The threshold rises until parts and chart take at most n numbers. The heads are in w.heads. It takes
// O(n³) for the arcs and O(n·arcs) and more for the chart.
func (a *annotator) refine(ctx context.Context, s *sentence, threshold float64, numbers int) (score float64, ok bool) {
	w := a.w
	if a.coarse == nil {
		a.coarse = w.p.coarse().worker()
	}
	if !a.coarse.likely(ctx, s) {
		return 0, false
	}
	for {
		a.keep = a.coarse.keepLikely(s, threshold, a.keep)
		w.parts.Within(ctx)
		w.parts.Keep(s.n, a.keep)
		w.parts.Reset(w.p.factorization.Types())
		if n := w.parts.Len(); n <= mostParts && n+chart.Numbers(w.p.factorization, &w.parts) <= numbers {
			break
		}
		if threshold == 1 || ctx.Err() != nil {
			return 0, false
		}
		threshold = min(1, max(leastCoarse, coarseStep*threshold))
	}
	w.load(ctx, s, a.keep)
	if ctx.Err() != nil {
		return 0, false
	}
	return w.decoder.Best(&w.parts, w.score, w.heads)
}
