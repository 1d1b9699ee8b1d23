package metrics

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"
)

// maxUnchanged is how many unchanged words an edit may hold.
const maxUnchanged = 2

// change replaces the words from … to−1 of a source by words.
type change struct {
	from, to int
	words    string
}

// correction is a gold edit: any of the alternatives is right.
type correction struct {
	from, to     int
	alternatives []string
	kind         string
}

func (g correction) accepts(c change) bool {
	return c.from == g.from && c.to == g.to && slices.Contains(g.alternatives, c.words)
}

// lattice holds the ways to turn source words a into words b: nodes (i, j) are words of both that were read, edges
// are changes.
type lattice struct {
	a, b  []string
	nodes [][2]int // in order, the first (0, 0), the last (len(a), len(b))
	edges []edge
	of    map[[2]int32]int32 // number of the edge between two nodes
	list  []int32            // edges as they came: one that was found twice stands twice
	next  [][]int32          // of each node, edges that lead on and that come
	back  [][]int32
}

// edge leads from one node to another over n words of the alignment, of which some are unchanged.
type edge struct {
	from, to          int32
	length, unchanged int
	weight            float64
}

// newLattice joins all the shortest alignments, as a substitution costs 1 and as it costs 2, and merges edges that
// follow each other where no shorter way is known and at most maxUnchanged words stay unchanged.
func newLattice(ctx context.Context, a, b []string) (*lattice, error) {
	l := &lattice{a: a, b: b, of: map[[2]int32]int32{}}
	base := map[[4]int]int{} // edges by the places of their ends, with how many of the two alignments have them
	for _, cost := range []int{1, 2} {
		shortest(a, b, cost, func(edge [4]int) { base[edge]++ })
	}
	ids := map[[2]int]int32{{}: 0}
	edges := make([][4]int, 0, len(base))
	for e := range base {
		edges = append(edges, e)
		ids[[2]int(e[:2])], ids[[2]int(e[2:])] = 0, 0
	}
	for node := range ids {
		l.nodes = append(l.nodes, node)
	}
	slices.SortFunc(l.nodes, func(x, y [2]int) int { return slices.Compare(x[:], y[:]) })
	for i, node := range l.nodes {
		ids[node] = int32(i)
	}
	l.next, l.back = make([][]int32, len(l.nodes)), make([][]int32, len(l.nodes))
	slices.SortFunc(edges, func(x, y [4]int) int { return slices.Compare(x[:], y[:]) })
	for _, e := range edges {
		x := edge{from: ids[[2]int(e[:2])], to: ids[[2]int(e[2:])], length: 1}
		if e[0] < e[2] && e[1] < e[3] && a[e[0]] == b[e[1]] {
			x.unchanged = 1
		}
		for range base[e] {
			l.add(x)
		}
	}
	return l, l.merge(ctx)
}

// add puts an edge into the list, in place of a longer one between the same nodes.
func (l *lattice) add(x edge) {
	key := [2]int32{x.from, x.to}
	id, known := l.of[key]
	if !known {
		id = int32(len(l.edges))
		l.of[key], l.edges = id, append(l.edges, x)
		l.next[x.from], l.back[x.to] = append(l.next[x.from], id), append(l.back[x.to], id)
	}
	l.edges[id] = x
	l.list = append(l.list, id)
}

// merge adds the edges over two or more others, then takes out those that change nothing.
func (l *lattice) merge(ctx context.Context) error {
	for k := range l.nodes {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		slices.SortFunc(l.back[k], func(x, y int32) int { return cmp.Compare(l.edges[x].from, l.edges[y].from) })
		slices.SortFunc(l.next[k], func(x, y int32) int { return cmp.Compare(l.edges[x].to, l.edges[y].to) })
		for _, i := range l.back[k] {
			first := l.edges[i]
			for _, j := range l.next[k] {
				second := l.edges[j]
				x := edge{from: first.from, to: second.to, length: first.length + second.length,
					unchanged: first.unchanged + second.unchanged}
				if x.unchanged > maxUnchanged {
					continue
				}
				if id, known := l.of[[2]int32{x.from, x.to}]; !known || x.length < l.edges[id].length {
					l.add(x)
				}
			}
		}
	}
	l.list = slices.DeleteFunc(l.list, func(id int32) bool {
		x := &l.edges[id]
		return x.length > 1 && x.length == x.unchanged
	})
	return nil
}

// change is what an edge changes; ok is false for an unchanged word.
func (l *lattice) change(id int32) (c change, ok bool) {
	x := &l.edges[id]
	u, w := l.nodes[x.from], l.nodes[x.to]
	return change{u[0], w[0], strings.Join(l.b[u[1]:w[1]], " ")}, x.unchanged < x.length
}

// shortest hands out the edges of all the shortest alignments of a and b, with a substitution of a cost and
// insertions and deletions of 1.
func shortest(a, b []string, substitution int, edge func([4]int)) {
	n, m := len(a), len(b)
	before, after := distances(a, b, substitution, false), distances(a, b, substitution, true)
	best := before[n][m]
	on := func(i, j, di, dj, cost int) {
		if before[i][j]+cost+after[i+di][j+dj] == best {
			edge([4]int{i, j, i + di, j + dj})
		}
	}
	for i := range n + 1 {
		for j := range m + 1 {
			if i < n {
				on(i, j, 1, 0, 1)
			}
			if j < m {
				on(i, j, 0, 1, 1)
			}
			if i < n && j < m {
				if a[i] == b[j] {
					on(i, j, 1, 1, 0)
				} else {
					on(i, j, 1, 1, substitution)
				}
			}
		}
	}
}

