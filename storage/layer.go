package storage

import (
	"context"
	"fmt"
	"slices"

	"parlance/algo/text"
	"parlance/storage/dbfile"
	"parlance/storage/documents"
	"parlance/storage/sealed"
)

// freePart returns a part number for a new layer or index that neither these have nor a part that is to be deleted.
func (s *Store) freePart(t *Transaction, id uint32, layers []documents.Layer, indexes []documents.IndexState) uint16 {
	used := t.parts(id)
	for _, l := range layers {
		used[l.Part] = true
	}
	for _, x := range indexes {
		used[x.Part] = true
	}
	c := &s.corpora
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, g := range c.garbage {
		if g.corpus == id && !g.all {
			used[g.part] = true
		}
	}
	part := documents.FirstLayer
	for used[part] {
		part++
	}
	return part
}

// NewLayer is a layer of predictions to be stored: the rows, the definition, the name and the model version.
type NewLayer struct {
	Of          LayerSource
	Def         *text.LayerDef
	Name, Model string
}

// LayerSource supplies the rows of a layer for documents, by their sequence numbers.
type LayerSource interface {
	// Has reports whether the source has the rows of a document, of which there may be none.
	Has(seq uint64) bool
	// Layer returns the rows for a document, which has its text and tokens; nil for none.
	Layer(d *text.Document) (*text.Layer, error)
}

// WriteLayers stores layers, and drops the layers of predictions named in gone, in one transaction. Rows that the
// source lacks stay if the stored layer has the same columns.
func (s *Store) WriteLayers(ctx context.Context, o *Object, layers []NewLayer, gone ...string) error {
	if s.ReadOnly() {
		return ErrReadOnly
	}
	for _, l := range layers {
		if l.Name == l.Def.Name {
			return fmt.Errorf("layer %s of %s: predictions need a name other than that of gold: %w", l.Name, o.Name, ErrExists)
		}
	}
	unlock, err := s.lockCorpus(ctx, o.ID)
	if err != nil {
		return err
	}
	err = s.writeLayers(ctx, o, layers, gone)
	unlock()
	if err == nil {
		s.collectSoon(ctx)
	}
	return err
}

// layerWriter replaces a layer in all segments of a corpus.
type layerWriter struct {
	s     *Store
	o     *Object
	st    *documents.Corpus
	sn    *Snapshot
	layer documents.Layer
	old   *documents.Layer // stored layer of the same name, or nil
	carry bool             // rows of old that the source lacks stay
	of    LayerSource

	written []garbage // parts of the new layer
	waste   []garbage // parts of the old one
}

func (s *Store) writeLayers(ctx context.Context, o *Object, layers []NewLayer, gone []string) error {
	sn := s.Snapshot()
	defer sn.Close()
	next := *s.state(ctx, o.ID)
	var waste, written []garbage
	var names []string
	for _, l := range layers {
		w, err := s.newLayerWriter(ctx, o, next, sn, l)
		if err == nil {
			next, err = w.write(ctx)
			waste, written = append(waste, w.waste...), append(written, w.written...)
		}
		if err != nil {
			return s.undo(written, err)
		}
		names = append(names, l.Name)
	}
	for _, name := range gone {
		if l := next.LayerOf(name); l != nil && l.Model != "" {
			waste = append(waste, dropPredictions(&next, l)...)
		}
	}
	if err := s.reindex(ctx, o, &next, names, waste); err != nil {
		return s.undo(written, err)
	}
	return nil
}

func (s *Store) newLayerWriter(ctx context.Context, o *Object, st documents.Corpus, sn *Snapshot,
	l NewLayer) (*layerWriter, error) {
	w := &layerWriter{s: s, o: o, st: &st, sn: sn, old: st.LayerOf(l.Name), of: l.Of}
	if w.old != nil && w.old.Model == "" {
		return nil, fmt.Errorf("layer %s of %s %w", l.Name, o.Name, ErrExists)
	}
	w.carry = w.old != nil && documents.SameDefinition(w.old.Def, l.Def)
	// the part of an old layer is used until the commit
	stored := append(slices.Clone(s.state(ctx, o.ID).Layers), st.Layers...)
	w.layer = documents.NewLayer(l.Name, s.freePart(transaction(ctx), st.ID, stored, st.Indexes), l.Def, l.Model)
	return w, nil
}

// write writes the blocks of all generations and returns the state of the corpus that has them.
func (w *layerWriter) write(ctx context.Context) (documents.Corpus, error) {
	next := *w.st
	next.Layers = slices.DeleteFunc(slices.Clone(next.Layers),
		func(l documents.Layer) bool { return l.Name == w.layer.Name })
	next.Layers = append(next.Layers, w.layer)
	next.Gens = nil
	for _, g := range w.st.Gens {
		w.written = append(w.written, garbage{corpus: w.st.ID, gen: g.ID, part: w.layer.Part})
		ng, err := w.generation(ctx, g)
		if err != nil {
			return next, err
		}
		if w.old != nil {
			w.waste = append(w.waste, garbage{corpus: w.st.ID, gen: g.ID, part: w.old.Part})
		}
		next.Gens = append(next.Gens, ng)
	}
	return next, nil
}

// undo removes what was written, after an error.
func (s *Store) undo(written []garbage, err error) error {
	s.discard(written...)
	return err
}

