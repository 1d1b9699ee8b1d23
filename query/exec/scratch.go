package exec

import (
	"sync"

	"parlance/query/annotate"
	"parlance/query/document"
	"parlance/storage/value"
)

// scratch is what a query of one text needs until it ends, for later ones to use again: memory that was
// used a moment ago is in the caches of the processor, fresh memory is not.
type scratch struct {
	annotator annotate.Annotator
	columns   [16]value.Vec
	cut       document.Scratch
}

var scratches = sync.Pool{New: func() any { return new(scratch) }}

// release gives the room back. Nothing in it may be read any more.
func (m *scratch) release() {
	m.annotator = annotate.Annotator{}
	clear(m.columns[:])
	m.cut.Reset()
	scratches.Put(m)
}
