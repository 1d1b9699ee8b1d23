package storage

import (
	"context"
	"fmt"
	"slices"

	"parlance/algo/text"
)

// A full-text index of a corpus has, in each generation, runs of consecutive segments. A run is
// blocks under the index's part: block 0 is its head, the others hold terms with their postings,
// in order (see fulltext_run.go). The number of a block is run·65536 + block. Runs are immutable; they are committed,
// replaced and collected with their generation.

// FulltextInfo is a full-text index with its size.
type FulltextInfo struct {
	FulltextIndex
	Bytes int64
}

// Fulltext lists the full-text indexes of a corpus.
func (sn *Snapshot) Fulltext(o *Object) []FulltextInfo {
	st := sn.corpus(o)
	var out []FulltextInfo
	for _, x := range st.indexes {
		info := FulltextInfo{FulltextIndex: x.FulltextIndex}
		for _, g := range st.gens {
			for _, r := range g.runs[x.Part] {
				info.Bytes += r.Bytes
			}
		}
		out = append(out, info)
	}
	return out
}

// Indexed returns the full-text index on a column of a layer, "" being the documents.
func (sn *Snapshot) Indexed(o *Object, layer, column string) (FulltextIndex, bool) {
	if x := sn.corpus(o).index(layer, column); x != nil {
		return x.FulltextIndex, true
	}
	return FulltextIndex{}, false
}

// CreateFulltext creates a full-text index on a column; ErrExists if there is one.
func (s *Store) CreateFulltext(ctx context.Context, o *Object, x FulltextIndex) error {
	if s.ReadOnly() {
		return ErrReadOnly
	}
	unlock, err := s.lockCorpus(ctx, o.ID)
	if err != nil {
		return err
	}
	defer unlock()
	st := s.state(ctx, o.ID)
	if st.index(x.Layer, x.Column) != nil {
		return fmt.Errorf("full-text index of %s on %s %w", o.Name, x.Column, ErrExists)
	}
	next := *st
	next.indexes = append(slices.Clone(st.indexes),
		indexState{x, s.freePart(transaction(ctx), st.id, st.layers, st.indexes)})
	return s.publishIndexes(ctx, o, &next, 1, nil)
}

// publishIndexes builds the new indexes of a state for all generations and publishes the state.
func (s *Store) publishIndexes(ctx context.Context, o *Object, next *corpusState, fresh int, waste []garbage) error {
	sn := s.Snapshot() // so that the segments stay if the corpus is dropped
	defer sn.Close()
	var written []garbage
	gens := make([]*generation, len(next.gens))
	for i, g := range next.gens {
		c := *g
		c.runs = withRuns(g.runs)
		for _, x := range next.indexes[len(next.indexes)-fresh:] {
			written = append(written, garbage{corpus: next.id, gen: g.id, part: x.Part})
			var err error
			if c.runs[x.Part], err = s.buildRuns(ctx, next, o, &c, x); err != nil {
				return s.undo(written, err)
			}
		}
		gens[i] = &c
	}
	next.gens = gens
	if err := s.commitCorpus(ctx, next, nil, waste, next.writeGenerations); err != nil {
		return s.undo(written, err)
	}
	return nil
}

// withRuns is a copy of the runs of a generation, by part.
func withRuns(runs map[uint16][]runMeta) map[uint16][]runMeta {
	out := make(map[uint16][]runMeta, len(runs)+1)
	for k, v := range runs {
		out[k] = v
	}
	return out
}

// buildRuns indexes the segments of a generation.
func (s *Store) buildRuns(ctx context.Context, st *corpusState, o *Object, g *generation,
	x indexState) ([]runMeta, error) {
	b := newRunBuilder(s, st.id, g.id, x.Part)
	for _, sg := range g.segments {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		docs, err := s.segmentUnits(st, o, sg, x)
		if err != nil {
			return nil, err
		}
		if err := b.add(sg.number, invert(docs, x.FulltextIndex)); err != nil {
			return nil, err
		}
	}
	return b.finish()
}

