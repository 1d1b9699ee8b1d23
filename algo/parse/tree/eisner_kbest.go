package tree

import "math"

// ranked lists the best derivations of the items of a chart as far as they are asked for (Huang and
// Chiang 2005, algorithm 3). Each tree has one derivation.
type ranked struct {
	*Eisner
	at    []int32 // 1 + place of an item in items
	items []rankedItem
}

// rankedItem is C[h,e] at h·w+e, the inside of the arcs between i < j at w·w+i·w+j, or the goal after
// these.
type rankedItem struct {
	done    []derivation // by falling score
	waiting []derivation // heap
	spread  bool         // the successors of the last of done are waiting
}

// derivation is a split of an item and the ranks of the derivations of its two halves.
type derivation struct {
	score    float64
	split    int32
	one, two int32
}

func (d derivation) before(x derivation) bool {
	switch {
	case d.score != x.score:
		return d.score > x.score
	case d.split != x.split:
		return d.split < x.split
	case d.one != x.one:
		return d.one < x.one
	}
	return d.two < x.two
}

// KBest is that of Lister. After the chart of Best each tree costs O(n) items or fewer.
func (e *Eisner) KBest(p *Parts, score []float64, k int, dst []Scored) []Scored {
	if p.N == 0 {
		if k > 0 {
			dst = append(dst, Scored{Heads: []int32{0}})
		}
		return dst
	}
	e.raise(p, score)
	if e.chart(p); p.Ended() {
		return dst
	}
	r := &ranked{Eisner: e, at: make([]int32, 2*e.width*e.width+1)}
	for i := range k {
		if _, ok := r.get(r.goal(), i); !ok || p.Ended() {
			break
		}
		heads := make([]int32, e.width)
		r.heads(r.goal(), i, heads)
		dst = append(dst, Scored{heads, sum(p, score, heads)})
	}
	return dst
}

func (r *ranked) goal() int {
	if r.single {
		return 2 * r.width * r.width
	}
	return r.width - 1 // C[0,n]
}

// get returns the derivation of rank k, from 0, of an item.
func (r *ranked) get(id, k int) (derivation, bool) {
	if r.at[id] == 0 {
		r.items = append(r.items, rankedItem{spread: true})
		r.at[id] = int32(len(r.items))
		r.open(id)
	}
	at := r.at[id] - 1
	for len(r.items[at].done) <= k {
		if !r.items[at].spread {
			last := r.items[at].done[len(r.items[at].done)-1]
			r.push(id, last.split, last.one, last.two+1)
			if last.two == 0 {
				r.push(id, last.split, last.one+1, 0)
			}
		}
		x := &r.items[at]
		if x.spread = true; len(x.waiting) == 0 {
			return derivation{}, false
		}
		x.done = append(x.done, pop(&x.waiting))
		x.spread = false
	}
	return r.items[at].done[k], true
}

// open puts the best derivation of each split of an item into its heap.
func (r *ranked) open(id int) {
	from, to := r.splits(id)
	x := &r.items[r.at[id]-1]
	if from > to {
		x.done, x.spread = append(x.done, derivation{}), true
		return
	}
	for s := from; s <= to; s++ {
		one, two, weight := r.halves(id, s)
		if v := r.top(one) + weight + r.top(two); !math.IsInf(v, -1) {
			x.waiting = append(x.waiting, derivation{v, int32(s), 0, 0})
		}
	}
	for i := len(x.waiting)/2 - 1; i >= 0; i-- {
		sink(x.waiting, i)
	}
}

// push puts a derivation into the heap of an item if its halves have as many.
func (r *ranked) push(id int, split, i, j int32) {
	one, two, weight := r.halves(id, int(split))
	a, ok := r.get(one, int(i))
	if !ok {
		return
	}
	b, ok := r.get(two, int(j))
	if !ok {
		return
	}
	x := &r.items[r.at[id]-1]
	x.waiting = append(x.waiting, derivation{a.score + weight + b.score, split, i, j})
	rise(x.waiting)
}

// splits returns the range of splits of an item, none for C[h,h].
func (r *ranked) splits(id int) (from, to int) {
	w := r.width
	switch x := id % (w * w); {
	case id == 2*w*w:
		return 1, w - 1
	case id > w*w:
		return x / w, x%w - 1
	case x/w < x%w:
		return x/w + 1, x % w
	default:
		return x % w, x/w - 1
	}
}

// halves returns the two items of a split and the score of the arc that it adds.
func (r *ranked) halves(id, split int) (one, two int, weight float64) {
	w := r.width
	h, e := id%(w*w)/w, id%w
	switch {
	case id == 2*w*w:
		return split*w + 1, split*w + w - 1, r.score[split]
	case id > w*w:
		return h*w + split, e*w + split + 1, 0
	}
	return w*w + min(h, split)*w + max(h, split), split*w + e, r.score[h*w+split]
}

// top returns the best score of an item.
func (r *ranked) top(id int) float64 {
	w := r.width
	if id < w*w {
		return r.c[id]
	}
	i, j := id%(w*w)/w, id%w
	return maxSum(r.c[i*w+i:i*w+j], r.c[j*w+i+1:j*w+j+1])
}

// heads writes the heads in the derivation of rank k of an item.
func (r *ranked) heads(id, k int, heads []int32) {
	w := r.width
	if from, to := r.splits(id); from > to {
		return
	}
	d, _ := r.get(id, k)
	switch {
	case id == 2*w*w:
		heads[d.split] = 0
	case id < w*w:
		heads[d.split] = int32(id / w)
	}
	one, two, _ := r.halves(id, int(d.split))
	r.heads(one, int(d.one), heads)
	r.heads(two, int(d.two), heads)
}

func pop(h *[]derivation) derivation {
	x, last := (*h)[0], len(*h)-1
	(*h)[0] = (*h)[last]
	*h = (*h)[:last]
	sink(*h, 0)
	return x
}

func rise(h []derivation) {
	for i := len(h) - 1; i > 0; {
		up := (i - 1) / 2
		if !h[i].before(h[up]) {
			return
		}
		h[i], h[up] = h[up], h[i]
		i = up
	}
}

func sink(h []derivation, i int) {
	for {
		down := 2*i + 1
		if down >= len(h) {
			return
		}
		if down+1 < len(h) && h[down+1].before(h[down]) {
			down++
		}
		if !h[down].before(h[i]) {
			return
		}
		h[i], h[down] = h[down], h[i]
		i = down
	}
}
