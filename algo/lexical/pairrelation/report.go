package pairrelation

import (
	"cmp"
	"fmt"
	"iter"
	"math"
	"slices"

	"parlance/algo/metrics/agreement"
	"parlance/storage/value"
)

// judgedSource and labelledSource say whose labels a report counts.
const (
	judgedSource   = "judged"
	labelledSource = "labelled"
)

// source reads the argument source; left out it is what there is.
func (m *model) source(v value.Value) (string, error) {
	any := slices.ContainsFunc(m.pairs, func(p pair) bool { return p.label != none })
	if v.IsNull() && !any {
		return labelledSource, nil
	}
	s, err := choice("source", v, judgedSource, labelledSource)
	if err == nil && s == judgedSource && !any {
		return "", fmt.Errorf("no pair was judged; source => 'labelled' reports what the model says")
	}
	return s, err
}

// counted yields the pairs that a source labels.
func (m *model) counted(source string) iter.Seq2[*pair, int8] {
	return func(yield func(*pair, int8) bool) {
		for i := range m.pairs {
			l := m.pairs[i].label
			if source == labelledSource {
				l = m.answers[i].label
			}
			if l != none && !yield(&m.pairs[i], l) {
				return
			}
		}
	}
}

// distribution is the weights of labels.
type distribution struct {
	counts [18]float64
	total  float64
}

func (d *distribution) add(label int8, weight float64) {
	d.counts[label] += weight
	d.total += weight
}

// share is a part of the total.
func (d *distribution) share(count float64) float64 {
	if d.total == 0 {
		return 0
	}
	return count / d.total
}

// of sums the labels of a node.
func (d *distribution) of(n node) float64 {
	if n.leaf {
		return d.counts[of(n.code)]
	}
	sum := 0.0
	for l, c := range d.counts {
		if n.code == "pair" || within(int8(l), n.code) {
			sum += c
		}
	}
	return sum
}

func (m *model) distribution(source string) *distribution {
	d := &distribution{}
	for p, l := range m.counted(source) {
		d.add(l, p.weight)
	}
	return d
}

// reportRows are labels by falling count, equal ones by priority; those without pairs are left out.
func (m *model) reportRows(source string) iter.Seq[[]value.Value] {
	return func(yield func([]value.Value) bool) {
		d := m.distribution(source)
		order := make([]int, len(leaves))
		for i := range order {
			order[i] = i
		}
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(d.counts[b], d.counts[a]) })
		sum := 0.0
		for place, l := range order {
			sum += d.counts[l]
			if d.counts[l] == 0 ||
				!yield([]value.Value{value.Int(int64(place + 1)), value.Str(leaves[l].code), value.Str(leaves[l].name),
					value.Real(d.counts[l]), value.Real(d.share(d.counts[l])), value.Real(d.share(sum))}) {
				return
			}
		}
	}
}

// allUnions are the nodes of the hierarchy and the union of semantic relations.
var allUnions = append(slices.Clone(unions), semantic)

func (m *model) unionRows(source string) iter.Seq[[]value.Value] {
	return func(yield func([]value.Value) bool) {
		d := m.distribution(source)
		for _, n := range allUnions {
			count := d.of(n)
			if !yield([]value.Value{value.Str(n.code), value.Str(n.name), value.Real(count), value.Real(d.share(count))}) {
				return
			}
		}
	}
}

// level reads the argument level.
func level(v value.Value) ([]node, error) {
	s, err := choice("level", v, "leaf", "union")
	if s == "union" {
		return allUnions[1:], err
	}
	return leaves, err
}

// ranked is the distribution of each rank, by rising rank. Pairs without one are left out.
func (m *model) ranked(source string) ([]int, map[int]*distribution) {
	out := map[int]*distribution{}
	var ranks []int
	for p, l := range m.counted(source) {
		if p.rank == 0 {
			continue
		}
		if out[p.rank] == nil {
			out[p.rank] = &distribution{}
			ranks = append(ranks, p.rank)
		}
		out[p.rank].add(l, p.weight)
	}
	slices.Sort(ranks)
	return ranks, out
}

func (m *model) rankRows(source string, nodes []node) iter.Seq[[]value.Value] {
	return func(yield func([]value.Value) bool) {
		ranks, by := m.ranked(source)
		for _, r := range ranks {
			for _, n := range nodes {
				count := by[r].of(n)
				if !yield([]value.Value{value.Int(int64(r)), value.Str(n.code), value.Str(n.name), value.Real(count),
					value.Real(by[r].share(count))}) {
					return
				}
			}
		}
	}
}

// trendRows compares shares with the binary logarithm of ranks; with fewer than two ranks there is no trend.
func (m *model) trendRows(source string, nodes []node) iter.Seq[[]value.Value] {
	return func(yield func([]value.Value) bool) {
		ranks, by := m.ranked(source)
		if len(ranks) < 2 {
			return
		}
		logs := make([]float64, len(ranks))
		for i, r := range ranks {
			logs[i] = math.Log2(float64(r))
		}
		for _, n := range nodes {
			shares := make([]float64, len(ranks))
			for i, r := range ranks {
				shares[i] = by[r].share(by[r].of(n))
			}
			if !yield([]value.Value{value.Str(n.code), value.Str(n.name), value.Int(int64(len(ranks))),
				value.Real(agreement.Spearman(logs, shares)), value.Real(slope(logs, shares))}) {
				return
			}
		}
	}
}

// slope is that of the line of least squares, Σ(x − x̄)(y − ȳ) / Σ(x − x̄)².
func slope(x, y []float64) float64 {
	mx, my, up, down := agreement.Mean(x), agreement.Mean(y), 0.0, 0.0
	for i := range x {
		up += (x[i] - mx) * (y[i] - my)
		down += (x[i] - mx) * (x[i] - mx)
	}
	if down == 0 {
		return 0
	}
	return up / down
}
