package storage

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"sort"

	"parlance/algo/text"
	"parlance/storage/catalog"
	"parlance/storage/dbfile"
	"parlance/storage/documents"
	"parlance/storage/sealed"
	"parlance/storage/value"
)

// An index of a corpus has entries for each generation, which are written and removed with the generation:
//
//	corpus u32 | hash of the columns u32 | generation u32 | key of the values | segment u32
//	→ ordinals of the documents, as gaps
//
// An entry without key and segment marks the index of the generation as complete. Without the mark, as in generations
// that only older snapshots read, the whole generation is scanned. Entries of deleted documents stay.

// indexed collects the documents of a segment by the key of their values.
type indexed map[string][]int

// indexDocuments returns the entries of the documents of a segment in the indexes. Columns of indexes and metadata have
// their stored names.
func indexDocuments(docs []*text.Document, indexes [][]string) []indexed {
	out := make([]indexed, len(indexes))
	for i, cols := range indexes {
		out[i] = indexed{}
		for k, d := range docs {
			var key []byte
			for _, c := range cols {
				key = value.AppendKey(key, d.Field(c))
			}
			key = catalog.Bounded(key)
			out[i][string(key)] = append(out[i][string(key)], k)
		}
	}
	return out
}

// pairs returns the entries of a segment, in the order of their keys.
func (x indexed) pairs(prefix []byte, segment uint32) []dbfile.Pair {
	out := make([]dbfile.Pair, 0, len(x))
	for key, docs := range x {
		k := slices.Concat(prefix, []byte(key), dbfile.Key(segment))
		out = append(out, dbfile.Pair{Key: k, Value: appendOrdinals(nil, docs)})
	}
	sort.Slice(out, func(i, j int) bool { return bytes.Compare(out[i].Key, out[j].Key) < 0 })
	return out
}

func generationPrefix(o *Object, cols []string, gen uint32) []byte {
	return append(catalog.IndexPrefix(o, cols), dbfile.Key(gen)...)
}

// markIndexed marks the indexes of a generation as complete.
func markIndexed(tx *sealed.Tx, o *Object, gen uint32) error {
	for _, cols := range o.Indexes {
		if err := tx.Bucket(bucketIndex).Put(generationPrefix(o, cols, gen), []byte{}); err != nil {
			return err
		}
	}
	return nil
}

// removeIndexed deletes the index entries of a generation. It must run before its segments are deleted, by which an
// interrupted removal is found.
func (s *Store) removeIndexed(ctx context.Context, corpus, gen uint32) error {
	var prefixes [][]byte
	err := s.View(func(tx *sealed.Tx) error {
		prefixes = indexedPrefixes(tx, corpus, gen)
		return nil
	})
	for _, p := range prefixes {
		if err == nil {
			err = s.DeletePrefix(ctx, bucketIndex, p)
		}
	}
	return err
}

// indexedPrefixes are the prefixes of the entries of a generation in all indexes of its corpus in the file.
func indexedPrefixes(tx *sealed.Tx, corpus, gen uint32) (out [][]byte) {
	c, own := tx.Bucket(bucketIndex).Cursor(), dbfile.Key(corpus)
	for k, _ := c.Seek(own); len(k) >= 8 && bytes.HasPrefix(k, own); {
		p := bytes.Clone(k[:8])
		out = append(out, append(bytes.Clone(p), dbfile.Key(gen)...))
		if p = dbfile.Successor(p); p == nil {
			break
		}
		k, _ = c.Seek(p)
	}
	return out
}

// fillDocumentIndex writes the entries of all generations without entries, including those of the transaction.
func (s *Store) fillDocumentIndex(ctx context.Context, o *Object, cols []string) error {
	sn := s.Snapshot()
	defer sn.Close()
	if err := sn.fillDocumentIndex(ctx, o, cols); err != nil || transaction(ctx) == nil {
		return err
	}
	own := transaction(ctx).Capture(new(Snapshot))
	defer own.Close()
	return own.fillDocumentIndex(ctx, o, cols)
}