// generation writes the blocks of a generation and returns its new state.
func (w *layerWriter) generation(ctx context.Context, g *documents.Generation) (*documents.Generation, error) {
	out := g.Without(w.old)
	var pairs []dbfile.Pair
	size := 0
	for i, sg := range g.Segments {
		b, meta, err := w.block(sg)
		if err != nil {
			return nil, err
		}
		if b != nil {
			out.Segments[i].Parts[w.layer.Part] = meta
			pairs = append(pairs, dbfile.Pair{Key: documents.BlockKey(w.st.ID, g.ID, w.layer.Part, sg.Number), Value: b})
			size += len(b)
		}
		if size >= transactionBytes || i == len(g.Segments)-1 {
			if err := w.s.putBlocks(ctx, pairs); err != nil {
				return nil, err
			}
			pairs, size = nil, 0
		}
	}
	return out, nil
}

// block returns the new block of a segment; nil if it has none.
func (w *layerWriter) block(sg *documents.SegmentState) ([]byte, documents.LayerMeta, error) {
	p, err := w.s.segments.Documents(w.st.ID, sg)
	if err != nil {
		return nil, documents.LayerMeta{}, err
	}
	if !slices.ContainsFunc(p.Seqs(), w.of.Has) {
		return w.copied(sg)
	}
	return w.encoded(sg)
}

// copied returns the old block of a segment as it is.
func (w *layerWriter) copied(sg *documents.SegmentState) (raw []byte, meta documents.LayerMeta, err error) {
	if !w.carry {
		return nil, meta, nil
	}
	meta, ok := sg.Parts[w.old.Part]
	if !ok {
		return nil, meta, nil
	}
	err = w.s.View(func(tx *sealed.Tx) error {
		raw = slices.Clone(tx.Bucket(bucketSegment).Get(documents.BlockKey(w.st.ID, sg.Gen, w.old.Part, sg.Number)))
		return nil
	})
	if err == nil && raw == nil {
		err = fmt.Errorf("%w: layer %s of segment %d/%d is missing", ErrCorrupt, w.old.Name, sg.Gen, sg.Number)
	}
	return raw, meta, err
}

// encoded encodes new rows, and old rows of documents that have no new ones.
func (w *layerWriter) encoded(sg *documents.SegmentState) ([]byte, documents.LayerMeta, error) {
	want := documents.Want{Text: true, Layers: []documents.LayerWant{{Name: "tokens"}}}
	if w.carry {
		want.Layers = append(want.Layers, documents.LayerWant{Name: w.layer.Name})
	}
	x, err := w.sn.segment(w.st, w.o, sg, want)
	if err != nil {
		return nil, documents.LayerMeta{}, err
	}
	docs := make([]*text.Document, x.N())
	any := false
	for i := range docs {
		d := x.Document(i)
		if sg.Live(i) && w.of.Has(d.Seq) { // a replaced document has the number of the one that replaces it
			l, err := w.of.Layer(d)
			if err != nil {
				return nil, documents.LayerMeta{}, fmt.Errorf("document %s, layer %s: %w", d.ID, w.layer.Name, err)
			}
			d.DropLayer(w.layer.Name)
			if l != nil {
				c := *l
				c.Name = w.layer.Name
				if !documents.SameDefinition(c.Def, w.layer.Def) {
					return nil, documents.LayerMeta{}, fmt.Errorf("document %s: layer %s has the columns of %s, not of %s", d.ID,
						c.Name,
						c.Def.Name, w.layer.Def.Name)
				}
				if err := documents.CheckLayer(d, &c); err != nil {
					return nil, documents.LayerMeta{}, fmt.Errorf("document %s, layer %s: %w", d.ID, c.Name, err)
				}
				d.SetLayer(&c)
			}
		}
		any = any || d.Layer(w.layer.Name) != nil
		docs[i] = d
	}
	if !any {
		return nil, documents.LayerMeta{}, nil
	}
	raw, meta := documents.EncodeLayer(docs, &w.layer)
	return raw, meta, nil
}

// putBlocks writes blocks in one transaction.
func (s *Store) putBlocks(ctx context.Context, pairs []dbfile.Pair) error {
	if err := ctx.Err(); err != nil || len(pairs) == 0 {
		return err
	}
	return s.Update(func(tx *sealed.Tx) error {
		for _, p := range pairs {
			if err := tx.Bucket(bucketSegment).Put(p.Key, p.Value); err != nil {
				return err
			}
		}
		return nil
	})
}

// dropPredictions removes a layer with its indexes from the state, and returns their data to be deleted.
func dropPredictions(c *documents.Corpus, l *documents.Layer) (waste []garbage) {
	name, part, gens := l.Name, l.Part, c.Gens
	c.Layers = slices.DeleteFunc(slices.Clone(c.Layers), func(x documents.Layer) bool { return x.Name == name })
	c.Gens = nil
	for _, g := range gens {
		c.Gens = append(c.Gens, g.Without(&documents.Layer{Part: part}))
		waste = append(waste, garbage{corpus: c.ID, gen: g.ID, part: part})
	}
	return append(waste, dropIndexes(c, func(x documents.IndexState) bool { return x.Rows() && x.Layer == name })...)
}
