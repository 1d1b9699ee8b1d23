package storage

import (
	"bytes"
	"context"
	"encoding/binary"
	"slices"

	"parlance/storage/dbfile"
	"parlance/storage/documents"
	"parlance/storage/metaindex"
	"parlance/storage/sealed"
)

// Collect is the garbage collector: it deletes data that no snapshot can read any more.
func (s *Store) Collect(ctx context.Context) error {
	if s.ReadOnly() {
		return nil
	}
	// One at a time: the number of a part must not be reused while the part is being deleted.
	s.corpora.collecting.Lock()
	defer s.corpora.collecting.Unlock()
	return s.collect(ctx)
}

func (s *Store) collect(ctx context.Context) error {
	c := &s.corpora
	for list := c.ready(); len(list) > 0; {
		n, err := s.removeSmall(ctx, list)
		if n == 0 && err == nil {
			n, err = 1, s.remove(ctx, list[0])
		}
		if err != nil {
			return err
		}
		c.mu.Lock()
		c.garbage = slices.DeleteFunc(c.garbage, func(x garbage) bool { return slices.Contains(list[:n], x) })
		c.mu.Unlock()
		list = list[n:]
	}
	return nil
}

// removeSmall deletes the first generations that fit into one transaction together, and returns their number.
func (s *Store) removeSmall(ctx context.Context, list []garbage) (n int, err error) {
	if !list[0].all {
		return 0, ctx.Err()
	}
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	left := dbfile.TransactionKeys
	err = s.Update(func(tx *sealed.Tx) error {
		for ; n < len(list) && list[n].all; n++ {
			keys := list[n].keys(tx, left)
			if left -= len(keys); left <= 0 {
				return nil
			}
			for _, k := range keys {
				if err := tx.Bucket(k.bucket).Delete(k.key); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	for _, g := range list[:n] {
		s.forgetDecoded(g)
		s.tables.Blocks.Drop(g.corpus, g.gen)
	}
	return n, nil
}

// forgetDecoded evicts what was decoded of a generation from the caches.
func (s *Store) forgetDecoded(g garbage) {
	s.segments.Drop(func(corpus, gen uint32) bool { return corpus == g.corpus && gen == g.gen })
	s.texts.Drop(g.corpus, g.gen)
}

// EvictSegments evicts the decoded segments of a corpus from the cache.
func (s *Store) EvictSegments(o *Object) {
	s.segments.Drop(func(corpus, _ uint32) bool { return corpus == o.ID })
}

// discard removes data that no state names. What takes long is removed in the background.
func (s *Store) discard(list ...garbage) {
	c := &s.corpora
	c.mu.Lock()
	c.garbage = append(c.garbage, list...)
	c.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), abortTime)
	defer cancel()
	s.collectSoon(ctx)
	if ctx.Err() != nil {
		s.removeOrphansSoon()
	}
}

// bucketKey is a key in a bucket.
type bucketKey struct{ bucket, key []byte }

// keys returns the keys of a generation, at most most of them.
func (g garbage) keys(tx *sealed.Tx, most int) (out []bucketKey) {
	take := func(bucket, prefix []byte) {
		c := tx.Bucket(bucket).Cursor()
		for k, _ := c.Seek(prefix); bytes.HasPrefix(k, prefix) && len(out) < most; k, _ = c.Next() {
			out = append(out, bucketKey{bucket, bytes.Clone(k)})
		}
	}
	for _, p := range metaindex.Prefixes(tx, g.corpus, g.gen) {
		take(bucketIndex, p)
	}
	for _, b := range [][]byte{bucketSegment, bucketDir, bucketDead} {
		take(b, dbfile.Key(g.corpus, g.gen))
	}
	return append(out, bucketKey{bucketCatalog, documents.GenerationKey(g.corpus, g.gen)})
}

// collectSoon collects garbage after a committed change. A failure is left to the next change. If another goroutine is
// collecting already, the new garbage is left to the background: it may be much, and is not this statement's.
func (s *Store) collectSoon(ctx context.Context) {
	c := &s.corpora
	if !c.collecting.TryLock() {
		s.removeOrphansSoon()
		return
	}
	defer c.collecting.Unlock()
	_ = s.collect(ctx)
}

// ready returns the garbage that no snapshot reads any more.
func (c *corpora) ready() []garbage {
	c.mu.Lock()
	defer c.mu.Unlock()
	oldest := c.oldest()
	var out []garbage
	for _, g := range c.garbage {
		if g.version <= oldest {
			out = append(out, g)
		}
	}
	return out
}

// remove deletes the keys of garbage, in chunks.
func (s *Store) remove(ctx context.Context, g garbage) error {
	if g.table {
		return s.removeTable(ctx, g.corpus)
	}
	prefix := dbfile.Key(g.corpus, g.gen)
	s.forgetDecoded(g)
	if !g.all {
		return s.DeletePrefix(ctx, bucketSegment, append(prefix, byte(g.part>>8), byte(g.part)))
	}
	if err := s.metadata.Remove(ctx, g.corpus, g.gen); err != nil {
		return err
	}
	for _, b := range [][]byte{bucketSegment, bucketDir, bucketDead} {
		if err := s.DeletePrefix(ctx, b, prefix); err != nil {
			return err
		}
	}
	return s.Update(func(tx *sealed.Tx) error {
		return tx.Bucket(bucketCatalog).Delete(documents.GenerationKey(g.corpus, g.gen))
	})
}

// readOrphanedBlocks finds generations that no manifest names, and parts of no layer, which a killed process has left.
func (s *Store) readOrphanedBlocks() error {
	known := map[[2]uint32]bool{}
	for id, st := range s.corpora.states {
		for _, g := range st.Gens {
			known[[2]uint32{id, g.ID}] = true
		}
	}
	for id, st := range s.corpora.tables {
		for _, g := range st.Gens {
			known[[2]uint32{id, g.ID}] = true
		}
	}
	return s.View(func(tx *sealed.Tx) error {
		s.corpora.garbage = append(s.corpora.garbage, append(s.lostGenerations(tx, known), s.lostParts(tx)...)...)
		return nil
	})
}

// lostGenerations returns generations that no manifest names, and sets the next number above all.
func (s *Store) lostGenerations(tx *sealed.Tx, known map[[2]uint32]bool) (lost []garbage) {
	for _, name := range [][]byte{bucketSegment, bucketDir, bucketDead} {
		c := tx.Bucket(name).Cursor()
		for k, _ := c.First(); len(k) >= 8; {
			id := [2]uint32{binary.BigEndian.Uint32(k), binary.BigEndian.Uint32(k[4:])}
			if !known[id] {
				known[id] = true
				lost = append(lost, garbage{corpus: id[0], gen: id[1], all: true})
			}
			s.corpora.generationTaken(id[1])
			s.cat.nextID = max(s.cat.nextID, id[0]+1)
			if id[1] == ^uint32(0) {
				break
			}
			k, _ = c.Seek(dbfile.Key(id[0], id[1]+1))
		}
	}
	return lost
}

// lostParts returns the parts of known generations that belong to no layer and no index.
func (s *Store) lostParts(tx *sealed.Tx) (lost []garbage) {
	c := tx.Bucket(bucketSegment).Cursor()
	for id, st := range s.corpora.states {
		used := map[uint16]bool{}
		for _, l := range st.Layers {
			used[l.Part] = true
		}
		for _, x := range st.Indexes {
			used[x.Part] = true
		}
		for _, g := range st.Gens {
			prefix := dbfile.Key(id, g.ID)
			next := documents.FirstLayer
			for {
				k, _ := c.Seek(append(slices.Clone(prefix), byte(next>>8), byte(next)))
				if len(k) < 10 || !bytes.HasPrefix(k, prefix) {
					break
				}
				part := binary.BigEndian.Uint16(k[8:])
				if !used[part] {
					lost = append(lost, garbage{corpus: id, gen: g.ID, part: part})
				}
				if next = part + 1; next == 0 {
					break
				}
			}
		}
	}
	return lost
}
