package storage

import (
	"sort"

	"parlance/algo/text"
)

// Want returns what Terms reads of documents.
func (x FulltextIndex) Want() Want {
	if !x.Rows() {
		return Want{Layers: []LayerWant{{Name: "tokens", Columns: []string{orForm(x.Column)}}}}
	}
	return Want{Layers: []LayerWant{{Name: "tokens", Columns: []string{"form", "char_start", "char_end"}},
		{Name: x.Layer, Columns: []string{"char_start", "char_end"}}}}
}

// Terms returns the terms of the units of a document: of the document itself, or of each row of
// the layer of the index, whose terms are the forms of the tokens that it covers.
func (x FulltextIndex) Terms(d *text.Document) [][]string {
	toks := d.Layer("tokens")
	var terms []string
	if toks != nil {
		terms = make([]string, 0, toks.N)
		for _, f := range toks.Strs(orForm(x.Column)) {
			terms = append(terms, x.Fold(f))
		}
	}
	if !x.Rows() {
		return [][]string{terms}
	}
	l := d.Layer(x.Layer)
	if l == nil {
		return nil
	}
	out := make([][]string, l.N)
	for i := range out {
		first, last := covered(l, toks, i)
		if last > len(terms) {
			continue
		}
		out[i] = terms[first:last]
	}
	return out
}

// covered returns the tokens [first, last) that lie in row i of a layer, by offsets in bytes.
func covered(l, toks *text.Layer, i int) (first, last int) {
	start, end := l.Ints("char_start"), l.Ints("char_end")
	if toks == nil || start == nil || end == nil {
		return 0, 0
	}
	from, to := toks.Ints("char_start"), toks.Ints("char_end")
	if from == nil || to == nil {
		return 0, 0
	}
	first = sort.Search(toks.N, func(t int) bool { return to[t] > start[i] })
	last = first + sort.Search(toks.N-first, func(t int) bool { return from[first+t] >= end[i] })
	return first, last
}

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
func invert(docs []*text.Document, x FulltextIndex) *invertedTerms {
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
