package storage

import "testing"

// TestMergesAreFew: documents that come one by one are written again about log n times, not n / tailGenerations times.
func TestMergesAreFew(t *testing.T) {
	c := &corpusState{}
	written, docs := 0, 10_000
	for range docs {
		c.gens = append(c.gens, &generation{segments: []*segmentState{{Docs: 1, Tokens: 1}}})
		for {
			from, to := c.generationsToMerge()
			if from == to {
				break
			}
			n := 0
			for _, g := range c.gens[from:to] {
				n += g.segments[0].Docs
			}
			if to-from < 2 {
				t.Fatal("one generation is merged with itself")
			}
			written += n
			c.gens = append(c.gens[:from:from], &generation{segments: []*segmentState{{Docs: n, Tokens: n}}})
		}
		if len(c.gens) >= tailGenerations {
			t.Fatalf("%d generations", len(c.gens))
		}
	}
	if written > 10*docs {
		t.Errorf("%d documents are written again %d times", docs, written)
	}
}
