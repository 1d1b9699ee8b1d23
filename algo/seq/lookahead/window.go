package lookahead

import (
	"math"

	"parlance/algo/engine/chain"
	"parlance/algo/numeric/buffer"
)

// window searches the labels of a token and of the depth tokens after it. Scores of labels are
//
//	s(y_t | y_{t−1}, y_{t−2}) = node[t][y_t] + pair[y_{t−1}][y_t] + triple[y_{t−2}][y_{t−1}][y_t]
//
// where −∞ stands for what the scheme rules out. The best labels after a token depend on its label
// and, for order 2, on the one before it, so they are found backwards from the end of the window
// (Tsuruoka, Miyao and Kazama 2011, figure 2, with one leaf for each of them):
//
//	tail_k[y′, y] = max over z of s(z | y, y′) at token t+k + tail_{k+1}[y, z]
//
// It costs O(depth·L²) a token, O(depth·L³) for order 2. It belongs to one goroutine.
type window struct {
	labels int
	depth  int
	n      int
	node   []float64 // by token and label
	pair   []float64 // by label before and label
	triple []float64 // by the two labels before and label; nil for order 1
	maxima maxima
	out    []float64
	tails  [][]float64
	args   [][]uint16 // the label that gives a tail
	next   []float64
	path   []uint16
}

// maxima are the largest weights after a label, and after two, by which leaves are bounded.
type maxima struct{ pair, triple []float64 }

// newMaxima returns those of weights; triple is nil for order 1.
func newMaxima(labels int, pair, triple []float64) maxima {
	return maxima{rowMaxima(labels, pair), rowMaxima(labels, triple)}
}

func rowMaxima(width int, w []float64) []float64 {
	if w == nil {
		return nil
	}
	out := make([]float64, len(w)/width)
	for i := range out {
		out[i], _ = highest(w[i*width:][:width])
	}
	return out
}

// resize prepares the window for n tokens.
func (w *window) resize(labels, depth, n int) {
	w.labels, w.depth, w.n = labels, depth, n
	w.node = buffer.Resize(w.node, n*labels)
	w.next, w.out, w.path = buffer.Resize(w.next, labels), buffer.Resize(w.out, labels), buffer.Resize(w.path, depth+1)
	size := labels
	if w.triple != nil {
		size *= labels
	}
	for len(w.tails) <= depth {
		w.tails, w.args = append(w.tails, nil), append(w.args, nil)
	}
	for k := 1; k <= depth; k++ {
		w.tails[k], w.args[k] = buffer.Resize(w.tails[k], size), buffer.Resize(w.args[k], size)
	}
}

func (w *window) row(t int) []float64 { return w.node[t*w.labels:][:w.labels] }

// start stands for the labels before the first token.
const start = -1

// values sets out, by label of token t, to the score of the best leaf below it.
func (w *window) values(t, last, second int, out []float64) {
	end := min(w.depth, w.n-1-t)
	for k := end; k >= 1; k-- {
		w.fill(t, k, end, last)
	}
	w.base(t, last, second, out)
	if end >= 1 {
		add(out, w.first(last))
	}
}

// base sets out to the scores of the labels of token t alone.
func (w *window) base(t, last, second int, out []float64) {
	l := w.labels
	copy(out, w.row(t))
	if last != start {
		add(out, w.pair[last*l:][:l])
	}
	if second != start && w.triple != nil {
		add(out, w.triple[(second*l+last)*l:][:l])
	}
}

// first is the tails of the labels of token t.
func (w *window) first(last int) []float64 {
	if w.triple == nil {
		return w.tails[1]
	}
	return w.tails[1][max(last, 0)*w.labels:][:w.labels]
}

