package chain

import (
	"context"
	"math"
	"slices"

	"parlance/algo/numeric/buffer"
)

// Trellis is what NBest searches: sequences of a label a step. The score of a sequence is a sum over steps, each of its
// label and the one before; −Inf forbids. A sentence may be walked from either end.
type Trellis interface {
	// Size is the number of steps and of labels.
	Size() (steps, labels int)
	// Prefix is the score of the first labels.
	Prefix(labels []uint16) float64
	// First sets out, by label, to the score of the best sequence that begins with it.
	First(out []float64)
	// Step sets out, by label at a step above 0, to the score of the best sequence that goes on with it from a prefix that
	// ends in the label last and has the score. It returns the score of the prefix with the label given.
	Step(step int, last, label uint16, score float64, out []float64) float64
	// Next returns the label at a step above 0 that the best sequence goes on with after a label.
	Next(step int, last uint16) uint16
}

// NBest finds the n best sequences of a trellis by falling score. It is A* with the exact bound of Viterbi from the
// other end (Soong and Huang 1991): every sequence found departs at one step from one found before and then goes on in
// the best way, until it meets that one again. Only the labels in between are kept. It costs O(n·steps·labels) after
// the bounds; candidates that cannot enter the n best are dropped.
type NBest struct {
	// ByLabels orders sequences of equal score by their labels from the first step on. Without it, the one that departs
	// latest comes first, of those the one whose parent was found first, then the lower label: no labels are compared.
	ByLabels bool

	trellis Trellis
	steps   int
	paths   []found
	kept    []uint16 // labels of the paths where they differ
	agenda
	labels, other, third []uint16
	chain                []int32
	bounds               []float64
}

// found is a sequence.
type found struct {
	score    float64
	parent   int32 // −1 for the first
	from, to int32 // steps that differ from the parent
	kept     int   // their labels
}

// departure is all sequences that agree with a path before a step and have another label there.
type departure struct {
	bound      float64 // score of the best of them
	parent     int32
	step       int32
	label, was uint16
}

type agenda struct {
	heap  []departure
	need  int
	least float64 // bound below which a departure cannot enter
}

// Find searches and returns how many sequences there are, at most n, fewer also where the context ends.
func (s *NBest) Find(ctx context.Context, t Trellis, n int) int {
	steps, labels := t.Size()
	s.trellis, s.steps = t, steps
	s.paths, s.kept, s.heap = s.paths[:0], s.kept[:0], s.heap[:0]
	s.need, s.least = n, math.Inf(-1)
	if steps == 0 {
		if n > 0 {
			s.paths = append(s.paths, found{parent: -1})
		}
		return len(s.paths)
	}
	s.bounds = buffer.Resize(s.bounds, labels)
	t.First(s.bounds)
	for k, v := range s.bounds {
		s.push(departure{bound: v, parent: -1, label: uint16(k)})
	}
	for s.need > 0 && len(s.heap) > 0 && ctx.Err() == nil {
		s.follow(s.pop())
		s.need--
		if s.need > 0 {
			s.depart(int32(len(s.paths) - 1))
		}
	}
	return len(s.paths)
}

// Len is how many sequences were found.
func (s *NBest) Len() int { return len(s.paths) }

// Score is that of sequence i, 0-based.
func (s *NBest) Score(i int) float64 { return s.paths[i].score }

// Labels writes the labels of sequence i, by step.
func (s *NBest) Labels(i int, out []uint16) []uint16 {
	out = buffer.Resize(out, s.steps)
	// The labels that a path keeps hide those of its parents, so parents come first.
	s.chain = s.chain[:0]
	for k := int32(i); k >= 0; k = s.paths[k].parent {
		s.chain = append(s.chain, k)
	}
	for _, k := range slices.Backward(s.chain) {
		p := s.paths[k]
		copy(out[p.from:p.to], s.kept[p.kept:])
	}
	return out
}

// complete writes the labels of the best of a departure.
func (s *NBest) complete(d departure, out []uint16) []uint16 {
	if d.parent >= 0 {
		out = s.Labels(int(d.parent), out)
	} else {
		out = buffer.Resize(out, s.steps)
	}
	out[d.step] = d.label
	for t := int(d.step) + 1; t < len(out); t++ {
		out[t] = s.trellis.Next(t, out[t-1])
	}
	return out
}

// follow makes a path of a departure.
func (s *NBest) follow(d departure) {
	s.labels = s.complete(d, s.labels)
	p := found{score: d.bound, parent: d.parent, from: d.step, to: int32(s.steps), kept: len(s.kept)}
	if d.parent >= 0 {
		s.other = s.Labels(int(d.parent), s.other)
		for p.to = p.from; p.to < int32(s.steps) && s.labels[p.to] != s.other[p.to]; p.to++ {
		}
	}
	s.kept = append(s.kept, s.labels[p.from:p.to]...)
	s.paths = append(s.paths, p)
}

// depart adds all departures from the newest path, whose labels are in s.labels.
func (s *NBest) depart(i int32) {
	y := s.labels
	first := int(s.paths[i].from)
	// Labels at the step where the path itself departed were added with its parent's.
	score := s.trellis.Prefix(y[:first+1])
	row, least := s.bounds, s.least
	for t := first + 1; t < s.steps; t++ {
		own := y[t]
		score = s.trellis.Step(t, y[t-1], own, score, row)
		row[own] = math.Inf(-1)
		for k, v := range row {
			if v >= least {
				s.push(departure{bound: v, parent: i, step: int32(t), label: uint16(k), was: own})
				least = s.least
			}
		}
	}
}

// before orders departures by falling bound.
func (s *NBest) before(a, b departure) bool {
	switch {
	case a.bound != b.bound:
		return a.bound > b.bound
	case s.ByLabels:
		return s.beforeByLabels(a, b)
	case a.step != b.step:
		return a.step > b.step
	case a.parent != b.parent:
		return a.parent < b.parent
	}
	return a.label < b.label
}

// beforeByLabels orders departures of equal bound by the labels of their best.
func (s *NBest) beforeByLabels(a, b departure) bool {
	switch {
	case a.parent != b.parent:
		s.other, s.third = s.complete(a, s.other), s.complete(b, s.third)
		return slices.Compare(s.other, s.third) < 0
	case a.step < b.step:
		return a.label < a.was
	case a.step > b.step:
		return b.label > b.was
	}
	return a.label < b.label
}

// dropFrom is how many departures beyond twice those needed are on the agenda when some are dropped.
const dropFrom = 64

func (s *NBest) push(d departure) {
	if math.IsInf(d.bound, -1) {
		return
	}
	if len(s.heap) > 2*s.need+dropFrom {
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
func (s *NBest) shrink() {
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

func (s *NBest) pop() departure {
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
