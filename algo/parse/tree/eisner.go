package tree

import (
	"math"

	"parlance/algo/numeric/buffer"
)

// Eisner finds projective trees under scores of arcs, in O(n³) whatever the candidates (Eisner 2000).
// C[h,e] is the best subtree of head h that reaches to e on either side, I[h,m] the best one that
// ends in the arc from h to m:
//
//	I[h,m] = score(h,m) + max_{min ≤ r < max} C[min,r] + C[max,r+1]      (min, max of h and m)
//	C[h,e] = max_m I[h,m] + C[m,e]                                      (m from beside h to e)
//
// C stands twice, by head and by end, so that both maxima run over two contiguous rows. They are taken
// over scores that are raised, modifier by modifier, to 0 and more, which changes all trees alike.
type Eisner struct {
	single bool
	width  int       // of a row: tokens and the root
	low    int       // the leftmost token of the chart
	score  []float64 // by head and modifier
	least  []float64 // score of a modifier
	c, ct  []float64 // by head and end, by end and head
	inc    []float64 // by head and modifier
	sum    sums
}

// NewEisner returns a decoder for factorization Arc; single allows one token with the head 0.
func NewEisner(single bool) *Eisner { return &Eisner{single: single} }

// Best is that of Decoder.
func (e *Eisner) Best(p *Parts, score []float64, heads []int32) (float64, bool) {
	e.raise(p, score)
	if e.chart(p); p.Ended() {
		return math.Inf(-1), false
	}
	if _, ok := e.goal(heads); !ok {
		return math.Inf(-1), false
	}
	return sum(p, score, heads), true
}

// sum returns the score of a tree.
func sum(p *Parts, score []float64, heads []int32) float64 {
	s := 0.0
	for m := 1; m <= p.N; m++ {
		s += score[p.Find(int(heads[m]), m)]
	}
	return s
}

// Nearest writes the heads of the projective tree that has most of the given heads, and returns how
// many (Koo et al. 2007, section 7). What is given is a tree or
// any other heads from 0 to n, with one that has the head 0 if a single root is asked for.
func (e *Eisner) Nearest(given, heads []int32) int {
	n := len(given) - 1
	e.size(n)
	e.score = buffer.Resize(e.score, e.width*e.width)
	clear(e.score)
	for m := 1; m <= n; m++ {
		e.score[int(given[m])*e.width+m] = 1
	}
	e.fill(&Parts{})
	v, _ := e.goal(heads)
	return int(v)
}

