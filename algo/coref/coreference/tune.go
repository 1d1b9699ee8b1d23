package coreference

import (
	"context"
	"math"

	"parlance/algo/kind"
	"parlance/algo/metrics"
	"parlance/algo/text"
)

// tuner chooses the thresholds that are best for the main score of held-out documents.
type tuner struct {
	m      *model
	docs   []*document
	scores [][]float64 // of all pairs, without thresholds
	gold   []*text.Document
	empty  kind.Run
}

// steps of a threshold, in units.
var steps = []float64{-3, -2, -1.5, -1, -.6, -.3, .3, .6, 1, 1.5, 2, 3}

// tune sets the thresholds of the model by coordinate search: the types of mentions in turn, until none gains. A unit
// is half the mean of the best score of a mention, without sign.
func (m *model) tune(ctx context.Context, t *kind.Training) (float64, error) {
	u := &tuner{m: m, empty: kind.Run{Wanted: []string{text.Mentions.Name}}}
	unit, err := u.read(ctx, t)
	if err != nil {
		return 0, err
	}
	best, err := u.score(ctx)
	if err != nil {
		return 0, err
	}
	for round, gained := 0, true; gained && round < 3; round++ {
		gained = false
		for k := range m.trained.thresholds {
			from := m.trained.thresholds[k]
			top := from
			for _, s := range steps {
				m.trained.thresholds[k] = from + s*unit
				now, err := u.score(ctx)
				if err != nil {
					return 0, err
				}
				if now > best+1e-6 {
					best, top, gained = now, m.trained.thresholds[k], true
				}
			}
			m.trained.thresholds[k] = top
		}
		unit /= 2
	}
	return best, nil
}

// read scores the pairs of the held-out documents, and returns the unit of thresholds.
func (u *tuner) read(ctx context.Context, t *kind.Training) (float64, error) {
	s, err := u.m.newScorer(t.Resources)
	if err != nil {
		return 0, err
	}
	sum, n := 0.0, 0
	for d, err := range t.Validate.Documents(ctx) {
		if err != nil {
			return 0, err
		}
		x, err := u.m.scored(ctx, s, d)
		if err != nil {
			return 0, err
		}
		for i := range x.mentions {
			high := math.Inf(-1)
			for _, w := range x.table.Row(i) {
				high = max(high, w)
			}
			if !math.IsInf(high, -1) {
				sum, n = sum+math.Abs(high), n+1
			}
		}
		u.docs, u.gold = append(u.docs, x), append(u.gold, d)
		u.scores = append(u.scores, append([]float64(nil), x.table.Score...))
	}
	return sum / float64(max(1, n)) / 2, nil
}

// score is the main score under the thresholds of the model.
func (u *tuner) score(ctx context.Context) (float64, error) {
	counts := metrics.NewMentions(metrics.Options{})
	for k, d := range u.docs {
		copy(d.table.Score, u.scores[k])
		for i, y := range d.mentions {
			if kind.Ended(ctx, i) {
				return 0, ctx.Err()
			}
			row := d.table.Row(i)
			t := u.m.trained.thresholds[thresholdOf(y.Type)]
			for c := range row {
				row[c] += t
			}
		}
		links, err := u.m.decode(ctx, d)
		if err != nil {
			return 0, err
		}
		view := *d.text
		u.m.write(ctx, &view, d, links, &u.empty)
		if err := counts.Add(ctx, u.gold[k:k+1], []*text.Document{&view}); err != nil {
			return 0, err
		}
	}
	return metrics.Main(counts.Metrics()).Value(), ctx.Err()
}
