package semimarkov

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"parlance/algo/numeric/optimize"
)

// segmentations lists all segmentations of n positions.
func segmentations(l *Labels, n, longest int) [][]Segment {
	var out [][]Segment
	var grow func(path []Segment, at int32)
	grow = func(path []Segment, at int32) {
		if k := len(path) - 1; int(at) == n {
			if l.NoStart != nil && l.NoStart[path[0].Label] || l.NoEnd != nil && l.NoEnd[path[k].Label] {
				return
			}
			out = append(out, append([]Segment{}, path...))
			return
		}
		for end := at + 1; int(end) <= min(n, int(at)+longest); end++ {
			for y := range int32(l.N) {
				if l.unit(int(y)) && end > at+1 {
					continue
				}
				if k := len(path); k > 0 && l.Forbid != nil && l.Forbid[int(path[k-1].Label)*l.N+int(y)] {
					continue
				}
				grow(append(path, Segment{at, end, y}), end)
			}
		}
	}
	grow(nil, 0)
	return out
}

// plain is the score of a segmentation, attribute by attribute, with what extra adds.
func plain(l *Layout, s *Sequence, w []float64, path []Segment, x *Extra) float64 {
	d := &Data{Sequences: []Sequence{*s}, Gold: [][]Segment{path}, Attributes: l.States.Attributes(),
		EdgeAttributes: l.Edges.Attributes(), LengthAttributes: l.Lengths}
	counts := make([]float64, l.Size())
	l.AddGold(d, 0, 1, counts)
	sum := optimize.Dot(counts, w)
	if x == nil {
		return sum
	}
	n := int32(l.Labels.N)
	for _, g := range path {
		for t := g.Start; t < g.End; t++ {
			sum += x.Token[t*n+g.Label]
		}
		if sum += x.Length[(g.End-g.Start-1)*n+g.Label]; g.End == g.Start+1 {
			sum += x.Unit[g.Start*n+g.Label]
		}
	}
	return sum
}

type instance struct {
	layout *Layout
	data   *Data
	w      []float64
}

// random makes a small instance with every sort of attribute.
func random(t *testing.T, r *rand.Rand, scale float64) instance {
	t.Helper()
	n := 1 + r.IntN(3)
	labels := Labels{N: n, Unit: make([]bool, n)}
	if r.IntN(2) == 0 {
		labels.Parent = make([]int32, n)
		for y := range n {
			labels.Parent[y] = int32(r.IntN(y+1)) - 1
		}
	}
	labels.Unit[n-1] = n > 1 && r.IntN(2) == 0
	if n > 2 && r.IntN(2) == 0 {
		labels.Forbid = make([]bool, n*n)
		labels.Forbid[1] = true
	}
	if n > 2 && r.IntN(2) == 0 { // another label is always free
		labels.NoStart, labels.NoEnd = make([]bool, n), make([]bool, n)
		labels.NoStart[1], labels.NoEnd[0] = true, true
	}
	l, err := NewLabels(labels)
	if err != nil {
		t.Fatal(err)
	}
	longest := 1 + r.IntN(3)
	d := &Data{Attributes: 7, EdgeAttributes: 2, LengthAttributes: r.IntN(3)}
	rows := func(n, attrs int) Rows {
		out := Rows{Offsets: []uint32{0}}
		for range n {
			for range r.IntN(3) {
				out.Attrs, out.Values = append(out.Attrs, uint32(r.IntN(attrs))), append(out.Values,
					float32(r.NormFloat64()))
			}
			out.Offsets = append(out.Offsets, uint32(len(out.Attrs)))
		}
		return out
	}
	for range 2 {
		n := 1 + r.IntN(5)
		s := Sequence{N: n, Token: rows(n, 5), Begin: rows(n, 5), End: rows(n, 5), Edge: rows(n, 2)}
		for a := range int32(n) {
			if b := a + 1 + int32(r.IntN(longest)); int(b) <= n {
				s.Whole = append(s.Whole, Whole{a, b, uint32(r.IntN(5))})
			}
		}
		all := segmentations(l, n, longest)
		d.Sequences, d.Gold = append(d.Sequences, s), append(d.Gold, all[r.IntN(len(all))])
	}
	lay, err := NewLayout(d, l, longest, Features{AllStates: r.IntN(2) == 0, AllPairs: r.IntN(2) == 0,
		AllEdges: r.IntN(2) == 0})
	if err != nil {
		t.Fatal(err)
	}
	w := make([]float64, lay.Size())
	for i := range w {
		w[i] = scale * r.NormFloat64()
	}
	return instance{lay, d, w}
}

