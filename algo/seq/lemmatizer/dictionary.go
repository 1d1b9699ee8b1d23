package lemmatizer

import (
	"cmp"
	"maps"
	"slices"
)

// levels are the keys by which a word is looked up, the most special first.
type level uint8

const (
	formAndTags level = iota
	formAndTag        // the first tag alone
	lowerAndTags
	lowerAndTag
	levels
)

// seen is what a key has most often: a rule, how often, and how often the key was seen at all.
type seen struct{ rule, count, total uint32 }

// prob is (count + ½)/(total + 1).
func (s seen) prob() float64 { return (float64(s.count) + 0.5) / (float64(s.total) + 1) }

// dictionary has the rules of words that were seen, by the key of each level.
type dictionary map[string]seen

// word is a form with its tags, and its keys.
type word struct {
	form, lower string
	tags        []string
	key         []byte
}

// separator stands between the parts of keys and features.
const separator = '\x1f'

// keyOf makes the key of a level. It is overwritten by the next one.
func (w *word) keyOf(l level) []byte {
	form, tags := w.form, w.tags
	if l == lowerAndTags || l == lowerAndTag {
		form = w.lower
	}
	if (l == formAndTag || l == lowerAndTag) && len(tags) > 0 {
		tags = tags[:1]
	}
	w.key = append(append(w.key[:0], '0'+byte(l), separator), form...)
	for _, t := range tags {
		w.key = append(append(w.key, separator), t...)
	}
	return w.key
}

// find looks the word up.
func (d dictionary) find(w *word) (seen, bool) {
	for l := range levels {
		if s, ok := d[string(w.keyOf(l))]; ok {
			return s, true
		}
	}
	return seen{}, false
}

// tally counts rules of keys.
type tally map[string]map[uint32]uint32

func (t tally) add(key []byte, rule uint32) {
	m := t[string(key)]
	if m == nil {
		m = map[uint32]uint32{}
		t[string(key)] = m
	}
	m[rule]++
}

// best is the most frequent rule of each key, of equal ones the first.
func (t tally) best() dictionary {
	d := make(dictionary, len(t))
	for key, counts := range t {
		d[key] = most(counts)
	}
	return d
}

func most(counts map[uint32]uint32) (s seen) {
	total := uint32(0)
	for rule, n := range counts {
		if total += n; n > s.count || n == s.count && rule < s.rule {
			s.rule, s.count = rule, n
		}
	}
	s.total = total
	return s
}

// keys are those of the dictionary in order.
func (d dictionary) keys() []string { return slices.Sorted(maps.Keys(d)) }

// byCount orders rules by falling counts, then by their text.
func byCount(rules []rule, counts []uint32) (order []int) {
	for i := range rules {
		order = append(order, i)
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(rules[a].String(), rules[b].String()))
	})
	return order
}
