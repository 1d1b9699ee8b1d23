// Package db is Parlance for Go programs: open a database, execute statements, read rows.
//
//	d, err := db.Open("news.parlance", db.Options{})
//	rows, err := d.Query(ctx, "SELECT text, label FROM entities(TEXT $1) USING ner", "Ann flew to Oslo.")
//
// A DB is safe for concurrent use. A Conn is a session with settings of its own, and runs one
// statement at a time.
//
// In rows, char_start and char_end are numbers of Unicode code points of the document's text from 0, the end being the
// one after the last; sentences (sent), tokens (tok), ranks and nodes are counted from 1, and head 0 is the root. Every
// error is an *Error with a SQLSTATE.
package db

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"

	"parlance/algo"
	"parlance/algo/kind"
	"parlance/query/ast"
	"parlance/query/engine"
	"parlance/query/fn"
	"parlance/query/fn/builtin"
	"parlance/query/jobs"
	"parlance/query/parse"
	"parlance/storage"
	"parlance/storage/failing"
)

// Version is the version of the program.
const Version = "0.1.0"

// ErrClosed is returned by all methods after Close.
var ErrClosed = errors.New("the database is closed")

// ErrShutdown, with code 57P01, is for servers: the cause with which they cancel statements when
// they end (context.WithCancelCause).
var ErrShutdown error = jobs.ErrShutdown

// Options of Open.
type Options struct {
	ReadOnly  bool
	Empty     bool        // makes a database of a file of 0 bytes, which else is refused (58P01)
	Kinds     []kind.Kind // kinds of model besides those that Parlance has
	Functions []fn.Func   // functions besides those that Parlance has

	// RemoveUnwritten has Close remove a file that Open made, if no statement wrote anything to it.
	RemoveUnwritten bool

	// Background is told of what fails outside of statements, such as removing what killed ones have left in the file. It
	// is called from another goroutine and must not close the database; may be nil.
	Background func(error)
}

// DB is an open database.
type DB struct {
	o      Options
	parsed statements
	temp   string                   // folder of a temporary database
	file   atomic.Pointer[openFile] // that statements begin on; changed under the lock
	reload chan struct{}            // holds an element while another file is opened to take its place
	mu     sync.Mutex
	closed bool
	files  map[*openFile]struct{} // the present one, and earlier ones that are in use
	rows   Rows                   // of the ring of open ones
	wait   sync.WaitGroup         // statements under way
	ctx    context.Context
	cancel context.CancelFunc
}

// Open opens or creates the database file at path; "" or ":memory:" is a temporary one that
// Close removes. A file that another process has open is an error with code 55006.
func Open(path string, o Options) (*DB, error) {
	d := &DB{o: o, files: map[*openFile]struct{}{}, reload: make(chan struct{}, 1)}
	d.rows.prev, d.rows.next = &d.rows, &d.rows
	if path == "" || path == ":memory:" {
		dir, err := os.MkdirTemp("", "parlance-*")
		if err != nil {
			return nil, wrap(err)
		}
		d.temp, path = dir, filepath.Join(dir, "temporary.parlance")
	}
	if err := d.open(path, o); err != nil {
		if d.temp != "" {
			err = errors.Join(err, os.RemoveAll(d.temp))
		}
		return nil, wrap(err)
	}
	d.ctx, d.cancel = context.WithCancel(context.Background())
	return d, nil
}

func (d *DB) open(path string, o Options) error {
	funcs, err := builtin.NewTable(o.Functions...)
	if err != nil {
		return err
	}
	kinds := append(algo.Kinds(), o.Kinds...)
	seen := map[string]bool{}
	for _, k := range kinds {
		if seen[k.Name] {
			return fmt.Errorf("kind %s is declared twice", k.Name)
		}
		seen[k.Name] = true
	}
	store, err := storage.Open(path, storage.Options{
		ReadOnly: o.ReadOnly, Empty: o.Empty, Temporary: d.temp != "", Program: Version, Background: o.Background,
		RemoveUnwritten: o.RemoveUnwritten && d.temp == "",
	})
	if err != nil {
		return err
	}
	e, err := engine.NewEngine(store, kinds, funcs, Version)
	if err != nil {
		return errors.Join(err, store.Close())
	}
	e.Models.Foreign = algo.Formats()
	e.Parse = func(s string) (ast.Statement, error) { return parse.Parse(s) }
	e.Reload = d.reloadWithin
	d.serve(d.newFile(store, e))
	return nil
}

