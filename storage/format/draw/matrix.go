package draw

import (
	"cmp"
	"slices"
	"strconv"
)

// Matrix counts what was taken for what: N[g][p] of the label g taken for the label p.
type Matrix struct {
	Gold, Predicted []string
	N               [][]int
}

// NewMatrix counts pairs of a gold and a predicted label; labels are in order, "" last.
func NewMatrix(gold, predicted []string, n []int) *Matrix {
	order := func(names []string) []string {
		out := slices.Clone(names)
		slices.SortFunc(out, func(a, b string) int {
			if (a == "") != (b == "") {
				return cmp.Compare(len(b), len(a))
			}
			return cmp.Compare(a, b)
		})
		return slices.Compact(out)
	}
	all := order(slices.Concat(gold, predicted))
	m := &Matrix{Gold: all, Predicted: all, N: make([][]int, len(all))}
	for i := range m.N {
		m.N[i] = make([]int, len(all))
	}
	for k := range gold {
		m.N[slices.Index(all, gold[k])][slices.Index(all, predicted[k])] += n[k]
	}
	return m
}

// nothing is shown for the label "": no span is there.
const nothing = "(none)"

func matrixLabel(s string) string { return cmp.Or(harmless(s), nothing) }

// Matrix draws counts, a row a gold label and a column a predicted one, in parts where it is wider than the screen.
func (c Console) Matrix(m *Matrix) string {
	left := cells("gold") + 1 // the column of the line
	for _, name := range m.Gold {
		left = max(left, cells(matrixLabel(name))+1)
	}
	wide := make([]int, len(m.Predicted))
	for p, name := range m.Predicted {
		wide[p] = cells(matrixLabel(name))
		for g := range m.Gold {
			wide[p] = max(wide[p], len(strconv.Itoa(m.N[g][p])))
		}
	}
	out := ""
	for from := 0; from < len(wide); {
		to, room := from, c.Width-left-1
		for to < len(wide) && (to == from || wide[to]+2 <= room) {
			room -= wide[to] + 2
			to++
		}
		if from > 0 {
			out += "\n"
		}
		out += c.part(m, wide, left, from, to)
		from = to
	}
	return out
}

// part draws the columns of some predicted labels.
func (c Console) part(m *Matrix, wide []int, left, from, to int) string {
	var g canvas
	g.write(0, 0, "gold", phraseInk)
	g.down(left, 0, len(m.Gold)+2)
	g.write(0, left+2, "predicted", phraseInk)
	end := left
	for p := from; p < to; p++ {
		end += wide[p] + 2
	}
	g.across(2, 0, end)
	g.cell(2, 0).lines |= goLeft
	g.cell(2, end).lines |= goRight
	g.cell(0, left).lines |= goUp
	g.cell(len(m.Gold)+2, left).lines |= goDown
	for i, name := range m.Gold {
		g.write(3+i, 0, matrixLabel(name), plainInk)
		total, col := 0, left
		for _, n := range m.N[i] {
			total += n
		}
		for p := from; p < to; p++ {
			n := m.N[i][p]
			col += wide[p] + 2
			if i == 0 {
				g.write(1, col-cells(matrixLabel(m.Predicted[p])), matrixLabel(m.Predicted[p]), plainInk)
			}
			s := strconv.Itoa(n)
			if n == 0 {
				g.write(3+i, col-1, "·", dimInk)
				continue
			}
			g.write(3+i, col-len(s), s, share(n, total, m.Gold[i] == m.Predicted[p]))
		}
	}
	return g.render(c)
}

// share is the ink of n of all of a row: what is right green, what is wrong red, and bold where it is a tenth.
func share(n, all int, right bool) ink {
	colour := ink("31")
	if right {
		colour = "32"
	}
	if 10*n >= all {
		return "1;" + colour
	}
	return colour
}
