package storage

import (
	"bytes"
	"context"
	"encoding/binary"
	"slices"
	"time"

	bbolt "parlance/storage/sealed"
)

// A change of many rows of a table is first written as pending rows: the new rows are stored under table u32 | number
// of the change u32 | row u64, a deleted row as an empty value. Their index entries are among those of the table. The
// change is committed by a state of the table that names it, in one small transaction; readers of that state read a
// pending row instead of the row in the table. After that the pending rows are merged into the table, some thousand a
// transaction, and the index entries of the old rows are removed.

var bucketPending = []byte("staged")

// pendingBatchRows is how many rows one transaction writes or merges. Other writers wait for it, about a second. With
// fewer rows, each transaction would rewrite most pages of an index on changed values.
const pendingBatchRows = 1 << 16

func pendingPrefix(table, change uint32) []byte {
	return be32(be32(make([]byte, 0, 16), table), change)
}

func pendingKey(table, change uint32, row uint64) []byte {
	return binary.BigEndian.AppendUint64(pendingPrefix(table, change), row)
}

// pendingBucket returns the bucket of pending rows, nil in a file that never had any.
func pendingBucket(tx *bbolt.Tx) *bbolt.Bucket { return tx.Bucket(bucketPending) }

// pendingRows is an uncommitted change of many rows.
type pendingRows struct {
	o      *Object // under the lock
	number uint32
	state  *tableState // after the change
}

// newPendingRows begins a change of many rows of a table that the caller has locked, and updates its state.
func (s *Store) newPendingRows(o *Object, state *tableState) *pendingRows {
	c := &s.corpora
	c.mu.Lock()
	defer c.mu.Unlock()
	c.nextChange++
	state.Change = c.nextChange
	return &pendingRows{o: o, number: c.nextChange, state: state}
}

// put writes pending rows; nil deletes a row. Rows that do not exist are ignored.
func (g *pendingRows) put(ctx context.Context, tx *bbolt.Tx, ids []uint64, rows [][]byte) error {
	if err := exists(tx, g.o); err != nil {
		return err
	}
	b, err := tx.CreateBucketIfNotExists(bucketPending)
	if err != nil {
		return err
	}
	var gone, fresh [][]byte
	for i, id := range ids {
		if i&255 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		placed, key := tx.Bucket(bucketTable).Get(rowKey(g.o.ID, id)), pendingKey(g.o.ID, g.number, id)
		old, again := pendingRow(b, key)
		if !again {
			old = placed
		}
		if len(old) == 0 {
			continue
		}
		if again {
			keys, err := newIndexKeys(g.o, id, placed, old)
			if err != nil {
				return err
			}
			gone = append(gone, keys...)
		}
		keys, err := newIndexKeys(g.o, id, placed, rows[i])
		if err != nil {
			return err
		}
		fresh = append(fresh, keys...)
		rowSum(&g.state.Sum, old, false)
		if rows[i] == nil {
			g.state.Count--
		} else {
			rowSum(&g.state.Sum, rows[i], true)
		}
		if err := b.Put(key, rows[i]); err != nil {
			return err
		}
	}
	if err := deleteEntries(tx, gone); err != nil {
		return err
	}
	return putEntries(tx, fresh)
}

// pendingRow returns a pending row, empty for a deleted one.
func pendingRow(b *bbolt.Bucket, key []byte) (raw []byte, ok bool) {
	k, raw := b.Cursor().Seek(key)
	return raw, bytes.Equal(k, key)
}

// newIndexKeys returns the keys of the index entries that a change adds for a row; nil stands for no row.
func newIndexKeys(o *Object, id uint64, from, to []byte) ([][]byte, error) {
	if len(to) == 0 {
		return nil, nil
	}
	after, err := indexKeys(o, id, to)
	if err != nil || len(after) == 0 || len(from) == 0 {
		return after, err
	}
	before, err := indexKeys(o, id, from)
	if err != nil {
		return nil, err
	}
	coming := after[:0]
	for i, k := range after {
		if !bytes.Equal(k, before[i]) {
			coming = append(coming, k)
		}
	}
	return coming, nil
}

// pendingChange is an ended change whose pending rows are to be merged or, if it was not committed, deleted.
type pendingChange struct {
	table     uint32
	number    uint32
	committed bool
	version   uint64 // of the state that committed it, 0 for one from before the file was opened
}

// endPending adds an ended change to the list of those to merge; nil is ignored. The corpora must be locked.
func (c *corpora) endPending(g *pendingRows, committed bool) {
	if g == nil {
		return
	}
	p := &pendingChange{table: g.o.ID, number: g.number, committed: committed}
	if committed {
		p.version = c.version
	}
	c.pending = append(slices.Clip(c.pending), p)
}

// abandonPending adds changes that were not committed to the list, so that their rows are deleted.
func (s *Store) abandonPending(list ...*pendingRows) {
	c := &s.corpora
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, g := range list {
		c.endPending(g, false)
	}
}

// publishPending makes committed changes of tables visible, including those with pending rows.
func (s *Store) publishPending(states map[uint32]tableState, list []*pendingRows, was ...*rowVersions) {
	c := &s.corpora
	c.mu.Lock()
	defer c.mu.Unlock()
	c.version++
	c.publishTables(states, was)
	for _, g := range list {
		c.endPending(g, true)
	}
}

// pendingOf returns the ended changes of an object.
func (s *Store) pendingOf(o *Object) (out []*pendingChange) {
	c := &s.corpora
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, p := range c.pending {
		if p.table == o.ID || slices.ContainsFunc(o.Tables, func(t *Object) bool { return t.ID == p.table }) {
			out = append(out, p)
		}
	}
	return out
}

