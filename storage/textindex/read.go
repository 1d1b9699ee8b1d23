package textindex

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"sort"
	"strings"

	"parlance/storage/block"
	"parlance/storage/dbfile"
	"parlance/storage/documents"
	"parlance/storage/fulltext"
	"parlance/storage/recent"
	"parlance/storage/sealed"
)

// headBytes is the memory for decoded heads of runs, of which the last half stays for certain. A head takes a part of
// the memory in which its run was made (runBytes).
const headBytes = 64 << 20

type headKey struct {
	corpus, gen uint32
	part        uint16
	first       uint32 // segment
}

// runHead is a run to read from.
type runHead struct {
	key     headKey
	number  uint32 // of the head's block
	meta    documents.RunMeta
	starts  []int32 // unit at which each document begins, and the end; nil if each document is one
	lengths []int32
	firsts  []string
	size    int
}

// Reader reads full-text indexes of a file, and caches what it has decoded of them.
type Reader struct {
	file  *dbfile.File
	docs  *documents.Cache
	heads *recent.Shared[headKey, *runHead]
	lists *recent.Shared[listKey, *decodedList]
}

// NewReader is a reader whose caches are empty. docs has the sequence numbers of documents.
func NewReader(f *dbfile.File, docs *documents.Cache) *Reader {
	return &Reader{file: f, docs: docs,
		heads: recent.NewShared[headKey](headBytes, func(h *runHead) int { return h.size }),
		lists: recent.NewShared[listKey](listBytes, (*decodedList).size)}
}

// Drop evicts what is cached of a generation.
func (s *Reader) Drop(corpus, gen uint32) {
	of := func(k headKey) bool { return k.corpus == corpus && k.gen == gen }
	s.heads.Drop(of)
	s.lists.Drop(func(k listKey) bool { return of(k.head) })
}

// runBlock reads a block of a run.
func (s *Reader) runBlock(k headKey, number uint32) (*block.Block, error) {
	var raw []byte
	err := s.file.View(func(tx *sealed.Tx) error {
		raw = bytes.Clone(tx.Bucket(dbfile.Segment).Get(documents.BlockKey(k.corpus, k.gen, k.part, number)))
		return nil
	})
	if err != nil {
		return nil, err
	}
	if raw == nil {
		return nil, fmt.Errorf("%w: block %d of a full-text index is missing", dbfile.ErrCorrupt, number)
	}
	return block.Open(raw)
}

// runHead returns the head of the i-th run of a generation, which has docs documents.
func (s *Reader) runHead(corpus uint32, g *documents.Generation, part uint16, i, docs int) (*runHead, error) {
	meta := g.Runs[part][i]
	k := headKey{corpus, g.ID, part, meta.First}
	if h, ok := s.heads.Get(k); ok {
		return h, nil
	}
	h := &runHead{key: k, number: uint32(i) * runBlocks, meta: meta}
	b, err := s.runBlock(k, h.number)
	if err != nil {
		return nil, err
	}
	if err := h.decode(b, docs); err != nil {
		return nil, err
	}
	h.size = 256 + 4*len(h.starts) + 4*len(h.lengths) + 16*len(h.firsts)
	for _, f := range h.firsts {
		h.size += len(f)
	}
	s.heads.Put(k, h)
	return h, nil
}

func (h *runHead) decode(b *block.Block, docs int) error {
	if b.Rows != h.meta.Units {
		return block.Damaged("%d units in a run, %d are expected", b.Rows, h.meta.Units)
	}
	perDoc, err := b.Ints(0, docs)
	if err != nil {
		return err
	}
	units := docs
	if perDoc != nil {
		h.starts, units = make([]int32, docs+1), 0
		for i, n := range perDoc {
			if n < 0 {
				return block.Damaged("units of a run")
			}
			units += int(n)
			h.starts[i+1] = int32(units)
		}
	}
	if units != h.meta.Units {
		return block.Damaged("%d units in the documents of a run, %d are expected", units, h.meta.Units)
	}
	if h.lengths, err = b.Ints(1, -1); err != nil {
		return err
	}
	if len(h.lengths) != units {
		return block.Damaged("lengths of a run")
	}
	raw, err := b.Bytes(2)
	if err != nil {
		return err
	}
	for len(raw) > 0 {
		n, w := binary.Uvarint(raw)
		if w <= 0 || n > uint64(len(raw)-w) {
			return block.Damaged("terms of a run")
		}
		h.firsts, raw = append(h.firsts, string(raw[w:w+int(n)])), raw[w+int(n):]
	}
	if len(h.firsts) != int(h.meta.Blocks) {
		return block.Damaged("%d blocks in a run, %d are expected", len(h.firsts), h.meta.Blocks)
	}
	return nil
}

