package storage

import (
	"testing"

	"parlance/storage/documents"
)

// TestMergesAreFew: documents that come one by one are written again about log n times, not n / tailGenerations times.
func TestMergesAreFew(t *testing.T) {
	c := &documents.Corpus{}
	written, docs := 0, 10_000
	for range docs {
		c.Gens = append(c.Gens, &documents.Generation{Segments: []*documents.SegmentState{{Docs: 1, Tokens: 1}}})
		for {
			from, to := c.GenerationsToMerge()
			if from == to {
				break
			}
			n := 0
			for _, g := range c.Gens[from:to] {
				n += g.Segments[0].Docs
			}
			if to-from < 2 {
				t.Fatal("one generation is merged with itself")
			}
			written += n
			c.Gens = append(c.Gens[:from:from], &documents.Generation{Segments: []*documents.SegmentState{{Docs: n, Tokens: n}}})
		}
		if len(c.Gens) >= documents.TailGenerations {
			t.Fatalf("%d generations", len(c.Gens))
		}
	}
	if written > 10*docs {
		t.Errorf("%d documents are written again %d times", docs, written)
	}
}
