package chain

import (
	"cmp"
	"slices"
)

const (
	shardTokens  = 8192 // tokens a shard at least
	shardsAtMost = 8    // each has a gradient of its own
	// flatAtMost bounds the flat list of pairs in entries of four bytes.
	flatAtMost = 1 << 29
)

// shard is a contiguous part of the sequences. The split depends on the data alone, so
// sums over shards in order do not depend on the number of workers.
type shard struct {
	first, last int      // sequences
	order       []uint32 // sequences by falling length
	pairs       []uint32 // feature<<5 | label of every token in that order; nil: general path
	tokens      []uint64 // pairs of the n-th token in that order start at tokens[n]
	limit       int      // state features used are below
	grad        []float64
	rows        []float64 // expected sums by attribute and label, where the objective has rows
	trans       []float64 // expected transitions, without the factor e^w until the end
	loss        float64   // Σ log Z
}

// newShards cuts the data. flat lists the pairs, for up to 32 labels and binary values.
func newShards(d *Data, l *layout, flat bool) []*shard {
	count := min(max(d.Tokens()/shardTokens, 1), shardsAtMost)
	var out []*shard
	first := 0
	for k := 1; k <= count; k++ {
		want := uint32(uint64(d.Tokens()) * uint64(k) / uint64(count))
		last := first
		for last < d.Sequences() && (d.Offsets[last+1] <= want || k == count) {
			last++
		}
		if last > first {
			out = append(out, newShard(d, l, first, last, flat))
		}
		first = last
	}
	return out
}

func newShard(d *Data, l *layout, first, last int, flat bool) *shard {
	s := &shard{first: first, last: last, trans: make([]float64, len(l.from))}
	for i := first; i < last; i++ {
		if d.Offsets[i+1] > d.Offsets[i] {
			s.order = append(s.order, uint32(i))
		}
	}
	length := func(i uint32) uint32 { return d.Offsets[i+1] - d.Offsets[i] }
	slices.SortStableFunc(s.order, func(a, b uint32) int { return cmp.Compare(length(b), length(a)) })
	lo, hi := d.AttrOffsets[d.Offsets[first]], d.AttrOffsets[d.Offsets[last]]
	var size uint64
	for _, a := range d.Attrs[lo:hi] {
		s.limit = max(s.limit, int(l.attrStart[a+1]))
		size += uint64(l.attrStart[a+1] - l.attrStart[a])
	}
	s.grad = make([]float64, s.limit)
	if flat {
		s.flatten(d, l, size)
	}
	return s
}

func (s *shard) flatten(d *Data, l *layout, size uint64) {
	s.pairs = make([]uint32, 0, size)
	s.tokens = []uint64{0}
	for _, i := range s.order {
		for t := d.Offsets[i]; t < d.Offsets[i+1]; t++ {
			for _, a := range d.Attrs[d.AttrOffsets[t]:d.AttrOffsets[t+1]] {
				for f := l.attrStart[a]; f < l.attrStart[a+1]; f++ {
					s.pairs = append(s.pairs, f<<5|uint32(l.pairLabel[f]))
				}
			}
			s.tokens = append(s.tokens, uint64(len(s.pairs)))
		}
	}
}

// flatFits tells whether the pairs of the data can be listed.
func flatFits(d *Data, l *layout) bool {
	if d.Labels > laneLabels || d.Values != nil || l.states() >= 1<<27 {
		return false
	}
	var size uint64
	for _, a := range d.Attrs {
		size += uint64(l.attrStart[a+1] - l.attrStart[a])
	}
	return size <= flatAtMost
}
