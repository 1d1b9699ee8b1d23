package labelhistory

import (
	"math"

	"parlance/algo/engine/chain"
	"parlance/algo/numeric/buffer"
)

// Decoder finds labels of sentences. Its slices are reused: a path holds until the next call. It
// belongs to one goroutine.
type Decoder struct {
	// Adjust turns scores of the labels of a token into what is summed over the tokens, such as
	// logarithms of probabilities; nil leaves them.
	Adjust func(scores []float64)
	// Rules are constraints, nil for none. Where they leave no labelling they are not kept.
	Rules *chain.Constraints

	path   []uint16
	row    []float64
	beam   []partial
	next   []partial
	best   []float64
	back   []uint16
	before []float64
}

// partial is the labels of the first tokens of a sentence, as a list from its end.
type partial struct {
	score  float64
	last   int
	second int
	parent int // in trail
}

func (d *Decoder) allowed(l Local, t, last, y int) bool {
	if d.Rules == nil {
		return true
	}
	if t == 0 && !d.Rules.AllowedStart(y) || t > 0 && !d.Rules.Allowed(last, y) {
		return false
	}
	return t < l.Len()-1 || d.Rules.AllowedEnd(y)
}

// at is Local.At with the adjustment.
func (d *Decoder) at(l Local, t, last, second int, out []float64) {
	l.At(t, last, second, out)
	if d.Adjust != nil {
		d.Adjust(out)
	}
}

// Greedy labels token by token with the best label after those chosen so far, the first of equals.
// It costs one call of At a token.
func (d *Decoder) Greedy(l Local) []uint16 {
	d.path, d.row = buffer.Resize(d.path, l.Len()), buffer.Resize(d.row, l.Labels())
	last, second := l.Labels(), l.Labels()
	for t := range d.path {
		d.at(l, t, last, second, d.row)
		top := -1
		for pass := 0; top < 0 && pass < 2; pass++ {
			for y, s := range d.row {
				if (pass == 1 || d.allowed(l, t, last, y)) && (top < 0 || s > d.row[top]) {
					top = y
				}
			}
		}
		d.path[t] = uint16(top)
		last, second = top, last
	}
	return d.path
}

// Viterbi returns the labelling of the highest sum, and the sum: O(n·L²) for order 0 and 1,
// O(n·L³) for order 2.
func (d *Decoder) Viterbi(l Local) ([]uint16, float64) {
	path, sum := d.search(l, d.Rules)
	if math.IsInf(sum, -1) && d.Rules != nil {
		return d.search(l, nil)
	}
	return path, sum
}

func (d *Decoder) search(l Local, rules *chain.Constraints) ([]uint16, float64) {
	kept := d.Rules
	d.Rules = rules
	defer func() { d.Rules = kept }()
	if l.Order() == 2 {
		return d.second(l)
	}
	return d.first(l)
}

// first is the search over single labels:
//
//	best(t, y) = max over y′ of best(t−1, y′) + s(y | t, y′)
func (d *Decoder) first(l Local) ([]uint16, float64) {
	n, labels := l.Len(), l.Labels()
	d.path, d.row = buffer.Resize(d.path, n), buffer.Resize(d.row, labels)
	d.best, d.back = buffer.Resize(d.best, n*labels), buffer.Resize(d.back, n*labels)
	fill(d.best, math.Inf(-1))
	for t := range n {
		best, back := d.best[t*labels:][:labels], d.back[t*labels:][:labels]
		for last := range labels {
			from := 0.0
			if t == 0 {
				last = labels
			} else if from = d.best[(t-1)*labels+last]; math.IsInf(from, -1) {
				continue
			}
			d.at(l, t, last, labels, d.row)
			for y, s := range d.row {
				if s += from; s > best[y] && d.allowed(l, t, last, y) {
					best[y], back[y] = s, uint16(last)
				}
			}
			if t == 0 {
				break
			}
		}
	}
	return d.follow(n, labels, func(t, y int) int { return int(d.back[t*labels+y]) })
}

// follow reads the path from its best end.
func (d *Decoder) follow(n, labels int, back func(t, y int) int) ([]uint16, float64) {
	if n == 0 {
		return d.path, 0
	}
	top := chain.Argmax(d.best[(n-1)*labels:][:labels])
	sum := d.best[(n-1)*labels+top]
	for t := n - 1; t >= 0; t-- {
		d.path[t] = uint16(top)
		top = back(t, top)
	}
	return d.path, sum
}

// second is the search over pairs of labels:
//
//	best(t, y′, y) = max over y″ of best(t−1, y″, y′) + s(y | t, y′, y″)
func (d *Decoder) second(l Local) ([]uint16, float64) {
	n, labels := l.Len(), l.Labels()
	width := labels + 1 // before the first token is a label too
	d.path, d.row = buffer.Resize(d.path, n), buffer.Resize(d.row, labels)
	d.before, d.best, d.back = buffer.Resize(d.before, width*width), buffer.Resize(d.best, width*labels),
		buffer.Resize(d.back, n*width*labels)
	fill(d.before, math.Inf(-1))
	d.before[labels*width+labels] = 0
	for t := range n {
		fill(d.best, math.Inf(-1))
		for second := range width {
			for last := range width {
				from := d.before[second*width+last]
				if math.IsInf(from, -1) {
					continue
				}
				d.at(l, t, last, second, d.row)
				for y, s := range d.row {
					if s += from; s > d.best[last*labels+y] && d.allowed(l, t, last, y) {
						d.best[last*labels+y] = s
						d.back[(t*width+last)*labels+y] = uint16(second)
					}
				}
			}
		}
		fill(d.before, math.Inf(-1))
		for last := range width {
			copy(d.before[last*width:][:labels], d.best[last*labels:][:labels])
		}
	}
	if n == 0 {
		return d.path, 0
	}
	top := chain.Argmax(d.best)
	sum, last, y := d.best[top], top/labels, top%labels
	for t := n - 1; t >= 0; t-- {
		d.path[t] = uint16(y)
		last, y = int(d.back[(t*width+last)*labels+y]), last
	}
	return d.path, sum
}

func fill(s []float64, x float64) {
	for i := range s {
		s[i] = x
	}
}
