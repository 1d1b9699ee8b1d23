package hierarchy

import (
	"errors"
	"fmt"

	"parlance/algo/resolve/record"
)

// none is no node.
const none = int32(-1)

// entry is a component of the bags of a leaf.
type entry struct {
	key, bag int32
	value    int64
}

// forest is the state: nodes 0 to leaves−1 are leaves, those behind are inner nodes or free.
type forest struct {
	leaves int
	names  int // attributes with a value
	bags   int // attributes with a vector
	bagOf  []uint8

	offset  []int32 // of the entries of each leaf
	entries []entry

	parent, first, next, prev []int32
	children                  []int32
	mentions                  []int32 // leaves below
	values                    []record.Value
	sums                      []record.Bag // of inner nodes, by number − leaves
	squares                   []int64      // of each node and bag: squared length
	free                      []int32

	journal []change // what to take back, while keeping
	keeping bool
}

// change is a step that can be taken back.
type change struct {
	what       uint8
	node, with int32
	value      record.Value
}

const (
	linked = iota
	unlinked
	created
	removed
	valued
)

// newForest returns leaves without parents: each is a group of records, whose values are those of the first. bagOf is
// that of the store.
func newForest(s *record.Store, bagOf []uint8, groups [][]int32) *forest {
	f := &forest{leaves: len(groups), bagOf: bagOf, offset: []int32{0}}
	for _, a := range s.Attributes {
		if a.Type <= record.String {
			f.names++
		} else {
			f.bags++
		}
	}
	for _, g := range groups {
		f.values = s.Values(f.values, g[0])
		f.leaf(s, g)
		f.node(int32(len(g)))
	}
	return f
}

// leaf adds the bags of a group.
func (f *forest) leaf(s *record.Store, group []int32) {
	from := len(f.entries)
	at := map[int32]int{}
	for _, i := range group {
		s.Bags(i, func(bag int, key int32, value int64) {
			if len(group) > 1 {
				if k, ok := at[key]; ok {
					f.entries[k].value += value
					return
				}
				at[key] = len(f.entries)
			}
			f.entries = append(f.entries, entry{key, int32(bag), value})
		})
	}
	f.offset = append(f.offset, int32(len(f.entries)))
	squares := make([]int64, f.bags)
	for _, e := range f.entries[from:] {
		squares[e.bag] += e.value * e.value
	}
	f.squares = append(f.squares, squares...)
}

// node adds the links of a node.
func (f *forest) node(mentions int32) {
	f.parent, f.first = append(f.parent, none), append(f.first, none)
	f.next, f.prev = append(f.next, none), append(f.prev, none)
	f.children, f.mentions = append(f.children, 0), append(f.mentions, mentions)
}

func (f *forest) inner(x int32) bool { return int(x) >= f.leaves }

func (f *forest) root(x int32) int32 {
	for f.parent[x] != none {
		x = f.parent[x]
	}
	return x
}

func (f *forest) depth(x int32) (n int) {
	for ; f.parent[x] != none; x = f.parent[x] {
		n++
	}
	return n
}

func (f *forest) value(x int32) []record.Value { return f.values[int(x)*f.names : int(x+1)*f.names] }
func (f *forest) square(x int32) []int64       { return f.squares[int(x)*f.bags : int(x+1)*f.bags] }

// each calls use with the components of a node; an inner node does not tell of which bag they are.
func (f *forest) each(x int32, use func(key int32, value int64)) {
	if f.inner(x) {
		f.sums[int(x)-f.leaves].Each(use)
		return
	}
	for _, e := range f.entries[f.offset[x]:f.offset[x+1]] {
		use(e.key, e.value)
	}
}

// note remembers a step.
func (f *forest) note(what uint8, node, with int32, v record.Value) {
	if f.keeping {
		f.journal = append(f.journal, change{what, node, with, v})
	}
}

// create returns an inner node without children.
func (f *forest) create() int32 {
	x := int32(len(f.parent))
	if n := len(f.free); n > 0 {
		x, f.free = f.free[n-1], f.free[:n-1]
	} else {
		f.node(0)
		f.values = append(f.values, make([]record.Value, f.names)...)
		f.sums = append(f.sums, record.Bag{})
		f.squares = append(f.squares, make([]int64, f.bags)...)
	}
	for i := range f.value(x) {
		f.value(x)[i] = record.Value{Whole: -1}
	}
	f.note(created, x, none, record.Value{})
	return x
}

// remove frees an inner node without children and parent.
func (f *forest) remove(x int32) {
	if f.keeping {
		for k := range f.value(x) {
			f.set(x, k, record.Value{Whole: -1})
		}
	}
	f.sums[int(x)-f.leaves] = record.Bag{}
	f.free = append(f.free, x)
	f.note(removed, x, none, record.Value{})
}

