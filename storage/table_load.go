package storage

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	bbolt "parlance/storage/sealed"
	"parlance/storage/value"
)

// InsertRows adds rows in one transaction.
func (s *Store) InsertRows(ctx context.Context, o *Object, rows [][]value.Value) (int, error) {
	l, err := s.NewTableLoad(o)
	if err != nil {
		return 0, err
	}
	defer l.Abort()
	if err := l.Add(ctx, rows, nil); err != nil {
		return 0, err
	}
	return l.Commit(ctx)
}

// TableLoad adds rows, which are visible after Commit. Memory does not depend on their number.
type TableLoad struct {
	s       *Store
	o       *Object
	first   uint64
	next    uint64
	sum     [32]byte
	pending [][]byte
	size    int
	unlock  func()
	within  *Transaction // nil outside one
	done    bool
}

// NewTableLoad prepares a load, which begins with the first Add. A table has one load at a time: others wait in Add.
func (s *Store) NewTableLoad(o *Object) (*TableLoad, error) {
	if s.readOnly {
		return nil, ErrReadOnly
	}
	return &TableLoad{s: s, o: o}, nil
}

// begin locks the table.
func (l *TableLoad) begin(ctx context.Context) error {
	if l.done {
		return errors.New("the load is over")
	}
	if l.unlock != nil {
		return nil
	}
	o, unlock, err := l.s.lockTable(ctx, l.o)
	if err != nil {
		return err
	}
	if !sameColumns(l.o, o) {
		unlock()
		return fmt.Errorf("%s %s: %w", o.Kind, o.Name, ErrChanged)
	}
	if t := transaction(ctx); t != nil {
		l.o, l.unlock, l.within = o, unlock, t
		return nil
	}
	st := l.s.tableState(o)
	l.o, l.first, l.next, l.unlock = o, st.Next, st.Next, unlock
	return nil
}

// Add adds rows with one value for each column; places may be nil.
func (l *TableLoad) Add(ctx context.Context, rows [][]value.Value, places []string) error {
	if err := l.begin(ctx); err != nil {
		return err
	}
	for i, row := range rows {
		if err := checkRow(l.o, row); err != nil {
			if places != nil {
				return fmt.Errorf("%s: %w", places[i], err)
			}
			return err
		}
		b := l.o.pack(row)
		rowSum(&l.sum, b, true)
		l.pending = append(l.pending, b)
		l.size += len(b) + 12
		switch {
		case l.within != nil && l.size > historyBytes:
			return ErrManyRows
		case l.within == nil && l.size > transactionBytes:
			if err := l.flush(ctx); err != nil {
				return err
			}
		}
	}
	return nil
}

func (l *TableLoad) flush(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return l.s.update(func(tx *bbolt.Tx) error { return l.put(ctx, tx) })
}

func (l *TableLoad) put(ctx context.Context, tx *bbolt.Tx) error {
	if err := exists(tx, l.o); err != nil {
		return err
	}
	b := tx.Bucket(bucketTable)
	var entries [][]byte
	for i, row := range l.pending {
		if i&255 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if err := b.Put(rowKey(l.o.ID, l.next), row); err != nil {
			return err
		}
		keys, err := indexKeys(l.o, l.next, row)
		if err != nil {
			return err
		}
		entries = append(entries, keys...)
		l.next++
	}
	l.pending, l.size = nil, 0
	return putEntries(tx, entries)
}

// Commit publishes the rows and returns their number.
func (l *TableLoad) Commit(ctx context.Context) (int, error) {
	if err := l.begin(ctx); err != nil {
		l.Abort()
		return 0, err
	}
	if l.within != nil {
		return l.commitWithin()
	}
	st := l.s.tableState(l.o)
	err := ctx.Err()
	if err == nil {
		err = l.s.update(func(tx *bbolt.Tx) error {
			if err := l.put(ctx, tx); err != nil {
				return err
			}
			st.Next, st.Count = l.next, st.Count+int(l.next-l.first)
			addSum(&st.Sum, &l.sum)
			return putJSON(tx, tableKey(l.o.ID), st)
		})
	}
	if err != nil {
		l.Abort()
		return 0, err
	}
	l.s.publishTables(map[uint32]tableState{l.o.ID: st})
	l.done = true
	l.unlock()
	return int(l.next - l.first), nil
}

