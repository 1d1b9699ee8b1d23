package rerank

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"
)

// Choices are the candidates of a sentence with the scores that several scorers give them.
type Choices struct {
	Scores [][]float64 // by candidate, then scorer
	Common []int32     // brackets of each candidate that gold has as well
	All    []int32     // brackets of each candidate and of gold together
}

// Mixture finds weights of scorers for which the candidates of the highest Σ_m α_m·s_m have the best F1, 2·Common/All
// summed over all lists.
type Mixture struct {
	Lists    []Choices
	Restarts int // searches from random weights, besides those from each scorer alone and from all of them
}

// Fit returns the best weights that were found, and their F1. Along a line of weights each candidate's score is linear,
// so that the F1 of every point of it is known exactly from where the best candidates of lists change; lines along each
// scorer are searched in turn until none is better. No scorer alone has a better F1. use tells which scorers may have a
// weight. Of equally good weights the first found stays.
func (m *Mixture) Fit(ctx context.Context, use []bool, rng *rand.Rand) ([]float64, float64, error) {
	n := len(use)
	units := m.units(use)
	var starts [][]float64
	all := make([]float64, n)
	for k := range n {
		if use[k] {
			alone := make([]float64, n)
			alone[k], all[k] = units[k], units[k]
			starts = append(starts, alone)
		}
	}
	starts = append(starts, all)
	for range m.Restarts {
		w := make([]float64, n)
		for k := range w {
			if use[k] {
				w[k] = units[k] * rng.Float64()
			}
		}
		starts = append(starts, w)
	}
	var best []float64
	most := math.Inf(-1)
	for _, w := range starts {
		f, err := m.climb(ctx, use, w)
		if err != nil {
			return nil, 0, err
		}
		if f > most+1e-12 {
			best, most = w, f
		}
	}
	return best, most, nil
}

// units are what makes the scores of each scorer about as wide as those of others: one over their mean deviation from
// the first candidate.
func (m *Mixture) units(use []bool) []float64 {
	sum, count := make([]float64, len(use)), 0.0
	for _, c := range m.Lists {
		for _, s := range c.Scores {
			for k, x := range s {
				sum[k] += math.Abs(x - c.Scores[0][k])
			}
			count++
		}
	}
	for k, x := range sum {
		sum[k] = 1
		if x > 0 {
			sum[k] = count / x
		}
	}
	return sum
}

// climb changes weights for the better, one scorer at a time.
func (m *Mixture) climb(ctx context.Context, use []bool, w []float64) (float64, error) {
	f := m.F1(w)
	for better := true; better; {
		better = false
		for k, ok := range use {
			if !ok {
				continue
			}
			if err := ctx.Err(); err != nil {
				return 0, err
			}
			d := make([]float64, len(w))
			d[k] = 1
			if step, g := m.Line(w, d); g > f+1e-12 {
				w[k] += step
				if now := m.F1(w); now > f+1e-12 {
					f, better = now, true
				} else { // a tie in floating point
					w[k] -= step
				}
			}
		}
	}
	return f, nil
}

// F1 is that of the candidates of the highest score, the first of equal ones.
func (m *Mixture) F1(w []float64) float64 {
	common, all := 0, 0
	for _, c := range m.Lists {
		best, most := 0, math.Inf(-1)
		for j, s := range c.Scores {
			if x := dot(w, s); x > most {
				best, most = j, x
			}
		}
		common, all = common+int(c.Common[best]), all+int(c.All[best])
	}
	return share(common, all)
}

func share(common, all int) float64 {
	if all == 0 {
		return 1
	}
	return 2 * float64(common) / float64(all)
}

func dot(a, b []float64) float64 {
	sum := 0.0
	for i, x := range a {
		sum += x * b[i]
	}
	return sum
}

// change is where the chosen candidate of a list changes along a line.
type change struct {
	at          float64
	common, all int32 // by how much brackets change
}

// farthest is how far from the last change the ends of a line are looked at.
const farthest = 1

// Line returns the step from w along d of the best F1: the middle of the widest interval of equally good ones, and its
// F1. Cost is that of sorting the candidates of each list and the changes of all.
func (m *Mixture) Line(w, d []float64) (step, f1 float64) {
	var changes []change
	common, all := 0, 0
	for i := range m.Lists {
		c := &m.Lists[i]
		hull := envelope(c, w, d)
		common, all = common+int(c.Common[hull[0].candidate]), all+int(c.All[hull[0].candidate])
		for n := 1; n < len(hull); n++ {
			a, b := hull[n-1].candidate, hull[n].candidate
			changes = append(changes, change{hull[n].from, c.Common[b] - c.Common[a], c.All[b] - c.All[a]})
		}
	}
	if len(changes) == 0 {
		return 0, share(common, all)
	}
	slices.SortFunc(changes, func(a, b change) int { return cmp.Compare(a.at, b.at) })
	step, f1 = changes[0].at-farthest, share(common, all)
	width := math.Inf(1)
	for n, c := range changes {
		common, all = common+int(c.common), all+int(c.all)
		next := c.at + 2*farthest
		if n+1 < len(changes) {
			next = changes[n+1].at
		}
		f, wide := share(common, all), next-c.at
		if wide <= 0 {
			continue
		}
		if f > f1+1e-12 || f > f1-1e-12 && wide > width {
			step, f1, width = c.at+wide/2, f, wide
		}
	}
	return step, f1
}

// piece is a candidate that is best from a step on.
type piece struct {
	from      float64
	candidate int
}

// envelope is which candidate has the highest score w·s + t·(d·s), for t from −∞ on.
func envelope(c *Choices, w, d []float64) []piece {
	type line struct {
		slope, height float64
		candidate     int
	}
	lines := make([]line, len(c.Scores))
	for j, s := range c.Scores {
		lines[j] = line{dot(d, s), dot(w, s), j}
	}
	slices.SortFunc(lines, func(a, b line) int {
		return cmp.Or(cmp.Compare(a.slope, b.slope), cmp.Compare(b.height, a.height), cmp.Compare(a.candidate, b.candidate))
	})
	var hull []piece
	var kept []line
	for _, l := range lines {
		if n := len(kept); n > 0 && kept[n-1].slope == l.slope {
			continue // lower, or the same and later
		}
		at := math.Inf(-1)
		for n := len(kept); n > 0; n-- {
			at = (kept[n-1].height - l.height) / (l.slope - kept[n-1].slope)
			if at > hull[n-1].from {
				break
			}
			kept, hull, at = kept[:n-1], hull[:n-1], math.Inf(-1)
		}
		kept, hull = append(kept, l), append(hull, piece{at, l.candidate})
	}
	return hull
}
