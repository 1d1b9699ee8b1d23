package lattice

import (
	"context"
	"math"

	"parlance/algo/numeric/buffer"
)

// way is a way to a node: over an edge, from the way of some rank to the node before it.
type way struct {
	score float64
	edge  int32 // place of the span or the pair among those of the node
	rank  int32
}

// ways are the best ways to a node, and those from which the next one is chosen.
type ways struct {
	found []way
	heap  []way
	begun bool
}

// nbest enumerates paths lazily (Jiménez and Marzal 1999): the next way to a node needs only the next way to one node
// before.
type nbest struct {
	done  bool
	ways  [2][]ways
	paths []Path
	spans []int32
}

// NBest returns the n best paths by falling score, fewer if there are no more. It is exact; ties come in one order,
// and the first path is that of Best. It costs O(spans + pairs) for the first and far less for each further path.
func (l *Lattice) NBest(ctx context.Context, n int) ([]Path, error) {
	if n < 1 {
		return nil, ctx.Err()
	}
	l.fillViterbi()
	q := &l.nbest
	if !q.done {
		q.done = true
		for side := range q.ways {
			q.ways[side] = buffer.Resize(q.ways[side], len(l.nodes[side].state))
			for i := range q.ways[side] {
				w := &q.ways[side][i]
				w.found, w.heap, w.begun = w.found[:0], w.heap[:0], false
			}
		}
	}
	q.paths, q.spans = q.paths[:0], q.spans[:0]
	for len(q.paths) < n && l.find(beginning, l.last(), int32(len(q.paths))) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		q.paths = append(q.paths, l.readPath(int32(len(q.paths))))
	}
	if len(q.paths) == 0 {
		return nil, ErrNoPath
	}
	return q.paths, nil
}

// readPath follows the ways back. Spans of paths before keep their places when the buffer moves.
func (l *Lattice) readPath(rank int32) Path {
	q := &l.nbest
	s, first := l.last(), len(q.spans)
	score := q.ways[beginning][s].found[rank].score
	for {
		w := l.way(beginning, s, rank)
		u, _ := l.pairAt(s, w.edge)
		if l.nodes[ending].state[u] < 0 {
			break
		}
		w = l.way(ending, u, w.rank)
		k := l.nodes[ending].at(u)[w.edge]
		q.spans = append(q.spans, k)
		s, rank = l.nodes[beginning].of[k], w.rank
	}
	spans := q.spans[first:len(q.spans):len(q.spans)]
	reverse(spans)
	return Path{Spans: spans, Score: score}
}

// way returns a way that is known to be there.
func (l *Lattice) way(side int, v, rank int32) way {
	l.find(side, v, rank)
	return l.nbest.ways[side][v].found[rank]
}

// find makes the way of a rank to a node known, all lower ranks being so. It reports false if there is none.
func (l *Lattice) find(side int, v, rank int32) bool {
	w := &l.nbest.ways[side][v]
	if int(rank) < len(w.found) {
		return true
	}
	if !w.begun {
		w.begun = true
		l.begin(side, v, w)
	} else if n := len(w.found); n > 0 {
		last := w.found[n-1]
		if s := l.extend(side, v, last.edge, last.rank+1); !math.IsInf(s, -1) {
			w.push(way{s, last.edge, last.rank + 1})
		}
	}
	if len(w.heap) == 0 {
		return false
	}
	w.found = append(w.found, w.pop())
	return true
}

// begin collects the best way over each edge, whose score Viterbi knows.
func (l *Lattice) begin(side int, v int32, w *ways) {
	if side == beginning {
		p := l.n
		if l.nodes[beginning].state[v] >= 0 {
			p = int(l.spans[l.nodes[beginning].at(v)[0]].Start)
		}
		from, scores := l.before(p, v)
		for i, u := range from {
			w.collect(l.viterbi.score[ending][u]+scores[i], i)
		}
	} else if l.nodes[ending].state[v] < 0 {
		w.collect(0, 0)
	} else {
		for i, k := range l.nodes[ending].at(v) {
			w.collect(l.viterbi.score[beginning][l.nodes[beginning].of[k]]+l.spans[k].Score, i)
		}
	}
	for i := len(w.heap)/2 - 1; i >= 0; i-- {
		w.down(i)
	}
}

// extend returns the score of the way over an edge that has a rank at the node before, −Inf if there is none.
func (l *Lattice) extend(side int, v, edge, rank int32) float64 {
	before, u, score := ending, int32(0), 0.0
	switch {
	case side == beginning:
		u, score = l.pairAt(v, edge)
	case l.nodes[ending].state[v] < 0:
		return math.Inf(-1)
	default:
		k := l.nodes[ending].at(v)[edge]
		before, u, score = beginning, l.nodes[beginning].of[k], l.spans[k].Score
	}
	// Where Viterbi has answered for the first way, it may not be known yet.
	for r := min(rank, int32(len(l.nbest.ways[before][u].found))); r <= rank; r++ {
		if !l.find(before, u, r) {
			return math.Inf(-1)
		}
	}
	return l.nbest.ways[before][u].found[rank].score + score
}

func (w *ways) collect(score float64, edge int) {
	if !math.IsInf(score, -1) {
		w.heap = append(w.heap, way{score, int32(edge), 0})
	}
}

// better orders by falling score, then by edge.
func (a way) better(b way) bool { return a.score > b.score || a.score == b.score && a.edge < b.edge }

func (w *ways) push(x way) {
	w.heap = append(w.heap, x)
	for i := len(w.heap) - 1; i > 0; {
		up := (i - 1) / 2
		if !w.heap[i].better(w.heap[up]) {
			return
		}
		w.heap[i], w.heap[up] = w.heap[up], w.heap[i]
		i = up
	}
}

func (w *ways) pop() way {
	top, last := w.heap[0], len(w.heap)-1
	w.heap[0] = w.heap[last]
	w.heap = w.heap[:last]
	w.down(0)
	return top
}

func (w *ways) down(i int) {
	h := w.heap
	for {
		k := 2*i + 1
		if k >= len(h) {
			return
		}
		if k+1 < len(h) && h[k+1].better(h[k]) {
			k++
		}
		if !h[k].better(h[i]) {
			return
		}
		h[i], h[k] = h[k], h[i]
		i = k
	}
}
