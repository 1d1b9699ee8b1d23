package metrics

import "parlance/algo/metrics/significance"

// table is the counts of the units of metrics that were scored on the same units, for one
// model or for two: columns for each different list of statistics.
type table struct {
	units   int
	ends    [2][]int32 // of the documents under either model, nil where a unit is a document or units stay apart
	sources []source
	width   int // columns of all sources
	known   map[[2]*float32]int
	scores  []formula
	of      []int // number of the metric of each score
}

// source is the statistics of the units under two models; no units are zeros.
type source struct {
	sides     [2]Units
	at, width int // its columns
}

// formula computes a metric from the sums of its sources.
type formula struct {
	mean  bool // of the parts that have any count, one value each
	parts []part
	one   part // where mean is not set
}

// part is a combination of the sums of a source.
type part struct {
	combine   *Combine
	source    int
	at, width int // columns of the source, once all are known
}

// tables divides n metrics, or pairs of them, by the number of their units. Pairs whose units
// differ are left out, and so is what keeps no units, or has parts over units of several kinds.
func tables(n int, pair func(int) (a, b Metric), sentences bool) []*table {
	var out []*table
	for i := range n {
		a, b := pair(i)
		units, ends := a.unitsWith(b, sentences)
		if units == 0 || a.Combine == Resample || b.Combine == Resample || a.mixed() || b.mixed() {
			continue
		}
		var t *table
		for _, x := range out {
			if x.units == units && sameEnds(x.ends[0], ends[0]) && sameEnds(x.ends[1], ends[1]) {
				t = x
			}
		}
		if t == nil {
			t = &table{units: units, ends: ends, known: map[[2]*float32]int{}}
			out = append(out, t)
		}
		t.add(i, a, b)
	}
	for _, t := range out {
		t.layout()
	}
	return out
}

func sameEnds(a, b []int32) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0] || equalEnds(a, b))
}

func equalEnds(a, b []int32) bool {
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// shape returns the number of scored units of a metric and where documents end.
func (m Metric) shape() (units int, ends []int32) {
	if m.Combine == MeanOf {
		for _, p := range m.Parts {
			if units, ends = p.shape(); units > 0 {
				break
			}
		}
		return units, ends
	}
	return m.Units.Len(), m.Ends
}

// mixed reports whether the parts of a mean were scored on different units, so that none can be drawn for all.
func (m Metric) mixed() bool {
	if m.Combine != MeanOf || len(m.Parts) == 0 {
		return false
	}
	units, ends := m.shape()
	for _, p := range m.Parts {
		n, e := p.shape()
		if n > 0 && (n != units || !sameEnds(e, ends)) || p.mixed() {
			return true
		}
	}
	return false
}

// unitsWith returns how many units two metrics share, and where the documents of each end if units
// are to be added up. A second metric without anything is none.
func (m Metric) unitsWith(o Metric, sentences bool) (int, [2][]int32) {
	units, ends := m.shape()
	others, otherEnds := o.shape()
	switch {
	case units == 0:
		units, ends = others, otherEnds
	case others == 0:
		otherEnds = ends
	case len(ends) != len(otherEnds), ends == nil && units != others:
		return 0, [2][]int32{}
	}
	if ends == nil || sentences && (others == 0 || others == units) {
		return units, [2][]int32{}
	}
	return len(ends), [2][]int32{ends, otherEnds}
}

// add appends a metric as a score. A metric that one model lacks is combined as that of the other.
func (t *table) add(i int, a, b Metric) {
	of := a
	if n, _ := a.shape(); n == 0 {
		of = b
	}
	f := formula{mean: of.Combine == MeanOf}
	if f.mean {
		f.parts = t.parts(a, b)
	} else {
		f.one = t.part(of, a, b)
	}
	t.scores, t.of = append(t.scores, f), append(t.of, i)
}

// parts pairs the parts of two means by label.
func (t *table) parts(a, b Metric) (out []part) {
	other := map[string]Metric{}
	for _, p := range b.Parts {
		other[p.Label] = p
	}
	for _, p := range a.Parts {
		out = append(out, t.part(p, p, other[p.Label]))
		delete(other, p.Label)
	}
	for _, p := range b.Parts {
		if _, left := other[p.Label]; left {
			out = append(out, t.part(p, Metric{}, p))
		}
	}
	return out
}

// part is the combination of a metric over the statistics of two.
func (t *table) part(of, a, b Metric) part {
	c := of.combine()
	return part{combine: c, source: t.source(a.Units, b.Units, c.width)}
}

// source returns the number of the statistics of two metrics of which width are read.
func (t *table) source(a, b Units, width int) int {
	key := [2]*float32{a.first(), b.first()}
	k, ok := t.known[key]
	if !ok {
		k = len(t.sources)
		t.known[key] = k
		t.sources = append(t.sources, source{sides: [2]Units{a, b}})
	}
	s := &t.sources[k]
	s.width = max(s.width, a.width, b.width, width)
	return k
}

// layout gives every source its columns.
func (t *table) layout() {
	for k := range t.sources {
		t.sources[k].at = t.width
		t.width += t.sources[k].width
	}
	for i := range t.scores {
		f := &t.scores[i]
		for k := range f.parts {
			f.parts[k].place(t.sources)
		}
		if !f.mean {
			f.one.place(t.sources)
		}
	}
}

func (p *part) place(sources []source) { p.at, p.width = sources[p.source].at, sources[p.source].width }

// counts returns the counts of one side.
func (t *table) counts(side int) *significance.Counts {
	out := significance.NewCounts(t.width)
	row := make([]float64, t.width)
	for i := range t.units {
		clear(row)
		t.row(side, i, row)
		out.Add(row)
	}
	return out
}

// joint returns the counts of both sides beside each other.
func (t *table) joint() *significance.Counts {
	n := t.width
	out := significance.NewCounts(2 * n)
	row := make([]float64, 2*n)
	for i := range t.units {
		clear(row)
		t.row(0, i, row[:n])
		t.row(1, i, row[n:])
		out.Add(row)
	}
	return out
}

// row adds up the statistics of a unit.
func (t *table) row(side, unit int, row []float64) {
	from, to := unit, unit+1
	if ends := t.ends[side]; ends != nil {
		from, to = 0, int(ends[unit])
		if unit > 0 {
			from = int(ends[unit-1])
		}
	}
	for k := range t.sources {
		s := &t.sources[k]
		if u := s.sides[side]; u.Len() > 0 {
			u.add(from, to, row[s.at:s.at+s.width])
		}
	}
}

// score computes all scores of one side.
func (t *table) score(sums, out []float64) {
	for i := range t.scores {
		out[i] = t.scores[i].of(sums)
	}
}

// differences computes the scores of the first side less those of the second, from joint counts.
func (t *table) differences(sums, out []float64) {
	n := t.width
	for i := range t.scores {
		f := &t.scores[i]
		out[i] = f.of(sums[:n]) - f.of(sums[n:])
	}
}

func (f *formula) of(sums []float64) float64 {
	if !f.mean {
		return f.one.of(sums)
	}
	total, n := 0.0, 0
	for i := range f.parts {
		p := &f.parts[i]
		if !zero(sums[p.at : p.at+p.width]) {
			total += p.of(sums)
			n++
		}
	}
	return ratio(total, float64(n))
}

func (p *part) of(sums []float64) float64 { return p.combine.of(sums[p.at : p.at+p.width]) }

func zero(list []float64) bool {
	for _, v := range list {
		if v != 0 {
			return false
		}
	}
	return true
}
