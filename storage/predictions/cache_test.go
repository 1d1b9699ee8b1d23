package predictions

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"testing"

	"parlance/storage/dbfile"
	"parlance/storage/sealed"

	"pgregory.net/rapid"
)

var background = context.Background()

type fatal interface{ Fatalf(string, ...any) }

// store is a file with its cache.
type store struct {
	*dbfile.File
	cache *Cache
}

func (s *store) Cache() *Cache { return s.cache }

func (s *store) Close() error { return errors.Join(s.cache.Close(), s.File.Close()) }

func openStore(path string, o dbfile.Options) (*store, error) {
	s := &store{}
	var err error
	s.File, err = dbfile.Open(path, o, func(f *dbfile.File) (err error) {
		s.cache, err = Open(f)
		return err
	})
	return s, err
}

func open(t testing.TB) *store {
	t.Helper()
	s, err := openStore(filepath.Join(t.TempDir(), "test.parlance"), dbfile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func reopen(t testing.TB, s *store) *store {
	t.Helper()
	err := s.Close()
	if err == nil {
		s, err = openStore(s.Path(), dbfile.Options{})
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// checked fails if the file has a damaged entry.
func checked(t fatal, s *store) {
	if err := s.Cache().Check(func(format string, args ...any) { t.Fatalf(format, args...) }); err != nil {
		t.Fatalf("%v", err)
	}
}

func keyOf(i int) [8]byte { return [8]byte{byte(i >> 8), byte(i)} }

func hashOf(i int) [16]byte { return [16]byte{byte(i >> 8), byte(i), 1} }

func put(t fatal, c *Cache, model, seq, hash int, result string) {
	if err := c.Put(background, keyOf(model), uint64(seq), hashOf(hash), []byte(result)); err != nil {
		t.Fatalf("put: %v", err)
	}
}

// get returns one answer, "" where there is none.
func get(c *Cache, model, seq, hash int) string {
	return string(c.GetMany(keyOf(model), []uint64{uint64(seq)}, [][16]byte{hashOf(hash)})[0])
}

func TestCacheRoundTrip(t *testing.T) {
	s := open(t)
	c := s.Cache()
	c.RegisterModel(keyOf(1), "ner@1")
	put(t, c, 1, 5, 1, "pending")
	if got := get(c, 1, 5, 1); got != "pending" {
		t.Fatalf("a pending answer is %q", got)
	}
	if err := c.Flush(background); err != nil {
		t.Fatal(err)
	}
	for _, probe := range []struct {
		model, seq, hash int
		want             string
	}{{1, 5, 1, "pending"}, {1, 5, 2, ""}, {1, 6, 1, ""}, {2, 5, 1, ""}} {
		if got := get(c, probe.model, probe.seq, probe.hash); got != probe.want {
			t.Errorf("%+v: %q", probe, got)
		}
	}
	put(t, c, 1, 5, 2, "changed")
	if a, b := get(c, 1, 5, 1), get(c, 1, 5, 2); b != "changed" || a != "" && a != "pending" {
		t.Errorf("answers %q and %q of a changed unit", a, b)
	}
	s = reopen(t, s) // Close writes what is pending
	c = s.Cache()
	if a, b := get(c, 1, 5, 1), get(c, 1, 5, 2); a != "" || b != "changed" {
		t.Errorf("answers %q and %q of a changed unit after reopening", a, b)
	}
	st := c.Stats()
	if st.Entries != 1 || st.Hits != 1 || st.Misses != 1 || len(st.Models) != 1 || st.Models[0].Label != "ner@1" {
		t.Errorf("%+v", st)
	}
	checked(t, s)
}

// TestCacheAgainstMap runs random puts and lookups, with writing and reopening, against a map.
func TestCacheAgainstMap(t *testing.T) {
	dir := t.TempDir()
	n := 0
	rapid.Check(t, func(t *rapid.T) {
		n++
		path := filepath.Join(dir, fmt.Sprint(n))
		s, err := openStore(path, dbfile.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer func() { s.Close() }()
		type unit struct{ model, seq int }
		type answer struct {
			hash   int
			result string
		}
		want := map[unit]answer{}
		for i := range rapid.IntRange(1, 30).Draw(t, "steps") {
			u := unit{rapid.IntRange(0, 2).Draw(t, "model"), rapid.IntRange(1, 4).Draw(t, "seq")}
			switch rapid.IntRange(0, 9).Draw(t, "step") {
			case 0:
				if err := s.Cache().Flush(background); err != nil {
					t.Fatal(err)
				}
			case 1:
				if err := s.Close(); err != nil {
					t.Fatal(err)
				}
				if s, err = openStore(path, dbfile.Options{}); err != nil {
					t.Fatal(err)
				}
			default:
				a := answer{rapid.IntRange(0, 3).Draw(t, "hash"), fmt.Sprint("result", i)}
				put(t, s.Cache(), u.model, u.seq, a.hash, a.result)
				want[u] = a
			}
		}
		for u, a := range want {
			if got := get(s.Cache(), u.model, u.seq, a.hash); got != a.result {
				t.Fatalf("%+v is %q, not %q", u, got, a.result)
			}
			if got := get(s.Cache(), u.model, u.seq, a.hash+4); got != "" {
				t.Fatalf("%+v with another hash is %q", u, got)
			}
		}
		checked(t, s)
	})
}

func TestCacheManyAtOnce(t *testing.T) {
	s := open(t)
	c := s.Cache()
	var seqs []uint64
	var hashes [][16]byte
	for i := range 1000 {
		seqs, hashes = append(seqs, uint64(999-i)), append(hashes, hashOf(999-i))
		if i%3 != 0 {
			put(t, c, 1, i, i, fmt.Sprint(i))
		}
		if i == 500 {
			if err := c.Flush(background); err != nil {
				t.Fatal(err)
			}
		}
	}
	got := c.GetMany(keyOf(1), seqs, hashes)
	if err := c.Flush(background); err != nil { // the answers outlive the pages that they came from
		t.Fatal(err)
	}
	for k, r := range got {
		i := 999 - k
		if want := fmt.Sprint(i); i%3 == 0 && r != nil || i%3 != 0 && string(r) != want {
			t.Fatalf("unit %d is %q", i, r)
		}
	}
}

func TestCacheSurvivesDamage(t *testing.T) {
	s := open(t)
	c := s.Cache()
	put(t, c, 1, 1, 1, "one")
	put(t, c, 1, 2, 2, "two")
	put(t, c, 1, 3, 3, "three")
	if err := c.Flush(background); err != nil {
		t.Fatal(err)
	}
	err := s.Update(func(tx *sealed.Tx) error {
		b := tx.Bucket(dbfile.Cache)
		k := cacheKeyBytes(cacheKey{keyOf(1), 1})
		v := append([]byte{}, b.Get(k)...)
		v[len(v)-1] ^= 4
		if err := b.Put(k, v); err != nil {
			return err
		}
		return b.Put(cacheKeyBytes(cacheKey{keyOf(1), 2}), []byte("short"))
	})
	if err != nil {
		t.Fatal(err)
	}
	if a, b, d := get(c, 1, 1, 1), get(c, 1, 2, 2), get(c, 1, 3, 3); a != "" || b != "" || d != "three" {
		t.Errorf("answers %q, %q, %q", a, b, d)
	}
	faults := 0
	if err := s.Cache().Check(func(string, ...any) { faults++ }); err != nil || faults != 2 {
		t.Errorf("%d faults: %v", faults, err)
	}
	put(t, c, 1, 1, 1, "one")
	put(t, c, 1, 2, 2, "two")
	if err := c.Flush(background); err != nil {
		t.Fatal(err)
	}
	checked(t, s)
}

func TestCacheClear(t *testing.T) {
	s := open(t)
	c := s.Cache()
	c.RegisterModel(keyOf(1), "ner@1")
	c.RegisterModel(keyOf(2), "ner@1")
	c.RegisterModel(keyOf(3), "pos@1")
	for i := range 30 {
		put(t, c, i%3+1, i, i, "x")
		if i == 20 {
			if err := c.Flush(background); err != nil {
				t.Fatal(err)
			}
		}
	}
	if n, err := c.Clear(background, "ner@1"); n != 20 || err != nil {
		t.Fatalf("%d answers of ner@1 are cleared: %v", n, err)
	}
	if got := get(c, 1, 0, 0) + get(c, 2, 28, 28); got != "" {
		t.Errorf("cleared answers are %q", got)
	}
	if get(c, 3, 2, 2) != "x" || get(c, 3, 29, 29) != "x" {
		t.Error("answers of another model are gone")
	}
	if n, err := c.Clear(background, ""); n != 10 || err != nil {
		t.Fatalf("%d answers are cleared: %v", n, err)
	}
	if st := c.Stats(); st.Entries != 0 || st.Bytes != 0 {
		t.Errorf("%+v", st)
	}
}

// TestCacheEvictsOldest keeps the models that were used last.
func TestCacheEvictsOldest(t *testing.T) {
	s := open(t)
	c := s.Cache()
	c.SetLimit(25 << 10)
	for m := range 5 {
		c.RegisterModel(keyOf(m), fmt.Sprint("model@", m))
		for i := range 10 {
			put(t, c, m, i, i, string(make([]byte, 1000)))
		}
		if err := c.Flush(background); err != nil {
			t.Fatal(err)
		}
	}
	if st := c.Stats(); st.Bytes > st.Limit || st.Entries == 0 {
		t.Errorf("%d bytes are kept, %d are allowed", st.Bytes, st.Limit)
	}
	if get(c, 4, 0, 0) == "" || get(c, 0, 0, 0) != "" {
		t.Error("the newest model made way for the oldest")
	}
	c.SetLimit(0)
	if err := c.Shrink(background); err != nil || c.Stats().Entries != 0 {
		t.Errorf("without room: %+v, %v", c.Stats(), err)
	}
	checked(t, s)
}

func TestCacheOfReadOnlyStore(t *testing.T) {
	s := open(t)
	put(t, s.Cache(), 1, 1, 1, "kept")
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s, err := openStore(s.Path(), dbfile.Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	c := s.Cache()
	put(t, c, 1, 2, 2, "memory")
	if err := c.Flush(background); err != nil {
		t.Fatal(err)
	}
	if get(c, 1, 1, 1) != "kept" || get(c, 1, 2, 2) != "memory" {
		t.Error("a read-only store does not answer from its cache")
	}
	for i := range 20 {
		put(t, c, 2, i, i, string(make([]byte, 1<<20)))
	}
	if b := c.Stats().Bytes; b > 2*cacheFlush {
		t.Errorf("a read-only store keeps %d bytes in memory", b)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if s, err = openStore(s.Path(), dbfile.Options{}); err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if get(s.Cache(), 1, 2, 2) != "" {
		t.Error("a read-only store wrote")
	}
}

// TestCacheFromManyReaders puts and gets from several goroutines, with writing between.
func TestCacheFromManyReaders(t *testing.T) {
	s := open(t)
	c := s.Cache()
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			for i := range 300 {
				put(t, c, w, i, i, string(make([]byte, 10000)))
				if got := get(c, w, i, i); len(got) != 10000 {
					t.Errorf("model %d unit %d has %d bytes", w, i, len(got))
					return
				}
			}
		})
	}
	wg.Wait()
	if st := c.Stats(); st.Entries != 1200 || st.Hits != 1200 {
		t.Errorf("%+v", st)
	}
}

func BenchmarkCache(b *testing.B) {
	const units = 100000
	result := make([]byte, 200)
	fill := func(b *testing.B, c *Cache) {
		for i := range units {
			if err := c.Put(background, keyOf(1), uint64(i), hashOf(i), result); err != nil {
				b.Fatal(err)
			}
		}
		if err := c.Flush(background); err != nil {
			b.Fatal(err)
		}
	}
	b.Run("put", func(b *testing.B) {
		for b.Loop() {
			b.StopTimer()
			s := open(b)
			b.StartTimer()
			fill(b, s.Cache())
		}
		b.ReportMetric(float64(units*b.N)/b.Elapsed().Seconds(), "puts/s")
	})
	b.Run("get", func(b *testing.B) {
		c := open(b).Cache()
		fill(b, c)
		seqs, hashes := make([]uint64, 1024), make([][16]byte, 1024)
		at := 0
		for b.Loop() {
			for i := range seqs {
				seqs[i], hashes[i] = uint64(at), hashOf(at)
				at = (at + 1) % units
			}
			if got := c.GetMany(keyOf(1), seqs, hashes); got[1023] == nil {
				b.Fatal("a miss")
			}
		}
		b.ReportMetric(float64(len(seqs)*b.N)/b.Elapsed().Seconds(), "gets/s")
	})
}

// TestCacheLargerThanLimit answers what fits of one model that does not fit whole.
func TestCacheLargerThanLimit(t *testing.T) {
	s := open(t)
	c := s.Cache()
	c.SetLimit(50 << 10)
	c.RegisterModel(keyOf(1), "ner@1")
	for i := range 100 {
		put(t, c, 1, i, i, string(make([]byte, 1000)))
	}
	if err := c.Flush(background); err != nil {
		t.Fatal(err)
	}
	found := 0
	for i := range 100 {
		if get(c, 1, i, i) != "" {
			found++
		}
	}
	st := c.Stats()
	if found < 30 || int64(found) != st.Entries || st.Bytes > st.Limit {
		t.Errorf("%d answers are found, %d counted, %d bytes of %d", found, st.Entries, st.Bytes, st.Limit)
	}
}

// TestClearCacheWithoutBooks clears entries that the statistics do not know.
func TestClearCacheWithoutBooks(t *testing.T) {
	s := open(t)
	put(t, s.Cache(), 1, 1, 1, "x")
	if err := s.Cache().Flush(background); err != nil {
		t.Fatal(err)
	}
	if err := s.Update(func(tx *sealed.Tx) error { return tx.Bucket(dbfile.Meta).Delete(dbfile.CacheBooks) }); err != nil {
		t.Fatal(err)
	}
	image := reopen(t, s)
	if _, err := image.Cache().Clear(background, ""); err != nil {
		t.Fatal(err)
	}
	if got := get(image.Cache(), 1, 1, 1); got != "" {
		t.Errorf("a cleared answer is %q", got)
	}
}

// TestCacheKeepsItsOwnBytes changes a result after it was put, and puts an empty one.
func TestCacheKeepsItsOwnBytes(t *testing.T) {
	s := open(t)
	c := s.Cache()
	buf := []byte("one")
	if err := c.Put(background, keyOf(1), 1, hashOf(1), buf); err != nil {
		t.Fatal(err)
	}
	copy(buf, "two")
	if got := get(c, 1, 1, 1); got != "one" {
		t.Errorf("the answer became %q", got)
	}
	if err := c.Put(background, keyOf(1), 2, hashOf(2), nil); err != nil {
		t.Fatal(err)
	}
	if got := c.GetMany(keyOf(1), []uint64{2}, [][16]byte{hashOf(2)}); got[0] == nil {
		t.Error("an empty answer is a miss")
	}
}

// TestPanicsOfTheCache: answers that cannot be written are forgotten.
func TestPanicsOfTheCache(t *testing.T) {
	c := &Cache{pending: map[cacheKey]cacheValue{{seq: 1}: {}}, models: map[[8]byte]*cacheModel{}, writing: true}
	c.wait.Add(1)
	c.write()
	if c.failed != 1 || len(c.pending) > 0 || c.writing {
		t.Errorf("%d writes failed, %d answers wait, writing %t", c.failed, len(c.pending), c.writing)
	}
}
