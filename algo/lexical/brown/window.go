package brown

import "math"

// window is the active clusters with the loss of mutual information for merging each pair of them.
//
// With n(x,y) the pairs of a word of x before one of y, L and R their totals over all words, A and
// B over active clusters only, and N all pairs, the average mutual information of active clusters is
//
//	AMI = 1/N [ sum_xy n(x,y) ln n(x,y) - sum_x A(x) ln L(x) - sum_y B(y) ln R(y) ] + const
//
// (Brown et al. 1992, sec. 3; Koo et al. 2008, sec. 2.2), and with h(n) = n ln n merging x and y
// loses 1/N times
//
//	Loss(x,y) = M(x,y) - D(x,y)
//	M(x,y) = (A(x)+A(y)) ln(L(x)+L(y)) - A(x) ln L(x) - A(y) ln L(y) + the same of B and R
//	D(x,y) = sum_{z not x,y} [ d(n(x,z),n(y,z)) + d(n(z,x),n(z,y)) ] + S(x,y)
//	d(p,q) = h(p+q) - h(p) - h(q), which is 0 where p or q is 0
//	S(x,y) = h(n(x,x)+n(x,y)+n(y,x)+n(y,y)) - h(n(x,x)) - h(n(x,y)) - h(n(y,x)) - h(n(y,y))
//
// As d vanishes, a step touches only what is next to the cluster that comes or goes: O(C) for each
// of its neighbours. Logarithms are integers in units of 2^-shift, so that sums are exact, whatever
// their order, and equal losses are equal.
type window struct {
	big        *bigrams
	n, stride  int
	ids        []int     // by slot: least word of the cluster
	root       []int     // by slot: its word in the forest
	forest     []int32   // by word: another word of the cluster, itself at the root, -1 before it is added
	slots      []int32   // by root: slot
	out, in    []int32   // n(x,y) at x*stride+y, and n(y,x)
	left       []int64   // L
	right      []int64   // R
	a, b       []int64   // A, B
	lnL, lnR   []int64   // of a slot
	pairL      []int64   // ln(L(x)+L(y)) at x*stride+y, y < x
	pairR      []int64   // the same of R
	loss       []int64   // at x*stride+y, y < x
	best       []int64   // least loss of a row
	bestAt     []int32   // where it is
	changed    []bool    // slots with changed losses since the last refresh
	list       []int32   // the slots of changed
	logs       logarithm // of counts
	acc, joint []int64   // by slot, of one step
}

// logarithm gives ln n and n ln n in units of 2^-shift.
type logarithm struct {
	ln, h []int64 // of small n
	scale float64
}

const tableSize = 1 << 18

// newLogarithm chooses the finest unit with which sums of losses over total pairs fit 63 bits.
func newLogarithm(total int64) logarithm {
	n := float64(total) + 2
	l := logarithm{scale: math.Ldexp(1, min(50, 62-int(math.Ceil(math.Log2(16*n*math.Log(2*n))))))}
	size := int(min(tableSize, 2*total+2))
	l.ln, l.h = make([]int64, size), make([]int64, size)
	for i := 1; i < size; i++ {
		x := math.Log(float64(i))
		l.ln[i], l.h[i] = int64(math.Round(x*l.scale)), int64(math.Round(float64(i)*x*l.scale))
	}
	return l
}

func (l *logarithm) of(n int64) int64 {
	if n < int64(len(l.ln)) {
		return l.ln[n]
	}
	return int64(math.Round(math.Log(float64(n)) * l.scale))
}

// times is h(n) = n ln n.
func (l *logarithm) times(n int32) int64 {
	if uint(n) < uint(len(l.h)) {
		return l.h[n]
	}
	return l.large(n)
}

func (l *logarithm) large(n int32) int64 {
	return int64(math.Round(float64(n) * math.Log(float64(n)) * l.scale))
}

