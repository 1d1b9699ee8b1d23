package tagparser

// trace reads the best derivation off a filled chart, by looking for what made each score.
func (s *second) trace() {
	c := s.chart
	c.sizeResult()
	for k := range s.root {
		a, l := &s.root[k], &s.roots[k]
		for i := range a.items {
			if s.goal(k, i) != s.score {
				continue
			}
			e, m := &a.items[i], int(a.mod)
			c.set(a, e, 1, a.labels[e.first], false)
			s.traceClosed(m, left, m-1, e.mod, l, towards, 2*e.first)
			s.traceClosed(m, right, s.n-m, e.mod, l, away, 2*e.first)
			return
		}
	}
}

// traceClosed reads a half of m with a spine, below an arc with a label.
func (s *second) traceClosed(m, side, d int, spine int32, l *links, half int, label int32) {
	if d == 0 {
		return
	}
	_, number := s.close(m, side, d, spine, l, half, label)
	k := s.first[2*m+side] + int32(number) - 1
	x, t := s.cell(k, d), &s.tokens[m]
	for p := t.from[spine]; p < t.from[spine+1]; p++ {
		for f := range 2 {
			if x.state[f][p] == x.fin[spine] {
				s.traceState(k, d, p, f)
				return
			}
		}
	}
}

// operation is the label of an item with operation o, as links number it.
func (e *entry) operation(o int) int32 {
	return [3]int32{2 * e.first, 2 * e.copies, 2*e.copies + 1}[o]
}

// traceState reads the half of an arc's head up to a distance, with its modifier the last, at position p.
func (s *second) traceState(k int32, d int, p int32, f int) {
	a, l := &s.arcs[k], &s.links[k]
	side, _, _ := a.sides()
	want := s.cell(k, d).state[f][p]
	for i := range a.items {
		e := &a.items[i]
		if e.pos != p {
			continue
		}
		for o := f; o <= 2*f; o++ { // 0; or 1 and 2
			label := e.operation(o)
			if !s.inUse(l, label) {
				continue
			}
			v, _ := s.close(int(a.mod), side, d-a.length(), e.mod, l, away, label)
			if s.items[k][i].whole[o]+v == want {
				s.traceClosed(int(a.mod), side, d-a.length(), e.mod, l, away, label)
				s.traceItem(k, i, o)
				return
			}
		}
	}
}

// inUse tells whether a label with operation is not pruned.
func (s *second) inUse(l *links, label int32) bool {
	for _, u := range l.used {
		if u == label {
			return true
		}
	}
	return false
}

// traceItem reads an arc with what lies between its tokens.
func (s *second) traceItem(k int32, i, o int) {
	a, l := &s.arcs[k], &s.links[k]
	e, label := &a.items[i], a.items[i].operation(o)
	t := &s.tokens[a.head]
	s.set(a, e, e.pos-t.from[t.owner[e.pos]]+1, a.labels[label/2], o == 2)
	side, to, _ := a.sides()
	n, h := a.length(), int(a.head)
	want := s.items[k][i].inner[o]
	for d := range n {
		v, _ := s.close(int(a.mod), to, n-1-d, e.mod, l, towards, label)
		for copied := range 2 {
			if o == 0 && copied == 1 || o == 1 && copied == 0 {
				continue
			}
			x, number := s.joinOf(h, side, d, e.pos, copied, l, label)
			if x == none || x+v != want {
				continue
			}
			s.traceClosed(int(a.mod), to, n-1-d, e.mod, l, towards, label)
			if number > 0 {
				s.traceBefore(s.first[2*h+side]+int32(number)-1, d, e.pos, copied)
			}
			return
		}
	}
}

// joinOf is joined of one position, with the number of the outermost modifier.
func (s *second) joinOf(h, side, d int, p int32, copied int, l *links, label int32) (float64, int) {
	if d == 0 {
		if copied == 1 {
			return none, 0
		}
		return l.sibOf(label, 0), 0
	}
	best, at := none, 0
	from := s.first[2*h+side]
	for k := from; k < s.first[2*h+side+1] && s.arcs[k].length() <= d; k++ {
		x := s.cell(k, d)
		if !x.any {
			continue
		}
		row := x.before
		if copied == 1 {
			row = x.state[1]
		}
		if v := row[p] + l.sibOf(label, int(k-from)+1); v > best {
			best, at = v, int(k-from)+1
		}
	}
	return best, at
}

// traceBefore reads the half of an arc's head before a modifier at position p.
func (s *second) traceBefore(k int32, d int, p int32, copied int) {
	x, t := s.cell(k, d), &s.tokens[s.arcs[k].head]
	if copied == 1 {
		s.traceState(k, d, p, 1)
		return
	}
	if x.state[0][p] == x.before[p] {
		s.traceState(k, d, p, 0)
		return
	}
	for q := t.from[t.owner[p]]; q < p; q++ {
		for f := range 2 {
			if x.state[f][q] == x.before[p] {
				s.traceState(k, d, q, f)
				return
			}
		}
	}
}
