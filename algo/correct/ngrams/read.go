package ngrams

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"os"
	"slices"
	"strings"
	"time"

	"parlance/algo/engine/count"
	"parlance/algo/kind"
	"parlance/algo/text"
)

// spool is the sentences of a corpus in a temporary file: words by first occurrence, from 1, each sentence with 0 at
// its end.
type spool struct {
	file   *os.File
	out    *bufio.Writer
	ids    map[string]uint32
	words  []string
	tokens int
	lower  bool
	buf    []byte
}

func newSpool(lower bool) (*spool, error) {
	f, err := count.TemporaryFile("")
	if err != nil {
		return nil, err
	}
	return &spool{file: f, out: bufio.NewWriterSize(f, 1<<20), ids: map[string]uint32{}, lower: lower}, nil
}

func (s *spool) close() error { return s.file.Close() }

// read takes the sentences of all documents.
func (s *spool) read(ctx context.Context, t *kind.Training) error {
	begun, last, docs := time.Now(), time.Now(), 0
	for d, err := range t.On.Documents(ctx) {
		if err != nil {
			return err
		}
		for forms := range sentences(d) {
			if err := s.add(forms); err != nil {
				return err
			}
			if s.tokens&0xfff < len(forms) && ctx.Err() != nil {
				return ctx.Err()
			}
		}
		if docs++; time.Since(last) > time.Second {
			last = time.Now()
			t.Report(kind.Progress{Step: docs, Of: max(t.On.Count(), docs), Objective: math.NaN(), HeldOut: math.NaN(),
				Seconds: time.Since(begun).Seconds(), Note: text.Countf("%d {token|tokens}, %d {word|words}", s.tokens,
					len(s.words))})
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if s.tokens == 0 {
		return fmt.Errorf("%w: there are no tokens", kind.ErrNoData)
	}
	return s.out.Flush()
}

// sentences yields the forms of each sentence of a document.
func sentences(d *text.Document) iter.Seq[[]string] {
	return func(yield func([]string) bool) {
		toks := d.Layer(text.Tokens.Name)
		if toks == nil || toks.Strs("form") == nil {
			return
		}
		forms := toks.Strs("form")
		for s := range d.Sentences() {
			if !yield(forms[s.From:s.To]) {
				return
			}
		}
	}
}

func (s *spool) add(forms []string) error {
	b, kept := s.buf[:0], 0
	for _, w := range forms {
		if w = plain(w, s.lower); w == "" {
			continue
		}
		id, ok := s.ids[w]
		if !ok {
			w = strings.Clone(w)
			s.words = append(s.words, w)
			id = uint32(len(s.words))
			s.ids[w] = id
		}
		b = binary.AppendUvarint(b, uint64(id))
		kept++
	}
	if kept == 0 {
		return nil
	}
	s.tokens += kept
	s.buf = append(b, 0)
	_, err := s.out.Write(s.buf)
	return err
}

// sorted is the words in the order of their bytes.
func (s *spool) sorted() []string {
	words := slices.Clone(s.words)
	slices.Sort(words)
	return words
}

// tally counts the windows of all sentences, with the ids of a vocabulary.
func (s *spool) tally(ctx context.Context, v *vocabulary, g count.Grams,
	o count.Options) (c *count.Counter[count.Tuple],
	err error) {
	s.ids = nil
	number := v.find(make([]uint32, 1, len(s.words)+1), s.words)
	c = count.New[count.Tuple](o)
	defer func() {
		if err != nil {
			err = errors.Join(err, c.Close())
		}
	}()
	if _, err := s.file.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	w, in := c.Writer(ctx), bufio.NewReaderSize(s.file, 1<<20)
	sentence := []uint32{begin}
	for {
		id, err := binary.ReadUvarint(in)
		if err == io.EOF {
			return c, w.Close()
		}
		if err != nil {
			return nil, errors.Join(fmt.Errorf("temporary file of sentences: %w", err), w.Close())
		}
		if id != 0 {
			sentence = append(sentence, number[id])
			continue
		}
		if err := g.Windows(append(sentence, end), w.Add); err != nil {
			return nil, errors.Join(err, w.Close())
		}
		sentence = sentence[:1]
	}
}

// counted is the windows of a counter.
func counted(ctx context.Context, c *count.Counter[count.Tuple]) rows {
	return func(yield func(count.Tuple, uint64) error) error {
		var failed error
		err := c.Each(ctx, 1, func(t count.Tuple, n uint64) bool {
			failed = yield(t, n)
			return failed == nil
		})
		return errors.Join(failed, err)
	}
}

// joined is the windows of both, counts of equal ones added.
func joined(a rows, b iter.Seq2[count.Tuple, uint64]) rows {
	return func(yield func(count.Tuple, uint64) error) error {
		next, stop := iter.Pull2(b)
		defer stop()
		key, m, more := next()
		err := a(func(t count.Tuple, n uint64) error {
			for ; more && before(key, t); key, m, more = next() {
				if err := yield(key, m); err != nil {
					return err
				}
			}
			if more && key == t {
				n += m
				key, m, more = next()
			}
			return yield(t, n)
		})
		for ; err == nil && more; key, m, more = next() {
			err = yield(key, m)
		}
		return err
	}
}

func before(a, b count.Tuple) bool { return a.Hi < b.Hi || a.Hi == b.Hi && a.Lo < b.Lo }
