package storage

import (
	"context"
	"fmt"
	"slices"

	"parlance/storage/documents"
	"parlance/storage/fulltext"
	"parlance/storage/textindex"
)

// FulltextInfo is a full-text index with its size.
type FulltextInfo struct {
	documents.FulltextIndex
	Bytes int64
}

// Fulltext lists the full-text indexes of a corpus.
func (sn *Snapshot) Fulltext(o *Object) []FulltextInfo {
	st := sn.corpus(o)
	var out []FulltextInfo
	for _, x := range st.Indexes {
		info := FulltextInfo{FulltextIndex: x.FulltextIndex}
		for _, g := range st.Gens {
			for _, r := range g.Runs[x.Part] {
				info.Bytes += r.Bytes
			}
		}
		out = append(out, info)
	}
	return out
}

// Indexed returns the full-text index on a column of a layer, "" being the documents.
func (sn *Snapshot) Indexed(o *Object, layer, column string) (documents.FulltextIndex, bool) {
	if x := sn.corpus(o).IndexOf(layer, column); x != nil {
		return x.FulltextIndex, true
	}
	return documents.FulltextIndex{}, false
}

// CreateFulltext creates a full-text index on a column; ErrExists if there is one.
func (s *Store) CreateFulltext(ctx context.Context, o *Object, x documents.FulltextIndex) error {
	if s.ReadOnly() {
		return ErrReadOnly
	}
	unlock, err := s.lockCorpus(ctx, o.ID)
	if err != nil {
		return err
	}
	defer unlock()
	st := s.state(ctx, o.ID)
	if st.IndexOf(x.Layer, x.Column) != nil {
		return fmt.Errorf("full-text index of %s on %s %w", o.Name, x.Column, ErrExists)
	}
	next := *st
	next.Indexes = append(slices.Clone(st.Indexes),
		documents.IndexState{FulltextIndex: x, Part: s.freePart(transaction(ctx), st.ID, st.Layers, st.Indexes)})
	return s.publishIndexes(ctx, o, &next, 1, nil)
}

// publishIndexes builds the new indexes of a state for all generations and publishes the state.
func (s *Store) publishIndexes(ctx context.Context, o *Object, next *documents.Corpus, fresh int,
	waste []garbage) error {
	sn := s.Snapshot() // so that the segments stay if the corpus is dropped
	defer sn.Close()
	var written []garbage
	gens := make([]*documents.Generation, len(next.Gens))
	for i, g := range next.Gens {
		c := *g
		c.Runs = withRuns(g.Runs)
		for _, x := range next.Indexes[len(next.Indexes)-fresh:] {
			written = append(written, garbage{corpus: next.ID, gen: g.ID, part: x.Part})
			var err error
			if c.Runs[x.Part], err = s.texts.BuildRuns(ctx, next, &c, x); err != nil {
				return s.undo(written, err)
			}
		}
		gens[i] = &c
	}
	next.Gens = gens
	if err := s.commitCorpus(ctx, next, nil, waste, next.WriteGenerations); err != nil {
		return s.undo(written, err)
	}
	return nil
}

// withRuns is a copy of the runs of a generation, by part.
func withRuns(runs map[uint16][]documents.RunMeta) map[uint16][]documents.RunMeta {
	out := make(map[uint16][]documents.RunMeta, len(runs)+1)
	for k, v := range runs {
		out[k] = v
	}
	return out
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
	if st.IndexOf(layer, column) == nil {
		unlock()
		return fmt.Errorf("full-text index of %s on %s: %w", o.Name, column, ErrNotFound)
	}
	next := *st
	old := *st.IndexOf(layer, column)
	waste := dropIndexes(&next, func(x documents.IndexState) bool { return x == old })
	err = s.commitCorpus(ctx, &next, nil, waste, next.WriteGenerations)
	unlock()
	if err == nil {
		s.collectSoon(ctx)
	}
	return err
}

// dropIndexes removes indexes from a state under construction and returns their blocks.
func dropIndexes(c *documents.Corpus, drop func(documents.IndexState) bool) []garbage {
	var waste []garbage
	var kept []documents.IndexState
	gone := map[uint16]bool{}
	for _, x := range c.Indexes {
		if gone[x.Part] = drop(x); !gone[x.Part] {
			kept = append(kept, x)
		}
	}
	if len(kept) == len(c.Indexes) {
		return nil
	}
	c.Indexes = kept
	gens := make([]*documents.Generation, len(c.Gens))
	for i, g := range c.Gens {
		n := *g
		n.Runs = withRuns(g.Runs)
		for part := range g.Runs {
			if gone[part] {
				delete(n.Runs, part)
				waste = append(waste, garbage{corpus: c.ID, gen: g.ID, part: part})
			}
		}
		gens[i] = &n
	}
	c.Gens = gens
	return waste
}

// reindex rebuilds the indexes on replaced layers of a state under construction, and commits it.
func (s *Store) reindex(ctx context.Context, o *Object, next *documents.Corpus, layers []string,
	waste []garbage) error {
	old := s.state(ctx, next.ID)
	replaced := func(x documents.IndexState) bool { return x.Rows() && slices.Contains(layers, x.Layer) }
	waste = append(waste, dropIndexes(next, replaced)...)
	fresh := 0
	next.Indexes = slices.Clone(next.Indexes)
	for _, x := range old.Indexes {
		if replaced(x) {
			part := s.freePart(transaction(ctx), next.ID, append(slices.Clone(next.Layers), old.Layers...),
				append(slices.Clone(next.Indexes), old.Indexes...))
			next.Indexes = append(next.Indexes, documents.IndexState{FulltextIndex: x.FulltextIndex, Part: part})
			fresh++
		}
	}
	return s.publishIndexes(ctx, o, next, fresh, waste)
}

// Search finds what matches by the full-text index on a column of a layer, "" being the
// documents, with scores if they are wanted. ErrNotFound if there is no index.
func (sn *Snapshot) Search(ctx context.Context, o *Object, layer, column string, q *fulltext.Search,
	scores bool) (hits *textindex.Hits, err error) {
	err = sn.withIndex(o, layer, column, func(st *documents.Corpus, x *documents.IndexState) error {
		hits, err = sn.s.texts.Search(ctx, st, x, q, scores)
		return err
	})
	return hits, err
}

// SearchTop finds the k best of what matches by the full-text index on a column of a layer, by falling score, equal
// ones in the order of documents. ErrNotFound if there is no index.
func (sn *Snapshot) SearchTop(ctx context.Context, o *Object, layer, column string, q *fulltext.Search,
	k int) (best []textindex.Hit, err error) {
	err = sn.withIndex(o, layer, column, func(st *documents.Corpus, x *documents.IndexState) error {
		best, err = sn.s.texts.SearchTop(ctx, st, x, q, k)
		return err
	})
	return best, err
}

// withIndex calls f with the full-text index on a column of a layer.
func (sn *Snapshot) withIndex(o *Object, layer, column string,
	f func(*documents.Corpus, *documents.IndexState) error) error {
	st := sn.corpus(o)
	x, err := st.IndexOf(layer, column), ErrNotFound
	if x != nil {
		err = f(st, x)
	}
	if err != nil {
		err = fmt.Errorf("full-text index of %s on %s: %w", o.Name, column, err)
	}
	return err
}
