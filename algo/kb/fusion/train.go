package fusion

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"parlance/algo/kb/triples"
	"parlance/algo/kind"
	"parlance/algo/text"
)

// Train measures mean and variance of each model over the triples of the input that all know, true or
// not, and searches weights if they are to be fitted.
func (m *model) Train(ctx context.Context, t *kind.Training) error {
	if m.opt.weights == "fitted" && t.Score == nil {
		return fmt.Errorf("weights = fitted wants VALIDATE ON")
	}
	if err := triples.Unneeded(t); err != nil {
		return err
	}
	b, err := m.bind(t.Resources)
	if err != nil {
		return err
	}
	scores, relations, err := b.candidates(ctx, t.On)
	if err != nil {
		return err
	}
	if len(relations) == 0 {
		return fmt.Errorf("%w: no triple of the input has names that all models know", kind.ErrNoData)
	}
	m.measure(b, scores, relations)
	m.Weights = make([]float64, len(b.sources))
	for i := range m.Weights {
		m.Weights[i] = 1 / float64(len(m.Weights))
	}
	if m.opt.weights == "fitted" {
		return m.fit(ctx, t)
	}
	t.Report(kind.Progress{Step: 1, Of: 1, Objective: math.NaN(), HeldOut: math.NaN(),
		Note: text.Countf("scaled by %d {triple|triples}", len(relations))})
	return nil
}

// candidates scores the triples of an input that all models know: by model, and their relations.
func (b *bound) candidates(ctx context.Context, in kind.Input) (scores [][]float64, relations []int32, err error) {
	scores = make([][]float64, len(b.sources))
	err = triples.Rows(ctx, in, func(r triples.Row) error {
		t := b.Graph.Number(r)
		if !t.Named() {
			return nil
		}
		relations = append(relations, t.Relation)
		for i, a := range b.sources {
			scores[i] = append(scores[i], a.Scorer.Score(b.there(i, t)))
		}
		return nil
	})
	return scores, relations, err
}

// measure takes the scales, those of relations only where there are two different scores.
func (m *model) measure(b *bound, scores [][]float64, relations []int32) {
	m.Names, m.Scales = nil, make([][]scale, len(scores))
	for i, list := range scores {
		m.Scales[i] = []scale{scaleOf(list)}
	}
	if m.opt.normalize == "all" {
		return
	}
	at := make([][]int, b.Graph.Relations.Len())
	for k, r := range relations {
		at[r] = append(at[r], k)
	}
	for r, rows := range at {
		var found []scale
		for _, list := range scores {
			var part []float64
			for _, k := range rows {
				part = append(part, list[k])
			}
			if s := scaleOf(part); s.Deviation > 0 {
				found = append(found, s)
			}
		}
		if len(found) < len(scores) {
			continue
		}
		m.Names = append(m.Names, b.Graph.Relations.Name(int32(r)))
		for i, s := range found {
			m.Scales[i] = append(m.Scales[i], s)
		}
	}
}

// scaleOf takes the mean and the deviation of a population.
func scaleOf(list []float64) scale {
	if len(list) == 0 {
		return scale{}
	}
	var s scale
	for _, x := range list {
		s.Mean += x
	}
	s.Mean /= float64(len(list))
	sum := 0.0
	for _, x := range list {
		sum += (x - s.Mean) * (x - s.Mean)
	}
	s.Deviation = math.Sqrt(sum / float64(len(list)))
	if !(s.Deviation > 1e-12*math.Abs(s.Mean)) {
		s.Deviation = 0 // rounding
	}
	return s
}

// factors are what the weight of a model is tried with.
var factors = []float64{0, 0.25, 0.5, 2, 4}

// fit searches the weights: of each model in turn those factors are tried, and the best is kept, until
// a round brings nothing or there were five.
func (m *model) fit(ctx context.Context, t *kind.Training) error {
	start, rounds := time.Now(), 5
	step, of := 0, 1+rounds*len(m.Weights)*len(factors)
	try := func(w []float64) (float64, error) {
		m.Weights = unitSum(w)
		score, name, err := t.Score(ctx, m)
		step++
		t.Report(kind.Progress{Step: step, Of: of, Objective: math.NaN(), HeldOut: score, Metric: name,
			Seconds: time.Since(start).Seconds(), Note: fmt.Sprintf("weights %.3f", m.Weights)})
		return score, err
	}
	best := slices.Clone(m.Weights)
	score, err := try(best)
	if err != nil {
		return err
	}
	for range rounds {
		before := score
		for i := range best {
			from := slices.Clone(best)
			for _, f := range factors {
				w := slices.Clone(from)
				if w[i] *= f; slices.Max(w) == 0 {
					continue
				}
				s, err := try(w)
				if err != nil {
					return err
				}
				if s > score {
					best, score = w, s
				}
			}
		}
		if score == before {
			break
		}
	}
	m.Weights = unitSum(best)
	t.Notice(fmt.Sprintf("weights of %v: %.3f", m.opt.models, m.Weights))
	return nil
}

// unitSum scales weights to a sum of 1.
func unitSum(w []float64) []float64 {
	sum, out := 0.0, slices.Clone(w)
	for _, x := range w {
		sum += x
	}
	for i := range out {
		out[i] /= sum
	}
	return out
}
