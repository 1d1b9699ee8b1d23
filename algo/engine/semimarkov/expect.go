package semimarkov

import (
	"parlance/algo/numeric/buffer"
)

// Expected is the marginals of a sequence: how probable it is that
type Expected struct {
	LogZ   float64
	Token  []float64 // position·N + label: a segment of the label covers the position
	Begin  []float64 // position·N + label: one begins there
	End    []float64 // position·N + label: one ends with it
	Unit   []float64 // position·N + label: one is the position alone
	Length []float64 // (length−1)·N + label: expected number of segments of a length
	Pair   []float64 // from·N + to: expected number of pairs
	Whole  []float64 // place in Sequence.Whole·N + label: the segment has the label
	Edge   []float64 // position·N² + from·N + to: a pair has its boundary there; nil without attributes of edges
}

// Expect returns the marginals of the sequence loaded.
func (c *Chart) Expect() *Expected {
	n, e, s := c.layout.Labels.N, &c.expected, c.seq
	e.LogZ = c.graph.LogZ()
	e.Token, e.Begin, e.End = buffer.Zeros(e.Token, (s.N+1)*n), buffer.Zeros(e.Begin, s.N*n), buffer.Zeros(e.End, s.N*n)
	e.Unit, e.Length = buffer.Zeros(e.Unit, s.N*n), buffer.Zeros(e.Length, c.layout.Longest*n)
	e.Pair, e.Whole = buffer.Zeros(e.Pair, n*n), buffer.Zeros(e.Whole, len(s.Whole)*n)
	next := 0
	for k, p := range c.graph.Probs() {
		if p == 0 {
			continue
		}
		x := &c.spans[k]
		y := int(x.Label)
		e.Begin[int(x.Start)*n+y] += p
		e.End[int(x.End-1)*n+y] += p
		e.Length[int(x.End-x.Start-1)*n+y] += p
		if x.End == x.Start+1 {
			e.Unit[int(x.Start)*n+y] += p
		}
		for next < len(s.Whole) && s.Whole[next].before(x.Start, x.End) {
			next++
		}
		for i := next; i < len(s.Whole) && s.Whole[i].of(x.Start, x.End); i++ {
			e.Whole[i*n+y] += p
		}
	}
	for t := range s.N {
		row := e.Token[t*n:][:n]
		addRow(row, e.Begin[t*n:][:n])
		for y, v := range row { // what goes on after t
			e.Token[(t+1)*n+y] = max(0, v-e.End[t*n+y])
		}
	}
	e.Token = e.Token[:s.N*n]
	c.expectPairs(e)
	return e
}

func (c *Chart) expectPairs(e *Expected) {
	n := c.layout.Labels.N
	if c.edges {
		e.Edge = buffer.Zeros(e.Edge, c.seq.N*n*n)
	}
	for pair, p := range c.graph.PairProbs() {
		if pair.From < 0 || pair.To < 0 {
			continue
		}
		i := int(pair.From)*n + int(pair.To)
		e.Pair[i] += p
		if c.edges {
			e.Edge[int(pair.At)*n*n+i] += p
		}
	}
}

// Indicator is the marginals of one segmentation: 1 for what it has. Pairs and edges are left out.
func Indicator(l *Layout, s *Sequence, path []Segment) *Expected {
	n := l.Labels.N
	e := &Expected{Token: make([]float64, s.N*n), Begin: make([]float64, s.N*n), End: make([]float64, s.N*n),
		Unit: make([]float64, s.N*n), Length: make([]float64, l.Longest*n),
		Pair: make([]float64, n*n), Whole: make([]float64, len(s.Whole)*n)}
	for _, g := range path {
		y := int(g.Label)
		for t := g.Start; t < g.End; t++ {
			e.Token[int(t)*n+y] = 1
		}
		e.Begin[int(g.Start)*n+y], e.End[int(g.End-1)*n+y] = 1, 1
		e.Length[int(g.End-g.Start-1)*n+y]++
		if g.End == g.Start+1 {
			e.Unit[int(g.Start)*n+y] = 1
		}
	}
	return e
}

// Copy makes e the same as another of the sequence.
func (e *Expected) Copy(from *Expected) {
	e.LogZ = from.LogZ
	for _, v := range e.lists(from) {
		*v[0] = append((*v[0])[:0], *v[1]...)
	}
}

// Subtract takes another of the same sequence from e.
func (e *Expected) Subtract(other *Expected) {
	e.LogZ -= other.LogZ
	for _, v := range e.lists(other) {
		for i, x := range *v[1] {
			(*v[0])[i] -= x
		}
	}
}

func (e *Expected) lists(o *Expected) [][2]*[]float64 {
	return [][2]*[]float64{{&e.Token, &o.Token}, {&e.Begin, &o.Begin}, {&e.End, &o.End}, {&e.Unit, &o.Unit},
		{&e.Length, &o.Length}, {&e.Pair, &o.Pair}, {&e.Whole, &o.Whole}, {&e.Edge, &o.Edge}}
}

// EachWeight calls f with each weight that the sequence has and its expectation. It changes e, which is then of no
// other use: labels have what those below them had. A weight may come several times.
func (l *Layout) EachWeight(s *Sequence, e *Expected, f func(weight int, expected float64)) {
	n := l.Labels.N
	attr := func(a uint32, v float64, row []float64) {
		cols, first := l.States.Row(a)
		for i, y := range cols {
			if x := row[y]; x != 0 {
				f(first+i, v*x)
			}
		}
	}
	for t := range s.N {
		for _, part := range []struct {
			rows *Rows
			row  []float64
		}{{&s.Token, e.Token[t*n:][:n]}, {&s.Begin, e.Begin[t*n:][:n]}, {&s.End, e.End[t*n:][:n]}} {
			l.Labels.gather(part.row)
			part.rows.Each(t, func(a uint32, v float64) { attr(a, v, part.row) })
		}
	}
	for d := range l.Longest {
		if a, ok := lengthAttr(l.States.Attributes(), l.Lengths, d+1); ok {
			row := e.Length[d*n:][:n]
			l.Labels.gather(row)
			attr(a, 1, row)
		}
	}
	for i, w := range s.Whole {
		row := e.Whole[i*n:][:n]
		l.Labels.gather(row)
		attr(w.Attr, 1, row)
	}
	l.Labels.gatherPairs(e.Pair)
	for k, p := range l.Pairs {
		if x := e.Pair[p]; x != 0 {
			f(l.firstPair()+k, x)
		}
	}
	if e.Edge == nil {
		return
	}
	for t := range s.N {
		m := e.Edge[t*n*n:][:n*n]
		l.Labels.gatherPairs(m)
		s.Edge.Each(t, func(a uint32, v float64) {
			cols, first := l.Edges.Row(a)
			for i, p := range cols {
				if x := m[p]; x != 0 {
					f(l.firstEdge()+first+i, v*x)
				}
			}
		})
	}
}
