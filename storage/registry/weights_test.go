package registry

import (
	"bytes"
	"context"
	"errors"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"parlance/storage/dbfile"
	"parlance/storage/sealed"
)

func TestWeightsRoundTrip(t *testing.T) {
	s := open(t)
	want := map[string][]byte{
		"": []byte("nameless"), "a": {}, "ab": noise(weightsChunk), "b": noise(weightsChunk + 1),
		"c": noise(9<<20 + 3), "d": {0},
	}
	mv := publish(t, s, "ner", want)
	s = reopen(t, s)
	total := int64(0)
	for name, data := range want {
		if got := section(t, s, mv.WeightsID, name); !bytes.Equal(got, data) {
			t.Errorf("section %q has %d bytes, not the %d that were written", name, len(got), len(data))
		}
		total += int64(len(data))
	}
	if mv.WeightsBytes != total {
		t.Errorf("%d bytes are counted, %d were written", mv.WeightsBytes, total)
	}
	w, err := s.Weights(mv.WeightsID)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Section("abc"); !errors.Is(err, dbfile.ErrNotFound) {
		t.Errorf("a section that is missing: %v", err)
	}
	checked(t, s)
}

// TestWeightsHash depends on the sections, not on how they were written.
func TestWeightsHash(t *testing.T) {
	s := open(t)
	w, err := s.NewWeights(background)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []struct{ section, data string }{{"b", "two"}, {"a", "o"}, {"a", "ne"}} {
		if err := w.Write(part.section, []byte(part.data)); err != nil {
			t.Fatal(err)
		}
	}
	pieces, err := s.PublishModel(background, w, Version{Name: "pieces"})
	if err != nil {
		t.Fatal(err)
	}
	whole := publish(t, s, "whole", map[string][]byte{"a": []byte("one"), "b": []byte("two")})
	swapped := publish(t, s, "swapped", map[string][]byte{"b": []byte("one"), "a": []byte("two")})
	if pieces.WeightsHash != whole.WeightsHash || len(whole.WeightsHash) != 64 {
		t.Errorf("hashes %s and %s of equal weights", pieces.WeightsHash, whole.WeightsHash)
	}
	if whole.WeightsHash == swapped.WeightsHash {
		t.Error("the hash does not depend on the names of sections")
	}
}

