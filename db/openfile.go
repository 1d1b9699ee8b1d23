package db

import (
	"errors"
	"sync"
	"sync/atomic"

	"parlance/query/engine"
	"parlance/storage"
)

// openFile is a database file that is open, with the engine over it. Statements, transaction blocks and cursors use it.
// When another file has taken its place it is closed by the last of them.
type openFile struct {
	store  *storage.Store
	engine *engine.Engine

	users   atomic.Int64 // and 1 for the database, as long as statements begin on this file
	once    sync.Once
	err     error
	closing func(error) // told how closing went that nobody has asked for
}

// enter counts a user more; the caller has one, or the lock of the database.
func (f *openFile) enter() { f.users.Add(1) }

// leave counts a user less. The last one closes the file.
func (f *openFile) leave() {
	if f.users.Add(-1) == 0 {
		f.closing(f.close())
	}
}

// close ends the engine and closes the file, once; further callers wait until that is done.
func (f *openFile) close() error {
	f.once.Do(func() {
		f.engine.Close()
		f.err = f.store.Close()
		f.engine.FileClosed()
	})
	return f.err
}

// stay is a statement's time in the database, from when it begins until its rows are read.
type stay struct {
	file *openFile
	end  func()
}

// errOver is why the context of a statement ends that was not cancelled.
var errOver = errors.New("the statement is over")
