package semimarkov

// Rows is attributes of items in rows of compressed indices: item i has Attrs[Offsets[i]:Offsets[i+1]]. The first
// offset need not be 0. The zero value has no attributes.
type Rows struct {
	Offsets []uint32
	Attrs   []uint32
	Values  []float32 // of Attrs; nil: all are 1
}

// Each calls f with the attributes of item i.
func (r *Rows) Each(i int, f func(attr uint32, value float64)) {
	if len(r.Offsets) == 0 {
		return
	}
	for k := r.Offsets[i]; k < r.Offsets[i+1]; k++ {
		v := 1.0
		if r.Values != nil {
			v = float64(r.Values[k])
		}
		f(r.Attrs[k], v)
	}
}

// Whole is an attribute of the segment from Start to End.
type Whole struct {
	Start, End int32
	Attr       uint32
}

// Sequence is one sequence of N positions with its attributes. Token, Begin, End and Whole share one numbering of
// attributes, that of weights by label; Edge has the numbering of weights by pairs of labels.
type Sequence struct {
	N                       int
	Token, Begin, End, Edge Rows
	Whole                   []Whole // by rising Start, then End
}

// Segment is positions Start to End, the latter not included, with a label.
type Segment struct{ Start, End, Label int32 }

// before tells whether an attribute comes before those of a segment.
func (w Whole) before(start, end int32) bool {
	return w.Start < start || w.Start == start && w.End < end
}

// of tells whether it is one of a segment.
func (w Whole) of(start, end int32) bool { return w.Start == start && w.End == end }

// Data is sequences for training. Gold of a sequence is its segments, which cover it; nil where they are unknown.
type Data struct {
	Sequences        []Sequence
	Gold             [][]Segment
	Attributes       int // attributes by label
	EdgeAttributes   int // attributes by pair of labels
	LengthAttributes int // the last ones by label: of segments of 1, 2, … positions, longer ones share the last
}

// lengthAttr is the attribute of the length of segments, false for none.
func lengthAttr(attributes, lengths, n int) (uint32, bool) {
	if lengths == 0 {
		return 0, false
	}
	return uint32(attributes - lengths + min(n, lengths) - 1), true
}

// eachAttribute calls f with the attributes of a segment, that of its length among them.
func (s *Sequence) eachAttribute(g Segment, attributes, lengths int, f func(attr uint32, v float64)) {
	for t := g.Start; t < g.End; t++ {
		s.Token.Each(int(t), f)
	}
	s.Begin.Each(int(g.Start), f)
	s.End.Each(int(g.End)-1, f)
	if a, ok := lengthAttr(attributes, lengths, int(g.End-g.Start)); ok {
		f(a, 1)
	}
	for _, w := range s.wholes(g.Start, g.End) {
		f(w.Attr, 1)
	}
}

// visit calls f with every attribute and label, pair with every pair of labels and edge with every attribute and
// pair, of a segmentation.
func (d *Data) visit(s *Sequence, gold []Segment, f func(attr uint32, label int32, v float64),
	pair func(from, to int32), edge func(attr uint32, from, to int32, v float64)) {
	for i, g := range gold {
		s.eachAttribute(g, d.Attributes, d.LengthAttributes, func(attr uint32, v float64) { f(attr, g.Label, v) })
		if i > 0 {
			from := gold[i-1].Label
			pair(from, g.Label)
			s.Edge.Each(int(g.Start), func(attr uint32, v float64) { edge(attr, from, g.Label, v) })
		}
	}
}

// wholes returns the attributes of a segment.
func (s *Sequence) wholes(start, end int32) []Whole {
	lo, hi := 0, len(s.Whole)
	for lo < hi {
		if mid := (lo + hi) / 2; s.Whole[mid].before(start, end) {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	for hi = lo; hi < len(s.Whole) && s.Whole[hi].of(start, end); {
		hi++
	}
	return s.Whole[lo:hi]
}
