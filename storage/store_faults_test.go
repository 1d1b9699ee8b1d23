package storage

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math"
	"testing"

	"parlance/storage/dbfile"
	"parlance/storage/sealed"

	"github.com/google/go-cmp/cmp"
)

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
	if err := s.SaveCheckpoint(&stopAfter{background, 2}, j.ID, big); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if _, err := s.LoadCheckpoint(j.ID); !errors.Is(err, ErrNotFound) {
		t.Errorf("half a checkpoint is valid: %v", err)
	}
	want := map[string][]byte{"a": noise(10), "b": {1}}
	if err := s.SaveCheckpoint(background, j.ID, want); err != nil {
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
	mv, err := s.PublishModel(background, w, ModelVersion{
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
	if err := s.Promote("ner", Promotion{Alias: "production", Version: 2}, nil); !errors.Is(err, ErrNotFound) {
		t.Errorf("an alias of a version that is missing: %v", err)
	}
}

// TestFailedPublishLeavesNoModel publishes what cannot be written.
func TestFailedPublishLeavesNoModel(t *testing.T) {
	s := open(t)
	w, err := s.NewWeights(background)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.PublishModel(background, w, ModelVersion{Name: "ner", Schema: json.RawMessage("{")}); err == nil {
		t.Fatal("a schema that is not JSON was published")
	}
	if _, ok := s.Object("ner"); ok {
		t.Error("a model without versions is left")
	}
	tableOfName(t, s, "ner")
}

func tableOfName(t testing.TB, s *Store, name string) {
	t.Helper()
	if _, err := s.CreateObject(background, Object{Name: name, Kind: KBObject}); err != nil {
		t.Error(err)
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
		if !errors.Is(err, ErrCorrupt) {
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
	if err := s.CheckDatabase(background, func(string) {}); !errors.Is(err, ErrCorrupt) {
		t.Errorf("exchanged chunks: %v", err)
	}
}
