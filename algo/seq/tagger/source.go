package tagger

import (
	"context"

	"parlance/algo/feature"
	"parlance/algo/kind"
	"parlance/algo/text"
)

// Source gives the attributes of the tokens of documents. It belongs to one goroutine.
type Source interface {
	// Each puts the attributes of one document after the other into rows, emptied before, and calls do.
	Each(ctx context.Context, docs []*text.Document, rows *feature.Rows, do func(*text.Document) error) error
	// Add adds to the scores of the tokens [from, to) of that document, a sentence, by token and label, what the
	// attributes of the rows do not give them.
	Add(from, to int, scores []float64)
}

// Attributes makes sources, and names what they give.
type Attributes interface {
	// Source returns old, if it is not nil, ready for further documents, or a new source. A whole one puts all attributes
	// into the rows, and Add adds nothing.
	Source(old Source, whole bool, res kind.Resources) (Source, error)
	// Name is an attribute as text.
	Name(attr uint32) string
}

// ofTemplates is the attributes of the templates of a trained model.
type ofTemplates struct{ *Trained }

func (t ofTemplates) Name(attr uint32) string { return t.Alphabet.Name(attr) }

func (t ofTemplates) Source(old Source, whole bool, res kind.Resources) (Source, error) {
	s, _ := old.(*extracted)
	if s == nil {
		s = &extracted{}
	}
	var err error
	if s.Extractor, err = s.Ready(t.Alphabet, res); err != nil {
		return nil, err
	}
	if !whole && s.forms == nil {
		s.forms = NewFormScores(t.Chain, s.Extractor)
	}
	return s, nil
}

// extracted is the attributes of an extractor, without those of single forms where forms adds their weights.
type extracted struct {
	*feature.Extractor
	forms *FormScores
}

func (s *extracted) Add(from, to int, scores []float64) { s.forms.Add(from, to, scores) }
