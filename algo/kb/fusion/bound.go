package fusion

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"parlance/algo/kb/triples"
	"parlance/algo/kind"
)

// bound is the models as they were found, with what all of them know.
type bound struct {
	*triples.Common
	sources []*triples.Answers `state:"-"`
	labels  []string           // name@version
	rows    sync.Pool          // of scores of one model
}

// bind finds the models, and joins them unless it found the same ones before.
func (m *model) bind(res kind.Resources) (*bound, error) {
	var sources []*triples.Answers
	var labels []string
	for _, name := range m.opt.models {
		found, err := res.Model(name)
		if err != nil {
			return nil, err
		}
		s, ok := found.Model.(triples.Source)
		if !ok {
			return nil, fmt.Errorf("models: %s scores no triples, as transe, trescal and universal_schema do", found.Label)
		}
		sources, labels = append(sources, s.Source()), append(labels, found.Label)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.bound != nil && slices.Equal(m.bound.sources, sources) {
		return m.bound, nil
	}
	b := &bound{Common: triples.NewCommon(sources), sources: sources, labels: labels}
	if b.Graph.Entities.Len() == 0 || b.Graph.Relations.Len() == 0 {
		return nil, fmt.Errorf("models: %v have no entity or no relation in common", m.opt.models)
	}
	m.bound = b
	return b, nil
}

// over returns the relations of the models together.
func (m *model) over(res kind.Resources) (*triples.Answers, error) {
	b, err := m.bind(res)
	if err != nil {
		return nil, err
	}
	a := m.answers
	a.Graph, a.Sets = b.Graph, b.Sets
	a.Scorer = m.scorer(b)
	return &a, nil
}

// scorer is a weighted mean of scaled scores,
//
//	Σ_i w_i (s_i − μ_i) / σ_i
type scorer struct {
	*bound
	weights []float64
	scales  [][]scale // by model and relation of the common graph
}

func (m *model) scorer(b *bound) *scorer {
	s := &scorer{b, m.Weights, make([][]scale, len(b.sources))}
	for r := range int32(b.Graph.Relations.Len()) {
		at := 0
		if i, ok := slices.BinarySearch(m.Names, b.Graph.Relations.Name(r)); ok {
			at = 1 + i
		}
		for i := range s.scales {
			s.scales[i] = append(s.scales[i], m.Scales[i][at])
		}
	}
	return s
}

// there is a triple in the numbers of a model.
func (b *bound) there(i int, t triples.Triple) triples.Triple {
	return triples.Triple{Subject: b.Entities[i][t.Subject], Relation: b.Relations[i][t.Relation],
		Object: b.Entities[i][t.Object]}
}

// Score scores one triple.
func (s *scorer) Score(t triples.Triple) float64 {
	sum := 0.0
	for i, a := range s.sources {
		sum += s.weights[i] * s.scales[i][t.Relation].of(a.Scorer.Score(s.there(i, t)))
	}
	return sum
}

// Scores adds up the rows of the models.
func (s *scorer) Scores(open triples.Side, relation int32, given []int32, out []float64) {
	n := s.Graph.Entities.Len()
	clear(out)
	for i, a := range s.sources {
		here, weight, entities := s.scales[i][relation], s.weights[i], s.Entities[i]
		there := make([]int32, len(given))
		for k, g := range given {
			there[k] = entities[g]
		}
		width := a.Graph.Entities.Len()
		rows := s.take(width * len(given))
		a.Scorer.Scores(open, s.Relations[i][relation], there, *rows)
		for k := range given {
			row, to := (*rows)[k*width:(k+1)*width], out[k*n:(k+1)*n]
			for e, x := range entities {
				to[e] += weight * here.of(row[x])
			}
		}
		s.rows.Put(rows)
	}
}

// take returns room for n scores.
func (b *bound) take(n int) *[]float64 {
	if p, ok := b.rows.Get().(*[]float64); ok && cap(*p) >= n {
		*p = (*p)[:n]
		return p
	}
	p := make([]float64, n)
	return &p
}

// Contributions lists the scaled scores of the models with their weights.
func (s *scorer) Contributions(ctx context.Context, t triples.Triple) ([]kind.Contribution, error) {
	var out []kind.Contribution
	for i, a := range s.sources {
		out = append(out,
			kind.Contribution{Feature: "model " + s.labels[i], Value: s.scales[i][t.Relation].of(a.Scorer.Score(s.there(i, t))),
				Weight: s.weights[i]})
	}
	return out, ctx.Err()
}
