// Package metaindex keeps indexes of the metadata of documents: ordered keys that name documents, segment by segment,
// under the generation with which they are written, merged and deleted.
package metaindex

import (
	"bytes"
	"context"
	"encoding/binary"
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

// Indexes are the indexes of the metadata of all corpora in a file.
type Indexes struct {
	file *dbfile.File
	docs *documents.Cache
}

// New are the indexes of a file, whose documents are read by way of the cache.
func New(f *dbfile.File, docs *documents.Cache) *Indexes { return &Indexes{f, docs} }

// Entries collects the documents of a segment by the key of their values.
type Entries map[string][]int

// Collect returns the entries of the documents of a segment in the indexes. Columns of indexes and metadata have
// their stored names.
func Collect(docs []*text.Document, indexes [][]string) []Entries {
	out := make([]Entries, len(indexes))
	for i, cols := range indexes {
		out[i] = Entries{}
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

// Pairs returns the entries of a segment, in the order of their keys.
func (x Entries) Pairs(prefix []byte, segment uint32) []dbfile.Pair {
	out := make([]dbfile.Pair, 0, len(x))
	for key, docs := range x {
		k := slices.Concat(prefix, []byte(key), dbfile.Key(segment))
		out = append(out, dbfile.Pair{Key: k, Value: appendOrdinals(nil, docs)})
	}
	sort.Slice(out, func(i, j int) bool { return bytes.Compare(out[i].Key, out[j].Key) < 0 })
	return out
}

// Prefix begins the keys of an index of a generation.
func Prefix(o *catalog.Object, cols []string, gen uint32) []byte {
	return append(catalog.IndexPrefix(o, cols), dbfile.Key(gen)...)
}

// Mark marks the indexes of a generation as complete.
func Mark(tx *sealed.Tx, o *catalog.Object, gen uint32) error {
	for _, cols := range o.Indexes {
		if err := tx.Bucket(dbfile.Index).Put(Prefix(o, cols, gen), []byte{}); err != nil {
			return err
		}
	}
	return nil
}

// Remove deletes the index entries of a generation. It must run before its segments are deleted, by which an
// interrupted removal is found.
func (s *Indexes) Remove(ctx context.Context, corpus, gen uint32) error {
	var prefixes [][]byte
	err := s.file.View(func(tx *sealed.Tx) error {
		prefixes = Prefixes(tx, corpus, gen)
		return nil
	})
	for _, p := range prefixes {
		if err == nil {
			err = s.file.DeletePrefix(ctx, dbfile.Index, p)
		}
	}
	return err
}

// Prefixes are the prefixes of the entries of a generation in all indexes of its corpus in the file.
func Prefixes(tx *sealed.Tx, corpus, gen uint32) (out [][]byte) {
	c, own := tx.Bucket(dbfile.Index).Cursor(), dbfile.Key(corpus)
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

// Fill writes the entries of all generations of a corpus that have none, some megabytes a transaction.
func (s *Indexes) Fill(ctx context.Context, st *documents.Corpus, o *catalog.Object, cols []string) error {
	var pending []dbfile.Pair
	size := 0
	flush := func() error {
		sort.Slice(pending, func(i, j int) bool { return bytes.Compare(pending[i].Key, pending[j].Key) < 0 })
		err := s.file.Update(func(tx *sealed.Tx) error { return dbfile.PutPairs(tx.Bucket(dbfile.Index), pending) })
		pending, size = pending[:0], 0
		return err
	}
	for _, g := range st.Gens {
		prefix := Prefix(o, cols, g.ID)
		marked, err := s.marked(prefix)
		if err != nil {
			return err
		}
		if marked {
			continue
		}
		for _, sg := range g.Segments {
			x, err := s.indexedSegment(ctx, st, o, sg, cols)
			if err != nil {
				return err
			}
			for _, p := range x.Pairs(prefix, sg.Number) {
				pending = append(pending, p)
				size += len(p.Key) + len(p.Value)
			}
			if size >= dbfile.TransactionBytes {
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
func (s *Indexes) marked(prefix []byte) (yes bool, err error) {
	err = s.file.View(func(tx *sealed.Tx) error {
		yes = tx.Bucket(dbfile.Index).Get(prefix) != nil
		return nil
	})
	return yes, err
}

// indexedSegment reads the metadata of a segment, including deleted documents.
func (s *Indexes) indexedSegment(ctx context.Context, st *documents.Corpus, o *catalog.Object,
	state *documents.SegmentState,
	cols []string) (Entries, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	stored := make([]string, len(cols))
	for i, c := range cols {
		stored[i] = o.StoredName(c)
	}
	sg, err := s.docs.Read(st, state, documents.Names{}, documents.Want{Fields: stored})
	if err != nil {
		return nil, fmt.Errorf("corpus %s: %w", o.Name, err)
	}
	fields := make([][]value.Value, len(cols))
	for i, c := range stored {
		fields[i] = sg.Field(c)
	}
	out := Entries{}
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

// Each calls f for each segment with documents in the ranges, with their ordinals, nil for all, and their
// number, until it returns false.
func (s *Indexes) Each(ctx context.Context, st *documents.Corpus, o *catalog.Object, cols []string,
	ranges []catalog.KeyRange,
	f func(*documents.SegmentState, []int, int) bool) error {
	for _, g := range st.Gens {
		if err := ctx.Err(); err != nil {
			return err
		}
		found, covered, err := s.generation(o, cols, ranges, g)
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
func (s *Indexes) generation(o *catalog.Object, cols []string, ranges []catalog.KeyRange,
	g *documents.Generation) (found map[uint32][]int, covered bool, err error) {
	prefix := Prefix(o, cols, g.ID)
	found = map[uint32][]int{}
	err = s.file.View(func(tx *sealed.Tx) error {
		b := tx.Bucket(dbfile.Index)
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
					return fmt.Errorf("%w: entry of segment %d", dbfile.ErrCorrupt, n)
				}
				sg := g.Segments[n]
				docs, ok := ordinals(v, sg.Docs)
				if !ok {
					return fmt.Errorf("%w: entry of segment %d", dbfile.ErrCorrupt, n)
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

// Check compares the index of a generation with its metadata, and calls say for each fault.
func (s *Indexes) Check(ctx context.Context, st *documents.Corpus, o *catalog.Object, cols []string,
	g *documents.Generation,
	say func(string, ...any)) error {
	prefix := Prefix(o, cols, g.ID)
	want := 1
	for _, sg := range g.Segments {
		x, err := s.indexedSegment(ctx, st, o, sg, cols)
		if err != nil {
			say("%v", err)
			return ctx.Err()
		}
		list := x.Pairs(prefix, sg.Number)
		want += len(list)
		err = s.file.View(func(tx *sealed.Tx) error {
			for _, p := range list {
				if v := tx.Bucket(dbfile.Index).Get(p.Key); !bytes.Equal(v, p.Value) {
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
	err := s.file.View(func(tx *sealed.Tx) error {
		c := tx.Bucket(dbfile.Index).Cursor()
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
