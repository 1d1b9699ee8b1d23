package input

import (
	"sync"

	"parlance/algo/check"
	"parlance/algo/text"
)

// TextSample collects a sample of the texts that a model learns from, in the first complete pass over them.
type TextSample struct {
	mu    sync.Mutex
	texts []byte // nil before the end of a pass
}

// pass returns use and what is to be called when the pass has seen all documents.
func (l *TextSample) pass(
	use func(stored, annotated []*text.Document) bool) (func(stored, annotated []*text.Document) bool, func()) {
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

// Sample is the sample that the version stores; nil without texts.
func (l *TextSample) Sample() []byte {
	if l == nil {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.texts
}
