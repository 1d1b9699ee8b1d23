package nonlocal

import (
	"context"

	"parlance/algo/engine/chain"
	"parlance/algo/numeric/buffer"
)

// search finds the n best labellings of a table by falling score, equal ones by the labels from the
// first token on.
type search struct {
	chain.NBest
	tab  *table
	rest []float64 // best score of what follows a token with a label
	next []uint16  // label that follows then
}

// find searches and returns how many labellings there are, at most n, fewer also where the context ends.
func (s *search) find(ctx context.Context, tab *table, n int) int {
	s.tab, s.ByLabels = tab, true
	if tab.n > 0 {
		s.backward()
	}
	return s.Find(ctx, s, n)
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

// Size, Prefix, First, Step and Next are the trellis of the table, walked from the first token.
func (s *search) Size() (steps, labels int) { return s.tab.n, s.tab.labels }

// Prefix is the score of the first labels.
func (s *search) Prefix(labels []uint16) float64 { return s.tab.score(labels) }

// First adds what follows to the scores of the first token.
func (s *search) First(out []float64) {
	for k, v := range s.tab.nodes(0) {
		out[k] = v + s.rest[k]
	}
}

// Step adds the scores of a token and the best of what follows.
func (s *search) Step(step int, last, label uint16, score float64, out []float64) float64 {
	edge, l := s.tab.edges(step, int(last)), s.tab.labels
	node, rest := s.tab.nodes(step)[:len(edge)], s.rest[step*l:][:len(edge)]
	out = out[:len(edge)]
	for k, e := range edge {
		out[k] = score + (e + node[k] + rest[k])
	}
	return score + (edge[label] + node[label])
}

// Next is what backward found.
func (s *search) Next(step int, last uint16) uint16 { return s.next[(step-1)*s.tab.labels+int(last)] }
