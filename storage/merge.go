package storage

import (
	"context"
	"slices"

	"parlance/storage/loading"
	"parlance/storage/metaindex"
	"parlance/storage/sealed"
)

// mergeGenerations is the compaction of a corpus: it keeps the number of generations small, and the deleted documents
// fewer than the live ones. The corpus must be locked. The change before it is committed already, so a failure is left
// to the next change.
func (s *Store) mergeGenerations(ctx context.Context, o *Object) {
	for {
		from, to := s.state(ctx, o.ID).GenerationsToMerge()
		if from == to || s.rewrite(ctx, o, from, to) != nil {
			return
		}
	}
}

// rewrite replaces the generations [from, to) by one, without deleted documents. The others keep their order and
// sequence numbers. The corpus must be locked.
func (s *Store) rewrite(ctx context.Context, o *Object, from, to int) error {
	sn := s.Snapshot() // keeps what is read
	defer sn.Close()
	st := s.state(ctx, o.ID)
	l := s.newLoad(ctx, o, loading.Options{}, func() {})
	w, err := l.Rewrite(ctx, st.Gens[from:to])
	if err == nil {
		err = l.replace(ctx, w, from, to)
	}
	if err != nil {
		l.discard()
	}
	return err
}

// replace publishes the load instead of the generations [from, to) of its base.
func (l *Load) replace(ctx context.Context, w *loading.Written, from, to int) error {
	old := l.base
	next := *old
	next.Layers, next.Indexes = w.Layers, w.Indexes
	next.Gens = slices.Clone(old.Gens[:from])
	if len(w.Generation.Segments) > 0 {
		next.Gens = append(next.Gens, w.Generation)
	}
	next.Gens = append(next.Gens, old.Gens[to:]...)
	var waste []garbage
	for _, g := range old.Gens[from:to] {
		waste = append(waste, garbage{corpus: old.ID, gen: g.ID, all: true})
	}
	return l.s.commitCorpus(ctx, &next, nil, waste, func(tx *sealed.Tx) error {
		if len(w.Generation.Segments) == 0 {
			return nil
		}
		if err := w.Generation.Write(tx, next.ID); err != nil {
			return err
		}
		return metaindex.Mark(tx, l.now, w.Generation.ID)
	})
}
