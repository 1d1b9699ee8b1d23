package frame

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"parlance/algo/kind"
)

// Softmax is maximum entropy over features that are there or not,
//
//	P(y | x) = exp(b_y + Σ_{f ∈ x} w_fy) / Σ_y′ exp(b_y′ + Σ_{f ∈ x} w_fy′).
//
// Features are hashes of 64 bits. A feature has weights for the labels alone that it was seen with. It never changes.
type Softmax struct {
	bias    []float32
	table   []slot // open addressing
	rows    int
	weights []weight // of one feature after the other
}

// slot is a feature with the place of its weights; what a look-up needs lies together, for it waits for memory.
type slot struct {
	key      uint64 // noKey where the slot is empty
	from, to uint32
}

type weight struct {
	value float32
	label uint16
}

const noKey = ^uint64(0)

// find returns the weights of a feature.
func (m *Softmax) find(h uint64) []weight {
	if h == noKey {
		h--
	}
	mask := uint64(len(m.table) - 1)
	for i := h & mask; ; i = (i + 1) & mask {
		switch x := &m.table[i]; x.key {
		case h:
			return m.weights[x.from:x.to]
		case noKey:
			return nil
		}
	}
}

// Labels is the number of labels.
func (m *Softmax) Labels() int { return len(m.bias) }

// Features is the number of features.
func (m *Softmax) Features() int { return m.rows }

// Bytes is what it takes in memory.
func (m *Softmax) Bytes() int64 { return int64(len(m.table))*16 + int64(len(m.weights))*8 }

// Begin sets scores to the biases.
func (m *Softmax) Begin(scores []float32) { copy(scores, m.bias) }

// Add adds the weights of features to the scores of all labels.
func (m *Softmax) Add(hashes []uint64, scores []float32) {
	for _, h := range hashes {
		for _, w := range m.find(h) {
			scores[w.label] += w.value
		}
	}
}

// Weight is w of a feature and a label, 0 where there is none.
func (m *Softmax) Weight(h uint64, label int) float64 {
	for _, w := range m.find(h) {
		if int(w.label) == label {
			return float64(w.value)
		}
	}
	return 0
}

// Normalise makes probabilities of scores.
func Normalise(scores []float32, probs []float64) {
	top := slices.Max(scores)
	sum := 0.0
	for i, s := range scores {
		probs[i] = math.Exp(float64(s - top))
		sum += probs[i]
	}
	for i := range probs[:len(scores)] {
		probs[i] /= sum
	}
}

// Examples are what a Softmax learns from.
type Examples struct {
	labels  int
	number  map[uint64]uint32
	hashes  []uint64 // by feature
	seen    []uint32 // by feature, how often
	feature []uint32
	end     []int
	gold    []uint16
	choices [][]uint16 // by example: the labels that it may have, nil for all
}

// NewExamples returns an empty list for a number of labels, below 65,536.
func NewExamples(labels int) *Examples { return &Examples{labels: labels, number: map[uint64]uint32{}} }

// Len is the number of examples.
func (x *Examples) Len() int { return len(x.gold) }

// Features is the number of different features.
func (x *Examples) Features() int { return len(x.hashes) }

// Add adds an example; choices are the labels that it may have, nil for all.
func (x *Examples) Add(hashes []uint64, gold int, choices []uint16) {
	for _, h := range hashes {
		if h == noKey {
			h--
		}
		f, known := x.number[h]
		if !known {
			f = uint32(len(x.hashes))
			x.number[h], x.hashes, x.seen = f, append(x.hashes, h), append(x.seen, 0)
		}
		x.seen[f]++
		x.feature = append(x.feature, f)
	}
	x.end, x.gold, x.choices = append(x.end, len(x.feature)), append(x.gold, uint16(gold)), append(x.choices, choices)
}

func (x *Examples) row(i int) []uint32 {
	from := 0
	if i > 0 {
		from = x.end[i-1]
	}
	return x.feature[from:x.end[i]]
}

// Fit are the settings of training.
type Fit struct {
	Epochs int
	Rate   float64 // of AdaGrad
	L2     float64 // penalty ½·L2·w² each time that a feature is seen
	Cutoff int     // how often a feature is seen at least
	Seed   uint64
}

