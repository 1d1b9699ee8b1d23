package exec

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"os"

	"parlance/query/expr"
	"parlance/storage/value"
)

// ErrMemory is that an operator would need more memory than work_memory allows.
var ErrMemory = errors.New("the statement needs more memory than work_memory allows")

// leastMemory is what an operator has at least.
const leastMemory = 64 << 10

// memory is how much an operator may hold before it writes rows to temporary files.
func (r *run) memory() int { return max(leastMemory, r.ses.Settings.WorkMemory<<20) }

// spillFile is rows in a temporary file that has no name any more, so that nothing stays
// behind however the process ends.
type spillFile struct {
	f    *os.File
	w    *bufio.Writer
	rows int
	buf  []byte
}

func newSpill() (*spillFile, error) {
	f, err := os.CreateTemp("", "parlance-*")
	if err != nil {
		return nil, fmt.Errorf("temporary file: %w", err)
	}
	if err := os.Remove(f.Name()); err != nil {
		return nil, errors.Join(fmt.Errorf("temporary file: %w", err), f.Close())
	}
	return &spillFile{f: f, w: bufio.NewWriterSize(f, 1<<17)}, nil
}

// add writes a row.
func (s *spillFile) add(row []value.Value) error {
	s.buf = value.AppendRow(s.buf[:0], row)
	var head [binary.MaxVarintLen64]byte
	if _, err := s.w.Write(head[:binary.PutUvarint(head[:], uint64(len(s.buf)))]); err != nil {
		return fmt.Errorf("temporary file: %w", err)
	}
	if _, err := s.w.Write(s.buf); err != nil {
		return fmt.Errorf("temporary file: %w", err)
	}
	s.rows++
	return nil
}

// batch writes the rows of a batch.
func (s *spillFile) batch(b *value.Batch) error {
	row := make([]value.Value, 0, len(b.Cols))
	for i := range b.N {
		if err := s.add(b.Row(row[:0], i)); err != nil {
			return err
		}
	}
	return nil
}

// reader reads the rows from the beginning. Readers of one file may be used side by side.
func (s *spillFile) reader(types []value.Type) (*spillReader, error) {
	if err := s.w.Flush(); err != nil {
		return nil, fmt.Errorf("temporary file: %w", err)
	}
	size, err := s.f.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, fmt.Errorf("temporary file: %w", err)
	}
	return &spillReader{r: bufio.NewReaderSize(io.NewSectionReader(s.f, 0, size), 1<<16), types: types, left: s.rows}, nil
}

func (s *spillFile) close() error {
	if s == nil {
		return nil
	}
	return s.f.Close()
}

// spillReader yields the rows of a file.
type spillReader struct {
	r     *bufio.Reader
	types []value.Type
	left  int
	buf   []byte
}

// row returns the next row, nil at the end.
func (s *spillReader) row() ([]value.Value, error) {
	if s.left == 0 {
		return nil, nil
	}
	n, err := binary.ReadUvarint(s.r)
	if err != nil {
		return nil, fmt.Errorf("temporary file: %w", err)
	}
	if uint64(cap(s.buf)) < n {
		s.buf = make([]byte, n)
	}
	s.buf = s.buf[:n]
	if _, err := io.ReadFull(s.r, s.buf); err != nil {
		return nil, fmt.Errorf("temporary file: %w", err)
	}
	row, _, err := value.DecodeRow(s.buf)
	if err != nil {
		return nil, fmt.Errorf("temporary file: %w", err)
	}
	s.left--
	return row, nil
}

func (s *spillReader) Next(ctx context.Context) (*value.Batch, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var rows [][]value.Value
	for len(rows) < 4*value.BatchSize {
		row, err := s.row()
		if err != nil {
			return nil, err
		}
		if row == nil {
			break
		}
		rows = append(rows, row)
	}
	if len(rows) == 0 {
		return nil, nil
	}
	return value.FromRows(s.types, rows), nil
}

func (s *spillReader) Close() error { return nil }

// spillParts is how many files the rows of an operator are divided among.
const spillParts = 16

// parted divides rows among files by their keys: rows with equal keys share a file. Each level
// of division uses another hash.
type parted struct {
	level int
	files [spillParts]*spillFile
	key   []byte
}

// add writes row i of the batch to the file of its keys.
func (p *parted) add(b *value.Batch, keys []value.Vec, i int) error {
	p.key = append(p.key[:0], byte(p.level))
	for k := range keys {
		p.key = value.AppendKey(p.key, keys[k].At(i))
	}
	h := fnv.New64a()
	h.Write(p.key) // never fails
	sum := h.Sum64()
	n := (sum ^ sum>>32) % spillParts
	if p.files[n] == nil {
		f, err := newSpill()
		if err != nil {
			return err
		}
		p.files[n] = f
	}
	return p.files[n].add(b.Row(make([]value.Value, 0, len(b.Cols)), i))
}

// all writes the rows of an operator.
func (p *parted) all(ctx context.Context, in Operator, keys []expr.Expr, env *expr.Env) error {
	for {
		b, err := in.Next(ctx)
		if err != nil || b == nil {
			return err
		}
		vecs, err := evalAll(keys, env, b)
		if err != nil {
			return err
		}
		for i := range b.N {
			if err := p.add(b, vecs, i); err != nil {
				return err
			}
		}
	}
}

// take returns the next file that has rows and forgets it; nil if there is none.
func (p *parted) take() *spillFile {
	for i, f := range p.files {
		if f != nil {
			p.files[i] = nil
			return f
		}
	}
	return nil
}

func (p *parted) close() error {
	if p == nil {
		return nil
	}
	var errs []error
	for f := p.take(); f != nil; f = p.take() {
		errs = append(errs, f.close())
	}
	return errors.Join(errs...)
}
