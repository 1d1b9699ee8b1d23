package storage

import (
	"path/filepath"
	"testing"
)

// TestSnapshots: garbage waits for the oldest open snapshot, in whatever order they are closed, twice or once.
func TestSnapshots(t *testing.T) {
	s, err := Open(filepath.Join(t.TempDir(), "f"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	c := &s.corpora
	open := func() *Snapshot {
		sn := s.Snapshot()
		s.publish(nil, []garbage{{corpus: 1}})
		return sn
	}
	a, b := open(), open()
	last := open()
	for _, step := range []struct {
		close       *Snapshot
		open, ready int
	}{{nil, 3, 0}, {b, 2, 0}, {b, 2, 0}, {a, 1, 2}, {last, 0, 3}, {last, 0, 3}} {
		if step.close != nil {
			step.close.Close()
		}
		if n := len(c.ready()); c.open != step.open || n != step.ready || s.Statistics().Snapshots != step.open {
			t.Errorf("%d open and %d ready, want %d and %d", c.open, n, step.open, step.ready)
		}
	}
	s.Capture(a)
	if a.Close(); c.open != 0 || c.snapshots.next != &c.snapshots {
		t.Error("a snapshot that was made anew stays open")
	}
}
