package registry

import (
	"bytes"
	"errors"
	"maps"
	"slices"
	"testing"
	"time"

	"parlance/storage/dbfile"

	"github.com/google/go-cmp/cmp"
)

func newJob(t testing.TB, s *store, statement string) Job {
	t.Helper()
	j, err := s.NewJob("ann", statement)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

func TestJobs(t *testing.T) {
	s := open(t)
	j := newJob(t, s, "TRAIN one")
	if j.ID != 1 || j.State != "running" || j.Started.IsZero() {
		t.Fatalf("%+v", j)
	}
	j.State, j.Ended, j.Step, j.Of, j.Objective, j.Note = "done", time.Now().UTC().Truncate(time.Microsecond),
		3, 4, -1.5, "n"
	if err := s.UpdateJob(j); err != nil {
		t.Fatal(err)
	}
	running := newJob(t, s, "TRAIN two")
	image := imageOf(t, s)
	if d := cmp.Diff(j, image.Jobs()[0]); d != "" {
		t.Fatal(d)
	}
	orphan, ok := image.Job(running.ID)
	if !ok || orphan.State != "interrupted" || orphan.Statement != "TRAIN two" {
		t.Fatalf("after a kill the job is %+v", orphan)
	}
	if next := newJob(t, image, "TRAIN three"); next.ID != 3 {
		t.Fatalf("job %d after job 2", next.ID)
	}
	if still, _ := s.Job(running.ID); still.State != "running" {
		t.Fatalf("the live job is %s", still.State)
	}
	if _, ok := s.Job(9); ok {
		t.Fatal("a job that nobody started")
	}
}

func TestJobsOfReadOnlyStore(t *testing.T) {
	s := open(t)
	newJob(t, s, "TRAIN")
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	ro, err := openStore(s.Path(), dbfile.Options{ReadOnly: true}, s.ids)
	if err != nil {
		t.Fatal(err)
	}
	defer ro.Close()
	if _, err := ro.NewJob("ann", "TRAIN"); !errors.Is(err, dbfile.ErrReadOnly) {
		t.Fatalf("a job of a read-only store: %v", err)
	}
}

func TestOldJobsAreForgotten(t *testing.T) {
	s := open(t)
	var first Job
	for i := range keptJobs + 5 {
		j := newJob(t, s, "TRAIN")
		if i == 0 {
			first = j
			if err := s.SaveCheckpoint(background, j.ID, sectionsOf(map[string][]byte{"w": {1}})); err != nil {
				t.Fatal(err)
			}
		}
		j.State = "done"
		if err := s.UpdateJob(j); err != nil {
			t.Fatal(err)
		}
	}
	s = reopen(t, s)
	list := s.Jobs()
	if len(list) != keptJobs || list[0].ID != 6 || list[len(list)-1].ID != keptJobs+5 {
		t.Fatalf("%d jobs from %d on", len(list), list[0].ID)
	}
	if _, err := s.LoadCheckpoint(first.ID); !errors.Is(err, dbfile.ErrNotFound) {
		t.Fatalf("the checkpoint of a forgotten job: %v", err)
	}
}

// sectionsOf writes sections in pieces of up to 300,001 bytes, in the order of their names or the opposite one.
func sectionsOf(sections map[string][]byte) func(put func(string, []byte) error) error {
	return func(put func(string, []byte) error) error {
		names := slices.Sorted(maps.Keys(sections))
		if len(names)&1 == 1 {
			slices.Reverse(names)
		}
		for _, n := range names {
			p := slices.Clone(sections[n])
			for first := true; first || len(p) > 0; first = false {
				k := min(len(p), 300_001)
				if err := put(n, p[:k]); err != nil {
					return err
				}
				clear(p[:k]) // what was passed is not kept
				p = p[k:]
			}
		}
		return nil
	}
}

func TestCheckpoints(t *testing.T) {
	s := open(t)
	j := newJob(t, s, "TRAIN")
	if _, err := s.LoadCheckpoint(j.ID); !errors.Is(err, dbfile.ErrNotFound) {
		t.Fatalf("no checkpoint: %v", err)
	}
	for _, want := range []map[string][]byte{
		{"weights": noise(3<<20 + 1), "state": {1, 2}, "whole": noise(weightsChunk)},
		{"weights": noise(9<<20 + 7), "empty": {}, "a": noise(5), "z": noise(2 * weightsChunk)},
		{"weights": noise(100), "other": {3}},
	} {
		if err := s.SaveCheckpoint(background, j.ID, sectionsOf(want)); err != nil {
			t.Fatal(err)
		}
		for _, st := range []*store{s, imageOf(t, s)} {
			got, err := st.LoadCheckpoint(j.ID)
			if err != nil || !maps.EqualFunc(got, want, bytes.Equal) {
				t.Fatalf("the checkpoint has %d sections: %v", len(got), err)
			}
		}
	}
	other := newJob(t, s, "TRAIN")
	if err := s.SaveCheckpoint(background, other.ID, sectionsOf(map[string][]byte{"w": {9}})); err != nil {
		t.Fatal(err)
	}
	if err := s.DropCheckpoint(j.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := s.LoadCheckpoint(j.ID); !errors.Is(err, dbfile.ErrNotFound) {
		t.Fatalf("a dropped checkpoint: %v", err)
	}
	if got, err := s.LoadCheckpoint(other.ID); err != nil || !bytes.Equal(got["w"], []byte{9}) {
		t.Fatalf("the checkpoint of another job: %v %v", got, err)
	}
}
