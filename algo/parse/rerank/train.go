package rerank

import (
	"context"
	"errors"
	"math"
)

// ErrNoPairs is returned where no list has two candidates of which one is better.
var ErrNoPairs = errors.New("no list has a better and a worse candidate")

// Options are those of a training.
type Options struct {
	Loss      Loss
	Rounds    int     // at most; fewer if no feature helps any more
	Smoothing float64 // ε, above 0
	Base      float64 // weight of the log-probability; 0: that of FitBase
	Report    func(round int, m *Model)
	Every     int // rounds between reports
}

// Train learns the weights of features. Its result depends on the store and the options alone.
func Train(ctx context.Context, s *Store, o Options) (*Model, error) {
	if s.Pairs() == 0 || s.Features == 0 {
		return nil, ErrNoPairs
	}
	base := o.Base
	if base == 0 {
		base = FitBase(s, o.Loss)
	}
	b := newBooster(s, o, base)
	m := &Model{Base: base, Start: b.value(), Pass: int64(s.Entries())}
	for r := 1; r <= o.Rounds; r++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		step, ok := b.round()
		if !ok {
			break
		}
		m.Steps = append(m.Steps, step)
		if o.Report != nil && o.Every > 0 && r%o.Every == 0 {
			o.Report(r, m)
		}
	}
	return m, ctx.Err()
}

// booster has the state of a training.
type booster struct {
	*weigher
	smoothing float64
	pairs     index
	plus      []int64 // W⁺ of each feature
	minus     []int64 // W⁻
	gains     *tournament
	marked    []int32 // features whose sums have changed
	mark      []bool
	work      int64 // entries of pairs that this round has looked at
}

func newBooster(s *Store, o Options, base float64) *booster {
	b := &booster{weigher: newWeigher(s, o.Loss, base), smoothing: o.Smoothing, pairs: s.index(),
		plus: make([]int64, s.Features), minus: make([]int64, s.Features), gains: newTournament(s.Features),
		mark: make([]bool, s.Features)}
	for i := range s.Lists() {
		b.update(s.first[i], s.first[i+1], b.add)
	}
	b.rank()
	return b
}

// add gives a change of the weight of a pair to the sums of its features.
func (b *booster) add(p int32, by int64) {
	for _, k := range b.s.of(p) {
		f := feature(k)
		if k >= 0 {
			b.plus[f] += by
		} else {
			b.minus[f] += by
		}
		if !b.mark[f] {
			b.mark[f] = true
			b.marked = append(b.marked, f)
		}
	}
}

// rank brings the gains of marked features up to date.
func (b *booster) rank() {
	for _, k := range b.marked {
		b.mark[k] = false
		b.gains.set(k, gain(b.plus[k], b.minus[k]))
	}
	b.marked = b.marked[:0]
	b.gains.repair()
}

// gain is |√W⁺ − √W⁻|, in the square root of the unit of weights.
func gain(plus, minus int64) float64 {
	return math.Abs(math.Sqrt(float64(plus)) - math.Sqrt(float64(minus)))
}

// delta is eq. 17.
func delta(plus, minus, total int64, smoothing float64) float64 {
	more := smoothing * float64(total)
	return 0.5 * math.Log((float64(plus)+more)/(float64(minus)+more))
}

// round changes the weight of the best feature; false if none helps.
func (b *booster) round() (Step, bool) {
	k := b.gains.best()
	g := b.gains.gain[k]
	d := delta(b.plus[k], b.minus[k], b.total, b.smoothing)
	if g == 0 || d == 0 || math.IsNaN(d) {
		return Step{}, false
	}
	b.work = 0
	list := b.pairs.of(k)
	for _, p := range list {
		if p >= 0 {
			b.margin[p] += d
		} else {
			b.margin[^p] -= d
		}
	}
	last := int32(-1)
	for _, p := range list {
		p = feature(p)
		from, to := p, p+1
		if b.loss == Logarithmic {
			i := b.list[p]
			if i == last {
				continue
			}
			last, from, to = i, b.s.first[i], b.s.first[i+1]
		}
		b.work += int64(b.s.begin[to] - b.s.begin[from])
		b.update(from, to, b.add)
	}
	b.rank()
	return Step{Feature: k, Delta: d, Gain: g * math.Sqrt(b.unit), Loss: b.value(), Work: b.work}, true
}
