package chain

import (
	"context"
	"math"
	"slices"
	"sort"

	"parlance/algo/numeric/fastexp"
)

// dense evaluates sequences of one item, such as documents with a label, which have no transitions: weights lie in rows
// of all labels by attribute, 0 where a pair is no feature, so that scores and marginals are sums of whole rows. It
// takes the same sums in the same order as the general path, without a look at the label of each pair.
type dense struct {
	layout *layout
	stride int       // labels, rounded up to a multiple of 4
	w      []float64 // by attribute and label
}

// What rows of all labels may cost: at most denseCells numbers, or denseShare times as many as there are features, and
// denseShare times as many sums as pairs of the data.
const (
	denseCells = 1 << 20
	denseShare = 4
)

// newDense returns nil where the data has transitions, or where most pairs of attribute and label are no features.
func newDense(d *Data, l *layout) *dense {
	for i := range d.Sequences() {
		if d.Offsets[i+1]-d.Offsets[i] > 1 {
			return nil
		}
	}
	stride := (l.labels + 3) &^ 3
	cells, pairs := int64(l.attributes)*int64(stride), int64(0)
	for _, a := range d.Attrs {
		pairs += int64(l.attrStart[a+1] - l.attrStart[a])
	}
	if cells > max(denseCells, denseShare*int64(l.states())) || int64(len(d.Attrs))*int64(stride) > denseShare*pairs {
		return nil
	}
	return &dense{layout: l, stride: stride, w: make([]float64, cells)}
}

// set takes the weights of the features.
func (x *dense) set(w []float64) {
	for a := range x.layout.attributes {
		row := x.w[a*x.stride:]
		for q := x.layout.attrStart[a]; q < x.layout.attrStart[a+1]; q++ {
			row[x.layout.pairLabel[q]] = w[q]
		}
	}
}

// enlarge makes room for the sums of the shard in rows.
func (s *shard) enlarge(x *dense) {
	if x == nil {
		return
	}
	attributes := sort.Search(x.layout.attributes, func(a int) bool { return int(x.layout.attrStart[a]) >= s.limit })
	s.rows = make([]float64, attributes*x.stride)
}

// byRows sets loss and grad of the shard.
func (s *shard) byRows(ctx context.Context, x *dense, d *Data, k *worker) error {
	clear(s.rows)
	s.loss = 0
	k.scores = slices.Grow(k.scores[:0], x.stride)[:x.stride]
	for i := s.first; i < s.last; i++ {
		if i&63 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if d.Offsets[i+1] > d.Offsets[i] {
			s.item(x, d, d.Offsets[i], k.scores)
		}
	}
	s.gather(x)
	return nil
}

// item adds the item of a token; scores has stride places.
func (s *shard) item(x *dense, d *Data, token uint32, scores []float64) {
	from, to := d.AttrOffsets[token], d.AttrOffsets[token+1]
	attrs, values := d.Attrs[from:to], []float32(nil)
	if d.Values != nil {
		values = d.Values[from:to]
	}
	b := 0
	for ; b+4 < x.stride; b += 8 {
		sum8(x.w, x.stride, b, attrs, values, scores)
	}
	if b < x.stride {
		sum4(x.w, x.stride, b, attrs, values, scores)
	}
	labels := scores[:x.layout.labels]
	s.loss += marginals(labels)
	clear(scores[len(labels):])
	b = 0
	for ; b+4 < x.stride; b += 8 {
		add8(s.rows, x.stride, b, attrs, values, scores)
	}
	if b < x.stride {
		add4(s.rows, x.stride, b, attrs, values, scores)
	}
}

// marginals turns scores into probabilities and returns the logarithm of their sum.
func marginals(s []float64) (logZ float64) {
	hi := math.Inf(-1)
	for _, v := range s {
		hi = max(hi, v)
	}
	z := 0.0
	for j, v := range s {
		if d := v - hi; d >= -scoreSpan {
			s[j] = fastexp.Exp(d)
		} else {
			s[j] = math.Exp(d) // 0, or no number
		}
		z += s[j]
	}
	c := 1 / z
	for j := range s {
		s[j] *= c
	}
	return hi + math.Log(z)
}

