package exec

import (
	"sync"

	"parlance/query/annotate"
	"parlance/query/document"
	"parlance/storage/value"
)

// scratch is memory that a query of one text needs until it ends. Later queries use it again: what was used a moment
// ago is still in the caches of the processor, fresh memory is not.
type scratch struct {
	annotator annotate.Annotator
	columns   [16]value.Vec
	document  document.Scratch
}

var scratches = sync.Pool{New: func() any { return new(scratch) }}

// release lets the next query have the memory. Nothing in it may be read any more.
func (s *scratch) release() {
	s.annotator = annotate.Annotator{}
	clear(s.columns[:])
	s.document.Reset()
	scratches.Put(s)
}
