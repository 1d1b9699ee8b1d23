// Package assignment solves the assignment problem exactly: the matching of the left with the right
// sides of weighted pairs, each side used once at most, whose weights add up to most.
//
// It is the Hungarian method (Kuhn 1955) on the pairs that are given, by shortest augmenting paths
// (Jonker and Volgenant 1987). With c = −w, prices u and v keep every reduced cost at least 0, and those of the
// matching at 0:
//
//	c(i,j) − u(i) − v(j) ≥ 0
//
// Each left side is added by the shortest path from it to a right side that is free, or to its staying unmatched at
// cost 0, found by Dijkstra's method. For n left sides and m pairs it costs O(n·m·log n) at most and O(n+m) memory;
// no matrix is made.
package assignment

import (
	"container/heap"
	"context"
	"fmt"
	"math"
)

// Pair is a left and a right side, numbered from 0, that may be matched, with a weight. Pairs of a negative weight
// are never matched.
type Pair struct {
	Left, Right int
	Weight      float64
}

// Max returns for each left side the right side that it is matched with, −1 for none, and the total weight. Of a pair
// that is given twice the greater weight counts. The same pairs in the same order give the same matching.
func Max(ctx context.Context, left, right int, pairs []Pair) (match []int, total float64, err error) {
	s, err := newSolver(left, right, pairs)
	if err != nil {
		return nil, 0, err
	}
	for i := range left {
		if i&63 == 0 && ctx.Err() != nil {
			return nil, 0, ctx.Err()
		}
		s.add(i)
	}
	match = make([]int, left)
	for i := range match {
		match[i] = s.right[i]
		if j := match[i]; j >= 0 {
			total += s.weight(i, j)
		}
	}
	return match, total, nil
}

// solver is a matching of the left sides before one, with prices that prove it the best.
type solver struct {
	first  []int // where the edges of each left side begin
	edges  []edge
	u, v   []float64
	right  []int // of each left side, −1 for none
	left   []int // of each right side, −1 for none
	dist   []float64
	from   []int // the left side before a right one on the shortest path
	seen   []int // right sides with a distance
	done   []bool
	border border
}

type edge struct {
	to   int
	cost float64
}

func newSolver(left, right int, pairs []Pair) (*solver, error) {
	s := &solver{first: make([]int, left+1), u: make([]float64, left), v: make([]float64, right),
		right: make([]int, left), left: make([]int, right),
		dist: make([]float64, right), from: make([]int, right), done: make([]bool, right), edges: make([]edge, len(pairs))}
	for _, p := range pairs {
		if p.Left < 0 || p.Left >= left || p.Right < 0 || p.Right >= right {
			return nil, fmt.Errorf("a pair of %d and %d among %d and %d sides", p.Left, p.Right, left, right)
		}
		if math.IsNaN(p.Weight) || math.IsInf(p.Weight, 0) {
			return nil, fmt.Errorf("the pair of %d and %d has the weight %v", p.Left, p.Right, p.Weight)
		}
		s.first[p.Left+1]++
	}
	for i := range left {
		s.first[i+1] += s.first[i]
	}
	at := append([]int(nil), s.first...)
	for _, p := range pairs {
		s.edges[at[p.Left]] = edge{p.Right, -p.Weight}
		at[p.Left]++
		s.u[p.Left] = min(s.u[p.Left], -p.Weight)
	}
	for i := range s.right {
		s.right[i] = -1
	}
	for j := range s.left {
		s.left[j], s.dist[j] = -1, math.Inf(1)
	}
	return s, nil
}

func (s *solver) weight(i, j int) float64 {
	best := math.Inf(-1)
	for _, e := range s.edges[s.first[i]:s.first[i+1]] {
		if e.to == j {
			best = max(best, -e.cost)
		}
	}
	return best
}

// add matches one more left side, changing others where that is better.
func (s *solver) add(start int) {
	end, alone, length := -1, start, -s.u[start] // the path to staying unmatched
	s.relax(start, 0)
	for len(s.border) > 0 {
		n := heap.Pop(&s.border).(node)
		if n.dist >= length {
			break
		}
		if s.done[n.right] {
			continue
		}
		s.done[n.right] = true
		i := s.left[n.right]
		if i < 0 {
			end, length = n.right, n.dist
			break
		}
		if d := n.dist - s.u[i]; d < length { // i gives up its partner
			end, alone, length = -1, i, d
		}
		s.relax(i, n.dist)
	}
	s.price(start, length)
	s.turn(start, end, alone)
	for _, j := range s.seen {
		s.dist[j], s.done[j] = math.Inf(1), false
	}
	s.seen, s.border = s.seen[:0], s.border[:0]
}

// relax looks at the pairs of a left side at a distance.
func (s *solver) relax(i int, at float64) {
	for _, e := range s.edges[s.first[i]:s.first[i+1]] {
		if s.done[e.to] {
			continue
		}
		d := at + max(0, e.cost-s.u[i]-s.v[e.to]) // a reduced cost below 0 is rounding
		if d < s.dist[e.to] {
			if math.IsInf(s.dist[e.to], 1) {
				s.seen = append(s.seen, e.to)
			}
			s.dist[e.to], s.from[e.to] = d, i
			heap.Push(&s.border, node{d, e.to})
		}
	}
}

// price moves the prices of what is nearer than the end of the path, so that its pairs cost 0.
func (s *solver) price(start int, length float64) {
	s.u[start] += length
	for _, j := range s.seen {
		if s.done[j] && s.dist[j] < length {
			s.v[j] -= length - s.dist[j]
			s.u[s.left[j]] += length - s.dist[j]
		}
	}
}

// turn matches along the path to a free right side, or to a left side that is left alone.
func (s *solver) turn(start, end, alone int) {
	j := end
	if end < 0 {
		if alone == start {
			return
		}
		j = s.right[alone]
		s.right[alone] = -1
	}
	for {
		i := s.from[j]
		next := s.right[i]
		s.right[i], s.left[j] = j, i
		if i == start {
			return
		}
		j = next
	}
}

// node is a right side at a distance.
type node struct {
	dist  float64
	right int
}

// border is a heap of right sides by distance, equal ones by number.
type border []node

func (b border) Len() int { return len(b) }
func (b border) Less(i, k int) bool {
	return b[i].dist < b[k].dist || b[i].dist == b[k].dist && b[i].right < b[k].right
}
func (b border) Swap(i, k int) { b[i], b[k] = b[k], b[i] }
func (b *border) Push(x any)   { *b = append(*b, x.(node)) }
func (b *border) Pop() any {
	old := *b
	x := old[len(old)-1]
	*b = old[:len(old)-1]
	return x
}