// learner is a Softmax under way: weights of a feature are at [start[f], start[f+1]).
type learner struct {
	*Examples
	Fit
	start  []uint32
	label  []uint16
	value  []float32
	square []float32 // Σ gradient²
	bias   []float32
	bsq    []float32
	scores []float32
	slopes []float32
}

// Train fits weights: Epochs passes of AdaGrad (Duchi, Hazan and Singer 2011) over the examples in a random order. The
// same examples and seed give the same weights. It reports after each pass the loss, −log P of an example on average.
func (x *Examples) Train(ctx context.Context, o Fit, report func(epoch int, loss float64)) (*Softmax, error) {
	l := &learner{Examples: x, Fit: o}
	l.prepare()
	order := make([]uint32, len(x.gold))
	for i := range order {
		order[i] = uint32(i)
	}
	rng := rand.New(rand.NewPCG(o.Seed, 0x6672616d65))
	for epoch := range o.Epochs {
		rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		loss := 0.0
		for k, i := range order {
			if k&255 == 0 && ctx.Err() != nil {
				return nil, ctx.Err()
			}
			loss += l.step(int(i))
		}
		report(epoch+1, loss/float64(max(1, len(order))))
	}
	return l.result(), nil
}

// prepare finds the labels that features are seen with.
func (l *learner) prepare() {
	n := len(l.hashes)
	begin := make([]uint32, n+1)
	for f, c := range l.seen {
		begin[f+1] = begin[f] + c
	}
	at := slices.Clone(begin[:n])
	with := make([]uint16, len(l.feature))
	for i, gold := range l.gold {
		for _, f := range l.row(i) {
			with[at[f]] = gold
			at[f]++
		}
	}
	l.start = make([]uint32, n+1)
	stamp := make([]uint32, l.labels)
	for f := range n {
		l.start[f] = uint32(len(l.label))
		if int(l.seen[f]) >= l.Cutoff {
			for _, y := range with[begin[f]:begin[f+1]] {
				if stamp[y] != uint32(f+1) {
					stamp[y] = uint32(f + 1)
					l.label = append(l.label, y)
				}
			}
			slices.Sort(l.label[l.start[f]:])
		}
	}
	l.start[n] = uint32(len(l.label))
	l.value, l.square = make([]float32, len(l.label)), make([]float32, len(l.label))
	l.bias, l.bsq = make([]float32, l.labels), make([]float32, l.labels)
	l.scores, l.slopes = make([]float32, l.labels), make([]float32, l.labels)
}

// step descends for one example: ∂/∂w_fy = P(y) − [y = gold], for the labels that the example may have.
func (l *learner) step(i int) float64 {
	gold, choices := l.gold[i], l.choices[i]
	each := func(do func(y uint16)) {
		if choices != nil {
			for _, y := range choices {
				do(y)
			}
			return
		}
		for y := range l.labels {
			do(uint16(y))
		}
	}
	each(func(y uint16) { l.scores[y] = l.bias[y] })
	row := l.row(i)
	for _, f := range row {
		for k := l.start[f]; k < l.start[f+1]; k++ {
			l.scores[l.label[k]] += l.value[k]
		}
	}
	top, sum := float32(math.Inf(-1)), float32(0)
	each(func(y uint16) { top = max(top, l.scores[y]) })
	each(func(y uint16) {
		l.slopes[y] = float32(math.Exp(float64(l.scores[y] - top)))
		sum += l.slopes[y]
	})
	each(func(y uint16) { l.slopes[y] /= sum })
	loss := -math.Log(math.Max(1e-30, float64(l.slopes[gold])))
	l.slopes[gold]--
	rate, l2 := float32(l.Rate), float32(l.L2)
	for _, f := range row {
		for k := l.start[f]; k < l.start[f+1]; k++ {
			g := l.slopes[l.label[k]] + l2*l.value[k]
			if g != 0 {
				l.square[k] += g * g
				l.value[k] -= rate * g / float32(math.Sqrt(float64(l.square[k])))
			}
		}
	}
	each(func(y uint16) {
		if g := l.slopes[y]; g != 0 {
			l.bsq[y] += g * g
			l.bias[y] -= rate * g / float32(math.Sqrt(float64(l.bsq[y])))
		}
		l.slopes[y] = 0
		l.scores[y] = 0
	})
	return loss
}

