package count

import (
	"bufio"
	"context"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"slices"
)

// A saved state is a magic, a byte for the kind of keys, then blocks of blockRows rows, the last one shorter, each
//
//	rows uint32 | bytes uint32 | data | crc32c uint32 of all of these
//
// in little endian, and a block of no rows, whose data is the number of all rows.
const magic = "parlance counts 1"

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// maxBlock bounds the bytes of a block that is read.
const maxBlock = 1 << 30

// Save writes all counts. Equal counts give equal bytes.
func (c *Counter[K]) Save(ctx context.Context, to io.Writer) error {
	sources, err := c.all(ctx)
	if err != nil {
		return err
	}
	m, err := merge(c.codec, sources)
	if err != nil {
		return err
	}
	s := newSaver(c.codec, to)
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		keys, counts, err := m.next()
		if err != nil {
			return err
		}
		if len(keys) == 0 {
			return s.close()
		}
		for i, k := range keys {
			if err := s.add(k, counts[i]); err != nil {
				return err
			}
		}
	}
}

// saver writes a saved state of keys that come by rising key, each once.
type saver[K Key] struct {
	codec  *codec[K]
	to     *bufio.Writer
	buf    []byte
	keys   []K
	counts []uint64
	total  uint64
}

func newSaver[K Key](c *codec[K], to io.Writer) *saver[K] {
	s := &saver[K]{codec: c, to: bufio.NewWriterSize(to, 1<<16)}
	_, _ = s.to.WriteString(magic + string([]byte{c.id})) // the writer keeps the error
	return s
}

func (s *saver[K]) add(k K, n uint64) error {
	s.keys, s.counts = append(s.keys, k), append(s.counts, n)
	if len(s.keys) < blockRows {
		return nil
	}
	return s.block()
}

// block writes what was added as a block.
func (s *saver[K]) block() error {
	n := len(s.keys)
	s.buf = s.codec.encode(append(s.buf[:0], make([]byte, 8)...), s.keys, s.counts)
	if s.total += uint64(n); n == 0 {
		s.buf = binary.LittleEndian.AppendUint64(s.buf, s.total)
	}
	binary.LittleEndian.PutUint32(s.buf, uint32(n))
	binary.LittleEndian.PutUint32(s.buf[4:], uint32(len(s.buf)-8))
	s.buf = binary.LittleEndian.AppendUint32(s.buf, crc32.Checksum(s.buf, castagnoli))
	clear(s.keys)
	s.keys, s.counts = s.keys[:0], s.counts[:0]
	_, err := s.to.Write(s.buf)
	return err
}

// close writes what is left and the end.
func (s *saver[K]) close() error {
	if len(s.keys) > 0 {
		if err := s.block(); err != nil {
			return err
		}
	}
	if err := s.block(); err != nil {
		return err
	}
	return s.to.Flush()
}

// Load adds the counts of a saved state. Where its keys are numbered in another way, renumber gives those of this
// counter; it must keep their order, as sorted vocabularies do when they are merged. nil leaves keys as they are.
// What comes after the state in the reader may be read ahead.
func (c *Counter[K]) Load(ctx context.Context, from io.Reader, renumber func(K) K) error {
	s := &saved[K]{codec: c.codec, from: bufio.NewReaderSize(from, 1<<16), renumber: renumber}
	if err := s.begin(); err != nil {
		return err
	}
	c.mu.Lock()
	err, to := c.err, c.spool
	c.mu.Unlock()
	if err != nil {
		return err
	}
	r, err := record(ctx, c.codec, s, to, c.progress.recorded)
	if err != nil {
		return err // nothing of the state counts
	}
	return c.add(r, nil)
}

// saved reads a saved state.
type saved[K Key] struct {
	codec    *codec[K]
	from     *bufio.Reader
	renumber func(K) K
	buf      []byte
	keys     []K
	counts   []uint64
	last     *K
	total    uint64
}

func (s *saved[K]) begin() error {
	head := make([]byte, len(magic)+1)
	if err := s.read(head); err != nil {
		return err
	}
	if string(head[:len(magic)]) != magic {
		return fmt.Errorf("%w: not a state of counts", ErrCorrupt)
	}
	if head[len(magic)] != s.codec.id {
		return fmt.Errorf("%w: they are of other keys", ErrCorrupt)
	}
	return nil
}

func (s *saved[K]) read(b []byte) error {
	_, err := io.ReadFull(s.from, b)
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return fmt.Errorf("%w: they are cut off", ErrCorrupt)
	}
	return err
}

// block reads and checks the next block.
func (s *saved[K]) block() (rows int, data []byte, err error) {
	var head [8]byte
	if err := s.read(head[:]); err != nil {
		return 0, nil, err
	}
	n, size := binary.LittleEndian.Uint32(head[:]), binary.LittleEndian.Uint32(head[4:])
	if n > blockRows || size > maxBlock {
		return 0, nil, ErrCorrupt
	}
	s.buf = append(s.buf[:0], head[:]...)
	for want := 8 + int(size) + 4; len(s.buf) < want; { // in steps, so that a damaged size takes no memory
		from := len(s.buf)
		s.buf = slices.Grow(s.buf, min(1<<20, want-from))[:min(want, from+1<<20)]
		if err := s.read(s.buf[from:]); err != nil {
			return 0, nil, err
		}
	}
	end := len(s.buf) - 4
	if crc32.Checksum(s.buf[:end], castagnoli) != binary.LittleEndian.Uint32(s.buf[end:]) {
		return 0, nil, ErrCorrupt
	}
	return int(n), s.buf[8:end], nil
}

func (s *saved[K]) next() ([]K, []uint64, error) {
	n, data, err := s.block()
	if err != nil {
		return nil, nil, err
	}
	if n == 0 {
		if len(data) != 8 || binary.LittleEndian.Uint64(data) != s.total {
			return nil, nil, ErrCorrupt
		}
		return nil, nil, nil
	}
	s.keys, s.counts = slices.Grow(s.keys[:0], n)[:n], slices.Grow(s.counts[:0], n)[:n]
	if err := s.codec.decode(data, s.keys, s.counts); err != nil {
		return nil, nil, err
	}
	for i, k := range s.keys {
		if s.renumber != nil {
			k = s.renumber(k)
			s.keys[i] = k
		}
		if s.last != nil && !s.codec.before(*s.last, k) {
			return nil, nil, fmt.Errorf("%w: keys do not rise", ErrCorrupt)
		}
		if s.last == nil {
			s.last = new(K)
		}
		*s.last = k
	}
	s.total += uint64(n)
	return s.keys, s.counts, nil
}
