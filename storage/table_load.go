package storage

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"parlance/storage/dbfile"
	"parlance/storage/sealed"
	"parlance/storage/table"
	"parlance/storage/value"
)

// TableLoad adds rows, which are visible after Commit. Memory does not depend on their number.
type TableLoad struct {
	s      *Store
	o      *Object
	d      *table.Draft // nil before the first Add
	gens   int          // number of generations that it began with
	lock   *rowLock     // nil under another lock
	unlock func()
	rows   int
	done   bool
}

// NewTableLoad prepares a load, which begins with the first Add. A table has one load at a time: others wait in Add.
func (s *Store) NewTableLoad(o *Object) (*TableLoad, error) {
	if s.ReadOnly() {
		return nil, ErrReadOnly
	}
	return &TableLoad{s: s, o: o}, nil
}

// begin locks the table.
func (l *TableLoad) begin(ctx context.Context) error {
	if l.done {
		return errors.New("the load is over")
	}
	if l.d != nil {
		return nil
	}
	held, unlock, err := l.s.LockForRows(ctx, l.o)
	if err != nil {
		return err
	}
	o, _, err := l.s.lockSame(held, l.o)
	if err != nil {
		unlock()
		return err
	}
	l.o, l.unlock, l.lock, l.d = o, unlock, rowLockOf(held, o), l.s.draft(held, o)
	l.gens = len(l.d.State.Gens)
	return nil
}

// Add adds rows with one value for each column; places may be nil.
func (l *TableLoad) Add(ctx context.Context, rows [][]value.Value, places []string) error {
	if err := l.begin(ctx); err != nil {
		return err
	}
	for i, row := range rows {
		if i&255 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		err := table.CheckRow(l.o, row)
		switch {
		case err != nil && places != nil:
			return fmt.Errorf("%s: %w", places[i], err)
		case err == nil:
			err = l.d.Add(l.o.BySlot(row))
		}
		if err != nil {
			return err
		}
	}
	l.rows += len(rows)
	return nil
}

// Commit publishes the rows and returns their number.
func (l *TableLoad) Commit(ctx context.Context) (int, error) {
	err := l.begin(ctx)
	if err == nil {
		err = l.s.commitRows(l.lock.within(ctx), l.d, l.gens)
	}
	if err != nil {
		l.Abort()
		return 0, err
	}
	l.done = true
	l.unlock()
	return l.rows, nil
}

// abortTime is how long Abort may take to remove what was written.
const abortTime = 50 * time.Millisecond

// Abort discards the load and removes what it has written. If that takes long, the rest is left to the background.
func (l *TableLoad) Abort() {
	if l.done {
		return
	}
	l.done = true
	if l.d != nil {
		l.s.discardDrafts(l.d)
		l.unlock()
	}
}

// groups returns the distinct prefixes of length n of the keys, without known ones.
func groups(b *sealed.Bucket, n int, known func([]byte) bool) [][]byte {
	var out [][]byte
	c := b.Cursor()
	for k, _ := c.First(); len(k) >= n; {
		g := bytes.Clone(k[:n])
		if !known(g) {
			out = append(out, g)
		}
		if g = dbfile.Successor(g); g == nil {
			break
		}
		k, _ = c.Seek(g)
	}
	return out
}
