package semimarkov

import (
	"context"
	"fmt"
	"math"

	"parlance/algo/engine/lattice"
	"parlance/algo/numeric/buffer"
)

// Extra is scores beside those of the weights. Slices may be nil.
type Extra struct {
	Token  []float64 // position·N + label, of each position of a segment
	Unit   []float64 // position·N + label, of segments of that position alone
	Length []float64 // (length−1)·N + label, of segments of a length
}

// Chart scores one sequence after the other under weights. It belongs to one goroutine; what it returns holds until the
// next Load.
type Chart struct {
	layout *Layout
	w      []float64
	graph  *lattice.Lattice
	length []float64 // (d−1)·N + label
	pairs  []float64 // from·N + to, without what edges add
	edges  bool

	seq        *Sequence
	token      []float64 // position·N + label: Σ of the positions before, with taxonomy and extra
	begin, end []float64
	row, whole []float64
	spans      []lattice.Span
	at         int       // position that edge is of
	edge       []float64 // from·N + to
	expected   Expected
}

// NewChart returns a chart without weights.
func NewChart(l *Layout) *Chart {
	n := l.Labels.N
	return &Chart{layout: l, row: make([]float64, n), whole: make([]float64, n), edge: make([]float64, n*n),
		length: make([]float64, l.Longest*n), edges: len(l.Edges.Cols) > 0}
}

// SetWeights takes over the weights, which the caller may change before the next SetWeights if lengths and pairs stay.
func (c *Chart) SetWeights(w []float64) error {
	l := c.layout
	if len(w) != l.Size() {
		return fmt.Errorf("%w: %d weights, want %d", ErrInvalid, len(w), l.Size())
	}
	c.w = w
	n := l.Labels.N
	clear(c.length)
	for d := range l.Longest {
		row := c.length[d*n:][:n]
		if a, ok := lengthAttr(l.States.Attributes(), l.Lengths, d+1); ok {
			c.add(row, a, 1)
		}
		l.Labels.inherit(row)
	}
	_, pairs, _ := l.split(w)
	c.pairs = make([]float64, n*n) // the transitions keep it
	for k, p := range l.Pairs {
		c.pairs[p] = pairs[k]
	}
	l.Labels.inheritPairs(c.pairs)
	for p := range c.pairs {
		if l.Labels.Forbid != nil && l.Labels.Forbid[p] {
			c.pairs[p] = math.Inf(-1)
		}
	}
	scores := lattice.Scores{Labels: n, Pair: c.pairs, Start: barred(l.Labels.NoStart), End: barred(l.Labels.NoEnd)}
	if c.edges {
		scores.More = c.more
	}
	t, err := lattice.NewTransitions(scores)
	if err != nil {
		return err
	}
	if c.graph == nil {
		c.graph = lattice.New(t)
	} else {
		c.graph.Use(t)
	}
	return nil
}

// add adds the weights of an attribute to a row of labels.
func (c *Chart) add(row []float64, attr uint32, value float64) {
	cols, first := c.layout.States.Row(attr)
	w := c.w[first:]
	for i, y := range cols {
		row[y] += value * w[i]
	}
}

// more adds the weights of edges at a position.
func (c *Chart) more(at int, from []int32, to int32, scores []float64) {
	if to < 0 || from[0] < 0 { // the ends of the sequence
		return
	}
	n := c.layout.Labels.N
	if c.at != at {
		c.at = at
		clear(c.edge)
		_, _, weights := c.layout.split(c.w)
		c.seq.Edge.Each(at, func(attr uint32, v float64) {
			cols, first := c.layout.Edges.Row(attr)
			for i, p := range cols {
				c.edge[p] += v * weights[first+i]
			}
		})
		c.layout.Labels.inheritPairs(c.edge)
	}
	for i, y := range from {
		scores[i] += c.edge[int(y)*n+int(to)]
	}
}

// maxSpans bounds the segments of a sequence, some 60 bytes each.
const maxSpans = 1 << 25

// checkSpans is how many spans are made between looks at the context.
const checkSpans = 1 << 14

