package textindex

import (
	"context"

	"parlance/algo/text"
	"parlance/storage/documents"
)

// Terms is the terms of the units of a segment.
type Terms struct {
	perDoc  []int32 // units by document
	lengths []int32 // tokens by unit
	terms   []string
	starts  []int32 // term t has occurrences [starts[t], starts[t+1])
	units   []int32
	places  []int32
}

// Invert gathers the terms of documents, in the order of first occurrence.
func Invert(docs []*text.Document, x documents.FulltextIndex) *Terms {
	v := &Terms{perDoc: make([]int32, len(docs))}
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

// BuildRuns indexes the segments of a generation.
func (s *Reader) BuildRuns(ctx context.Context, st *documents.Corpus, g *documents.Generation,
	x documents.IndexState) ([]documents.RunMeta, error) {
	b := NewBuilder(s.file, st.ID, g.ID, x.Part)
	for _, sg := range g.Segments {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		docs, err := s.segmentUnits(st, sg, x)
		if err != nil {
			return nil, err
		}
		if err := b.Add(sg.Number, Invert(docs, x.FulltextIndex)); err != nil {
			return nil, err
		}
	}
	return b.Finish()
}

// segmentUnits reads what an index needs of the documents of a segment, including deleted ones, without the cache.
func (s *Reader) segmentUnits(st *documents.Corpus, sg *documents.SegmentState,
	x documents.IndexState) ([]*text.Document, error) {
	y, err := s.docs.ReadAfresh(st, sg, documents.Names{}, x.Want())
	if err != nil {
		return nil, err
	}
	docs := make([]*text.Document, y.N())
	for i := range docs {
		docs[i] = y.Document(i)
	}
	return docs, nil
}
