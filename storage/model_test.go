package storage

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"parlance/storage/dbfile"
	"parlance/storage/sealed"

	"github.com/google/go-cmp/cmp"
)

// publish trains a version of the model whose weights are the sections.
func publish(t testing.TB, s *Store, name string, sections map[string][]byte) ModelVersion {
	t.Helper()
	w, err := s.NewWeights(background)
	if err != nil {
		t.Fatal(err)
	}
	for section, data := range sections {
		if err := w.Write(section, data); err != nil {
			t.Fatal(err)
		}
	}
	score := 0.5
	mv, err := s.PublishModel(background, w, ModelVersion{
		Name: name, Kind: "crf", Revision: 2, Statement: "TRAIN", Options: [][2]string{{"l2", "1"}}, Seed: 7,
		Upstream: []Pin{{Name: "tagger", Version: 3, Hash: "ab"}}, Metrics: map[string]float64{"f1": 0.9},
		Trace: []TracePoint{{Step: 1, Of: 2, Objective: -1.5, HeldOut: &score, Metric: "f1"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return mv
}

// noise returns n bytes that do not repeat.
func noise(n int) []byte {
	out := make([]byte, n)
	_, _ = rand.NewChaCha8([32]byte{}).Read(out) // which never fails
	return out
}

func section(t testing.TB, s *Store, id uint64, name string) []byte {
	t.Helper()
	w, err := s.Weights(id)
	if err != nil {
		t.Fatal(err)
	}
	out, err := w.Section(name)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func weightsKeys(t testing.TB, s *Store) int {
	t.Helper()
	st, err := s.FileStats()
	if err != nil {
		t.Fatal(err)
	}
	return st.Buckets["weights"]
}

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
	if _, err := w.Section("abc"); !errors.Is(err, ErrNotFound) {
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
	pieces, err := s.PublishModel(background, w, ModelVersion{Name: "pieces"})
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

func TestModelVersions(t *testing.T) {
	s := open(t)
	catalog := s.CatalogVersion()
	for i := range 3 {
		mv := publish(t, s, "ner", map[string][]byte{"w": {byte(i)}})
		if mv.Version != i+1 || mv.ObjectID != object(t, s, "ner").ID {
			t.Fatalf("version %d of object %d", mv.Version, mv.ObjectID)
		}
		if v := s.CatalogVersion(); v == catalog {
			t.Fatal("plans do not learn of the version")
		} else {
			catalog = v
		}
	}
	if err := s.DropModelVersion(background, "ner", 3); err != nil {
		t.Fatal(err)
	}
	if s.CatalogVersion() == catalog {
		t.Fatal("plans do not learn that the version is gone")
	}
	if err := s.DropModelVersion(background, "ner", 3); !errors.Is(err, ErrNotFound) {
		t.Fatalf("dropping a dropped version: %v", err)
	}
	before := s.ModelVersions("ner")
	s = reopen(t, s)
	if mv := publish(t, s, "ner", nil); mv.Version != 4 {
		t.Fatalf("version %d is given after 3 was dropped", mv.Version)
	}
	after := s.ModelVersions("ner")
	if d := cmp.Diff(before, after[:2], cmp.AllowUnexported(ModelVersion{})); d != "" || len(after) != 3 {
		t.Fatalf("%d versions: %s", len(after), d)
	}
	if _, ok := s.ModelVersion("ner", 3); ok {
		t.Fatal("a dropped version is back")
	}
	if mv, ok := s.ModelVersion("ner", 4); !ok || mv.Version != 4 || *mv.Trace[0].HeldOut != 0.5 {
		t.Fatalf("version 4 is %+v", mv)
	}
	checked(t, s)
}

func TestPublishRefusesTakenName(t *testing.T) {
	s := open(t)
	tableOf(t, s)
	w, err := s.NewWeights(background)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Write("w", noise(9<<20)); err != nil {
		t.Fatal(err)
	}
	if _, err := s.PublishModel(background, w, ModelVersion{Name: "names"}); !errors.Is(err, ErrExists) {
		t.Fatalf("a model over a table: %v", err)
	}
	if n := weightsKeys(t, s); n != 0 {
		t.Fatalf("%d chunks of refused weights are left", n)
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
	if _, err := s.PublishModel(ctx, w, ModelVersion{Name: "ner"}); !errors.Is(err, context.Canceled) {
		t.Fatalf("publishing after cancel: %v", err)
	}
	if n := weightsKeys(t, s); n != 3 || len(s.ModelVersions("ner")) != 1 {
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
	if _, err := w.Section("w"); !errors.Is(err, ErrCorrupt) {
		t.Errorf("a flipped bit: %v", err)
	}
	faults := 0
	if err := s.CheckDatabase(background, func(string) { faults++ }); !errors.Is(err, ErrCorrupt) || faults != 1 {
		t.Errorf("%d faults: %v", faults, err)
	}
}

func TestAliases(t *testing.T) {
	s := open(t)
	publish(t, s, "ner", nil)
	publish(t, s, "ner", nil)
	catalog := s.CatalogVersion()
	for _, v := range []int{1, 2, 1} {
		if err := s.Promote("ner", Promotion{Alias: "production", Version: v}, nil); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Promote("ner", Promotion{Alias: "next", Version: 2}, nil); err != nil {
		t.Fatal(err)
	}
	if s.CatalogVersion() < catalog+4 {
		t.Error("plans do not learn of aliases")
	}
	if err := s.Promote("nobody", Promotion{Alias: "production", Version: 1}, nil); !errors.Is(err, ErrNotFound) {
		t.Errorf("an alias of no model: %v", err)
	}
	s = reopen(t, s)
	if v, ok := s.Alias("ner", "production"); v != 1 || !ok {
		t.Errorf("production is %d", v)
	}
	if _, ok := s.Alias("ner", "staging"); ok {
		t.Error("an alias that nobody set")
	}
	if d := cmp.Diff(map[string]int{"production": 1, "next": 2}, s.Aliases("ner")); d != "" {
		t.Error(d)
	}
	var history []int
	for _, p := range s.Promotions("ner") {
		history = append(history, p.Version)
	}
	if d := cmp.Diff([]int{1, 2, 1, 2}, history); d != "" {
		t.Error(d)
	}
	if err := s.DropModelVersion(background, "ner", 2); err != nil {
		t.Fatal(err)
	}
	if v, ok := s.Alias("ner", "next"); ok {
		t.Errorf("an alias points at the dropped version %d", v)
	}
}

func TestDropModel(t *testing.T) {
	s := open(t)
	publish(t, s, "ner", map[string][]byte{"w": noise(100)})
	other := publish(t, s, "pos", map[string][]byte{"w": noise(200)})
	publish(t, s, "ner", map[string][]byte{"w": noise(300)})
	catalog := s.CatalogVersion()
	if err := s.DropModel(background, "ner"); err != nil {
		t.Fatal(err)
	}
	if s.CatalogVersion() == catalog {
		t.Error("plans do not learn that the model is gone")
	}
	if _, ok := s.Object("ner"); ok || len(s.ModelVersions("ner")) > 0 || weightsKeys(t, s) != 1 {
		t.Errorf("%d versions and %d chunks are left", len(s.ModelVersions("ner")), weightsKeys(t, s))
	}
	if err := s.DropModel(background, "ner"); !errors.Is(err, ErrNotFound) {
		t.Errorf("dropping a dropped model: %v", err)
	}
	s = reopen(t, s)
	if got := section(t, s, other.WeightsID, "w"); !bytes.Equal(got, noise(200)) {
		t.Error("another model lost its weights")
	}
	if len(s.ModelVersions("ner")) > 0 {
		t.Error("a dropped model is back")
	}
	checked(t, s)
}
