package documents

import (
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestWindows: windows of random segments follow each other, and each document lies in one window with its segment.
func TestWindows(t *testing.T) {
	defer func(n int) { SegmentDocs = n }(SegmentDocs)
	SegmentDocs = 8
	rapid.Check(t, func(t *rapid.T) {
		var parts []Part
		holds := map[uint64]SegmentID{} // the segment of each document
		for k := range rapid.IntRange(1, 100).Draw(t, "segments") {
			first, width := rapid.Uint64Range(1, 200).Draw(t, "first"), rapid.Uint64Range(1, 200).Draw(t, "width")
			seqs := map[uint64]bool{}
			for range rapid.IntRange(1, 8).Draw(t, "documents") {
				seq := first + rapid.Uint64Range(0, width).Draw(t, "document")
				if _, taken := holds[seq]; !taken {
					seqs[seq], holds[seq] = true, SegmentID{0, uint32(k)}
				}
			}
			sorted := slices.Sorted(maps.Keys(seqs))
			if n := len(sorted); n > 0 {
				parts = append(parts, Part{Segment: &SegmentState{Docs: n, First: sorted[0], Last: sorted[n-1], Number: uint32(k)}})
			}
		}
		last, found := uint64(0), 0
		for _, w := range Windows(parts) {
			var seqs []uint64
			for seq, in := range holds {
				within := func(x Selection) bool { return x.Segment == in }
				if seq >= w.first && seq <= w.last && slices.ContainsFunc(w.Parts, within) {
					seqs = append(seqs, seq)
					delete(holds, seq)
				}
			}
			if len(seqs) > 0 && slices.Min(seqs) <= last {
				t.Fatalf("document %d comes after %d", slices.Min(seqs), last)
			}
			for _, seq := range seqs {
				last = max(last, seq)
			}
			found += len(seqs)
		}
		if len(holds) > 0 {
			t.Fatalf("%d documents are found, %v are not", found, holds)
		}
	})
}
