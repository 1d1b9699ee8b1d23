package operator

import (
	"parlance/storage/value"
)

// GroupTable is the hash table of GROUP BY, DISTINCT and joins: it numbers the distinct rows of key columns, in the
// order of their first occurrence. Each column is encoded by itself. The codes of two columns make a pair, which gets a
// number; that and the code of a third column make a pair again, and so on.
type GroupTable struct {
	cols   []encoder
	pairs  []*intTable // pairs[i] numbers the pairs of columns 0 to i and column i+1
	Groups int         // distinct rows so far
	ids    []int32     // of the last batch
}

// NewGroupTable returns an empty table for rows of width columns.

func NewGroupTable(width int) *GroupTable {
	g := &GroupTable{cols: make([]encoder, width)}
	for range width - 1 {
		g.pairs = append(g.pairs, newPairTable())
	}
	return g
}

// Assign returns the number of each of n rows, valid until the next call, and the rows that
// begin a new group, ascending.
func (g *GroupTable) Assign(vecs []value.Vec, n int) (ids []int32, first []int) {
	if cap(g.ids) < n {
		g.ids = make([]int32, n)
	}
	ids = g.ids[:n]
	if len(g.cols) == 0 {
		clear(ids)
	}
	for k := range g.cols {
		own := g.cols[k].encode(&vecs[k], n)
		if k == 0 {
			copy(ids, own)
			continue
		}
		t := g.pairs[k-1]
		last, found := none, int32(-1)
		for i, id := range own {
			if x := pairOf(ids[i], id); x != last {
				pair, fresh := t.number(x, t.n)
				if fresh {
					t.n++
				}
				last, found = x, pair
			}
			ids[i] = found
		}
	}
	for i, id := range ids {
		if int(id) >= g.Groups {
			g.Groups = int(id) + 1
			first = append(first, i)
		}
	}
	return ids, first
}

// Bytes is about what the table takes.
func (g *GroupTable) Bytes() int {
	n := 0
	for i := range g.cols {
		c := &g.cols[i]
		n += c.bytes + 4*len(c.small) + c.numbers.bytes() + c.exact.bytes()
	}
	for _, t := range g.pairs {
		n += t.bytes()
	}
	return n
}

// lookup returns the number of each of n rows, valid until the next call; -1 for rows that have none. After the first
// call of lookup no rows can be added.
func (g *GroupTable) lookup(vecs []value.Vec, n int) []int32 {
	if cap(g.ids) < n {
		g.ids = make([]int32, n)
	}
	ids := g.ids[:n]
	if len(g.cols) == 0 {
		clear(ids)
	}
	for k := range g.cols {
		g.cols[k].frozen = true
		own := g.cols[k].encode(&vecs[k], n)
		if k == 0 {
			copy(ids, own)
			continue
		}
		t := g.pairs[k-1]
		last, found := none, int32(-1) // rows of a sentence repeat their pair
		for i, id := range own {
			if ids[i] < 0 || id < 0 {
				ids[i] = -1
				continue
			}
			if x := pairOf(ids[i], id); x != last {
				last, found = x, t.get(x)
			}
			ids[i] = found
		}
	}
	return ids
}

// none is a pair that no row has.
const none = ^uint64(0)

func pairOf(a, b int32) uint64 { return uint64(uint32(a))<<32 | uint64(uint32(b)) }
