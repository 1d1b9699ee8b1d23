package chain

import (
	"context"
	"math"

	"parlance/algo/numeric/parallel"
)

// objective is Σ −log p(y|x) + ½·l2·|w|² over the data, with its gradient.
type objective struct {
	data    *Data
	layout  *layout
	l2      float64
	shards  []*shard
	workers []*worker
	trans   *transitions
	rows    *dense       // nil: sequences have several items, or few pairs are features
	parts   [][2]float64 // w·observed and w·w by block of features
}

// worker holds the buffers of one goroutine.
type worker struct {
	lanes   laneKernel
	lattice lattice
	expect  []float64 // expected transitions without the factor e^w
	plain   []float64 // the same with it, zero between sequences of SGD
	scores  []float64 // of an item by rows
}

func newObjective(d *Data, l *layout, l2 float64, workers int) *objective {
	o := &objective{data: d, layout: l, l2: l2, trans: newTransitions(l.labels, l.from, l.to)}
	o.rows = newDense(d, l)
	o.shards = newShards(d, l, o.rows == nil && flatFits(d, l))
	for _, s := range o.shards {
		s.enlarge(o.rows)
	}
	for range max(1, workers) {
		o.workers = append(o.workers, &worker{expect: make([]float64, len(l.from)), plain: make([]float64, len(l.from))})
	}
	o.parts = make([][2]float64, (l.size()+reduceBlock-1)/reduceBlock)
	return o
}

// evaluate returns the objective at w and sets grad.
func (o *objective) evaluate(ctx context.Context, w, grad []float64) (float64, error) {
	o.trans.set(w[o.layout.states():])
	if o.rows != nil {
		o.rows.set(w)
	}
	err := parallel.For(ctx, len(o.workers), len(o.shards), func(k, i int) error {
		return o.shards[i].evaluate(ctx, o, o.workers[k], w)
	})
	if err != nil {
		return 0, err
	}
	return o.reduce(w, grad), nil
}

// reduceBlock is the number of features summed up at a time.
const reduceBlock = 8192

// reduce sums the shards in order:
//
//	grad = Σ expected − observed + l2·w,  value = Σ log Z − w·observed + ½·l2·w·w
func (o *objective) reduce(w, grad []float64) float64 {
	parallel.Each(len(o.workers), len(o.parts), func(_, b int) { o.parts[b] = o.reduceBlock(b, w, grad) })
	var value, dot, norm float64
	for _, p := range o.parts {
		dot += p[0]
		norm += p[1]
	}
	for _, s := range o.shards {
		value += s.loss
	}
	return value - dot + 0.5*o.l2*norm
}

func (o *objective) reduceBlock(b int, w, grad []float64) (sums [2]float64) {
	lo, hi := b*reduceBlock, min((b+1)*reduceBlock, o.layout.size())
	states := o.layout.states()
	obs := o.layout.observed
	for f := lo; f < hi; f++ {
		v := w[f]
		grad[f] = o.l2*v - obs[f]
		sums[0] += v * obs[f]
		sums[1] += v * v
	}
	for _, s := range o.shards {
		if end := min(hi, s.limit); lo < end {
			g, part := grad[lo:end], s.grad[lo:end]
			for i, v := range part {
				g[i] += v
			}
		}
		for f := max(lo, states); f < hi; f++ {
			grad[f] += s.trans[f-states]
		}
	}
	return sums
}

// evaluate sets loss, grad and trans of the shard.
func (s *shard) evaluate(ctx context.Context, o *objective, k *worker, w []float64) error {
	if o.rows != nil {
		return s.byRows(ctx, o.rows, o.data, k)
	}
	clear(s.grad)
	clear(s.trans)
	clear(k.expect)
	s.loss = 0
	fast := s.pairs != nil && o.trans.active != nil
	step := 1
	if fast {
		step = 4
		k.lanes.labels = o.layout.labels
		k.lanes.limit = scoreSpan - 2*o.trans.span
	}
	token := 0
	for i := 0; i < len(s.order); i += step {
		if i&63 == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		if fast {
			token = s.quadruple(o, k, w, s.order[i:min(i+4, len(s.order))], token)
		} else {
			s.single(o, k, w, int(s.order[i]))
		}
	}
	for q, v := range k.expect {
		s.trans[q] += v * o.trans.factor[q]
	}
	return nil
}

