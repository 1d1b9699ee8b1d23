package coreference

import "slices"

// blocks is the features of pairs: for each mention, blocks of at most width antecedents, and in a block a row for
// each template, with one place of the table of weights for each antecedent. Most rows have few different places. So a
// row is its different places and for each antecedent a code, which of them it has: less memory, and fewer reads of
// the table of weights, which does not fit into the caches of a processor.
type blocks struct {
	list   []block
	begin  []int    // by mention: its first block
	both   [2]int   // by part: rows of a block
	kinds  []uint8  // by row: how many places it has; 0 for one an antecedent, without codes
	places []uint32 // of one row after the other
	codes  []uint8  // of rows with more than one place, by antecedent; two a byte, the lower first, if there are few
	wide   [width]uint8
	seen   *seen // nil before the first row is packed

	open   opened   // the block that one was last asked for
	flat   bool     // gather is all of its candidates
	gather []uint32 // what one returned
}

// opened names a block; the zero value names none.
type opened struct {
	part, i, from int
	some          bool
}

// fewPlaces is how many different places a row has at most whose codes take half a byte.
const fewPlaces = 16

// block tells where the rows of a block begin.
type block struct{ row, place, code int }

// seen finds the codes of the places of the row that is packed.
type seen struct {
	row     uint32 // its number among all rows, so that entries of others need not be removed
	entries [4 * width]struct {
		place, row uint32
		code       uint8
	}
}

// reset begins a document.
func (b *blocks) reset() {
	b.list, b.begin, b.kinds, b.places, b.codes = b.list[:0], b.begin[:0], b.kinds[:0], b.places[:0], b.codes[:0]
	b.open, b.flat = opened{}, false
	if b.seen == nil {
		b.seen = &seen{}
	}
}

// bytes is what the blocks take in memory.
func (b *blocks) bytes() int {
	return 24*len(b.list) + 8*len(b.begin) + len(b.kinds) + 4*len(b.places) + len(b.codes)
}

func (b *blocks) clone() blocks {
	return blocks{list: slices.Clone(b.list), begin: slices.Clone(b.begin), both: b.both, kinds: slices.Clone(b.kinds),
		places: slices.Clone(b.places), codes: slices.Clone(b.codes)}
}

// add adds a block of the last mention: rows of hashes for n antecedents each, of which the upper bits are places.
func (b *blocks) add(hashes []uint32, n, shift int) {
	b.list = append(b.list, block{len(b.kinds), len(b.places), len(b.codes)})
	for ; len(hashes) >= n && n > 0; hashes = hashes[n:] {
		b.row(hashes[:n], shift)
	}
}

func (b *blocks) row(hashes []uint32, shift int) {
	if b.seen.row++; b.seen.row == 0 {
		b.seen = &seen{row: 1}
	}
	place, code, n := len(b.places), len(b.codes), 0
	last, of := uint32(0), uint8(0)
	for k, h := range hashes {
		if p := h >> shift; k == 0 || p != last {
			if last, of = p, b.seen.code(p, uint8(n)); int(of) == n {
				b.places = append(b.places, p)
				n++
			}
		}
		b.codes = append(b.codes, of)
	}
	switch {
	case n == 1:
		b.codes = b.codes[:code]
	case 4*n+len(hashes) >= 4*len(hashes): // codes would save nothing
		n, b.places, b.codes = 0, b.places[:place], b.codes[:code]
		b.places = shifted(b.places, hashes, shift)
	case n <= fewPlaces:
		wide := b.codes[code:]
		b.codes = b.codes[:code]
		for k := 0; k < len(hashes); k += 2 { // byte k/2 is read before it is written
			c := wide[k]
			if k+1 < len(hashes) {
				c |= wide[k+1] << 4
			}
			b.codes = append(b.codes, c)
		}
	}
	b.kinds = append(b.kinds, uint8(n))
}

// code returns the code of a place of the row, next for one that it has not yet.
func (s *seen) code(place uint32, next uint8) uint8 {
	for at := place * 0x9E3779B1 >> 24; ; at++ { // a row fills at most a quarter of the entries
		e := &s.entries[at%uint32(len(s.entries))]
		if e.row != s.row {
			e.place, e.row, e.code = place, s.row, next
			return next
		}
		if e.place == place {
			return e.code
		}
	}
}

