package depparser

import (
	"context"
	"math"
	"math/bits"

	"parlance/algo/numeric/buffer"
)

// update is the features of the parts of a gradient, by table.
type update struct {
	g      gradient
	places [tables][]uint32
	coef   [tables][]float64
	pooled
}

// pooled is an update with each place once.
type pooled struct {
	at   [tables][]uint32
	sums [tables][]float32
	norm float64  // Σ sums²
	slot []uint32 // 1 + number of the place, by its hash
}

// prepare sets the update for a sentence, unless ctx ends.
func (u *update) prepare(ctx context.Context, w *worker, o objective, it *item) {
	u.clear()
	w.load(ctx, &it.sentence, it.keep)
	if w.parts.Ended() {
		return
	}
	o.gradient(w, it, &u.g)
	u.find(w)
}

// clear empties the gradient and its places.
func (u *update) clear() {
	u.g.reset()
	for i := range u.places {
		u.places[i], u.coef[i] = u.places[i][:0], u.coef[i][:0]
	}
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

// pool adds up the coefficients of each place, but of rare ones.
func (u *update) pool(rare *[tables][]bool) {
	u.norm = 0
	for i, places := range u.places {
		at, sums := u.at[i][:0], u.sums[i][:0]
		width := bits.Len(uint(2 * len(places)))
		u.slot = buffer.Resize(u.slot, 1<<width)
		clear(u.slot)
		for j, p := range places {
			if rare[i] != nil && rare[i][p] {
				continue
			}
			h := p * 0x9e3779b1 >> (32 - width)
			for u.slot[h] != 0 && at[u.slot[h]-1] != p {
				h = (h + 1) & (1<<width - 1)
			}
			if u.slot[h] == 0 {
				at, sums = append(at, p), append(sums, 0)
				u.slot[h] = uint32(len(at))
			}
			old := sums[u.slot[h]-1]
			x := old + float32(u.coef[i][j])
			sums[u.slot[h]-1] = x
			u.norm += float64(x)*float64(x) - float64(old)*float64(old)
		}
		u.at[i], u.sums[i] = at, sums
	}
}

// learner makes updates, one after the other.
type learner struct {
	tables [tables]*table
	rare   [tables][]bool // places that get no weights; nil for none
	steps  float64
}

func newLearner(s *scorer) *learner { return &learner{tables: s.tables()} }

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
		w.load(ctx, &it.sentence, it.keep)
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

// apply makes updates in order, each with the step that size gives for the loss and the squared norm of
// the difference of features. Each worker has places of its own, so that their number changes nothing.
func (l *learner) apply(us []update, size func(g *gradient, norm float64) float64, ws []*worker) {
	var steps [maxBatch]float64
	for i := range us {
		if u := &us[i]; u.norm > 1e-12 {
			steps[i] = size(&u.g, u.norm)
		}
	}
	each(ws, len(ws), func(_ *worker, shard int) {
		for i := range us {
			if steps[i] != 0 {
				l.add(&us[i], steps[i], l.steps+float64(i+1), uint32(shard), uint32(len(ws)))
			}
		}
	})
	l.steps += float64(len(us))
}

// add adds factor times the sums of an update in a step to the places of a shard. It returns by how much
// the squared norm of the weights grows.
func (l *learner) add(u *update, factor, step float64, shard, shards uint32) float64 {
	grown := 0.0
	for i, places := range u.at {
		w := l.tables[i]
		for j, p := range places {
			x := u.sums[i][j]
			if x == 0 || shards > 1 && p>>6%shards != shard {
				continue
			}
			old := float64(w.w[p])
			w.add(p, factor*float64(x), step)
			grown += float64(w.w[p])*float64(w.w[p]) - old*old
		}
	}
	return grown
}
