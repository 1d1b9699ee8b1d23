package input

import (
	"sync"

	"parlance/algo/check"
	"parlance/algo/text"
)

// TextSample collects samples of the texts and the documents that a model learns from, in the first complete pass over
// them.
type TextSample struct {
	mu               sync.Mutex
	texts, documents []byte // nil before the end of a pass
}

// pass returns use and what is to be called when the pass has seen all documents.
func (l *TextSample) pass(
	use func(stored, annotated []*text.Document) bool) (func(stored, annotated []*text.Document) bool, func()) {
	if l == nil || l.Documents() != nil {
		return use, func() {}
	}
	texts, documents := &check.Sampler{}, &check.Sampler{}
	sampling := func(stored, annotated []*text.Document) bool {
		for _, d := range stored {
			texts.Add(d.Text)
			documents.AddDocument(d.ID, d.Text)
		}
		return use(stored, annotated)
	}
	return sampling, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.texts, l.documents = texts.Sample(), documents.Sample()
	}
}

// Texts is the sample of texts that the version stores; nil without texts.
func (l *TextSample) Texts() []byte {
	if l == nil {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.texts
}

// Documents is the sample of documents that the version stores; nil without documents.
func (l *TextSample) Documents() []byte {
	if l == nil {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.documents
}
