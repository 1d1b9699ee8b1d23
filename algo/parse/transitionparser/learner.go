package transitionparser

import (
	"math"
	"slices"

	"parlance/algo/checkpoint"
	"parlance/algo/numeric/pool"
)

// numbers is weights of hashed features in training: a row of weights, one an outcome, for each value
// of the hash. Features of equal hash share a row.
type numbers struct {
	bits  int
	width int // outcomes, rounded up to lanes
	w     []float32
}

// rounded is the next multiple of lanes.
func rounded(outcomes int) int { return (outcomes + lanes - 1) / lanes * lanes }

// add4 sums the rows of four outcomes.
func (t *numbers) add4(rows []uint32, out *[4]float32) {
	w := t.w
	var a, b, c, d float32
	for _, r := range rows {
		x := (*[4]float32)(w[4*int(r):])
		a += x[0]
		b += x[1]
		c += x[2]
		d += x[3]
	}
	*out = [4]float32{a, b, c, d}
}

// add sums rows into out, which has width elements, a few outcomes at a time.
func (t *numbers) add(rows []uint32, out []float32) {
	for k := 0; k < t.width; k += lanes {
		w := t.w[k:]
		var a, b, c, d float32
		for _, r := range rows {
			x := (*[lanes]float32)(w[int(r)*t.width:])
			a += x[0]
			b += x[1]
			c += x[2]
			d += x[3]
		}
		o := (*[lanes]float32)(out[k:])
		o[0], o[1], o[2], o[3] = a, b, c, d
	}
}

// learner is a table in training. Averages are those of the weights after each of the decisions:
//
//	w̄ = w − Σ_t (t−1)·Δ_t / T
//
// with Δ_t the update at decision t of T (Daumé 2006, algorithm AveragedPerceptron); acc has the sum. Rows of outcomes
// in single precision take 8 bytes a weight, half of what those of package online do, and a quarter less time
// (BenchmarkSums).
type learner struct {
	numbers
	acc       []float32
	decisions int
	updates   int // in this epoch
}

func newLearner(bits, outcomes int) *learner {
	width := rounded(outcomes)
	return &learner{numbers: numbers{bits, width, make([]float32, width<<bits)}, acc: make([]float32, width<<bits)}
}

// state is what learning goes on from, under sections of a name.
func (l *learner) state(name string) checkpoint.State {
	return checkpoint.State{}.With(name+".weights", checkpoint.Float32s(l.w)).
		With(name+".sums", checkpoint.Float32s(l.acc)).With(name+".decisions", checkpoint.Value(&l.decisions))
}

// count takes corrections as the next decisions, after which learn follows, and returns the number of their
// mistakes.
func (l *learner) count(xs []corrections) (mistakes int) {
	for i := range xs {
		l.decisions += xs[i].decisions
		mistakes += len(xs[i].mistakes)
	}
	l.updates += mistakes
	return mistakes
}

// learn moves the weights of the features of each mistake from the wrong outcome to the right one, in the
// rows that are a shard's.
func (l *learner) learn(xs []corrections, shard, shards int) {
	t := float32(l.decisions - 1) // the last decision has the weights already
	for i := range xs {
		x := &xs[i]
		width := len(x.rows) / max(1, len(x.mistakes))
		for k, m := range x.mistakes {
			for _, r := range x.rows[k*width : (k+1)*width] {
				if shards == 1 || int(uint64(r)*uint64(shards)>>l.bits) == shard {
					l.shift(int(r)*l.width, m, t)
				}
			}
		}
	}
}

// shift changes the weights of a row.
func (l *learner) shift(row int, m mistake, t float32) {
	right, wrong := row+int(m.right), row+int(m.wrong)
	l.w[right]++
	l.acc[right] += t
	l.w[wrong]--
	l.acc[wrong] -= t
}

// averaged is how many weights a worker averages at once, a multiple of lanes.
const averaged = 1 << 14

// average returns the averages, packed.
func (l *learner) average(workers *pool.Pool) *table {
	tasks := (len(l.w) + averaged - 1) / averaged
	largest := make([]float64, tasks)
	workers.Each(tasks, func(_, i int) {
		l.averages(i*averaged, (i+1)*averaged, func(_ int, v float64) { largest[i] = max(largest[i], math.Abs(v)) })
	})
	top := slices.Max(largest)
	out := newTable(l.bits, l.width, top/bias)
	if top > 0 {
		workers.Each(tasks, func(_, i int) {
			l.averages(i*averaged, (i+1)*averaged, func(k int, v float64) { out.set(k, int(math.Round(v/out.scale))) })
		})
	}
	return out
}

// averages gives the averages from one weight to before another that are not 0.
func (l *learner) averages(from, to int, give func(i int, v float64)) {
	scale := 1 / math.Max(1, float64(l.decisions))
	to = min(to, len(l.w))
	for i, w := range l.w[from:to] {
		if acc := l.acc[from+i]; w != 0 || acc != 0 {
			give(from+i, float64(w)-float64(acc)*scale)
		}
	}
}
