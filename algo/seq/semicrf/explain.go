package semicrf

import (
	"context"
	"math"
	"slices"
	"sort"
	"strings"

	"parlance/algo/engine/semimarkov"
	"parlance/algo/kind"
	"parlance/algo/text"
)

// Explain compares the label of each segment of the best segmentation with the most probable other label of the same
// tokens. The margin is the difference of the scores with the segments around as they are.
func (m *model) Explain(ctx context.Context, docs []*text.Document, at kind.At, run *kind.Run) (kind.Explanation,
	error) {
	var out kind.Explanation
	w, err := m.worker(run.Resources)
	if err != nil {
		return out, err
	}
	defer m.free.Put(w)
	for _, d := range docs {
		err := m.sentences(ctx, w, d, at, func(sent int, forms []string) error {
			path, _, err := w.chart.Best(nil)
			for i, s := range path {
				if at.Tok == 0 || int(s.Start) < at.Tok && at.Tok <= int(s.End) {
					x := m.decision(w, path, i)
					x.Doc, x.Sent, x.Form = d.ID, sent, strings.Join(forms[s.Start:s.End], " ")
					out.Decisions = append(out.Decisions, x)
				}
			}
			return err
		})
		if err != nil {
			return out, err
		}
	}
	return out, nil
}

// decision explains a segment of a path.
func (m *model) decision(w *worker, path []semimarkov.Segment, i int) kind.Decision {
	s := path[i]
	out := kind.Decision{Tok: int(s.Start) + 1, Outcome: m.labels.Names[s.Label]}
	other, top := int32(-1), -1.0
	for k, x := range w.chart.Spans() {
		if x.Start != s.Start || x.End != s.End {
			continue
		}
		if p := w.chart.Graph().Prob(k); x.Label == s.Label {
			out.Prob = p
		} else if p > top {
			other, top = x.Label, p
		}
	}
	if other < 0 {
		return out
	}
	out.RunnerUp = m.labels.Names[other]
	m.contrast(w, &out, path, i, other)
	return out
}

// contrast adds what speaks for the label of a segment against another.
func (m *model) contrast(w *worker, out *kind.Decision, path []semimarkov.Segment, i int, other int32) {
	values, weights := map[string]float64{}, map[string]float64{}
	add := func(name string, value, own, against float64) {
		values[name] += value
		weights[name] = own - against
	}
	changed := slices.Clone(path)
	changed[i].Label = other
	l, own := m.layout, path[i].Label
	l.EachAttribute(&w.seq, path[i], func(attr uint32, v float64) {
		add(m.attribute(attr, &w.no), v, l.Weight(m.w, attr, own), l.Weight(m.w, attr, other))
	})
	for k := i; k <= i+1 && k < len(path); k++ {
		if k == 0 {
			continue
		}
		from, to := path[k-1].Label, path[k].Label
		from2, to2 := changed[k-1].Label, changed[k].Label
		name := "after " + m.labels.Names[from]
		if k > i {
			name = "before " + m.labels.Names[to]
		}
		add(name, 1, l.PairWeight(m.w, from, to), l.PairWeight(m.w, from2, to2))
		w.seq.Edge.Each(int(path[k].Start), func(attr uint32, v float64) {
			add(name+" at "+m.alphabets[ofEdge].Name(attr), v, l.EdgeWeight(m.w, attr, from, to),
				l.EdgeWeight(m.w, attr, from2, to2))
		})
	}
	for name, x := range weights {
		if x != 0 && values[name] != 0 {
			out.Contributions = append(out.Contributions,
				kind.Contribution{Feature: name, Value: values[name], Weight: x})
		}
	}
	sort.Slice(out.Contributions, func(a, b int) bool {
		x, y := out.Contributions[a], out.Contributions[b]
		if p, q := math.Abs(x.Value*x.Weight), math.Abs(y.Value*y.Weight); p != q {
			return p > q
		}
		return x.Feature < y.Feature
	})
	for _, c := range out.Contributions {
		out.Margin += c.Value * c.Weight
	}
}
