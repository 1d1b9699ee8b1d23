package operator

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"parlance/query/expr"
	"parlance/storage/files"
	"parlance/storage/value"
)

// ErrMemory is the error of an operator that cannot keep to work_memory.
var ErrMemory = errors.New("the statement needs more memory than work_memory allows")

// LeastMemory is the least memory of an operator, in bytes.
const LeastMemory = 64 << 10

// spillFile holds batches in a temporary file. The file has no name, so nothing is left behind however the process
// ends.
type spillFile struct {
	f       *files.Unnamed
	w       *bufio.Writer
	batches int
	buf     []byte
}

func fileFault(err error) error { return fmt.Errorf("temporary file: %w", err) }

func newSpill() (*spillFile, error) {
	f, err := files.NewUnnamed()
	if err != nil {
		return nil, err
	}
	return &spillFile{f: f, w: bufio.NewWriterSize(f, 1<<17)}, nil
}

// spillBatch is about the most bytes of a batch in a file, so that many files can be read at the same time.
const spillBatch = 1 << 20

// add writes a batch; wide rows are written as several batches.
func (s *spillFile) add(b *value.Batch) error {
	if b.N > 1 && expr.ValuesBytes(b.Cols, b.N) > spillBatch {
		half := b.N / 2
		if err := s.add(b.Slice(0, half)); err != nil {
			return err
		}
		return s.add(b.Slice(half, b.N))
	}
	s.buf = value.AppendBatch(s.buf[:0], b)
	var head [binary.MaxVarintLen64]byte
	if _, err := s.w.Write(head[:binary.PutUvarint(head[:], uint64(len(s.buf)))]); err != nil {
		return fileFault(err)
	}
	if _, err := s.w.Write(s.buf); err != nil {
		return fileFault(err)
	}
	s.batches++
	if cap(s.buf) > 2*spillBatch {
		s.buf = nil
	}
	return nil
}

// reader returns an operator that yields the batches from the beginning. Several may read one file at the same time.
func (s *spillFile) reader() (*spillReader, error) {
	if err := s.w.Flush(); err != nil {
		return nil, fileFault(err)
	}
	size, err := s.f.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, fileFault(err)
	}
	return &spillReader{r: bufio.NewReaderSize(io.NewSectionReader(s.f, 0, size), 1<<16), left: s.batches}, nil
}

func (s *spillFile) close() error {
	if s == nil {
		return nil
	}
	return s.f.Close()
}

// spillReader yields the batches of a file, or row by row.
type spillReader struct {
	r     *bufio.Reader
	left  int
	buf   []byte
	batch *value.Batch // for row: the batch whose rows come next
	at    int
}

func (s *spillReader) Next(ctx context.Context) (*value.Batch, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return s.next()
}

func (s *spillReader) next() (*value.Batch, error) {
	if s.left == 0 {
		return nil, nil
	}
	n, err := binary.ReadUvarint(s.r)
	if err != nil {
		return nil, fileFault(err)
	}
	if uint64(cap(s.buf)) < n {
		s.buf = make([]byte, n)
	}
	s.buf = s.buf[:n]
	if _, err := io.ReadFull(s.r, s.buf); err != nil {
		return nil, fileFault(err)
	}
	s.left--
	b, err := value.DecodeBatch(s.buf)
	if err != nil {
		return nil, fileFault(err)
	}
	if cap(s.buf) > 2*spillBatch {
		s.buf = nil
	}
	return b, nil
}

// row returns the next row, nil at the end.
func (s *spillReader) row() ([]value.Value, error) {
	for s.batch == nil || s.at == s.batch.N {
		b, err := s.next()
		if err != nil || b == nil {
			return nil, err
		}
		s.batch, s.at = b, 0
	}
	s.at++
	return s.batch.Row(make([]value.Value, 0, len(s.batch.Cols)), s.at-1), nil
}

func (s *spillReader) Close() error { return nil }

// spillFanOut is the number of partitions that rows are divided into.
const spillFanOut = 16

// spillPartitions divides rows among files by a hash of their keys, so that rows with equal keys are in one file. A
// partition that still does not fit is partitioned again at the next level, which uses another hash.
type spillPartitions struct {
	level  int
	files  [spillFanOut]*spillFile
	hashes []uint64
	rows   [spillFanOut][]int
}

// add writes some rows of a batch, all if rows is nil, to the files of their keys.
func (p *spillPartitions) add(b *value.Batch, keys []value.Vec, rows []int) error {
	p.hashes = value.Hash(p.hashes, keys, b.N, uint64(p.level))
	for i := range p.rows {
		p.rows[i] = p.rows[i][:0]
	}
	put := func(i int) {
		n := p.hashes[i] >> 60
		p.rows[n] = append(p.rows[n], i)
	}
	if rows == nil {
		for i := range b.N {
			put(i)
		}
	}
	for _, i := range rows {
		put(i)
	}
	for n, rows := range p.rows {
		if len(rows) == 0 {
			continue
		}
		if p.files[n] == nil {
			f, err := newSpill()
			if err != nil {
				return err
			}
			p.files[n] = f
		}
		if err := p.files[n].add(b.Select(rows)); err != nil {
			return err
		}
	}
	return nil
}

// addAll writes all rows of an operator.
func (p *spillPartitions) addAll(ctx context.Context, in Operator, keys []expr.Expr, env *expr.Env) error {
	for {
		b, err := in.Next(ctx)
		if err != nil || b == nil {
			return err
		}
		vecs, err := EvalAll(keys, env, b)
		if err != nil {
			return err
		}
		if err := p.add(b, vecs, nil); err != nil {
			return err
		}
	}
}

// unassigned returns the rows that GroupTable.lookup found no number for.
func unassigned(ids []int32) []int {
	out := []int{}
	for i, id := range ids {
		if id < 0 {
			out = append(out, i)
		}
	}
	return out
}

// next removes a file that has rows and returns it; nil if there is none left.
func (p *spillPartitions) next() *spillFile {
	for i, f := range p.files {
		if f != nil {
			p.files[i] = nil
			return f
		}
	}
	return nil
}

func (p *spillPartitions) close() error {
	if p == nil {
		return nil
	}
	var errs []error
	for f := p.next(); f != nil; f = p.next() {
		errs = append(errs, f.close())
	}
	return errors.Join(errs...)
}
