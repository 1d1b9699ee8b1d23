package storage

import (
	"parlance/algo/text"
	"parlance/storage/documents"
)

// invertedTerms is the terms of the units of a segment.
type invertedTerms struct {
	perDoc  []int32 // units by document
	lengths []int32 // tokens by unit
	terms   []string
	starts  []int32 // term t has occurrences [starts[t], starts[t+1])
	units   []int32
	places  []int32
}

// invert gathers the terms of documents, in the order of first occurrence.
func invert(docs []*text.Document, x documents.FulltextIndex) *invertedTerms {
	v := &invertedTerms{perDoc: make([]int32, len(docs))}
	index := map[string]int32{}
	var tokens []int32 // term of each occurrence
	var counts []int32
	for i, d := range docs {
		units := x.Terms(d)
		v.perDoc[i] = int32(len(units))
		for _, unit := range units {
			for _, t := range unit {
				k, ok := index[t]
				if !ok {
					k = int32(len(v.terms))
					index[t] = k
					v.terms, counts = append(v.terms, t), append(counts, 0)
				}
				counts[k]++
				tokens = append(tokens, k)
			}
			v.lengths = append(v.lengths, int32(len(unit)))
		}
	}
	v.starts = make([]int32, len(v.terms)+1)
	for k, n := range counts {
		v.starts[k+1] = v.starts[k] + n
	}
	v.units, v.places = make([]int32, len(tokens)), make([]int32, len(tokens))
	next := append([]int32{}, v.starts...)
	at := 0
	for u, n := range v.lengths {
		for p := range n {
			k := tokens[at]
			v.units[next[k]], v.places[next[k]] = int32(u), p
			next[k]++
			at++
		}
	}
	return v
}
