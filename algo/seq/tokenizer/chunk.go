package tokenizer

import (
	"maps"
	"slices"
	"unicode"
	"unicode/utf8"

	"parlance/algo/kind"
)

// span is bytes of a text, half-open.
type span struct{ from, to int32 }

// chunks yields the runs of characters other than white space.
func chunks(text string, yield func(span) bool) {
	from := -1
	for i, r := range text {
		switch space := unicode.IsSpace(r); {
		case space && from >= 0:
			if !yield(span{int32(from), int32(i)}) {
				return
			}
			from = -1
		case !space && from < 0:
			from = i
		}
	}
	if from >= 0 {
		yield(span{int32(from), int32(len(text))})
	}
}

// longestChunk is the length in bytes of the longest chunk that the dictionary keeps.
const longestChunk = 64

// cuts are the lengths in bytes of the tokens of a chunk, as characters of a string that are never 0.
type cuts string

// known is how a chunk was most often cut, how often so, and how often it was seen.
type known struct {
	cuts         cuts
	count, total uint32
}

// prob is (count + ½)/(total + 1).
func (k known) prob() float64 { return (float64(k.count) + 0.5) / (float64(k.total) + 1) }

// dictionary has the chunks that were seen.
type dictionary map[string]known

// tally counts the ways in which each chunk is cut.
type tally map[string]map[cuts]uint32

func (t tally) add(chunk string, c cuts) {
	m := t[chunk]
	if m == nil {
		m = map[cuts]uint32{}
		t[chunk] = m
	}
	m[c]++
}

// most is the most frequent way, of equal ones the first in order.
func most(ways map[cuts]uint32) (k known) {
	for c, n := range ways {
		if k.total += n; n > k.count || n == k.count && c < k.cuts {
			k.cuts, k.count = c, n
		}
	}
	return k
}

// dictionary keeps the chunks that were seen often enough.
func (t tally) dictionary(least int) dictionary {
	d := dictionary{}
	for chunk, ways := range t {
		if k := most(ways); int(k.total) >= least && len(chunk) <= longestChunk {
			d[chunk] = k
		}
	}
	return d
}

// chunks are those of the tally in order.
func (t tally) chunks() []string { return slices.Sorted(maps.Keys(t)) }

// cut calls use with the tokens of a chunk that begins at an offset.
func (c cuts) cut(from int32, use func(span)) {
	for _, n := range c {
		use(span{from, from + int32(n)})
		from += int32(n)
	}
}

// sound reports whether the tokens are those of the chunk and divide no character.
func (c cuts) sound(chunk string) bool {
	at := 0
	for _, n := range c {
		if at += int(n); n <= 0 || at > len(chunk) || at < len(chunk) && !utf8.RuneStart(chunk[at]) {
			return false
		}
	}
	return at == len(chunk)
}

func (d dictionary) encode(w *kind.Writer) error {
	names := slices.Sorted(maps.Keys(d))
	ways, counts := make([]string, len(names)), make([]uint32, 0, 2*len(names))
	for i, n := range names {
		k := d[n]
		ways[i], counts = string(k.cuts), append(counts, k.count, k.total)
	}
	if err := w.Strings("chunks", names); err != nil {
		return err
	}
	if err := w.Strings("cuts", ways); err != nil {
		return err
	}
	return w.Uint32s("counts", counts)
}

func decodeDictionary(r *kind.Reader) (dictionary, error) {
	names, err := r.Strings("chunks")
	if err != nil {
		return nil, err
	}
	ways, err := r.Strings("cuts")
	if err != nil {
		return nil, err
	}
	counts, err := r.Uint32s("counts")
	if err != nil {
		return nil, err
	}
	if len(ways) != len(names) || len(counts) != 2*len(names) {
		return nil, kind.Corrupt("chunks", "chunks and their cuts differ in number")
	}
	d := make(dictionary, len(names))
	for i, n := range names {
		k := known{cuts(ways[i]), counts[2*i], counts[2*i+1]}
		if !k.cuts.sound(n) || k.count > k.total {
			return nil, kind.Corrupt("cuts", "the tokens of a chunk are not its own")
		}
		d[n] = k
	}
	return d, nil
}