// mergePendingOf merges the pending rows of an object and removes its orphans, for a writer that has locked it.
func (s *Store) mergePendingOf(ctx context.Context, o *Object) error {
	for _, p := range s.pendingOf(o) {
		if err := s.mergeChange(ctx, p); err != nil {
			return err
		}
	}
	for _, t := range append(o.Tables[:len(o.Tables):len(o.Tables)], o) {
		if err := s.removeOrphansOf(ctx, t); err != nil {
			return err
		}
	}
	return nil
}

// MergePending merges the pending rows of changes that all open snapshots see.
func (s *Store) MergePending(ctx context.Context) error {
	if s.readOnly {
		return nil
	}
	c := &s.corpora
	c.mu.Lock()
	oldest, list := c.oldest(), c.pending
	c.mu.Unlock()
	for _, p := range list {
		if p.version > oldest {
			continue
		}
		if err := s.mergeChange(ctx, p); err != nil {
			return err
		}
	}
	return nil
}

// mergeChange merges the pending rows of a change, or deletes them if it was not committed. Old rows that older
// snapshots still read are kept in memory.
func (s *Store) mergeChange(ctx context.Context, p *pendingChange) error {
	for more := true; more; {
		if err := ctx.Err(); err != nil {
			return err
		}
		s.mu.RLock()
		o := s.cat.byID(p.table)
		s.mu.RUnlock()
		if o == nil {
			break // its rows are deleted with the table
		}
		var was *rowVersions
		err := s.update(func(tx *bbolt.Tx) (err error) {
			more, was, err = s.moveSome(ctx, tx, o, p, time.Now())
			return err
		})
		if err != nil {
			s.discardVersions(was)
			return err
		}
	}
	c := &s.corpora
	c.mu.Lock()
	defer c.mu.Unlock()
	c.pending = slices.DeleteFunc(slices.Clone(c.pending), func(x *pendingChange) bool { return x == p })
	c.prune()
	return nil
}

// mergeBatchRows is how many rows are merged between checks whether another writer waits.
const mergeBatchRows = 1 << 10

// moveSome merges some rows in a transaction that has begun at a time, fewer if another writer waits. more is true if
// there may be further rows.
func (s *Store) moveSome(ctx context.Context, tx *bbolt.Tx, o *Object, p *pendingChange,
	began time.Time) (more bool, was *rowVersions, err error) {
	was = &rowVersions{table: p.table, tx: tx.ID(), version: p.version}
	if pendingBucket(tx) == nil { // the first change of the file has written no rows
		return false, was, nil
	}
	rows, size := 0, 0
	var gone [][]byte
	for more = true; more && rows < s.mostRows() && size < transactionBytes && (rows == 0 || !s.shouldYield(began)); {
		if ctx.Err() != nil {
			return false, was, ctx.Err()
		}
		list, n := nextPending(tx, p, min(mergeBatchRows, s.mostRows()-rows))
		for _, e := range list {
			keys, err := mergeRow(tx, o, p, e, was)
			if err != nil {
				return false, was, err
			}
			gone = append(gone, keys...)
		}
		more, rows, size = len(list) > 0, rows+len(list), size+n
	}
	if err := deleteEntries(tx, gone); err != nil {
		return false, was, err
	}
	if p.committed && s.readBefore(p.version) {
		s.recordVersions(was)
	}
	return more, was, nil
}

// nextPending returns up to n pending rows of a change and their size.
func nextPending(tx *bbolt.Tx, p *pendingChange, n int) (list []pair, size int) {
	c, prefix := pendingBucket(tx).Cursor(), pendingPrefix(p.table, p.number)
	for k, v := c.Seek(prefix); bytes.HasPrefix(k, prefix) && len(list) < n && size < transactionBytes; k, v = c.Next() {
		list = append(list, pair{bytes.Clone(k), bytes.Clone(v)})
		size += len(k) + len(v)
	}
	return list, size
}

// mergeRow merges a row and returns the keys of index entries that no row has any more.
func mergeRow(tx *bbolt.Tx, o *Object, p *pendingChange, e pair, was *rowVersions) ([][]byte, error) {
	id := binary.BigEndian.Uint64(e.k[8:])
	b, key := tx.Bucket(bucketTable), rowKey(o.ID, id)
	old := bytes.Clone(b.Get(key))
	err := pendingBucket(tx).Delete(e.k)
	switch {
	case err != nil:
		return nil, err
	case !p.committed:
		return newIndexKeys(o, id, old, e.v)
	case len(e.v) == 0:
		err = b.Delete(key)
	default:
		err = b.Put(key, e.v)
	}
	if err != nil {
		return nil, err
	}
	was.add(id, old)
	return newIndexKeys(o, id, e.v, old)
}

// readBefore reports whether a snapshot older than a version is open.
func (s *Store) readBefore(version uint64) bool {
	c := &s.corpora
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.oldest() < version
}

// readPending finds the changes with pending rows in the file.
func (s *Store) readPending() error {
	c := &s.corpora
	for _, st := range c.tables {
		c.nextChange = max(c.nextChange, st.Change)
	}
	return s.view(func(tx *bbolt.Tx) error {
		b := pendingBucket(tx)
		if b == nil {
			return nil
		}
		for _, k := range groups(b, 8, func([]byte) bool { return false }) {
			p := &pendingChange{table: binary.BigEndian.Uint32(k), number: binary.BigEndian.Uint32(k[4:])}
			c.nextChange = max(c.nextChange, p.number)
			if s.cat.byID(p.table) == nil {
				continue // deleted with the other rows of the table
			}
			p.committed = c.tables[p.table].Change == p.number
			c.pending = append(c.pending, p)
		}
		return nil
	})
}
