package count

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
)

// spool keeps pieces of bytes: in memory while there is room, then in a temporary file without a name.
type spool struct {
	room   int64 // bytes that may be in memory
	create func() (*os.File, error)

	mu   sync.Mutex
	held int64 // bytes in memory
	end  int64 // of the file
	f    *os.File
}

// piece is where bytes lie.
type piece struct {
	held []byte // nil where they are in the file
	at   int64
	size int
}

// TemporaryFile opens a file without a name in a folder, "" for that of the system, which goes with the process.
func TemporaryFile(folder string) (*os.File, error) {
	f, err := os.CreateTemp(folder, "parlance-*")
	if err != nil {
		return nil, err
	}
	if err := os.Remove(f.Name()); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// put keeps a copy of bytes.
func (s *spool) put(b []byte) (piece, error) {
	p, f, err := s.reserve(b)
	if err != nil || p.held != nil {
		return p, err
	}
	if _, err := f.WriteAt(b, p.at); err != nil {
		return piece{}, fmt.Errorf("temporary file of counts: %w", err)
	}
	return p, nil
}

// reserve finds a place, so that several writers write at once.
func (s *spool) reserve(b []byte) (piece, *os.File, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := int64(len(b)); s.held+n <= s.room {
		s.held += n
		return piece{held: slices.Clone(b), size: len(b)}, nil, nil
	}
	if s.f == nil {
		f, err := s.create()
		if err != nil {
			return piece{}, nil, fmt.Errorf("temporary file of counts: %w", err)
		}
		s.f = f
	}
	p := piece{at: s.end, size: len(b)}
	s.end += int64(len(b))
	return p, s.f, nil
}

// get returns the bytes of a piece, in buf if they are not in memory.
func (s *spool) get(p piece, buf []byte) (got, room []byte, err error) {
	if p.held != nil {
		return p.held, buf, nil
	}
	buf = slices.Grow(buf[:0], p.size)[:p.size]
	if _, err := s.f.ReadAt(buf, p.at); err != nil {
		return nil, buf, fmt.Errorf("temporary file of counts: %w", err)
	}
	return buf, buf, nil
}

// close frees everything.
func (s *spool) close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	f := s.f
	s.f, s.held, s.end = nil, 0, 0
	if f == nil {
		return nil
	}
	return f.Close()
}
