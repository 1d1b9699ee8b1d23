package count

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"go.uber.org/goleak"
	"pgregory.net/rapid"

	"parlance/storage/guard"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// filled counts keys by n writers at once, each a part of them.
func filled[K Key](t testing.TB, o Options, keys []K, writers int) *Counter[K] {
	t.Helper()
	c := New[K](o)
	t.Cleanup(func() { c.Close() })
	var ended sync.WaitGroup
	for part := range slices.Chunk(keys, max(1, (len(keys)+writers-1)/writers)) {
		ended.Go(func() {
			w := c.Writer(t.Context())
			for _, k := range part {
				if err := w.Add(k); err != nil {
					t.Error(err)
				}
			}
			if err := w.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	ended.Wait()
	return c
}

// contents reads all counts and checks that keys rise.
func contents[K Key](t testing.TB, c *Counter[K], least uint64) map[K]uint64 {
	t.Helper()
	got := map[K]uint64{}
	var last K
	err := c.Each(t.Context(), least, func(k K, n uint64) bool {
		if len(got) > 0 && !c.codec.before(last, k) {
			t.Errorf("%v does not come after %v", k, last)
		}
		got[k], last = n, k
		return true
	})
	if err != nil {
		t.Error(err)
	}
	return got
}

func byMap[K Key](keys []K, least uint64) map[K]uint64 {
	want := map[K]uint64{}
	for _, k := range keys {
		want[k]++
	}
	maps.DeleteFunc(want, func(_ K, n uint64) bool { return n < least })
	return want
}

// draw makes keys of which some are frequent, and the extreme ones.
func draw[K Key](rng *rand.Rand, n int, extremes []K, key func(r uint64) K) []K {
	keys := make([]K, n)
	for i := range keys {
		if len(extremes) > 0 && rng.IntN(50) == 0 {
			keys[i] = extremes[rng.IntN(len(extremes))]
			continue
		}
		keys[i] = key(rng.Uint64() >> rng.IntN(64))
	}
	return keys
}

func integersOf(rng *rand.Rand, n int) []uint64 {
	return draw(rng, n, []uint64{0, 1, math.MaxUint64}, func(r uint64) uint64 { return r })
}

func tuplesOf(rng *rand.Rand, n int) []Tuple {
	most := uint64(math.MaxUint64)
	return draw(rng, n, []Tuple{{}, {0, 1}, {1, 0}, {most, most}, {most, 0}, {0, most}, {1 << 63, 1}},
		func(r uint64) Tuple { return Tuple{r % 13 << rng.IntN(60), r} })
}

func stringsOf(rng *rand.Rand, n int) []string {
	extremes := []string{"", "\x00", "\x00\x00", "a", "a\x00", "abcdefgh", "abcdefgh\x00", "\xff\xff",
		strings.Repeat("x", 4000)}
	return draw(rng, n, extremes,
		func(r uint64) string { return fmt.Sprintf("w%x", r%5000) })
}

// agrees compares counters of all shapes with a map.
func agrees[K Key](t *rapid.T, tb testing.TB, keys []K) {
	workers := rapid.IntRange(1, 3).Draw(t, "workers")
	o := Options{Workers: workers, Memory: rapid.SampledFrom([]int{1, 40 << 10, 0}).Draw(t, "memory"),
		fanIn: rapid.IntRange(2, 5).Draw(t, "fan-in"), Report: func(Progress) {}}
	c := filled(tb, o, keys, rapid.IntRange(1, workers).Draw(t, "writers"))
	defer c.Close()
	for range 2 {
		for _, least := range []uint64{1, 3} {
			if got := contents(tb, c, least); !maps.Equal(got, byMap(keys, least)) {
				t.Fatalf("%d keys of at least %d, want %d", len(got), least, len(byMap(keys, least)))
			}
		}
		if err := c.Compact(tb.Context()); err != nil {
			t.Fatal(err)
		}
	}
}

func TestCounts(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(r, "seed"), 1))
		n := rapid.SampledFrom([]int{0, 1, 2, 600, 9000}).Draw(r, "keys")
		switch rapid.IntRange(0, 2).Draw(r, "kind") {
		case 0:
			agrees(r, t, integersOf(rng, n))
		case 1:
			agrees(r, t, tuplesOf(rng, n))
		default:
			agrees(r, t, stringsOf(rng, n))
		}
	})
}

