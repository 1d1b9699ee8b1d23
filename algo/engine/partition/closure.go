package partition

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// Conflict is a pair that must not be together, and the chain of pairs that must which joins it.
type Conflict struct {
	Cannot [2]int32
	Chain  [][2]int32 // as short as there is; each begins where the one before ends
}

// Contradiction tells that pairs that must and must not be together cannot all be obeyed.
type Contradiction struct{ Conflicts []Conflict }

func (c *Contradiction) Error() string {
	var b strings.Builder
	first := c.Conflicts[0]
	fmt.Fprintf(&b, "items %d and %d must not be together, but are joined by", first.Cannot[0], first.Cannot[1])
	for i, p := range first.Chain {
		if i == 4 {
			fmt.Fprintf(&b, " and %d more pairs", len(first.Chain)-i)
			break
		}
		fmt.Fprintf(&b, " (%d, %d)", p[0], p[1])
	}
	if n := len(c.Conflicts); n > 1 {
		fmt.Fprintf(&b, "; %d such pairs in all", n)
	}
	return b.String()
}

// Closure returns the clusters of the pairs that must be together, numbered from 0 by their first items. If a pair
// that must not be together is, the error is a Contradiction that names each such pair.
func Closure(ctx context.Context, n int, must, cannot [][2]int32) ([]int32, error) {
	for _, list := range [][][2]int32{must, cannot} {
		for _, p := range list {
			if err := checkPair(n, p[0], p[1]); err != nil {
				return nil, err
			}
		}
	}
	sets := NewUnionFind(n)
	for _, p := range must {
		sets.Union(p[0], p[1])
	}
	var walk *chains
	c := &Contradiction{}
	for _, p := range cannot {
		if sets.Find(p[0]) != sets.Find(p[1]) {
			continue
		}
		if walk == nil {
			walk = newChains(n, must)
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		c.Conflicts = append(c.Conflicts, Conflict{p, walk.find(p[0], p[1])})
	}
	if len(c.Conflicts) > 0 {
		return nil, c
	}
	return sets.Labels(nil), nil
}

// chains finds shortest ways over pairs.
type chains struct {
	first, next, to []int32 // lists of neighbours
	before          []int32 // item before on the way, −1 if not reached
	queue           []int32
}

func newChains(n int, pairs [][2]int32) *chains {
	c := &chains{first: make([]int32, n), before: make([]int32, n)}
	for i := range c.first {
		c.first[i], c.before[i] = -1, -1
	}
	for i := len(pairs) - 1; i >= 0; i-- {
		for side, a := range pairs[i] {
			c.to, c.next = append(c.to, pairs[i][1-side]), append(c.next, c.first[a])
			c.first[a] = int32(len(c.to) - 1)
		}
	}
	return c
}

// find searches breadth first.
func (c *chains) find(a, b int32) (way [][2]int32) {
	c.queue = append(c.queue[:0], a)
	c.before[a] = a
	for i := 0; i < len(c.queue) && c.before[b] < 0; i++ {
		v := c.queue[i]
		for e := c.first[v]; e >= 0; e = c.next[e] {
			if u := c.to[e]; c.before[u] < 0 {
				c.before[u] = v
				c.queue = append(c.queue, u)
			}
		}
	}
	for v := b; v != a; v = c.before[v] {
		way = append(way, [2]int32{c.before[v], v})
	}
	slices.Reverse(way)
	for _, v := range c.queue {
		c.before[v] = -1
	}
	return way
}
