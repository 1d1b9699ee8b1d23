package registry

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"parlance/storage/dbfile"
	"parlance/storage/sealed"
)

var background = context.Background()

// store is a file with its registry, and the identifiers of models, which the catalog has else.
type store struct {
	*dbfile.File
	*Registry
	ids map[uint32]string
}

func openStore(path string, o dbfile.Options, ids map[uint32]string) (*store, error) {
	s := &store{ids: ids}
	var err error
	s.File, err = dbfile.Open(path, o, func(f *dbfile.File) (err error) {
		s.Registry, err = Open(f, ids, func() {})
		return err
	})
	return s, err
}

func opened(t testing.TB, path string, ids map[uint32]string) *store {
	t.Helper()
	s, err := openStore(path, dbfile.Options{}, ids)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func open(t testing.TB) *store {
	t.Helper()
	return opened(t, filepath.Join(t.TempDir(), "test.parlance"), map[uint32]string{})
}

func reopen(t testing.TB, s *store) *store {
	t.Helper()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return opened(t, s.Path(), s.ids)
}

// imageOf opens a copy of the file as it is now, as after the process was killed.
func imageOf(t testing.TB, s *store) *store {
	t.Helper()
	raw, err := os.ReadFile(s.Path())
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "image.parlance")
	if err := os.WriteFile(path, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	return opened(t, path, s.ids)
}

// PublishModels publishes versions under identifiers of their own.
func (s *store) PublishModels(ctx context.Context, batch []NewVersion) ([]Version, error) {
	if err := Finish(ctx, batch); err != nil {
		return nil, err
	}
	return s.Publish(batch, func(name string) (uint32, error) {
		for id, n := range s.ids {
			if n == name {
				return id, nil
			}
		}
		id := uint32(len(s.ids) + 1)
		s.ids[id] = name
		return id, nil
	}, func(*sealed.Tx) error { return nil })
}

func (s *store) PublishModel(ctx context.Context, w *WeightsWriter, v Version) (Version, error) {
	out, err := s.PublishModels(ctx, []NewVersion{{Weights: w, Version: v}})
	if err != nil {
		return v, err
	}
	return out[0], nil
}

// faults counts the faults of weights.
func faults(t testing.TB, s *store) (n int) {
	t.Helper()
	if err := s.CheckWeights(background, func(string, ...any) { n++ }); err != nil {
		t.Fatal(err)
	}
	return n
}

func checked(t testing.TB, s *store) {
	t.Helper()
	if n := faults(t, s); n > 0 {
		t.Errorf("%d faults", n)
	}
}

// publish trains a version of the model whose weights are the sections.
func publish(t testing.TB, s *store, name string, sections map[string][]byte) Version {
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
	mv, err := s.PublishModel(background, w, Version{
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

func section(t testing.TB, s *store, id uint64, name string) []byte {
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

func weightsKeys(t testing.TB, s *store) int {
	t.Helper()
	st, err := s.FileStats()
	if err != nil {
		t.Fatal(err)
	}
	return st.Buckets["weights"]
}