// set gives an inner node a value.
func (f *forest) set(x int32, name int, v record.Value) {
	f.note(valued, x, int32(name), f.value(x)[name])
	f.value(x)[name] = v
}

// link makes a root the child of an inner node.
func (f *forest) link(c, p int32) {
	f.parent[c], f.prev[c], f.next[c] = p, none, f.first[p]
	if f.next[c] != none {
		f.prev[f.next[c]] = c
	}
	f.first[p] = c
	f.children[p]++
	f.add(c, p, 1)
	f.note(linked, c, p, record.Value{})
}

// unlink makes a child a root.
func (f *forest) unlink(c int32) {
	p := f.parent[c]
	if f.prev[c] == none {
		f.first[p] = f.next[c]
	} else {
		f.next[f.prev[c]] = f.next[c]
	}
	if f.next[c] != none {
		f.prev[f.next[c]] = f.prev[c]
	}
	f.parent[c], f.prev[c], f.next[c] = none, none, none
	f.children[p]--
	f.add(c, p, -1)
	f.note(unlinked, c, p, record.Value{})
}

// add adds the bags of a node to those of another and of all above it, or takes them away:
//
//	|p ± x|² = |p|² ± 2 p·x + |x|²
func (f *forest) add(x, p int32, sign int64) {
	var dots [maxBags]int64
	for ; p != none; p = f.parent[p] {
		sum := &f.sums[int(p)-f.leaves]
		f.dots(x, p, dots[:f.bags])
		sq, own := f.square(p), f.square(x)
		for b := range sq {
			sq[b] += sign*2*dots[b] + own[b]
		}
		f.each(x, func(key int32, value int64) { sum.Add(key, sign*value) })
		f.mentions[p] += int32(sign) * f.mentions[x]
	}
}

// maxBags bounds the attributes with vectors.
const maxBags = 16

// begin starts to remember steps, back takes them back.
func (f *forest) begin() { f.keeping, f.journal = true, f.journal[:0] }

func (f *forest) back() {
	f.keeping = false
	for i := len(f.journal) - 1; i >= 0; i-- {
		switch c := f.journal[i]; c.what {
		case linked:
			f.unlink(c.node)
		case unlinked:
			f.link(c.node, c.with)
		case created:
			f.remove(c.node)
		case removed:
			f.create()
		case valued:
			f.value(c.node)[c.with] = c.value
		}
	}
}

// check looks for what is wrong in the state.
func (f *forest) check() error {
	below := make([]int32, len(f.parent))
	free := make([]bool, len(f.parent))
	for _, x := range f.free {
		free[x] = true
	}
	for x := range int32(len(f.parent)) {
		if free[x] {
			continue
		}
		n := int32(0)
		for c := f.first[x]; c != none; c = f.next[c] {
			if f.parent[c] != x {
				return fmt.Errorf("node %d is no child of %d", c, x)
			}
			n++
		}
		if n != f.children[x] || f.inner(x) && n < 2 || !f.inner(x) && n > 0 {
			return fmt.Errorf("node %d has %d children, and counts %d", x, n, f.children[x])
		}
		if !f.inner(x) {
			steps := 0
			for p := x; p != none; p = f.parent[p] {
				below[p] += f.mentions[x]
				if steps++; steps > len(f.parent) {
					return errors.New("there is a circle")
				}
			}
		}
	}
	for x := range int32(len(f.parent)) {
		if free[x] {
			continue
		}
		if below[x] != f.mentions[x] {
			return fmt.Errorf("node %d counts %d leaves, %d are below", x, f.mentions[x], below[x])
		}
		if err := f.checkSums(x); err != nil {
			return err
		}
	}
	return nil
}

// checkSums compares the bags of an inner node with those of its leaves.
func (f *forest) checkSums(x int32) error {
	want, squares := map[int32]int64{}, make([]int64, f.bags)
	bag := map[int32]int32{}
	var walk func(int32)
	walk = func(x int32) {
		if !f.inner(x) {
			for _, e := range f.entries[f.offset[x]:f.offset[x+1]] {
				want[e.key] += e.value
				bag[e.key] = e.bag
			}
		}
		for c := f.first[x]; c != none; c = f.next[c] {
			walk(c)
		}
	}
	walk(x)
	n := 0
	for k, v := range want {
		squares[bag[k]] += v * v
		if f.inner(x) && f.sums[int(x)-f.leaves].Of(k) != v {
			return fmt.Errorf("node %d has %d of %d, %d are below", x, f.sums[int(x)-f.leaves].Of(k), k, v)
		}
		n++
	}
	if f.inner(x) && f.sums[int(x)-f.leaves].Len() != n {
		return fmt.Errorf("node %d has %d words, %d are below", x, f.sums[int(x)-f.leaves].Len(), n)
	}
	for b, s := range f.square(x) {
		if s != squares[b] {
			return fmt.Errorf("node %d has squared length %d, want %d", x, s, squares[b])
		}
	}
	return nil
}
