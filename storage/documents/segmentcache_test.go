package documents

import "testing"

// TestEvictedPartsCountNothing: parts that were evicted while a reader holds them are not counted where newer parts of
// the segment have taken their place.
func TestEvictedPartsCountNothing(t *testing.T) {
	c := NewCache(nil)
	state := &SegmentState{Gen: 3, Number: 1}
	held := c.segment(7, state)
	c.grown(held, 1000)
	c.Drop(func(corpus, gen uint32) bool { return corpus == 7 && gen == 3 })
	if _, _, size := c.Figures(); size != 0 {
		t.Fatalf("%d bytes of an empty cache", size)
	}
	c.grown(held, 1000)
	if c.segment(7, state) == held {
		t.Fatal("evicted parts come back")
	}
	c.grown(held, 1000)
	if _, _, size := c.Figures(); size != emptySegment {
		t.Errorf("%d bytes, want %d", size, emptySegment)
	}
}
