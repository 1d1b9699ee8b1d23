// Package textindex keeps full-text indexes of corpora in the file: runs of terms with postings, written beside
// segments of documents, read with caches and searched.
package textindex

import (
	"encoding/binary"
	"fmt"
	"slices"

	"parlance/storage/block"
	"parlance/storage/dbfile"
	"parlance/storage/documents"
	"parlance/storage/fulltext"
	"parlance/storage/sealed"
)

// A full-text index of a corpus has, in each generation, runs of consecutive segments. A run is
// blocks under the index's part: block 0 is its head, the others hold terms with their postings,
// in order. The number of a block is run·65536 + block. Runs are immutable; they are committed,
// replaced and collected with their generation.
//
// The head of a run is a block of columns: units of each document (none if each document is
// one), tokens of each unit, and the first term of each block of terms. A block of terms has
// three columns of bytes: the terms, each as shared prefix, rest, units that hold it and bytes
// of its two streams; the streams of units; those of positions (see fulltext.Builder).
const (
	runBytes   = 24 << 20 // memory at which a run is written
	blockBytes = 16 << 10 // of postings, at which a block ends; a long list has a block of its own
	termBytes  = 192      // memory of a term while its run is collected
	runBlocks  = 1 << 16
)

// Builder collects the terms of a generation and writes them run by run.
type Builder struct {
	file    *dbfile.File
	corpus  uint32
	gen     uint32
	part    uint16
	runs    []documents.RunMeta
	open    bool
	meta    documents.RunMeta
	terms   map[string]*fulltext.Builder
	perDoc  []int32
	lengths []int32
	memory  int
}

// NewBuilder begins the runs of an index of a generation, whose blocks have a part of their own.
func NewBuilder(f *dbfile.File, corpus, gen uint32, part uint16) *Builder {
	return &Builder{file: f, corpus: corpus, gen: gen, part: part, terms: map[string]*fulltext.Builder{}}
}

// Add takes the terms of the next segment.
func (b *Builder) Add(segment uint32, v *Terms) error {
	if b.gather(segment, v); b.memory < runBytes {
		return nil
	}
	return b.flush()
}

// gather adds a segment to the run.
func (b *Builder) gather(segment uint32, v *Terms) {
	if !b.open {
		b.meta, b.open = documents.RunMeta{First: segment}, true
	}
	b.meta.Last = segment
	base := uint32(len(b.lengths))
	b.perDoc, b.lengths = append(b.perDoc, v.perDoc...), append(b.lengths, v.lengths...)
	b.meta.Tokens += int64(len(v.units))
	b.memory += 4*len(v.perDoc) + 4*len(v.lengths)
	for t, term := range v.terms {
		p := b.terms[term]
		if p == nil {
			p = &fulltext.Builder{}
			b.terms[term] = p
			b.memory += termBytes + len(term)
		}
		before := p.Size()
		for i := v.starts[t]; i < v.starts[t+1]; {
			j := i
			for j < v.starts[t+1] && v.units[j] == v.units[i] {
				j++
			}
			p.Add(base+uint32(v.units[i]), v.places[i:j])
			i = j
		}
		b.memory += 2 * (p.Size() - before)
	}
}

// Finish writes the last run and returns all.
func (b *Builder) Finish() ([]documents.RunMeta, error) {
	if err := b.flush(); err != nil {
		return nil, err
	}
	return b.runs, nil
}

