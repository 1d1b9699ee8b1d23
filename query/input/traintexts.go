package input

import (
	"sync"

	"parlance/algo/check"
	"parlance/algo/text"
)

// Learnt gathers a sample of the texts that a model learns from, in the first pass that ends.
type Learnt struct {
	mu    sync.Mutex
	texts []byte // nil before a pass has ended
}

// pass returns use and what is to be called when the pass has seen all documents.
func (l *Learnt) pass(use func(stored, annotated []*text.Document) bool) (func(stored, annotated []*text.Document) bool, func()) {
	if l == nil || l.Sample() != nil {
		return use, func() {}
	}
	s := &check.Sampler{}
	sampling := func(stored, annotated []*text.Document) bool {
		for _, d := range stored {
			s.Add(d.Text)
		}
		return use(stored, annotated)
	}
	return sampling, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.texts = s.Sample()
	}
}

// Sample is what the version keeps; nil without texts.
func (l *Learnt) Sample() []byte {
	if l == nil {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.texts
}
