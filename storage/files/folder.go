package files

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// Folder is the files below one folder. Neither .. nor links lead out of it, even if they change
// while a file is opened; what is no regular file is refused. Relative names start at the folder,
// absolute ones must lie in it.
type Folder struct {
	root *os.Root
	dirs []string // its absolute path, as given and without links
}

// nonblocking opens for reading without waiting for the writer of a pipe.
const nonblocking = os.O_RDONLY | syscall.O_NONBLOCK

// Below opens a folder.
func Below(dir string) (*Folder, error) {
	path, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(real)
	if err != nil {
		return nil, err
	}
	return &Folder{root, []string{path, real}}, nil
}

// Close lets go of the folder.
func (f *Folder) Close() error { return f.root.Close() }

func outside(name string) error {
	return &Denied{name, "lies outside of the server's folder for files",
		"name a path below that folder, such as 'news.conllu'"}
}

// local returns the path of a name from the folder on.
func (f *Folder) local(name string) (string, error) {
	path := filepath.Clean(name)
	if name == "" {
		return "", &fs.PathError{Op: "open", Path: name, Err: errors.New("the name is empty")}
	}
	if !filepath.IsAbs(path) {
		if filepath.IsLocal(path) {
			return path, nil
		}
		return "", outside(name)
	}
	for _, dir := range f.dirs {
		if rel, err := filepath.Rel(dir, path); err == nil && filepath.IsLocal(rel) {
			return rel, nil
		}
	}
	return "", outside(name)
}

// fault gives an error of the folder the name in the statement. Errors that no system call gave
// are those of links that lead out.
func fault(name string, err error) error {
	var path *fs.PathError
	var link *os.LinkError
	var code syscall.Errno
	switch {
	case err == nil:
		return nil
	case !errors.As(err, &code) && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrExist) &&
		!errors.Is(err, fs.ErrClosed):
		return outside(name)
	case errors.As(err, &path):
		return &fs.PathError{Op: "open", Path: name, Err: path.Err}
	case errors.As(err, &link):
		return &fs.PathError{Op: "write", Path: name, Err: link.Err}
	}
	return err
}

// Stat tells about a file, or what a link leads to.
func (f *Folder) Stat(name string) (fs.FileInfo, error) { return f.info(name, f.root.Stat) }

// Lstat tells about a file or link.
func (f *Folder) Lstat(name string) (fs.FileInfo, error) { return f.info(name, f.root.Lstat) }

func (f *Folder) info(name string, of func(string) (fs.FileInfo, error)) (fs.FileInfo, error) {
	path, err := f.local(name)
	if err != nil {
		return nil, err
	}
	info, err := of(path)
	return info, fault(name, err)
}

// Glob lists the names that match a pattern, from the folder on.
func (f *Folder) Glob(pattern string) ([]string, error) {
	path, err := f.local(pattern)
	if err != nil {
		return nil, err
	}
	return fs.Glob(tree{f.root}, filepath.ToSlash(path))
}

// tree lists folders for Glob, which takes whatever it finds for one: a pipe must not be opened.
type tree struct{ root *os.Root }

func (t tree) Open(name string) (fs.File, error) { return t.root.OpenFile(name, nonblocking, 0) }

func (t tree) Stat(name string) (fs.FileInfo, error) { return t.root.Stat(name) }

// ReadDir lists a folder by name.
func (t tree) ReadDir(name string) ([]fs.DirEntry, error) {
	if info, err := t.root.Stat(name); err != nil || !info.IsDir() {
		return nil, errors.Join(err, fs.ErrInvalid)
	}
	dir, err := t.root.OpenFile(name, nonblocking, 0)
	if err != nil {
		return nil, err
	}
	list, err := dir.ReadDir(-1)
	slices.SortFunc(list, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return list, errors.Join(err, dir.Close())
}

// Open opens a regular file. What is a pipe or device is not even waited for.
func (f *Folder) Open(name string) (File, error) {
	path, err := f.local(name)
	if err != nil {
		return nil, err
	}
	info, err := f.root.Stat(path)
	if err != nil {
		return nil, fault(name, err)
	}
	if err := regular(name, info); err != nil {
		return nil, err
	}
	file, err := f.root.OpenFile(path, nonblocking, 0)
	if err != nil {
		return nil, fault(name, err)
	}
	if info, err = file.Stat(); err == nil { // of the file that was opened: it may be another one
		err = regular(name, info)
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

func regular(name string, info fs.FileInfo) error {
	if info.Mode().IsRegular() {
		return nil
	}
	kind := "a special file"
	if info.IsDir() {
		kind = "a folder"
	}
	return &Denied{name, fmt.Sprintf("is %s, not a file", kind), ""}
}

// Create makes a new file.
func (f *Folder) Create(name string) (NewFile, error) {
	path, err := f.local(name)
	if err != nil {
		return nil, err
	}
	file, err := f.root.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	return orNil(file, fault(name, err))
}

// Rename moves a file.
func (f *Folder) Rename(from, to string) error { return f.pair(from, to, f.root.Rename) }

// Link gives a file a second name.
func (f *Folder) Link(from, to string) error { return f.pair(from, to, f.root.Link) }

func (f *Folder) pair(from, to string, do func(string, string) error) error {
	a, err := f.local(from)
	if err != nil {
		return err
	}
	b, err := f.local(to)
	if err != nil {
		return err
	}
	return fault(to, do(a, b))
}

// Remove deletes a file.
func (f *Folder) Remove(name string) error {
	path, err := f.local(name)
	if err != nil {
		return err
	}
	return fault(name, f.root.Remove(path))
}
