package dbfile

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"parlance/storage/files"
	"parlance/storage/sealed"
)

// copyChunk is the most that one transaction of a copy writes, in bytes.
const copyChunk = 4 << 20

// Backup writes a consistent compacted copy of the database to a new file, which appears whole
// or not at all. The cache is left out: it can be computed again.
func (s *File) Backup(ctx context.Context, f files.Files, path string) error {
	if _, err := f.Lstat(path); err == nil {
		return fmt.Errorf("%s: %w", path, fs.ErrExist)
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	tmp, err := s.copyBeside(ctx, f, path, true)
	if err != nil {
		return err
	}
	if err := f.Link(tmp, path); err != nil { // unlike a rename, this never replaces a file
		return errors.Join(err, f.Remove(tmp))
	}
	return f.Remove(tmp)
}

// copyBeside copies the database into a temporary file in the folder of path.
func (s *File) copyBeside(ctx context.Context, f files.Files, path string,
	withoutCache bool) (name string, err error) {
	file, name, err := files.Temporary(f, path)
	if err != nil {
		return "", err
	}
	place, ok := file.(*os.File)
	if !ok {
		return "", errors.Join(fmt.Errorf("%s: a backup is written to a file system only", path), file.Close(),
			f.Remove(name))
	}
	open := func(string, int, fs.FileMode) (*os.File, error) { return place, nil }
	dst, err := sealed.Open(name, 0o600,
		&sealed.Options{Timeout: time.Second, NoSync: true, Empty: true, OpenFile: open})
	if err != nil {
		return "", errors.Join(err, f.Remove(name))
	}
	dst.SetAllocSize(1 << 16) // the file grows as needed, not to the next power of two
	err = s.View(func(tx *sealed.Tx) error { return copyAll(ctx, tx, dst, withoutCache) })
	if err == nil {
		err = dst.Sync()
	}
	err = errors.Join(err, dst.Close())
	if err != nil {
		return "", errors.Join(err, f.Remove(name))
	}
	return name, nil
}

// copyAll copies all buckets in the order of their keys, some megabytes a transaction.
func copyAll(ctx context.Context, tx *sealed.Tx, dst *sealed.DB, withoutCache bool) error {
	return tx.ForEach(func(bucket []byte, b *sealed.Bucket) error {
		err := dst.Update(func(w *sealed.Tx) error { _, err := w.CreateBucketIfNotExists(bucket); return err })
		if err != nil || withoutCache && string(bucket) == string(Cache) {
			return err
		}
		c := b.SumCursor()
		k, v := c.First()
		for k != nil {
			if err := ctx.Err(); err != nil {
				return err
			}
			err := dst.Update(func(w *sealed.Tx) error {
				to := w.Bucket(bucket)
				to.FillPercent = 0.98
				for size := 0; k != nil && size < copyChunk; k, v = c.Next() {
					size += len(k) + len(v)
					if withoutCache && string(bucket) == string(Meta) && string(k) == string(CacheBooks) {
						continue
					}
					if err := to.Put(k, v); err != nil {
						return err
					}
				}
				return nil
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// Compact rewrites the file without free pages. Other statements wait meanwhile. If the open file was moved, removed or
// replaced, it returns ErrFileMoved and changes nothing.
func (s *File) Compact(ctx context.Context) error {
	if s.readOnly {
		return ErrReadOnly
	}
	s.lock.Lock()
	defer s.lock.Unlock()
	path, info, err := s.place()
	if err != nil {
		return err
	}
	open := &File{path: path, bolt: s.bolt}
	tmp, err := open.copyBeside(ctx, files.Anywhere, path, false)
	if err != nil {
		return err
	}
	// It is opened, and so locked, before it is renamed: the database is locked at all times.
	fresh, opened, err := openBolt(tmp, false, false)
	if err != nil {
		return errors.Join(err, os.Remove(tmp))
	}
	_, _, err = s.place() // the file may have been moved during the copy
	if err == nil {
		err = errors.Join(os.Chmod(tmp, info.Mode().Perm()), os.Rename(tmp, path))
	}
	if err != nil {
		return errors.Join(err, fresh.Close(), os.Remove(tmp))
	}
	old := s.bolt
	s.bolt, s.opened = fresh, opened
	return old.Close()
}

// place is the path of the open file with links resolved, ErrFileMoved if the file is no longer there.
func (s *File) place() (string, os.FileInfo, error) {
	path, err := filepath.EvalSymlinks(s.absolute)
	if errors.Is(err, os.ErrNotExist) || err == nil && s.fileMoved(path) {
		return "", nil, ErrFileMoved
	}
	if err != nil {
		return "", nil, err
	}
	info, err := os.Stat(path)
	return path, info, err
}

// fileMoved reports whether a path leads to nothing or to another file than the open one. If it cannot be looked up,
// such as in a folder without permission, the file may still be there.
func (s *File) fileMoved(path string) bool {
	info, err := os.Stat(path)
	return errors.Is(err, os.ErrNotExist) || err == nil && !s.isOpen(info)
}

// FileStats is the size of the file and of its content.
type FileStats struct {
	Path        string
	Bytes, Free int64
	Buckets     map[string]int // number of keys by name
}

// FileStats measures the file.
func (s *File) FileStats() (FileStats, error) {
	out := FileStats{Path: s.path, Buckets: map[string]int{}}
	err := s.View(func(tx *sealed.Tx) error {
		out.Bytes = tx.Size()
		out.Free = int64(s.bolt.Stats().FreeAlloc)
		return tx.ForEach(func(name []byte, b *sealed.Bucket) error {
			out.Buckets[string(name)] = b.Count()
			return nil
		})
	})
	return out, err
}
