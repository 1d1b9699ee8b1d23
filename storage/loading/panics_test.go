package loading

import (
	"context"
	"errors"
	"testing"

	"parlance/algo/text"
	"parlance/storage/documents"
	"parlance/storage/guard"
	"parlance/storage/textindex"
)

// isPanic checks that an error is a panic that was recovered.
func isPanic(t *testing.T, what string, err error) {
	t.Helper()
	if p := new(guard.Panic); !errors.As(err, &p) {
		t.Errorf("%s: %v", what, err)
	}
}

// emptyLoad is a load whose writer runs; nothing in it can be written.
func emptyLoad() *Load {
	l := &Load{gen: &documents.Generation{}, queue: make(chan chan *encodedSegment, 4), work: make(chan job),
		written: make(chan struct{})}
	l.ctx, l.cancel = context.WithCancel(context.Background())
	return l
}

// writeAll runs the writer over segments and returns the error of the load.
func (l *Load) writeAll(segments ...*encodedSegment) error {
	for _, e := range segments {
		one := make(chan *encodedSegment, 1)
		one <- e
		l.queue <- one
	}
	close(l.queue)
	go l.writer()
	<-l.written
	return l.failed()
}

// TestPanicsOfLoads: what panics in a goroutine of a load is the error of the load.
func TestPanicsOfLoads(t *testing.T) {
	l := emptyLoad()
	isPanic(t, "encoding", l.encode(job{docs: []*text.Document{nil}}).err)
	l.cancel()

	l = emptyLoad()
	isPanic(t, "writing", l.writeAll(&encodedSegment{Encoded: &documents.Encoded{State: &documents.SegmentState{}}}))

	l = emptyLoad()
	isPanic(t, "indexing a segment", l.writeAll(&encodedSegment{inverted: []*textindex.Terms{nil}}))

	l = emptyLoad()
	l.indexes = make([]documents.IndexState, 1)
	isPanic(t, "the end of indexing", l.writeAll())
}
