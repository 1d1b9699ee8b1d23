package driver

import (
	"path/filepath"
	"sync"

	"parlance/db"
)

// files are the files that pools of this process have open, by their real path: a file is locked,
// so it can be open once.
var files = struct {
	sync.Mutex
	m map[string]*sharedFile
}{m: map[string]*sharedFile{}}

// sharedFile is a file with those that use it or wait for it.
type sharedFile struct {
	users    int        // under the lock of files
	mu       sync.Mutex // held while the file is opened or closed
	d        *db.DB     // nil while it is closed
	readOnly bool
	open     int // users that have it open
}

// fileUse is the use that one pool makes of a file.
type fileUse struct {
	path     string
	readOnly bool
	key      string
	shared   *sharedFile
}

func (f *fileUse) open() (*db.DB, error) {
	key, err := realPath(f.path)
	if err != nil {
		return nil, wrong("58P01", "", "%v", err)
	}
	files.Lock()
	s := files.m[key]
	if s == nil {
		s = &sharedFile{}
		files.m[key] = s
	}
	s.users++
	files.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.d == nil {
		s.readOnly = f.readOnly
		s.d, err = db.Open(f.path, db.Options{ReadOnly: f.readOnly})
	} else if s.readOnly != f.readOnly {
		err = wrong("55006", "give read_only the same value in both", "this program has %s open with read_only=%t",
			f.path, s.readOnly)
	}
	if err != nil {
		s.leave(key)
		return nil, err
	}
	s.open++
	f.key, f.shared = key, s
	return s.d, nil
}

func (f *fileUse) close() (err error) {
	s := f.shared
	s.mu.Lock()
	defer s.mu.Unlock()
	defer s.leave(f.key)
	if s.open--; s.open == 0 {
		err = s.d.Close()
		s.d = nil
	}
	return err
}

// leave forgets the file if nobody uses it or waits for it.
func (s *sharedFile) leave(key string) {
	files.Lock()
	defer files.Unlock()
	if s.users--; s.users == 0 {
		delete(files.m, key)
	}
}

// realPath returns the path without links and relative parts; the file need not exist.
func realPath(path string) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real, nil
	}
	dir, err := filepath.EvalSymlinks(filepath.Dir(path))
	if err != nil {
		return path, nil // opening it tells what is wrong
	}
	return filepath.Join(dir, filepath.Base(path)), nil
}