// flush writes the collected run.
func (b *Builder) flush() error {
	if !b.open {
		return nil
	}
	names := make([]string, 0, len(b.terms))
	for t := range b.terms {
		names = append(names, t)
	}
	slices.Sort(names)
	w := &termWriter{b: b, number: uint32(len(b.runs)) * runBlocks}
	for _, t := range names {
		w.term(t, b.terms[t])
	}
	w.cut()
	w.head()
	b.meta.Units = len(b.lengths)
	b.meta.Blocks = uint32(len(w.firsts))
	if b.meta.Blocks >= runBlocks {
		return fmt.Errorf("a full-text index has %d blocks in a run", b.meta.Blocks)
	}
	for _, p := range w.pairs {
		b.meta.Bytes += int64(len(p.Value))
	}
	b.runs = append(b.runs, b.meta)
	b.open, b.memory = false, 0
	b.terms = map[string]*fulltext.Builder{}
	b.perDoc, b.lengths = nil, nil
	return b.put(w.pairs)
}

// put writes blocks, some megabytes a transaction.
func (b *Builder) put(pairs []dbfile.Pair) error {
	for len(pairs) > 0 {
		n, size := 0, 0
		for n < len(pairs) && size < dbfile.TransactionBytes {
			size += len(pairs[n].Value)
			n++
		}
		err := b.file.Update(func(tx *sealed.Tx) error {
			seg := tx.Bucket(dbfile.Segment)
			seg.FillPercent = 0.9
			return dbfile.PutPairs(seg, pairs[:n])
		})
		if err != nil {
			return err
		}
		pairs = pairs[n:]
	}
	return nil
}

// termWriter packs terms into blocks.
type termWriter struct {
	b                       *Builder
	number                  uint32 // of the head
	pairs                   []dbfile.Pair
	firsts                  []string
	terms, units, positions []byte
	count                   int // of terms in the block
	last                    string
}

func (w *termWriter) term(t string, p *fulltext.Builder) {
	if w.count > 0 && len(w.terms)+len(w.units)+len(w.positions)+p.Size() > blockBytes {
		w.cut()
	}
	shared := 0
	if w.count == 0 {
		w.firsts = append(w.firsts, t)
	} else {
		for shared < min(len(t), len(w.last)) && t[shared] == w.last[shared] {
			shared++
		}
	}
	u, q := len(w.units), len(w.positions)
	w.units, w.positions = p.Append(w.units, w.positions)
	w.terms = binary.AppendUvarint(w.terms, uint64(shared))
	w.terms = binary.AppendUvarint(w.terms, uint64(len(t)-shared))
	w.terms = append(w.terms, t[shared:]...)
	w.terms = binary.AppendUvarint(w.terms, uint64(p.Count()))
	w.terms = binary.AppendUvarint(w.terms, uint64(len(w.units)-u))
	w.terms = binary.AppendUvarint(w.terms, uint64(len(w.positions)-q))
	w.last = t
	w.count++
}

// cut ends a block.
func (w *termWriter) cut() {
	if w.count == 0 {
		return
	}
	bw := block.NewWriter(w.count)
	bw.Bytes(w.terms) // the streams would be smaller by 4 % only
	for _, p := range [][]byte{w.units, w.positions} {
		bw.RawBytes(p)
	}
	key := documents.BlockKey(w.b.corpus, w.b.gen, w.b.part, w.number+uint32(len(w.firsts)))
	w.pairs = append(w.pairs, dbfile.Pair{Key: key, Value: bw.Finish()})
	w.terms, w.units, w.positions, w.count = w.terms[:0], w.units[:0], w.positions[:0], 0
}

// head writes the block that finds the others.
func (w *termWriter) head() {
	b := w.b
	bw := block.NewWriter(len(b.lengths))
	if slices.ContainsFunc(b.perDoc, func(n int32) bool { return n != 1 }) {
		bw.Ints(b.perDoc)
	} else {
		bw.None()
	}
	bw.Ints(b.lengths)
	var firsts []byte
	for _, t := range w.firsts {
		firsts = append(binary.AppendUvarint(firsts, uint64(len(t))), t...)
	}
	bw.Bytes(firsts)
	w.pairs = slices.Insert(w.pairs, 0, dbfile.Pair{Key: documents.BlockKey(b.corpus, b.gen, b.part, w.number),
		Value: bw.Finish()})
}
