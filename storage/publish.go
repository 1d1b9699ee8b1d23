package storage

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sort"

	"parlance/storage/catalog"
	"parlance/storage/dbfile"
	"parlance/storage/documents"
	"parlance/storage/sealed"
)

// commitCorpus writes a new state of a corpus in one transaction, together with what the function also writes, and
// publishes it. columns are added to those of the object. ErrNotFound if the corpus was dropped in the meantime. In a
// transaction the state is written and published by its Commit.
func (s *Store) commitCorpus(ctx context.Context, next *documents.Corpus, columns []catalog.ColumnDef, waste []garbage,
	also func(*sealed.Tx) error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	old := transaction(ctx).object(s.cat, next.ID)
	if old == nil {
		return fmt.Errorf("the corpus was dropped: %w", ErrNotFound)
	}
	var object *Object
	if len(columns) > 0 {
		o := *old
		o.Columns = append(slices.Clone(o.Columns), columns...)
		object = &o
	}
	if t := transaction(ctx); t != nil {
		t.add(s.state(ctx, next.ID), next, waste, also)
		if object != nil {
			t.alter(object.Name, object)
		}
		return nil
	}
	err := s.Update(func(tx *sealed.Tx) error {
		if object != nil {
			raw, err := json.Marshal(object)
			if err != nil {
				return err
			}
			if err := tx.Bucket(bucketCatalog).Put(catalog.ObjectKey(object.ID), raw); err != nil {
				return err
			}
		}
		if err := also(tx); err != nil {
			return err
		}
		return next.Write(tx)
	})
	if err != nil {
		return err
	}
	if object != nil {
		s.cat.byName[object.Name] = object
		s.cat.version++
	}
	s.publish(map[uint32]*documents.Corpus{next.ID: next}, waste)
	return nil
}

// dropDead removes generations without live documents from a state under construction.
func dropDead(c *documents.Corpus) []garbage {
	var waste []garbage
	live := c.Gens[:0]
	for _, g := range c.Gens {
		if n, _ := g.Counts(); n > 0 {
			live = append(live, g)
		} else {
			waste = append(waste, garbage{corpus: c.ID, gen: g.ID, all: true})
		}
	}
	c.Gens = live
	return waste
}

// markDeleted sets tombstones in a state under construction, and returns the function that writes them.
func (s *Store) markDeleted(st *documents.Corpus, dead documents.Tombstones) (func(*sealed.Tx) error, error) {
	var tombs []dbfile.Pair
	for i, g := range st.Gens {
		var segments []*documents.SegmentState
		for k, sg := range g.Segments {
			more := dead[documents.SegmentID{Gen: g.ID, Number: sg.Number}]
			if len(more) == 0 {
				continue
			}
			if segments == nil {
				segments = slices.Clone(g.Segments)
			}
			c, err := s.markDeletedIn(st, sg, more)
			if err != nil {
				return nil, err
			}
			segments[k] = c
			tombs = append(tombs, dbfile.Pair{Key: dbfile.Key(st.ID, g.ID, sg.Number), Value: documents.EncodeBitmap(c.Dead)})
		}
		if segments != nil {
			st.Gens[i] = &documents.Generation{ID: g.ID, Segments: segments, Overlaps: g.Overlaps, Files: g.Files, Runs: g.Runs}
		}
	}
	sort.Slice(tombs, func(i, j int) bool { return string(tombs[i].Key) < string(tombs[j].Key) })
	return func(tx *sealed.Tx) error {
		for _, t := range tombs {
			if err := tx.Bucket(bucketDead).Put(t.Key, t.Value); err != nil {
				return err
			}
		}
		return nil
	}, nil
}

// markDeletedIn returns a segment with further tombstones, and subtracts its documents from the counts.
func (s *Store) markDeletedIn(st *documents.Corpus, sg *documents.SegmentState,
	dead []uint64) (*documents.SegmentState, error) {
	c := *sg
	c.Dead = make([]uint64, (sg.Docs+63)/64)
	copy(c.Dead, sg.Dead)
	p, err := s.segments.Documents(st.ID, sg)
	if err != nil {
		return nil, err
	}
	for o := range sg.Docs {
		if o/64 >= len(dead) || dead[o/64]&(1<<(o%64)) == 0 || !c.Live(o) {
			continue
		}
		c.Dead[o/64] |= 1 << (o % 64)
		h, tokens := p.Content(o)
		documents.SubHash(&st.Sum, h)
		st.Docs--
		st.Tokens -= int64(tokens)
	}
	return &c, nil
}