func extra(r *rand.Rand, l *Layout, n int, scale float64) *Extra {
	fill := func(k int) []float64 {
		v := make([]float64, k)
		for i := range v {
			v[i] = scale * r.NormFloat64()
		}
		return v
	}
	return &Extra{Token: fill(n * l.Labels.N), Unit: fill(n * l.Labels.N), Length: fill(l.Longest * l.Labels.N)}
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-8*math.Max(1, math.Abs(b)) }

// TestEnumeration compares log Z, marginals and the best segmentation with all segmentations.
func TestEnumeration(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		scale := []float64{1, 800}[seed%2]
		in := random(t, r, scale)
		c := NewChart(in.layout)
		if err := c.SetWeights(in.w); err != nil {
			t.Fatal(err)
		}
		for i := range in.data.Sequences {
			s := &in.data.Sequences[i]
			x := extra(r, in.layout, s.N, scale)
			if err := c.Load(context.Background(), s, x, nil); err != nil {
				t.Fatal(err)
			}
			compare(t, in, c, s, x)
		}
	}
}

func compare(t *testing.T, in instance, c *Chart, s *Sequence, x *Extra) {
	t.Helper()
	l, n := in.layout.Labels, in.layout.Labels.N
	all := segmentations(l, s.N, in.layout.Longest)
	hi := math.Inf(-1)
	scores := make([]float64, len(all))
	for i, path := range all {
		scores[i] = plain(in.layout, s, in.w, path, x)
		hi = max(hi, scores[i])
	}
	z := 0.0
	for _, v := range scores {
		z += math.Exp(v - hi)
	}
	e := c.Expect()
	if !near(e.LogZ, hi+math.Log(z)) {
		t.Fatalf("log Z %g, want %g", e.LogZ, hi+math.Log(z))
	}
	token, begin, end, unit := make([]float64, s.N*n), make([]float64, s.N*n), make([]float64, s.N*n), make([]float64,
		s.N*n)
	length, pair := make([]float64, in.layout.Longest*n), make([]float64, n*n)
	for i, path := range all {
		p := math.Exp(scores[i] - e.LogZ)
		for k, g := range path {
			for u := int(g.Start); u < int(g.End); u++ {
				token[u*n+int(g.Label)] += p
			}
			begin[int(g.Start)*n+int(g.Label)] += p
			end[int(g.End-1)*n+int(g.Label)] += p
			length[int(g.End-g.Start-1)*n+int(g.Label)] += p
			if g.End == g.Start+1 {
				unit[int(g.Start)*n+int(g.Label)] += p
			}
			if k > 0 {
				pair[int(path[k-1].Label)*n+int(g.Label)] += p
			}
		}
	}
	for name, v := range map[string][2][]float64{"token": {e.Token, token}, "begin": {e.Begin, begin},
		"end": {e.End, end}, "unit": {e.Unit, unit}, "length": {e.Length, length}, "pair": {e.Pair, pair}} {
		for i := range v[1] {
			if math.Abs(v[0][i]-v[1][i]) > 1e-8 {
				t.Fatalf("%s %d: %g, want %g", name, i, v[0][i], v[1][i])
			}
		}
	}
	if _, best, err := c.Best(nil); err != nil || !near(best, hi) {
		t.Fatalf("best score %g, %v, want %g", best, err, hi)
	}
}

// TestGradient compares the gradient of the likelihood with differences.
func TestGradient(t *testing.T) {
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 2))
		in := random(t, r, 1)
		o := &Objective{Layout: in.layout, Sequences: in.data.Sequences, Observed: Observe(in.layout, in.data),
			L2: 0.3, Workers: 1}
		grad, scratch := make([]float64, len(in.w)), make([]float64, len(in.w))
		if _, err := o.Eval(context.Background(), in.w, grad); err != nil {
			t.Fatal(err)
		}
		for i := range in.w {
			const h = 1e-5
			v := [2]float64{}
			for k, step := range []float64{h, -h} {
				w := append([]float64{}, in.w...)
				w[i] += step
				v[k], _ = o.Eval(context.Background(), w, scratch)
			}
			if d := (v[0] - v[1]) / (2 * h); math.Abs(d-grad[i]) > 1e-5*max(1, math.Abs(d)) {
				t.Fatalf("seed %d, weight %d: gradient %g, difference %g", seed, i, grad[i], d)
			}
		}
	}
}