// fillDocumentIndex does so for the generations of the snapshot, some megabytes a transaction.
func (sn *Snapshot) fillDocumentIndex(ctx context.Context, o *Object, cols []string) error {
	s, st := sn.s, sn.corpus(o)
	var pending []dbfile.Pair
	size := 0
	flush := func() error {
		sort.Slice(pending, func(i, j int) bool { return bytes.Compare(pending[i].Key, pending[j].Key) < 0 })
		err := s.Update(func(tx *sealed.Tx) error { return dbfile.PutPairs(tx.Bucket(bucketIndex), pending) })
		pending, size = pending[:0], 0
		return err
	}
	for _, g := range st.Gens {
		prefix := generationPrefix(o, cols, g.ID)
		marked, err := s.marked(prefix)
		if err != nil {
			return err
		}
		if marked {
			continue
		}
		for _, sg := range g.Segments {
			x, err := sn.indexedSegment(ctx, o, sg, cols)
			if err != nil {
				return err
			}
			for _, p := range x.pairs(prefix, sg.Number) {
				pending = append(pending, p)
				size += len(p.Key) + len(p.Value)
			}
			if size >= transactionBytes {
				if err := flush(); err != nil {
					return err
				}
			}
		}
		pending = append(pending, dbfile.Pair{Key: prefix, Value: []byte{}})
	}
	return flush()
}

// marked reports whether an index of a generation is complete.
func (s *Store) marked(prefix []byte) (yes bool, err error) {
	err = s.View(func(tx *sealed.Tx) error {
		yes = tx.Bucket(bucketIndex).Get(prefix) != nil
		return nil
	})
	return yes, err
}

// indexedSegment reads the metadata of a segment, including deleted documents.
func (sn *Snapshot) indexedSegment(ctx context.Context, o *Object, state *documents.SegmentState,
	cols []string) (indexed, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	sg, err := sn.segment(sn.corpus(o), o, state, documents.Want{Fields: cols})
	if err != nil {
		return nil, err
	}
	fields := make([][]value.Value, len(cols))
	for i, c := range cols {
		fields[i] = sg.Field(c)
	}
	out := indexed{}
	for k := range state.Docs {
		var key []byte
		for _, f := range fields {
			v := value.Value{}
			if f != nil {
				v = f[k]
			}
			key = value.AppendKey(key, v)
		}
		key = catalog.Bounded(key)
		out[string(key)] = append(out[string(key)], k)
	}
	return out, nil
}

// Select returns the live documents in ranges of an index, in their order. It may return
// others besides: where values are very long, or what the index does not cover.
func (sn *Snapshot) Select(ctx context.Context, o *Object, cols []string,
	ranges []catalog.KeyRange) ([]documents.Window,
	error) {
	var out []documents.Part
	err := sn.eachSelected(ctx, o, cols, ranges, func(sg *documents.SegmentState, docs []int, _ int) bool {
		out = append(out, documents.Part{Segment: sg, Docs: docs})
		return true
	})
	return documents.Windows(out), err
}

// Estimate counts the documents in ranges of an index, about limit of them at most.
func (sn *Snapshot) Estimate(ctx context.Context, o *Object, cols []string, ranges []catalog.KeyRange,
	limit int) (n int, err error) {
	err = sn.eachSelected(ctx, o, cols, ranges, func(_ *documents.SegmentState, _ []int, docs int) bool {
		n += docs
		return n < limit
	})
	return n, err
}

// eachSelected calls f for each segment with documents in the ranges, with their ordinals, nil for all, and their
// number, until it returns false.
func (sn *Snapshot) eachSelected(ctx context.Context, o *Object, cols []string, ranges []catalog.KeyRange,
	f func(*documents.SegmentState, []int, int) bool) error {
	for _, g := range sn.corpus(o).Gens {
		if err := ctx.Err(); err != nil {
			return err
		}
		found, covered, err := sn.generation(o, cols, ranges, g)
		if err != nil {
			return fmt.Errorf("corpus %s, index on %v: %w", o.Name, cols, err)
		}
		for _, sg := range g.Segments {
			docs, live := found[sg.Number], sg.LiveDocuments()
			if covered && len(docs) == 0 || live == 0 {
				continue
			}
			n := live
			if covered {
				n = len(docs)
			}
			if !f(sg, docs, n) {
				return nil
			}
		}
	}
	return nil
}

