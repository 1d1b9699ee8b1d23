package textindex

import (
	"context"
	"fmt"
	"slices"

	"parlance/storage/dbfile"
	"parlance/storage/documents"
)

// CheckIndex reads every block of an index of a generation, and compares what it says with
// the documents.
func (s *Reader) CheckIndex(ctx context.Context, st *documents.Corpus, g *documents.Generation,
	x documents.IndexState) error {
	runs, ok := g.Runs[x.Part]
	if !ok {
		return fmt.Errorf("%w: generation %d is not indexed", dbfile.ErrCorrupt, g.ID)
	}
	next := uint32(0)
	for i, r := range runs {
		if err := ctx.Err(); err != nil {
			return err
		}
		if r.First != next || r.Last < r.First || int(r.Last) >= len(g.Segments) {
			return fmt.Errorf("%w: run %d holds segments %d to %d", dbfile.ErrCorrupt, i, r.First, r.Last)
		}
		next = r.Last + 1
		if err := s.checkRun(ctx, st, g, x, i); err != nil {
			return fmt.Errorf("run %d: %w", i, err)
		}
	}
	if int(next) != len(g.Segments) {
		return fmt.Errorf("%w: %d of %d segments are indexed", dbfile.ErrCorrupt, next, len(g.Segments))
	}
	return nil
}

// checkRun rebuilds a run from the documents, in memory, and compares its blocks.
func (s *Reader) checkRun(ctx context.Context, st *documents.Corpus, g *documents.Generation,
	x documents.IndexState, i int) error {
	meta := g.Runs[x.Part][i]
	b := NewBuilder(s.file, st.ID, g.ID, x.Part)
	docs := 0
	for _, sg := range g.Segments[meta.First : meta.Last+1] {
		if err := ctx.Err(); err != nil {
			return err
		}
		units, err := s.segmentUnits(st, sg, x)
		if err != nil {
			return err
		}
		docs += len(units)
		b.gather(sg.Number, Invert(units, x.FulltextIndex))
	}
	h := &runHead{key: headKey{st.ID, g.ID, x.Part, meta.First}, number: uint32(i) * runBlocks, meta: meta}
	head, err := s.runBlock(h.key, h.number)
	if err != nil {
		return err
	}
	if err := head.Check(); err != nil {
		return err
	}
	if err := h.decode(head, docs); err != nil {
		return err
	}
	if !slices.Equal(h.lengths, b.lengths) || b.meta.Tokens != meta.Tokens {
		return fmt.Errorf("%w: lengths of units", dbfile.ErrCorrupt)
	}
	return s.checkTerms(ctx, h, b)
}

// checkTerms compares the terms of a run with those gathered.
func (s *Reader) checkTerms(ctx context.Context, h *runHead, b *Builder) error {
	n := 0
	var wrong error
	lists := b.sorted()
	err := s.terms(h, "", true, func(e termEntry) bool {
		if n++; n&255 == 0 && ctx.Err() != nil {
			wrong = ctx.Err()
			return false
		}
		if n > len(lists.order) || b.terms[lists.order[n-1]] != e.term {
			wrong = fmt.Errorf("%w: the term %q of a run is not the one of the documents", dbfile.ErrCorrupt, e.term)
			return false
		}
		p := lists.postings(n - 1)
		units, positions := p.Append(nil, nil)
		if p.Count() != e.count || !slices.Equal(units, e.units) || !slices.Equal(positions, e.positions) {
			wrong = fmt.Errorf("%w: postings of the term %q", dbfile.ErrCorrupt, e.term)
		}
		return wrong == nil
	})
	if err == nil && wrong == nil && n != len(b.terms) {
		wrong = fmt.Errorf("%w: %d terms, the documents have %d", dbfile.ErrCorrupt, n, len(b.terms))
	}
	if err != nil {
		return err
	}
	return wrong
}
