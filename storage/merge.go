package storage

import (
	"context"
	"fmt"
	"slices"

	"parlance/algo/text"
	"parlance/storage/documents"
	"parlance/storage/metaindex"
	"parlance/storage/sealed"
)

// mergeGenerations is the compaction of a corpus: it keeps the number of generations small, and the deleted documents
// fewer than the live ones. The corpus must be locked. The change before it is committed already, so a failure is left
// to the next change.
func (s *Store) mergeGenerations(ctx context.Context, o *Object) {
	for {
		from, to := s.state(ctx, o.ID).GenerationsToMerge()
		if from == to || s.rewrite(ctx, o, from, to, "") != nil {
			return
		}
	}
}

// rewrite replaces the generations [from, to) by one, without deleted documents and, if a layer is named, without that
// layer; the range must be the whole corpus then. Documents keep their order and sequence numbers. The corpus must be
// locked.
func (s *Store) rewrite(ctx context.Context, o *Object, from, to int, without string) error {
	sn := s.Snapshot()
	defer sn.Close()
	st := s.state(ctx, o.ID)
	l := s.newLoad(ctx, o, LoadOptions{}, func() {})
	l.keepSeq, l.raw = true, true
	l.layers = slices.DeleteFunc(l.layers, func(x documents.Layer) bool { return x.Name == without })
	if without != "" {
		l.index(slices.DeleteFunc(slices.Clone(l.indexes),
			func(x documents.IndexState) bool { return x.Rows() && x.Layer == without }))
	}
	err := l.take(ctx, sn, st, st.Gens[from:to], without)
	l.stop()
	if err == nil {
		err = l.failed()
	}
	if err == nil {
		err = l.replace(ctx, from, to)
	}
	if err != nil {
		l.discard()
	}
	return err
}

// take adds the live documents of generations to the load, in their order.
func (l *Load) take(ctx context.Context, sn *Snapshot, st *documents.Corpus, gens []*documents.Generation,
	without string) error {
	for _, w := range documents.Windows(documents.WholeSegments(gens)) {
		docs, err := w.Documents(ctx, l.s.segments, st, documents.Names{}, documents.Want{Text: true, AllFields: true,
			AllLayers: true})
		if err != nil && ctx.Err() == nil {
			err = fmt.Errorf("corpus %s: %w", l.o.Name, err)
		}
		if err != nil {
			return err
		}
		l.forget()
		for _, d := range docs {
			d = dropLayer(d, without)
			if err := l.add(ctx, d, "", nil); err != nil {
				return err
			}
		}
	}
	return l.cutAll(ctx)
}

// dropLayer returns the document without the named layer.
func dropLayer(d *text.Document, name string) *text.Document {
	if name == "" || d.Layer(name) == nil {
		return d
	}
	c := *d
	c.DropLayer(name)
	return &c
}

// replace publishes the load instead of the generations [from, to) of its base.
func (l *Load) replace(ctx context.Context, from, to int) error {
	old := l.base
	next := *old
	next.Layers, next.Indexes = l.layers, l.indexes
	next.Gens = slices.Clone(old.Gens[:from])
	if len(l.gen.Segments) > 0 {
		next.Gens = append(next.Gens, l.gen)
	}
	next.Gens = append(next.Gens, old.Gens[to:]...)
	if from == 0 && to == len(old.Gens) { // the content may have changed
		next.Docs, next.Tokens, next.Sum = 0, 0, l.sum
		for _, s := range l.gen.Segments {
			next.Docs += s.Docs
			next.Tokens += int64(s.Tokens)
		}
	}
	var waste []garbage
	for _, g := range old.Gens[from:to] {
		waste = append(waste, garbage{corpus: old.ID, gen: g.ID, all: true})
	}
	return l.s.commitCorpus(ctx, &next, nil, waste, func(tx *sealed.Tx) error {
		if len(l.gen.Segments) == 0 {
			return nil
		}
		if err := l.gen.Write(tx, next.ID); err != nil {
			return err
		}
		return metaindex.Mark(tx, l.now, l.gen.ID)
	})
}
