package storage

import (
	"context"
	"slices"

	"parlance/algo/text"
	"parlance/storage/sealed"
)

// tailGenerations is the number of generations of similar size at the end of a corpus that are merged. Tests set a
// smaller one.
var tailGenerations = 64

// tiers is the number of tiers whose generations are merged.
const tiers = 3

// counts returns the numbers of live and of dead documents.
func (g *generation) counts() (live, dead int) {
	for _, s := range g.segments {
		n := s.liveCount()
		live += n
		dead += s.Docs - n
	}
	return live, dead
}

// tier is the size class of a generation: 0 for less than a quarter of a segment, 1 for fewer than 8
// segments, 2 for fewer than 64, 3 beyond.
func (g *generation) tier() int {
	switch n := len(g.segments); {
	case n == 1 && g.segments[0].Tokens < segmentTokens/4 && g.segments[0].Text < segmentText/4:
		return 0
	case n < 8:
		return 1
	case n < 64:
		return 2
	}
	return tiers
}

// mergeGenerations is the compaction of a corpus: it keeps the number of generations small, and the deleted documents
// fewer than the live ones. The corpus must be locked. The change before it is committed already, so a failure is left
// to the next change.
func (s *Store) mergeGenerations(ctx context.Context, o *Object) {
	for {
		from, to := s.state(ctx, o.ID).generationsToMerge()
		if from == to || s.rewrite(ctx, o, from, to, "") != nil {
			return
		}
	}
}

// generationsToMerge returns the range of generations to merge; from == to if there is none.
func (c *corpusState) generationsToMerge() (from, to int) {
	for i, g := range c.gens {
		if live, dead := g.counts(); dead > live || g.shuffled() {
			return i, i + 1
		}
	}
	for tier := range tiers {
		first := len(c.gens)
		for first > 0 && c.gens[first-1].tier() <= tier {
			first--
		}
		if len(c.gens)-first >= tailGenerations {
			return c.alike(first), len(c.gens)
		}
	}
	return 0, 0
}

// alike returns where, from first on, the generations at the end begin that are each at most twice as large as all
// after them together. A large generation is not rewritten for a few small ones, so each of n documents that are added
// one by one is rewritten log n times.
func (c *corpusState) alike(first int) int {
	from, behind := len(c.gens), 0
	for from > first {
		n := c.gens[from-1].amount()
		if len(c.gens)-from >= 2 && n > 2*behind {
			break
		}
		from, behind = from-1, behind+n
	}
	return from
}

// amount is the size of a generation: documents and tokens.
func (g *generation) amount() (n int) {
	for _, s := range g.segments {
		n += s.Docs + s.Tokens
	}
	return n
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
	l.layers = slices.DeleteFunc(l.layers, func(x layerState) bool { return x.Name == without })
	if without != "" {
		l.index(slices.DeleteFunc(slices.Clone(l.indexes), func(x indexState) bool { return x.Rows() && x.Layer == without }))
	}
	err := l.take(ctx, sn, st, st.gens[from:to], without)
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
func (l *Load) take(ctx context.Context, sn *Snapshot, st *corpusState, gens []*generation, without string) error {
	for _, w := range windows(wholeSegments(gens)) {
		docs, err := sn.documents(ctx, st, l.o, w, Want{Text: true, AllFields: true, AllLayers: true, raw: true})
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
	next.layers, next.indexes = l.layers, l.indexes
	next.gens = slices.Clone(old.gens[:from])
	if len(l.gen.segments) > 0 {
		next.gens = append(next.gens, l.gen)
	}
	next.gens = append(next.gens, old.gens[to:]...)
	if from == 0 && to == len(old.gens) { // the content may have changed
		next.docs, next.tokens, next.sum = 0, 0, l.sum
		for _, s := range l.gen.segments {
			next.docs += s.Docs
			next.tokens += int64(s.Tokens)
		}
	}
	var waste []garbage
	for _, g := range old.gens[from:to] {
		waste = append(waste, garbage{corpus: old.id, gen: g.id, all: true})
	}
	return l.s.commitCorpus(ctx, &next, nil, waste, func(tx *sealed.Tx) error {
		if len(l.gen.segments) == 0 {
			return nil
		}
		if err := l.gen.write(tx, next.id); err != nil {
			return err
		}
		return markIndexed(tx, l.now, l.gen.id)
	})
}
