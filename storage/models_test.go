package storage

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"testing"

	"parlance/storage/catalog"
	"parlance/storage/registry"

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

// publish trains a version of the model whose weights are the sections.
func publish(t testing.TB, s *Store, name string, sections map[string][]byte) registry.Version {
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
	mv, err := s.PublishModel(background, w, registry.Version{
		Name: name, Kind: "crf", Revision: 2, Statement: "TRAIN", Options: [][2]string{{"l2", "1"}}, Seed: 7,
		Upstream: []registry.Pin{{Name: "tagger", Version: 3, Hash: "ab"}}, Metrics: map[string]float64{"f1": 0.9},
		Trace: []registry.TracePoint{{Step: 1, Of: 2, Objective: -1.5, HeldOut: &score, Metric: "f1"}},
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
	before := s.Model("ner").Versions
	s = reopen(t, s)
	if mv := publish(t, s, "ner", nil); mv.Version != 4 {
		t.Fatalf("version %d is given after 3 was dropped", mv.Version)
	}
	after := s.Model("ner").Versions
	if d := cmp.Diff(before, after[:2], cmp.AllowUnexported(registry.Version{})); d != "" || len(after) != 3 {
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
	if _, err := s.PublishModel(background, w, registry.Version{Name: "names"}); !errors.Is(err, ErrExists) {
		t.Fatalf("a model over a table: %v", err)
	}
	if n := weightsKeys(t, s); n != 0 {
		t.Fatalf("%d chunks of refused weights are left", n)
	}
}

func TestAliases(t *testing.T) {
	s := open(t)
	publish(t, s, "ner", nil)
	publish(t, s, "ner", nil)
	catalog := s.CatalogVersion()
	for _, v := range []int{1, 2, 1} {
		if err := s.Promote("ner", registry.Promotion{Alias: "production", Version: v}, nil); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Promote("ner", registry.Promotion{Alias: "next", Version: 2}, nil); err != nil {
		t.Fatal(err)
	}
	if s.CatalogVersion() < catalog+4 {
		t.Error("plans do not learn of aliases")
	}
	if err := s.Promote("nobody", registry.Promotion{Alias: "production", Version: 1}, nil); !errors.Is(err, ErrNotFound) {
		t.Errorf("an alias of no model: %v", err)
	}
	s = reopen(t, s)
	if v, ok := s.Model("ner").Aliases["production"]; v != 1 || !ok {
		t.Errorf("production is %d", v)
	}
	if _, ok := s.Model("ner").Aliases["staging"]; ok {
		t.Error("an alias that nobody set")
	}
	if d := cmp.Diff(map[string]int{"production": 1, "next": 2}, s.Model("ner").Aliases); d != "" {
		t.Error(d)
	}
	var history []int
	for _, p := range s.Model("ner").Promotions {
		history = append(history, p.Version)
	}
	if d := cmp.Diff([]int{1, 2, 1, 2}, history); d != "" {
		t.Error(d)
	}
	if err := s.DropModelVersion(background, "ner", 2); err != nil {
		t.Fatal(err)
	}
	if v, ok := s.Model("ner").Aliases["next"]; ok {
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
	if _, ok := s.Object("ner"); ok || len(s.Model("ner").Versions) > 0 || weightsKeys(t, s) != 1 {
		t.Errorf("%d versions and %d chunks are left", len(s.Model("ner").Versions), weightsKeys(t, s))
	}
	if err := s.DropModel(background, "ner"); !errors.Is(err, ErrNotFound) {
		t.Errorf("dropping a dropped model: %v", err)
	}
	s = reopen(t, s)
	if got := section(t, s, other.WeightsID, "w"); !bytes.Equal(got, noise(200)) {
		t.Error("another model lost its weights")
	}
	if len(s.Model("ner").Versions) > 0 {
		t.Error("a dropped model is back")
	}
	checked(t, s)
}

// TestFailedPublishLeavesNoModel publishes what cannot be written.
func TestFailedPublishLeavesNoModel(t *testing.T) {
	s := open(t)
	w, err := s.NewWeights(background)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.PublishModel(background, w, registry.Version{Name: "ner", Schema: json.RawMessage("{")}); err == nil {
		t.Fatal("a schema that is not JSON was published")
	}
	if _, ok := s.Object("ner"); ok {
		t.Error("a model without versions is left")
	}
	tableOfName(t, s, "ner")
}

func tableOfName(t testing.TB, s *Store, name string) {
	t.Helper()
	if _, err := s.CreateObject(background, Object{Name: name, Kind: catalog.KBObject}); err != nil {
		t.Error(err)
	}
}