// TestUnpublishedWeights kills, aborts and cancels trainings while they write.
func TestUnpublishedWeights(t *testing.T) {
	s := open(t)
	kept := publish(t, s, "ner", map[string][]byte{"w": noise(3 << 20)})
	ctx, cancel := context.WithCancel(background)
	w, err := s.NewWeights(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Write("w", noise(20<<20)); err != nil {
		t.Fatal(err)
	}
	if n := weightsKeys(t, s); n < 10 {
		t.Fatalf("%d chunks are written while 20 MB are", n)
	}
	image := imageOf(t, s)
	if n := weightsKeys(t, image); n != 3 {
		t.Fatalf("%d chunks after a kill, 3 are published", n)
	}
	if got := section(t, image, kept.WeightsID, "w"); !bytes.Equal(got, noise(3<<20)) {
		t.Fatal("published weights changed")
	}
	if mv := publish(t, image, "ner", map[string][]byte{"w": {1}}); mv.Version != 2 || mv.WeightsID == kept.WeightsID {
		t.Fatalf("version %d with weights %d", mv.Version, mv.WeightsID)
	}
	checked(t, image)
	cancel()
	if _, err := s.PublishModel(ctx, w, Version{Name: "ner"}); !errors.Is(err, context.Canceled) {
		t.Fatalf("publishing after cancel: %v", err)
	}
	if n := weightsKeys(t, s); n != 3 || len(s.Model("ner").Versions) != 1 {
		t.Fatalf("%d chunks after cancel, 3 are published", n)
	}
	w, err = s.NewWeights(background)
	if err != nil {
		t.Fatal(err)
	}
	n := weightsKeys(t, s)
	if err := w.Write("w", noise(9<<20)); err != nil {
		t.Fatal(err)
	}
	w.Abort()
	if weightsKeys(t, s) != n {
		t.Fatalf("%d chunks are left of an aborted training", weightsKeys(t, s)-n)
	}
}

func TestDamagedWeights(t *testing.T) {
	s := open(t)
	mv := publish(t, s, "ner", map[string][]byte{"w": noise(2 << 20)})
	err := s.Update(func(tx *sealed.Tx) error {
		b := tx.Bucket(dbfile.Weights)
		k := weightsKey(mv.WeightsID, "w", 1)
		v := bytes.Clone(b.Get(k))
		v[1000] ^= 1
		return b.Put(k, v)
	})
	if err != nil {
		t.Fatal(err)
	}
	w, err := s.Weights(mv.WeightsID)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Section("w"); !errors.Is(err, dbfile.ErrCorrupt) {
		t.Errorf("a flipped bit: %v", err)
	}
	if n := faults(t, s); n != 1 {
		t.Errorf("%d faults", n)
	}
}

// stopAfter is a context that is cancelled when it was asked n times.
type stopAfter struct {
	context.Context
	n int
}

func (c *stopAfter) Err() error {
	if c.n--; c.n < 0 {
		return context.Canceled
	}
	return nil
}

// TestCheckpointAfterStoppedOne saves a small checkpoint after one that was given up.
func TestCheckpointAfterStoppedOne(t *testing.T) {
	s := open(t)
	j := newJob(t, s, "TRAIN")
	big := map[string][]byte{"a": noise(20 << 20), "b": noise(20 << 20)}
	if err := s.SaveCheckpoint(&stopAfter{background, 2}, j.ID, sectionsOf(big)); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if _, err := s.LoadCheckpoint(j.ID); !errors.Is(err, dbfile.ErrNotFound) {
		t.Errorf("half a checkpoint is valid: %v", err)
	}
	want := map[string][]byte{"a": noise(10), "b": {1}}
	if err := s.SaveCheckpoint(background, j.ID, sectionsOf(want)); err != nil {
		t.Fatal(err)
	}
	got, err := s.LoadCheckpoint(j.ID)
	if err != nil || !cmp.Equal(got, want) {
		t.Fatalf("section a has %d bytes, 10 were saved: %v", len(got["a"]), err)
	}
}

// TestDivergedTraining keeps figures that JSON has no number for.
func TestDivergedTraining(t *testing.T) {
	s := open(t)
	j := newJob(t, s, "TRAIN")
	j.Objective = math.Inf(-1)
	if err := s.UpdateJob(j); err != nil {
		t.Error(err)
	}
	nan := math.NaN()
	w, err := s.NewWeights(background)
	if err != nil {
		t.Fatal(err)
	}
	mv, err := s.PublishModel(background, w, Version{
		Name: "ner", Metrics: map[string]float64{"f1": nan, "uas": 0.25},
		Trace: []TracePoint{{Step: 1, Objective: math.Inf(1), HeldOut: &nan, Seconds: 2}},
	})
	if err != nil {
		t.Fatal(err)
	}
	s = reopen(t, s)
	if j, _ := s.Job(1); !math.IsInf(j.Objective, -1) {
		t.Errorf("the objective is %v", j.Objective)
	}
	got, _ := s.ModelVersion("ner", mv.Version)
	p := got.Trace[0]
	if !math.IsNaN(got.Metrics["f1"]) || got.Metrics["uas"] != 0.25 || !math.IsInf(p.Objective, 1) ||
		!math.IsNaN(*p.HeldOut) || p.Seconds != 2 {
		t.Errorf("%+v", got)
	}
}

func TestOrphanedJobHasEnded(t *testing.T) {
	s := open(t)
	newJob(t, s, "TRAIN")
	if j, _ := imageOf(t, s).Job(1); j.Ended.IsZero() {
		t.Error("an interrupted job has no end")
	}
}

func TestAliasOfMissingVersion(t *testing.T) {
	s := open(t)
	publish(t, s, "ner", nil)
	if err := s.Promote("ner", Promotion{Alias: "production", Version: 2}, nil); !errors.Is(err, dbfile.ErrNotFound) {
		t.Errorf("an alias of a version that is missing: %v", err)
	}
}

// TestLostWeights reads weights of which a chunk in the middle, or the last one, is missing.
func TestLostWeights(t *testing.T) {
	for chunk := range 3 {
		s := open(t)
		mv := publish(t, s, "ner", map[string][]byte{"w": noise(3 << 20)})
		err := s.Update(func(tx *sealed.Tx) error {
			return tx.Bucket(dbfile.Weights).Delete(weightsKey(mv.WeightsID, "w", chunk))
		})
		if err != nil {
			t.Fatal(err)
		}
		w, err := s.Weights(mv.WeightsID)
		if err == nil {
			_, err = w.Section("w")
		}
		if !errors.Is(err, dbfile.ErrCorrupt) {
			t.Errorf("chunk %d is lost: %v", chunk, err)
		}
	}
}

// TestMovedWeights exchanges two chunks whose checksums are right.
func TestMovedWeights(t *testing.T) {
	s := open(t)
	mv := publish(t, s, "ner", map[string][]byte{"w": noise(2 << 20)})
	err := s.Update(func(tx *sealed.Tx) error {
		b := tx.Bucket(dbfile.Weights)
		k0, k1 := weightsKey(mv.WeightsID, "w", 0), weightsKey(mv.WeightsID, "w", 1)
		v0, v1 := bytes.Clone(b.Get(k0)), bytes.Clone(b.Get(k1))
		return errors.Join(b.Put(k0, v1), b.Put(k1, v0))
	})
	if err != nil {
		t.Fatal(err)
	}
	if faults(t, s) == 0 {
		t.Error("exchanged chunks are taken for sound")
	}
}
