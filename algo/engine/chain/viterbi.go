package chain

import (
	"cmp"
	"math"
	"slices"
)

// viterbi is the table of the best scores of prefixes and the labels before them.
type viterbi struct {
	done  bool
	best  []float64 // tokens×labels: best score of a prefix that ends in the label
	back  []uint16  // tokens×labels: label before it
	path  []uint16
	top   int      // best label at the last token that was filled
	keep  []uint16 // labels that can win
	order []int32  // labels by falling score
	mark  []uint32 // labels with a listed transition to the current one
	stamp uint32
}

// Viterbi returns the best labelling and its score. Of equally good ones it prefers, from
// the end backwards, lower labels.
func (d *Decoder) Viterbi() ([]uint16, float64, error) {
	l, v := &d.lattice, &d.viterbi
	v.path = slices.Grow(v.path[:0], l.n)[:l.n]
	if l.n == 0 {
		return v.path, 0, nil
	}
	d.fillViterbi()
	if err := l.err(); err != nil {
		return nil, 0, err
	}
	y := v.top
	score := l.row(v.best, l.n-1)[y]
	if math.IsInf(score, -1) {
		return nil, score, ErrNoPath
	}
	for t := l.n - 1; t >= 0; t-- {
		v.path[t] = uint16(y)
		y = int(v.back[t*l.labels+y])
	}
	return v.path, score, nil
}

// Argmax returns the first of the places of the largest value, 0 where there is none.
func Argmax(v []float64) int {
	k := 0
	for i, x := range v {
		if x > v[k] {
			k = i
		}
	}
	return k
}

// addArgmax adds scores to sums and returns the first of the largest.
func addArgmax(sums, scores []float64) int {
	k, hi := 0, math.Inf(-1)
	scores = scores[:len(sums)]
	for i, x := range sums {
		x += scores[i]
		sums[i] = x
		if x > hi {
			k, hi = i, x
		}
	}
	return k
}

// fillViterbi computes best_t[j] = s_t[j] + max_i(best_{t−1}[i] + w[i,j]).
func (d *Decoder) fillViterbi() {
	l, v := &d.lattice, &d.viterbi
	if v.done {
		return
	}
	v.done = true
	size := l.n * l.labels
	v.best = slices.Grow(v.best[:0], size)[:size]
	v.back = slices.Grow(v.back[:0], size)[:size]
	copy(l.row(v.best, 0), l.row(l.scores, 0))
	clear(v.back[:l.labels])
	v.top = Argmax(l.row(v.best, 0))
	for t := 1; t < l.n; t++ {
		if l.ended(t) {
			return
		}
		prev, cur := l.row(v.best, t-1), l.row(v.best, t)
		back := v.back[t*l.labels : (t+1)*l.labels]
		switch {
		case d.grammar.trans.closed:
			d.closedStep(prev, cur, back)
		case d.grammar.matrix != nil:
			d.denseStep(prev, cur, back)
		default:
			d.sparseStep(prev, cur, back)
		}
		v.top = addArgmax(cur, l.row(l.scores, t))
	}
}

// denseStep considers only labels that can win: with i* the best label before, i loses
// in all open labels if prev[i] + max_j(w[i,j] − w[i*,j]) < prev[i*].
func (d *Decoder) denseStep(prev, cur []float64, back []uint16) {
	d.viterbi.keep = d.grammar.winners(prev, d.viterbi.top, d.viterbi.keep)
	if len(d.grammar.shut) > 0 {
		d.openStep(prev, cur, back)
		d.shutStep(prev, cur, back)
		return
	}
	for n, k := range d.viterbi.keep {
		i := int(k)
		p, row := prev[i], d.grammar.from(i)
		cur, back := cur[:len(row)], back[:len(row)]
		if n == 0 {
			for j, w := range row {
				cur[j], back[j] = p+w, uint16(i)
			}
			continue
		}
		for j, w := range row {
			if s := p + w; s > cur[j] {
				cur[j], back[j] = s, uint16(i)
			}
		}
	}
}

// openStep finds the best of the kept labels before each open one.
func (d *Decoder) openStep(prev, cur []float64, back []uint16) {
	back = back[:len(cur)]
	for n, k := range d.viterbi.keep {
		i := int(k)
		p, row := prev[i], d.grammar.from(i)[:len(cur)]
		if n == 0 {
			for _, j := range d.grammar.open {
				cur[j], back[j] = p+row[j], uint16(i)
			}
			continue
		}
		for _, j := range d.grammar.open {
			if s := p + row[j]; s > cur[j] {
				cur[j], back[j] = s, uint16(i)
			}
		}
	}
}

// shutStep finds the best of the labels that may precede each shut one.
func (d *Decoder) shutStep(prev, cur []float64, back []uint16) {
	back = back[:len(cur)]
	for _, j := range d.grammar.shut {
		cur[j], back[j] = math.Inf(-1), 0
	}
	matrix := d.grammar.matrix
	for _, a := range d.grammar.closing {
		if s := prev[a.from] + matrix[a.at]; s > cur[a.to] {
			cur[a.to], back[a.to] = s, a.from
		}
	}
}

// closedStep considers listed transitions alone.
func (d *Decoder) closedStep(prev, cur []float64, back []uint16) {
	tr := d.grammar.trans
	for j := range cur {
		best, from := math.Inf(-1), uint16(0)
		for _, k := range tr.inIndex[tr.inStart[j]:tr.inStart[j+1]] {
			if s := prev[tr.from[k]] + tr.weight[k]; s > best {
				best, from = s, tr.from[k]
			}
		}
		cur[j], back[j] = best, from
	}
}

// sparseStep compares, for every label, its listed transitions with the best label that
// has none.
func (d *Decoder) sparseStep(prev, cur []float64, back []uint16) {
	v, tr := &d.viterbi, d.grammar.trans
	if len(v.mark) != len(prev) {
		v.mark, v.order, v.stamp = make([]uint32, len(prev)), make([]int32, len(prev)), 0
	}
	for i := range v.order {
		v.order[i] = int32(i)
	}
	slices.SortFunc(v.order, func(a, b int32) int {
		return cmp.Or(cmp.Compare(prev[b], prev[a]), cmp.Compare(a, b))
	})
	for j := range cur {
		if v.stamp++; v.stamp == 0 {
			clear(v.mark)
			v.stamp = 1
		}
		best, from := math.Inf(-1), 0
		for _, k := range tr.inIndex[tr.inStart[j]:tr.inStart[j+1]] {
			i := int(tr.from[k])
			v.mark[i] = v.stamp
			if s := prev[i] + tr.weight[k]; s > best && (tr.rules == nil || tr.rules.Allowed(i, j)) {
				best, from = s, i
			}
		}
		for _, k := range v.order {
			i := int(k)
			if prev[i] < best {
				break
			}
			if v.mark[i] != v.stamp && (tr.rules == nil || tr.rules.Allowed(i, j)) {
				if prev[i] > best || i < from {
					best, from = prev[i], i
				}
				break
			}
		}
		cur[j], back[j] = best, uint16(from)
	}
}
