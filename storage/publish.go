package storage

import (
	"context"
	"encoding/json"
	"fmt"
	"sort"

	"parlance/algo/text"
	"parlance/storage/value"

	"go.etcd.io/bbolt"
)

// publish makes a load part of the corpus: generation, tombstones of what it replaces, new
// layers and columns. replaced generations give way to the load, which stands in their place.
func (l *Load) publish(replaced map[uint32]bool) error {
	if o, ok := l.s.Object(l.o.Name); !ok || o.ID != l.o.ID {
		return fmt.Errorf("corpus %s %w: it was dropped or renamed meanwhile", l.o.Name, ErrNotFound)
	}
	old := l.base
	next := &corpusState{id: old.id, layers: l.layers, sum: old.sum, tokens: old.tokens, docs: old.docs}
	var waste []garbage
	placed := len(replaced) == 0
	for _, g := range old.gens {
		if !replaced[g.id] {
			next.gens = append(next.gens, g)
			continue
		}
		if !placed && len(l.gen.segments) > 0 {
			next.gens = append(next.gens, l.gen)
		}
		placed = true
		waste = append(waste, garbage{corpus: old.id, gen: g.id, all: true})
	}
	if len(replaced) == 0 {
		if len(l.gen.segments) > 0 {
			next.gens = append(next.gens, l.gen)
		}
		addHash(&next.sum, l.sum)
		for _, s := range l.gen.segments {
			next.tokens += int64(s.Tokens)
			next.docs += s.Docs
		}
	}
	bury, err := l.s.bury(next, l.dead)
	if err != nil {
		return err
	}
	var object *Object
	if len(l.columns) > 0 {
		l.s.mu.Lock()
		defer l.s.mu.Unlock()
		o := *l.s.cat.byName[l.o.Name]
		o.Columns = append(append([]ColumnDef{}, o.Columns...), l.columns...)
		object = &o
	}
	err = l.s.update(func(tx *bbolt.Tx) error {
		if len(l.gen.segments) > 0 {
			if err := l.gen.write(tx, old.id); err != nil {
				return err
			}
		}
		if err := bury(tx); err != nil {
			return err
		}
		for g := range replaced {
			if err := tx.Bucket(bucketCatalog).Delete(genKey(old.id, g)); err != nil {
				return err
			}
		}
		if object != nil {
			raw, err := json.Marshal(object)
			if err != nil {
				return err
			}
			if err := tx.Bucket(bucketCatalog).Put(objectKey(object.ID), raw); err != nil {
				return err
			}
		}
		return next.write(tx)
	})
	if err != nil {
		return err
	}
	if object != nil {
		l.s.cat.byName[object.Name] = object
		l.s.cat.version++
	}
	l.s.publish(old.id, next, waste)
	return nil
}

// bury sets the tombstones of dead documents in a state under construction, and returns what
// writes them.
func (s *Store) bury(st *corpusState, dead map[place]string) (func(*bbolt.Tx) error, error) {
	bySegment := map[SegmentID][]int{}
	for p := range dead {
		id := SegmentID{p.gen, p.segment}
		bySegment[id] = append(bySegment[id], p.ordinal)
	}
	type tomb struct{ k, v []byte }
	var tombs []tomb
	for i, g := range st.gens {
		var segments []*segmentState
		for k, sg := range g.segments {
			ords := bySegment[SegmentID{g.id, sg.number}]
			if len(ords) == 0 {
				continue
			}
			if segments == nil {
				segments = append(segments, g.segments...)
			}
			c := *sg
			c.dead = make([]uint64, (sg.Docs+63)/64)
			copy(c.dead, sg.dead)
			p := s.cachedParts(st.id, sg)
			p.mu.Lock()
			err := p.documents()
			p.mu.Unlock()
			if err != nil {
				return nil, err
			}
			for _, o := range ords {
				if !c.live(o) {
					continue
				}
				c.dead[o/64] |= 1 << (o % 64)
				subHash(&st.sum, p.hash(o))
				st.docs--
				if p.tokens != nil {
					st.tokens -= int64(p.tokens[o])
				}
			}
			segments[k] = &c
			tombs = append(tombs, tomb{deadKey(st.id, g.id, sg.number), encodeBitmap(c.dead)})
		}
		if segments != nil {
			st.gens[i] = &generation{id: g.id, segments: segments, files: g.files}
		}
	}
	sort.Slice(tombs, func(i, j int) bool { return string(tombs[i].k) < string(tombs[j].k) })
	return func(tx *bbolt.Tx) error {
		for _, t := range tombs {
			if err := tx.Bucket(bucketDead).Put(t.k, t.v); err != nil {
				return err
			}
		}
		return nil
	}, nil
}

