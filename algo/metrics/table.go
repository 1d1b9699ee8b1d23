package metrics

import "parlance/algo/metrics/significance"

// table is the counts of the units of metrics that were scored on the same units, for one
// model or for two: three columns for each different list of statistics.
type table struct {
	units   int
	ends    []int32 // of the documents, nil where a unit is a document or units stay apart
	sources []source
	known   map[[2]*Stat]int
	scores  []formula
	of      []int // number of the metric of each score
}

// source is the statistics of the units under two models; nil are zeros.
type source [2][]Stat

// formula computes a metric from the sums of its sources.
type formula struct {
	combine Combine
	mean    bool // of the sources that have any count, one value each
	at      []int
}

// tables divides n metrics, or pairs of them, by the number of their units. Pairs whose units
// differ are left out, and so is what keeps no units.
func tables(n int, pair func(int) (a, b Metric), sentences bool) []*table {
	var out []*table
	for i := range n {
		a, b := pair(i)
		units, ends := a.unitsWith(b, sentences)
		if units == 0 || a.Combine == Resample || b.Combine == Resample {
			continue
		}
		var t *table
		for _, x := range out {
			if x.units == units && sameEnds(x.ends, ends) {
				t = x
			}
		}
		if t == nil {
			t = &table{units: units, ends: ends, known: map[[2]*Stat]int{}}
			out = append(out, t)
		}
		t.add(i, a, b)
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
			return p.shape()
		}
		return 0, nil
	}
	return len(m.Units), m.Ends
}

// unitsWith returns how many units two metrics share, and where the documents end if units
// are to be added up. A second metric without anything is none.
func (m Metric) unitsWith(o Metric, sentences bool) (int, []int32) {
	units, ends := m.shape()
	others, otherEnds := o.shape()
	switch {
	case units == 0:
		units, ends = others, otherEnds
	case others > 0 && len(ends) != len(otherEnds), others > 0 && ends == nil && units != others:
		return 0, nil
	}
	if ends == nil || sentences && (others == 0 || others == units) {
		return units, nil
	}
	return len(ends), ends
}

// add appends a metric as a score.
func (t *table) add(i int, a, b Metric) {
	f := formula{combine: a.Combine}
	if a.Combine != MeanOf {
		f.at = []int{t.source(a, b)}
	} else {
		f.mean = true
		f.combine, f.at = t.parts(a, b)
	}
	t.scores, t.of = append(t.scores, f), append(t.of, i)
}

// parts pairs the parts of two means by label.
func (t *table) parts(a, b Metric) (c Combine, at []int) {
	other := map[string]Metric{}
	for _, p := range b.Parts {
		other[p.Label], c = p, p.Combine
	}
	for _, p := range a.Parts {
		at, c = append(at, t.source(p, other[p.Label])), p.Combine
		delete(other, p.Label)
	}
	for _, p := range b.Parts {
		if _, left := other[p.Label]; left {
			at = append(at, t.source(Metric{}, p))
		}
	}
	return c, at
}

// source returns the number of the statistics of two metrics.
func (t *table) source(a, b Metric) int {
	key := [2]*Stat{}
	for side, u := range [][]Stat{a.Units, b.Units} {
		if len(u) > 0 {
			key[side] = &u[0]
		}
	}
	k, ok := t.known[key]
	if !ok {
		k = len(t.sources)
		t.known[key] = k
		t.sources = append(t.sources, source{a.Units, b.Units})
	}
	return k
}

// counts returns the counts of one side.
func (t *table) counts(side int) *significance.Counts {
	out := significance.NewCounts(3 * len(t.sources))
	row := make([]float64, 3*len(t.sources))
	for i := range t.units {
		clear(row)
		t.row(side, i, row)
		out.Add(row)
	}
	return out
}

// joint returns the counts of both sides beside each other.
func (t *table) joint() *significance.Counts {
	n := 3 * len(t.sources)
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
	if t.ends != nil {
		from, to = 0, int(t.ends[unit])
		if unit > 0 {
			from = int(t.ends[unit-1])
		}
	}
	for k, s := range t.sources {
		if len(s[side]) == 0 {
			continue
		}
		for _, u := range s[side][from:to] {
			row[3*k] += float64(u[0])
			row[3*k+1] += float64(u[1])
			row[3*k+2] += float64(u[2])
		}
	}
}

// score computes all scores of one side.
func (t *table) score(sums, out []float64) {
	for i, f := range t.scores {
		out[i] = f.of(sums)
	}
}

// differences computes the scores of the first side less those of the second, from joint counts.
func (t *table) differences(sums, out []float64) {
	n := 3 * len(t.sources)
	for i, f := range t.scores {
		out[i] = f.of(sums[:n]) - f.of(sums[n:])
	}
}

func (f formula) of(sums []float64) float64 {
	if !f.mean {
		return f.combine.of([3]float64(sums[3*f.at[0]:]))
	}
	total, n := 0.0, 0
	for _, k := range f.at {
		if s := [3]float64(sums[3*k:]); s != [3]float64{} {
			total += f.combine.of(s)
			n++
		}
	}
	return ratio(total, float64(n))
}
