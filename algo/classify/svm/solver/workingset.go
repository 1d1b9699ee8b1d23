package solver

// workingSet is samples of a linear machine, copied so that passes over few of many read memory in
// order. A column that only one of them has stays out: what it adds to w·x is known from α of the
// sample. Rows become shorter, and weights lie closer to each other.
type workingSet struct {
	ids  []uint32  // by place
	x    *Rows     // by place, columns renumbered
	w    []float64 // by column of x, the bias last
	own  []float64 // by place: x·x of the columns left out
	rest []float64 // by place: what samples outside of the set add to w·x by these columns
}

// widen makes all samples the working set, with all columns.
func (s *linear) widen() {
	n := s.all.Len()
	if len(s.set.ids) == n { // they are
		s.active = s.active[:n]
		for i := range s.active {
			s.active[i] = uint32(i)
		}
		return
	}
	s.set = workingSet{ids: sequence(n), x: s.all, w: s.weights(), own: make([]float64, n), rest: make([]float64, n)}
	s.active = sequence(n)
}

// narrow makes the active samples the working set.
func (s *linear) narrow() {
	n, all := len(s.active), s.weights()
	t := workingSet{ids: make([]uint32, n), own: make([]float64, n), rest: make([]float64, n)}
	for p, old := range s.active {
		t.ids[p] = s.set.ids[old]
	}
	var columns []uint32
	t.x, columns = s.all.Subset(t.ids, 2, s.m)
	t.w = make([]float64, t.x.Width+1)
	for k, c := range columns {
		t.w[k] = all[c]
	}
	t.w[t.x.Width] = all[s.all.Width]
	for p, i := range t.ids {
		if t.own[p] = s.all.square(int(i)) - t.x.square(p); t.own[p] != 0 {
			t.rest[p] = s.all.dot(all, int(i)) - t.x.dot(t.w, p) - float64(s.y[i])*s.alpha[i]*t.own[p]
		}
	}
	s.set, s.active = t, sequence(n)
}

// sequence is 0 to n−1.
func sequence(n int) []uint32 {
	out := make([]uint32, n)
	for i := range out {
		out[i] = uint32(i)
	}
	return out
}
