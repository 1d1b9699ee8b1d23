package rerank

import "math"

// Loss is what learning makes small.
type Loss uint8

// The losses, over pairs of margin M that count S (Collins and Koo 2005, eqs. 9 to 11).
const (
	Exponential Loss = iota // Σ S·exp(−M) over all pairs
	Logarithmic             // Σ log(1 + Σ exp(−M)) over lists: −log of the probability of the target
)

// highest bounds exponents.
const highest = 50

// bits of the whole numbers that the weights of all pairs sum up to.
const bits = 61

// weigher has margins, and weights of pairs as whole numbers.
type weigher struct {
	s      *Store
	loss   Loss
	margin []float64
	list   []int32 // of each pair
	unit   float64 // of the weights
	weight []int64
	total  int64 // of the weights
	cost   []int64
	costs  int64 // of the losses of lists, for the logarithmic loss
	per    float64
}

// newWeigher begins with margins of the base alone.
func newWeigher(s *Store, loss Loss, base float64) *weigher {
	w := &weigher{s: s, loss: loss, margin: make([]float64, s.Pairs()), list: make([]int32, s.Pairs()),
		weight: make([]int64, s.Pairs()), cost: make([]int64, s.Lists())}
	sum, costs := 0.0, 0.0
	for i := range int32(s.Lists()) {
		for p := s.first[i]; p < s.first[i+1]; p++ {
			w.margin[p], w.list[p] = base*s.logs[p], i
			sum += s.count[p] * exp(-w.margin[p])
		}
		costs += w.listLoss(i)
	}
	if loss == Logarithmic {
		sum = float64(s.Lists())
	}
	w.unit, w.per = unitOf(sum), unitOf(costs)
	return w
}

// unitOf is a power of two in which so much is at most 2^bits.
func unitOf(sum float64) float64 {
	_, e := math.Frexp(sum)
	return math.Ldexp(1, e-bits)
}

func exp(x float64) float64 { return math.Exp(min(x, highest)) }

// listLoss is log(1 + Σ exp(−M)).
func (w *weigher) listLoss(i int32) float64 {
	sum := 1.0
	for p := w.s.first[i]; p < w.s.first[i+1]; p++ {
		sum += exp(-w.margin[p])
	}
	return math.Log(sum)
}

// update weighs pairs [from, to) anew by their margins, whole lists for the logarithmic loss, and tells of each whose
// weight has changed by how much.
func (w *weigher) update(from, to int32, changed func(p int32, by int64)) {
	norm := 0.0
	if w.loss == Logarithmic {
		i := w.list[from]
		loss := w.listLoss(i)
		norm = loss
		c := int64(math.RoundToEven(loss / w.per))
		w.costs += c - w.cost[i]
		w.cost[i] = c
	}
	for p := from; p < to; p++ {
		x := exp(-w.margin[p] - norm)
		if w.loss == Exponential {
			x *= w.s.count[p]
		}
		q := int64(math.RoundToEven(x / w.unit))
		if by := q - w.weight[p]; by != 0 {
			w.weight[p] = q
			w.total += by
			changed(p, by)
		}
	}
}

// value is the loss as it stands.
func (w *weigher) value() float64 {
	if w.loss == Logarithmic {
		return float64(w.costs) * w.per
	}
	return float64(w.total) * w.unit
}

// FitBase returns the weight of the log-probability alone that makes the loss least, on a grid of 0.001 from 0.001 to
// 10. The loss is convex in it, so halving finds the least point of the grid.
func FitBase(s *Store, loss Loss) float64 {
	const step, points = 0.001, 10000
	at := func(i int) float64 {
		w := &weigher{s: s, margin: make([]float64, s.Pairs())}
		sum, lists := 0.0, 0.0
		for l := range int32(s.Lists()) {
			for p := s.first[l]; p < s.first[l+1]; p++ {
				w.margin[p] = step * float64(i) * s.logs[p]
				sum += s.count[p] * math.Exp(-w.margin[p])
			}
			lists += w.listLoss(l)
		}
		if loss == Logarithmic {
			return lists
		}
		return sum
	}
	low, high := 1, points
	for low < high {
		mid := (low + high) / 2
		if at(mid) <= at(mid+1) {
			high = mid
		} else {
			low = mid + 1
		}
	}
	return step * float64(low)
}
