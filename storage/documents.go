package storage

import (
	"context"
	"fmt"
	"slices"
	"sort"

	"parlance/algo/text"
	"parlance/storage/sealed"
)

// readCorpora reads the states of all corpora, and finds the highest numbers in use.
func (s *Store) readCorpora() error {
	states := map[uint32]*corpusState{}
	err := s.View(func(tx *sealed.Tx) error {
		for _, o := range s.Objects(CorpusObject) {
			st, err := readCorpus(tx, o.ID)
			if err != nil {
				return fmt.Errorf("corpus %s: %w", o.Name, err)
			}
			states[o.ID] = st
			for _, g := range st.gens {
				s.corpora.nextGen = max(s.corpora.nextGen, g.id+1)
				for _, sg := range g.segments {
					s.corpora.nextSeq = max(s.corpora.nextSeq, sg.Last+1)
				}
			}
		}
		return nil
	})
	s.corpora.states = states
	return err
}

// Segment reads a segment.
func (sn *Snapshot) Segment(ctx context.Context, o *Object, id SegmentID, want Want) (*Segment, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	st := sn.corpus(o)
	if sg := st.segmentOf(id); sg != nil {
		return sn.segment(st, o, sg, want)
	}
	return nil, fmt.Errorf("segment %d/%d of %s: %w", id.gen, id.number, o.Name, ErrNotFound)
}

// segment reads a segment of a state.
func (sn *Snapshot) segment(st *corpusState, o *Object, state *segmentState, want Want) (*Segment, error) {
	sg, err := sn.s.segments.Read(st, state, o.names(), want)
	if err != nil {
		return nil, fmt.Errorf("corpus %s: %w", o.Name, err)
	}
	return sg, nil
}

// Windows returns all documents in their order.
func (sn *Snapshot) Windows(o *Object) []Window { return windows(wholeSegments(sn.corpus(o).gens)) }

// InOrder returns the documents of selections, one a segment, in their order.
func (sn *Snapshot) InOrder(o *Object, list []Selection) []Window {
	st := sn.corpus(o)
	parts := make([]part, 0, len(list))
	for _, x := range list {
		if sg := st.segmentOf(x.Segment); sg != nil {
			parts = append(parts, part{sg, x.Docs})
		}
	}
	return windows(parts)
}

// Documents reads the live documents of a window, in their order, with what is wanted.
func (sn *Snapshot) Documents(ctx context.Context, o *Object, w Window, want Want) ([]*text.Document, error) {
	out, err := w.Documents(ctx, sn.s.segments, sn.corpus(o), o.names(), want)
	if err != nil && ctx.Err() == nil {
		err = fmt.Errorf("corpus %s: %w", o.Name, err)
	}
	return out, err
}

// Find returns the sequence number of the document with the id.
func (sn *Snapshot) Find(o *Object, id string) (seq uint64, ok bool, err error) {
	st := sn.corpus(o)
	var p place
	err = sn.s.View(func(tx *sealed.Tx) error {
		p, ok, err = st.locate(tx, id)
		return err
	})
	if err != nil || !ok {
		return 0, false, err
	}
	sg, err := sn.segment(st, o, st.segmentOf(p.of()), Want{})
	if err != nil {
		return 0, false, err
	}
	return sg.Seq(p.ordinal), true, nil
}

// SegmentOf returns the segment of a document and its ordinal there.
func (sn *Snapshot) SegmentOf(o *Object, id string) (s SegmentID, ordinal int, ok bool, err error) {
	var p place
	err = sn.s.View(func(tx *sealed.Tx) error {
		p, ok, err = sn.corpus(o).locate(tx, id)
		return err
	})
	return p.of(), p.ordinal, ok, err
}

// Document reads one document by its sequence number; ErrNotFound if there is none.
func (sn *Snapshot) Document(ctx context.Context, o *Object, seq uint64, want Want) (*text.Document, error) {
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
	p, err := sn.s.segments.documents(o.ID, state)
	if err != nil {
		return hash, false, err
	}
	hash, _ = p.Content(k)
	return hash, true, nil
}

// find returns the segment of the live document with a sequence number, and its ordinal there; nil if there is none.
func (sn *Snapshot) find(st *corpusState, seq uint64) (*segmentState, int, error) {
	for i := len(st.gens) - 1; i >= 0; i-- {
		segments := st.gens[i].segments
		if !st.gens[i].overlaps {
			k := sort.Search(len(segments), func(k int) bool { return segments[k].Last >= seq })
			segments = segments[k:min(k+1, len(segments))]
		}
		for _, sg := range segments {
			if seq < sg.First || seq > sg.Last {
				continue
			}
			p, err := sn.s.segments.documents(st.id, sg)
			if err != nil {
				return nil, 0, err
			}
			if k, ok := slices.BinarySearch(p.Seqs(), seq); ok && sg.live(k) {
				return sg, k, nil
			}
		}
	}
	return nil, 0, nil
}
