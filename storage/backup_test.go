package storage

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"parlance/algo/text"
	"parlance/storage/accounts"
	"parlance/storage/registry"
	"parlance/storage/verifier"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"parlance/storage/dbfile"
	"parlance/storage/files"

	bolt "go.etcd.io/bbolt"
)

// prediction is one in the cache of a filled database.
var prediction = struct {
	model [8]byte
	hash  [16]byte
}{[8]byte{1}, [16]byte{2}}

// filled is a database with one of everything.
func filled(t testing.TB) *Store {
	t.Helper()
	s := open(t)
	o := corpusOf(t, s)
	if err := s.ReplaceDocuments(background, o,
		[]*text.Document{simple("a", "a bb ccc"), simple("b", "a"), simple("c", "dd e")}); err != nil {
		t.Fatal(err)
	}
	insert(t, s, tableOf(t, s, []string{"name"}), rowsOf(3000)...)
	publish(t, s, "ner", map[string][]byte{"w": noise(3 << 20)})
	if err := s.Promote("ner", registry.Promotion{Alias: "production", Version: 1}, nil); err != nil {
		t.Fatal(err)
	}
	j, err := s.NewJob("ann", "TRAIN")
	if err != nil {
		t.Fatal(err)
	}
	j.State = "done"
	if err := s.UpdateJob(j); err != nil {
		t.Fatal(err)
	}
	if err := s.SetSetting("cache_size", "9"); err != nil {
		t.Fatal(err)
	}
	ann := accounts.User{Name: "ann", Role: accounts.Admin, Verifier: verifier.Mock(nil, "ann").String()}
	if err := s.CreateUser(ann); err != nil {
		t.Fatal(err)
	}
	if err := s.Cache().Put(background, prediction.model, 1, prediction.hash, []byte("answer")); err != nil {
		t.Fatal(err)
	}
	if err := s.Cache().Flush(background); err != nil {
		t.Fatal(err)
	}
	return s
}

// equal compares everything but the cache of two databases.
func equal(t testing.TB, a, b *Store) {
	t.Helper()
	if d := cmp.Diff(a.Objects(""), b.Objects(""), cmpopts.IgnoreFields(Object{}, "Since", "Before")); d != "" {
		t.Fatal(d)
	}
	oa, ob := object(t, a, "names"), object(t, b, "names")
	if d := cmp.Diff(scan(t, a, oa), scan(t, b, ob)); d != "" || a.TableHash(oa) != b.TableHash(ob) {
		t.Fatal(d)
	}
	same(t, readAll(t, b, object(t, b, "docs")), readAll(t, a, object(t, a, "docs")))
	va, vb := a.Model("ner").Versions, b.Model("ner").Versions
	if d := cmp.Diff(va, vb); d != "" {
		t.Fatal(d)
	}
	if !bytes.Equal(section(t, a, va[0].WeightsID, "w"), section(t, b, vb[0].WeightsID, "w")) {
		t.Fatal("weights differ")
	}
	for _, d := range []string{
		cmp.Diff(a.Model("ner").Aliases, b.Model("ner").Aliases),
		cmp.Diff(a.Model("ner").Promotions, b.Model("ner").Promotions),
		cmp.Diff(a.Jobs(), b.Jobs()), cmp.Diff(a.Settings(), b.Settings()), cmp.Diff(a.Users(), b.Users()),
	} {
		if d != "" {
			t.Fatal(d)
		}
	}
	checked(t, b)
}

func namesIn(t testing.TB, dir string) []string {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range list {
		out = append(out, e.Name())
	}
	return out
}

func TestBackup(t *testing.T) {
	s := filled(t)
	dir := t.TempDir()
	path := filepath.Join(dir, "copy.parlance")
	if err := s.Backup(background, files.Anywhere, path); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"copy.parlance"}, namesIn(t, dir)); d != "" {
		t.Fatal(d)
	}
	b, err := Open(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	equal(t, s, b)
	if st := b.Cache().Stats(); st.Entries != 0 {
		t.Errorf("the copy has a cache: %+v", st)
	}
	insert(t, b, object(t, b, "names"), rowOf("later", 1))
	publish(t, b, "ner", nil)
	if len(s.Model("ner").Versions) != 1 || s.TableCount(object(t, s, "names")) != 3000 {
		t.Error("a change of the copy reaches the original")
	}
}

func TestBackupRefuses(t *testing.T) {
	s := filled(t)
	dir := t.TempDir()
	taken := filepath.Join(dir, "taken")
	if err := os.WriteFile(taken, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{taken, s.Path()} {
		if err := s.Backup(background, files.Anywhere, path); !errors.Is(err, fs.ErrExist) {
			t.Errorf("backup over %s: %v", filepath.Base(path), err)
		}
	}
	if raw, _ := os.ReadFile(taken); string(raw) != "mine" {
		t.Error("a file was overwritten")
	}
	if err := s.Backup(background, files.Anywhere, filepath.Join(dir, "no", "copy")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("backup into a folder that is missing: %v", err)
	}
	stopped, cancel := context.WithCancel(background)
	cancel()
	if err := s.Backup(stopped, files.Anywhere, filepath.Join(dir, "stopped")); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled backup: %v", err)
	}
	if d := cmp.Diff([]string{"taken"}, namesIn(t, dir)); d != "" {
		t.Error(d)
	}
	checked(t, s)
}

