package tagparser

import (
	"context"
	"math"
	"math/bits"
	"math/rand/v2"
	"sync"
	"time"

	"parlance/algo/checkpoint"
	"parlance/algo/kind"
	"parlance/algo/numeric/pool"
	"parlance/algo/text"
)

// Sentences of a batch are parsed with the same weights, so that these do not depend on the number of workers; small
// treebanks have small batches.
const (
	maxBatch       = 8
	batchesAnEpoch = 1000
)

// learner is an averaged perceptron (Collins 2002). sums has Σ_t (t−1)·Δ_t over the T sentences, so that the mean of
// the weights after each is w − sums/T.
type learner struct {
	r       *reader
	t       table
	sums    []float32
	steps   int
	epoch   int
	seed    uint64
	alpha   float64
	scorers []*scorer
	pool    *pool.Pool
	wrong   int // sentences of this epoch whose derivation is not the treebank's
	lost    int // those without a derivation
}

// update is the places whose weights rise and fall by one sentence.
type update struct {
	up, down []uint64
	lost     bool
}

func newLearner(r *reader, m *model, t *kind.Training) *learner {
	size := m.opt.bits
	if size == 0 {
		size = max(12, min(22, bits.Len(uint(24*r.tokens))))
	}
	l := &learner{r: r, t: newTable(size), seed: t.Seed, alpha: m.opt.beam, pool: pool.New(max(1, t.Workers))}
	l.sums = make([]float32, len(l.t.w))
	pairs := &sync.Map{}
	for range max(1, t.Workers) {
		l.scorers = append(l.scorers, newScorer(r.g, &l.t, pairs, m.opt.order))
	}
	return l
}

// fit runs the epochs and returns the last parser, or the best on held-out documents.
func (l *learner) fit(ctx context.Context, m *model, p *pruner, t *kind.Training) (*trained, error) {
	best := checkpoint.Best{New: func() kind.Model { return &model{opt: m.opt} }}
	state := checkpoint.State{}.With("arcs", pruned{l.r, p}).With("epoch", checkpoint.Value(&l.epoch)).With("steps",
		checkpoint.Value(&l.steps)).
		With("weights", checkpoint.Float32s(l.t.w)).With("sums", checkpoint.Float32s(l.sums)).With("best", &best)
	keep := checkpoint.NewKeeper(t)
	if t.Resume != nil {
		if err := state.Read(t.Resume); err != nil {
			return nil, err
		}
	}
	started := time.Now()
	for l.epoch < m.opt.epochs {
		if err := l.pass(ctx); err != nil {
			return nil, err
		}
		x := kind.Progress{Step: l.epoch, Of: m.opt.epochs, Objective: float64(l.wrong), HeldOut: math.NaN(),
			Seconds: time.Since(started).Seconds(), Note: text.Countf("epoch, %d of %d {sentence|sentences} wrong, %d without "+
				"a derivation",
				l.wrong, len(l.r.examples), l.lost)}
		if t.Score != nil {
			now := &model{opt: m.opt, trained: l.mean(p)}
			var err error
			if x.HeldOut, x.Metric, err = t.Score(ctx, now); err != nil {
				return nil, err
			}
			best.Better(now, x.HeldOut, l.epoch)
		}
		t.Report(x)
		if err := keep.Save(state.Write); err != nil {
			return nil, err
		}
	}
	if kept, ok := best.Model.(*model); ok {
		return kept.trained, nil
	}
	return l.mean(p), nil
}

// pass is one epoch, in an order drawn from the seed and the epoch.
func (l *learner) pass(ctx context.Context) error {
	l.epoch++
	l.wrong, l.lost = 0, 0
	order := rand.New(rand.NewPCG(l.seed, uint64(l.epoch))).Perm(len(l.r.examples))
	size := max(1, min(maxBatch, len(order)/batchesAnEpoch))
	updates := make([]update, size)
	for from := 0; from < len(order); from += size {
		now := order[from:min(from+size, len(order))]
		l.pool.Each(len(now), func(worker, i int) {
			l.learn(ctx, l.scorers[worker], l.r.examples[now[i]], &updates[i])
		})
		if err := ctx.Err(); err != nil {
			return err
		}
		for i := range now {
			l.apply(&updates[i])
		}
	}
	return nil
}

// apply moves the weights by a sentence.
func (l *learner) apply(u *update) {
	step := float32(l.steps)
	for _, k := range u.up {
		l.t.w[k]++
		l.sums[k] += step
	}
	for _, k := range u.down {
		l.t.w[k]--
		l.sums[k] -= step
	}
	if l.steps++; len(u.up)+len(u.down) > 0 {
		l.wrong++
	}
	if u.lost {
		l.lost++
	}
}