// sum8 sets eight scores from label b on.
func sum8(w []float64, stride, b int, attrs []uint32, values []float32, scores []float64) {
	var s0, s1, s2, s3, s4, s5, s6, s7 float64
	if values == nil {
		for _, a := range attrs {
			r := (*[8]float64)(w[int(a)*stride+b:])
			s0 += r[0]
			s1 += r[1]
			s2 += r[2]
			s3 += r[3]
			s4 += r[4]
			s5 += r[5]
			s6 += r[6]
			s7 += r[7]
		}
	} else {
		for i, a := range attrs {
			r, v := (*[8]float64)(w[int(a)*stride+b:]), float64(values[i])
			s0 += v * r[0]
			s1 += v * r[1]
			s2 += v * r[2]
			s3 += v * r[3]
			s4 += v * r[4]
			s5 += v * r[5]
			s6 += v * r[6]
			s7 += v * r[7]
		}
	}
	*(*[8]float64)(scores[b:]) = [8]float64{s0, s1, s2, s3, s4, s5, s6, s7}
}

// sum4 sets four.
func sum4(w []float64, stride, b int, attrs []uint32, values []float32, scores []float64) {
	var s0, s1, s2, s3 float64
	if values == nil {
		for _, a := range attrs {
			r := (*[4]float64)(w[int(a)*stride+b:])
			s0 += r[0]
			s1 += r[1]
			s2 += r[2]
			s3 += r[3]
		}
	} else {
		for i, a := range attrs {
			r, v := (*[4]float64)(w[int(a)*stride+b:]), float64(values[i])
			s0 += v * r[0]
			s1 += v * r[1]
			s2 += v * r[2]
			s3 += v * r[3]
		}
	}
	*(*[4]float64)(scores[b:]) = [4]float64{s0, s1, s2, s3}
}

// add8 adds eight marginals from label b on to the rows of attributes.
func add8(g []float64, stride, b int, attrs []uint32, values []float32, scores []float64) {
	p := *(*[8]float64)(scores[b:])
	p0, p1, p2, p3, p4, p5, p6, p7 := p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7]
	if values == nil {
		for _, a := range attrs {
			r := (*[8]float64)(g[int(a)*stride+b:])
			r[0] += p0
			r[1] += p1
			r[2] += p2
			r[3] += p3
			r[4] += p4
			r[5] += p5
			r[6] += p6
			r[7] += p7
		}
		return
	}
	for i, a := range attrs {
		r, v := (*[8]float64)(g[int(a)*stride+b:]), float64(values[i])
		r[0] += v * p0
		r[1] += v * p1
		r[2] += v * p2
		r[3] += v * p3
		r[4] += v * p4
		r[5] += v * p5
		r[6] += v * p6
		r[7] += v * p7
	}
}

// add4 adds four.
func add4(g []float64, stride, b int, attrs []uint32, values []float32, scores []float64) {
	p := *(*[4]float64)(scores[b:])
	p0, p1, p2, p3 := p[0], p[1], p[2], p[3]
	if values == nil {
		for _, a := range attrs {
			r := (*[4]float64)(g[int(a)*stride+b:])
			r[0] += p0
			r[1] += p1
			r[2] += p2
			r[3] += p3
		}
		return
	}
	for i, a := range attrs {
		r, v := (*[4]float64)(g[int(a)*stride+b:]), float64(values[i])
		r[0] += v * p0
		r[1] += v * p1
		r[2] += v * p2
		r[3] += v * p3
	}
}

// gather takes the sums of the features from rows of all labels.
func (s *shard) gather(x *dense) {
	for a := 0; a*x.stride < len(s.rows); a++ {
		row := s.rows[a*x.stride:]
		for q := x.layout.attrStart[a]; q < x.layout.attrStart[a+1]; q++ {
			s.grad[q] = row[x.layout.pairLabel[q]]
		}
	}
}
