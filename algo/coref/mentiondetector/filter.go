package mentiondetector

import (
	"maps"
	"slices"
	"strings"

	"parlance/algo/coref/mention"
	"parlance/algo/kind"
)

// filter drops candidates by counts of keys: the words of a candidate; its head and the word before; its head and the
// word after (Chang et al. 2012, section 2). A candidate is dropped if one of its keys was a candidate at least
// min_count times and a mention in at most the allowed share.
type filter struct {
	seen   map[string]tally
	ratios [3]float64
}

// tally is how often a key was a candidate, and how often a mention.
type tally struct{ candidates, mentions uint32 }

var keyNames = [3]string{"string", "head and word before", "head and word after"}

// keysOf are the keys of a candidate. They begin with their number.
func keysOf(d *mention.Document, s mention.Span) [3]string {
	head := d.Lower[d.HeadOf(s)]
	before, after := "<s>", "</s>"
	if s.Start > d.Bounds[d.Sents[s.Start]] {
		before = d.Lower[s.Start-1]
	}
	if s.End < d.Bounds[d.Sents[s.Start]+1] {
		after = d.Lower[s.End]
	}
	words := strings.Join(d.Lower[s.Start:s.End], " ")
	return [3]string{"0 " + words, "1 " + head + " " + before, "2 " + head + " " + after}
}

// countAll counts the keys of all candidates, and keeps those that are often enough.
func countAll(list []example, least int, stringRatio, contextRatio float64) *filter {
	f := &filter{map[string]tally{}, [3]float64{stringRatio, contextRatio, contextRatio}}
	for _, e := range list {
		for i, c := range e.list {
			for _, k := range keysOf(e.read, c.Span) {
				n := f.seen[k]
				if n.candidates++; e.gold[i] {
					n.mentions++
				}
				f.seen[k] = n
			}
		}
	}
	maps.DeleteFunc(f.seen, func(_ string, n tally) bool { return int(n.candidates) < least })
	return f
}

// drops names the key by which a candidate is dropped, "" where it is kept.
func (f *filter) drops(d *mention.Document, s mention.Span) string {
	for i, k := range keysOf(d, s) {
		n, often := f.seen[k]
		if often && float64(n.mentions) <= f.ratios[i]*float64(n.candidates) {
			return keyNames[i]
		}
	}
	return ""
}

// encode writes the counts by rising keys; a nil filter writes none.
func (f *filter) encode(w *kind.Writer) error {
	if f == nil {
		return nil
	}
	keys := slices.Sorted(maps.Keys(f.seen))
	n := make([]uint32, 0, 2*len(keys))
	for _, k := range keys {
		n = append(n, f.seen[k].candidates, f.seen[k].mentions)
	}
	if err := w.Strings("keys", keys); err != nil {
		return err
	}
	return w.Uint32s("counts", n)
}

func decodeFilter(r *kind.Reader, stringRatio, contextRatio float64) (*filter, error) {
	keys, err := r.Strings("keys")
	if err != nil {
		return nil, err
	}
	n, err := r.Uint32s("counts")
	if err != nil {
		return nil, err
	}
	if len(n) != 2*len(keys) {
		return nil, kind.Corrupt("counts", "has another number of counts than there are keys")
	}
	f := &filter{make(map[string]tally, len(keys)), [3]float64{stringRatio, contextRatio, contextRatio}}
	for i, k := range keys {
		f.seen[k] = tally{n[2*i], n[2*i+1]}
	}
	return f, nil
}
