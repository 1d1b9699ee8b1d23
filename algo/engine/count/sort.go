package count

import (
	"cmp"
	"math/bits"
	"slices"
)

// Bits that a pass sorts by: its table of counts fits the first cache.
const (
	digit      = 12 // of integers
	tupleDigit = 11
)

// Fewer keys are sorted by comparing.
const (
	fewIntegers = 256
	fewTuples   = 1024
)

// sortIntegers sorts by digits, the lowest first (Knuth 1998, sec. 5.2.5). Bits that all keys share are left out. The
// sorted keys are in either slice.
func sortIntegers(keys, scratch []uint64) (sorted, other []uint64) {
	if len(keys) < fewIntegers {
		slices.Sort(keys)
		return keys, scratch
	}
	differ := uint64(0)
	for _, k := range keys {
		differ |= k ^ keys[0]
	}
	var shifts [6]int
	passes := 0
	for rest := differ; rest != 0; passes++ {
		shifts[passes] = bits.TrailingZeros64(rest)
		rest = rest >> shifts[passes] >> digit << shifts[passes] << digit
	}
	var at [6][1 << digit]uint32
	for _, k := range keys {
		for p, s := range shifts[:passes] {
			at[p][k>>s&(1<<digit-1)]++
		}
	}
	from, to := keys, scratch
	for p, s := range shifts[:passes] {
		table := &at[p]
		sum := uint32(0)
		for i, n := range table {
			table[i] = sum
			sum += n
		}
		for _, k := range from {
			d := k >> s & (1<<digit - 1)
			to[table[d]] = k
			table[d]++
		}
		from, to = to, from
	}
	return from, to
}

// sortTuples sorts by digits, the highest first, until the buckets are small: most words occur with few others, so that
// comparing is soon cheaper than further passes.
func sortTuples(keys, scratch []Tuple) {
	if len(keys) < fewTuples {
		slices.SortFunc(keys, compareTuples)
		return
	}
	differ := Tuple{}
	for _, k := range keys {
		differ.Hi |= k.Hi ^ keys[0].Hi
		differ.Lo |= k.Lo ^ keys[0].Lo
	}
	high := differ.Hi != 0
	word := differ.Lo
	if high {
		word = differ.Hi
	}
	if word == 0 {
		return
	}
	shift := max(0, bits.Len64(word)-tupleDigit)
	var ends [1<<tupleDigit + 1]uint32
	place := func(k Tuple) uint64 {
		if high {
			return k.Hi >> shift & (1<<tupleDigit - 1)
		}
		return k.Lo >> shift & (1<<tupleDigit - 1)
	}
	for _, k := range keys {
		ends[place(k)+1]++
	}
	for i := range 1 << tupleDigit {
		ends[i+1] += ends[i]
	}
	at := ends
	for _, k := range keys {
		d := place(k)
		scratch[at[d]] = k
		at[d]++
	}
	copy(keys, scratch)
	for i := range 1 << tupleDigit {
		if a, b := ends[i], ends[i+1]; b-a > 1 {
			sortTuples(keys[a:b], scratch[a:b])
		}
	}
}

func compareTuples(a, b Tuple) int {
	if a.Hi != b.Hi {
		return cmp.Compare(a.Hi, b.Hi)
	}
	return cmp.Compare(a.Lo, b.Lo)
}