// commitWithin adds the rows to the table of its transaction.
func (l *TableLoad) commitWithin() (int, error) {
	l.done = true
	return len(l.pending), l.within.changeTable(l.o, func(_ *Object, c *tableChange) error {
		for _, row := range l.pending {
			if err := c.add(row); err != nil {
				return err
			}
		}
		return nil
	})
}

// abortTime is how long Abort may take to remove what was written.
const abortTime = 50 * time.Millisecond

// Abort discards the load and removes what it has written. If that takes long, the rest is left as orphans, which
// readers do not see.
func (l *TableLoad) Abort() {
	if l.done {
		return
	}
	l.done = true
	if l.unlock == nil || l.within != nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), abortTime)
	defer cancel()
	l.s.noteOrphans(l.o.ID)
	if err := l.s.removeOrphansOf(ctx, l.o); err != nil {
		defer l.s.removeOrphansSoon()
	}
	l.unlock()
}

// deleteRowsFrom removes rows from a number on, and their index entries, some thousand at a time.
func (s *Store) deleteRowsFrom(ctx context.Context, o *Object, first uint64) error {
	prefix := be32(nil, o.ID)
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		more := false
		err := s.view(func(tx *bbolt.Tx) error {
			more = hasRowsFrom(tx, o.ID, first)
			return nil
		})
		if err != nil || !more {
			return err
		}
		err = s.update(func(tx *bbolt.Tx) error {
			var list []pair
			size := 0
			c := tx.Bucket(bucketTable).Cursor()
			for k, v := c.Seek(rowKey(o.ID, first)); bytes.HasPrefix(k, prefix) && len(list) < transactionKeys &&
				size < transactionBytes; k, v = c.Next() {
				list = append(list, pair{bytes.Clone(k), bytes.Clone(v)})
				size += len(k) + len(v)
			}
			var entries [][]byte
			began := time.Now()
			for i, e := range list {
				if i&255 == 0 && ctx.Err() != nil {
					return ctx.Err()
				}
				if i&1023 == 1023 && s.shouldYield(began) {
					break
				}
				keys, err := indexKeys(o, binary.BigEndian.Uint64(e.k[4:]), e.v)
				if err != nil {
					return err
				}
				entries = append(entries, keys...)
				if err := tx.Bucket(bucketTable).Delete(e.k); err != nil {
					return err
				}
			}
			return deleteEntries(tx, entries)
		})
		if err != nil {
			return err
		}
	}
}

// hasRowsFrom reports whether a table has rows from a number on.
func hasRowsFrom(tx *bbolt.Tx, table uint32, first uint64) bool {
	k, _ := tx.Bucket(bucketTable).Cursor().Seek(rowKey(table, first))
	return bytes.HasPrefix(k, be32(nil, table))
}

// tableStates returns the tables that have a state.
func tableStates(tx *bbolt.Tx) (out []uint32) {
	c := tx.Bucket(bucketCatalog).Cursor()
	var id uint32
	for k, _ := c.Seek(tablePrefix); bytes.HasPrefix(k, tablePrefix); k, _ = c.Next() {
		if _, err := fmt.Sscanf(string(k[len(tablePrefix):]), "%08x", &id); err == nil {
			out = append(out, id)
		}
	}
	return out
}

// groups returns the distinct prefixes of length n of the keys, without known ones.
func groups(b *bbolt.Bucket, n int, known func([]byte) bool) [][]byte {
	var out [][]byte
	c := b.Cursor()
	for k, _ := c.First(); len(k) >= n; {
		g := bytes.Clone(k[:n])
		if !known(g) {
			out = append(out, g)
		}
		if g = successor(g); g == nil {
			break
		}
		k, _ = c.Seek(g)
	}
	return out
}

// successor returns the first key after all keys with the prefix, nil if there is none.
func successor(prefix []byte) []byte {
	out := bytes.Clone(prefix)
	for i := len(out) - 1; i >= 0; i-- {
		if out[i]++; out[i] != 0 {
			return out[:i+1]
		}
	}
	return nil
}
