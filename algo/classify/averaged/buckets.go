package averaged

import "math/bits"

// buckets is the rows of the n-grams that pruning has kept, by bucket: a table whose slots are a power of two, at least
// twice as many, where a bucket stands at its slot or after it.
type buckets struct {
	slots []kept
	shift uint
}

// kept is a slot; free where bucket is noBucket.
type kept struct{ bucket, row uint32 }

// noBucket is no bucket: there are fewer than 2^31.
const noBucket = ^uint32(0)

// newBuckets makes the table of pairs of a bucket and its row; of equal buckets the last counts.
func newBuckets(pairs []uint32) buckets {
	width := uint(bits.Len(uint(max(1, len(pairs)))))
	b := buckets{make([]kept, 1<<width), 32 - min(32, width)}
	for i := range b.slots {
		b.slots[i].bucket = noBucket
	}
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i] != noBucket {
			b.slots[b.find(pairs[i])] = kept{pairs[i], pairs[i+1]}
		}
	}
	return b
}

// find is the slot of a bucket, or the free one where it would be.
func (b *buckets) find(bucket uint32) int {
	const golden = 2654435769 // 2^32 divided by the golden ratio (Knuth 1973, 6.4)
	last := len(b.slots) - 1
	at := int(uint64(bucket*golden)>>b.shift) & last
	for b.slots[at].bucket != noBucket && b.slots[at].bucket != bucket {
		at = (at + 1) & last
	}
	return at
}

// row is the row of a bucket, false if pruning has left it out.
func (b *buckets) row(bucket uint32) (uint32, bool) {
	s := b.slots[b.find(bucket)]
	return s.row, s.bucket == bucket && bucket != noBucket
}