// TestSorts compares with sorting by comparison, for keys of all widths, many and few different ones.
func TestSorts(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 1))
	for round := range 60 {
		n := rng.IntN(1 << rng.IntN(16))
		a, b := integersOf(rng, n), tuplesOf(rng, n)
		if round%3 == 0 {
			for i := range b {
				a[i], b[i] = a[i]&0xff00ff, Tuple{7, uint64(rng.IntN(3)) << 40}
			}
		}
		x, y := slices.Clone(a), slices.Clone(b)
		slices.Sort(x)
		slices.SortFunc(y, compareTuples)
		a, _ = sortIntegers(a, make([]uint64, n))
		sortTuples(b, make([]Tuple, n))
		if !slices.Equal(a, x) || !slices.Equal(b, y) {
			t.Fatalf("%d keys out of order", n)
		}
	}
}

func state[K Key](t testing.TB, c *Counter[K]) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := c.Save(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// sharded counts shards alone and merges them in a random order.
func sharded[K Key](t *testing.T, rng *rand.Rand, keys []K) {
	want := state(t, filled(t, Options{}, keys, 1))
	for _, workers := range []int{1, 2} {
		for _, shards := range []int{1, 3, 7} {
			states := make([][]byte, shards)
			part := make([][]K, shards)
			for _, k := range keys {
				s := rng.IntN(shards)
				part[s] = append(part[s], k)
			}
			for s := range states {
				states[s] = state(t, filled(t, Options{Memory: 1, Workers: workers}, part[s], workers))
			}
			for range 2 {
				rng.Shuffle(shards, func(i, j int) { states[i], states[j] = states[j], states[i] })
				c := New[K](Options{Workers: workers, Memory: 30 << 10, fanIn: 3})
				for _, s := range states {
					if err := c.Load(t.Context(), bytes.NewReader(s), nil); err != nil {
						t.Fatal(err)
					}
				}
				if !bytes.Equal(state(t, c), want) {
					t.Errorf("%d workers, %d shards: other bytes", workers, shards)
				}
				if err := errors.Join(c.Compact(t.Context())); err != nil || !bytes.Equal(state(t, c), want) {
					t.Errorf("%d workers, %d shards: other bytes of one run, %v", workers, shards, err)
				}
				c.Close()
			}
		}
	}
}

func TestShards(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 1))
	sharded(t, rng, integersOf(rng, 30000))
	sharded(t, rng, tuplesOf(rng, 20000))
	sharded(t, rng, stringsOf(rng, 20000))
	sharded(t, rng, []string{})
	sharded(t, rng, []Tuple{{}})
}

// TestDamage: what is damaged at any byte, cut off anywhere, or of other keys is refused and counts nothing.
func TestDamage(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 1))
	whole := state(t, filled(t, Options{}, stringsOf(rng, 300), 1))
	c := New[string](Options{})
	defer c.Close()
	for i := range whole {
		bad := slices.Clone(whole)
		bad[i] ^= byte(1 + rng.IntN(255))
		if err := c.Load(t.Context(), bytes.NewReader(bad), nil); !errors.Is(err, ErrCorrupt) {
			t.Fatalf("byte %d of %d: %v", i, len(whole), err)
		}
		if err := c.Load(t.Context(), bytes.NewReader(whole[:i]), nil); !errors.Is(err, ErrCorrupt) {
			t.Fatalf("cut off after %d: %v", i, err)
		}
	}
	if n := len(contents(t, c, 1)); n != 0 {
		t.Errorf("%d keys of damaged states count", n)
	}
	other := New[uint64](Options{})
	defer other.Close()
	if err := other.Load(t.Context(), bytes.NewReader(whole), nil); !errors.Is(err, ErrCorrupt) {
		t.Errorf("strings as integers: %v", err)
	}
	same := func(string) string { return "same" }
	if err := c.Load(t.Context(), bytes.NewReader(whole), same); !errors.Is(err, ErrCorrupt) {
		t.Errorf("a numbering that keeps no order: %v", err)
	}
}

// FuzzDecode: no bytes make a decoder panic.
func FuzzDecode(f *testing.F) {
	f.Add([]byte{0, 1, 'a', 1, 1, 1, 'b', 2})
	f.Fuzz(func(t *testing.T, b []byte) {
		for n := range 4 {
			counts := make([]uint64, n)
			_ = decodeIntegers(b, make([]uint64, n), counts)
			_ = decodeTuples(b, make([]Tuple, n), counts)
			_ = decodeTexts(b, make([]string, n), counts)
		}
	})
}