// docOf returns the document of a unit, by its number in the run, and the row within it.
func (h *runHead) docOf(unit uint32) (doc, row int) {
	if h.starts == nil {
		return int(unit), 0
	}
	doc = sort.Search(len(h.starts)-1, func(d int) bool { return h.starts[d+1] > int32(unit) })
	return doc, int(int32(unit) - h.starts[doc])
}

// termEntry is a term of a run with its streams.
type termEntry struct {
	term             string
	count            int
	units, positions []byte
}

// terms calls f for the terms from the first that is not below low, until it returns false.
// The positions are unpacked only if they are wanted.
func (s *Reader) terms(h *runHead, low string, positions bool, f func(termEntry) bool) error {
	at := sort.SearchStrings(h.firsts, low)
	if at == len(h.firsts) || h.firsts[at] != low {
		at = max(0, at-1)
	}
	for ; at < len(h.firsts); at++ {
		b, err := s.runBlock(h.key, h.number+1+uint32(at))
		if err != nil {
			return err
		}
		more, err := blockTerms(b, low, positions, f)
		if err != nil || !more {
			return err
		}
	}
	return nil
}

// blockTerms does so for a block and reports whether f wants more.
func blockTerms(b *block.Block, low string, positions bool, f func(termEntry) bool) (bool, error) {
	names, err := b.Bytes(0)
	if err != nil {
		return false, err
	}
	var units, places, term []byte
	for u, p := 0, 0; len(names) > 0; {
		var v [5]uint64 // shared, rest, count, bytes of units and of positions
		for i := range v {
			x, w := binary.Uvarint(names)
			if w <= 0 || x > 1<<31 {
				return false, block.Damaged("terms of a full-text index")
			}
			v[i], names = x, names[w:]
			if i == 1 {
				if v[0] > uint64(len(term)) || v[1] > uint64(len(names)) {
					return false, block.Damaged("terms of a full-text index")
				}
				term, names = append(term[:v[0]], names[:v[1]]...), names[v[1]:]
			}
		}
		first, place := u, p
		u, p = u+int(v[3]), p+int(v[4])
		if string(term) < low {
			continue
		}
		if units == nil {
			if units, err = b.Bytes(1); err != nil {
				return false, err
			}
			if positions {
				if places, err = b.Bytes(2); err != nil {
					return false, err
				}
			}
		}
		if u > len(units) || positions && p > len(places) {
			return false, block.Damaged("postings of a full-text index")
		}
		e := termEntry{term: string(term), count: int(v[2]), units: units[first:u]}
		if positions {
			e.positions = places[place:p]
		}
		if !f(e) {
			return false, nil
		}
	}
	return true, nil
}

// term reads the postings of a term with their positions; there are none where no unit has it.
func (s *Reader) term(h *runHead, term string) (termEntry, error) {
	return s.postings(h, term, true)
}

func (s *Reader) postings(h *runHead, term string, positions bool) (found termEntry, err error) {
	err = s.terms(h, term, positions, func(e termEntry) bool {
		if e.term == term {
			found = e
		}
		return false
	})
	return found, err
}

// prefixed reads the postings of all terms with a prefix as one list.
func (s *Reader) prefixed(h *runHead, prefix string) (fulltext.List, error) {
	var entries []termEntry
	err := s.terms(h, prefix, false, func(e termEntry) bool {
		if strings.HasPrefix(e.term, prefix) {
			entries = append(entries, e)
			return true
		}
		return false
	})
	if err != nil {
		return fulltext.List{}, err
	}
	freqs := make([]uint32, h.meta.Units)
	n := 0
	for _, e := range entries {
		one, err := fulltext.Decode(e.units, e.count, h.meta.Units)
		if err != nil {
			return one, fmt.Errorf("%w: %w", dbfile.ErrCorrupt, err)
		}
		for i, u := range one.Units {
			if freqs[u] == 0 {
				n++
			}
			freqs[u] += one.Freqs[i]
		}
	}
	out := fulltext.List{Units: make([]uint32, 0, n), Freqs: make([]uint32, 0, n)}
	for u, f := range freqs {
		if f > 0 {
			out.Units, out.Freqs = append(out.Units, uint32(u)), append(out.Freqs, f)
		}
	}
	return out, nil
}
