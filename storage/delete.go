package storage

import (
	"context"
	"slices"
	"sort"

	"parlance/storage/documents"
)

// DeleteDocuments deletes documents by their sequence numbers and returns how many there were.
func (s *Store) DeleteDocuments(ctx context.Context, o *Object, seqs []uint64) (int, error) {
	if s.ReadOnly() {
		return 0, ErrReadOnly
	}
	unlock, err := s.lockCorpus(ctx, o.ID)
	if err != nil {
		return 0, err
	}
	st := s.state(ctx, o.ID)
	next := *st
	err = s.delete(ctx, st, &next, seqs)
	if err == nil {
		s.mergeGenerations(ctx, o)
	}
	unlock()
	if err != nil {
		return 0, err
	}
	s.collectSoon(ctx)
	return st.Docs - next.Docs, nil
}

func (s *Store) delete(ctx context.Context, st, next *documents.Corpus, seqs []uint64) error {
	dead, err := s.places(ctx, st, seqs)
	if err != nil || len(dead) == 0 {
		return err
	}
	next.Gens = slices.Clone(st.Gens)
	bury, err := s.markDeleted(next, dead)
	if err != nil {
		return err
	}
	waste := dropDead(next)
	return s.commitCorpus(ctx, next, nil, waste, bury)
}

// places finds live documents by sequence number.
func (s *Store) places(ctx context.Context, st *documents.Corpus, seqs []uint64) (documents.Tombstones, error) {
	want := slices.Clone(seqs)
	slices.Sort(want)
	out := documents.Tombstones{}
	for _, g := range st.Gens {
		for _, sg := range g.Segments {
			from := sort.Search(len(want), func(i int) bool { return want[i] >= sg.First })
			if from == len(want) || want[from] > sg.Last {
				continue
			}
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			p, err := s.segments.Documents(st.ID, sg)
			if err != nil {
				return nil, err
			}
			for i, q := range p.Seqs() {
				if _, ok := slices.BinarySearch(want, q); ok && sg.Live(i) {
					out.Add(documents.SegmentID{Gen: g.ID, Number: sg.Number}, i)
				}
			}
		}
	}
	return out, nil
}
