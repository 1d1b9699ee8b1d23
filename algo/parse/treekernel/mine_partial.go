package treekernel

import "slices"

// place is where a subtree occurs: the tree, and the node that its last node is at.
type place struct{ tree, node int32 }

// extension is a subtree with a node more: the depth of the node, its label, and the places.
type extension struct {
	depth  int32
	label  uint32
	places []place
	trees  int
}

// partialMiner grows a subtree by a node below or to the right of its last branch (Asai et al. 2002, FREQT), which
// makes each subtree once. A subtree without a mark loses the places from which no mark can be reached.
type partialMiner struct {
	*miner
	path  []uint32 // the subtree: depth and label of each node
	marks int      // nodes of it with a mark
	// Places are sorted by the number of their extension. By label and depth:
	number [][]int32  // −1 where it is not met
	met    [][]uint32 // the epoch that the number is of
	epoch  uint32
	found  []int32 // of treesOf
	// Memory of grow, and what it has found for subtrees of each size, which is in use while larger ones are
	// searched.
	at      []int32
	reached []place
	tally   []tally
	levels  []grown
}

// tally counts the places of an extension.
type tally struct {
	places int
	last   int32 // tree
	to     int   // where the next place is written, −1 for an extension that only one tree has
}

type grown struct {
	next   []extension
	places []place
}

func (m *miner) partial() error {
	s := &partialMiner{miner: m}
	first := map[uint32]int{}
	var all []extension
	for t, x := range m.trees {
		for n := range int32(x.Len()) {
			if m.Marked && !x.reaches(n, x.end[n]) {
				continue
			}
			l := x.label[n]
			i, known := first[l]
			if !known {
				i = len(all)
				first[l], all = i, append(all, extension{label: l})
			}
			all[i].places = append(all[i].places, place{int32(t), n})
		}
	}
	for _, register := range m.passes {
		for i := range all {
			e := &all[i]
			if e.trees = supported(e.places); e.trees < 2 {
				continue
			}
			if m.pairs.hasAll(s.treesOf(e.places)) {
				continue
			}
			if _, err := s.search(e, register); err != nil {
				return err
			}
		}
	}
	return nil
}

func supported(places []place) int {
	n, last := 0, int32(-1)
	for _, p := range places {
		if p.tree != last {
			n, last = n+1, p.tree
		}
	}
	return n
}

// treesOf are the trees of places, until it is called again.
func (s *partialMiner) treesOf(places []place) []int32 {
	out := s.found[:0]
	for _, p := range places {
		if n := len(out); n == 0 || out[n-1] != p.tree {
			out = append(out, p.tree)
		}
	}
	s.found = out
	return out
}

// search goes through the subtrees that grow from one; false tells that its trees are all direct pairs.
func (s *partialMiner) search(e *extension, register bool) (bool, error) {
	if err := s.look(); err != nil {
		return false, err
	}
	marked := s.trees[e.places[0].tree].marked[e.places[0].node]
	s.path = append(s.path, uint32(e.depth), e.label)
	if marked {
		s.marks++
	}
	defer func() {
		s.path = s.path[:len(s.path)-2]
		if marked {
			s.marks--
		}
	}()
	size := len(s.path) / 2
	var next []extension
	ok := size < s.Size
	if ok {
		next, ok = s.grow(e)
	}
	if !ok && !s.All {
		s.pairs.addAll(s.treesOf(e.places))
		return false, nil
	}
	for i := range next {
		f := &next[i]
		if s.pairs.hasAll(s.treesOf(f.places)) {
			continue
		}
		ok, err := s.search(f, register)
		if err != nil {
			return false, err
		}
		if !ok && f.trees == e.trees {
			return false, nil
		}
	}
	if register && (s.marks > 0 || !s.Marked) {
		gamma := 1.0
		for i := 1; s.gamma != nil && i < len(s.path); i += 2 {
			gamma *= s.gamma[s.path[i]]
		}
		s.register(size, gamma, func(yield func(int32) bool) {
			for _, p := range e.places {
				yield(p.tree)
			}
		}, func() []uint32 { return slices.Clone(s.path) })
	}
	return true, nil
}

// grow finds the extensions that two trees have; false if one of them has too many places.
func (s *partialMiner) grow(e *extension) ([]extension, bool) {
	s.epoch++
	level := len(s.path)/2 - 1
	for len(s.levels) <= level {
		s.levels = append(s.levels, grown{})
	}
	l := &s.levels[level]
	next := l.next[:0]
	s.at, s.reached, s.tally = s.at[:0], s.reached[:0], s.tally[:0]
	for _, p := range e.places {
		s.around(e.depth, p, func(depth, y int32) {
			label := s.trees[p.tree].label[y]
			i := s.numberOf(depth, label, len(next))
			if int(i) == len(next) {
				next, s.tally = append(next, extension{depth: depth, label: label}), append(s.tally, tally{last: -1})
			}
			t := &s.tally[i]
			if t.places++; t.last != p.tree {
				t.last = p.tree
				next[i].trees++
			}
			s.at, s.reached = append(s.at, i), append(s.reached, place{p.tree, y})
		})
	}
	l.next = next
	size := 0
	for i := range next {
		t, x := &s.tally[i], &next[i]
		if x.trees < 2 {
			t.to = -1
			continue
		}
		if float64(t.places) > s.Ratio*float64(x.trees) {
			return nil, false
		}
		t.to = size
		size += t.places
	}
	l.places = slices.Grow(l.places[:0], size)[:size]
	for k, i := range s.at {
		if t := &s.tally[i]; t.to >= 0 {
			l.places[t.to] = s.reached[k]
			t.to++
		}
	}
	kept := next[:0]
	for i := range next {
		if t := &s.tally[i]; t.to >= 0 {
			x := next[i]
			x.places = l.places[t.to-t.places : t.to]
			kept = append(kept, x)
		}
	}
	return kept, true
}

// around calls do with each node that a place grows by: children of the last node, and younger siblings of it and of
// the nodes above it.
func (s *partialMiner) around(depth int32, p place, do func(depth, node int32)) {
	t := s.trees[p.tree]
	if s.Marked && s.marks == 0 {
		root := p.node
		for range depth {
			root = t.parent[root]
		}
		inner := do
		do = func(depth, y int32) { // y has a mark or there is one later
			if t.reaches(y, t.end[root]) {
				inner(depth, y)
			}
		}
	}
	for c := p.node + 1; c < t.end[p.node]; c = t.end[c] {
		do(depth+1, c)
	}
	for d, x := depth, p.node; d > 0; d, x = d-1, t.parent[x] {
		up := t.parent[x]
		for y := t.end[x]; y < t.end[up]; y = t.end[y] {
			do(d, y)
		}
	}
}

// numberOf is the number of an extension, fresh if it is not met yet.
func (s *partialMiner) numberOf(depth int32, label uint32, fresh int) int32 {
	for len(s.met) <= int(depth) {
		s.met = append(s.met, make([]uint32, s.out.names.Len()))
		s.number = append(s.number, make([]int32, s.out.names.Len()))
	}
	if s.met[depth][label] != s.epoch {
		s.met[depth][label], s.number[depth][label] = s.epoch, int32(fresh)
	}
	return s.number[depth][label]
}
