package storage

import (
	"context"
	"fmt"

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
	x, err := s.segments.ReadAfresh(st, sg, Names{}, Want{Text: true, AllFields: true, AllLayers: true})
	if err == nil {
		err = x.Check()
	}
	if err != nil {
		return err
	}
	for i := range sg.Docs {
		if !sg.live(i) {
			continue
		}
		h, n := x.Content(i)
		*docs++
		*tokens += int64(n)
		addHash(sum, h)
	}
	return s.View(func(tx *sealed.Tx) error {
		for i := range sg.Docs {
			if !sg.live(i) {
				continue
			}
			p, ok, err := st.locate(tx, x.ID(i))
			if err != nil {
				return err
			}
			if !ok || p.gen != sg.gen || p.segment != sg.number || p.ordinal != i {
				return fmt.Errorf("%w: the directory does not lead to document %s", ErrCorrupt, x.ID(i))
			}
		}
		return nil
	})
}
