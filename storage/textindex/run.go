// Package textindex keeps full-text indexes of corpora in the file: runs of terms with postings, written beside
// segments of documents, read with caches and searched.
package textindex

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

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
	tokenBytes = 8        // memory of a token while its run is collected
	termBytes  = 96       // memory of a term, besides its letters twice
	runBlocks  = 1 << 16
)

// Builder collects the terms of a generation and writes them run by run. What it holds of a run is numbers: its tokens
// are sorted by their terms when the run is written.
type Builder struct {
	file    *dbfile.File
	corpus  uint32
	gen     uint32
	part    uint16
	runs    []documents.RunMeta
	open    bool
	meta    documents.RunMeta
	numbers map[string]uint32 // of the terms, from 0
	terms   []string          // by number
	counts  []uint32          // tokens of each term
	tokens  []uint32          // term of each token, unit after unit
	perDoc  []int32
	lengths []int32
	memory  int
	sorting sorting
}

// NewBuilder begins the runs of an index of a generation, whose blocks have a part of their own.
func NewBuilder(f *dbfile.File, corpus, gen uint32, part uint16) *Builder {
	return &Builder{file: f, corpus: corpus, gen: gen, part: part, numbers: map[string]uint32{}}
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
	b.perDoc, b.lengths = append(b.perDoc, v.perDoc...), append(b.lengths, v.lengths...)
	b.meta.Tokens += int64(len(v.tokens))
	b.memory += 4*len(v.perDoc) + 4*len(v.lengths) + tokenBytes*len(v.tokens)
	number := make([]uint32, len(v.terms))
	for t, term := range v.terms {
		number[t] = b.number(term)
	}
	b.tokens = slices.Grow(b.tokens, len(v.tokens))
	for _, t := range v.tokens {
		k := number[t]
		b.counts[k]++
		b.tokens = append(b.tokens, k)
	}
}

// number is that of a term, which is new or not.
func (b *Builder) number(term string) uint32 {
	if k, ok := b.numbers[term]; ok {
		return k
	}
	k := uint32(len(b.terms))
	term = strings.Clone(term) // it is a part of a text
	b.numbers[term] = k
	b.terms, b.counts = append(b.terms, term), append(b.counts, 0)
	b.memory += termBytes + 2*len(term)
	return k
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
	w := &termWriter{b: b, number: uint32(len(b.runs)) * runBlocks}
	lists := b.sorted()
	for i := range lists.order {
		w.term(b.terms[lists.order[i]], lists.postings(i))
		if w.size >= dbfile.TransactionBytes {
			if err := w.put(); err != nil {
				return err
			}
		}
	}
	w.cut()
	w.head()
	b.meta.Units = len(b.lengths)
	b.meta.Blocks = uint32(len(w.firsts))
	if b.meta.Blocks >= runBlocks {
		return fmt.Errorf("a full-text index has %d blocks in a run", b.meta.Blocks)
	}
	if err := w.put(); err != nil {
		return err
	}
	b.meta.Bytes = w.written
	b.runs = append(b.runs, b.meta)
	b.empty()
	return nil
}

// empty begins another run, in the same memory.
func (b *Builder) empty() {
	b.open, b.memory = false, 0
	clear(b.numbers)
	clear(b.terms)
	b.terms, b.counts, b.tokens = b.terms[:0], b.counts[:0], b.tokens[:0]
	b.perDoc, b.lengths = b.perDoc[:0], b.lengths[:0]
}

// termWriter packs terms into blocks.
type termWriter struct {
	b                       *Builder
	number                  uint32        // of the head
	pairs                   []dbfile.Pair // blocks that are not written yet
	size                    int           // of these, in bytes
	written                 int64         // bytes of the others
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
	w.add(key, bw.Finish())
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
	w.add(documents.BlockKey(b.corpus, b.gen, b.part, w.number), bw.Finish())
}

func (w *termWriter) add(key, block []byte) {
	w.pairs = append(w.pairs, dbfile.Pair{Key: key, Value: block})
	w.size += len(block)
}

// put writes the blocks that wait, in the order of their keys: the head stands first.
func (w *termWriter) put() error {
	slices.SortFunc(w.pairs, func(a, b dbfile.Pair) int { return bytes.Compare(a.Key, b.Key) })
	err := w.b.file.Update(func(tx *sealed.Tx) error {
		seg := tx.Bucket(dbfile.Segment)
		seg.FillPercent = 0.9
		return dbfile.PutPairs(seg, w.pairs)
	})
	w.written += int64(w.size)
	clear(w.pairs)
	w.pairs, w.size = w.pairs[:0], 0
	return err
}
