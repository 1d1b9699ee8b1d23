package storage

import (
	"context"
	"fmt"
	"slices"
	"sort"

	"parlance/algo/text"
	"parlance/storage/catalog"
	"parlance/storage/documents"
	"parlance/storage/sealed"
)

// readCorpora reads the states of all corpora, and finds the highest numbers in use.
func (s *Store) readCorpora() error {
	states := map[uint32]*documents.Corpus{}
	err := s.View(func(tx *sealed.Tx) error {
		for _, o := range s.Objects(catalog.CorpusObject) {
			st, err := documents.ReadCorpus(tx, o.ID)
			if err != nil {
				return fmt.Errorf("corpus %s: %w", o.Name, err)
			}
			states[o.ID] = st
			for _, g := range st.Gens {
				s.corpora.generationTaken(g.ID)
				for _, sg := range g.Segments {
					s.corpora.nextSeq.Store(max(s.corpora.nextSeq.Load(), sg.Last+1))
				}
			}
		}
		return nil
	})
	s.corpora.states = states
	return err
}

// Segment reads a segment.
func (sn *Snapshot) Segment(ctx context.Context, o *Object, id documents.SegmentID,
	want documents.Want) (*documents.Segment, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	st := sn.corpus(o)
	if sg := st.Segment(id); sg != nil {
		return sn.segment(st, o, sg, want)
	}
	return nil, fmt.Errorf("segment %d/%d of %s: %w", id.Gen, id.Number, o.Name, ErrNotFound)
}

// segment reads a segment of a state.
func (sn *Snapshot) segment(st *documents.Corpus, o *Object, state *documents.SegmentState,
	want documents.Want) (*documents.Segment, error) {
	sg, err := sn.s.segments.Read(st, state, namesOf(o), want)
	if err != nil {
		return nil, fmt.Errorf("corpus %s: %w", o.Name, err)
	}
	return sg, nil
}

// Windows returns all documents in their order.
func (sn *Snapshot) Windows(o *Object) []documents.Window {
	return documents.Windows(documents.WholeSegments(sn.corpus(o).Gens))
}

// InOrder returns the documents of selections, one a segment, in their order.
func (sn *Snapshot) InOrder(o *Object, list []documents.Selection) []documents.Window {
	st := sn.corpus(o)
	parts := make([]documents.Part, 0, len(list))
	for _, x := range list {
		if sg := st.Segment(x.Segment); sg != nil {
			parts = append(parts, documents.Part{Segment: sg, Docs: x.Docs})
		}
	}
	return documents.Windows(parts)
}

// Documents reads the live documents of a window, in their order, with what is wanted.
func (sn *Snapshot) Documents(ctx context.Context, o *Object, w documents.Window,
	want documents.Want) ([]*text.Document, error) {
	out, err := w.Documents(ctx, sn.s.segments, sn.corpus(o), namesOf(o), want)
	if err != nil && ctx.Err() == nil {
		err = fmt.Errorf("corpus %s: %w", o.Name, err)
	}
	return out, err
}

// Find returns the sequence number of the document with the id.
func (sn *Snapshot) Find(o *Object, id string) (seq uint64, ok bool, err error) {
	st := sn.corpus(o)
	var p documents.Place
	err = sn.s.View(func(tx *sealed.Tx) error {
		p, ok, err = st.Locate(tx, id)
		return err
	})
	if err != nil || !ok {
		return 0, false, err
	}
	sg, err := sn.segment(st, o, st.Segment(p.Of()), documents.Want{})
	if err != nil {
		return 0, false, err
	}
	return sg.Seq(p.Ordinal), true, nil
}

// SegmentOf returns the segment of a document and its ordinal there.
func (sn *Snapshot) SegmentOf(o *Object, id string) (s documents.SegmentID, ordinal int, ok bool, err error) {
	var p documents.Place
	err = sn.s.View(func(tx *sealed.Tx) error {
		p, ok, err = sn.corpus(o).Locate(tx, id)
		return err
	})
	return p.Of(), p.Ordinal, ok, err
}

// Document reads one document by its sequence number; ErrNotFound if there is none.
func (sn *Snapshot) Document(ctx context.Context, o *Object, seq uint64, want documents.Want) (*text.Document, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	st := sn.corpus(o)
	state, k, err := sn.find(st, seq)
	if err != nil {
		return nil, fmt.Errorf("corpus %s: %w", o.Name, err)
	}
	if state == nil {
		return nil, fmt.Errorf("document %d of %s: %w", seq, o.Name, ErrNotFound)
	}
	sg, err := sn.segment(st, o, state, want)
	if err != nil {
		return nil, err
	}
	return sg.Document(k), nil
}

// Content returns the content hash of a document by its sequence number; ok is false if there is none.
func (sn *Snapshot) Content(o *Object, seq uint64) (hash [16]byte, ok bool, err error) {
	state, k, err := sn.find(sn.corpus(o), seq)
	if err != nil || state == nil {
		return hash, false, err
	}
	p, err := sn.s.segments.Documents(o.ID, state)
	if err != nil {
		return hash, false, err
	}
	hash, _ = p.Content(k)
	return hash, true, nil
}

// find returns the segment of the live document with a sequence number, and its ordinal there; nil if there is none.
func (sn *Snapshot) find(st *documents.Corpus, seq uint64) (*documents.SegmentState, int, error) {
	for i := len(st.Gens) - 1; i >= 0; i-- {
		segments := st.Gens[i].Segments
		if !st.Gens[i].Overlaps {
			k := sort.Search(len(segments), func(k int) bool { return segments[k].Last >= seq })
			segments = segments[k:min(k+1, len(segments))]
		}
		for _, sg := range segments {
			if seq < sg.First || seq > sg.Last {
				continue
			}
			p, err := sn.s.segments.Documents(st.ID, sg)
			if err != nil {
				return nil, 0, err
			}
			if k, ok := slices.BinarySearch(p.Seqs(), seq); ok && sg.Live(k) {
				return sg, k, nil
			}
		}
	}
	return nil, 0, nil
}
