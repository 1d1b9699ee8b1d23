// Package fusion is the kind that averages the scores of several models over triples, each brought to
// mean 0 and variance 1 (Chang et al. 2014, section 5.3).
package fusion

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"parlance/algo/kb/triples"
	"parlance/algo/kind"
	"parlance/algo/kind/state"
	"parlance/algo/metrics"
	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/storage/value"
)

// Kind declares the kind.
func Kind() kind.Kind {
	return kind.Kind{
		Name:     "fusion",
		Learns:   "the same, by the mean of the scores of several models",
		Figures:  "Kinship, filtered MRR: 0.91",
		Revision: 2,
		Doc: "averages the scores of several models over triples, each brought to mean 0 and variance 1 over the triples " +
			"of the input; answers for what all of them know",
		Paper: "Chang, Yih, Yang and Meek 2014",
		New:   func() kind.Model { return &model{} },
	}
}

type model struct {
	answers triples.Answers // options and relations; without a graph
	Weights []float64       `state:"weights,finite"`                  // of the models, sum 1
	Names   []string        `state:"relations,sorted"`                // of relations that have a scale of their own, in order
	Scales  [][]scale       `state:"scales,len=Weights,each=Names+1"` // by model: that over all, then those of names
	mu      sync.Mutex
	bound   *bound
	opt     struct {
		models             []string
		normalize, weights string
	}
}

// scale brings scores to mean 0 and variance 1.
type scale struct {
	Mean      float64 `state:"means,finite"`
	Deviation float64 `state:"deviations,finite"`
}

// of is the scaled score; where all scores are equal it is 0.
func (s scale) of(x float64) float64 {
	if s.Deviation == 0 {
		return 0
	}
	return (x - s.Mean) / s.Deviation
}

// Options declares the options.
func (m *model) Options(s *option.Set) {
	o := &m.opt
	s.List(&o.models, "models", nil, "models over triples whose scores are averaged, two or more")
	s.Choice(&o.normalize, "normalize", "all", []string{"all", "per_relation"},
		"mean and variance are taken over all triples of the input, or over those of each relation")
	s.Choice(&o.weights, "weights", "equal", []string{"equal", "fitted"},
		"weights of the models: equal; or those that score best on the data of VALIDATE, searched model by model")
	s.Check("models", func() error {
		if len(o.models) < 2 {
			return fmt.Errorf("option models: two or more are wanted, such as models = (a, b)")
		}
		for i, name := range o.models {
			if slices.Contains(o.models[:i], name) {
				return fmt.Errorf("option models: %s stands there twice", name)
			}
		}
		return nil
	})
	m.answers.Options(s)
}

// Schema tells that triples are read and models are looked into.
func (m *model) Schema() kind.Schema {
	s := m.answers.Schema()
	s.Tables = s.Tables[:1]
	for _, name := range m.opt.models {
		s.Resources = append(s.Resources, kind.Resource{Kind: "model", Name: name})
	}
	return s
}

// Annotate writes nothing.
func (m *model) Annotate(ctx context.Context, _ []*text.Document, _ *kind.Run) error {
	return ctx.Err()
}

// Explain tells what each model adds.
func (m *model) Explain(ctx context.Context, docs []*text.Document, at kind.At,
	run *kind.Run) (kind.Explanation, error) {
	a, err := m.over(run.Resources)
	if err != nil {
		return kind.Explanation{}, err
	}
	return a.Explain(ctx, docs, at, run)
}

// Open opens a relation over the models.
func (m *model) Open(ctx context.Context, relation string, args []value.Value, run *kind.Run) (kind.Rows, error) {
	a, err := m.over(run.Resources)
	if err != nil {
		return nil, err
	}
	return a.Open(ctx, relation, args, run)
}

// Evaluate scores the models together.
func (m *model) Evaluate(ctx context.Context, in kind.Input, run *kind.Run) ([]metrics.Metric, error) {
	a, err := m.over(run.Resources)
	if err != nil {
		return nil, err
	}
	return a.Evaluate(ctx, in, run)
}

// Bytes is what the model takes in memory, without the models that it looks into.
func (m *model) Bytes() int64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	return state.Memory(m)
}