// segmentUnits reads what an index needs of the documents of a segment, including deleted ones, without the cache.
func (s *Store) segmentUnits(st *corpusState, o *Object, sg *segmentState, x indexState) ([]*text.Document, error) {
	y, err := s.segments.ReadAfresh(st, sg, o.names(), x.Want())
	if err != nil {
		return nil, err
	}
	docs := make([]*text.Document, y.N())
	for i := range docs {
		docs[i] = y.Document(i)
	}
	return docs, nil
}

// DropFulltext removes a full-text index; ErrNotFound if there is none on the column.
func (s *Store) DropFulltext(ctx context.Context, o *Object, layer, column string) error {
	if s.ReadOnly() {
		return ErrReadOnly
	}
	unlock, err := s.lockCorpus(ctx, o.ID)
	if err != nil {
		return err
	}
	st := s.state(ctx, o.ID)
	if st.index(layer, column) == nil {
		unlock()
		return fmt.Errorf("full-text index of %s on %s: %w", o.Name, column, ErrNotFound)
	}
	next := *st
	old := *st.index(layer, column)
	waste := next.dropIndexes(func(x indexState) bool { return x == old })
	err = s.commitCorpus(ctx, &next, nil, waste, next.writeGenerations)
	unlock()
	if err == nil {
		s.collectSoon(ctx)
	}
	return err
}

// dropIndexes removes indexes from a state under construction and returns their blocks.
func (c *corpusState) dropIndexes(drop func(indexState) bool) []garbage {
	var waste []garbage
	var kept []indexState
	gone := map[uint16]bool{}
	for _, x := range c.indexes {
		if gone[x.Part] = drop(x); !gone[x.Part] {
			kept = append(kept, x)
		}
	}
	if len(kept) == len(c.indexes) {
		return nil
	}
	c.indexes = kept
	gens := make([]*generation, len(c.gens))
	for i, g := range c.gens {
		n := *g
		n.runs = withRuns(g.runs)
		for part := range g.runs {
			if gone[part] {
				delete(n.runs, part)
				waste = append(waste, garbage{corpus: c.id, gen: g.id, part: part})
			}
		}
		gens[i] = &n
	}
	c.gens = gens
	return waste
}

// reindex rebuilds the indexes on replaced layers of a state under construction, and commits it.
func (s *Store) reindex(ctx context.Context, o *Object, next *corpusState, layers []string, waste []garbage) error {
	old := s.state(ctx, next.id)
	replaced := func(x indexState) bool { return x.Rows() && slices.Contains(layers, x.Layer) }
	waste = append(waste, next.dropIndexes(replaced)...)
	fresh := 0
	next.indexes = slices.Clone(next.indexes)
	for _, x := range old.indexes {
		if replaced(x) {
			part := s.freePart(transaction(ctx), next.id, append(slices.Clone(next.layers), old.layers...),
				append(slices.Clone(next.indexes), old.indexes...))
			next.indexes = append(next.indexes, indexState{x.FulltextIndex, part})
			fresh++
		}
	}
	return s.publishIndexes(ctx, o, next, fresh, waste)
}

// index sets the indexes that a load fills, before it takes documents.
func (l *Load) index(indexes []indexState) {
	l.indexes, l.builders = indexes, nil
	for _, x := range indexes {
		l.builders = append(l.builders, newRunBuilder(l.s, l.o.ID, l.gen.id, x.Part))
	}
}

// gather adds a segment to the indexes.
func (l *Load) gather(e *encodedSegment, segment int) error {
	for i, v := range e.inverted {
		if err := l.builders[i].add(uint32(segment), v); err != nil {
			return err
		}
	}
	e.inverted = nil
	return nil
}

// finishIndexes writes the last runs.
func (l *Load) finishIndexes() error {
	if len(l.indexes) == 0 {
		return nil
	}
	l.gen.runs = map[uint16][]runMeta{}
	for i, x := range l.indexes {
		runs, err := l.builders[i].finish()
		if err != nil {
			return err
		}
		l.gen.runs[x.Part] = runs
	}
	return nil
}