// newWindow has room for size clusters.
func newWindow(big *bigrams, size int) *window {
	n := len(big.left)
	w := &window{big: big, stride: size, forest: make([]int32, n), slots: make([]int32, n), logs: newLogarithm(big.total)}
	for i := range w.forest {
		w.forest[i] = -1
	}
	w.ids, w.root = make([]int, size), make([]int, size)
	w.out, w.in = make([]int32, size*size), make([]int32, size*size)
	for _, v := range []*[]int64{&w.left, &w.right, &w.a, &w.b, &w.lnL, &w.lnR, &w.best, &w.acc, &w.joint} {
		*v = make([]int64, size)
	}
	for _, v := range []*[]int64{&w.pairL, &w.pairR, &w.loss} {
		*v = make([]int64, size*size)
	}
	w.bestAt, w.changed = make([]int32, size), make([]bool, size)
	return w
}

func (w *window) outs(x int) []int32 { return w.out[x*w.stride:][:w.n] }
func (w *window) ins(x int) []int32  { return w.in[x*w.stride:][:w.n] }

// pair is where the loss of a pair is.
func (w *window) pair(x, y int) int { return max(x, y)*w.stride + min(x, y) }

// slot finds the cluster of a word, -1 for none.
func (w *window) slot(word uint32) int {
	i := int32(word)
	if w.forest[i] < 0 {
		return -1
	}
	for w.forest[i] != i {
		w.forest[i] = w.forest[w.forest[i]]
		i = w.forest[i]
	}
	return int(w.slots[i])
}

func (w *window) touch(x int) {
	if !w.changed[x] {
		w.changed[x] = true
		w.list = append(w.list, int32(x))
	}
}

// refresh finds the least loss of the rows that changed.
func (w *window) refresh() {
	for x := range w.n {
		if w.changed[x] || w.bestAt[x] >= 0 && w.changed[w.bestAt[x]] {
			w.scan(x)
			continue
		}
		row := w.loss[x*w.stride:][:x]
		for _, y := range w.list {
			if int(y) < x && w.less(row[y], int(y), x) {
				w.best[x], w.bestAt[x] = row[y], y
			}
		}
	}
	for _, x := range w.list {
		w.changed[x] = false
	}
	w.list = w.list[:0]
}

// less compares a loss with the least one of a row; of equal ones the smaller word counts.
func (w *window) less(loss int64, y, x int) bool {
	return loss < w.best[x] || loss == w.best[x] && w.bestAt[x] >= 0 && w.ids[y] < w.ids[w.bestAt[x]]
}

func (w *window) scan(x int) {
	least, at := int64(math.MaxInt64), int32(-1)
	for y, l := range w.loss[x*w.stride:][:x] {
		if l < least || l == least && at >= 0 && w.ids[y] < w.ids[at] {
			least, at = l, int32(y)
		}
	}
	w.best[x], w.bestAt[x] = least, at
}

// cheapest is the pair of clusters with the least loss; ties go to the smallest words.
func (w *window) cheapest() (x, y int) {
	x = 1
	for k := 2; k < w.n; k++ {
		if w.best[k] < w.best[x] || w.best[k] == w.best[x] && w.before(k, x) {
			x = k
		}
	}
	return x, int(w.bestAt[x])
}

// before compares the best pairs of two rows by their words.
func (w *window) before(k, x int) bool {
	a, b := w.ids[k], w.ids[w.bestAt[k]]
	c, d := w.ids[x], w.ids[w.bestAt[x]]
	return min(a, b) < min(c, d) || min(a, b) == min(c, d) && max(a, b) < max(c, d)
}

// information is the average mutual information of the active clusters in nats.
func (w *window) information() float64 {
	if w.big.total == 0 {
		return 0
	}
	sum, total := 0.0, float64(w.big.total)
	for x := range w.n {
		for y, c := range w.outs(x) {
			if c > 0 {
				p := float64(c)
				sum += p * math.Log(p*total/(float64(w.left[x])*float64(w.right[y])))
			}
		}
	}
	return sum / total
}
