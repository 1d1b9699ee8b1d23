package storage

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"parlance/storage/sealed"
)

// CheckCorpora verifies every block and directory entry of all corpora and reports what is wrong.
func (s *Store) CheckCorpora(ctx context.Context, report func(string)) error {
	return s.CheckCorpus(ctx, s.Objects(CorpusObject), report)
}

// CheckCorpus does so for some corpora.
func (s *Store) CheckCorpus(ctx context.Context, corpora []*Object, report func(string)) error {
	bad := 0
	say := func(format string, args ...any) {
		bad++
		report(fmt.Sprintf(format, args...))
	}
	sn := s.Snapshot()
	defer sn.Close()
	for _, o := range corpora {
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
			for _, x := range st.indexes {
				err := s.checkIndex(ctx, st, o, g, x)
				if ctx.Err() != nil {
					return ctx.Err()
				}
				if err != nil {
					say("corpus %s, full-text index on %s, generation %d: %v", o.Name, x.Column, g.id, err)
				}
			}
		}
		if docs != st.docs || tokens != st.tokens || sum != st.sum {
			say("corpus %s: %d documents, %d tokens; the manifest says %d, %d", o.Name, docs, tokens, st.docs, st.tokens)
		}
	}
	for _, o := range corpora {
		if err := s.checkDocumentIndexes(ctx, o, say); err != nil {
			return err
		}
	}
	if bad > 0 {
		return fmt.Errorf("%w: %d faults", ErrCorrupt, bad)
	}
	return nil
}

func (s *Store) checkSegment(sn *Snapshot, st *corpusState, o *Object, sg *segmentState, docs *int, tokens *int64,
	sum *[16]byte) error {
	fresh := newPartSet(s, st.id, sg)
	x := &Segment{state: sg, corpus: st, object: o, want: Want{Text: true, AllFields: true, AllLayers: true, raw: true},
		part: fresh}
	if err := x.decode(); err != nil {
		return err
	}
	for _, part := range slices.Sorted(maps.Keys(fresh.blocks)) {
		if err := fresh.blocks[part].Check(); err != nil {
			return fmt.Errorf("part %d: %w", part, err)
		}
	}
	seqs := fresh.seqs
	if !slices.IsSorted(seqs) || seqs[0] != sg.First || seqs[len(seqs)-1] != sg.Last {
		return fmt.Errorf("%w: documents are out of order", ErrCorrupt)
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
	return s.View(func(tx *sealed.Tx) error {
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
