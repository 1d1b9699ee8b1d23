package dbfile

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"syscall"
	"time"

	"parlance/storage/sealed"
)

type header struct {
	Magic   string `json:"magic"`
	Version int    `json:"version"`
	Program string `json:"program"`
}

const magic = "parlance"

// Open opens or creates the file at path, then calls read, which reads what is in it; if that fails, the file is
// closed. A file held by another process gives ErrLocked within a second; a foreign or newer file is refused and left
// as it is.
func Open(path string, o Options, read func(*File) error) (s *File, err error) {
	// Damaged pages may make bbolt panic, or read outside of the file.
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if v := recover(); v != nil {
			s, err = nil, fmt.Errorf("open %s: %w", path, damage(v))
		}
	}()
	return openFile(path, o, read)
}

func openFile(path string, o Options, read func(*File) error) (*File, error) {
	b, opened, err := openBolt(path, o.ReadOnly, mayInit(path, o))
	found := (*sealed.Damage)(nil)
	switch {
	case errors.Is(err, sealed.ErrTimeout):
		return nil, fmt.Errorf("open %s: %w", path, openFiles.lockedBy(path))
	case errors.Is(err, ErrEmptyFile):
		return nil, fmt.Errorf("open %s: %w", path, ErrEmptyFile)
	case errors.Is(err, sealed.ErrForeign):
		return nil, fmt.Errorf("open %s: %w", path, foreign(path))
	case errors.Is(err, sealed.ErrVersion):
		return nil, fmt.Errorf("open %s: %w: this program reads format %d", path, ErrOlder, FormatVersion)
	case errors.Is(err, sealed.ErrInvalid):
		return nil, fmt.Errorf("open %s: %w", path, ErrNotDatabase)
	case errors.As(err, &found):
		return nil, fmt.Errorf("open %s: %w", path, (&File{}).named(err))
	case (errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS)) && !o.ReadOnly:
		if f, e := os.Open(path); e == nil {
			f.Close()
			return nil, fmt.Errorf("open %s: %w", path, ErrUnwritable)
		}
		return nil, fmt.Errorf("open %s: %w", path, err)
	case err != nil:
		if e := (*fs.PathError)(nil); errors.As(err, &e) && e.Path == path {
			return nil, err // the error names the file
		}
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	s := &File{path: path, bolt: b, opened: opened, readOnly: o.ReadOnly, temporary: o.Temporary, owner: o.Owner}
	if s.found, err = opened.Stat(); err == nil {
		s.absolute, err = filepath.Abs(path)
	}
	if err == nil {
		err = s.prepare(o)
	}
	if err == nil {
		err = read(s)
	}
	if err != nil {
		b.Close()
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	s.listed = openFiles.add(s.absolute)
	return s, nil
}

// older is the error of a file of an earlier format.
func older(version int) error {
	return fmt.Errorf("%w: its format is %d, this program reads %d", ErrOlder, version, FormatVersion)
}

// foreign is the error of a file whose values have no checksums: one of an earlier format, or of another program.
func foreign(path string) error {
	h, err := sealed.Unsealed(path, time.Second, Meta, []byte("header"))
	var old header
	if err != nil || json.Unmarshal(h, &old) != nil || old.Magic != magic {
		return ErrNotDatabase
	}
	return older(old.Version)
}

// mayInit reports whether an empty file becomes a database: a new one, or where that is asked for.
func mayInit(path string, o Options) bool {
	_, err := os.Stat(path)
	return !o.ReadOnly && (o.Empty || errors.Is(err, fs.ErrNotExist))
}

// openBolt opens a file, and returns its handle, which identifies it after renames. Closing the database closes it.
func openBolt(path string, readOnly, init bool) (b *sealed.DB, opened *os.File, err error) {
	for _, size := range []int{16 << 30, 0} {
		// a large map need not be remapped, but takes address space, which may be limited
		b, opened, err = openMapped(path, readOnly, init, size)
		if !errors.Is(err, syscall.ENOMEM) {
			return b, opened, err
		}
	}
	return nil, nil, fmt.Errorf("%w for a map of the file: is the address space limited (ulimit -v)?", err)
}

// openMapped opens a file with a memory map of at least that size.
func openMapped(path string, readOnly, init bool, size int) (*sealed.DB, *os.File, error) {
	var opened *os.File
	b, err := sealed.Open(path, 0o600, &sealed.Options{
		Timeout: time.Second, ReadOnly: readOnly, InitialMmapSize: size,
		OpenFile: func(name string, flag int, mode fs.FileMode) (f *os.File, err error) {
			f, err = os.OpenFile(name, flag, mode)
			if err == nil && !init {
				err = refuseEmpty(f)
			}
			if err != nil && f != nil {
				return nil, errors.Join(err, f.Close())
			}
			opened = f
			return f, err
		},
	})
	if err == nil {
		b.SetAllocSize(4 << 20)
	}
	return b, opened, err
}

// refuseEmpty returns ErrEmptyFile for a file of 0 bytes. A file that another process is creating has a moment to fill.
func refuseEmpty(f *os.File) error {
	for range 10 {
		info, err := f.Stat()
		if err != nil || info.Size() > 0 {
			return err
		}
		time.Sleep(10 * time.Millisecond)
	}
	return ErrEmptyFile
}

// prepare checks the header, or writes it into an empty file.
func (s *File) prepare(o Options) error {
	h, err := s.header()
	switch {
	case err != nil:
		return err
	case h == nil && s.readOnly:
		return ErrNotDatabase
	case h == nil:
		s.unwritten = o.RemoveUnwritten
		return s.create(o)
	case h.Version > FormatVersion:
		return fmt.Errorf("%w: its format is %d, this program reads %d", ErrNewer, h.Version, FormatVersion)
	case h.Version < FormatVersion:
		return older(h.Version)
	}
	return nil
}

// header reads the header of the file; it is nil if the file is empty.
func (s *File) header() (h *header, err error) {
	err = s.View(func(tx *sealed.Tx) error {
		m := tx.Bucket(Meta)
		if m == nil {
			return tx.ForEach(func([]byte, *sealed.Bucket) error { return ErrNotDatabase })
		}
		if err := json.Unmarshal(m.Get([]byte("header")), &h); err != nil || h == nil || h.Magic != magic {
			return ErrNotDatabase
		}
		return nil
	})
	return h, err
}

// create turns an empty file into a database.
func (s *File) create(o Options) error {
	raw, err := json.Marshal(header{magic, FormatVersion, o.Program})
	if err != nil {
		return err
	}
	return s.bolt.Update(func(tx *sealed.Tx) error {
		for _, name := range allBuckets {
			if _, err := tx.CreateBucketIfNotExists(name); err != nil {
				return err
			}
		}
		return tx.Bucket(Meta).Put([]byte("header"), raw)
	})
}