// newFile makes the state of a file that statements do not use yet.
func (d *DB) newFile(s *storage.Store, e *engine.Engine) *openFile {
	f := &openFile{store: s, engine: e}
	f.users.Store(1)
	e.Retain = func() func() {
		f.enter()
		return f.leave
	}
	f.closing = func(err error) {
		d.mu.Lock()
		delete(d.files, f)
		d.mu.Unlock()
		if err != nil && d.o.Background != nil {
			d.o.Background(wrap(err))
		}
	}
	return f
}

// serve lets statements begin on a file; the lock is held, unless the database is being opened.
func (d *DB) serve(f *openFile) {
	d.files[f] = struct{}{}
	d.file.Store(f)
}

// now is the engine of statements that begin.
func (d *DB) now() *engine.Engine { return d.file.Load().engine }

// Path returns the path of the file.
func (d *DB) Path() string { return d.file.Load().store.Path() }

// ReadOnly reports whether the database is open read-only.
func (d *DB) ReadOnly() bool { return d.file.Load().store.ReadOnly() }

// Close cancels what is under way, waits for it, ends open rows, drops the temporary objects of all sessions and closes
// the file. Closing again does nothing. Functions that receive notices or progress must not call it.
func (d *DB) Close() error {
	d.mu.Lock()
	if d.closed {
		d.mu.Unlock()
		return nil
	}
	d.closed = true
	var open []*Rows
	for r := d.rows.next; r != &d.rows; r = r.next {
		open = append(open, r)
	}
	d.mu.Unlock()
	d.cancel()
	for _, r := range open {
		r.end(ErrClosed)
	}
	d.wait.Wait()
	d.mu.Lock()
	files := slices.Collect(maps.Keys(d.files))
	d.mu.Unlock()
	var err error
	for _, f := range files { // also those that cursors and open blocks still hold
		err = errors.Join(err, f.close())
	}
	if d.temp != "" {
		err = errors.Join(err, os.RemoveAll(d.temp))
	}
	return wrap(err)
}

// begin registers a statement on a file, or on the present one if it is nil; end must be called when it is over.
func (d *DB) begin(ctx context.Context, on *openFile) (context.Context, context.CancelCauseFunc, stay, error) {
	f, err := d.enter(on)
	if err != nil {
		return nil, nil, stay{}, err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(d.ctx, func() { cancel(nil) })
	var once sync.Once
	return failing.Context(ctx), cancel, stay{f, func() {
		once.Do(func() {
			stop()
			cancel(errOver)
			f.leave()
			d.wait.Done()
		})
	}}, nil
}

// enter counts a statement, which Close waits for, and makes it a user of a file, of the present one if on is nil.
func (d *DB) enter(on *openFile) (*openFile, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return nil, ErrClosed
	}
	if on == nil {
		on = d.file.Load()
	}
	on.enter()
	d.wait.Add(1)
	return on, nil
}

// keep registers open rows, so that Close can end them. It returns an error after Close.
func (d *DB) keep(r *Rows) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return ErrClosed
	}
	if r.watched.c.closing.Load() {
		return errConnClosed
	}
	r.prev, r.next = d.rows.prev, &d.rows
	r.prev.next, r.next.prev = r, r
	return nil
}

// forget removes ended rows from the list, if they are in it.
func (d *DB) forget(r *Rows) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if r.next != nil {
		r.prev.next, r.next.prev = r.next, r.prev
		r.prev, r.next = nil, nil
	}
}

// Prepare parses a statement, for a session of its own. What is temporary ends with each run of the statement.
func (d *DB) Prepare(statement string) (*Stmt, error) { return d.single().Prepare(statement) }

// Exec runs a statement in a session of its own, which ends with it.
func (d *DB) Exec(ctx context.Context, statement string, args ...any) (Result, error) {
	return d.single().Exec(ctx, statement, args...)
}

// Query runs a statement that gives rows in a session of its own, which ends with them.
func (d *DB) Query(ctx context.Context, statement string, args ...any) (*Rows, error) {
	return d.single().Query(ctx, statement, args...)
}
