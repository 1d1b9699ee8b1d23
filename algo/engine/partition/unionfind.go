package partition

// UnionFind joins sets of items that never part (Tarjan and van Leeuwen 1984: union by size, path halving). An
// operation costs nearly O(1).
type UnionFind struct {
	parent []int32 // of a root: minus the size of its set
	sets   int
}

// NewUnionFind returns n sets of one item each.
func NewUnionFind(n int) *UnionFind {
	u := &UnionFind{make([]int32, n), n}
	for i := range u.parent {
		u.parent[i] = -1
	}
	return u
}

// Find returns the item that stands for the set of an item.
func (u *UnionFind) Find(item int32) int32 {
	p := u.parent
	for p[item] >= 0 {
		if up := p[p[item]]; up >= 0 {
			p[item] = up
		}
		item = p[item]
	}
	return item
}

// Union joins two sets and tells whether they were apart. Of sets of one size the lower root stays.
func (u *UnionFind) Union(a, b int32) bool {
	a, b = u.Find(a), u.Find(b)
	if a == b {
		return false
	}
	if u.parent[b] < u.parent[a] || u.parent[a] == u.parent[b] && b < a {
		a, b = b, a
	}
	u.parent[a] += u.parent[b]
	u.parent[b] = a
	u.sets--
	return true
}

// Size returns the size of the set of an item.
func (u *UnionFind) Size(item int32) int { return int(-u.parent[u.Find(item)]) }

// Sets returns the number of sets.
func (u *UnionFind) Sets() int { return u.sets }

// Labels appends the sets of all items to dst, numbered from 0 by their first items.
func (u *UnionFind) Labels(dst []int32) []int32 {
	roots := make([]int32, len(u.parent))
	for i := range roots {
		roots[i] = u.Find(int32(i))
	}
	return appendLabels(dst, roots)
}