// DeleteDocuments deletes documents by their sequence numbers and returns how many there were.
func (s *Store) DeleteDocuments(ctx context.Context, o *Object, seqs []uint64) (int, error) {
	if s.readOnly {
		return 0, ErrReadOnly
	}
	unlock, err := s.lockCorpus(ctx, o.ID)
	if err != nil {
		return 0, err
	}
	defer unlock()
	st := s.state(o.ID)
	dead, err := s.places(st, seqs)
	if err != nil {
		return 0, err
	}
	next := *st
	next.gens = append([]*generation{}, st.gens...)
	bury, err := s.bury(&next, dead)
	if err != nil {
		return 0, err
	}
	err = s.update(func(tx *bbolt.Tx) error {
		if err := bury(tx); err != nil {
			return err
		}
		return next.write(tx)
	})
	if err != nil {
		return 0, err
	}
	s.publish(o.ID, &next, nil)
	return st.docs - next.docs, nil
}

// places finds documents by sequence number.
func (s *Store) places(st *corpusState, seqs []uint64) (map[place]string, error) {
	want := make(map[uint64]bool, len(seqs))
	for _, q := range seqs {
		want[q] = true
	}
	out := map[place]string{}
	for _, g := range st.gens {
		for _, sg := range g.segments {
			hit := false
			for _, q := range seqs {
				if hit = sg.First <= q && q <= sg.Last; hit {
					break
				}
			}
			if !hit {
				continue
			}
			p := s.cachedParts(st.id, sg)
			p.mu.Lock()
			err := p.documents()
			p.mu.Unlock()
			if err != nil {
				return nil, err
			}
			for i, q := range p.seqs {
				if want[q] && sg.live(i) {
					out[place{gen: g.id, segment: sg.number, ordinal: i}] = p.id(i)
				}
			}
		}
	}
	return out, nil
}

// ReplaceDocuments puts documents in the place of those with their ids. All are replaced, or
// none.
func (s *Store) ReplaceDocuments(ctx context.Context, o *Object, docs []*text.Document) error {
	if len(docs) == 0 {
		return nil
	}
	l, err := s.NewLoad(o, LoadOptions{OnConflict: "replace"})
	if err != nil {
		return err
	}
	copies := make([]*text.Document, len(docs))
	for i, d := range docs {
		c := *d
		copies[i] = &c
	}
	if err := l.Add(ctx, copies, nil); err != nil {
		l.Abort()
		return err
	}
	if _, err := l.Commit(ctx); err != nil {
		return err
	}
	return s.mergeTail(ctx, o)
}

// tailGenerations is the number of small generations at the end that makes them one.
const tailGenerations = 64

// mergeTail makes one generation of the small ones at the end of a corpus, when there are
// many. Documents keep their order and sequence numbers.
func (s *Store) mergeTail(ctx context.Context, o *Object) error {
	unlock, err := s.lockCorpus(ctx, o.ID)
	if err != nil {
		return err
	}
	st := s.state(o.ID)
	first := len(st.gens)
	for first > 0 && len(st.gens[first-1].segments) == 1 && st.gens[first-1].segments[0].Tokens < segmentTokens/4 {
		first--
	}
	if len(st.gens)-first < tailGenerations {
		unlock()
		return nil
	}
	l := s.newLoad(o, LoadOptions{}, unlock)
	l.keepSeq = true
	replaced := map[uint32]bool{}
	sn := s.Snapshot()
	defer sn.Close()
	for _, g := range st.gens[first:] {
		replaced[g.id] = true
		for _, sg := range g.segments {
			x, err := sn.segment(st, o, sg, Want{Text: true, AllFields: true, AllLayers: true})
			if err != nil {
				l.Abort()
				return err
			}
			for _, d := range x.Documents() {
				if err := l.add(ctx, d, "", nil); err != nil {
					l.Abort()
					return err
				}
			}
		}
	}
	if err := l.cut(ctx); err != nil {
		l.Abort()
		return err
	}
	l.stop()
	if err := l.failed(); err != nil {
		l.discard()
		return err
	}
	if err := l.publish(replaced); err != nil {
		l.discard()
		return err
	}
	unlock()
	sn.Close()
	return s.Collect(ctx)
}

