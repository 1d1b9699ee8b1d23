package storage

import (
	"context"
	"fmt"

	"parlance/storage/catalog"
	"parlance/storage/documents"
	"parlance/storage/sealed"
)

// CheckCorpora verifies every block and directory entry of all corpora and reports what is wrong.
func (s *Store) CheckCorpora(ctx context.Context, report func(string)) error {
	return s.CheckCorpus(ctx, s.Objects(catalog.CorpusObject), report)
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
		for _, g := range st.Gens {
			for _, sg := range g.Segments {
				if err := ctx.Err(); err != nil {
					return err
				}
				if err := s.checkSegment(sn, st, o, sg, &docs, &tokens, &sum); err != nil {
					say("corpus %s, segment %d/%d: %v", o.Name, g.ID, sg.Number, err)
				}
			}
			for _, x := range st.Indexes {
				err := s.texts.CheckIndex(ctx, st, g, x)
				if ctx.Err() != nil {
					return ctx.Err()
				}
				if err != nil {
					say("corpus %s, full-text index on %s, generation %d: %v", o.Name, x.Column, g.ID, err)
				}
			}
		}
		if docs != st.Docs || tokens != st.Tokens || sum != st.Sum {
			say("corpus %s: %d documents, %d tokens; the manifest says %d, %d", o.Name, docs, tokens, st.Docs, st.Tokens)
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

func (s *Store) checkSegment(sn *Snapshot, st *documents.Corpus, o *Object, sg *documents.SegmentState, docs *int,
	tokens *int64,
	sum *[16]byte) error {
	x, err := s.segments.ReadAfresh(st, sg, documents.Names{}, documents.Want{Text: true, AllFields: true,
		AllLayers: true})
	if err == nil {
		err = x.Check()
	}
	if err != nil {
		return err
	}
	for i := range sg.Docs {
		if !sg.Live(i) {
			continue
		}
		h, n := x.Content(i)
		*docs++
		*tokens += int64(n)
		documents.AddHash(sum, h)
	}
	return s.View(func(tx *sealed.Tx) error {
		for i := range sg.Docs {
			if !sg.Live(i) {
				continue
			}
			p, ok, err := st.Locate(tx, x.ID(i))
			if err != nil {
				return err
			}
			if !ok || p.Gen != sg.Gen || p.Segment != sg.Number || p.Ordinal != i {
				return fmt.Errorf("%w: the directory does not lead to document %s", ErrCorrupt, x.ID(i))
			}
		}
		return nil
	})
}
