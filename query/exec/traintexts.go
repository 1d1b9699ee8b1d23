package exec

import (
	"sync"

	"parlance/algo/check"
	"parlance/algo/text"
)

// learnt gathers a sample of the texts that a model learns from, in the first pass that ends.
type learnt struct {
	mu    sync.Mutex
	texts []byte // nil before a pass has ended
}

// pass returns use and what is to be called when the pass has seen all documents.
func (l *learnt) pass(use func(stored, annotated []*text.Document) bool) (func(stored, annotated []*text.Document) bool, func()) {
	if l == nil || l.sample() != nil {
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

// sample is what the version keeps; nil without texts.
func (l *learnt) sample() []byte {
	if l == nil {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.texts
}