// hotels is three words with labels C and O: attributes san, francisco, hotels, lengths 1 and 2, and "san francisco".
func hotels(t *testing.T) (*Layout, *Sequence, []float64) {
	t.Helper()
	l, err := NewLabels(Labels{N: 2})
	if err != nil {
		t.Fatal(err)
	}
	s := Sequence{N: 3, Token: Rows{Offsets: []uint32{0, 1, 2, 3}, Attrs: []uint32{0, 1, 2}}, Whole: []Whole{{0, 2, 3}}}
	d := &Data{Sequences: []Sequence{s}, Gold: [][]Segment{nil}, Attributes: 6, LengthAttributes: 2}
	lay, err := NewLayout(d, l, 2, Features{AllStates: true, AllPairs: true})
	if err != nil {
		t.Fatal(err)
	}
	const C, O = 0, 1
	w := make([]float64, lay.Size())
	w[0*2+C], w[1*2+C], w[2*2+O] = 1, 0.5, 1
	w[3*2+C] = 0.7
	w[5*2+C], w[5*2+O] = 0.8, -1
	w[12+C*2+O], w[12+O*2+C] = 0.3, 0.2
	return lay, &s, w
}

// TestHotels has worked numbers: 16 segmentations of three words.
func TestHotels(t *testing.T) {
	lay, s, w := hotels(t)
	c := NewChart(lay)
	if err := c.SetWeights(w); err != nil {
		t.Fatal(err)
	}
	if err := c.Load(context.Background(), s, nil, nil); err != nil {
		t.Fatal(err)
	}
	e := c.Expect()
	segments := 0.0
	for _, p := range e.Length {
		segments += p
	}
	best, score, _ := c.Best(nil)
	got := []float64{e.LogZ, score, math.Exp(score - e.LogZ), e.Token[0], e.Token[2], e.Token[4], segments, e.Unit[0],
		e.Unit[1], e.Unit[2], e.Unit[3], e.Unit[4], e.Unit[5]}
	want := []float64{5.094269, 4.3, .451912, .875687, .849684, .289355, 2.298770, .300615, .115426, .185972, .112798,
		.200714, .682014}
	for i := range want {
		if math.Abs(got[i]-want[i]) > 1e-6 {
			t.Errorf("number %d: %.6f, want %.6f", i, got[i], want[i])
		}
	}
	if len(best) != 2 || best[0] != (Segment{0, 2, 0}) || best[1] != (Segment{2, 3, 1}) {
		t.Errorf("best %v", best)
	}
}

// TestTaxonomy: a weight of a label counts for those below it, and not the other way round.
func TestTaxonomy(t *testing.T) {
	l, err := NewLabels(Labels{N: 3, Parent: []int32{-1, 0, 0}})
	if err != nil {
		t.Fatal(err)
	}
	d := &Data{Sequences: []Sequence{{N: 1, Token: Rows{Offsets: []uint32{0, 1}, Attrs: []uint32{0}}}},
		Gold: [][]Segment{nil}, Attributes: 1}
	lay, _ := NewLayout(d, l, 1, Features{AllStates: true})
	c := NewChart(lay)
	if err := c.SetWeights([]float64{1, 0.5, 0}); err != nil {
		t.Fatal(err)
	}
	if err := c.Load(context.Background(), &d.Sequences[0], nil, nil); err != nil {
		t.Fatal(err)
	}
	for y, want := range []float64{1, 1.5, 1} {
		if got := c.Spans()[y].Score; got != want {
			t.Errorf("label %d scores %g, want %g", y, got, want)
		}
	}
	if _, err := NewLabels(Labels{N: 2, Parent: []int32{1, 0}}); err == nil {
		t.Error("a circle is accepted")
	}
}

// TestTooLong: a sequence that would fill the memory is refused.
func TestTooLong(t *testing.T) {
	lay, _, w := hotels(t)
	c := NewChart(lay)
	if err := c.SetWeights(w); err != nil {
		t.Fatal(err)
	}
	if err := c.Load(context.Background(), &Sequence{N: 1 << 24}, nil, nil); !errors.Is(err, ErrInvalid) {
		t.Errorf("%v, want ErrInvalid", err)
	}
}
