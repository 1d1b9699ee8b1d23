package storage

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sort"

	"parlance/storage/dbfile"
	"parlance/storage/sealed"
)

// commitCorpus writes a new state of a corpus in one transaction, together with what the function also writes, and
// publishes it. columns are added to those of the object. ErrNotFound if the corpus was dropped in the meantime. In a
// transaction the state is written and published by its Commit.
func (s *Store) commitCorpus(ctx context.Context, next *corpusState, columns []ColumnDef, waste []garbage,
	also func(*sealed.Tx) error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	old := transaction(ctx).object(s.cat, next.id)
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
		t.add(s.state(ctx, next.id), next, waste, also)
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
			if err := tx.Bucket(bucketCatalog).Put(objectKey(object.ID), raw); err != nil {
				return err
			}
		}
		if err := also(tx); err != nil {
			return err
		}
		return next.write(tx)
	})
	if err != nil {
		return err
	}
	if object != nil {
		s.cat.byName[object.Name] = object
		s.cat.version++
	}
	s.publish(map[uint32]*corpusState{next.id: next}, waste)
	return nil
}

// publish adds a load to the corpus: its generation, tombstones of replaced documents, new layers and columns.
func (l *Load) publish(ctx context.Context) error {
	next := *l.base
	next.layers = l.layers
	next.gens = slices.Clone(l.base.gens)
	if len(l.gen.segments) > 0 {
		next.gens = append(next.gens, l.gen)
	}
	addHash(&next.sum, l.sum)
	for _, s := range l.gen.segments {
		next.tokens += int64(s.Tokens)
		next.docs += s.Docs
	}
	bury, err := l.s.markDeleted(&next, l.dead)
	if err != nil {
		return err
	}
	waste := next.dropDead()
	return l.s.commitCorpus(ctx, &next, l.columns, waste, func(tx *sealed.Tx) error {
		if len(l.gen.segments) > 0 {
			if err := l.gen.write(tx, next.id); err != nil {
				return err
			}
			if err := markIndexed(tx, l.now, l.gen.id); err != nil {
				return err
			}
		}
		return bury(tx)
	})
}

// dropDead removes generations without live documents from a state under construction.
func (c *corpusState) dropDead() []garbage {
	var waste []garbage
	live := c.gens[:0]
	for _, g := range c.gens {
		if n, _ := g.counts(); n > 0 {
			live = append(live, g)
		} else {
			waste = append(waste, garbage{corpus: c.id, gen: g.id, all: true})
		}
	}
	c.gens = live
	return waste
}

// markDeleted sets tombstones in a state under construction, and returns the function that writes them.
func (s *Store) markDeleted(st *corpusState, dead tombstones) (func(*sealed.Tx) error, error) {
	var tombs []dbfile.Pair
	for i, g := range st.gens {
		var segments []*segmentState
		for k, sg := range g.segments {
			more := dead[SegmentID{g.id, sg.number}]
			if len(more) == 0 {
				continue
			}
			if segments == nil {
				segments = slices.Clone(g.segments)
			}
			c, err := s.markDeletedIn(st, sg, more)
			if err != nil {
				return nil, err
			}
			segments[k] = c
			tombs = append(tombs, dbfile.Pair{Key: dbfile.Key(st.id, g.id, sg.number), Value: encodeBitmap(c.dead)})
		}
		if segments != nil {
			st.gens[i] = &generation{id: g.id, segments: segments, overlaps: g.overlaps, files: g.files, runs: g.runs}
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
func (s *Store) markDeletedIn(st *corpusState, sg *segmentState, dead []uint64) (*segmentState, error) {
	c := *sg
	c.dead = make([]uint64, (sg.Docs+63)/64)
	copy(c.dead, sg.dead)
	p, err := s.segments.documents(st.id, sg)
	if err != nil {
		return nil, err
	}
	for o := range sg.Docs {
		if o/64 >= len(dead) || dead[o/64]&(1<<(o%64)) == 0 || !c.live(o) {
			continue
		}
		c.dead[o/64] |= 1 << (o % 64)
		h, tokens := p.Content(o)
		subHash(&st.sum, h)
		st.docs--
		st.tokens -= int64(tokens)
	}
	return &c, nil
}