// Load scores all segments of a sequence. x may be nil. must, if not empty, are segments that every path has.
func (c *Chart) Load(ctx context.Context, s *Sequence, x *Extra, must []lattice.Bracket) error {
	if n := float64(s.N) * float64(min(s.N, c.layout.Longest)) * float64(c.layout.Labels.N); n > maxSpans {
		return fmt.Errorf("%w: a sequence of %d positions has %.0f segments of up to %d with %d labels, more than %d; cut it",
			ErrInvalid, s.N, n, c.layout.Longest, c.layout.Labels.N, maxSpans)
	}
	c.seq, c.at = s, -1
	c.states(s, x)
	if err := c.segments(ctx, s, x); err != nil {
		return err
	}
	var rules *lattice.Constraints
	if len(must) > 0 {
		rules = &lattice.Constraints{Must: must}
	}
	return c.graph.Load(s.N, c.spans, rules)
}

// states sums up the weights of the attributes of positions.
func (c *Chart) states(s *Sequence, x *Extra) {
	labels, n := c.layout.Labels, c.layout.Labels.N
	c.token, c.begin, c.end = buffer.Zeros(c.token, (s.N+1)*n), buffer.Zeros(c.begin, s.N*n), buffer.Zeros(c.end, s.N*n)
	fill := func(row []float64, r *Rows, t int) {
		r.Each(t, func(attr uint32, v float64) { c.add(row, attr, v) })
		labels.inherit(row)
	}
	for t := range s.N {
		before, row := c.token[t*n:][:n], c.token[(t+1)*n:][:n]
		fill(row, &s.Token, t)
		if x != nil && x.Token != nil {
			addRow(row, x.Token[t*n:][:n])
		}
		addRow(row, before)
		fill(c.begin[t*n:][:n], &s.Begin, t)
		fill(c.end[t*n:][:n], &s.End, t)
	}
}

// segments lists all segments with their scores.
func (c *Chart) segments(ctx context.Context, s *Sequence, x *Extra) error {
	l, n := c.layout.Labels, c.layout.Labels.N
	c.spans = c.spans[:0]
	next, look := 0, checkSpans
	for start := range s.N {
		if len(c.spans) > look {
			look = len(c.spans) + checkSpans
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		before, begin := c.token[start*n:][:n], c.begin[start*n:][:n]
		for end := start + 1; end <= min(s.N, start+c.layout.Longest); end++ {
			d := end - start - 1
			sum, last, length := c.token[end*n:][:n], c.end[(end-1)*n:][:n], c.length[d*n:][:n]
			row := c.row
			for y := range row {
				row[y] = sum[y] - before[y] + begin[y] + last[y] + length[y]
			}
			if x != nil && x.Length != nil {
				addRow(row, x.Length[d*n:][:n])
			}
			if d == 0 && x != nil && x.Unit != nil {
				addRow(row, x.Unit[start*n:][:n])
			}
			next = c.wholes(s, next, int32(start), int32(end))
			for y, v := range row {
				if d == 0 || !l.unit(y) {
					span := lattice.Span{Start: int32(start), End: int32(end), Label: int32(y), Score: v}
					c.spans = append(c.spans, span)
				}
			}
		}
	}
	return nil
}

// wholes adds the weights of the attributes of a segment to the row, and returns the place after them.
func (c *Chart) wholes(s *Sequence, next int, start, end int32) int {
	for next < len(s.Whole) && s.Whole[next].before(start, end) {
		next++
	}
	first := next
	for ; next < len(s.Whole) && s.Whole[next].of(start, end); next++ {
		if next == first {
			clear(c.whole)
		}
		c.add(c.whole, s.Whole[next].Attr, 1)
	}
	if next > first {
		c.layout.Labels.inherit(c.whole)
		addRow(c.row, c.whole)
	}
	return next
}

// Graph returns the graph of the sequence, whose spans are those of Spans.
func (c *Chart) Graph() *lattice.Lattice { return c.graph }

// Spans returns all segments of the sequence.
func (c *Chart) Spans() []lattice.Span { return c.spans }

// Best appends the best segmentation to dst and returns its score; lattice.ErrNoPath if there is none.
func (c *Chart) Best(dst []Segment) ([]Segment, float64, error) {
	p, err := c.graph.Best()
	if err != nil {
		return dst, p.Score, err
	}
	return c.Segments(dst, p), p.Score, nil
}

// Segments appends the segments of a path to dst.
func (c *Chart) Segments(dst []Segment, p lattice.Path) []Segment {
	for _, k := range p.Spans {
		s := c.spans[k]
		dst = append(dst, Segment{s.Start, s.End, s.Label})
	}
	return dst
}
