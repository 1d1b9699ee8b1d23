package draw

import (
	"fmt"
	"strconv"
	"strings"
)

// Sizes of the cells of a matrix.
const (
	matrixRow  = 26
	matrixCell = 40 // the least width
	matrixWide = 64 // the greatest width that names take
)

// Figure draws counts, a row a gold label and a column a predicted one. A cell is the fuller the larger its part of its
// row is: green where the label is right, red where it is wrong.
func (m *Matrix) Figure() Figure {
	wide, widest, left := 0.0, 0.0, Width("gold", 13)
	for g, name := range m.Gold {
		left = max(left, Width(matrixLabel(name), labelSize))
		for p := range m.Predicted {
			wide = max(wide, Width(strconv.Itoa(m.N[g][p]), labelSize)+12)
		}
	}
	for _, name := range m.Predicted {
		widest = max(widest, Width(matrixLabel(name), labelSize))
	}
	wide = max(wide, matrixCell, min(widest+8, matrixWide))
	turned := widest+8 > wide
	left += 12
	top := 44.0
	if turned {
		top = 30 + widest*0.77 + 10
	}
	var b strings.Builder
	right := left + wide*float64(len(m.Predicted))
	label(&b, "h", max((left+right)/2, left+Width("predicted", 13)/2), 14, "predicted")
	fmt.Fprintf(&b, `<text class="h" x="0" y="%s"%s>gold</text>`, num(top-8), measured(Width("gold", 13)))
	for p, name := range m.Predicted {
		m.head(&b, matrixLabel(name), left+wide*(float64(p)+0.5), top-8, turned)
	}
	for g, name := range m.Gold {
		y := top + matrixRow*float64(g)
		fmt.Fprintf(&b, `<text class="s" x="%s" y="%s" text-anchor="end"%s>%s</text>`, num(left-8), num(y+17),
			measured(Width(matrixLabel(name), labelSize)), Escape(matrixLabel(name)))
		m.row(&b, g, left, y, wide)
	}
	edge := 0.0
	if turned {
		edge = widest * 0.65
	}
	return Figure{max(right+edge, left+Width("predicted", 13)) + 4, top + matrixRow*float64(len(m.Gold)) + 6, b.String()}
}

// head draws the name of a column, along it or turned where it is wider than the column.
func (m *Matrix) head(b *strings.Builder, name string, x, y float64, turned bool) {
	if !turned {
		label(b, "s", x, y, name)
		return
	}
	fmt.Fprintf(b, `<text class="s" transform="translate(%s %s) rotate(-50)"%s>%s</text>`, num(x), num(y),
		measured(Width(name, labelSize)), Escape(name))
}

// row draws the counts of a gold label.
func (m *Matrix) row(b *strings.Builder, g int, left, y, wide float64) {
	total := 0
	for _, n := range m.N[g] {
		total += n
	}
	for p, n := range m.N[g] {
		x := left + wide*float64(p)
		fmt.Fprintf(b, `<rect class="e" x="%s" y="%s" width="%s" height="%d"/>`, num(x), num(y), num(wide), matrixRow)
		if n == 0 {
			continue
		}
		class := "w"
		if m.Gold[g] == m.Predicted[p] {
			class = "r"
		}
		fmt.Fprintf(b, `<rect class="%s" fill-opacity="%.2f" x="%s" y="%s" width="%s" height="%d"/>`, class,
			0.1+0.5*float64(n)/float64(max(total, 1)), num(x+1), num(y+1), num(wide-2), matrixRow-2)
		label(b, "k", x+wide/2, y+17, strconv.Itoa(n))
	}
}
