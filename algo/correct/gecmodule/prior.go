package gecmodule

import (
	"cmp"
	"math"
	"slices"

	"parlance/algo/correct/confusion"
)

// prior is how often writers who wrote a label meant another: C(s → c), c = s among them.
type prior struct {
	pairs  map[[2]int]float64
	totals map[int]float64
}

func newPrior() *prior { return &prior{map[[2]int]float64{}, map[int]float64{}} }

// add counts n occurrences of a source that was meant as a label.
func (p *prior) add(source, label int, n float64) {
	p.pairs[[2]int{source, label}] += n
	p.totals[source] += n
}

// unseen is added to the counts of a prior.
const unseen = 0.5

// log is the log of P(c|s) = (C(s → c) + 0.5) / (C(s) + 0.5·k), k the labels that could stand in the slot.
func (p *prior) log(source, label, k int) float64 {
	return math.Log((p.pairs[[2]int{source, label}] + unseen) / (p.totals[source] + unseen*float64(k)))
}

// ratio is log P(c|s) − log P(s|s).
func (p *prior) ratio(c *confusion.Candidate, o *confusion.Option) float64 {
	k := len(c.Options) + 1
	return p.log(c.Source, o.Label, k) - p.log(c.Source, c.Source, k)
}

// priorRow is a count of the prior as it is stored.
type priorRow struct {
	Source, Label string
	Count         float64
}

// rows lists the counts.
func (p *prior) rows(labels []string) []priorRow {
	keys := make([][2]int, 0, len(p.pairs))
	for k := range p.pairs {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b [2]int) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
	out := make([]priorRow, len(keys))
	for i, k := range keys {
		out[i] = priorRow{labels[k[0]], labels[k[1]], p.pairs[k]}
	}
	return out
}

// inflation is the table of error inflation: for each label how sources are drawn anew where the writer was right
// (Rozovskaya, Sammons and Roth 2012).
//
//	P'(l|l) = k·P(l|l)
//	P'(s|l) = P(s|l)·(1 − k·P(l|l)) / (1 − P(l|l))   for s ≠ l
type inflation struct {
	k    float64
	rest [][]float64 // of label l: P(s|l, s ≠ l), cumulated over s; nil where no error was seen
}

// newInflation makes the table of counts by label and source.
func newInflation(counts [][]float64, k float64) *inflation {
	x := &inflation{k: k, rest: make([][]float64, len(counts))}
	for l, row := range counts {
		sum := 0.0
		for s, n := range row {
			if s != l {
				sum += n
			}
		}
		if sum == 0 {
			continue
		}
		x.rest[l] = make([]float64, len(row))
		c := 0.0
		for s, n := range row {
			if s != l {
				c += n / sum
			}
			x.rest[l][s] = c
		}
	}
	return x
}

// Inflated returns P' of a row P(s|l) of the confusion table of a label. A row without errors stays.
func Inflated(row []float64, label int, k float64) []float64 {
	out := make([]float64, len(row))
	if row[label] >= 1 {
		copy(out, row)
		return out
	}
	for s, p := range row {
		out[s] = p * (1 - k*row[label]) / (1 - row[label])
	}
	out[label] = k * row[label]
	return out
}

// draw returns the source of an example whose label was written, given two numbers from 0 to 1.
func (x *inflation) draw(label int, u, v float64) int {
	if x.rest[label] == nil || u < x.k {
		return label
	}
	for s, c := range x.rest[label] {
		if v < c {
			return s
		}
	}
	return label
}