// result keeps the features with a weight that is not 0, in order of their hashes.
func (l *learner) result() *Softmax {
	var kept []uint32
	for f := range l.hashes {
		if slices.ContainsFunc(l.value[l.start[f]:l.start[f+1]], func(v float32) bool { return v != 0 }) {
			kept = append(kept, uint32(f))
		}
	}
	slices.SortFunc(kept, func(a, b uint32) int { return cmp.Compare(l.hashes[a], l.hashes[b]) })
	m := &Softmax{bias: l.bias}
	hashes, start := make([]uint64, 0, len(kept)), []uint32{0}
	for _, f := range kept {
		for k := l.start[f]; k < l.start[f+1]; k++ {
			if l.value[k] != 0 {
				m.weights = append(m.weights, weight{l.value[k], l.label[k]})
			}
		}
		hashes, start = append(hashes, l.hashes[f]), append(start, uint32(len(m.weights)))
	}
	m.index(hashes, start)
	return m
}

// index makes the table of features; the weights of feature r are at [start[r], start[r+1]).
func (m *Softmax) index(hashes []uint64, start []uint32) {
	size := 16
	for size < 2*len(hashes) {
		size *= 2
	}
	m.table, m.rows = slices.Repeat([]slot{{key: noKey}}, size), len(hashes)
	mask := uint64(size - 1)
	for r, h := range hashes {
		i := h & mask
		for m.table[i].key != noKey {
			i = (i + 1) & mask
		}
		m.table[i] = slot{h, start[r], start[r+1]}
	}
}

// Encode writes the weights, features in order of their hashes.
func (m *Softmax) Encode(w *kind.Writer) error {
	var used []slot
	for _, x := range m.table {
		if x.key != noKey {
			used = append(used, x)
		}
	}
	slices.SortFunc(used, func(a, b slot) int { return cmp.Compare(a.key, b.key) })
	hashes, start := make([]uint64, len(used)), make([]uint32, len(used)+1)
	for i, x := range used {
		hashes[i], start[i+1] = x.key, x.to
	}
	labels, values := make([]uint32, len(m.weights)), make([]float32, len(m.weights))
	for i, x := range m.weights {
		labels[i], values[i] = uint32(x.label), x.value
	}
	for _, write := range []func() error{
		func() error { return w.Float32s("bias", m.bias) },
		func() error { return w.Uint64s("features", hashes) },
		func() error { return w.Uint32s("rows", start) },
		func() error { return w.Uint32s("labels", labels) },
		func() error { return w.Float32s("weights", values) },
	} {
		if err := write(); err != nil {
			return err
		}
	}
	return nil
}

// DecodeSoftmax reads what Encode wrote, for a number of labels.
func DecodeSoftmax(r *kind.Reader, labels int) (*Softmax, error) {
	m := &Softmax{}
	var hashes []uint64
	var start, ys []uint32
	var values []float32
	var err error
	for _, read := range []func(){
		func() { m.bias, err = r.Float32s("bias") },
		func() { hashes, err = r.Uint64s("features") },
		func() { start, err = r.Uint32s("rows") },
		func() { ys, err = r.Uint32s("labels") },
		func() { values, err = r.Float32s("weights") },
	} {
		if read(); err != nil {
			return nil, err
		}
	}
	if len(m.bias) != labels || len(start) != len(hashes)+1 || len(ys) != len(values) || start[0] != 0 ||
		int(start[len(hashes)]) != len(ys) || !slices.IsSorted(start) {
		return nil, kind.Corrupt("rows", "do not fit weights and labels")
	}
	for i, h := range hashes {
		if h == noKey || i > 0 && h <= hashes[i-1] {
			return nil, kind.Corrupt("features", "are out of order")
		}
	}
	m.weights = make([]weight, len(ys))
	for i, y := range ys {
		if int(y) >= labels {
			return nil, kind.Corrupt("labels", fmt.Sprintf("name label %d of %d", y, labels))
		}
		m.weights[i] = weight{values[i], uint16(y)}
	}
	for _, list := range [][]float32{m.bias, values} {
		for _, v := range list {
			if f := float64(v); math.IsNaN(f) || math.IsInf(f, 0) {
				return nil, kind.Corrupt("weights", "have one that is no number")
			}
		}
	}
	m.index(hashes, start)
	return m, nil
}
