// Package files is where statements read and write the files that they name: anywhere, below one
// folder, or nowhere.
package files

import (
	"bufio"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Files opens files by the names that statements give them. It need not be a file system: what a statement writes goes
// to Create under a hidden name beside the one that is wanted, and takes that by Rename when it is whole.
type Files interface {
	Stat(name string) (fs.FileInfo, error)  // of what a link leads to
	Lstat(name string) (fs.FileInfo, error) // of the link itself
	Glob(pattern string) ([]string, error)  // names that Open takes, sorted
	Open(name string) (File, error)         // for reading
	Create(name string) (NewFile, error)    // a file that was not there, which its owner alone reads
	Rename(from, to string) error           // replaces what is there
	Link(from, to string) error             // fails if something is there; of BACKUP
	Remove(name string) error
}

// File is a file that is read. Size and mode are those of Stat. Most formats are read from the beginning to the end;
// those that begin with their end, such as Parquet, and files of models are read by ReadAt.
type File interface {
	fs.File
	io.ReaderAt
}

// NewFile is a file that is written. A backup is written at its places, for which it must be an *os.File.
type NewFile interface {
	io.Writer
	io.Closer
}

// Denied is the error of a file that may not be touched.
type Denied struct {
	Name string
	Why  string
	Hint string // what would be right
}

func (d *Denied) Error() string { return d.Name + ": " + d.Why }

// Unwrap makes it an error of permission.
func (d *Denied) Unwrap() error { return fs.ErrPermission }

// Anywhere is the file system of the process.
var Anywhere Files = anywhere{}

type anywhere struct{}

func (anywhere) Stat(name string) (fs.FileInfo, error)  { return os.Stat(name) }
func (anywhere) Lstat(name string) (fs.FileInfo, error) { return os.Lstat(name) }
func (anywhere) Glob(pattern string) ([]string, error)  { return filepath.Glob(pattern) }
func (anywhere) Open(name string) (File, error)         { return orNil(os.Open(name)) }
func (anywhere) Rename(from, to string) error           { return os.Rename(from, to) }
func (anywhere) Link(from, to string) error             { return os.Link(from, to) }
func (anywhere) Remove(name string) error               { return os.Remove(name) }

func (anywhere) Create(name string) (NewFile, error) {
	return orNil(os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600))
}

// file is a file of the operating system as File and as NewFile.
type file interface {
	File
	NewFile
}

// orNil returns no file at all with an error.
func orNil(f *os.File, err error) (file, error) {
	if err != nil {
		return nil, err
	}
	return f, nil
}

// Nowhere refuses every name, for the given reason.
func Nowhere(why, hint string) Files { return nowhere{why, hint} }

type nowhere struct{ why, hint string }

func (n nowhere) denied(name string) error { return &Denied{name, n.why, n.hint} }

func (n nowhere) Stat(name string) (fs.FileInfo, error)  { return nil, n.denied(name) }
func (n nowhere) Lstat(name string) (fs.FileInfo, error) { return nil, n.denied(name) }
func (n nowhere) Glob(pattern string) ([]string, error)  { return nil, n.denied(pattern) }
func (n nowhere) Open(name string) (File, error)         { return nil, n.denied(name) }
func (n nowhere) Create(name string) (NewFile, error)    { return nil, n.denied(name) }
func (n nowhere) Rename(_, to string) error              { return n.denied(to) }
func (n nowhere) Link(_, to string) error                { return n.denied(to) }
func (n nowhere) Remove(name string) error               { return n.denied(name) }

// Temporary creates a file beside another, with a hidden name that is free.
func Temporary(f Files, beside string) (NewFile, string, error) {
	for tries := 0; ; tries++ {
		name := filepath.Join(filepath.Dir(beside), "."+filepath.Base(beside)+"-"+rand.Text()[:10])
		file, err := f.Create(name)
		if !errors.Is(err, fs.ErrExist) || tries > 100 {
			if e, ok := err.(*fs.PathError); ok { // it is about the folder, so about the file that is wanted
				err = &fs.PathError{Op: e.Op, Path: beside, Err: e.Err}
			}
			return file, name, err
		}
	}
}

// Replace writes a file, of mode 0644, that takes the name when all went well.
func Replace(f Files, name string, write func(io.Writer) error) error {
	tmp, err := hidden(f, name, write)
	if err != nil {
		return err
	}
	if err := f.Rename(tmp, name); err != nil {
		return errors.Join(err, f.Remove(tmp))
	}
	return nil
}

// hidden writes a file, of mode 0644, beside the one of a name that it can replace.
func hidden(f Files, name string, write func(io.Writer) error) (tmp string, err error) {
	if info, err := f.Lstat(name); err == nil && !info.Mode().IsRegular() && info.Mode()&fs.ModeSymlink == 0 {
		return "", &fs.PathError{Op: "replace", Path: name, Err: fmt.Errorf("%w and no regular file", fs.ErrExist)}
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	file, tmp, err := Temporary(f, name)
	if err != nil {
		return "", err
	}
	w := bufio.NewWriterSize(file, 1<<16)
	err = errors.Join(write(w), w.Flush())
	if m, ok := file.(interface{ Chmod(fs.FileMode) error }); ok {
		err = errors.Join(err, m.Chmod(0o644))
	}
	if err = errors.Join(err, file.Close()); err != nil {
		return "", errors.Join(err, f.Remove(tmp))
	}
	return tmp, nil
}
