package storage

import (
	"parlance/storage/documents"
)

// tombstones are the documents that a change deletes or replaces: a bitmap of ordinals for each segment.
type tombstones map[documents.SegmentID][]uint64

func (g tombstones) add(id documents.SegmentID, ordinal int) {
	w := g[id]
	for len(w) <= ordinal/64 {
		w = append(w, 0)
	}
	w[ordinal/64] |= 1 << (ordinal % 64)
	g[id] = w
}
