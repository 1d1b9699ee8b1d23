package extract

import "slices"

// job is a place to go on from, or a slot to put back.
type job struct {
	pc, pos int32
	slot    int32 // -1 for a place
	was     int32
}

// groups returns what the groups of the match [start, end) cover. Of the ways through the
// pattern the first counts: alternatives in the order in which they stand, repetitions as
// often as they can, the longer one of two spans. A group that is met again keeps the last tokens
// that it took. A way that has failed from an instruction
// at a position is not tried again, so the cost is tokens times instructions.
func (s *search) groups(start, end int32) []Range {
	s.clear(start)
	slots := make([]int32, 3*len(s.p.groups)) // of each group where it opened, and what it took
	stack := []job{{s.p.start, start, -1, 0}}
	for len(stack) > 0 {
		j := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if j.slot >= 0 {
			slots[j.slot] = j.was
			continue
		}
		if j.pos > end || !s.mark(j.pos, j.pc) {
			continue
		}
		in := &s.p.prog[j.pc]
		if in.code == codeMatch {
			if j.pos == end {
				break
			}
			continue
		}
		if in.code == codeSave {
			set := func(slot int, v int32) {
				stack = append(stack, job{slot: int32(slot), was: slots[slot]})
				slots[slot] = v
			}
			if opened := in.slot / 2 * 3; in.slot%2 == 0 {
				set(opened, j.pos)
			} else if j.pos > slots[opened] {
				set(opened+1, slots[opened])
				set(opened+2, j.pos)
			}
		}
		stack = s.next(stack, in, j.pos)
	}
	s.clear(start)
	return s.ranges(slots)
}

// next appends where an instruction leads, the first choice last.
func (s *search) next(stack []job, in *instruction, pos int32) []job {
	to := func(pc, pos int32) { stack = append(stack, job{pc, pos, -1, 0}) }
	switch in.code {
	case codeToken:
		if pos < s.n && s.passes(in.test, pos) {
			to(in.x, pos+1)
		}
	case codeSpan:
		if pos == s.n {
			break
		}
		for _, end := range slices.Backward(s.ends[in.slot][s.base+pos]) {
			to(in.x, end-s.base)
		}
	case codeSplit:
		to(in.y, pos)
		to(in.x, pos)
	case codeSave:
		to(in.x, pos)
	case codeStart:
		if pos == 0 {
			to(in.x, pos)
		}
	case codeEnd:
		if pos == s.n {
			to(in.x, pos)
		}
	}
	return stack
}

func (s *search) ranges(slots []int32) []Range {
	out := make([]Range, len(slots)/3)
	for i := range out {
		if from, to := slots[3*i+1], slots[3*i+2]; to > from {
			out[i] = Range{s.base + from, s.base + to}
		}
	}
	return out
}
