package depparser

import (
	"context"
	"math"
	"math/rand/v2"
	"sync"
	"sync/atomic"

	"parlance/algo/tree"
	"parlance/algo/tree/dual"
)

// batch is how many sentences are parsed with the same weights before their updates are made, in
// order: the weights do not depend on the number of workers.
const batch = 8

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

// load scores the parts of a sentence. keep are its arcs, nil to find them.
func (w *worker) load(s *sentence, keep []bool) {
	if keep == nil && w.pruner != nil {
		w.keep = w.pruner.prune(s, w.p.threshold, w.keep)
		keep = w.keep
	}
	w.parts.Keep(s.n, keep)
	w.parts.Reset(w.p.factorization.Types())
	w.score = resize(w.score, w.parts.Len())
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

// update is the features of the parts of a gradient, by table.
type update struct {
	g      gradient
	places [tables][]uint32
	coef   [tables][]float64
}

// prepare sets the update for a sentence.
func (u *update) prepare(w *worker, o objective, it *item) {
	u.g.reset()
	for i := range u.places {
		u.places[i], u.coef[i] = u.places[i][:0], u.coef[i][:0]
	}
	w.load(&it.sentence, it.keep)
	o.gradient(w, it, &u.g)
	u.find(w)
}

// find sets the places of the features of the gradient.
func (u *update) find(w *worker) {
	const pairs = 1
	u.places[pairs], u.coef[pairs] = append(u.places[pairs], u.g.places...), append(u.coef[pairs], u.g.weights...)
	for i, x := range u.g.parts {
		k := w.p.scorer.number(x.Type)
		w.v.each(x, func(place uint32) {
			u.places[k], u.coef[k] = append(u.places[k], place), append(u.coef[k], u.g.coef[i])
		})
	}
	for _, x := range u.g.labels {
		w.joint.each(x, func(place uint32) {
			u.places[relations], u.coef[relations] = append(u.places[relations], place), append(u.coef[relations], x.coef)
		})
	}
}

// learner makes updates, one after the other.
type learner struct {
	tables [tables]*table
	sums   [tables][]float32 // of the coefficients at a place, within an update
	rare   [tables][]bool    // places that get no weights; nil for none
	steps  float64
}

// drop gives no weights to the features of fewer candidate parts than least.
func (l *learner) drop(ctx context.Context, w *worker, items []*item, least int) error {
	var counts [tables][]uint8
	for i, t := range l.tables {
		if t != nil {
			counts[i], l.rare[i] = make([]uint8, len(t.w)), make([]bool, len(t.w))
		}
	}
	for i, it := range items {
		if i&15 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		w.load(&it.sentence, it.keep)
		for _, x := range w.parts.All() {
			count := counts[w.p.scorer.number(x.Type)]
			w.v.each(x, func(place uint32) {
				if count[place] < math.MaxUint8 {
					count[place]++
				}
			})
		}
	}
	l.rare[relations] = nil
	for i, list := range counts[:relations] {
		for place, n := range list {
			l.rare[i][place] = int(n) < least
		}
	}
	return nil
}

func newLearner(s *scorer) *learner {
	l := &learner{tables: s.tables()}
	for i, t := range l.tables {
		if t != nil {
			l.sums[i] = make([]float32, len(t.w))
		}
	}
	return l
}

// apply makes an update with the step that size gives for the loss and the squared norm of the
// difference of features.
func (l *learner) apply(u *update, size func(g *gradient, norm float64) float64) {
	l.steps++
	if len(u.g.parts)+len(u.g.labels)+len(u.g.places) == 0 {
		return
	}
	norm := l.sum(u)
	step := 0.0
	if norm > 1e-12 {
		step = size(&u.g, norm)
	}
	l.add(u, step)
}

// sum adds up the coefficients of each place and returns the squared norm.
func (l *learner) sum(u *update) float64 {
	norm := 0.0
	for i, places := range u.places {
		sums, rare := l.sums[i], l.rare[i]
		for j, p := range places {
			if rare != nil && rare[p] {
				continue
			}
			old := sums[p]
			x := old + float32(u.coef[i][j])
			sums[p] = x
			norm += float64(x)*float64(x) - float64(old)*float64(old)
		}
	}
	return norm
}

// add adds step times the sums of an update and forgets them. It returns by how much the squared norm
// of the weights grows.
func (l *learner) add(u *update, step float64) float64 {
	grown := 0.0
	for i, places := range u.places {
		w := l.tables[i]
		for _, p := range places {
			if x := l.sums[i][p]; x != 0 {
				l.sums[i][p] = 0
				old := float64(w.w[p])
				w.add(p, step*float64(x), l.steps)
				grown += float64(w.w[p])*float64(w.w[p]) - old*old
			}
		}
	}
	return grown
}

// epoch learns from every sentence once, in an order drawn by rng, and returns the sum of the losses
// and the number of wrong heads.
func (p *parser) epoch(ctx context.Context, items []*item, o objective, l *learner, size func(*gradient, float64) float64, rng *rand.Rand, ws []*worker) (loss float64, wrong int, err error) {
	var us [batch]update
	order := rng.Perm(len(items))
	for from := 0; from < len(order); from += batch {
		if err := ctx.Err(); err != nil {
			return 0, 0, err
		}
		now := order[from:min(from+batch, len(order))]
		each(ws, len(now), func(w *worker, i int) { us[i].prepare(w, o, items[now[i]]) })
		for i := range now {
			l.apply(&us[i], size)
			loss += us[i].g.loss
			wrong += us[i].g.wrong
		}
	}
	return loss, wrong, nil
}

// each calls f for 0..n−1, each time with the worker that is free.
func each(ws []*worker, n int, f func(w *worker, i int)) {
	if len(ws) == 1 || n == 1 {
		for i := range n {
			f(ws[0], i)
		}
		return
	}
	var next atomic.Int64
	var wait sync.WaitGroup
	for _, w := range ws[:min(n, len(ws))] {
		wait.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				f(w, i)
			}
		})
	}
	wait.Wait()
}
