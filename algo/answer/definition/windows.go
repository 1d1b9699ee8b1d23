package definition

import (
	"context"
	"slices"

	"parlance/algo/classify/svm/solver"
	"parlance/algo/kind"
)

// machine is a support vector machine with the kernel (x·z + 1)^d over binary features (Hashimoto et al. 2011, section
// 2.1).
type machine struct {
	hashes []uint64 // of the columns, rising
	pool   *solver.Pool
	coef   []float64 // of the support vectors
	bias   float64
}

func (o *options) kernel() solver.Kernel {
	return solver.Kernel{Shape: solver.Polynomial, Degree: o.degree, Gamma: 1, Coef0: 1}
}

// Windows of a sentence.
const (
	before = iota // the token before the term, such as an article
	behind        // the option window tokens behind the term
	last          // the last option window tokens
)

// windows yields the hashes of n-grams of words in the windows of a sentence.
func (o *options) windows(m *marked, yield func(h uint64)) {
	words := m.symbols[surface]
	emit := func(window int, list []uint64) {
		for i := range list {
			h := mix(hash("window"), uint64(window))
			for _, w := range list[i:] {
				h = mix(h, w)
				yield(h)
			}
		}
	}
	emit(before, words[m.term-1:m.term])
	emit(behind, words[m.term+1:min(m.term+1+o.window, len(words))])
	emit(last, words[max(1, len(words)-o.window):])
}

// fitWindows fits the machine; features of one sentence alone are dropped.
func (m *model) fitWindows(ctx context.Context, data []labelled) error {
	counts := map[uint64]int{}
	of := func(d labelled) (out []uint64) {
		m.opt.windows(d.marked, func(h uint64) { out = append(out, h) })
		slices.Sort(out)
		return slices.Compact(out)
	}
	for _, d := range data {
		for _, h := range of(d) {
			counts[h]++
		}
	}
	k := &machine{}
	for h, n := range counts {
		if n > 1 {
			k.hashes = append(k.hashes, h)
		}
	}
	slices.Sort(k.hashes)
	x, y, ids := &solver.Rows{Width: len(k.hashes), Offsets: []uint32{0}}, make([]int8, len(data)), make([]uint32,
		len(data))
	for i, d := range data {
		x.Columns = append(x.Columns, k.columns(of(d))...)
		x.Offsets = append(x.Offsets, uint32(len(x.Columns)))
		ids[i] = uint32(i)
		if y[i] = -1; d.positive {
			y[i] = 1
		}
	}
	o := solver.Machine{Kernel: m.opt.kernel(), C: m.opt.c, Epsilon: 0.001, Shrinking: true, Cache: 200 << 20}
	s, err := o.Train(ctx, x, ids, y, solver.NewColumnMap(x.Width))
	if err != nil {
		return err
	}
	kept := &solver.Rows{Width: x.Width, Offsets: []uint32{0}}
	for i, c := range s.Coef {
		if c != 0 {
			cols, _ := x.Row(i)
			kept.Columns = append(kept.Columns, cols...)
			kept.Offsets = append(kept.Offsets, uint32(len(kept.Columns)))
			k.coef = append(k.coef, c)
		}
	}
	k.pool, k.bias = solver.NewPool(o.Kernel, kept), s.B
	m.machine = k
	return nil
}

// columns are those of rising hashes that are known.
func (k *machine) columns(hashes []uint64) (out []uint32) {
	for _, h := range hashes {
		if i, ok := slices.BinarySearch(k.hashes, h); ok {
			out = append(out, uint32(i))
		}
	}
	return out
}

// windowed scores sentences by a machine. It serves one goroutine.
type windowed struct {
	k *machine
	o *options
	q solver.Query
}

func (k *machine) reader(o *options) *windowed { return &windowed{k: k, o: o} }

// score is f(x) = Σ β_i·(x_i·x + 1)^d + b.
func (w *windowed) score(m *marked) float64 {
	var list []uint64
	w.o.windows(m, func(h uint64) { list = append(list, h) })
	slices.Sort(list)
	w.k.pool.Kernels(&w.q, w.k.columns(slices.Compact(list)), nil)
	sum := w.k.bias
	for i, v := range w.q.Values {
		sum += w.k.coef[i] * v
	}
	return sum
}

func (k *machine) encode(w *kind.Writer) error {
	rows := k.pool.Rows()
	for _, write := range []func() error{
		func() error { return w.Uint64s("hashes", k.hashes) },
		func() error { return w.Uint32s("offsets", rows.Offsets) },
		func() error { return w.Uint32s("columns", rows.Columns) },
		func() error { return w.Float64s("coefficients", k.coef) },
	} {
		if err := write(); err != nil {
			return err
		}
	}
	return nil
}

func decodeMachine(r *kind.Reader, o *options) (k *machine, err error) {
	k = &machine{}
	rows := &solver.Rows{}
	for _, read := range []func() error{
		func() (err error) { k.hashes, err = r.Uint64s("hashes"); return },
		func() (err error) { rows.Offsets, err = r.Uint32s("offsets"); return },
		func() (err error) { rows.Columns, err = r.Uint32s("columns"); return },
		func() (err error) { k.coef, err = r.Float64s("coefficients"); return },
	} {
		if err := read(); err != nil {
			return nil, err
		}
	}
	rows.Width = len(k.hashes)
	n := len(rows.Offsets)
	switch {
	case n != len(k.coef)+1, n > 0 && rows.Offsets[0] != 0, n > 0 && int(rows.Offsets[n-1]) != len(rows.Columns),
		!slices.IsSorted(rows.Offsets), !slices.IsSorted(k.hashes):
		return nil, kind.Corrupt("offsets", "has not the rows of the machine")
	}
	for _, c := range rows.Columns {
		if int(c) >= rows.Width {
			return nil, kind.Corrupt("columns", "has a column out of range")
		}
	}
	k.pool = solver.NewPool(o.kernel(), rows)
	return k, nil
}
