package exec

import (
	"fmt"
	"sync"

	"parlance/algo/check"
	"parlance/algo/text"
	"parlance/storage"
)

// leastShare is the share of documents known from training below which nothing is said: texts that
// come again by chance are in every corpus.
const leastShare = 0.01

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

// compareTexts counts the documents that are scored and that a model was trained on.
func (s *scored) compareTexts(r *run) (err error) {
	v, _ := r.Store.ModelVersion(s.use.Name, s.use.Version)
	if len(v.Texts) == 0 {
		return nil
	}
	if s.known, err = check.NewOverlap(v.Texts); err != nil {
		return fmt.Errorf("%w: %s: %w", storage.ErrCorrupt, s.use, err)
	}
	return nil
}

// warnKnown gives a notice where a model was trained on what it is scored on.
func (s *scored) warnKnown(r *run) {
	k := s.known
	if k == nil || k.Held == 0 || float64(k.Held) < leastShare*float64(k.Compared) {
		return
	}
	what := "documents"
	if k.Short > 0 {
		what = "documents that are long enough to tell"
	}
	share := fmt.Sprintf("%d of %d %s are", k.Held, k.Compared, what)
	switch {
	case k.Held == k.Compared:
		share = "the " + what + " are"
	case !k.Whole():
		share = fmt.Sprintf("about %.0f %% of the %s are", 100*float64(k.Held)/float64(k.Compared), what)
	}
	r.ses.Notice(fmt.Sprintf("%s among those that %s was trained on: its scores on them tell too much", share, s.label))
}
