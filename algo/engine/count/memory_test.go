package count

import (
	"math/rand/v2"
	"runtime"
	"testing"

	"parlance/algo/testutil/testtime"
)

// TestMemory: what is held stays within the memory, whatever is counted.
func TestMemory(t *testing.T) {
	testtime.Alone(t)
	const memory = 4 << 20
	heap := func() int64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	before := heap()
	c := New[uint64](Options{Memory: memory, Workers: 2})
	defer c.Close()
	w, rng, most := c.Writer(t.Context()), rand.New(rand.NewPCG(11, 1)), int64(0)
	const keys = 3_000_000 // 24 MB
	for i := range keys {
		if err := w.Add(rng.Uint64() >> 40); err != nil {
			t.Fatal(err)
		}
		if i%250_000 == 0 {
			most = max(most, heap()-before)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	total, rows := uint64(0), 0
	if err := c.Each(t.Context(), 1, func(_, n uint64) bool {
		if rows++; rows%250_000 == 0 {
			most = max(most, heap()-before)
		}
		total += n
		return true
	}); err != nil || total != keys {
		t.Errorf("%d keys, %v", total, err)
	}
	if limit := int64(2 * memory); most < memory/4 || most > limit || c.spool.f == nil {
		t.Errorf("%d bytes are held, at most %d were wanted", most, limit)
	}
	t.Logf("%.1f MB held at most for %d MB of keys", float64(most)/1e6, keys*8/1_000_000)
}
