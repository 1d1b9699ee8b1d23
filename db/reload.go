package db

import (
	"context"
	"errors"
	"fmt"
	"os"

	"parlance/query/ast"
	"parlance/query/engine"
	"parlance/storage"
)

// Reloaded tells what Reload has done.
type Reloaded = engine.Reloaded

// Reload opens the file at the path of a read-only database anew, where a newer copy has been renamed over it, and lets
// further statements begin on that. What has begun ends on the file before: statements to their last row, transaction
// blocks to their end, cursors until they are closed; with the last of them it is closed. Sessions, their settings and
// prepared statements go on. A session whose user the new file lacks ends after its statement, with code 28000.
//
// The new file is read whole and its checksums are verified, then the models are loaded that are in memory now; this
// takes memory for both files. A file that is missing (58P01), damaged (XX001), of another format (58P01) or open for
// writing (55006) is refused, as is one without users if the present one has some (55000), and the file before goes on
// being used. A database that is open to write reloads nothing (55000). Calls wait for each other, as long as their
// contexts let them.
func (d *DB) Reload(ctx context.Context) (Reloaded, error) {
	done, err := d.reloadWithin(ctx)
	return done, wrap(err)
}

// reloadWithin is Reload for ALTER SYSTEM RELOAD.
func (d *DB) reloadWithin(ctx context.Context) (Reloaded, error) {
	ctx, _, in, err := d.begin(ctx, nil)
	if err != nil {
		return Reloaded{}, err
	}
	defer in.end()
	select {
	case d.reload <- struct{}{}:
	case <-ctx.Done():
		return Reloaded{}, context.Cause(ctx)
	}
	defer func() { <-d.reload }()
	old := d.file.Load()
	done, err := d.exchange(ctx, old)
	if err != nil || !done.Same {
		old.engine.CountReload(err)
	}
	return done, err
}

// exchange puts the file that is at the path now in the place of the old one.
func (d *DB) exchange(ctx context.Context, old *openFile) (Reloaded, error) {
	if !old.store.ReadOnly() || d.temp != "" {
		return Reloaded{}, &ast.Error{Code: "55000", Msg: "the database is open to write, so no other file takes its place",
			Hint: "those that are open read-only reload their file: parlance serve --read-only, or db.Options.ReadOnly"}
	}
	if old.store.Unchanged() {
		return Reloaded{Same: true, Modified: old.store.Modified()}, nil
	}
	if i, err := os.Stat(old.store.Path()); err == nil && !i.Mode().IsRegular() {
		// opening a pipe would wait for its writer
		return Reloaded{}, &ast.Error{Code: "58P01", Msg: "what is at " + old.store.Path() + " now is no regular file",
			Hint: "the copy of BACKUP, under this name"}
	}
	store, err := storage.Open(old.store.Path(), storage.Options{ReadOnly: true, Program: Version,
		Background: d.o.Background})
	if err != nil {
		return Reloaded{}, err
	}
	e, err := d.prepare(ctx, store, old)
	if err != nil {
		return Reloaded{}, errors.Join(err, store.Close())
	}
	f := d.newFile(store, e)
	d.mu.Lock()
	if d.closed {
		d.mu.Unlock()
		return Reloaded{}, errors.Join(ErrClosed, f.close())
	}
	d.serve(f)
	d.mu.Unlock()
	done := Reloaded{Modified: store.Modified(), Strangers: e.EndStrangers()}
	old.leave()
	return done, nil
}

// prepare verifies a file, and makes its engine.
func (d *DB) prepare(ctx context.Context, store *storage.Store, old *openFile) (*engine.Engine, error) {
	if err := verify(ctx, store); err != nil {
		return nil, err
	}
	if old.store.HasUsers() && !store.HasUsers() {
		return nil, &ast.Error{Code: "55000", Msg: fmt.Sprintf("%s has no users, unlike the file that is served: whoever "+
			"connects could do everything", store.Path()),
			Hint: "take a copy of a database with users, or start the server anew"}
	}
	e, err := old.engine.Successor(store)
	if err != nil {
		return nil, err
	}
	if err := e.WarmLike(ctx, old.engine); err != nil {
		e.Close()
		e.FileClosed()
		return nil, err
	}
	return e, nil
}

// verify reads all pages of a file, and returns its first fault.
func verify(ctx context.Context, store *storage.Store) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	err := store.Check(ctx, func(format string, args ...any) {
		stop(fmt.Errorf("%s: %w: %s", store.Path(), storage.ErrCorrupt, fmt.Sprintf(format, args...)))
	})
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	return err
}