// distances are the least costs between the first i and j words, or between those that follow them.
func distances(a, b []string, substitution int, following bool) [][]int {
	n, m := len(a), len(b)
	d := make([][]int, n+1)
	for i := range d {
		d[i] = make([]int, m+1)
	}
	at := func(i, j int) *int {
		if following {
			i, j = n-i, m-j
		}
		return &d[i][j]
	}
	word := func(list []string, i int) string {
		if following {
			return list[len(list)-i]
		}
		return list[i-1]
	}
	for i := range n + 1 {
		for j := range m + 1 {
			switch {
			case i == 0:
				*at(i, j) = j
			case j == 0:
				*at(i, j) = i
			default:
				cost := substitution
				if word(a, i) == word(b, j) {
					cost = 0
				}
				*at(i, j) = min(*at(i-1, j)+1, *at(i, j-1)+1, *at(i-1, j-1)+cost)
			}
		}
	}
	return d
}

// unmatched is what an unmatched change costs above its length, once for each time that it was found: of ways of
// equal length, the one with fewer changes is the best.
const unmatched = 0.001

// weigh gives the edges weights by which the best path has the most changes that gold has, then is the shortest.
func (l *lattice) weigh(gold []correction) {
	for _, id := range l.list {
		l.edges[id].weight = float64(l.edges[id].length)
	}
	var inserting []int32
	for _, id := range l.list {
		x := &l.edges[id]
		from, to := l.nodes[x.from][0], l.nodes[x.to][0]
		switch {
		case from == to:
			inserting = append(inserting, id)
		case l.matched(id, gold, false) >= 0: // also an unchanged word that gold has as an edit
			x.weight = -float64(len(l.list))
		case x.unchanged < x.length:
			x.weight += unmatched
		}
	}
	slices.SortStableFunc(inserting, func(i, j int32) int {
		x, y := &l.edges[i], &l.edges[j]
		return cmp.Or(cmp.Compare(x.from, y.from), cmp.Compare(x.to, y.to))
	})
	for len(inserting) > 0 {
		at, n := l.place(inserting[0]), 1
		for n < len(inserting) && l.place(inserting[n]) == at {
			n++
		}
		l.weighInsertions(inserting[:n], gold)
		inserting = inserting[n:]
	}
}

// place is the source word before which an edge begins.
func (l *lattice) place(id int32) int { return l.nodes[l.edges[id].from][0] }

// matched is the first gold edit that an edge makes, or the last; −1 for none.
func (l *lattice) matched(id int32, gold []correction, last bool) int {
	x := &l.edges[id]
	from, to, found := l.nodes[x.from][0], l.nodes[x.to][0], -1
	for k, g := range gold {
		if g.from != from || g.to != to {
			continue
		}
		if c, _ := l.change(id); g.accepts(c) {
			if found = k; !last {
				break
			}
		}
	}
	return found
}

// weighInsertions weighs those at one place, in order, from both ends in turn, so that no two match the same gold
// edit. Behind one that matches, those that do not join it are passed over.
func (l *lattice) weighInsertions(list []int32, gold []correction) {
	for left := true; len(list) > 0; {
		id := take(&list, left)
		match := l.matched(id, gold, !left)
		if match < 0 {
			l.edges[id].weight += unmatched
			left = !left
			continue
		}
		l.edges[id].weight = -float64(len(l.list))
		if left {
			gold = gold[match+1:]
		} else {
			gold = gold[:match]
		}
		for len(list) > 0 && !l.joined(id, list, left) {
			l.edges[take(&list, left)].weight += unmatched
		}
	}
}

// take takes the first or the last off a list.
func take(list *[]int32, first bool) int32 {
	s := *list
	if first {
		*list = s[1:]
		return s[0]
	}
	*list = s[:len(s)-1]
	return s[len(s)-1]
}

// joined reports whether the first edge of a list follows an edge, or the last one leads to it.
func (l *lattice) joined(id int32, list []int32, left bool) bool {
	if left {
		return l.edges[list[0]].from == l.edges[id].to
	}
	return l.edges[list[len(list)-1]].to == l.edges[id].from
}

// best returns the changes of the best path.
func (l *lattice) best() []change {
	var out []change
	for _, id := range l.path() {
		if c, changes := l.change(id); changes {
			out = append(out, c)
		}
	}
	return out
}

// path returns the edges of the best path, by relaxing the edges in their order until nothing changes.
func (l *lattice) path() []int32 {
	dist, by := make([]float64, len(l.nodes)), make([]int32, len(l.nodes))
	for i := range dist {
		dist[i], by[i] = math.Inf(1), -1
	}
	dist[0] = 0
	for changed, round := true, 0; changed && round < len(l.nodes); round++ {
		changed = false
		for _, id := range l.list {
			x := &l.edges[id]
			if d := dist[x.from] + x.weight; d < dist[x.to] {
				dist[x.to], by[x.to], changed = d, id, true
			}
		}
	}
	var out []int32
	for id := by[len(l.nodes)-1]; id >= 0; id = by[l.edges[id].from] {
		out = append(out, id)
	}
	slices.Reverse(out)
	return out
}
