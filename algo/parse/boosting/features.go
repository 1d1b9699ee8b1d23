package boosting

import (
	"slices"

	"parlance/algo/parse/candidates"
	"parlance/algo/parse/treefeature"
	"parlance/algo/seq/spanfeature"
)

// Finder finds the features of candidates. It belongs to one goroutine.
type Finder struct {
	extract *treefeature.Extractor
	spans   *spanfeature.Extractor
	answer  bool // the tree that the base answers has a feature of its own
}

// Finder returns one.
func (m *Model) Finder() *Finder {
	return &Finder{extract: treefeature.NewExtractor(m.set, m.heads),
		spans: spanfeature.NewExtractor(m.spans), answer: m.answer}
}

// answerName is the feature of the tree that the base answers.
const answerName = "answer of the base"

// Features are the hashes of those of each candidate, rising; names gets the name of each by its hash, if it is not
// nil.
func (l *Finder) Features(x *candidates.Sentence, names map[uint64]string) [][]uint64 {
	out := make([][]uint64, len(x.List))
	for i, c := range x.List {
		visit := func(name []byte) {
			h := hash(name)
			out[i] = append(out[i], h)
			if names != nil {
				if _, ok := names[h]; !ok {
					names[h] = string(name)
				}
			}
		}
		if c.Tree != nil {
			l.extract.Tree(c.Tree, x.Words, visit)
		} else {
			l.spans.Spans(c.Spans, x.Words, x.Tags, visit)
		}
		if c.Answer && l.answer {
			visit([]byte(answerName))
		}
		slices.Sort(out[i])
		out[i] = slices.Compact(out[i])
	}
	return out
}

// hash is FNV-1a.
func hash(name []byte) uint64 {
	h := uint64(14695981039346656037)
	for _, b := range name {
		h = (h ^ uint64(b)) * 1099511628211
	}
	return h
}
