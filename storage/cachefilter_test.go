package storage

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
)

func TestTextFilter(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1, 50, 4096, 100_000} {
		f := newTextFilter(n)
		var in []uint64
		for range n {
			in = append(in, rng.Uint64()|1<<63)
			f.add(in[len(in)-1])
		}
		for _, q := range in {
			if !f.passes(q) {
				t.Fatalf("%d of %d does not pass", q, n)
			}
		}
		passed := 0
		for range 20_000 {
			if f.passes(rng.Uint64() | 1<<63) {
				passed++
			}
		}
		if passed > 400 {
			t.Errorf("of other numbers %d in 20,000 pass a filter of %d", passed, n)
		}
	}
}

// hashSeq is the number of an ad-hoc text.
func hashSeq(i int) int {
	rng := rand.New(rand.NewPCG(uint64(i), 7))
	return int(rng.Uint64()>>1) + adhocSeq*2
}

// TestFilterKnowsTheFile asks for texts of the file, before and after it is opened again, among others that are not
// there, until the filter stands, and while more are written than it has room for.
func TestFilterKnowsTheFile(t *testing.T) {
	s := open(t)
	twice := func(c *Cache, i int) {
		put(t, c, 1, hashSeq(i), i, fmt.Sprint(i))
		if get(c, 1, hashSeq(i), i) == "" {
			t.Errorf("%d is not there", i)
		}
	}
	for i := range 1000 {
		twice(s.Cache(), i)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s, err := Open(s.path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	c := s.Cache()
	filter := func() *textFilter {
		c.mu.Lock()
		defer c.mu.Unlock()
		return c.model(keyOf(1)).filter
	}
	unknown := func() {
		for i := range filterMisses {
			if get(c, 1, hashSeq(1_000_000+i), 0) != "" {
				t.Error("an answer out of nowhere")
			}
		}
		c.wait.Wait()
	}
	unknown()
	first := filter()
	if first == nil || first.n != 1000 {
		t.Fatalf("%+v", first)
	}
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := 1000 + w; i < 6000; i += 4 {
				twice(c, i)
				if i%500 == 0 {
					if err := c.Flush(background); err != nil {
						t.Error(err)
					}
				}
			}
		}()
	}
	wg.Wait()
	if err := c.Flush(background); err != nil {
		t.Fatal(err)
	}
	if filter() != nil {
		t.Error("the filter has more numbers than room")
	}
	unknown()
	if f := filter(); f == nil || f.n != 6000 || f.max != 12_000 {
		t.Errorf("%+v", f)
	}
	c.mu.Lock()
	c.dropTexts(keyOf(1)) // what memory has of them
	looks := 0
	for i := range 1000 {
		if c.model(keyOf(1)).mayHold(uint64(hashSeq(2_000_000 + i))) {
			looks++
		}
	}
	c.mu.Unlock()
	if looks > 50 {
		t.Errorf("%d of 1,000 unknown texts are looked for in the file", looks)
	}
	for i := range 6000 {
		if got := get(c, 1, hashSeq(i), i); got != fmt.Sprint(i) {
			t.Fatalf("%d is answered %q", i, got)
		}
	}
}