// choose returns the label of token t with the best leaf, the first of equals, where those below the
// label gold count margin less; gold is negative for none. Leaves are bounded from above by the
// largest scores of what follows,
//
//	s(y) + max_z pair[y][z] + max_z triple[y′][y][z] + max_z (node[t+1][z] + tail_2[y, z])
//
// and labels whose bound is below the best leaf so far are not searched. After it, follow may be
// asked for the label chosen and for gold.
func (w *window) choose(t, last, second, gold int, margin float64) int {
	end := min(w.depth, w.n-1-t)
	w.base(t, last, second, w.out)
	if gold >= 0 {
		w.out[gold] -= margin
	}
	if end < 1 {
		return chain.Argmax(w.out)
	}
	for k := end; k >= 2; k-- {
		w.fill(t, k, end, last)
	}
	after := w.begin(t, 1, end)
	// The first label to be searched is gold, or the one with the best bound.
	first, bound := gold, math.Inf(-1)
	for y := range w.out {
		if b := w.out[y] + w.after(last, y); first < 0 || gold < 0 && b > bound {
			first, bound = y, b
		}
	}
	exact := func(y int) float64 {
		w.tail(t, 1, end, last, y)
		return w.out[y] + w.first(last)[y]
	}
	top, at := exact(first), first
	for y := range w.out {
		if y == first || w.out[y]+w.after(last, y)+after < top {
			continue
		}
		if v := exact(y); v > top || v == top && y < at {
			top, at = v, y
		}
	}
	return at
}

// after bounds the weights of what may follow a label.
func (w *window) after(last, y int) float64 {
	b := w.maxima.pair[y]
	if w.triple != nil && last != start {
		b += w.maxima.triple[last*w.labels+y]
	}
	return b
}

// fill computes tail k of the window at token t, whose last one is tail end. Of order 2 the first
// tail is wanted after one label only.
func (w *window) fill(t, k, end, last int) {
	w.begin(t, k, end)
	for y := range w.labels {
		w.tail(t, k, end, last, y)
	}
}

// begin prepares tail k for w.tail and bounds the scores of token t+k and after.
func (w *window) begin(t, k, end int) float64 {
	copy(w.next, w.row(t+k))
	if w.triple == nil && k < end {
		add(w.next, w.tails[k+1])
	}
	top, _ := highest(w.next)
	if w.triple != nil && k < end {
		more, _ := highest(w.tails[k+1])
		top += more
	}
	return top
}

// tail computes tail k after one label of token t+k−1.
func (w *window) tail(t, k, end, last, y int) {
	l := w.labels
	if w.triple == nil {
		w.tails[k][y], w.args[k][y] = best(w.next, w.pair[y*l:][:l])
		return
	}
	w.base(t+k, y, start, w.next)
	if k < end {
		add(w.next, w.tails[k+1][y*l:][:l])
	}
	if k == 1 && last == start { // nothing is before the label that is chosen
		w.tails[k][y], w.args[k][y] = highest(w.next)
		return
	}
	from, to := 0, l
	if k == 1 {
		from, to = last, last+1
	}
	for before := from; before < to; before++ {
		i := before*l + y
		w.tails[k][i], w.args[k][i] = best(w.next, w.triple[i*l:][:l])
	}
}

// follow returns the labels of the best leaf below label y of token t, y first. It holds until the
// next call, for the values computed last.
func (w *window) follow(t, last, y int) []uint16 {
	end := min(w.depth, w.n-1-t)
	w.path = append(w.path[:0], uint16(y))
	before := max(last, 0)
	for k := 1; k <= end; k++ {
		i := y
		if w.triple != nil {
			i += before * w.labels
		}
		before, y = y, int(w.args[k][i])
		w.path = append(w.path, uint16(y))
	}
	return w.path
}

// best returns the largest sum of two rows and the first place that has it.
func best(a, b []float64) (float64, uint16) {
	top, at := math.Inf(-1), 0
	b = b[:len(a)]
	for i, x := range a {
		if s := x + b[i]; s > top {
			top, at = s, i
		}
	}
	return top, uint16(at)
}

func highest(a []float64) (float64, uint16) {
	top, at := math.Inf(-1), 0
	for i, x := range a {
		if x > top {
			top, at = x, i
		}
	}
	return top, uint16(at)
}

func add(out, x []float64) {
	x = x[:len(out)]
	for i := range out {
		out[i] += x[i]
	}
}