// sums gives candidates of a mention, from one on that begins a block, the sums of the weights of their features, added
// up template by template. There are as many as sums, not more than a block has.
func (b *blocks) sums(w []float32, part, i, from int, sums []float32) {
	clear(sums)
	if b.both[part] == 0 {
		return
	}
	var some [width]float32
	x, n := b.list[b.begin[i]+from/width], len(sums)
	places, codes := b.places[x.place:], b.codes[x.code:]
	for _, kind := range b.kinds[x.row : x.row+b.both[part]] {
		switch m := int(kind); m { // as each, without a call for each row
		case 0:
			for k, p := range places[:n] {
				sums[k] += w[p]
			}
			places = places[n:]
		case 1:
			z := w[places[0]]
			for k := range sums {
				sums[k] += z
			}
			places = places[1:]
		default:
			for k, p := range places[:m] {
				some[k%width] = w[p]
			}
			if m > fewPlaces {
				for k, c := range codes[:n] {
					sums[k] += some[c%width]
				}
				places, codes = places[m:], codes[n:]
				break
			}
			left := sums
			for _, c := range codes[:n/2] {
				if len(left) < 2 {
					break
				}
				left[0] += some[c%fewPlaces]
				left[1] += some[c/fewPlaces]
				left = left[2:]
			}
			if n%2 == 1 {
				sums[n-1] += some[codes[n/2]%fewPlaces]
			}
			places, codes = places[m:], codes[(n+1)/2:]
		}
	}
}

// spread adds the derivatives of n candidates to those of their features, as sums reads them.
func (b *blocks) spread(g []float64, part, i, from int, by []float64) {
	b.each(part, i, from, len(by), func(places []uint32, codes []uint8) {
		switch {
		case len(places) == 1:
			for _, x := range by {
				g[places[0]] += x
			}
		case codes == nil:
			for k, p := range places {
				g[p] += by[k]
			}
		default:
			for k, c := range codes {
				g[places[c]] += by[k]
			}
		}
	})
}

// each calls f with the rows of the block that begins with candidate from and has n: places without codes are one an
// antecedent, or one for all.
func (b *blocks) each(part, i, from, n int, f func(places []uint32, codes []uint8)) {
	if b.both[part] == 0 {
		return
	}
	x := b.list[b.begin[i]+from/width]
	for _, kind := range b.kinds[x.row : x.row+b.both[part]] {
		m := int(kind)
		switch m {
		case 0:
			m = n
			f(b.places[x.place:x.place+m], nil)
		case 1:
			f(b.places[x.place:x.place+1], nil)
		default:
			codes := b.codes[x.code:]
			if m > fewPlaces {
				f(b.places[x.place:x.place+m], codes[:n])
				x.code += n
				break
			}
			left := b.wide[:]
			for _, c := range codes[:(n+1)/2] {
				if len(left) < 2 {
					break
				}
				left[0], left[1] = c%fewPlaces, c/fewPlaces
				left = left[2:]
			}
			f(b.places[x.place:x.place+m], b.wide[:n])
			x.code += (n + 1) / 2
		}
		x.place += m
	}
}

// one is the features of candidate k of n of a mention, valid until the next call. Several candidates of a block are
// cheapest one after the other.
func (b *blocks) one(part, i, k, n int) []uint32 {
	rows, from := b.both[part], k/width*width
	now := opened{part, i, from, true}
	if b.open == now { // the second one of the block: others are likely to follow
		if !b.flat {
			b.flatten(part, i, from, min(width, n-from))
		}
		at := (k - from) * rows
		return b.gather[at : at+rows]
	}
	b.open, b.flat = now, false
	b.gather = b.gather[:0]
	b.each(part, i, from, min(width, n-from), func(places []uint32, codes []uint8) {
		switch {
		case len(places) == 1:
			b.gather = append(b.gather, places[0])
		case codes == nil:
			b.gather = append(b.gather, places[k-from])
		default:
			b.gather = append(b.gather, places[codes[k-from]])
		}
	})
	return b.gather
}

// flatten gathers the features of all n candidates of a block, one candidate after the other.
func (b *blocks) flatten(part, i, from, n int) {
	rows, at := b.both[part], 0
	out := slices.Grow(b.gather[:0], n*rows)[:n*rows]
	b.each(part, i, from, n, func(places []uint32, codes []uint8) {
		switch {
		case len(places) == 1:
			for k := at; k < len(out); k += rows {
				out[k] = places[0]
			}
		case codes == nil:
			for k, p := range places {
				out[k*rows+at] = p
			}
		default:
			for k, c := range codes {
				out[k*rows+at] = places[c]
			}
		}
		at++
	})
	b.gather, b.flat = out, true
}
