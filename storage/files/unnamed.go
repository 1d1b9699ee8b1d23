package files

import (
	"errors"
	"fmt"
	"os"

	"parlance/storage/failing"
)

// Unnamed is a temporary file without a name, which goes with the process however that ends.
type Unnamed struct{ f *os.File }

// NewUnnamed opens a temporary file.
func NewUnnamed() (*Unnamed, error) {
	if err := failing.At(failing.TempOpen); err != nil {
		return nil, temporary(err)
	}
	f, err := os.CreateTemp("", "parlance-*")
	if err != nil {
		return nil, temporary(err)
	}
	if err := os.Remove(f.Name()); err != nil {
		return nil, errors.Join(temporary(err), f.Close())
	}
	return &Unnamed{f}, nil
}

func temporary(err error) error { return fmt.Errorf("temporary file: %w", err) }

// Stat tells the size of the file.
func (u *Unnamed) Stat() (os.FileInfo, error) { return u.f.Stat() }

// Seek sets the place of the next Read or Write.
func (u *Unnamed) Seek(offset int64, whence int) (int64, error) { return u.f.Seek(offset, whence) }

// Close gives the space back.
func (u *Unnamed) Close() error { return u.f.Close() }

func (u *Unnamed) Read(b []byte) (int, error) {
	if err := failing.At(failing.TempRead); err != nil {
		return 0, err
	}
	return u.f.Read(b)
}

// ReadAt reads at a place.
func (u *Unnamed) ReadAt(b []byte, at int64) (int, error) {
	if err := failing.At(failing.TempRead); err != nil {
		return 0, err
	}
	return u.f.ReadAt(b, at)
}

func (u *Unnamed) Write(b []byte) (int, error) {
	if err := failing.At(failing.TempWrite); err != nil {
		return 0, err
	}
	return u.f.Write(b)
}

// WriteAt writes at a place.
func (u *Unnamed) WriteAt(b []byte, at int64) (int, error) {
	if err := failing.At(failing.TempWrite); err != nil {
		return 0, err
	}
	return u.f.WriteAt(b, at)
}
