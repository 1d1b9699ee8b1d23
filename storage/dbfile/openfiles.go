package dbfile

import (
	"path/filepath"
	"sync"
)

// openFiles counts the files that are open in this process, by the absolute paths of their files.
var openFiles = paths{open: map[string]int{}}

type paths struct {
	sync.Mutex
	open map[string]int
}

// add counts a file and returns the key for its removal: the file may have been removed by then.
func (p *paths) add(path string) string {
	p.Lock()
	defer p.Unlock()
	path = realPath(path)
	p.open[path]++
	return path
}

func (p *paths) remove(path string) {
	p.Lock()
	defer p.Unlock()
	if p.open[path]--; p.open[path] <= 0 {
		delete(p.open, path)
	}
}

// lockedBy is the error of a file that is locked, by this process or another one.
func (p *paths) lockedBy(path string) error {
	p.Lock()
	defer p.Unlock()
	if absolute, err := filepath.Abs(path); err == nil && p.open[realPath(absolute)] > 0 {
		return ErrOpen
	}
	return ErrLocked
}

// realPath is a path with links resolved, if that is possible.
func realPath(path string) string {
	if found, err := filepath.EvalSymlinks(path); err == nil {
		return found
	}
	return path
}