// quadruple evaluates up to four sequences, the first of which starts at the given token
// of the shard's order. It returns the token after the last.
func (s *shard) quadruple(o *objective, k *worker, w []float64, group []uint32, token int) int {
	off, ln := o.data.Offsets, &k.lanes
	ln.resize(int(off[group[0]+1] - off[group[0]]))
	ln.logZ = lanes{}
	var start [4]int
	end := token
	for lane := range 4 {
		ln.length[lane] = 0
		if lane < len(group) {
			i := group[lane]
			start[lane] = end
			n := int(off[i+1] - off[i])
			end += n
			if s.load(ln, lane, start[lane], n, w) {
				ln.length[lane] = n
			} else {
				ln.logZ[lane] = 0
				s.single(o, k, w, int(i))
			}
		}
		ln.idle(ln.length[lane], lane)
	}
	ln.forward(o.trans.active)
	ln.backward(o.trans.active)
	ln.addTransitions(o.layout.from, o.layout.to, k.expect)
	var m [laneLabels]float64
	for lane, n := range ln.length {
		if n == 0 {
			continue
		}
		s.loss += ln.logZ[lane]
		for t := range n {
			ln.marginals(t, lane, &m)
			q := start[lane] + t
			addMarginals(s.grad, s.pairs[s.tokens[q]:s.tokens[q+1]], &m)
		}
	}
	return end
}

// load scores the tokens of a lane. It reports false for scores that spread too much.
func (s *shard) load(ln *laneKernel, lane, token, n int, w []float64) bool {
	for t := range n {
		var sum [laneLabels]float64
		addPairs(&sum, s.pairs[s.tokens[token+t]:s.tokens[token+t+1]], w)
		if !ln.factor(t, lane, &sum) {
			return false
		}
	}
	return true
}

// single evaluates one sequence of any kind.
func (s *shard) single(o *objective, k *worker, w []float64, i int) {
	seq, l := o.data.Sequence(i), &k.lattice
	l.resize(o.layout.labels, seq.Len())
	o.layout.score(seq, w, l.scores)
	s.loss += l.run(o.trans)
	for t := range l.n {
		m := l.row(l.r, t) // free once the transitions are summed up
		if t > 0 {
			l.addTransitions(o.trans, t, k.expect, s.trans)
		}
		for j := range m {
			m[j] = l.marginal(t, j)
		}
		for p := seq.AttrOffsets[t]; p < seq.AttrOffsets[t+1]; p++ {
			a, v := seq.Attrs[p], 1.0
			if seq.Values != nil {
				v = float64(seq.Values[p])
			}
			lo, hi := o.layout.attrStart[a], o.layout.attrStart[a+1]
			g := s.grad[lo:hi]
			for q, y := range o.layout.pairLabel[lo:hi] {
				g[q] += v * m[y]
			}
		}
	}
}

// score sets the scores of every token and label: tokens×labels.
func (l *layout) score(seq Sequence, w []float64, scores []float64) {
	clear(scores)
	for t := range seq.Len() {
		s := scores[t*l.labels : (t+1)*l.labels]
		for p := seq.AttrOffsets[t]; p < seq.AttrOffsets[t+1]; p++ {
			a := seq.Attrs[p]
			lo, hi := l.attrStart[a], l.attrStart[a+1]
			labels := l.pairLabel[lo:hi]
			row := w[lo:hi][:len(labels)]
			if seq.Values == nil {
				for q, y := range labels {
					s[y] += row[q]
				}
				continue
			}
			v := float64(seq.Values[p])
			for q, y := range labels {
				s[y] += v * row[q]
			}
		}
	}
}

// addTransitions adds the expected transitions into token t: without the factor e^w to
// scaled where the lattice is scaled, else whole to plain.
func (l *lattice) addTransitions(tr *transitions, t int, scaled, plain []float64) {
	if !l.logSpace {
		a, r := l.row(l.a, t-1), l.row(l.r, t)
		for q := range scaled {
			scaled[q] += a[tr.from[q]] * r[tr.to[q]]
		}
		return
	}
	a, b, s := l.row(l.a, t-1), l.row(l.b, t), l.row(l.scores, t)
	for q := range plain {
		i, j := tr.from[q], tr.to[q]
		plain[q] += math.Exp(a[i] + tr.weight[q] + s[j] + b[j] - l.logZ)
	}
}
