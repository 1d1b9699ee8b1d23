package pcfg

import (
	"math"

	"parlance/algo/numeric/buffer"
)

// lift is what each word's weights are multiplied by after the largest became 1, so that probabilities of long spans
// stay numbers: about what a word costs.
const lift = 100

// cells numbers the spans of n tokens: [i, j) is at i·(n+1)+j.
type cells int

func (n cells) at(i, j int) int { return i*int(n+1) + j }
func (n cells) size() int       { return int(n+1) * int(n+1) }

// coarsePass sums the coarse grammar over all spans: inside and outside, for symbols at the top and at the bottom of
// chains. Rows of spans have an entry for each coarse symbol.
type coarsePass struct {
	g                          *coarse
	n                          cells
	top, bottom, oTop, oBottom []float64
	active                     []int32 // symbols at the top, by span, size each
	count                      []int32
	z                          float64
	topAllowed, bottomAllowed  []bool
	anyTop                     []bool
	ended                      func() bool
}

func (p *coarsePass) row(list []float64, cell int) []float64 {
	return list[cell*p.g.Size : (cell+1)*p.g.Size]
}

// run fills all; false if no tree has a probability, or the work is to end. tags are those of each token.
func (p *coarsePass) run(g *coarse, of []int32, tags [][]tagged) bool {
	p.g, p.n = g, cells(len(tags))
	size := p.n.size() * g.Size
	for _, list := range []*[]float64{&p.top, &p.bottom, &p.oTop, &p.oBottom} {
		*list = buffer.Resize(*list, size)
		clear(*list)
	}
	p.active, p.count = buffer.Resize(p.active, size), buffer.Resize(p.count, p.n.size())
	clear(p.count)
	n := int(p.n)
	for i, list := range tags {
		most := math.Inf(-1)
		for _, t := range list {
			most = max(most, t.weight)
		}
		row := p.row(p.bottom, p.n.at(i, i+1))
		for _, t := range list { // the symbols of a coarse one share its weight as they share its tag
			row[of[t.symbol]] = max(row[of[t.symbol]], lift*math.Exp(t.weight-most))
		}
		p.chains(p.n.at(i, i+1))
	}
	for w := 2; w <= n; w++ {
		if p.ended() {
			return false
		}
		for i := 0; i+w <= n; i++ {
			p.inside(i, i+w)
		}
	}
	p.z = p.row(p.top, p.n.at(0, n))[g.root]
	return p.z > 0 && !math.IsInf(p.z, 1) && p.outside()
}

// chains sums symbols at the top of a span.
func (p *coarsePass) chains(cell int) {
	top, bottom := p.row(p.top, cell), p.row(p.bottom, cell)
	for s, whole := range p.g.Whole {
		if !whole {
			top[s] = bottom[s]
		}
	}
	for _, c := range p.g.Chains {
		top[c.Top] += c.P * bottom[c.Bottom]
	}
	list := p.active[cell*p.g.Size:]
	k := 0
	for s, x := range top {
		if x > 0 {
			list[k] = int32(s)
			k++
		}
	}
	p.count[cell] = int32(k)
}

func (p *coarsePass) inside(i, j int) {
	cell := p.n.at(i, j)
	bottom := p.row(p.bottom, cell)
	for k := i + 1; k < j; k++ {
		a, b := p.n.at(i, k), p.n.at(k, j)
		if p.count[a] == 0 || p.count[b] == 0 {
			continue
		}
		left, right := p.row(p.top, a), p.row(p.top, b)
		for _, l := range p.active[a*p.g.Size : a*p.g.Size+int(p.count[a])] {
			x := left[l]
			for _, r := range p.g.Rules[p.g.first[l]:p.g.first[l+1]] {
				bottom[r.Parent] += x * r.P * right[r.Right]
			}
		}
	}
	p.chains(cell)
}

// outside is inside backwards. Spans whose outside weight is nothing are passed over.
func (p *coarsePass) outside() bool {
	n := int(p.n)
	p.row(p.oTop, p.n.at(0, n))[p.g.root] = 1
	for w := n; w >= 1; w-- {
		if p.ended() {
			return false
		}
		for i := 0; i+w <= n; i++ {
			p.spread(i, i+w)
		}
	}
	return true
}

func (p *coarsePass) spread(i, j int) {
	cell := p.n.at(i, j)
	if p.count[cell] == 0 {
		return
	}
	oTop, oBottom, bottom := p.row(p.oTop, cell), p.row(p.oBottom, cell), p.row(p.bottom, cell)
	for s, whole := range p.g.Whole {
		if !whole {
			oBottom[s] = oTop[s]
		}
	}
	for _, c := range p.g.Chains {
		oBottom[c.Bottom] += c.P * oTop[c.Top]
	}
	least, any := 1e-12*p.z, false // what matters less is no reason to look into a span
	for s, o := range oBottom {
		if o*bottom[s] < least {
			oBottom[s] = 0
		} else {
			any = true
		}
	}
	for k := i + 1; any && k < j; k++ {
		a, b := p.n.at(i, k), p.n.at(k, j)
		if p.count[a] == 0 || p.count[b] == 0 {
			continue
		}
		left, right := p.row(p.top, a), p.row(p.top, b)
		oLeft, oRight := p.row(p.oTop, a), p.row(p.oTop, b)
		for _, l := range p.active[a*p.g.Size : a*p.g.Size+int(p.count[a])] {
			x, sum := left[l], 0.0
			for _, r := range p.g.Rules[p.g.first[l]:p.g.first[l+1]] {
				o := oBottom[r.Parent] * r.P
				sum += o * right[r.Right]
				oRight[r.Right] += o * x
			}
			oLeft[l] += sum
		}
	}
}

// allow keeps symbols whose probability in a span is at least a threshold; 0 keeps all that have one.
func (p *coarsePass) allow(threshold float64) {
	size := p.n.size() * p.g.Size
	p.topAllowed, p.bottomAllowed = buffer.Resize(p.topAllowed, size), buffer.Resize(p.bottomAllowed, size)
	p.anyTop = buffer.Resize(p.anyTop, p.n.size())
	clear(p.anyTop)
	least := threshold * p.z
	for i := range int(p.n) {
		for j := i + 1; j <= int(p.n); j++ {
			cell := p.n.at(i, j)
			for k := cell * p.g.Size; k < (cell+1)*p.g.Size; k++ {
				x, y := p.top[k]*p.oTop[k], p.bottom[k]*p.oBottom[k]
				p.topAllowed[k] = x >= least && p.top[k] > 0
				p.bottomAllowed[k] = y >= least && p.bottom[k] > 0
				p.anyTop[cell] = p.anyTop[cell] || p.topAllowed[k]
			}
		}
	}
}
