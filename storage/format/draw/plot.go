package draw

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Series is a line of a plot: its points in order. A point that is no finite number breaks the line.
type Series struct {
	Name string
	X, Y []float64
}

// Plot is a line plot.
type Plot struct {
	X, Y       string   // what the axes show; Y is "" where the names of the lines say it
	Categories []string // names of the places 0, 1, … of that axis, nil for numbers
	Times      bool     // that axis shows microseconds since 1970
	Whole      bool     // that axis shows whole numbers
	LogX, LogY bool     // scales are logarithmic; points from 0 down break the line
	Series     []Series
}

const (
	plotW, plotH = 640, 360
	plotDots     = 60 // at most this many points of a line are dots
)

// axis maps values to places.
type axis struct {
	lo, hi float64
	step   float64
	log    bool // values are decimal logarithms
}

func (a *axis) add(v float64) {
	if !math.IsInf(v, 0) && !math.IsNaN(v) {
		a.lo, a.hi = min(a.lo, v), max(a.hi, v)
	}
}

// at returns where a value lies, 0 to 1. Halves keep the difference of huge values finite.
func (a *axis) at(v float64) float64 { return (v/2 - a.lo/2) / (a.hi/2 - a.lo/2) }

// settle widens an empty range and chooses a step of 1, 2 or 5 times a power of ten.
func (a *axis) settle(parts float64) {
	if a.lo > a.hi {
		a.lo, a.hi = 0, 1
	}
	if half := a.hi/2 - a.lo/2; half <= math.Abs(a.lo)*1e-12 || half == 0 {
		d := max(math.Abs(a.lo)*0.1, 0.5)
		a.lo, a.hi = max(a.lo-d, -math.MaxFloat64), min(a.hi+d, math.MaxFloat64)
	}
	raw := (a.hi/2 - a.lo/2) / parts * 2
	a.step = math.Pow(10, math.Floor(math.Log10(raw)))
	for _, f := range []float64{1, 2, 5, 10} {
		if a.step*f >= raw*0.999 {
			a.step *= f
			break
		}
	}
}

// ticks returns the multiples of the step within the range.
func (a *axis) ticks() (out []float64) {
	if a.log {
		return a.powers()
	}
	if a.step == 0 || math.IsInf(a.step, 0) || math.IsNaN(a.step) {
		return nil
	}
	first := math.Ceil(a.lo/a.step - 1e-9)
	for k := range 100 {
		v := (first + float64(k)) * a.step
		if v > a.hi+a.step*1e-9 || math.IsInf(v, 1) {
			break
		}
		if finite(v) {
			out = append(out, v)
		}
	}
	return out
}

// tick writes a value with as many decimals as the step has.
func (a *axis) tick(v float64) string {
	if a.log {
		return power(v)
	}
	if v == 0 || math.Abs(v) < a.step/2 {
		return "0"
	}
	if m := max(math.Abs(a.lo), math.Abs(a.hi)); m >= 1e7 || a.step < 1e-5 {
		return strconv.FormatFloat(v, 'g', 6, 64)
	}
	return strconv.FormatFloat(v, 'f', max(0, -int(math.Floor(math.Log10(a.step)+1e-9))), 64)
}

var timeSteps = []time.Duration{time.Second, 5 * time.Second, 15 * time.Second, time.Minute, 5 * time.Minute,
	15 * time.Minute, time.Hour,
	3 * time.Hour, 6 * time.Hour, 12 * time.Hour, 24 * time.Hour, 7 * 24 * time.Hour, 30 * 24 * time.Hour,
	91 * 24 * time.Hour, 365 * 24 * time.Hour}

// Figure draws the plot; the colours of its lines are those of the palette.
func (p *Plot) Figure(colours *Palette) Figure {
	p = p.logarithms()
	x, y := p.ranges()
	left := 20.0
	for _, t := range y.ticks() {
		left = max(left, Width(y.tick(t), labelSize)+10)
	}
	if p.Y != "" {
		left += 20
	}
	var b strings.Builder
	legend := p.legend(&b, colours, left)
	top := legend + 10
	for _, t := range y.ticks() {
		at := top + plotH*(1-y.at(t))
		fmt.Fprintf(&b, `<path class="g" d="M%s %sh%d"/>`, num(left), num(at), plotW)
		fmt.Fprintf(&b, `<text class="s" x="%s" y="%s" text-anchor="end">%s</text>`, num(left-6), num(at+4),
			Escape(y.tick(t)))
	}
	under := p.bottom(&b, x, left, top+plotH)
	fmt.Fprintf(&b, `<path class="x" d="M%s %sV%sh%d"/>`, num(left), num(top), num(top+plotH), plotW)
	for _, s := range p.Series {
		s.draw(&b, colours.Class(s.Name), func(i int) (float64, float64) {
			return left + plotW*x.at(s.X[i]), top + plotH*(1-y.at(s.Y[i]))
		})
	}
	label(&b, "h", left+plotW/2, top+plotH+under+18, p.X)
	if p.Y != "" {
		fmt.Fprintf(&b, `<text class="h" text-anchor="middle" transform="translate(14 %s) rotate(-90)">%s</text>`,
			num(top+plotH/2), Escape(p.Y))
	}
	return Figure{left + plotW + 30, top + plotH + under + 26, b.String()}
}

