package transitionparser

import (
	"fmt"
	"math"

	"parlance/algo/kind"
)

// lanes is what the width of rows is a multiple of.
const lanes = 4

// table is weights of hashed features: a row of weights, one an outcome, for each value of the hash.
// Features of equal hash share a row.
type table struct {
	bits  int
	width int // outcomes, rounded up to lanes
	w     []float32
}

func newTable(bits, outcomes int) *table {
	width := (outcomes + lanes - 1) / lanes * lanes
	return &table{bits: bits, width: width, w: make([]float32, width<<bits)}
}

// add4 sums the rows of four outcomes.
func (t *table) add4(rows []uint32, out *[4]float32) {
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
func (t *table) add(rows []uint32, out []float32) {
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
//	w̄ = w − Σ_t t·Δ_t / T
//
// (Daumé 2006, algorithm AveragedPerceptron), with the sum in acc.
type learner struct {
	table
	acc       []float32
	decisions int
	updates   int // in this epoch
}

func newLearner(bits, outcomes int) *learner {
	l := &learner{table: *newTable(bits, outcomes)}
	l.acc = make([]float32, len(l.w))
	return l
}

// update moves the weights of features from one outcome to another.
func (l *learner) update(rows []uint32, right, wrong int) {
	t := float32(l.decisions)
	for _, r := range rows {
		k := int(r) * l.width
		l.w[k+right]++
		l.acc[k+right] += t
		l.w[k+wrong]--
		l.acc[k+wrong] -= t
	}
	l.updates++
}

// average returns the table of averages.
func (l *learner) average() *table {
	out := &table{bits: l.bits, width: l.width, w: make([]float32, len(l.w))}
	scale := 1 / math.Max(1, float64(l.decisions))
	for i, w := range l.w {
		if acc := l.acc[i]; w != 0 || acc != 0 {
			out.w[i] = float32(float64(w) - float64(acc)*scale)
		}
	}
	return out
}

// encode writes the rows that have weights: their numbers and the rows.
func (t *table) encode(w *kind.Writer, name string) error {
	var at []uint32
	var rows []float32
	for r := range 1 << t.bits {
		if row := t.w[r*t.width : (r+1)*t.width]; !empty(row) {
			at, rows = append(at, uint32(r)), append(rows, row...)
		}
	}
	if err := w.Uint32s(name+".rows", at); err != nil {
		return err
	}
	return w.Float32s(name+".weights", rows)
}

func empty(row []float32) bool {
	for _, v := range row {
		if v != 0 {
			return false
		}
	}
	return true
}

// decodeTable reads what encode wrote.
func decodeTable(r *kind.Reader, name string, bits, outcomes int) (*table, error) {
	at, err := r.Uint32s(name + ".rows")
	if err != nil {
		return nil, err
	}
	rows, err := r.Float32s(name + ".weights")
	if err != nil {
		return nil, err
	}
	t := newTable(bits, outcomes)
	if len(rows) != len(at)*t.width {
		return nil, kind.Corrupt(name+".weights", fmt.Sprintf("has %d weights for %d rows of %d", len(rows), len(at), t.width))
	}
	for i, k := range at {
		if int(k) >= 1<<bits || i > 0 && k <= at[i-1] {
			return nil, kind.Corrupt(name+".rows", "has rows out of order or beyond the table")
		}
		copy(t.w[int(k)*t.width:], rows[i*t.width:(i+1)*t.width])
	}
	for _, v := range rows {
		if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
			return nil, kind.Corrupt(name+".weights", "has a weight that is no number")
		}
	}
	return t, nil
}

// bytes is what the table takes in memory.
func (t *table) bytes() int64 { return int64(4 * len(t.w)) }
