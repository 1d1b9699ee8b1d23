package tuples

import (
	"bufio"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"

	"parlance/algo/engine/count"
	"parlance/algo/lexical/cooccurrence"
)

// collector takes batches in the order of the text. Rows go to temporary files until all words are known.
type collector struct {
	*words
	docs              []document
	first             int // number of the next document's first sentence
	tokens, bare, odd int
	spools            [tables]*spool
}

// spool is a temporary file of rows.
type spool struct {
	file *os.File
	out  *bufio.Writer
	rows int
}

const rowBytes = 16

func newCollector() (*collector, error) {
	c := &collector{words: newWords()}
	for k := range c.spools {
		f, err := count.TemporaryFile("")
		if err != nil {
			return nil, errors.Join(err, c.close())
		}
		c.spools[k] = &spool{file: f, out: bufio.NewWriterSize(f, 1<<18)}
	}
	return c, nil
}

func (c *collector) close() (err error) {
	for _, s := range c.spools {
		if s != nil {
			err = errors.Join(err, s.file.Close())
		}
	}
	return err
}

func (c *collector) sentences() int { return c.first }

// take numbers what a batch has anew.
func (c *collector) take(b *batch) error {
	nouns := make([]uint32, len(b.nouns.List))
	for i, s := range b.nouns.List {
		nouns[i] = c.noun(s, b.freq[i])
	}
	templates, conns := renumber(b.templates, c.templates), renumber(b.conns, c.conns)
	patterns := [tables][]uint32{ofTuples: templates, ofPaths: renumber(b.paths, c.paths),
		ofSurface: renumber(b.surface, c.surface)}
	for _, f := range b.forms {
		patterns[ofClauses] = append(patterns[ofClauses],
			c.form(clauseForm{templates[f.first], templates[f.second], conns[f.conn]}))
	}
	var buf [rowBytes]byte
	for k := range b.rows {
		for _, r := range b.rows[k] {
			binary.LittleEndian.PutUint32(buf[0:], patterns[k][r.pattern])
			binary.LittleEndian.PutUint32(buf[4:], nouns[r.noun1])
			other := uint32(0)
			if k != ofTuples {
				other = nouns[r.noun2]
			}
			binary.LittleEndian.PutUint32(buf[8:], other)
			binary.LittleEndian.PutUint32(buf[12:], uint32(c.first)+r.sentence)
			if _, err := c.spools[k].out.Write(buf[:]); err != nil {
				return err
			}
		}
		c.spools[k].rows += len(b.rows[k])
	}
	for _, d := range b.docs {
		c.docs = append(c.docs, d)
		c.first += d.sentences
	}
	c.tokens, c.bare, c.odd = c.tokens+b.tokens, c.bare+b.bare, c.odd+b.odd
	if c.first > math.MaxUint32 || len(c.forms) > math.MaxUint32 {
		return fmt.Errorf("there are more than %d sentences or pairs of templates", uint32(math.MaxUint32))
	}
	return nil
}

func renumber(from, to *cooccurrence.Texts) []uint32 {
	out := make([]uint32, len(from.List))
	for i, s := range from.List {
		out[i] = to.Number(s)
	}
	return out
}

// build makes the store: vocabularies in the order of their texts, documents in that of their ids, and the counts.
func (c *collector) build(ctx context.Context, m *model, workers int) (*store, error) {
	s := &store{}
	n := s.name(c.words, c.docs)
	for k := range s.table {
		counter := count.New[count.Tuple](count.Options{Workers: workers, Memory: m.memory, Keys: c.spools[k].rows})
		err := c.spools[k].each(ctx, counter, func(r row) count.Tuple { return n.row(k, r).key() })
		if err == nil {
			s.table[k], err = tally(ctx, counter, m.opt.evidence)
		}
		if err = errors.Join(err, counter.Close()); err != nil {
			return nil, err
		}
	}
	return s, nil
}

func (r row) key() count.Tuple {
	return count.Tuple{Hi: uint64(r.pattern)<<32 | uint64(r.noun1), Lo: uint64(r.noun2)<<32 | uint64(r.sentence)}
}

// each counts the rows of the file.
func (s *spool) each(ctx context.Context, c *count.Counter[count.Tuple], key func(row) count.Tuple) error {
	if err := s.out.Flush(); err != nil {
		return err
	}
	if _, err := s.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	w, in := c.Writer(ctx), bufio.NewReaderSize(s.file, 1<<18)
	var buf [rowBytes]byte
	for range s.rows {
		if _, err := io.ReadFull(in, buf[:]); err != nil {
			return errors.Join(fmt.Errorf("temporary file of tuples: %w", err), w.Close())
		}
		r := row{binary.LittleEndian.Uint32(buf[0:]), binary.LittleEndian.Uint32(buf[4:]),
			binary.LittleEndian.Uint32(buf[8:]), binary.LittleEndian.Uint32(buf[12:])}
		if err := w.Add(key(r)); err != nil {
			return errors.Join(err, w.Close())
		}
	}
	return w.Close()
}

