package tree

import "math"

// Eisner finds projective trees under scores of arcs, in O(n³) whatever the candidates (Eisner 2000).
// C[h,e] is the best subtree of head h that reaches to e on either side, I[h,m] the best one that
// ends in the arc from h to m:
//
//	I[h,m] = score(h,m) + max_{min ≤ r < max} C[min,r] + C[max,r+1]      (min, max of h and m)
//	C[h,e] = max_m I[h,m] + C[m,e]                                      (m from beside h to e)
//
// C stands twice, by head and by end, so that both maxima run over two contiguous rows.
type Eisner struct {
	single bool
	width  int // of a row: tokens and the root
	low    int // the leftmost token of the chart
	score  []float64
	c, ct  []float64 // by head and end, by end and head
	inc    []float64 // by head and modifier
	sum    sums
}

// NewEisner returns a decoder for factorization Arc; single allows one token with the head 0.
func NewEisner(single bool) *Eisner { return &Eisner{single: single} }

// Best is that of Decoder.
func (e *Eisner) Best(p *Parts, score []float64, heads []int32) (float64, bool) {
	e.load(p, score)
	return e.best(heads)
}

// Nearest writes the heads of the projective tree that has most of the given heads, and returns how
// many (Koo et al. 2007, section 7: a gold arc scores 1, any other −1). What is given is a tree or
// any other heads from 0 to n, with one that has the head 0 if a single root is asked for.
func (e *Eisner) Nearest(given, heads []int32) int {
	n := len(given) - 1
	e.size(n)
	e.score = resize(e.score, e.width*e.width)
	for i := range e.score {
		e.score[i] = -1
	}
	for m := 1; m <= n; m++ {
		e.score[int(given[m])*e.width+m] = 1
	}
	v, _ := e.best(heads)
	return (n + int(v)) / 2
}

// best finds the best tree under the scores at h·width+m.
func (e *Eisner) best(heads []int32) (float64, bool) {
	e.fill()
	n := e.width - 1
	if !e.single {
		best := e.c[n]
		if math.IsInf(best, -1) {
			return best, false
		}
		e.complete(0, n, heads)
		return best, true
	}
	best, root := math.Inf(-1), 0
	for m := 1; m <= n; m++ {
		if v := e.c[m*e.width+1] + e.c[m*e.width+n] + e.score[m]; v > best {
			best, root = v, m
		}
	}
	if root == 0 {
		return 0, n == 0
	}
	heads[root] = 0
	e.complete(root, 1, heads)
	e.complete(root, n, heads)
	return best, true
}

// load spreads the scores of the arcs, −∞ where there is none.
func (e *Eisner) load(p *Parts, score []float64) {
	e.size(p.N)
	e.score = spread(p, score, math.Inf(-1), e.score)
}

func (e *Eisner) size(n int) {
	e.width, e.low = n+1, 0
	if e.single {
		e.low = 1
	}
	cells := e.width * e.width
	e.c, e.ct, e.inc = resize(e.c, cells), resize(e.ct, cells), resize(e.inc, cells)
}

// spread writes the values of arcs at h·(n+1)+m and rest elsewhere.
func spread(p *Parts, score []float64, rest float64, dst []float64) []float64 {
	w := p.N + 1
	dst = resize(dst, w*w)
	for i := range dst {
		dst[i] = rest
	}
	for a, h := range p.Head {
		dst[int(h)*w+int(p.Mod[a])] = score[a]
	}
	return dst
}

// fill computes the chart; each end after the ones before it, the nearest start first.
func (e *Eisner) fill() {
	w := e.width
	for i := e.low; i < w; i++ {
		e.c[i*w+i], e.ct[i*w+i] = 0, 0
	}
	for j := e.low + 1; j < w; j++ {
		for i := j - 1; i >= e.low; i-- {
			inner := maxSum(e.c[i*w+i:i*w+j], e.c[j*w+i+1:j*w+j+1])
			e.inc[i*w+j] = inner + e.score[i*w+j]
			right := maxSum(e.inc[i*w+i+1:i*w+j+1], e.ct[j*w+i+1:j*w+j+1])
			e.c[i*w+j], e.ct[j*w+i] = right, right
			if i == 0 {
				break
			}
			e.inc[j*w+i] = inner + e.score[j*w+i]
			left := maxSum(e.inc[j*w+i:j*w+j], e.ct[i*w+i:i*w+j])
			e.c[j*w+i], e.ct[i*w+j] = left, left
		}
	}
}

// maxSum returns max_k a[k] + b[k].
func maxSum(a, b []float64) float64 {
	b = b[:len(a)]
	best := math.Inf(-1)
	for k, x := range a {
		if v := x + b[k]; v > best {
			best = v
		}
	}
	return best
}

// argSum returns the first k with the greatest a[k] + b[k].
func argSum(a, b []float64) int {
	at, best := 0, math.Inf(-1)
	for k, x := range a {
		if v := x + b[k]; v > best {
			at, best = k, v
		}
	}
	return at
}

// complete writes the heads within C[h,end].
func (e *Eisner) complete(h, end int, heads []int32) {
	w := e.width
	for h != end {
		var m int
		if h < end {
			m = h + 1 + argSum(e.inc[h*w+h+1:h*w+end+1], e.ct[end*w+h+1:end*w+end+1])
		} else {
			m = end + argSum(e.inc[h*w+end:h*w+h], e.ct[end*w+end:end*w+h])
		}
		heads[m] = int32(h)
		i, j := min(h, m), max(h, m)
		r := i + argSum(e.c[i*w+i:i*w+j], e.c[j*w+i+1:j*w+j+1])
		e.complete(i, r, heads)
		e.complete(j, r+1, heads)
		h = m
	}
}
