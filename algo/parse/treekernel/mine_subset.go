package treekernel

import "slices"

// frontier is places of a subtree of whole productions: the tree of each, and for each the nodes that may still go on,
// in order, as many at all places.
type frontier struct {
	trees     []int32
	nodes     []int32 // width a place
	width     int
	position  int32 // of the node that went on last, in the frontier before
	by        uint32
	supported int
}

func (f *frontier) place(i int) []int32 { return f.nodes[i*f.width : (i+1)*f.width] }

// subsetMiner grows a subtree by the production of a node of its frontier; nodes before that one go on no more, which
// makes each subtree once. A subtree without a mark loses the places from which no mark can be reached.
type subsetMiner struct {
	*miner
	path  []step
	marks int // productions of the subtree with a mark
}

// step is the node that goes on, by its place in the frontier, and its production.
type step struct {
	position   int32
	production uint32
}

func (m *miner) subset() error {
	s := &subsetMiner{miner: m}
	for _, register := range m.passes {
		x := &sorter{miner: m, number: map[step]int{}}
		for t, tree := range m.trees {
			for n := range int32(tree.Len()) {
				if !tree.leaf(n) && (!m.Marked || tree.reaches(n, tree.end[n])) {
					x.add(int32(t), 0, n, nil)
				}
			}
		}
		for i := range x.next {
			f := &x.next[i]
			if f.supported = len(f.treeSet()); f.supported < 2 || m.pairs.hasAll(f.treeSet()) {
				continue
			}
			if _, err := s.search(f, register); err != nil {
				return err
			}
		}
	}
	return nil
}

func (f *frontier) treeSet() []int32 { return slices.Compact(slices.Clone(f.trees)) }

// sorter gathers places by what they grow by.
type sorter struct {
	*miner
	number map[step]int
	next   []frontier
}

// add adds the place where a node goes on and rest may follow.
func (x *sorter) add(tree, position, node int32, rest []int32) {
	t := x.trees[tree]
	key := step{position, t.production[node]}
	i, known := x.number[key]
	if !known {
		i = len(x.next)
		x.number[key], x.next = i, append(x.next, frontier{position: position, by: key.production})
	}
	f := &x.next[i]
	f.trees = append(f.trees, tree)
	before := len(f.nodes)
	for c := node + 1; c < t.end[node]; c = t.end[c] {
		f.nodes = append(f.nodes, c)
	}
	f.nodes = append(f.nodes, rest...)
	f.width = len(f.nodes) - before
}

// search goes through the subtrees that grow from one; false tells that its trees are all direct pairs.
func (s *subsetMiner) search(f *frontier, register bool) (bool, error) {
	if err := s.look(); err != nil {
		return false, err
	}
	marked := s.markedProduction(f.by)
	s.path = append(s.path, step{f.position, f.by})
	if marked {
		s.marks++
	}
	defer func() {
		s.path = s.path[:len(s.path)-1]
		if marked {
			s.marks--
		}
	}()
	var next []frontier
	ok := len(s.path) < s.Size
	if ok {
		var err error
		if next, ok, err = s.grow(f); err != nil {
			return false, err
		}
	}
	if !ok && !s.All {
		s.pairs.addAll(f.treeSet())
		return false, nil
	}
	for i := range next {
		g := &next[i]
		if s.pairs.hasAll(g.treeSet()) {
			continue
		}
		ok, err := s.search(g, register)
		if err != nil {
			return false, err
		}
		if !ok && g.supported == f.supported {
			return false, nil
		}
	}
	if register && (s.marks > 0 || !s.Marked) {
		s.register(len(s.path), s.product(), slices.Values(f.trees), s.pattern)
	}
	return true, nil
}

// grow finds what two trees grow by; false if something has too many places. A tree costs the square of the number of
// nodes that may go on, so the context is looked at for each.
func (s *subsetMiner) grow(f *frontier) ([]frontier, bool, error) {
	x := &sorter{miner: s.miner, number: map[step]int{}}
	for i, t := range f.trees {
		if err := s.ctx.Err(); err != nil {
			return nil, false, err
		}
		tree, nodes := s.trees[t], f.place(i)
		for k, n := range nodes {
			if !tree.leaf(n) && (!s.Marked || s.marks > 0 || anyReaches(tree, n, nodes[k+1:])) {
				x.add(t, int32(k), n, nodes[k+1:])
			}
		}
	}
	kept := x.next[:0]
	for _, g := range x.next {
		if g.supported = len(g.treeSet()); g.supported < 2 {
			continue
		}
		if float64(len(g.trees)) > s.Ratio*float64(g.supported) {
			return nil, false, nil
		}
		kept = append(kept, g)
	}
	return kept, true, nil
}

// anyReaches tells whether a mark can be reached below a node that goes on, or those after it.
func anyReaches(t *Tree, n int32, rest []int32) bool {
	if t.reaches(n, t.end[n]) {
		return true
	}
	return slices.ContainsFunc(rest, func(r int32) bool { return t.reaches(r, t.end[r]) })
}

// markedProduction tells whether a label of a production has a mark.
func (m *miner) markedProduction(production uint32) bool {
	names := m.out.names
	return slices.ContainsFunc(names.symbols(production), func(l uint32) bool { return names.marked[l] })
}

// product multiplies the weights of the marks of the subtree.
func (s *subsetMiner) product() float64 {
	if s.gamma == nil {
		return 1
	}
	names := s.out.names
	out := s.gamma[names.symbols(s.path[0].production)[0]]
	for _, p := range s.path {
		out = s.weigh(out, names.symbols(p.production)[1:])
	}
	return out
}

// pattern writes the subtree as depth and label of each node.
func (s *subsetMiner) pattern() []uint32 {
	type node struct{ depth, label uint32 }
	names := s.out.names
	root := names.symbols(s.path[0].production)
	nodes := []node{{0, root[0]}}
	var open []int // frontier: places in nodes
	for k, p := range s.path {
		at := 0
		if k > 0 {
			at = open[p.position]
		}
		labels := names.symbols(p.production)[1:]
		children := make([]node, len(labels))
		for i, l := range labels {
			children[i] = node{nodes[at].depth + 1, l}
		}
		nodes = slices.Insert(nodes, at+1, children...)
		var fresh []int
		for i := range labels {
			fresh = append(fresh, at+1+i)
		}
		if k > 0 {
			for _, o := range open[p.position+1:] {
				fresh = append(fresh, o+len(labels))
			}
		}
		open = fresh
	}
	out := make([]uint32, 0, 2*len(nodes))
	for _, n := range nodes {
		out = append(out, n.depth, n.label)
	}
	return out
}
