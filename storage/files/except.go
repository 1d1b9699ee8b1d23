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

func (e except) Open(name string) (File, error) {
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
