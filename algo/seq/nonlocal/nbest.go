package nonlocal

import (
	"context"
	"math"
	"slices"

	"parlance/algo/numeric/buffer"
)

// search finds the n best labellings of a table by falling score, equal ones by the labels from the
// first token on. It is A* with the exact bound of backward Viterbi (Soong and Huang 1991): every
// labelling found departs at one token from one found before and then goes on in the best way, until
// it meets that one again. Only the labels in between are kept. It costs O(n·tokens·labels) after
// O(tokens·labels²) for the bounds; candidates that cannot enter the n best are dropped.
type search struct {
	ctx   context.Context // ends the search early; may be nil
	tab   *table
	rest  []float64 // best score of what follows a token with a label
	next  []uint16  // label that follows then
	paths []path
	kept  []uint16 // labels of the paths where they differ
	agenda
	labels, other, third []uint16
}

type path struct {
	score    float64
	parent   int32 // −1 for the first
	from, to int32 // tokens that differ from the parent
	kept     int   // their labels
}

// departure is all labellings that agree with a path before a token and have another label there.
type departure struct {
	bound      float64 // score of the best of them
	parent     int32
	token      int32
	label, was uint16
}

type agenda struct {
	heap  []departure
	need  int
	least float64 // bound below which a departure cannot enter
}

// find searches and returns how many labellings there are, at most n.
func (s *search) find(tab *table, n int) int {
	s.tab = tab
	s.paths, s.kept, s.heap = s.paths[:0], s.kept[:0], s.heap[:0]
	s.need, s.least = n, blocked
	if tab.n == 0 {
		if n > 0 {
			s.paths = append(s.paths, path{parent: -1})
		}
		return len(s.paths)
	}
	s.backward()
	for k, v := range tab.nodes(0) {
		s.push(departure{bound: v + s.rest[k], parent: -1, label: uint16(k)})
	}
	for s.need > 0 && len(s.heap) > 0 && (s.ctx == nil || s.ctx.Err() == nil) {
		s.follow(s.pop())
		s.need--
		if s.need > 0 {
			s.depart(int32(len(s.paths) - 1))
		}
	}
	return len(s.paths)
}

// backward computes rest_t[j] = max_k edge[t+1, j, k] + node[t+1, k] + rest_{t+1}[k].
func (s *search) backward() {
	b, l := s.tab, s.tab.labels
	s.rest, s.next = buffer.Resize(s.rest, b.n*l), buffer.Resize(s.next, b.n*l)
	clear(s.rest[(b.n-1)*l:])
	for t := b.n - 2; t >= 0; t-- {
		after := s.rest[(t+1)*l:][:l]
		node := b.nodes(t + 1)
		for j := range l {
			top, arg := blocked, 0
			for k, e := range b.edges(t+1, j) {
				if v := e + node[k] + after[k]; v > top {
					top, arg = v, k
				}
			}
			s.rest[t*l+j], s.next[t*l+j] = top, uint16(arg)
		}
	}
}

// complete writes the labels of a departure.
func (s *search) complete(d departure, out []uint16) []uint16 {
	if d.parent >= 0 {
		out = s.path(int(d.parent), out)
	} else {
		out = buffer.Resize(out, s.tab.n)
	}
	out[d.token] = d.label
	for t := int(d.token) + 1; t < len(out); t++ {
		out[t] = s.next[(t-1)*s.tab.labels+int(out[t-1])]
	}
	return out
}

// path writes the labels of labelling i, 0-based, which are of use until the next call.
func (s *search) path(i int, out []uint16) []uint16 {
	out = buffer.Resize(out, s.tab.n)
	// The labels that a path keeps hide those of its parents, so parents come first.
	chain := []int32{}
	for k := int32(i); k >= 0; k = s.paths[k].parent {
		chain = append(chain, k)
	}
	for _, k := range slices.Backward(chain) {
		p := s.paths[k]
		copy(out[p.from:p.to], s.kept[p.kept:])
	}
	return out
}

// follow makes a path of a departure.
func (s *search) follow(d departure) {
	s.labels = s.complete(d, s.labels)
	p := path{score: d.bound, parent: d.parent, from: d.token, to: int32(s.tab.n), kept: len(s.kept)}
	if d.parent >= 0 {
		s.other = s.path(int(d.parent), s.other)
		for p.to = p.from; p.to < int32(s.tab.n) && s.labels[p.to] != s.other[p.to]; p.to++ {
		}
	}
	s.kept = append(s.kept, s.labels[p.from:p.to]...)
	s.paths = append(s.paths, p)
}

// depart adds all departures from the newest path, whose labels are in s.labels.
func (s *search) depart(i int32) {
	b, l, y := s.tab, s.tab.labels, s.labels
	first := int(s.paths[i].from) + 1
	score := b.score(y[:first])
	for t := first; t < b.n; t++ {
		edge, node, rest := b.edges(t, int(y[t-1])), b.nodes(t), s.rest[t*l:][:l]
		for k, e := range edge {
			if v := score + (e + node[k] + rest[k]); v >= s.least && k != int(y[t]) {
				s.push(departure{bound: v, parent: i, token: int32(t), label: uint16(k), was: y[t]})
			}
		}
		score += edge[y[t]] + node[y[t]]
	}
}

// before orders departures by falling bound, then by the labels of their best.
func (s *search) before(a, b departure) bool {
	switch {
	case a.bound != b.bound:
		return a.bound > b.bound
	case a.parent != b.parent:
		s.other, s.third = s.complete(a, s.other), s.complete(b, s.third)
		return slices.Compare(s.other, s.third) < 0
	case a.token < b.token:
		return a.label < a.was
	case a.token > b.token:
		return b.label > b.was
	}
	return a.label < b.label
}

func (s *search) push(d departure) {
	if math.IsInf(d.bound, -1) {
		return
	}
	if len(s.heap) > 2*s.need+64 {
		s.shrink()
	}
	s.heap = append(s.heap, d)
	h := s.heap
	for i := len(h) - 1; i > 0; {
		up := (i - 1) / 2
		if !s.before(h[i], h[up]) {
			break
		}
		h[i], h[up] = h[up], h[i]
		i = up
	}
}

// shrink keeps what can still enter. A sorted list is a heap.
func (s *search) shrink() {
	slices.SortFunc(s.heap, func(a, b departure) int {
		switch {
		case s.before(a, b):
			return -1
		case s.before(b, a):
			return 1
		}
		return 0
	})
	s.heap = s.heap[:s.need]
	s.least = s.heap[s.need-1].bound
}

func (s *search) pop() departure {
	h := s.heap
	top, last := h[0], len(h)-1
	h[0] = h[last]
	s.heap = h[:last]
	h = s.heap
	for i := 0; ; {
		k := 2*i + 1
		if k >= last {
			return top
		}
		if k+1 < last && s.before(h[k+1], h[k]) {
			k++
		}
		if !s.before(h[k], h[i]) {
			return top
		}
		h[i], h[k] = h[k], h[i]
		i = k
	}
}
