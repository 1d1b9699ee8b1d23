package zeroone

// state is a component with some variables fixed. Constraints are rows Σ a_j x_j ≤ b, equations two of them; of each
// row the least value that the left side can have is kept:
//
//	least = Σ_{fixed j} a_j x_j + Σ_{free j} min(a_j, 0)
//
// A row with least > b is broken; a free variable that would take least beyond b has only its other value.
type state struct {
	cost []float64
	x    []int8 // 0, 1, −1 for free

	start  []int32 // entries of row r are start[r] to start[r+1]
	of     []int32 // variable
	coef   []int64
	right  []int64
	least  []int64
	widest []int64   // greatest absolute coefficient of a row
	rowsOf [][]entry // of each variable
	lower  []int32   // row of each constraint: its ≤
	groups [][]int32 // variables of which exactly one is 1, or at most one; no variable is in two
	atMost []bool    // of each group
	group  []int32   // of each variable, −1 for none

	trail  []int32
	queue  []int32
	queued []bool
}

type entry struct {
	row  int32
	coef int64
}

// newState makes the rows. Variables of the constraints that are not in the component have the values in fixed.
func newState(c *component, fixed []bool) *state {
	place := make(map[int]int32, len(c.vars))
	s := &state{start: []int32{0}, rowsOf: make([][]entry, len(c.vars)), group: make([]int32, len(c.vars))}
	for i, j := range c.vars {
		place[j] = int32(i)
		s.cost, s.x, s.group[i] = append(s.cost, c.p.objective[j]), append(s.x, -1), -1
	}
	for _, r := range c.constraints {
		con := &c.p.constraints[r]
		right := int64(con.right)
		var terms []entry // row is the variable here
		for _, t := range con.terms {
			if i, ok := place[t.Var]; ok {
				terms = append(terms, entry{i, int64(t.Coef)})
			} else if fixed[t.Var] {
				right -= int64(t.Coef)
			}
		}
		s.lower = append(s.lower, int32(len(s.right)))
		s.addRow(terms, right, 1)
		if con.equal {
			s.addRow(terms, right, -1)
		}
	}
	s.queued = make([]bool, len(s.right))
	for r := range s.right {
		s.push(int32(r))
	}
	s.findGroups(c)
	return s
}

func (s *state) addRow(terms []entry, right, sign int64) {
	r := int32(len(s.right))
	least, widest := int64(0), int64(0)
	for _, t := range terms {
		a := t.coef * sign
		s.of, s.coef = append(s.of, t.row), append(s.coef, a)
		s.rowsOf[t.row] = append(s.rowsOf[t.row], entry{r, a})
		least += min(a, 0)
		widest = max(widest, a, -a)
	}
	s.start = append(s.start, int32(len(s.of)))
	s.right, s.least, s.widest = append(s.right, right*sign), append(s.least, least), append(s.widest, widest)
}

// findGroups takes constraints of which one or at most one variable is 1 while their variables are in no other:
// equations first, then in their order.
func (s *state) findGroups(c *component) {
	for _, equal := range []bool{true, false} {
		for i, r := range c.constraints {
			if con := &c.p.constraints[r]; con.equal == equal && s.isGroup(s.lower[i]) {
				s.addGroup(s.lower[i], !equal)
			}
		}
	}
}

func (s *state) isGroup(row int32) bool {
	lo, hi := s.start[row], s.start[row+1]
	if s.right[row] != 1 || hi-lo < 2 {
		return false
	}
	for k := lo; k < hi; k++ {
		if s.coef[k] != 1 || s.group[s.of[k]] >= 0 {
			return false
		}
	}
	return true
}

func (s *state) addGroup(row int32, atMost bool) {
	vars := s.of[s.start[row]:s.start[row+1]]
	for _, j := range vars {
		s.group[j] = int32(len(s.groups))
	}
	s.groups, s.atMost = append(s.groups, vars), append(s.atMost, atMost)
}

// open tells whether a constraint may still be broken.
func (s *state) open(constraint int) bool {
	last := int32(len(s.right))
	if constraint+1 < len(s.lower) {
		last = s.lower[constraint+1]
	}
	for r := s.lower[constraint]; r < last; r++ {
		most := s.least[r]
		for k := s.start[r]; k < s.start[r+1]; k++ {
			if s.x[s.of[k]] < 0 {
				most += max(s.coef[k], -s.coef[k])
			}
		}
		if most > s.right[r] {
			return true
		}
	}
	return false
}

func (s *state) push(r int32) {
	if !s.queued[r] {
		s.queued[r] = true
		s.queue = append(s.queue, r)
	}
}

// fix gives a free variable its value.
func (s *state) fix(j int32, v int8) {
	s.x[j] = v
	s.trail = append(s.trail, j)
	for _, e := range s.rowsOf[j] {
		if (e.coef > 0) == (v == 1) {
			s.least[e.row] += max(e.coef, -e.coef)
			s.push(e.row)
		}
	}
}

// undo frees the variables fixed since the trail had a length.
func (s *state) undo(length int) {
	for len(s.trail) > length {
		j := s.trail[len(s.trail)-1]
		s.trail = s.trail[:len(s.trail)-1]
		for _, e := range s.rowsOf[j] {
			if (e.coef > 0) == (s.x[j] == 1) {
				s.least[e.row] -= max(e.coef, -e.coef)
			}
		}
		s.x[j] = -1
	}
}

// propagate fixes what the queued rows imply, until nothing follows. It reports false if a row is broken.
func (s *state) propagate() bool {
	ok := true
	for len(s.queue) > 0 {
		r := s.queue[len(s.queue)-1]
		s.queue = s.queue[:len(s.queue)-1]
		s.queued[r] = false
		if ok {
			ok = s.tighten(r)
		}
	}
	return ok
}

func (s *state) tighten(r int32) bool {
	slack := s.right[r] - s.least[r]
	if slack < 0 {
		return false
	}
	if slack >= s.widest[r] {
		return true
	}
	for k := s.start[r]; k < s.start[r+1]; k++ {
		if j, a := s.of[k], s.coef[k]; s.x[j] < 0 && max(a, -a) > slack {
			v := int8(0)
			if a < 0 {
				v = 1
			}
			s.fix(j, v)
		}
	}
	return true
}