// WriteLayer stores a layer for documents, which are known by their sequence numbers, under a
// name of its own: predictions of a model. Rows of other documents stay.
func (s *Store) WriteLayer(ctx context.Context, o *Object, docs []*text.Document, def *text.LayerDef, name, model string) error {
	if s.readOnly {
		return ErrReadOnly
	}
	unlock, err := s.lockCorpus(ctx, o.ID)
	if err != nil {
		return err
	}
	defer unlock()
	st := s.state(o.ID)
	if l := st.layer(name); l != nil && (l.Model == "" || l.def != def && l.def.Name != def.Name) {
		return fmt.Errorf("layer %s of %s %w", name, o.Name, ErrExists)
	}
	bySeq := make(map[uint64]*text.Layer, len(docs))
	for _, d := range docs {
		bySeq[d.Seq] = d.Layer(name)
	}
	next := &corpusState{id: st.id, sum: st.sum, tokens: st.tokens, docs: st.docs}
	part := st.nextPart()
	var waste []garbage
	for _, l := range st.layers {
		if l.Name != name {
			next.layers = append(next.layers, l)
		}
	}
	next.layers = append(next.layers, newLayerState(name, part, def, model))
	old := st.layer(name)
	sn := s.Snapshot()
	defer sn.Close()
	for _, g := range st.gens {
		ng := &generation{id: g.id, files: g.files}
		var pairs []pair
		for _, sg := range g.segments {
			c := *sg
			c.Parts = map[uint16]partMeta{}
			for k, v := range sg.Parts {
				if old == nil || k != old.Part {
					c.Parts[k] = v
				}
			}
			b, meta, err := s.layerBlock(sn, st, o, sg, def, name, part, old, bySeq)
			if err != nil {
				return err
			}
			if b != nil {
				c.Parts[part] = meta
				pairs = append(pairs, pair{blockKey(st.id, g.id, part, sg.number), b})
			}
			ng.segments = append(ng.segments, &c)
		}
		if err := s.putBlocks(ctx, pairs); err != nil {
			return err
		}
		if old != nil {
			waste = append(waste, garbage{corpus: st.id, gen: g.id, part: old.Part})
		}
		next.gens = append(next.gens, ng)
	}
	err = s.update(func(tx *bbolt.Tx) error {
		for _, g := range next.gens {
			if err := g.write(tx, st.id); err != nil {
				return err
			}
		}
		return next.write(tx)
	})
	if err != nil {
		return err
	}
	s.publish(st.id, next, waste)
	return nil
}

// layerBlock encodes the new layer of a segment; nil if it has none.
func (s *Store) layerBlock(sn *Snapshot, st *corpusState, o *Object, sg *segmentState, def *text.LayerDef, name string, part uint16, old *layerState, bySeq map[uint64]*text.Layer) ([]byte, partMeta, error) {
	want := Want{}
	if old != nil {
		want.Layers = []LayerWant{{Name: name}}
	}
	want.Text = true
	want.Layers = append(want.Layers, LayerWant{Name: "tokens"})
	x, err := sn.segment(st, o, sg, want)
	if err != nil {
		return nil, partMeta{}, err
	}
	docs := make([]*text.Document, x.N())
	any := false
	for i := range docs {
		x.part.mu.Lock()
		docs[i] = x.document(i)
		x.part.mu.Unlock()
		l, ok := bySeq[x.Seq(i)]
		if !ok {
			l = docs[i].Layer(name)
		}
		toks := docs[i].Layer("tokens")
		docs[i].Layers = nil
		if toks != nil {
			docs[i].Layers = append(docs[i].Layers, toks)
		}
		if l != nil {
			c := *l
			c.Def, c.Name = def, name
			if err := checkLayer(docs[i], &c); err != nil {
				return nil, partMeta{}, fmt.Errorf("document %s: %w", docs[i].ID, err)
			}
			docs[i].Layers = append(docs[i].Layers, &c)
			any = true
		}
	}
	if !any {
		return nil, partMeta{}, nil
	}
	e := &encoded{state: &segmentState{Parts: map[uint16]partMeta{}}, blocks: map[uint16][]byte{}}
	if err := e.layer(docs, name, part); err != nil {
		return nil, partMeta{}, err
	}
	return e.blocks[part], e.state.Parts[part], nil
}

