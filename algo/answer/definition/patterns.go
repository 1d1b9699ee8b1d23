package definition

import (
	"cmp"
	"math"
	"slices"
)

// Types of patterns, places in patternTypes.
const (
	ofNgrams = iota
	ofSequences
	ofSubtrees
)

// pattern is one that was kept.
type pattern struct {
	hash     uint64
	kind     uint8
	rep      uint8
	pos, neg uint32 // sentences
	text     string
}

// name is the text with what its symbols are, where these are no words.
func (p *pattern) name() string {
	if p.rep == surface {
		return p.text
	}
	return p.text + " (" + repNames[p.rep] + ")"
}

// definition tells whether a pattern that was kept is one of definitions, else of other sentences.
func (p *pattern) definition(pos, neg float64) bool {
	return float64(p.pos)*neg >= float64(p.neg)*pos
}

// rates are Rate(φ) of patterns of one type; where freq(φ, Neg) is 0 the largest of the others, +Inf where there is
// none.
func rates(list []pattern, pos, neg float64) []float64 {
	out := make([]float64, len(list))
	largest := math.Inf(-1)
	for i, p := range list {
		if p.neg > 0 {
			out[i] = (float64(p.pos) / pos) / (float64(p.neg) / neg)
			largest = max(largest, out[i])
		}
	}
	if math.IsInf(largest, -1) {
		largest = math.Inf(1)
	}
	for i, p := range list {
		if p.neg == 0 {
			out[i] = largest
		}
	}
	return out
}

// selected are the patterns with a rate of at least high that are in least definitions, and those with a rate of at
// most low that are in least other sentences, by rising hash.
func selected(list []pattern, pos, neg int, high, low float64, least func(*pattern) int) []pattern {
	var out []pattern
	for i, r := range rates(list, float64(pos), float64(neg)) {
		p := &list[i]
		if r >= high && int(p.pos) >= least(p) || r <= low && int(p.neg) >= least(p) {
			out = append(out, *p)
		}
	}
	slices.SortFunc(out, func(a, b pattern) int { return cmp.Compare(a.hash, b.hash) })
	return slices.CompactFunc(out, func(a, b pattern) bool { return a.hash == b.hash })
}

// finder finds patterns in sentences. It serves one goroutine.
type finder struct {
	opt     *options
	index   map[uint64]int32 // places of patterns by hash
	kept    []pattern
	classes []bool // by place: of definitions
	found   []int32
	spans   []span
}

// newFinder returns a finder of patterns that are in rising order of their hashes; pos and neg are the numbers of
// sentences, for classes of n-grams.
func newFinder(o *options, kept []pattern, index map[uint64]int32, pos, neg int) *finder {
	f := &finder{opt: o, index: index, kept: kept, classes: make([]bool, len(kept))}
	for i := range kept {
		f.classes[i] = kept[i].definition(float64(pos), float64(neg))
	}
	return f
}

func indexOf(kept []pattern) map[uint64]int32 {
	out := make(map[uint64]int32, len(kept))
	for i := range kept {
		out[kept[i].hash] = int32(i)
	}
	return out
}

// find returns the places of the patterns in a sentence, rising, each once. They are valid until the next call.
func (f *finder) find(m *marked) []int32 {
	f.found = f.found[:0]
	f.spans = f.spans[:0]
	inner := f.opt.trees()
	for rep := range reps {
		m.grams(rep, f.opt.longest, func(at, n int, h uint64) bool {
			if k, ok := f.index[h]; ok {
				f.found = append(f.found, k)
				if inner && n <= f.opt.inner {
					f.spans = append(f.spans, span{k, int32(at), int32(at + n)})
				}
			}
			return true
		})
	}
	if inner && m.root >= 0 {
		f.chains(m, func(c chain) {
			if k, ok := f.index[c.hash]; ok {
				if f.opt.has(sequences) {
					f.found = append(f.found, k)
				}
				if f.opt.has(subtrees) {
					if k, ok := f.index[m.subtree(c, f.kept[k].rep)]; ok {
						f.found = append(f.found, k)
					}
				}
			}
		})
	}
	slices.Sort(f.found)
	f.found = slices.Compact(f.found)
	return f.found
}
