package textindex

import (
	"context"
	"slices"
	"sync"

	"parlance/algo/text"
	"parlance/storage/documents"
)

// Terms is the terms of the units of a segment.
type Terms struct {
	perDoc  []int32  // units by document
	lengths []int32  // tokens by unit
	terms   []string // in the order of first occurrence
	tokens  []uint32 // place among the terms of each token, unit after unit
}

// inverter keeps the memory of look-ups from segment to segment.
type inverter struct {
	forms map[string]uint32 // term of each token as it is written
	terms map[string]uint32
}

var inverters = sync.Pool{New: func() any { return &inverter{map[string]uint32{}, map[string]uint32{}} }}

// Invert gathers the terms of documents.
func Invert(docs []*text.Document, x documents.FulltextIndex) *Terms {
	in := inverters.Get().(*inverter)
	defer inverters.Put(in)
	defer clear(in.forms) // its strings are parts of texts
	defer clear(in.terms)
	v := &Terms{perDoc: make([]int32, len(docs))}
	for i, d := range docs {
		for unit := range x.Units(d) {
			v.tokens = slices.Grow(v.tokens, len(unit))
			for _, form := range unit {
				v.tokens = append(v.tokens, in.term(form, x, v))
			}
			v.lengths = append(v.lengths, int32(len(unit)))
			v.perDoc[i]++
		}
	}
	return v
}

// term is the place of the term of a token. Each form is folded once.
func (in *inverter) term(form string, x documents.FulltextIndex, v *Terms) uint32 {
	if k, ok := in.forms[form]; ok {
		return k
	}
	term := x.Fold(form)
	k, ok := in.terms[term]
	if !ok {
		k = uint32(len(v.terms))
		in.terms[term] = k
		v.terms = append(v.terms, term)
	}
	in.forms[form] = k
	return k
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
