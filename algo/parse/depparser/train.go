package depparser

import (
	"context"
	"math/rand/v2"
	"slices"

	"parlance/algo/numeric/buffer"
	"parlance/algo/numeric/parallel"
	"parlance/algo/parse/tree"
	"parlance/algo/parse/tree/dual"
)

// maxBatch is how many sentences are parsed at most with the same weights before their updates are made, in
// order: the weights do not depend on the number of workers.
const maxBatch = 16

// batch is that number for the parts that are scored: where a long sentence takes as much time as many
// short ones, more of them keep the other workers busy.
func (p *parser) batch() int {
	if p.scorer.third != nil {
		return maxBatch
	}
	return maxBatch / 2
}

// parser is what finds the heads of a sentence.
type parser struct {
	factorization tree.Factorization
	projective    bool
	single        bool // exactly one token has the root as its head
	scorer        *scorer
	pruner        *parser    // nil for none
	decisions     *decisions // features of histories, nil for none
	threshold     float64    // of the probability of an arc to that of the likeliest one to its modifier
	search        dual.Options
	labeler       *labeler // of relations that are scored with the heads, nil for none
	sums          bool     // trees are summed in training
}

// worker parses sentences, one after the other.
type worker struct {
	p           *parser
	pruner      *worker
	v           view
	parts       tree.Parts
	score, mu   []float64
	heads       []int32
	keep        []bool
	gold, found []tree.Part
	common      map[tree.Part]bool
	joint       *joint // nil where relations are not scored with the heads
	memory      *memory
	wide        bool // the sentence has more than mostParts and no scores
	decoder     tree.Decoder
	summer      tree.Summer
}

func (p *parser) worker() *worker {
	w := &worker{p: p, common: map[tree.Part]bool{}}
	if p.decisions != nil {
		w.memory = p.decisions.memory(p.single, &w.parts.Arcs)
		w.decoder = w.memory.chart
	} else {
		w.decoder = p.newDecoder()
	}
	w.summer, _ = w.decoder.(tree.Summer)
	if p.labeler != nil {
		w.joint = &joint{l: p.labeler, table: p.scorer.labels, sum: p.sums}
	}
	if p.pruner != nil {
		w.pruner = p.pruner.worker()
	}
	return w
}

// mostParts bounds the parts of a sentence, which take 8 bytes and more each.
const mostParts = 1 << 25

// load scores the parts of a sentence. keep are its arcs, nil to find them. Once ctx ends, the parts tell
// so, and their scores are not to be used.
func (w *worker) load(ctx context.Context, s *sentence, keep []bool) {
	if keep == nil && w.pruner != nil {
		w.keep = w.pruner.prune(ctx, s, w.p.threshold, w.keep)
		keep = w.keep
	}
	if w.parts.Within(ctx); w.parts.Ended() {
		return
	}
	w.parts.Keep(s.n, keep)
	w.parts.Reset(w.p.factorization.Types())
	if w.wide = w.parts.Len() > mostParts; w.wide {
		return
	}
	w.score = buffer.Resize(w.score, w.parts.Len())
	w.v.load(w.p.scorer, s)
	w.v.score(&w.parts, w.score)
	if w.joint != nil {
		w.joint.load(s, &w.parts, w.score)
	}
	if w.memory != nil {
		w.memory.s, w.memory.table = s, w.p.scorer.second
	}
}

// value is the score of a part, a candidate or not.
func (w *worker) value(x tree.Part) float64 {
	if i := w.parts.Number(x); i >= 0 {
		return w.score[i]
	}
	s, tab := 0.0, w.p.scorer.of(x.Type)
	w.v.each(x, func(i uint32) { s += tab.at(i) })
	return s
}

// epoch learns from every sentence once, in an order drawn by rng, and returns the sum of the losses
// and the number of wrong heads.
func (p *parser) epoch(ctx context.Context, items []*item, o objective, l *learner,
	size func(*gradient, float64) float64, rng *rand.Rand, ws []*worker) (loss float64, wrong int, err error) {
	var us [maxBatch]update
	batch := p.batch()
	order := rng.Perm(len(items))
	var turn []int // the longest first, so that no worker waits long for another
	for from := 0; from < len(order); from += batch {
		now := order[from:min(from+batch, len(order))]
		turn = byLength(turn, now, items)
		each(ws, len(now), func(w *worker, i int) {
			u := &us[turn[i]]
			u.prepare(ctx, w, o, items[now[turn[i]]])
			u.pool(&l.rare)
		})
		if err := ctx.Err(); err != nil {
			return 0, 0, err
		}
		l.apply(us[:len(now)], size, ws)
		for i := range now {
			loss += us[i].g.loss
			wrong += us[i].g.wrong
		}
	}
	return loss, wrong, nil
}

// byLength writes the places of sentences in a batch, the longest first.
func byLength(dst, now []int, items []*item) []int {
	dst = dst[:0]
	for i := range now {
		dst = append(dst, i)
	}
	slices.SortStableFunc(dst, func(a, b int) int { return items[now[b]].n - items[now[a]].n })
	return dst
}

// each calls f for 0..n−1, each time with the worker that is free.
func each(ws []*worker, n int, f func(w *worker, i int)) {
	parallel.Each(len(ws), n, func(w, i int) { f(ws[w], i) })
}