// generation looks ranges up in the entries of a generation. covered is false if it has no complete index.
func (sn *Snapshot) generation(o *Object, cols []string, ranges []catalog.KeyRange,
	g *documents.Generation) (found map[uint32][]int, covered bool, err error) {
	prefix := generationPrefix(o, cols, g.ID)
	found = map[uint32][]int{}
	err = sn.s.View(func(tx *sealed.Tx) error {
		b := tx.Bucket(bucketIndex)
		if covered = b.Get(prefix) != nil; !covered {
			return nil
		}
		c := b.Cursor()
		for i := range ranges {
			from, to := ranges[i].Bounds(prefix)
			for k, v := c.Seek(from); k != nil && catalog.Before(k, to); k, v = c.Next() {
				if len(k) < len(prefix)+4 {
					continue // the mark
				}
				n := binary.BigEndian.Uint32(k[len(k)-4:])
				if int(n) >= len(g.Segments) {
					return fmt.Errorf("%w: entry of segment %d", ErrCorrupt, n)
				}
				sg := g.Segments[n]
				docs, ok := ordinals(v, sg.Docs)
				if !ok {
					return fmt.Errorf("%w: entry of segment %d", ErrCorrupt, n)
				}
				for _, d := range docs {
					if sg.Live(d) {
						found[n] = append(found[n], d)
					}
				}
			}
		}
		return nil
	})
	for n, docs := range found {
		slices.Sort(docs)
		found[n] = slices.Compact(docs)
	}
	return found, covered, err
}

// checkDocumentIndexes compares the indexes of a corpus with its metadata.
func (s *Store) checkDocumentIndexes(ctx context.Context, o *Object, say func(string, ...any)) error {
	o, unlock, err := s.lockTable(ctx, o)
	if errors.Is(err, ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	defer unlock()
	sn := s.Snapshot()
	defer sn.Close()
	for _, cols := range o.Indexes {
		for _, g := range sn.corpus(o).Gens {
			if err := sn.checkIndexed(ctx, o, cols, g, say); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkIndexed does so for a generation.
func (sn *Snapshot) checkIndexed(ctx context.Context, o *Object, cols []string, g *documents.Generation,
	say func(string, ...any)) error {
	prefix := generationPrefix(o, cols, g.ID)
	want := 1
	for _, sg := range g.Segments {
		x, err := sn.indexedSegment(ctx, o, sg, cols)
		if err != nil {
			say("%v", err)
			return ctx.Err()
		}
		list := x.pairs(prefix, sg.Number)
		want += len(list)
		err = sn.s.View(func(tx *sealed.Tx) error {
			for _, p := range list {
				if v := tx.Bucket(bucketIndex).Get(p.Key); !bytes.Equal(v, p.Value) {
					say("corpus %s, segment %d/%d: documents are missing from the index on %v", o.Name, g.ID, sg.Number, cols)
					break
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	have := 0
	err := sn.s.View(func(tx *sealed.Tx) error {
		c := tx.Bucket(bucketIndex).Cursor()
		for k, _ := c.Seek(prefix); bytes.HasPrefix(k, prefix); k, _ = c.Next() {
			have++
		}
		return nil
	})
	if err == nil && have != want {
		say("corpus %s: the index on %v has %d entries for generation %d, %d are expected", o.Name, cols, have, g.ID, want)
	}
	return err
}

// appendOrdinals encodes ascending numbers as gaps.
func appendOrdinals(b []byte, ordinals []int) []byte {
	last := 0
	for _, o := range ordinals {
		b = binary.AppendUvarint(b, uint64(o-last))
		last = o
	}
	return b
}

// ordinals decodes ascending numbers below n; ok is false where they are damaged.
func ordinals(b []byte, n int) (out []int, ok bool) {
	at := uint64(0)
	for len(b) > 0 {
		gap, k := binary.Uvarint(b)
		if k <= 0 || gap > math.MaxInt32 {
			return nil, false
		}
		if at += gap; at >= uint64(n) {
			return nil, false
		}
		out, b = append(out, int(at)), b[k:]
	}
	return out, true
}
