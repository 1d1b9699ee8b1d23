package lattice

import (
	"fmt"
	"math"

	"parlance/algo/numeric/buffer"
)

// Path is the spans of a segmentation, by their numbers, with its score.
type Path struct {
	Spans []int32
	Score float64
}

// viterbi holds the best way to each node. Ties go to the first span given and the first ending node.
type viterbi struct {
	done  bool
	score [2][]float64
	back  [2][]int32 // to an ending node: its span; to a beginning node: the ending before
	spans []int32
}

// Best returns the best path, ErrNoPath if there is none.
func (l *Lattice) Best() (Path, error) {
	l.fillViterbi()
	v := &l.viterbi
	s := l.last()
	p := Path{Score: v.score[beginning][s]}
	if math.IsInf(p.Score, -1) {
		return p, ErrNoPath
	}
	v.spans = v.spans[:0]
	for {
		k := v.back[ending][v.back[beginning][s]]
		if k < 0 {
			break
		}
		v.spans = append(v.spans, k)
		s = l.nodes[beginning].of[k]
	}
	reverse(v.spans)
	p.Spans = v.spans
	return p, nil
}

func reverse(s []int32) {
	for i, j := 0, len(s)-1; i < j; i, j = i+1, j-1 {
		s[i], s[j] = s[j], s[i]
	}
}

// fillViterbi sets F(p, y) = max_k [G(start_k, y_k) + φ_k] and G(p, y) = max_y' [F(p, y') + w(y', y)].
func (l *Lattice) fillViterbi() {
	v := &l.viterbi
	if v.done {
		return
	}
	v.done = true
	for side := range l.nodes {
		n := len(l.nodes[side].state)
		v.score[side], v.back[side] = buffer.Resize(v.score[side], n), buffer.Resize(v.back[side], n)
	}
	e, b := &l.nodes[ending], &l.nodes[beginning]
	for p := range l.n + 1 {
		for u := e.first[p]; u < e.first[p+1]; u++ {
			v.score[ending][u], v.back[ending][u] = l.bestSpan(u)
		}
		for s := b.first[p]; s < b.first[p+1]; s++ {
			v.score[beginning][s], v.back[beginning][s] = l.bestPair(p, s)
		}
	}
}

func (l *Lattice) bestSpan(u int32) (float64, int32) {
	if l.nodes[ending].state[u] < 0 { // the start of the sentence
		return 0, -1
	}
	best, back := math.Inf(-1), int32(-1)
	of, into := l.nodes[beginning].of, l.viterbi.score[beginning]
	for _, k := range l.nodes[ending].at(u) {
		if s := into[of[k]] + l.spans[k].Score; s > best || back < 0 {
			best, back = s, k
		}
	}
	return best, back
}

func (l *Lattice) bestPair(p int, s int32) (float64, int32) {
	best, back := math.Inf(-1), int32(-1)
	lo, hi := l.nodes[ending].first[p], l.nodes[ending].first[p+1]
	score := l.viterbi.score[ending]
	switch l.rows[s] {
	case column:
		weights := l.trans.columnOf(l.trans.classOf(l.nodes[beginning].state[s]))
		score, classes := score[lo:hi], l.classes[lo:hi]
		for i, c := range classes[:len(score)] {
			if w := weights[c] + score[i]; w > best {
				best, back = w, lo+int32(i)
			}
		}
	case dense:
		_, scores := l.before(p, s)
		score := score[lo:][:len(scores)]
		for i, w := range scores {
			if w += score[i]; w > best {
				best, back = w, lo+int32(i)
			}
		}
	default:
		from, scores := l.before(p, s)
		for i, u := range from {
			if w := score[u] + scores[i]; w > best {
				best, back = w, u
			}
		}
	}
	return best, back
}

// Score returns the score of a path of spans, −Inf if transitions or constraints forbid it.
func (l *Lattice) Score(spans []int32) (float64, error) {
	e, b := &l.nodes[ending], &l.nodes[beginning]
	u, at, sum := e.first[0], int32(0), 0.0
	for i := range len(spans) + 1 {
		s, start := l.last(), at
		if i < len(spans) {
			k := spans[i]
			if k < 0 || int(k) >= len(l.spans) || l.spans[k].Start != at {
				return 0, fmt.Errorf("%w: span %d does not begin at %d", ErrInvalid, k, at)
			}
			at = l.spans[k].End
			if s = b.of[k]; s < 0 {
				return math.Inf(-1), nil
			}
			sum += l.spans[k].Score
		} else if int(at) != l.n {
			return 0, fmt.Errorf("%w: the path ends at %d of %d", ErrInvalid, at, l.n)
		}
		sum += l.pairOf(int(start), u, s)
		if i < len(spans) {
			u = e.of[spans[i]]
		}
	}
	return sum, nil
}

// pairOf returns the score of an ending with a beginning node at the same position.
func (l *Lattice) pairOf(p int, u, s int32) float64 {
	from, scores := l.before(p, s)
	for i, v := range from {
		if v == u {
			return scores[i]
		}
	}
	return math.Inf(-1)
}