// putBlocks writes blocks, some megabytes a transaction.
func (s *Store) putBlocks(ctx context.Context, pairs []pair) error {
	for len(pairs) > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, size := 0, 0
		for n < len(pairs) && size < transactionBytes {
			size += len(pairs[n].v)
			n++
		}
		chunk := pairs[:n]
		pairs = pairs[n:]
		err := s.update(func(tx *bbolt.Tx) error {
			for _, p := range chunk {
				if err := tx.Bucket(bucketSegment).Put(p.k, p.v); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// CheckCorpora verifies every block and directory entry and reports what is wrong.
func (s *Store) CheckCorpora(ctx context.Context, report func(string)) error {
	bad := 0
	say := func(format string, args ...any) {
		bad++
		report(fmt.Sprintf(format, args...))
	}
	sn := s.Snapshot()
	defer sn.Close()
	for _, o := range s.Objects(CorpusObject) {
		st := sn.corpus(o)
		docs, tokens, sum := 0, int64(0), [16]byte{}
		for _, g := range st.gens {
			for _, sg := range g.segments {
				if err := ctx.Err(); err != nil {
					return err
				}
				if err := s.checkSegment(sn, st, o, sg, &docs, &tokens, &sum); err != nil {
					say("corpus %s, segment %d/%d: %v", o.Name, g.id, sg.number, err)
				}
			}
		}
		if docs != st.docs || tokens != st.tokens || sum != st.sum {
			say("corpus %s: %d documents, %d tokens; the manifest says %d, %d", o.Name, docs, tokens, st.docs, st.tokens)
		}
	}
	if bad > 0 {
		return fmt.Errorf("%w: %d faults", ErrCorrupt, bad)
	}
	return nil
}

func (s *Store) checkSegment(sn *Snapshot, st *corpusState, o *Object, sg *segmentState, docs *int, tokens *int64, sum *[16]byte) error {
	fresh := &partSet{store: s, corpus: st.id, state: sg, blocks: map[uint16]*block{}, fields: map[string][]value.Value{}, layers: map[uint16]*layerPart{}}
	x := &Segment{state: sg, corpus: st, object: o, want: Want{Text: true, AllFields: true, AllLayers: true}, part: fresh}
	if err := x.decode(); err != nil {
		return err
	}
	for part, b := range fresh.blocks {
		if err := b.check(); err != nil {
			return fmt.Errorf("part %d: %w", part, err)
		}
	}
	var buf []byte
	for i := range sg.Docs {
		var h [16]byte
		d := x.document(i)
		if h, buf = hashDocument(d, buf); h != fresh.hash(i) {
			return fmt.Errorf("%w: the content of document %s is not what was written", ErrCorrupt, d.ID)
		}
		if !sg.live(i) {
			continue
		}
		*docs++
		if fresh.tokens != nil {
			*tokens += int64(fresh.tokens[i])
		}
		addHash(sum, h)
	}
	return s.view(func(tx *bbolt.Tx) error {
		for i := range sg.Docs {
			if !sg.live(i) {
				continue
			}
			p, ok, err := st.locate(tx, fresh.id(i))
			if err != nil {
				return err
			}
			if !ok || p.gen != sg.gen || p.segment != sg.number || p.ordinal != i {
				return fmt.Errorf("%w: the directory does not lead to document %s", ErrCorrupt, fresh.id(i))
			}
		}
		return nil
	})
}
