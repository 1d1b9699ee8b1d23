// Package evidence has what modules of a corrector say of edits, and the logistic regression that makes probabilities
// of it.
package evidence

import (
	"parlance/algo/correct"
	"parlance/algo/correct/confusion"
	"parlance/algo/correct/window"
	"parlance/algo/kind"
)

// Proposal is an edit that a module can make, with what speaks for it.
type Proposal struct {
	confusion.Edit
	Slot, SlotEnd int     // tokens that the decision is about
	Source        string  // label of what was written
	Label         string  // label of what the edit puts there
	Written       string  // what stands in the slot, in lower case
	Fill          string  // what then stands in the slot, in lower case
	Margin        float64 // score of the edit less that of leaving the slot as it is
	// log of how often writers of the learner text meant this who wrote the source, less how often they meant the source
	Prior   float64
	LM      float64 // log10 by which a language model finds the sentence more probable with the edit; 0 without one
	Rarity  float64 // log10 by which the word that is put is more frequent than that which was written; 0 without a model
	Prob    float64 // probability that the edit is right
	Certain bool    // found by a pattern: its probability is how often the pattern was right
}

// Module is a trained module of a corrector.
type Module interface {
	// Corrects is the module, such as article.
	Corrects() string
	// ErrorType is the type of its edits, such as ArtOrDet.
	ErrorType() string
	// Threshold is the probability from which on the module by itself makes an edit.
	Threshold() float64
	// Ignores tells whether the module by itself never makes such an edit.
	Ignores(p *Proposal) bool
	// Worker makes what finds proposals, for one goroutine.
	Worker(res kind.Resources, w *Windows) (Worker, error)
}

// Worker finds the proposals of a module.
type Worker interface {
	// Propose yields all options at all candidates of a sentence, candidate by candidate.
	Propose(s *confusion.Sentence) []Proposal
	// Grams are the n-grams around the slot of a proposal of that sentence, as written and with the edit, with their
	// counts in native text; those that occur in neither form are left out.
	Grams(s *confusion.Sentence, p *Proposal) []Gram
}

// Gram is an n-gram as it was written and with an edit.
type Gram struct {
	Written, Edited           string
	WrittenCount, EditedCount float64
}

// Windows keeps one window for each model of n-grams, for workers that look into the same ones.
type Windows struct{ list []*window.Windows }

// Of returns the window of a model.
func (w *Windows) Of(m correct.Ngrams) *window.Windows {
	for _, x := range w.list {
		if x.Model == m {
			return x
		}
	}
	x := window.New(m)
	w.list = append(w.list, x)
	return x
}
