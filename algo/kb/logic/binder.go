package logic

// binder holds the values of the variables of a rule.
type binder struct {
	rule  *Bound
	value []int32
	known []bool
}

func newBinder(b *Bound) *binder {
	return &binder{rule: b, value: make([]int32, len(b.alone)), known: make([]bool, len(b.alone))}
}

func (b *binder) lookup(s Slot) (int32, bool) {
	if !s.Var {
		return s.ID, true
	}
	return b.value[s.ID], b.known[s.ID]
}

// pair is that of an atom whose variables are known.
func (b *binder) pair(p Pattern) Pair {
	s, _ := b.lookup(p.Subject)
	o, _ := b.lookup(p.Object)
	return Pair{s, o}
}

// bind gives the variables of an atom their values; which ones were free comes back, also where
// the pair does not fit.
func (b *binder) bind(p Pattern, c Pair) (undo [2]bool, ok bool) {
	if undo[0], ok = b.set(p.Subject, c.Subject); !ok {
		return undo, false
	}
	if p.Object.Var {
		switch over := b.rule.alone[p.Object.ID]; {
		case over != 0 && over&ArityOf(c.Object) == 0, over == 0 && c.Object == None:
			return undo, false
		}
	}
	undo[1], ok = b.set(p.Object, c.Object)
	return undo, ok
}

// set reports whether a variable was free, and whether the slot has the value now.
func (b *binder) set(s Slot, v int32) (free, ok bool) {
	switch {
	case !s.Var:
		return false, s.ID == v
	case b.known[s.ID]:
		return false, b.value[s.ID] == v
	}
	b.value[s.ID], b.known[s.ID] = v, true
	return true, true
}

func (b *binder) release(p Pattern, undo [2]bool) {
	if undo[0] {
		b.known[p.Subject.ID] = false
	}
	if undo[1] {
		b.known[p.Object.ID] = false
	}
}
