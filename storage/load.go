package storage

import (
	"context"
	"errors"
	"slices"

	"parlance/storage/documents"
	"parlance/storage/loading"
	"parlance/storage/metaindex"
	"parlance/storage/sealed"
)

// Load adds documents to a corpus. They are visible after Commit. A corpus has one load at a time. A Load is for one
// goroutine, and must be ended by Commit or Abort.
type Load struct {
	*loading.Load
	s      *Store
	base   *documents.Corpus
	now    *Object // the entry of the corpus under the lock
	gen    uint32
	unlock func()
	over   bool
}

// NewLoad begins a load. It waits until no other statement writes the corpus.
func (s *Store) NewLoad(ctx context.Context, o *Object, opt loading.Options) (*Load, error) {
	if s.ReadOnly() {
		return nil, ErrReadOnly
	}
	unlock, err := s.lockCorpus(ctx, o.ID)
	if err != nil {
		return nil, err
	}
	return s.newLoad(ctx, o, opt, unlock), nil
}

func (s *Store) newLoad(ctx context.Context, o *Object, opt loading.Options, unlock func()) *Load {
	l := &Load{s: s, base: s.state(ctx, o.ID), now: s.entry(ctx, o), gen: s.tables.NewGeneration(), unlock: unlock}
	l.Load = loading.New(s.loads, loading.Target{Known: o, Now: l.now, State: l.base, Generation: l.gen,
		FreePart: func(layers []documents.Layer) uint16 {
			return s.freePart(transaction(ctx), o.ID, layers, l.base.Indexes)
		}}, opt)
	return l
}

// Commit publishes the load in one transaction.
func (l *Load) Commit(ctx context.Context) (loading.Result, error) {
	if l.over {
		return loading.Result{}, errors.New("the load is over")
	}
	l.over = true
	w, err := l.Finish(ctx)
	if err == nil {
		err = l.publish(ctx, w)
	}
	if err != nil {
		l.discard()
		return loading.Result{}, err
	}
	l.s.mergeGenerations(ctx, l.now)
	l.unlock()
	l.s.collectSoon(ctx)
	return w.Result, nil
}

// Abort discards the load and removes what it has written.
func (l *Load) Abort() {
	if l.over {
		return
	}
	l.over = true
	l.Load.Abort()
	l.discard()
}

func (l *Load) discard() {
	defer l.unlock()
	l.s.discard(garbage{corpus: l.now.ID, gen: l.gen, all: true})
}

// publish adds a load to the corpus: its generation, tombstones of replaced documents, new layers and columns.
func (l *Load) publish(ctx context.Context, w *loading.Written) error {
	next := *l.base
	next.Layers = w.Layers
	next.Gens = slices.Clone(l.base.Gens)
	if len(w.Generation.Segments) > 0 {
		next.Gens = append(next.Gens, w.Generation)
	}
	documents.AddHash(&next.Sum, w.Sum)
	for _, s := range w.Generation.Segments {
		next.Tokens += int64(s.Tokens)
		next.Docs += s.Docs
	}
	bury, err := l.s.markDeleted(&next, w.Replaced)
	if err != nil {
		return err
	}
	waste := dropDead(&next)
	return l.s.commitCorpus(ctx, &next, w.Columns, waste, func(tx *sealed.Tx) error {
		if len(w.Generation.Segments) > 0 {
			if err := w.Generation.Write(tx, next.ID); err != nil {
				return err
			}
			if err := metaindex.Mark(tx, l.now, w.Generation.ID); err != nil {
				return err
			}
		}
		return bury(tx)
	})
}
