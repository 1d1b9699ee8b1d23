package treekernel

import "math"

// number is m·2^e with m = 0 or from 0.5 up to 1.
type number struct {
	m float64
	e int
}

var one = number{0.5, 1}

func numberOf(v float64) number {
	m, e := math.Frexp(v)
	return number{m, e}
}

func (a number) times(b number) number {
	m, e := math.Frexp(a.m * b.m)
	if m == 0 {
		return number{}
	}
	return number{m, a.e + b.e + e}
}

func (a number) plus(b number) number {
	switch {
	case a.m == 0:
		return b
	case b.m == 0:
		return a
	case a.e < b.e:
		a, b = b, a
	}
	m, e := math.Frexp(a.m + math.Ldexp(b.m, b.e-a.e))
	return number{m, a.e + e}
}

// wide is a cell of numbers.
type wide struct{ plain, marked number }

// wideEvaluator finds the cells of Evaluator in numbers of any size.
type wideEvaluator struct {
	*Evaluator
	decay number
	cells map[[2]int32]wide
}

// Log is the natural logarithm of the kernel of two trees, −Inf where it is 0, and where the context has ended. It
// takes many times as long as Value.
func (e *Evaluator) Log(a, b *Prepared) float64 {
	e.a, e.b, e.gamma = a.Tree, b.Tree, a.gamma
	w := &wideEvaluator{e, numberOf(e.Decay), map[[2]int32]wide{}}
	var sum number
	byKey := map[uint32][]int32{}
	for _, s := range b.starts {
		byKey[s.key] = append(byKey[s.key], s.node)
	}
	for _, s := range a.starts {
		for _, y := range byKey[s.key] {
			c := w.cell(s.node, y)
			if e.ended {
				return math.Inf(-1)
			}
			if sum = sum.plus(c.marked); !e.Marked {
				sum = sum.plus(c.plain)
			}
		}
	}
	return math.Log(sum.m) + float64(sum.e)*math.Ln2
}

func (w *wideEvaluator) cell(x, y int32) wide {
	if c, ok := w.cells[[2]int32{x, y}]; ok {
		return c
	}
	var c wide
	if w.over(64) { // about what a cell costs besides its children
		return c
	}
	if w.Family == Partial {
		c = w.partial(x, y)
	} else {
		c = w.whole(x, y)
	}
	scale := w.decay.times(numberOf(w.stays(x)))
	c = wide{scale.times(c.plain), scale.times(c.marked)}
	w.cells[[2]int32{x, y}] = c
	return c
}

// and joins what is shared so far with a part more.
func (c wide) and(k wide) wide {
	return wide{c.plain.times(k.plain), c.marked.times(k.plain.plus(k.marked)).plus(c.plain.times(k.marked))}
}

func (c wide) plus(k wide) wide { return wide{c.plain.plus(k.plain), c.marked.plus(k.marked)} }

func (w *wideEvaluator) first(marked bool) wide {
	if marked {
		return wide{marked: one}
	}
	return wide{plain: one}
}

func (w *wideEvaluator) partial(x, y int32) wide {
	a, b := w.a, w.b
	row := []wide{w.first(a.marked[x])}
	for d := y + 1; d < b.end[y]; d = b.end[d] {
		row = append(row, row[0])
	}
	for c := x + 1; c < a.end[x]; c = a.end[c] {
		var sum wide
		before, j := row[0], 1
		for d := y + 1; d < b.end[y]; d = b.end[d] {
			if a.label[c] == b.label[d] {
				sum = sum.plus(before.and(w.cell(c, d)))
			}
			before = row[j]
			row[j] = row[j].plus(sum)
			j++
		}
	}
	return row[len(row)-1]
}

// whole is for the families with whole productions.
func (w *wideEvaluator) whole(x, y int32) wide {
	a, b := w.a, w.b
	if a.leaf(x) || b.leaf(y) || a.production[x] != b.production[y] {
		return wide{}
	}
	p := w.first(a.marksProduction(x))
	for c, d := x+1, y+1; c < a.end[x]; c, d = a.end[c], b.end[d] {
		k := w.cell(c, d)
		if w.Family == SubsetTree || a.leaf(c) && b.leaf(d) {
			k.plain = k.plain.plus(numberOf(w.stays(c)))
		}
		p = p.and(k)
	}
	return p
}
