package transitionparser

import (
	"math"

	"parlance/algo/kind"
	"parlance/algo/text"
)

// The weights of a table are whole numbers from −bias to bias, each in a lane of 16 bits with bias
// added, so that words of four lanes are summed with no carry from lane to lane, up to maxSum of them.
const (
	lanes    = 4
	laneBits = 16
	bias     = 511
	maxSum   = (1<<laneBits - 1) / (2 * bias)
	zeros4   = bias * 0x0001000100010001
)

// table is the trained weights of hashed features: a row of weights, one an outcome, for each value of
// the hash. Features of equal hash share a row. Weights are rounded to scale.
type table struct {
	bits  int
	words int // of a row
	scale float64
	w     []uint64
}

// newTable returns a table of zeros; width is a multiple of lanes.
func newTable(bits, width int, scale float64) *table {
	t := &table{bits: bits, words: width / lanes, scale: scale, w: make([]uint64, width/lanes<<bits)}
	for i := range t.w {
		t.w[i] = zeros4
	}
	return t
}

// set changes weight i from 0.
func (t *table) set(i, v int) { t.w[i/lanes] += uint64(v) << (laneBits * (i % lanes)) }

// at returns the weight of an outcome in a row.
func (t *table) at(row uint32, outcome int) float64 {
	return t.weight(int(row)*t.words*lanes + outcome)
}

func (t *table) weight(i int) float64 { return t.scale * float64(t.whole(i)) }

func (t *table) whole(i int) int {
	return int(t.w[i/lanes]>>(laneBits*(i%lanes))&(1<<laneBits-1)) - bias
}

// add4 sums rows of four outcomes, in units of scale.
func (t *table) add4(rows []uint32, out *[lanes]float32) {
	*out = [lanes]float32{}
	for len(rows) > 0 {
		part := rows[:min(maxSum, len(rows))]
		rows = rows[len(part):]
		w, sum := t.w, uint64(0)
		for _, r := range part {
			sum += w[r]
		}
		unpack(sum, len(part), out)
	}
}

// unpack adds the lanes of a sum of n words.
func unpack(sum uint64, n int, out *[lanes]float32) {
	for k := range out {
		out[k] += float32(int32(sum>>(laneBits*k)&(1<<laneBits-1)) - int32(n*bias))
	}
}

// add sums rows into out, which has as many elements as a row, in units of scale.
func (t *table) add(rows []uint32, out []float32) {
	clear(out)
	for len(rows) > 0 {
		part := rows[:min(maxSum, len(rows))]
		rows = rows[len(part):]
		k := 0
		for ; k+4 <= t.words; k += 4 {
			w := t.w[k:]
			var a, b, c, d uint64
			for _, r := range part {
				x := (*[4]uint64)(w[int(r)*t.words:])
				a += x[0]
				b += x[1]
				c += x[2]
				d += x[3]
			}
			for i, sum := range [4]uint64{a, b, c, d} {
				unpack(sum, len(part), (*[lanes]float32)(out[lanes*(k+i):]))
			}
		}
		for ; k < t.words; k++ {
			sum := uint64(0)
			for _, r := range part {
				sum += t.w[int(r)*t.words+k]
			}
			unpack(sum, len(part), (*[lanes]float32)(out[lanes*k:]))
		}
	}
}

// encode writes the rows that have weights: their numbers and the rows.
func (t *table) encode(w *kind.Writer, name string) error {
	var at []uint32
	var rows []uint64
	for r := range 1 << t.bits {
		if row := t.w[r*t.words : (r+1)*t.words]; !empty(row) {
			at, rows = append(at, uint32(r)), append(rows, row...)
		}
	}
	if err := w.Float64s(name+".scale", []float64{t.scale}); err != nil {
		return err
	}
	if err := w.Uint32s(name+".rows", at); err != nil {
		return err
	}
	return w.Uint64s(name+".weights", rows)
}

func empty(row []uint64) bool {
	for _, v := range row {
		if v != zeros4 {
			return false
		}
	}
	return true
}

// decodeTable reads what encode wrote.
func decodeTable(r *kind.Reader, name string, bits, outcomes int) (*table, error) {
	scale, err := r.Float64s(name + ".scale")
	if err != nil {
		return nil, err
	}
	at, err := r.Uint32s(name + ".rows")
	if err != nil {
		return nil, err
	}
	rows, err := r.Uint64s(name + ".weights")
	if err != nil {
		return nil, err
	}
	if len(scale) != 1 || math.IsNaN(scale[0]) || math.IsInf(scale[0], 0) || scale[0] < 0 {
		return nil, kind.Corrupt(name+".scale", "is not one number from 0 on")
	}
	t := newTable(bits, rounded(outcomes), scale[0])
	if len(rows) != len(at)*t.words {
		return nil, kind.Corrupt(name+".weights", text.Countf("has %d {word|words} for %d {row|rows} of %d", len(rows),
			len(at), t.words))
	}
	for i, k := range at {
		if int(k) >= 1<<bits || i > 0 && k <= at[i-1] {
			return nil, kind.Corrupt(name+".rows", "has rows out of order or beyond the table")
		}
		copy(t.w[int(k)*t.words:], rows[i*t.words:(i+1)*t.words])
	}
	for i := range t.w {
		for k := range lanes {
			if v := t.whole(lanes*i + k); v < -bias || v > bias {
				return nil, kind.Corrupt(name+".weights", "has a weight out of range")
			}
		}
	}
	return t, nil
}

// bytes is what the table takes in memory.
func (t *table) bytes() int64 { return int64(8 * len(t.w)) }