// TestBackupWhileLoading copies the committed state only.
func TestBackupWhileLoading(t *testing.T) {
	s := filled(t)
	l, err := s.NewTableLoad(object(t, s, "names"))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Abort()
	if err := l.Add(background, rowsOf(50), nil); err != nil {
		t.Fatal(err)
	}
	w, err := s.NewWeights(background)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	if err := w.Write("w", noise(20<<20)); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "copy")
	if err := s.Backup(background, files.Anywhere, path); err != nil {
		t.Fatal(err)
	}
	b, err := Open(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	equal(t, s, b)
	if n := weightsKeys(t, b); n != 3 {
		t.Errorf("%d chunks of weights in the copy, 3 are published", n)
	}
}

func TestCompact(t *testing.T) {
	s := filled(t)
	want := imageOf(t, s)
	for range 3 {
		w, err := s.NewWeights(background)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Write("w", noise(20<<20)); err != nil {
			t.Fatal(err)
		}
		w.Abort()
	}
	l, err := s.NewTableLoad(object(t, s, "names"))
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Add(background, rowsOf(5), nil); err != nil {
		t.Fatal(err)
	}
	if err := l.d.Flush(); err != nil {
		t.Fatal(err)
	}
	snap := s.Snapshot()
	before, err := os.Stat(s.Path())
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Compact(background); err != nil {
		t.Fatal(err)
	}
	after, err := os.Stat(s.Path())
	if err != nil {
		t.Fatal(err)
	}
	if after.Size() > before.Size()/2 {
		t.Errorf("%d bytes become %d", before.Size(), after.Size())
	}
	if n := snap.Count(object(t, s, "docs")); n != 3 {
		t.Errorf("a snapshot sees %d documents", n)
	}
	snap.Close()
	if d := cmp.Diff([]string{filepath.Base(s.Path())}, namesIn(t, filepath.Dir(s.Path()))); d != "" {
		t.Error(d)
	}
	if got := s.Cache().GetMany(prediction.model, []uint64{1}, [][16]byte{prediction.hash}); string(got[0]) != "answer" {
		t.Error("compacting loses the cache")
	}
	l.Abort()
	equal(t, want, s)
	if _, err := Open(s.Path(), Options{}); !errors.Is(err, dbfile.ErrLocked) {
		t.Errorf("the compacted file is not locked: %v", err)
	}
	s = reopen(t, s)
	equal(t, want, s)
}

func TestCompactStops(t *testing.T) {
	s := filled(t)
	want := imageOf(t, s)
	stopped, cancel := context.WithCancel(background)
	cancel()
	if err := s.Compact(stopped); !errors.Is(err, context.Canceled) {
		t.Fatalf("a cancelled compacting: %v", err)
	}
	if d := cmp.Diff([]string{filepath.Base(s.Path())}, namesIn(t, filepath.Dir(s.Path()))); d != "" {
		t.Error(d)
	}
	equal(t, want, s)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	ro, err := Open(s.Path(), Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer ro.Close()
	if err := ro.Compact(background); !errors.Is(err, ErrReadOnly) {
		t.Errorf("compacting a read-only store: %v", err)
	}
}

func TestFileStats(t *testing.T) {
	s := filled(t)
	st, err := s.FileStats()
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(s.Path())
	if err != nil {
		t.Fatal(err)
	}
	if st.Path != s.Path() || st.Bytes > info.Size() || st.Buckets["seg"] < 5 ||
		st.Buckets["cache"] != 1 {
		t.Errorf("%+v", st)
	}
}

// TestStaleEntries puts an entry of an earlier state in the place of the present one. Its checksum is right, but CHECK,
// BACKUP and COMPACT notice it by the sum of its bucket.
func TestStaleEntries(t *testing.T) {
	s := open(t)
	key := append(bytes.Clone(settingPrefix), "work_memory"...)
	var old []byte
	for _, value := range []string{"64", "65"} {
		if err := s.SetSetting("work_memory", value); err != nil {
			t.Fatal(err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		b, err := bolt.Open(s.Path(), 0o600, nil)
		if err != nil {
			t.Fatal(err)
		}
		err = b.Update(func(tx *bolt.Tx) error {
			if m := tx.Bucket(dbfile.Meta); value == "65" {
				return m.Put(key, old)
			} else {
				old = bytes.Clone(m.Get(key))
			}
			return nil
		})
		if err := errors.Join(err, b.Close()); err != nil {
			t.Fatal(err)
		}
		if s, err = Open(s.Path(), Options{}); err != nil {
			t.Fatal(err)
		}
		defer s.Close()
	}
	if err := s.CheckDatabase(background, func(string) {}); !errors.Is(err, ErrCorrupt) {
		t.Errorf("CHECK DATABASE: %v", err)
	}
	if err := s.Backup(background, files.Anywhere, s.Path()+".backup"); !errors.Is(err, ErrCorrupt) {
		t.Errorf("BACKUP: %v", err)
	}
	if err := s.Compact(background); !errors.Is(err, ErrCorrupt) {
		t.Errorf("COMPACT: %v", err)
	}
}