// goal writes the heads of the best tree of the chart.
func (e *Eisner) goal(heads []int32) (float64, bool) {
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

// raise spreads the scores less the least of each modifier.
func (e *Eisner) raise(p *Parts, score []float64) {
	e.size(p.N)
	w := e.width
	e.least = buffer.Resize(e.least, w)
	for m := range e.least {
		e.least[m] = math.Inf(1)
	}
	for a, m := range p.Mod {
		if v := score[a]; v < e.least[m] && v >= -math.MaxFloat64 {
			e.least[m] = v
		}
	}
	e.score = blank(w, p.Arcs.Len() < p.N*p.N, math.Inf(-1), e.score)
	for a, h := range p.Head {
		m := p.Mod[a]
		e.score[int(h)*w+int(m)] = score[a] - e.least[m]
	}
}

func (e *Eisner) size(n int) {
	e.width, e.low = n+1, 0
	if e.single {
		e.low = 1
	}
	cells := e.width * e.width
	e.c, e.ct, e.inc = buffer.Resize(e.c, cells), buffer.Resize(e.ct, cells), buffer.Resize(e.inc, cells)
}

// spread writes the values of arcs at h·(n+1)+m and rest elsewhere.
func spread(p *Parts, score []float64, rest float64, dst []float64) []float64 {
	w := p.N + 1
	dst = blank(w, p.Arcs.Len() < p.N*p.N, rest, dst)
	for a, h := range p.Head {
		dst[int(h)*w+int(p.Mod[a])] = score[a]
	}
	return dst
}

// blank returns w² numbers, all of them set to rest if sparse is true, else those that no arc sets.
func blank(w int, sparse bool, rest float64, dst []float64) []float64 {
	dst = buffer.Resize(dst, w*w)
	if !sparse {
		for i := range w {
			dst[i*w+i], dst[i*w] = rest, rest
		}
		return dst
	}
	for i := range dst {
		dst[i] = rest
	}
	return dst
}

// chart computes the chart for the candidate arcs.
func (e *Eisner) chart(p *Parts) {
	if p.Arcs.Len() < p.N*p.N/4 {
		e.fillSparse(p)
	} else {
		e.fill(p)
	}
}

// fill computes the chart; each end after the ones before it, the nearest start first.
func (e *Eisner) fill(p *Parts) {
	w := e.width
	for i := e.low; i < w; i++ {
		e.c[i*w+i], e.ct[i*w+i] = 0, 0
	}
	for j := e.low + 1; j < w && !p.Ended(); j++ {
		for i := j - 1; i >= e.low; i-- {
			inner := raised(e.c[i*w+i:i*w+j], e.c[j*w+i+1:j*w+j+1])
			e.inc[i*w+j] = inner + e.score[i*w+j]
			right := raised(e.inc[i*w+i+1:i*w+j+1], e.ct[j*w+i+1:j*w+j+1])
			e.c[i*w+j], e.ct[j*w+i] = right, right
			if i == 0 {
				break
			}
			e.inc[j*w+i] = inner + e.score[j*w+i]
			left := raised(e.inc[j*w+i:j*w+j], e.ct[i*w+i:i*w+j])
			e.c[j*w+i], e.ct[i*w+j] = left, left
		}
	}
}

// fillSparse is fill in O(arcs·n): what no candidate arc needs is left out.
func (e *Eisner) fillSparse(p *Parts) {
	w := e.width
	none := math.Inf(-1)
	for i := e.low; i < w; i++ {
		e.c[i*w+i], e.ct[i*w+i] = 0, 0
	}
	for j := e.low + 1; j < w && !p.Ended(); j++ {
		from, to := p.Of(j, Left)
		left := p.Mod[from:to]
		for i := j - 1; i >= e.low; i-- {
			a, b := e.score[i*w+j], e.score[j*w+i]
			if a > none || b > none {
				inner := raised(e.c[i*w+i:i*w+j], e.c[j*w+i+1:j*w+j+1])
				a, b = a+inner, b+inner
			}
			e.inc[i*w+j], e.inc[j*w+i] = a, b
			from, to := p.Of(i, Right)
			v := reach(p.Mod[from:to], e.inc[i*w:i*w+j+1], e.ct[j*w:j*w+j+1])
			e.c[i*w+j], e.ct[j*w+i] = v, v
			v = none
			for _, m := range left {
				if int(m) < i {
					break
				}
				v = max(v, e.inc[j*w+int(m)]+e.ct[i*w+int(m)])
			}
			e.c[j*w+i], e.ct[i*w+j] = v, v
		}
	}
}

// reach returns the greatest sum at the modifiers that are within the rows.
func reach(mods []int32, inc, ct []float64) float64 {
	v := math.Inf(-1)
	for _, m := range mods {
		if int(m) >= len(inc) {
			break
		}
		v = max(v, inc[m]+ct[m])
	}
	return v
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

// raised is maxSum where all sums are at least 0 or −∞: as integers, the bits of such numbers are in
// the same order, and integers are compared without branches.
func raised(a, b []float64) float64 {
	b = b[:len(a)]
	x, y := int64(math.MinInt64), int64(math.MinInt64)
	k := 0
	for ; k+4 <= len(a); k += 4 {
		p, q := a[k:k+4:k+4], b[k:k+4:k+4]
		x = max(x, int64(math.Float64bits(p[0]+q[0])))
		y = max(y, int64(math.Float64bits(p[1]+q[1])))
		x = max(x, int64(math.Float64bits(p[2]+q[2])))
		y = max(y, int64(math.Float64bits(p[3]+q[3])))
	}
	for ; k < len(a); k++ {
		x = max(x, int64(math.Float64bits(a[k]+b[k])))
	}
	return math.Float64frombits(uint64(max(x, y)))
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
