package lookahead

import "math"

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
	tails  [][]float64
	args   [][]uint16 // the label that gives a tail
	next   []float64
	path   []uint16
}

// resize prepares the window for n tokens.
func (w *window) resize(labels, depth, n int) {
	w.labels, w.depth, w.n = labels, depth, n
	w.node = resize(w.node, n*labels)
	w.next, w.path = resize(w.next, labels), resize(w.path, depth+1)
	size := labels
	if w.triple != nil {
		size *= labels
	}
	for len(w.tails) <= depth {
		w.tails, w.args = append(w.tails, nil), append(w.args, nil)
	}
	for k := 1; k <= depth; k++ {
		w.tails[k], w.args[k] = resize(w.tails[k], size), resize(w.args[k], size)
	}
}

func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/2)
	}
	return s[:n]
}

func (w *window) row(t int) []float64 { return w.node[t*w.labels:][:w.labels] }

// start stands for the labels before the first token.
const start = -1

// values sets out, by label of token t, to the score of the best leaf below it.
func (w *window) values(t, last, second int, out []float64) {
	l := w.labels
	end := min(w.depth, w.n-1-t)
	for k := end; k >= 1; k-- {
		w.fill(t, k, end, last)
	}
	copy(out, w.row(t))
	if last != start {
		add(out, w.pair[last*l:][:l])
	}
	if second != start && w.triple != nil {
		add(out, w.triple[(second*l+last)*l:][:l])
	}
	if end < 1 {
		return
	}
	first := w.tails[1]
	if w.triple != nil && last != start {
		first = first[last*l:][:l]
	}
	add(out, first[:l])
}

// fill computes tail k of the window at token t, whose last one is tail end. Of order 2 the first
// tail is wanted after one label only.
func (w *window) fill(t, k, end, last int) {
	l := w.labels
	if w.triple == nil {
		copy(w.next, w.row(t+k))
		if k < end {
			add(w.next, w.tails[k+1])
		}
		for y := range l {
			w.tails[k][y], w.args[k][y] = best(w.next, w.pair[y*l:][:l])
		}
		return
	}
	from, to := 0, l
	switch {
	case k == 1 && last == start:
		to = 1
	case k == 1:
		from, to = last, last+1
	}
	for y := range l {
		copy(w.next, w.row(t+k))
		add(w.next, w.pair[y*l:][:l])
		if k < end {
			add(w.next, w.tails[k+1][y*l:][:l])
		}
		for before := from; before < to; before++ {
			i := before*l + y
			if k == 1 && last == start { // nothing before the label that is chosen
				w.tails[k][i], w.args[k][i] = highest(w.next)
				continue
			}
			w.tails[k][i], w.args[k][i] = best(w.next, w.triple[i*l:][:l])
		}
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
