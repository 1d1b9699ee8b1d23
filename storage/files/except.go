package files

import (
	"errors"
	"io/fs"
	"os"
)

// Except is files without the one at a path of the process, which statements neither read nor
// replace, by whatever name: the database itself.
func Except(f Files, path string) Files { return except{f, path} }

type except struct {
	Files
	path string
}

// allowed refuses the file.
func (e except) allowed(name string, info fs.FileInfo) error {
	own, err := os.Stat(e.path)
	if err == nil && os.SameFile(own, info) {
		return &Denied{name, "is the database itself", "BACKUP TO writes a copy of it"}
	}
	return nil
}

func (e except) Open(name string) (*os.File, error) {
	file, err := e.Files.Open(name)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil {
		err = e.allowed(name, info)
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

func (e except) Rename(from, to string) error {
	if info, err := e.Files.Lstat(to); err == nil {
		if err := e.allowed(to, info); err != nil {
			return err
		}
	}
	return e.Files.Rename(from, to)
}

// Mapped is the file system of the process under other names.
func Mapped(name func(string) (string, error)) Files { return mapped{name} }

type mapped struct {
	name func(string) (string, error)
}

func (m mapped) Stat(name string) (fs.FileInfo, error) { return with(m, name, os.Stat) }

func (m mapped) Lstat(name string) (fs.FileInfo, error) { return with(m, name, os.Lstat) }

func (m mapped) Glob(pattern string) ([]string, error) { return with(m, pattern, Anywhere.Glob) }

func (m mapped) Open(name string) (*os.File, error) { return with(m, name, os.Open) }

func (m mapped) Create(name string) (*os.File, error) { return with(m, name, Anywhere.Create) }

func (m mapped) Rename(from, to string) error { return m.pair(from, to, os.Rename) }

func (m mapped) Link(from, to string) error { return m.pair(from, to, os.Link) }

func (m mapped) Remove(name string) error {
	_, err := with(m, name, func(path string) (struct{}, error) { return struct{}{}, os.Remove(path) })
	return err
}

func with[T any](m mapped, name string, do func(string) (T, error)) (out T, err error) {
	path, err := m.name(name)
	if err != nil {
		return out, err
	}
	return do(path)
}

func (m mapped) pair(from, to string, do func(string, string) error) error {
	_, err := with(m, from, func(a string) (struct{}, error) {
		return with(m, to, func(b string) (struct{}, error) { return struct{}{}, do(a, b) })
	})
	return err
}
