package input

import (
	"slices"
	"sync"

	"parlance/algo/kind"
	"parlance/algo/text"
)

// Tally counts the documents that a model learns from and the labels that they have, in the first complete pass over
// them.
type Tally struct {
	learns []kind.LayerUse

	mu                sync.Mutex
	done              bool
	documents, labels int
}

// NewTally returns a tally of what a model learns.
func NewTally(learns []kind.LayerUse) *Tally { return &Tally{learns: learns} }

// pass returns use and what is to be called when the pass has seen all documents.
func (t *Tally) pass(
	use func(stored, annotated []*text.Document) bool) (func(stored, annotated []*text.Document) bool, func()) {
	if t == nil || t.finished() {
		return use, func() {}
	}
	documents, labels := 0, map[string]bool{}
	counting := func(stored, annotated []*text.Document) bool {
		documents += len(stored)
		for _, d := range stored {
			for _, u := range t.learns {
				addLabels(labels, d.Layer(u.Layer), u.Columns)
			}
		}
		return use(stored, annotated)
	}
	return counting, func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.done, t.documents, t.labels = true, documents, len(labels)
	}
}

// addLabels adds the values of a layer that name classes: those of the columns that are learned, else of label.
func addLabels(labels map[string]bool, l *text.Layer, columns []string) {
	if l == nil {
		return
	}
	for _, c := range []string{"label", "deprel", "upos", "xpos"} {
		if c != "label" && !slices.Contains(columns, c) {
			continue
		}
		for _, v := range l.Strs(c) {
			labels[v] = true
		}
	}
}

func (t *Tally) finished() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.done
}

// Counts is the number of documents and of different labels; ok is false if there was no complete pass over documents.
func (t *Tally) Counts() (documents, labels int, ok bool) {
	if t == nil {
		return 0, 0, false
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.documents, t.labels, t.done && t.documents > 0
}
