package treekernel

import (
	"encoding/binary"
	"slices"
)

// whole is a node with all that is below it.
type whole struct {
	places      []int32 // trees
	productions int
	marked      bool
	gamma       float64 // product of the weights of its marks
	tree, node  int32   // one of the places
}

// subtrees numbers what is below each node from the leaves up. Nothing is searched, so no pair is direct for that.
func (m *miner) subtrees() error {
	number := map[string]int{}
	var all []whole
	var key []byte
	for t, x := range m.trees {
		if err := m.look(); err != nil {
			return err
		}
		of := make([]int, x.Len())
		for n := int32(x.Len()) - 1; n >= 0; n-- {
			key = binary.LittleEndian.AppendUint32(key[:0], x.label[n])
			w := whole{marked: x.marked[n], gamma: m.weigh(1, x.label[n:n+1]), tree: int32(t), node: n}
			if !x.leaf(n) {
				w.productions = 1
			}
			for c := n + 1; c < x.end[n]; c = x.end[c] {
				key = binary.LittleEndian.AppendUint32(key, uint32(of[c]))
				w.productions += all[of[c]].productions
				w.marked = w.marked || all[of[c]].marked
				w.gamma *= all[of[c]].gamma
			}
			id, known := number[string(key)]
			if !known {
				id = len(all)
				number[string(key)], all = id, append(all, w)
			}
			of[n] = id
			all[id].places = append(all[id].places, int32(t))
		}
	}
	for i := range all {
		w := &all[i]
		if w.productions == 0 || m.Marked && !w.marked || w.places[0] == w.places[len(w.places)-1] {
			continue
		}
		m.register(w.productions, w.gamma, slices.Values(w.places), func() []uint32 {
			return m.trees[w.tree].pattern(w.node)
		})
	}
	return nil
}

// pattern writes all below a node as depth and label of each node.
func (t *Tree) pattern(root int32) []uint32 {
	depth := make([]uint32, t.end[root]-root)
	out := make([]uint32, 0, 2*len(depth))
	for n := root; n < t.end[root]; n++ {
		if n > root {
			depth[n-root] = depth[t.parent[n]-root] + 1
		}
		out = append(out, depth[n-root], t.label[n])
	}
	return out
}
