package files

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
)

// Together is files that take their names when all of them are written, or not at all.
type Together struct {
	f     Files
	tmp   []string
	names []string
	known map[string]bool
}

// NewTogether returns a group without files. Commit or Discard ends it.
func NewTogether(f Files) *Together { return &Together{f: f, known: map[string]bool{}} }

// Write writes a file, of mode 0644. A name that is written twice is an error.
func (t *Together) Write(name string, write func(io.Writer) error) error {
	if t.known[name] {
		return &fs.PathError{Op: "write", Path: name, Err: fmt.Errorf("%w: two documents are called so", fs.ErrExist)}
	}
	tmp, err := hidden(t.f, name, write)
	if err != nil {
		return err
	}
	t.known[name] = true
	t.tmp, t.names = append(t.tmp, tmp), append(t.names, name)
	return nil
}

// Commit gives the files their names; files that had them are replaced. After an error the names that are given stay.
func (t *Together) Commit() error {
	for i, tmp := range t.tmp {
		if err := t.f.Rename(tmp, t.names[i]); err != nil {
			t.tmp = t.tmp[i:]
			return errors.Join(err, t.Discard())
		}
	}
	t.tmp = nil
	return nil
}

// Discard removes what was written.
func (t *Together) Discard() (err error) {
	for _, tmp := range t.tmp {
		err = errors.Join(err, t.f.Remove(tmp))
	}
	t.tmp = nil
	return err
}