// TestDiskFull: a full disk is told, by writers, readers and merges, and nothing goes on.
func TestDiskFull(t *testing.T) {
	full := func() (*os.File, error) { return os.OpenFile("/dev/full", os.O_RDWR, 0) }
	for _, workers := range []int{1, 2} {
		c := New[uint64](Options{Memory: 1, Workers: workers, create: full})
		w := c.Writer(t.Context())
		var err error
		for k := uint64(0); k < 1e6 && err == nil; k++ {
			err = w.Add(k)
		}
		if !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("adding: %v", err)
		}
		if err := w.Close(); !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("closing: %v", err)
		}
		if err := c.Each(t.Context(), 1, func(uint64, uint64) bool { return true }); !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("reading: %v", err)
		}
		c.Close()

		files := 0
		c = New[uint64](Options{Memory: 1, Workers: workers, create: func() (*os.File, error) {
			if files++; files > 1 {
				return full()
			}
			return TemporaryFile(t.TempDir())
		}})
		defer c.Close()
		w = c.Writer(t.Context())
		for k := range uint64(5000) {
			if err := w.Add(k); err != nil {
				t.Fatal(err)
			}
		}
		if err := errors.Join(w.Close()); err != nil {
			t.Fatal(err)
		}
		if err := c.Compact(t.Context()); !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("merging: %v", err)
		}
		if n := len(contents(t, c, 1)); n != 5000 {
			t.Errorf("%d keys after a merge that failed", n)
		}
	}
	missing := New[uint64](Options{Memory: 1, Folder: t.TempDir() + "/none"})
	defer missing.Close()
	w := missing.Writer(t.Context())
	var err error
	for k := uint64(0); k < 1e6 && err == nil; k++ {
		err = w.Add(k)
	}
	if !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no folder: %v", err)
	}
}

// TestCancel: each step ends with the error of its context.
func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	c := filled(t, Options{Memory: 1, Workers: 2}, integersOf(rand.New(rand.NewPCG(6, 1)), 5000), 2)
	late := New[uint64](Options{Memory: 1, Workers: 2})
	defer late.Close()
	w := late.Writer(ctx)
	cancel()
	var err error
	for k := uint64(0); k < 1e6 && err == nil; k++ {
		err = w.Add(k)
	}
	for name, err := range map[string]error{
		"adding": err, "closing": w.Close(), "merging": c.Compact(ctx), "saving": c.Save(ctx, &bytes.Buffer{}),
		"loading": c.Load(ctx, bytes.NewReader(state(t, c)), nil),
		"reading": c.Each(ctx, 1, func(uint64, uint64) bool { return true }),
	} {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestNothingLeft: temporary files have no names, from the first to the last.
func TestNothingLeft(t *testing.T) {
	folder := t.TempDir()
	empty := func(when string) {
		t.Helper()
		if list, err := os.ReadDir(folder); err != nil || len(list) > 0 {
			t.Errorf("%s: %v %v", when, list, err)
		}
	}
	c := filled(t, Options{Memory: 1, Folder: folder, fanIn: 2}, integersOf(rand.New(rand.NewPCG(7, 1)), 20000), 1)
	if c.spool.f == nil {
		t.Fatal("nothing went to a file")
	}
	empty("counting")
	_ = contents(t, c, 1)
	empty("merged")
	c.Close()
	empty("closed")
	if err := c.Each(t.Context(), 1, func(uint64, uint64) bool { return true }); !errors.Is(err, errClosed) {
		t.Errorf("a closed counter is read: %v", err)
	}
}

// TestOpenWriter: counts are not read before all are there.
func TestOpenWriter(t *testing.T) {
	c := New[uint64](Options{})
	defer c.Close()
	w := c.Writer(t.Context())
	if err := c.Each(t.Context(), 1, func(uint64, uint64) bool { return true }); !errors.Is(err, errOpen) {
		t.Error(err)
	}
	if err := errors.Join(w.Close(), w.Close()); err != nil {
		t.Error(err)
	}
}

// TestPanics: what panics in a task is the error of the work, and the other tasks end.
func TestPanics(t *testing.T) {
	err := parallel(context.Background(), 3, 9, func(_ context.Context, task int) error {
		if task == 4 {
			panic("boom")
		}
		return nil
	})
	var p *guard.Panic
	if !errors.As(err, &p) {
		t.Error(err)
	}
}
