package chain

import (
	"math"
	"slices"
)

// Path is a labelling with its score.
type Path struct {
	Labels []uint16
	Score  float64
}

// node is a suffix of a labelling, from token t to the end.
type node struct {
	bound  float64 // score of the best labelling with this suffix
	suffix float64 // score of the suffix after token t, with the transition into it
	parent int32   // suffix one token shorter, −1 at the end
	token  int32
	label  uint16
}

// nbest is the agenda of the search.
type nbest struct {
	nodes []node
	heap  []int32
	row   []float64
	paths []Path
}

// NBest returns the n best labellings by falling score, fewer if there are no more. It is
// exact: A* from the end, with the scores of Viterbi as the bound (Soong and Huang 1991).
func (d *Decoder) NBest(n int) ([]Path, error) {
	l, q := &d.lattice, &d.nbest
	q.nodes, q.heap, q.paths = q.nodes[:0], q.heap[:0], q.paths[:0]
	if n < 1 {
		return nil, nil
	}
	if l.n == 0 {
		return append(q.paths, Path{}), nil
	}
	d.fillViterbi()
	q.row = slices.Grow(q.row[:0], l.labels)[:l.labels]
	for j, s := range l.row(d.viterbi.best, l.n-1) {
		q.add(node{bound: s, parent: -1, token: int32(l.n - 1), label: uint16(j)})
	}
	for len(q.heap) > 0 && len(q.paths) < n {
		k := q.pop()
		if q.nodes[k].token == 0 {
			q.paths = append(q.paths, q.path(k, l.n))
			continue
		}
		d.expand(k)
	}
	if len(q.paths) == 0 {
		return nil, ErrNoPath
	}
	return q.paths, nil
}

// expand adds all labels before a suffix.
func (d *Decoder) expand(k int32) {
	l, q := &d.lattice, &d.nbest
	u := q.nodes[k]
	t := int(u.token)
	suffix := u.suffix + l.scores[t*l.labels+int(u.label)]
	d.grammar.trans.column(int(u.label), q.row)
	for i, p := range l.row(d.viterbi.best, t-1) {
		s := suffix + q.row[i]
		q.add(node{bound: p + s, suffix: s, parent: k, token: u.token - 1, label: uint16(i)})
	}
}

// path reads a whole labelling off the parents.
func (q *nbest) path(k int32, n int) Path {
	p := Path{Labels: make([]uint16, 0, n), Score: q.nodes[k].bound}
	for ; k >= 0; k = q.nodes[k].parent {
		p.Labels = append(p.Labels, q.nodes[k].label)
	}
	return p
}

// before orders by bound, then longer suffixes first, then by age.
func (q *nbest) before(a, b int32) bool {
	u, v := &q.nodes[a], &q.nodes[b]
	if u.bound != v.bound {
		return u.bound > v.bound
	}
	if u.token != v.token {
		return u.token < v.token
	}
	return a < b
}

// add puts a node on the heap unless it is forbidden.
func (q *nbest) add(u node) {
	if math.IsInf(u.bound, -1) {
		return
	}
	q.nodes = append(q.nodes, u)
	q.heap = append(q.heap, int32(len(q.nodes)-1))
	h := q.heap
	for i := len(h) - 1; i > 0; {
		up := (i - 1) / 2
		if !q.before(h[i], h[up]) {
			break
		}
		h[i], h[up] = h[up], h[i]
		i = up
	}
}

// pop takes the best node off the heap.
func (q *nbest) pop() int32 {
	h := q.heap
	top, last := h[0], len(h)-1
	h[0] = h[last]
	q.heap = h[:last]
	h = q.heap
	for i := 0; ; {
		k := 2*i + 1
		if k >= last {
			return top
		}
		if k+1 < last && q.before(h[k+1], h[k]) {
			k++
		}
		if !q.before(h[k], h[i]) {
			return top
		}
		h[i], h[k] = h[k], h[i]
		i = k
	}
}
