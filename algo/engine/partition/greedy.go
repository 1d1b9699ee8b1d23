package partition

import (
	"container/heap"
	"context"
)

// greedy merges the two clusters with the greatest weight between them while there is a positive one, then moves single
// items while that gains, and so on until neither helps.
func greedy(ctx context.Context, g *graph) ([]int32, error) {
	labels := New(g.n).Labels(nil)
	value := 0.0
	for {
		m := newMerging(g, labels)
		if err := m.run(ctx); err != nil {
			return nil, err
		}
		p := FromLabels(m.sets.Labels(nil))
		if err := moveItems(ctx, g, p); err != nil {
			return nil, err
		}
		after := p.Labels(nil)
		v := g.value(after)
		if v <= value+g.rounding() {
			if v > value {
				labels = after
			}
			return labels, nil
		}
		labels, value = after, v
	}
}

// moveItems moves items to the best cluster, or to a new one, until no move gains.
func moveItems(ctx context.Context, g *graph, p *Partition) error {
	weight, touched := make([]float64, g.n), make([]int32, 0, g.n)
	seen := make([]bool, g.n)
	for moved := true; moved; {
		moved = false
		if err := ctx.Err(); err != nil {
			return err
		}
		for v := range g.n {
			touched = touched[:0]
			size := 0.0
			for _, a := range g.near[v] {
				c := int32(p.Cluster(int(a.to)))
				if !seen[c] {
					seen[c], weight[c] = true, 0
					touched = append(touched, c)
				}
				weight[c] += a.weight
				size += max(a.weight, 0)
			}
			own, best, to := 0.0, 0.0, int32(-1) // −1: a cluster of its own
			for _, c := range touched {
				seen[c] = false
				if int(c) == p.Cluster(v) {
					own = weight[c]
				} else if weight[c] > best {
					best, to = weight[c], c
				}
			}
			if best-own <= tolerance*size { // so that rounding never makes it go in circles
				continue
			}
			moved = true
			if to < 0 {
				p.Isolate(v)
			} else {
				p.Move(v, int(to))
			}
		}
	}
	return nil
}

// merging is agglomeration by the weights between clusters, which are held by their roots.
type merging struct {
	sets  *UnionFind
	cross []map[int32]float64
	queue pairQueue
}

func newMerging(g *graph, labels []int32) *merging {
	m := &merging{sets: NewUnionFind(g.n), cross: make([]map[int32]float64, g.n)}
	first := make([]int32, g.n)
	for v, c := range labels {
		if first[c] == 0 {
			first[c] = int32(v) + 1
		}
		m.sets.Union(first[c]-1, int32(v))
	}
	for v, list := range g.near {
		a := m.sets.Find(int32(v))
		for _, e := range list {
			if b := m.sets.Find(e.to); a < b {
				m.add(a, b, e.weight)
				m.add(b, a, e.weight)
			}
		}
	}
	for a, row := range m.cross {
		for b, w := range row {
			if w > 0 && int32(a) < b {
				m.queue = append(m.queue, pairWeight{w, int32(a), b})
			}
		}
	}
	heap.Init(&m.queue) // its order is total, so that of the map does not show
	return m
}

func (m *merging) add(a, b int32, w float64) {
	if m.cross[a] == nil {
		m.cross[a] = map[int32]float64{}
	}
	m.cross[a][b] += w
}

func (m *merging) run(ctx context.Context) error {
	for i := 0; len(m.queue) > 0; i++ {
		if i&255 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		top := heap.Pop(&m.queue).(pairWeight)
		if w, ok := m.cross[top.a][top.b]; ok && w == top.weight {
			m.merge(top.a, top.b)
		}
	}
	return nil
}

// merge joins two clusters. Their weights to a third add up.
func (m *merging) merge(a, b int32) {
	m.sets.Union(a, b)
	root := m.sets.Find(a)
	other := a + b - root
	delete(m.cross[root], other)
	for c, w := range m.cross[other] {
		delete(m.cross[c], other)
		if c == root {
			continue
		}
		m.add(root, c, w)
		m.cross[c][root] = m.cross[root][c]
		if w = m.cross[root][c]; w > 0 {
			heap.Push(&m.queue, pairWeight{w, min(root, c), max(root, c)})
		}
	}
	m.cross[other] = nil
}

// pairWeight is two clusters with the weight between them when it was queued.
type pairWeight struct {
	weight float64
	a, b   int32
}

type pairQueue []pairWeight

func (q pairQueue) Len() int { return len(q) }

func (q pairQueue) Less(i, j int) bool {
	x, y := q[i], q[j]
	if x.weight != y.weight {
		return x.weight > y.weight
	}
	return x.a < y.a || x.a == y.a && x.b < y.b
}

func (q pairQueue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }

func (q *pairQueue) Push(x any) { *q = append(*q, x.(pairWeight)) }

func (q *pairQueue) Pop() any {
	old := *q
	x := old[len(old)-1]
	*q = old[:len(old)-1]
	return x
}
