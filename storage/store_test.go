package storage

import (
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"parlance/storage/bbolt"
)

// setVersion changes the format version of a closed file.
func setVersion(t *testing.T, path string, version int) {
	t.Helper()
	b, err := bbolt.Open(path, 0o600, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	raw, err := json.Marshal(header{magic, version, "test"})
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Update(func(tx *bbolt.Tx) error { return tx.Bucket(bucketMeta).Put([]byte("header"), raw) }); err != nil {
		t.Fatal(err)
	}
}

func TestVersions(t *testing.T) {
	s := open(t)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	setVersion(t, s.path, FormatVersion+1)
	if _, err := Open(s.path, Options{}); !errors.Is(err, ErrNewer) {
		t.Errorf("a newer file gives %v", err)
	}
	setVersion(t, s.path, 0)
	if _, err := Open(s.path, Options{}); !errors.Is(err, ErrOlder) {
		t.Errorf("an older file gives %v", err)
	}
	ran := 0
	migrations[0] = func(*bbolt.Tx) error { ran++; return nil }
	defer delete(migrations, 0)
	for range 2 {
		m, err := Open(s.path, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := m.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if ran != 1 {
		t.Errorf("the migration ran %d times", ran)
	}
}

// TestFormats reads an old file as it is, and writes it as one of the present format.
func TestFormats(t *testing.T) {
	path := oldFile(t)
	for _, o := range []struct {
		readOnly bool
		want     int
	}{{true, 1}, {false, FormatVersion}} {
		s, err := Open(path, Options{ReadOnly: o.readOnly})
		if err != nil {
			t.Fatal(err)
		}
		h, err := s.header()
		if err != nil || h.Version != o.want {
			t.Errorf("read only %t: format %v, want %d; %v", o.readOnly, h, o.want, err)
		}
		if _, ok := s.Object("people"); !ok {
			t.Error("the corpus is lost")
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// oldFile is a file that the first version of the format wrote.
func oldFile(t *testing.T) string {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "testdata", "format", "v1.parlance.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "v1.parlance")
	if err := os.WriteFile(path, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestOldFile opens a file that the first version of the format wrote.
func TestOldFile(t *testing.T) {
	s, err := Open(oldFile(t), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.CheckDatabase(background, func(m string) { t.Error(m) }); err != nil {
		t.Error(err)
	}
	o, ok := s.Object("people")
	if !ok {
		t.Fatal("the corpus is lost")
	}
	if docs := readAll(t, s, o); len(docs) != 15 || docs["people.test.conll:1"].Layer("entities").N == 0 {
		t.Errorf("%d documents", len(docs))
	}
	if err := s.CreateFulltext(background, o, FulltextIndex{Column: "text", Case: "lower"}); err != nil {
		t.Error(err)
	}
	sn := s.Snapshot()
	defer sn.Close()
	if hits, err := sn.Search(background, o, "", "text", compiled(t, "in"), true); err != nil || len(hits.List) == 0 {
		t.Errorf("searching gives %v, %v", hits, err)
	}
	if v := s.ModelVersions("ner"); len(v) != 1 || v[0].Kind != "crf" {
		t.Errorf("models: %v", v)
	}
	if g, ok := s.Object("cities"); !ok || s.TableCount(g) != 2 {
		t.Error("the gazetteer is lost")
	}
}
