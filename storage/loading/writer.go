package loading

import (
	"sort"
	"strings"

	"parlance/storage/dbfile"
	"parlance/storage/documents"
	"parlance/storage/guard"
	"parlance/storage/metaindex"
	"parlance/storage/sealed"
	"parlance/storage/textindex"
)

func (l *Load) encoder() {
	defer l.wait.Done()
	for j := range l.work {
		j.out <- l.encode(j)
	}
}

// encode encodes documents as a segment, with its index entries.
func (l *Load) encode(j job) *encodedSegment {
	e := &encodedSegment{places: j.places}
	err := guard.Call("encoding documents", func() (err error) {
		if e.Encoded, err = documents.Encode(j.docs, j.table); err != nil {
			return err
		}
		for _, b := range e.Blocks {
			e.bytes += len(b)
		}
		e.index = metaindex.Collect(j.docs, l.keyed)
		for _, x := range e.index {
			for k := range x {
				e.bytes += len(k)
			}
		}
		for _, x := range j.indexes {
			e.inverted = append(e.inverted, textindex.Invert(j.docs, x.FulltextIndex))
		}
		return nil
	})
	if err != nil {
		return &encodedSegment{err: err}
	}
	return e
}

// writer puts encoded segments into the file in order, some megabytes a transaction.
func (l *Load) writer() {
	defer close(l.written)
	var batch []*encodedSegment
	size := 0
	flush := func() {
		if len(batch) > 0 && l.failed() == nil {
			l.fail(guard.Call("writing documents", func() error { return l.write(batch) }))
			l.mu.Lock()
			l.stored += len(batch)
			l.mu.Unlock()
		}
		batch, size = nil, 0
	}
	for out := range l.queue {
		e, ok := <-out
		if !ok || l.failed() != nil {
			continue
		}
		if e.err != nil {
			l.fail(e.err)
			continue
		}
		at := len(l.gen.Segments) + len(batch)
		if err := guard.Call("indexing documents", func() error { return l.gather(e, at) }); err != nil {
			l.fail(err)
			continue
		}
		batch = append(batch, e)
		if size += e.bytes; size >= dbfile.TransactionBytes {
			flush()
		}
	}
	flush()
	if l.failed() == nil {
		l.fail(guard.Call("indexing documents", l.finishIndexes))
	}
}

// write puts segments and directory entries, in the order of their keys.
func (l *Load) write(batch []*encodedSegment) error {
	var blocks, entries, index []dbfile.Pair
	for _, e := range batch {
		e.State.Gen, e.State.Number = l.gen.ID, uint32(len(l.gen.Segments))
		l.mu.Lock()
		if n := len(l.gen.Segments); n > 0 && l.gen.Segments[n-1].Last >= e.State.First {
			l.gen.Overlaps = true
		}
		l.gen.Segments = append(l.gen.Segments, e.State)
		l.mu.Unlock()
		for part, b := range e.Blocks {
			blocks = append(blocks, dbfile.Pair{Key: documents.BlockKey(l.o.ID, l.gen.ID, part, e.State.Number), Value: b})
		}
		for i, id := range e.IDs {
			p := documents.Place{Gen: l.gen.ID, Segment: e.State.Number, Ordinal: i, File: -1}
			p.File, p.Line = l.file(e.places[i])
			entries = append(entries, dbfile.Pair{Key: documents.PlaceKey(l.o.ID, l.gen.ID, id),
				Value: documents.EncodePlace(p)})
		}
		for i, x := range e.index {
			index = append(index, x.Pairs(metaindex.Prefix(l.now, l.now.Indexes[i], l.gen.ID), e.State.Number)...)
		}
		documents.AddHash(&l.sum, e.Sum)
	}
	sort.Slice(blocks, func(i, j int) bool { return string(blocks[i].Key) < string(blocks[j].Key) })
	sort.Slice(index, func(i, j int) bool { return string(index[i].Key) < string(index[j].Key) })
	// Of equal ids the later one must be written last.
	sort.SliceStable(entries, func(i, j int) bool { return string(entries[i].Key) < string(entries[j].Key) })
	return l.env.Update(func(tx *sealed.Tx) error {
		seg, dir := tx.Bucket(dbfile.Segment), tx.Bucket(dbfile.Dir)
		seg.FillPercent = 0.9
		if err := dbfile.PutPairs(seg, blocks); err != nil {
			return err
		}
		if err := dbfile.PutPairs(dir, entries); err != nil {
			return err
		}
		return dbfile.PutPairs(tx.Bucket(dbfile.Index), index)
	})
}

// file splits file:line and returns the number of the file.
func (l *Load) file(at string) (int, string) {
	name, line, ok := cutLast(at)
	if !ok {
		return -1, at
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	i, known := l.fileIndex[name]
	if !known {
		i = len(l.gen.Files)
		l.fileIndex[name] = i
		l.gen.Files = append(l.gen.Files, name)
	}
	return i, line
}

func cutLast(s string) (before, after string, ok bool) {
	if i := strings.LastIndexByte(s, ':'); i > 0 {
		return s[:i], s[i+1:], true
	}
	return s, "", false
}

// index sets the indexes that a load fills, before it takes documents.
func (l *Load) index(indexes []documents.IndexState) {
	l.indexes, l.builders = indexes, nil
	for _, x := range indexes {
		l.builders = append(l.builders, textindex.NewBuilder(l.env.File, l.o.ID, l.gen.ID, x.Part))
	}
}

// gather adds a segment to the indexes.
func (l *Load) gather(e *encodedSegment, segment int) error {
	for i, v := range e.inverted {
		if err := l.builders[i].Add(uint32(segment), v); err != nil {
			return err
		}
	}
	e.inverted = nil
	return nil
}

// finishIndexes writes the last runs.
func (l *Load) finishIndexes() error {
	if len(l.indexes) == 0 {
		return nil
	}
	l.gen.Runs = map[uint16][]documents.RunMeta{}
	for i, x := range l.indexes {
		runs, err := l.builders[i].Finish()
		if err != nil {
			return err
		}
		l.gen.Runs[x.Part] = runs
	}
	return nil
}
