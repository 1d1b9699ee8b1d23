package tagparser

import "parlance/algo/numeric/buffer"

// Halves of a modifier, as seen from its head.
const (
	towards = 0
	away    = 1
)

// links are the scores of an arc with a third token, for each label with its operation, 2·label for a sister adjunction
// and 2·label + 1 for a regular one. Number 0 is no token; k is the k-th closest modifier of the head on the same side
// (sib), or of the modifier on a side (grand), that has an arc.
type links struct {
	used  []int32 // labels with operation that are not pruned
	sib   []float64
	grand [2][]float64
	width [3]int // numbers of sib, grand[0], grand[1]
}

func (l *links) sibOf(label int32, k int) float64 { return l.sib[int(label)*l.width[0]+k] }

func (l *links) grandOf(half int, label int32, k int) float64 {
	return l.grand[half][int(label)*l.width[1+half]+k]
}

// wholes are the scores of an item by operation: a sister of the first of the phrases at the position, a sister of a
// copy, a new copy; whole is inner with the arc.
type wholes struct{ inner, whole [3]float64 }

// second finds the best derivation under scores of siblings and of outermost grandchildren besides, exactly (Carreras
// 2007; Carreras, Collins and Koo 2008, section 4). Halves of a head are kept by their outermost modifier: by arc and
// distance.
//
//	joined(r)  max over c of state(h, r, c) + sib(h, m, l, c)
//	closed(e)  max over c of fin(m, e, c) + grand(h, m, l, c)
//	inner      max over r of joined(r) + closed(r+1), on m's side towards h
//	state      max over items of whole + closed(e), on m's side away from h
type second struct {
	*chart
	links  []links
	roots  []links
	items  [][]wholes
	base   []int32 // rows of an arc are cells[base + distance − length]
	cells  []half
	joined [2][]float64 // by label in use and position, without and with a copy made
	closed []float64    // by label in use and spine
	slot   []int32      // of a label, its place among those in use
	score  float64
}

// cell is the half of the head of an arc, whose modifier is the outermost, at a distance.
func (s *second) cell(arc int32, d int) *half {
	return &s.cells[int(s.base[arc])+d-s.arcs[arc].length()]
}

// fill fills the chart and returns the score of the best derivation, −∞ if there is none.
func (s *second) fill() float64 {
	s.sizes()
	for w := 1; w < s.n; w++ {
		if s.ended() {
			return none
		}
		for i := 1; i+w <= s.n; i++ {
			for _, at := range [2][2]int{{i, i + w}, {i + w, i}} {
				if k := s.find[at[0]*(s.n+1)+at[1]]; k != 0 {
					s.inner(k - 1)
				}
			}
			s.outer(i, right, w)
			s.outer(i+w, left, w)
		}
	}
	s.score = none
	for k := range s.root {
		a := &s.root[k]
		for i := range a.items {
			s.score = max(s.score, s.goal(k, i))
		}
	}
	return s.score
}

// sizes makes room for the sentence.
func (s *second) sizes() {
	s.items = buffer.Resize(s.items, len(s.arcs))
	s.base = s.base[:0]
	rows := 0
	for k := range s.arcs {
		a := &s.arcs[k]
		s.items[k] = buffer.Resize(s.items[k], len(a.items))
		s.base = append(s.base, int32(rows))
		reach := int(a.head) - 1
		if a.mod > a.head {
			reach = s.n - int(a.head)
		}
		rows += reach - a.length() + 1
	}
	s.cells = buffer.Resize(s.cells, rows)
	for i := range s.cells {
		s.cells[i].any = false
	}
}

// goal is the score of a derivation with the token of an arc from the root under it.
func (s *second) goal(k, i int) float64 {
	a, l := &s.root[k], &s.roots[k]
	e, m := &a.items[i], int(a.mod)
	label := 2 * e.first
	x, _ := s.close(m, left, m-1, e.mod, l, towards, label)
	y, _ := s.close(m, right, s.n-m, e.mod, l, away, label)
	return x + y + (e.sister + l.sibOf(label, 0))
}

// close is closed of one spine, with the number of the outermost modifier.
func (s *second) close(m, side, d int, spine int32, l *links, half int, label int32) (float64, int) {
	if d == 0 {
		return l.grandOf(half, label, 0), 0
	}
	best, at := none, 0
	from := s.first[2*m+side]
	for k := from; k < s.first[2*m+side+1] && s.arcs[k].length() <= d; k++ {
		if x := s.cell(k, d); x.any {
			if v := x.fin[spine] + l.grandOf(half, label, int(k-from)+1); v > best {
				best, at = v, int(k-from)+1
			}
		}
	}
	return best, at
}

// closeAll sets closed for all labels in use and spines of m; false if all are −∞.
func (s *second) closeAll(m, side, d int, l *links, half int) bool {
	size := len(s.tokens[m].spines)
	s.closed = blank(s.closed, len(l.used)*size)
	if d == 0 {
		for u, label := range l.used {
			x := l.grandOf(half, label, 0)
			for t := range size {
				s.closed[u*size+t] = x
			}
		}
		return true
	}
	found := false
	from := s.first[2*m+side]
	for k := from; k < s.first[2*m+side+1] && s.arcs[k].length() <= d; k++ {
		x := s.cell(k, d)
		if !x.any {
			continue
		}
		found = true
		for u, label := range l.used {
			raise(s.closed[u*size:(u+1)*size], x.fin, l.grandOf(half, label, int(k-from)+1))
		}
	}
	return found
}