// tally gathers the occurrences of each row and its first sentences.
func tally(ctx context.Context, c *count.Counter[count.Tuple], evidence int) (rows, error) {
	var t rows
	var last count.Tuple
	err := c.Each(ctx, 1, func(k count.Tuple, n uint64) bool {
		pattern, one, two := uint32(k.Hi>>32), uint32(k.Hi), uint32(k.Lo>>32)
		if i := t.len() - 1; i < 0 || last.Hi != k.Hi || last.Lo>>32 != k.Lo>>32 {
			t.add(pattern, one, two)
		}
		last = k
		i := t.len() - 1
		t.count[i] = addCounts(t.count[i], n)
		if int(t.end[i]-t.begin(i)) < evidence {
			t.refs = append(t.refs, uint32(k.Lo))
			t.end[i]++
		}
		return true
	})
	return t, err
}

func addCounts(a uint32, n uint64) uint32 { return uint32(min(uint64(a)+n, math.MaxUint32)) }

// numbers are the new numbers of what has been numbered before.
type numbers struct {
	nouns    []uint32
	patterns [tables][]uint32
	start    []uint32 // of each document, as before, its first sentence now
	before   []uint32 // and then
}

func (n *numbers) row(k int, r row) row {
	r.pattern, r.noun1, r.sentence = n.patterns[k][r.pattern], n.nouns[r.noun1], n.sentence(r.sentence)
	if k != ofTuples {
		r.noun2 = n.nouns[r.noun2]
	}
	return r
}

func (n *numbers) sentence(s uint32) uint32 {
	d, ok := slices.BinarySearch(n.before, s)
	if !ok {
		d--
	}
	for d+1 < len(n.before) && n.before[d+1] == s { // documents without sentences
		d++
	}
	return n.start[d] + s - n.before[d]
}

// name gives the store its vocabularies, sorted, and returns the new numbers.
func (s *store) name(w *words, docs []document) *numbers {
	n := &numbers{}
	s.nouns, n.nouns = sorted(w.nouns.List)
	s.freq = make([]uint32, len(w.freq))
	for i, f := range w.freq {
		s.freq[n.nouns[i]] = f
	}
	var templates, conns []uint32
	s.templates, templates = sorted(w.templates.List)
	s.conns, conns = sorted(w.conns.List)
	s.patterns[ofPaths], n.patterns[ofPaths] = sorted(w.paths.List)
	s.patterns[ofSurface], n.patterns[ofSurface] = sorted(w.surface.List)
	n.patterns[ofTuples] = templates
	forms := make([]clauseForm, len(w.forms))
	for i, f := range w.forms {
		forms[i] = clauseForm{templates[f.first], templates[f.second], conns[f.conn]}
	}
	order := ordered(len(forms), func(a, b int) int { return compareForms(forms[a], forms[b]) })
	n.patterns[ofClauses] = make([]uint32, len(forms))
	for to, from := range order {
		s.forms = append(s.forms, forms[from])
		n.patterns[ofClauses][from] = uint32(to)
	}
	s.place(docs, n)
	return n
}

// place puts the documents into the order of their ids.
func (s *store) place(docs []document, n *numbers) {
	first := uint32(0)
	for _, d := range docs {
		n.before = append(n.before, first)
		first += uint32(d.sentences)
	}
	n.start = make([]uint32, len(docs))
	first = 0
	for _, from := range ordered(len(docs), func(a, b int) int { return cmp.Compare(docs[a].id, docs[b].id) }) {
		s.docs = append(s.docs, docs[from])
		n.start[from] = first
		first += uint32(docs[from].sentences)
	}
}

func compareForms(a, b clauseForm) int {
	return cmp.Or(cmp.Compare(a.first, b.first), cmp.Compare(a.second, b.second), cmp.Compare(a.conn, b.conn))
}

// ordered is the numbers below n in an order; equal ones stay in theirs.
func ordered(n int, compare func(a, b int) int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	slices.SortStableFunc(out, compare)
	return out
}

// sorted is texts in order, and the new number of each.
func sorted(list []string) ([]string, []uint32) {
	order := ordered(len(list), func(a, b int) int { return cmp.Compare(list[a], list[b]) })
	out, number := make([]string, len(list)), make([]uint32, len(list))
	for to, from := range order {
		out[to] = list[from]
		number[from] = uint32(to)
	}
	return out, number
}