// learn finds the best derivation of a sentence and what tells it from the treebank's.
func (l *learner) learn(ctx context.Context, s *scorer, x *example, u *update) {
	u.up, u.down, u.lost = u.up[:0], u.down[:0], false
	s.load(x.words, x.tags, x.arcs, l.alpha, false)
	c := &s.chart
	c.ended = func() bool { return ctx.Err() != nil }
	if u.lost = s.decode() == none; u.lost {
		return
	}
	for m := 1; m <= c.n; m++ {
		if spine := c.tokens[m].spines[c.spine[m]]; spine != x.spine[m] {
			s.keys = s.atoms.spineKeys(m, s.keys)
			u.up = places(&l.t, s.keys, ofSpine(x.spine[m]), u.up)
			u.down = places(&l.t, s.keys, ofSpine(spine), u.down)
		}
		gold, got := label{x.heads[m], x.triple[m], x.regular[m]}, label{c.heads[m], c.triple[m], c.regular[m]}
		if gold != got {
			s.keys = s.atoms.arcKeys(int(gold.head), m, s.keys)
			u.up = gold.places(&l.t, s.keys, u.up)
			s.keys = s.atoms.arcKeys(int(got.head), m, s.keys)
			u.down = got.places(&l.t, s.keys, u.down)
		}
	}
	if s.order == 2 {
		s.gold, s.got = thirds(x.heads, s.gold), thirds(c.heads, s.got)
		l.learnThirds(s, x, u)
	}
}

// label is the arc of a token with its label.
type label struct {
	head, triple int32
	regular      bool
}

// places appends those of keys with the arc alone and with its label.
func (l label) places(t *table, list, dst []uint64) []uint64 {
	return places(t, list, ofLabel(l.triple, l.regular), places(t, list, ofArc, dst))
}

// thirds are the third tokens of the arc to each token, 0 for none: the next closer modifier of the head on the same
// side, the outermost modifier towards the head, and that away from it.
func thirds(heads []int32, dst [][3]int32) [][3]int32 {
	n := len(heads) - 1
	dst = dst[:0]
	for range n + 1 {
		dst = append(dst, [3]int32{})
	}
	last := make([][2]int32, n+1) // the outermost modifier so far, by side
	for m := 1; m <= n; m++ {
		if h := heads[m]; int(h) < m {
			dst[m][0], last[h][right] = last[h][right], int32(m)
		}
	}
	for m := n; m >= 1; m-- {
		if h := heads[m]; int(h) > m {
			dst[m][0], last[h][left] = last[h][left], int32(m)
		}
	}
	for m := 1; m <= n; m++ {
		dst[m][1], dst[m][2] = last[m][left], last[m][right]
		if int(heads[m]) > m {
			dst[m][1], dst[m][2] = last[m][right], last[m][left]
		}
	}
	return dst
}

// learnThirds adds what tells the third tokens of two derivations apart.
func (l *learner) learnThirds(s *scorer, x *example, u *update) {
	c := &s.chart
	for m := 1; m <= c.n; m++ {
		gold, got := label{x.heads[m], x.triple[m], x.regular[m]}, label{c.heads[m], c.triple[m], c.regular[m]}
		for what := range 3 {
			a, b := s.gold[m][what], s.got[m][what]
			if gold == got && a == b {
				continue
			}
			s.keys = s.atoms.thirdKeys(what, int(gold.head), m, int(a), s.keys)
			u.up = gold.places(&l.t, s.keys, u.up)
			s.keys = s.atoms.thirdKeys(what, int(got.head), m, int(b), s.keys)
			u.down = got.places(&l.t, s.keys, u.down)
		}
	}
}

// places appends those of keys with what they speak of.
func places(t *table, list []uint64, of uint64, dst []uint64) []uint64 {
	for _, k := range list {
		dst = append(dst, t.place(k, of))
	}
	return dst
}

// mean returns the parser of the means of the weights so far, as multiples of the largest one's 127th part.
func (l *learner) mean(p *pruner) *trained {
	q := make([]int8, len(l.t.w))
	most := 0.0
	scale := 1 / float32(max(1, l.steps))
	for i, w := range l.t.w {
		most = max(most, math.Abs(float64(w-l.sums[i]*scale)))
	}
	unit := max(most, 1e-30) / math.MaxInt8
	for i, w := range l.t.w {
		q[i] = int8(math.Round(float64(w-l.sums[i]*scale) / unit))
	}
	return newTrained(l.r.g, p, q, unit, l.t.shift, l.scorers[0].order)
}