func (p *Plot) ranges() (x, y *axis) {
	x, y = &axis{lo: math.Inf(1), hi: math.Inf(-1), log: p.LogX}, &axis{lo: math.Inf(1), hi: math.Inf(-1), log: p.LogY}
	for _, s := range p.Series {
		for i := range s.X {
			if finite(s.X[i]) && finite(s.Y[i]) {
				x.add(s.X[i])
				y.add(s.Y[i])
			}
		}
	}
	x.settle(8)
	y.settle(6)
	if p.Whole && !p.LogX {
		x.step = max(1, x.step)
	}
	// The vertical axis begins and ends at a tick.
	if y.log {
		y.step = 1
	}
	y.lo, y.hi = max(math.Floor(y.lo/y.step+1e-9)*y.step, -math.MaxFloat64), min(math.Ceil(y.hi/y.step-1e-9)*y.step,
		math.MaxFloat64)
	if p.Times {
		raw := (x.hi - x.lo) / 7
		for _, s := range timeSteps {
			if x.step = float64(s.Microseconds()); x.step >= raw {
				break
			}
		}
	}
	return x, y
}

func finite(v float64) bool { return !math.IsInf(v, 0) && !math.IsNaN(v) }

// bottom draws the ticks of the horizontal axis and returns how much room they take. Ticks
// without room are left out; names are turned before.
func (p *Plot) bottom(b *strings.Builder, x *axis, left, y float64) float64 {
	if p.Categories != nil {
		return p.names(b, x, left, y)
	}
	free := math.Inf(-1)
	for _, v := range x.ticks() {
		name := x.tick(v)
		if p.Times {
			name = when(v, x.step)
		}
		at, half := left+plotW*x.at(v), Width(name, labelSize)/2
		if v < x.lo || v > x.hi || at-half < free {
			continue
		}
		free = at + half + 8
		fmt.Fprintf(b, `<path class="x" d="M%s %sv4"/>`, num(at), num(y))
		label(b, "s", at, y+17, name)
	}
	return 20
}

func (p *Plot) names(b *strings.Builder, x *axis, left, y float64) float64 {
	widest := 0.0
	for _, n := range p.Categories {
		widest = max(widest, Width(n, labelSize))
	}
	each := plotW * (x.at(x.lo+1) - x.at(x.lo))
	turned := widest+8 > each
	free := math.Inf(-1)
	for i, name := range p.Categories {
		at := left + plotW*x.at(float64(i))
		fmt.Fprintf(b, `<path class="x" d="M%s %sv4"/>`, num(at), num(y))
		switch {
		case !turned:
			label(b, "s", at, y+17, name)
		case at >= free:
			free = at + 13
			fmt.Fprintf(b, `<text class="s" text-anchor="end" transform="translate(%s %s) rotate(-50)">%s</text>`, num(at+4),
				num(y+13), Escape(name))
		}
	}
	if turned {
		return widest*0.77 + 22
	}
	return 20
}

func when(micro, step float64) string {
	t := time.UnixMicro(int64(micro)).UTC()
	switch {
	case step >= float64((24 * time.Hour).Microseconds()):
		return t.Format("2006-01-02")
	case step >= float64(time.Minute.Microseconds()):
		return t.Format("01-02 15:04")
	}
	return t.Format("15:04:05")
}

// legend names the lines above the plot and returns its height.
func (p *Plot) legend(b *strings.Builder, colours *Palette, left float64) float64 {
	x, y := left, 14.0
	for _, s := range p.Series {
		w := Width(s.Name, 14) + 40
		if x > left && x+w > left+plotW {
			x, y = left, y+20
		}
		fmt.Fprintf(b, `<rect class="c%s" x="%s" y="%s" width="18" height="4"/>`, colours.Class(s.Name), num(x), num(y-6))
		fmt.Fprintf(b, `<text x="%s" y="%s">%s</text>`, num(x+24), num(y), Escape(s.Name))
		x += w
	}
	return y + 6
}

// draw draws a line, leaving out points that fall on the one before.
func (s *Series) draw(b *strings.Builder, class string, place func(int) (x, y float64)) {
	var path, dots strings.Builder
	last, pen, points := "", "M", 0
	for i := range s.X {
		if !finite(s.X[i]) || !finite(s.Y[i]) {
			pen, last = "M", ""
			continue
		}
		x, y := place(i)
		at := num(x) + " " + num(y)
		if at == last {
			continue
		}
		points++
		path.WriteString(pen + at)
		if points <= plotDots {
			fmt.Fprintf(&dots, `<circle class="c%s" cx="%s" cy="%s" r="2.5"/>`, class, num(x), num(y))
		}
		last, pen = at, "L"
	}
	fmt.Fprintf(b, `<path class="o%s" fill="none" stroke-width="2" stroke-linejoin="round" d="%s"/>`, class, path.String())
	if points <= plotDots {
		b.WriteString(dots.String())
	}
}
