package tagger_test

import (
	"context"
	"os"
	"strings"
	"testing"

	"parlance/algo/engine/chain"
	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/option"
	"parlance/algo/seq/tagger"
	"parlance/algo/text"
)

// Hasty labels spans or columns by weights that passive-aggressive updates have moved, once over
// the training data (Crammer, Dekel, Keshet, Shalev-Shwartz and Singer 2006).
type Hasty struct {
	kind.Base
	tagger.Trained
	task   tagger.Task
	labels *tagger.Labeler
}

func hasty() kind.Kind {
	return kind.Kind{Name: "hasty", Revision: 1, Doc: "labels tokens after one pass",
		New: func() kind.Model { return &Hasty{} }}
}

// Options declares the layer and the templates.
func (m *Hasty) Options(s *option.Set) {
	m.task.Scheme, m.task.MinCount = "bio", 1
	m.task.DeclareTask(s, tagger.TaskDoc{Layer: "entities", What: tagger.Tokens,
		Features: "form[-1..1], suffix(3)[0]", Doc: "feature set or templates"})
}

// Schema tells what is read, learned and written.
func (m *Hasty) Schema() kind.Schema {
	return m.task.Schema(kind.Score, true)
}

// Train fits the weights.
func (m *Hasty) Train(ctx context.Context, in *kind.Training) error {
	data, err := m.task.Read(ctx, in)
	if err != nil {
		return err
	}
	c, err := tagger.TrainOnline(ctx, in, data,
		tagger.OnlineFit{Online: chain.Online{Rule: chain.PassiveAggressive, C: 1, Epochs: 1}})
	if err != nil {
		return err
	}
	m.Trained = tagger.Trained{Labels: data.Names, Alphabet: data.Alphabet, Chain: c}
	return m.ready()
}

func (m *Hasty) ready() (err error) {
	m.labels, err = m.task.Labeler("hasty", &m.Trained, true, tagger.NewSearch(m.Chain))
	return err
}

// Annotate labels the tokens of documents.
func (m *Hasty) Annotate(ctx context.Context, docs []*text.Document, run *kind.Run) error {
	return m.labels.Annotate(ctx, docs, run)
}

// Explain compares labels with the most probable others.
func (m *Hasty) Explain(ctx context.Context, docs []*text.Document, at kind.At,
	run *kind.Run) (kind.Explanation, error) {
	return m.labels.Explain(ctx, docs, at, run)
}

// Decode reads what Encode of Trained wrote.
func (m *Hasty) Decode(r *kind.Reader) (err error) {
	if m.Trained, err = tagger.DecodeTrained(r, func(int) int { return 0 }); err == nil {
		err = m.ready()
	}
	return err
}

func TestHasty(t *testing.T) {
	docs := kindtest.Sample(30)
	kindtest.Run(t, kindtest.Case{Kind: hasty(), Train: docs[:20], Test: docs[20:]})
}

// TestArchitecture finds the example of ARCHITECTURE.md in this file.
func TestArchitecture(t *testing.T) {
	own, err := os.ReadFile("example_test.go")
	if err != nil {
		t.Fatal(err)
	}
	doc, err := os.ReadFile("../../../ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	_, after, _ := strings.Cut(string(doc), "A linear tagger is short")
	_, after, _ = strings.Cut(after, "```go\n")
	code, _, found := strings.Cut(after, "```")
	if !found || !strings.Contains(string(own), code) {
		t.Error("the example of ARCHITECTURE.md is not what stands here")
	}
}
