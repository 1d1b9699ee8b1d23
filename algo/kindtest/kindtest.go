// Package kindtest is the test that every kind of model passes: declarations, training,
// bytes, annotation, relations, explanations, checkpoints, damage, concurrency. It also has
// a generator of annotated documents and small kinds for tests of engines.
package kindtest

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"

	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/storage/value"
)

// Ability is something that a kind may lack.
type Ability uint8

// The abilities. What a kind lacks it must refuse, or leave out, as the contract says.
const (
	Prob        Ability = 1 << iota // without: Layer.Prob stays nil
	NBest                           // without: Annotate refuses NBest above 1
	Explanation                     // without: Explain gives kind.ErrNoExplain
	Checkpoints                     // without: Training.Save is never called
	Init                            // without: Training.Init is refused
)

// Case is one setting in which a kind is tested. Options should make training short.
type Case struct {
	Options   []option.Arg             // over the defaults
	Args      map[string][]value.Value // arguments of relations, by name
	Train     []*text.Document         // gold documents; nil: Corpus(1, 40)
	Test      []*text.Document         // nil: Corpus(2, 8)
	Resources kind.Resources           // may be nil
	Lacks     Ability
}

// Opt makes an option of a Go value: bool, int, float64 or string.
func Opt(name string, v any) option.Arg {
	a := option.Arg{Name: name}
	switch v := v.(type) {
	case bool:
		a.Value = value.Bool(v)
	case int:
		a.Value = value.Int(int64(v))
	case float64:
		a.Value = value.Real(v)
	case string:
		a.Value = value.Str(v)
	}
	return a
}

// check is one property of a kind. Those with clock run where time passes only in Sleep.
type check struct {
	name  string
	clock bool
	run   func(context.Context, *subject) error
}

var checks = []check{
	{"declaration", false, checkDeclaration},
	{"options", false, checkOptions},
	{"schema", false, checkSchema},
	{"no data", false, checkNoData},
	{"same bytes", true, checkSameBytes},
	{"inputs kept", true, checkTrainingKeepsInputs},
	{"cancel training", true, checkCancelTraining},
	{"resume", true, checkResume},
	{"init", true, checkInit},
	{"codec", false, checkCodec},
	{"damage", false, checkDamage},
	{"annotation", false, checkAnnotation},
	{"gold unseen", false, checkGoldUnseen},
	{"edge documents", false, checkEdgeDocuments},
	{"cancel annotation", false, checkCancelAnnotation},
	{"prob", false, checkProb},
	{"n-best", false, checkNBest},
	{"concurrent use", false, checkConcurrent},
	{"relations", false, checkRelations},
	{"explain", false, checkExplain},
}

// Run tests the kind in one setting, a subtest a property. The kind must be able to learn
// something from the training documents.
func Run(t *testing.T, k kind.Kind, c Case) {
	t.Helper()
	s := newSubject(k, c)
	for _, x := range checks {
		t.Run(x.name, func(t *testing.T) {
			if x.clock {
				synctest.Test(t, func(t *testing.T) { report(t, x, s) })
				return
			}
			report(t, x, s)
		})
	}
}

func report(t *testing.T, x check, s *subject) {
	t.Helper()
	if err := x.run(t.Context(), s); err != nil {
		t.Error(err)
	}
}

// subject is a kind under test, trained at most once for the checks that only look.
type subject struct {
	kind kind.Kind
	Case

	once  sync.Once
	model kind.Model
	err   error
}

func newSubject(k kind.Kind, c Case) *subject {
	if c.Train == nil {
		c.Train = Corpus(1, 40)
	}
	if c.Test == nil {
		c.Test = Corpus(2, 8)
	}
	return &subject{kind: k, Case: c}
}

func (s *subject) lacks(a Ability) bool { return s.Lacks&a != 0 }

// untrained returns a model with the options of the case.
func (s *subject) untrained() (kind.Model, *option.Set, error) {
	m, set := s.kind.New(), &option.Set{}
	m.Options(set)
	if err := set.Apply(s.Options); err != nil {
		return nil, nil, fmt.Errorf("options of the case: %w", err)
	}
	return m, set, nil
}

// training returns a training on the documents, as the schema wants to see them.
func (s *subject) training(schema kind.Schema, docs []*text.Document, workers int) *kind.Training {
	return &kind.Training{
		On: kind.Documents(views(docs, schema.Reads, schema.Learns)), Roles: map[string]kind.Input{}, Resources: s.Resources,
		Seed: 7, Workers: workers, Report: func(kind.Progress) {}, Notice: func(string) {},
	}
}

// train trains a fresh model; change may alter the training first.
func (s *subject) train(ctx context.Context, workers int, change func(*kind.Training)) (kind.Model, error) {
	m, _, err := s.untrained()
	if err != nil {
		return nil, err
	}
	tr := s.training(m.Schema(), s.Train, workers)
	if change != nil {
		change(tr)
	}
	return m, m.Train(ctx, tr)
}

// trained returns the one model that the checks share.
func (s *subject) trained(ctx context.Context) (kind.Model, error) {
	s.once.Do(func() {
		if s.model, s.err = s.train(ctx, 1, nil); s.err != nil {
			s.err = fmt.Errorf("train: %w", s.err)
		}
	})
	return s.model, s.err
}

// run is the plain surroundings of annotation.
func (s *subject) run() *kind.Run {
	return &kind.Run{Resources: s.Resources, Workers: 1, Report: func(kind.Progress) {}}
}

// annotate annotates fresh views of the documents, unit by unit.
func (s *subject) annotate(ctx context.Context, m kind.Model, docs []*text.Document, run *kind.Run) ([]*text.Document, error) {
	schema := m.Schema()
	out := views(docs, schema.Reads)
	for _, unit := range units(out, schema) {
		if err := m.Annotate(ctx, unit, run); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// units cuts documents into what a model annotates at once.
func units(docs []*text.Document, schema kind.Schema) [][]*text.Document {
	if schema.Unit == kind.PerCorpus {
		return [][]*text.Document{docs}
	}
	var out [][]*text.Document
	place := map[value.Value]int{}
	for _, d := range docs {
		g := d.Field(schema.Group)
		if i, ok := place[g]; ok && schema.Unit == kind.PerGroup {
			out[i] = append(out[i], d)
			continue
		}
		place[g] = len(out)
		out = append(out, []*text.Document{d})
	}
	return out
}
