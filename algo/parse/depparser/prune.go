package depparser

import (
	"context"

	"parlance/algo/numeric/buffer"
)

// prune keeps the arcs of a sentence whose probability is at least threshold times that of the
// likeliest arc to their modifier, and those of the best tree, so that a tree is left.
func (w *worker) prune(ctx context.Context, s *sentence, threshold float64, keep []bool) []bool {
	if w.likely(ctx, s) {
		return w.keepLikely(s, threshold, keep)
	}
	keep = buffer.Resize(keep, (s.n+1)*(s.n+1))
	for i := range keep {
		keep[i] = true
	}
	return keep
}

// likely finds the best tree of arcs and the probability of each; false if there is none.
func (w *worker) likely(ctx context.Context, s *sentence) bool {
	w.load(ctx, s, nil)
	p := &w.parts
	w.heads, w.mu = buffer.Resize(w.heads, s.n+1), buffer.Resize(w.mu, p.Len())
	_, ok := w.decoder.Best(p, w.score, w.heads)
	if ok {
		_, ok = w.summer.Marginals(p, w.score, w.mu)
	}
	return ok
}

// keepLikely keeps arcs by what likely has found.
func (w *worker) keepLikely(s *sentence, threshold float64, keep []bool) []bool {
	p := &w.parts
	keep = buffer.Resize(keep, (s.n+1)*(s.n+1))
	clear(keep)
	for m := 1; m <= s.n; m++ {
		most := 0.0
		for _, a := range p.In(m) {
			most = max(most, w.mu[a])
		}
		for _, a := range p.In(m) {
			h := int(p.Head[a])
			keep[h*(s.n+1)+m] = w.mu[a] >= threshold*most || int(w.heads[m]) == h
		}
	}
	s.keepGuess(keep)
	s.keepSupported(keep)
	return keep
}

// kept counts what is left of the arcs of a treebank and of its gold arcs.
func kept(items []*item) (arcs, gold, tokens int) {
	for _, it := range items {
		n := it.n
		tokens += n
		for m := 1; m <= n; m++ {
			for h := range n + 1 {
				if it.keep[h*(n+1)+m] {
					arcs++
				}
			}
			if it.keep[int(it.heads[m])*(n+1)+m] {
				gold++
			}
		}
	}
	return arcs, gold, tokens
}