// raise does dst[i] ← max(dst[i], src[i] + w).
func raise(dst, src []float64, w float64) {
	src = src[:len(dst)]
	for i, x := range src {
		if x += w; x > dst[i] {
			dst[i] = x
		}
	}
}

// join sets joined for all labels in use and positions of h; false if all are −∞.
func (s *second) join(h, side, d int, l *links) bool {
	t := &s.tokens[h]
	size := len(t.owner)
	for i := range s.joined {
		s.joined[i] = blank(s.joined[i], len(l.used)*size)
	}
	if d == 0 {
		for u, label := range l.used {
			x := l.sibOf(label, 0)
			for p := range size {
				s.joined[0][u*size+p] = x
			}
		}
		return true
	}
	found := false
	from := s.first[2*h+side]
	for k := from; k < s.first[2*h+side+1] && s.arcs[k].length() <= d; k++ {
		x := s.cell(k, d)
		if !x.any {
			continue
		}
		found = true
		for u, label := range l.used {
			w := l.sibOf(label, int(k-from)+1)
			raise(s.joined[0][u*size:(u+1)*size], x.before, w)
			raise(s.joined[1][u*size:(u+1)*size], x.state[1], w)
		}
	}
	return found
}

// slots tells where the labels in use stand.
func (s *second) slots(l *links) {
	top := int32(0)
	for _, label := range l.used {
		top = max(top, label+1)
	}
	s.slot = buffer.Resize(s.slot, int(top)+2)
	for i := range s.slot {
		s.slot[i] = -1
	}
	for u, label := range l.used {
		s.slot[label] = int32(u)
	}
}

// at is the place of a label with operation among those in use, −1 if it is not.
func (s *second) at(label int32, operation int32) int32 {
	if label < 0 || int(2*label+operation) >= len(s.slot) {
		return -1
	}
	return s.slot[2*label+operation]
}

// inner joins the head's half so far and the modifier's half towards it, over all splits.
func (s *second) inner(k int32) {
	a, l, out := &s.arcs[k], &s.links[k], s.items[k]
	side, to, _ := a.sides()
	n, h, m := a.length(), int(a.head), int(a.mod)
	s.slots(l)
	for i := range out {
		out[i].inner = [3]float64{none, none, none}
	}
	np, ns := int32(len(s.tokens[h].owner)), int32(len(s.tokens[m].spines))
	for d := range n {
		if !s.join(h, side, d, l) || !s.closeAll(m, to, n-1-d, l, towards) {
			continue
		}
		for i := range a.items {
			e, x := &a.items[i], &out[i].inner
			if u := s.at(e.first, 0); u >= 0 {
				x[0] = max(x[0], s.joined[0][u*np+e.pos]+s.closed[u*ns+e.mod])
			}
			if u := s.at(e.copies, 0); u >= 0 {
				x[1] = max(x[1], s.joined[1][u*np+e.pos]+s.closed[u*ns+e.mod])
			}
			if u := s.at(e.copies, 1); u >= 0 {
				x[2] = max(x[2], max(s.joined[0][u*np+e.pos], s.joined[1][u*np+e.pos])+s.closed[u*ns+e.mod])
			}
		}
	}
	for i := range a.items {
		e := &a.items[i]
		out[i].whole = [3]float64{out[i].inner[0] + e.sister, out[i].inner[1] + e.sisterCopy, out[i].inner[2] + e.regular}
	}
}

// outer makes the halves of a head up to a distance, by the outermost modifier.
func (s *second) outer(h, side, d int) {
	t := &s.tokens[h]
	for k := s.first[2*h+side]; k < s.first[2*h+side+1] && s.arcs[k].length() <= d; k++ {
		a, l, x := &s.arcs[k], &s.links[k], s.cell(k, d)
		x.any = false
		if !s.closeAll(int(a.mod), side, d-a.length(), l, away) {
			continue
		}
		s.slots(l)
		for _, row := range []*[]float64{&x.state[0], &x.state[1], &x.before} {
			*row = blank(*row, len(t.owner))
		}
		x.fin = blank(x.fin, len(t.spines))
		ns := int32(len(s.tokens[a.mod].spines))
		for i := range a.items {
			e, w := &a.items[i], &s.items[k][i].whole
			if u := s.at(e.first, 0); u >= 0 {
				x.state[0][e.pos] = max(x.state[0][e.pos], w[0]+s.closed[u*ns+e.mod])
			}
			if u := s.at(e.copies, 0); u >= 0 {
				x.state[1][e.pos] = max(x.state[1][e.pos], w[1]+s.closed[u*ns+e.mod])
			}
			if u := s.at(e.copies, 1); u >= 0 {
				x.state[1][e.pos] = max(x.state[1][e.pos], w[2]+s.closed[u*ns+e.mod])
			}
		}
		for sp := range t.spines {
			best := none
			for p := t.from[sp]; p < t.from[sp+1]; p++ {
				x.before[p] = max(best, x.state[0][p])
				best = max(best, x.state[0][p], x.state[1][p])
			}
			x.fin[sp] = best
			x.any = x.any || best > none
		}
	}
}
