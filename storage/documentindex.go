package storage

import (
	"context"
	"errors"

	"parlance/storage/catalog"
	"parlance/storage/documents"
)

// fillDocumentIndex writes the entries of all generations without entries, including those of the transaction.
func (s *Store) fillDocumentIndex(ctx context.Context, o *Object, cols []string) error {
	sn := s.Snapshot()
	defer sn.Close()
	if err := s.metadata.Fill(ctx, sn.corpus(o), o, cols); err != nil || transaction(ctx) == nil {
		return err
	}
	own := transaction(ctx).Capture(new(Snapshot))
	defer own.Close()
	return s.metadata.Fill(ctx, own.corpus(o), o, cols)
}

// Select returns the live documents in ranges of an index, in their order. It may return
// others besides: where values are very long, or what the index does not cover.
func (sn *Snapshot) Select(ctx context.Context, o *Object, cols []string,
	ranges []catalog.KeyRange) ([]documents.Window,
	error) {
	var out []documents.Part
	err := sn.s.metadata.Each(ctx, sn.corpus(o), o, cols, ranges, func(sg *documents.SegmentState, docs []int,
		_ int) bool {
		out = append(out, documents.Part{Segment: sg, Docs: docs})
		return true
	})
	return documents.Windows(out), err
}

// Estimate counts the documents in ranges of an index, about limit of them at most.
func (sn *Snapshot) Estimate(ctx context.Context, o *Object, cols []string, ranges []catalog.KeyRange,
	limit int) (n int, err error) {
	err = sn.s.metadata.Each(ctx, sn.corpus(o), o, cols, ranges, func(_ *documents.SegmentState, _ []int, docs int) bool {
		n += docs
		return n < limit
	})
	return n, err
}

// checkDocumentIndexes compares the indexes of a corpus with its metadata.
func (s *Store) checkDocumentIndexes(ctx context.Context, o *Object, say func(string, ...any)) error {
	o, unlock, err := s.lockTable(ctx, o)
	if errors.Is(err, ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	defer unlock()
	sn := s.Snapshot()
	defer sn.Close()
	for _, cols := range o.Indexes {
		for _, g := range sn.corpus(o).Gens {
			if err := s.metadata.Check(ctx, sn.corpus(o), o, cols, g, say); err != nil {
				return err
			}
		}
	}
	return nil
}
