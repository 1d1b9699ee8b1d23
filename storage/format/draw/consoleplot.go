package draw

import (
	"math"
	"slices"
)

// Height of a plot in lines, and its greatest width in cells.
const (
	consolePlotHeight = 16
	consolePlotWidth  = 100
)

// points are the signs of the lines of a plot, in turn.
var points = []string{"*", "o", "+", "x", "#", "@", "%", "&"}

// lineInks are the inks of the lines of a plot, in turn: those of the terminal's own palette, which suit its ground.
var lineInks = []ink{"1;34", "1;33", "1;32", "1;35", "1;36", "1;31"}

// pointOf is the sign of a line of a plot, and its ink.
func pointOf(series int) (string, ink) {
	return points[series%len(points)], lineInks[series%len(lineInks)]
}

// Plot draws a line plot with its axes.
func (c Console) Plot(p *Plot) string {
	p = p.logarithms()
	x, y := p.ranges()
	left := 1
	for _, t := range y.ticks() {
		left = max(left, cells(y.tick(t)))
	}
	left += 2
	width := max(min(c.Width, consolePlotWidth)-left-1, 8)
	var g canvas
	top := c.legend(&g, p, left, left+width)
	if p.Y != "" {
		g.write(top, 0, p.Y, phraseInk)
		top++
	}
	at := func(v float64) int { return left + int(math.Round(x.at(v)*float64(width-1))) }
	row := func(v float64) int {
		return top + consolePlotHeight - 1 - int(math.Round(y.at(v)*(consolePlotHeight-1)))
	}
	g.down(left-1, top, top+consolePlotHeight)
	g.cell(top, left-1).lines |= goUp
	g.across(top+consolePlotHeight, left-1, left+width-1)
	g.cell(top+consolePlotHeight, left+width-1).lines |= goRight
	free := -1
	for _, t := range slices.Backward(y.ticks()) {
		if name := y.tick(t); row(t) > free {
			g.write(row(t), left-2-cells(name), name, dimInk)
			free = row(t)
		}
	}
	c.bottom(&g, p, x, at, top+consolePlotHeight+1, left+width)
	for i, s := range p.Series {
		sign, look := pointOf(i)
		s.trace(func(col, row int) { g.write(row, col, sign, look) }, at, row)
	}
	name := harmless(p.X)
	g.write(top+consolePlotHeight+2, max(left, left+(width-cells(name))/2), name, phraseInk)
	return g.render(c)
}

// legend names the lines where there are several, and returns the number of its rows.
func (c Console) legend(g *canvas, p *Plot, left, right int) int {
	if len(p.Series) < 2 && p.Y != "" {
		return 0
	}
	row, col := 0, left
	for i, s := range p.Series {
		name := harmless(s.Name)
		if col > left && col+cells(name)+2 > right {
			row, col = row+1, left
		}
		sign, look := pointOf(i)
		g.write(row, col, sign, look)
		g.write(row, col+2, name, plainInk)
		col += cells(name) + 5
	}
	return row + 1
}

// bottom writes the values below the horizontal axis, as far as there is room.
func (c Console) bottom(g *canvas, p *Plot, x *axis, at func(float64) int, row, right int) {
	type tick struct {
		v    float64
		name string
	}
	var all []tick
	for i, name := range p.Categories {
		all = append(all, tick{float64(i), harmless(name)})
	}
	if p.Categories == nil {
		for _, v := range x.ticks() {
			name := x.tick(v)
			if p.Times {
				name = when(v, x.step)
			}
			all = append(all, tick{v, name})
		}
	}
	free := 0
	for _, t := range all {
		n := cells(t.name)
		from := max(0, at(t.v)-n/2)
		if t.v < x.lo || t.v > x.hi || from < free || from+n > right+1 {
			continue
		}
		g.cell(row-1, at(t.v)).lines |= goDown
		g.write(row, from, t.name, dimInk)
		free = from + n + 1
	}
}

// trace puts a sign at each point and, where points lie apart, at each column between them.
func (s *Series) trace(put func(col, row int), at, row func(float64) int) {
	last := -1
	for i := range s.X {
		if !finite(s.X[i]) || !finite(s.Y[i]) {
			last = -1
			continue
		}
		if last >= 0 {
			x0, x1 := at(s.X[last]), at(s.X[i])
			for col := min(x0, x1) + 1; col < max(x0, x1); col++ {
				share := float64(col-x0) / float64(x1-x0)
				put(col, row(s.Y[last]+share*(s.Y[i]-s.Y[last])))
			}
		}
		put(at(s.X[i]), row(s.Y[i]))
		last = i
	}
}
