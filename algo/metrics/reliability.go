package metrics

import (
	"context"
	"fmt"
	"math"

	"parlance/algo/text"
)

// Reliability compares prob of predicted rows with how many of them are right, in ten bins of equal width:
//
//	calibration_error  Σ n/N · |share right − mean prob| over the bins, n of N rows in each
//	reliability        by bin: the share of rows that are right
//
// A row is right if all that the model says in it is. Rows without prob or gold do not count. The unit is the row.
type Reliability struct {
	def     *text.LayerDef
	columns []string
	rows    reliability
}

// NewReliability returns a scorer of prob of a layer, of columns of it where they are named.
func NewReliability(def *text.LayerDef, columns []string) *Reliability {
	return &Reliability{def: def, columns: columns}
}

const bins = 10

// reliability is rows with prob and whether they are right.
type reliability struct {
	prob  []float64
	right []bool
}

// bin is the number of the bin of a probability: 0.1 is in the second one, 1 in the last.
func bin(p float64) int { return max(0, min(bins-1, int(p*bins))) }

// Add scores the documents of a unit.
func (s *Reliability) Add(_ context.Context, gold, predicted []*text.Document) error {
	return each(gold, predicted, s.document)
}

// document scores one document.
func (s *Reliability) document(gold, predicted *text.Document) error {
	found, err := Verdicts(s.def, s.columns, gold, predicted)
	if err != nil || len(found) == 0 {
		return err
	}
	l := predicted.Layer(s.def.Name)
	for i, v := range found {
		if v == Unjudged || i >= len(l.Prob) || math.IsNaN(l.Prob[i]) || l.Rank != nil && l.Rank[i] != 1 {
			continue
		}
		s.rows.prob, s.rows.right = append(s.rows.prob, l.Prob[i]), append(s.rows.right, v == Correct)
	}
	return nil
}

// Metrics returns the error, then the bins that have rows; nothing if no row was judged, for which there is no error.
func (s *Reliability) Metrics() []Metric {
	if s.rows.Len() == 0 {
		return nil
	}
	out := []Metric{{Name: "calibration_error", Label: All, Combine: Resample, Sample: &s.rows,
		Support: float64(s.rows.Len())}}
	var lists [bins]shares
	for i, p := range s.rows.prob {
		lists[bin(p)] = append(lists[bin(p)], s.rows.right[i])
	}
	for b, list := range lists {
		if len(list) > 0 {
			label := fmt.Sprintf("%.1f-%.1f", float64(b)/bins, float64(b+1)/bins)
			out = append(out, Metric{Name: "reliability", Label: label, Combine: Resample, Sample: list,
				Support: float64(len(list))})
		}
	}
	return out
}

// Confusion has no cells.
func (s *Reliability) Confusion() []Cell { return nil }

// Len returns the number of rows.
func (r *reliability) Len() int { return len(r.prob) }

// Weighted returns the calibration error where each row stands as often as times says.
func (r *reliability) Weighted() func([]float64) float64 {
	return func(times []float64) float64 {
		var n, right, prob [bins]float64
		all := 0.0
		for i, w := range times {
			b := bin(r.prob[i])
			n[b], prob[b], all = n[b]+w, prob[b]+w*r.prob[i], all+w
			if r.right[i] {
				right[b] += w
			}
		}
		sum := 0.0
		for b := range n {
			sum += math.Abs(right[b] - prob[b])
		}
		return ratio(sum, all)
	}
}

// Swapped has no meaning: two models have different rows.
func (r *reliability) Swapped(Sample) func([]bool) (float64, float64) { return nil }

// shares is rows that are right or wrong; their value is the share of those that are right.
type shares []bool

func (s shares) Len() int { return len(s) }

func (s shares) Weighted() func([]float64) float64 {
	return func(times []float64) float64 {
		right, all := 0.0, 0.0
		for i, w := range times {
			if all += w; s[i] {
				right += w
			}
		}
		return ratio(right, all)
	}
}

func (s shares) Swapped(Sample) func([]bool) (float64, float64) { return nil }
