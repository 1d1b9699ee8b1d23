package storage

import (
	"bytes"
	"context"
	"encoding/binary"
	"slices"
	"time"

	"parlance/storage/bbolt"
)

// A change of many rows of a table is staged: what rows become lies under table u32 | number of the change u32 |
// row u64, a row that goes as empty, with the index entries of the new values among those of the table. The state of the
// table that names the change makes it seen, in one small transaction: readers of that state put staged rows before those of the
// table. Then the rows move to their places, some thousand a transaction, and the entries of what they were go.

var bucketStaged = []byte("staged")

// stagedRows bounds the rows that one transaction stages or moves: others that write wait for it, about a second. Of
// fewer, each transaction would write most pages of an index whose values are changed again.
const stagedRows = 1 << 16

func stagedPrefix(table, change uint32) []byte { return be32(be32(make([]byte, 0, 16), table), change) }

func stagedKey(table, change uint32, row uint64) []byte {
	return binary.BigEndian.AppendUint64(stagedPrefix(table, change), row)
}

// stagedIn returns the bucket of staged rows, nil in a file that never had any.
func stagedIn(tx *bbolt.Tx) *bbolt.Bucket { return tx.Bucket(bucketStaged) }

// staging is a change of many rows on its way.
type staging struct {
	o      *Object // under the lock
	number uint32
	state  *tableState // after the change
}

// stage begins a change of many rows of a table that the caller has locked, and keeps its state up to date.
func (s *Store) stage(o *Object, state *tableState) *staging {
	c := &s.corpora
	c.mu.Lock()
	defer c.mu.Unlock()
	c.nextChange++
	state.Change = c.nextChange
	return &staging{o: o, number: c.nextChange, state: state}
}

// put stages rows: what they become, or nil for those that go. Rows that are not there are left out.
func (g *staging) put(ctx context.Context, tx *bbolt.Tx, ids []uint64, rows [][]byte) error {
	if err := exists(tx, g.o); err != nil {
		return err
	}
	b, err := tx.CreateBucketIfNotExists(bucketStaged)
	if err != nil {
		return err
	}
	var gone, fresh [][]byte
	for i, id := range ids {
		if i&255 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		placed, key := tx.Bucket(bucketTable).Get(rowKey(g.o.ID, id)), stagedKey(g.o.ID, g.number, id)
		old, again := stagedRow(b, key)
		if !again {
			old = placed
		}
		if len(old) == 0 {
			continue
		}
		if again {
			keys, err := comingKeys(g.o, id, placed, old)
			if err != nil {
				return err
			}
			gone = append(gone, keys...)
		}
		keys, err := comingKeys(g.o, id, placed, rows[i])
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

// stagedRow returns a row of a change, nothing for one that goes.
func stagedRow(b *bbolt.Bucket, key []byte) (raw []byte, ok bool) {
	k, raw := b.Cursor().Seek(key)
	return raw, bytes.Equal(k, key)
}

// comingKeys returns the keys of the index entries that a row gets by a change; nil is no row.
func comingKeys(o *Object, id uint64, from, to []byte) ([][]byte, error) {
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

// stagedChange is a change whose rows are to move to their places, or to go where it was not committed.
type stagedChange struct {
	table     uint32
	number    uint32
	committed bool
	version   uint64 // of the publication, 0 for one from before the file was opened
}

// leave notes that a change has ended, and its rows are still staged; nil is no change. The corpora must be locked.
func (c *corpora) leave(g *staging, committed bool) {
	if g == nil {
		return
	}
	p := &stagedChange{table: g.o.ID, number: g.number, committed: committed}
	if committed {
		p.version = c.version
	}
	c.staged = append(slices.Clip(c.staged), p)
}

// giveUp notes that changes have ended without a commit.
func (s *Store) giveUp(list ...*staging) {
	c := &s.corpora
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, g := range list {
		c.leave(g, false)
	}
}

// publishStaged makes changes of tables seen, which are committed, those that are staged among them.
func (s *Store) publishStaged(states map[uint32]tableState, list []*staging, was ...*former) {
	c := &s.corpora
	c.mu.Lock()
	defer c.mu.Unlock()
	c.version++
	c.publishTables(states, was)
	for _, g := range list {
		c.leave(g, true)
	}
}

// stagedOf returns the changes of an object that have ended.
func (s *Store) stagedOf(o *Object) (out []*stagedChange) {
	c := &s.corpora
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, p := range c.staged {
		if p.table == o.ID || slices.ContainsFunc(o.Tables, func(t *Object) bool { return t.ID == p.table }) {
			out = append(out, p)
		}
	}
	return out
}

// settle moves the staged rows of an object to their places and removes its leftovers, for a writer that has locked it.
func (s *Store) settle(ctx context.Context, o *Object) error {
	for _, p := range s.stagedOf(o) {
		if err := s.moveStaged(ctx, p); err != nil {
			return err
		}
	}
	for _, t := range append(o.Tables[:len(o.Tables):len(o.Tables)], o) {
		if err := s.removeLeft(ctx, t); err != nil {
			return err
		}
	}
	return nil
}

// Settle moves the rows of changes of many rows to their places, of those that all open snapshots see.
func (s *Store) Settle(ctx context.Context) error {
	if s.readOnly {
		return nil
	}
	c := &s.corpora
	c.mu.Lock()
	oldest, list := c.oldest(), c.staged
	c.mu.Unlock()
	for _, p := range list {
		if p.version > oldest {
			continue
		}
		if err := s.moveStaged(ctx, p); err != nil {
			return err
		}
	}
	return nil
}

// moveStaged moves the rows of a change to their places, or deletes those of one that was not committed. What
// snapshots from before still read is kept in memory.
func (s *Store) moveStaged(ctx context.Context, p *stagedChange) error {
	for more := true; more; {
		if err := ctx.Err(); err != nil {
			return err
		}
		s.mu.RLock()
		o := s.cat.byID(p.table)
		s.mu.RUnlock()
		if o == nil {
			break // its rows go with the table
		}
		var was *former
		err := s.update(func(tx *bbolt.Tx) (err error) {
			more, was, err = s.moveSome(ctx, tx, o, p, time.Now())
			return err
		})
		if err != nil {
			s.takeBack(was)
			return err
		}
	}
	c := &s.corpora
	c.mu.Lock()
	defer c.mu.Unlock()
	c.staged = slices.DeleteFunc(slices.Clone(c.staged), func(x *stagedChange) bool { return x == p })
	c.prune()
	return nil
}

// movedRows is how many rows move between looks at who waits to write.
const movedRows = 1 << 10

// moveSome moves some rows in a transaction that began at a time, fewer where others wait to write; more says that there may be others.
func (s *Store) moveSome(ctx context.Context, tx *bbolt.Tx, o *Object, p *stagedChange, began time.Time) (more bool, was *former, err error) {
	was = &former{table: p.table, tx: tx.ID(), version: p.version}
	if stagedIn(tx) == nil { // the first rows of the file's first change were not written
		return false, was, nil
	}
	rows, size := 0, 0
	var gone [][]byte
	for more = true; more && rows < s.mostRows() && size < transactionBytes && (rows == 0 || !s.pressed(began)); {
		if ctx.Err() != nil {
			return false, was, ctx.Err()
		}
		list, n := nextStaged(tx, p, min(movedRows, s.mostRows()-rows))
		for _, e := range list {
			keys, err := moveRow(tx, o, p, e, was)
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
		s.note(was)
	}
	return more, was, nil
}

// nextStaged returns up to n rows of a change and how large they are.
func nextStaged(tx *bbolt.Tx, p *stagedChange, n int) (list []pair, size int) {
	c, prefix := stagedIn(tx).Cursor(), stagedPrefix(p.table, p.number)
	for k, v := c.Seek(prefix); bytes.HasPrefix(k, prefix) && len(list) < n && size < transactionBytes; k, v = c.Next() {
		list = append(list, pair{bytes.Clone(k), bytes.Clone(v)})
		size += len(k) + len(v)
	}
	return list, size
}

// moveRow moves a row and returns the keys of the index entries that nothing has any more.
func moveRow(tx *bbolt.Tx, o *Object, p *stagedChange, e pair, was *former) ([][]byte, error) {
	id := binary.BigEndian.Uint64(e.k[8:])
	b, key := tx.Bucket(bucketTable), rowKey(o.ID, id)
	old := bytes.Clone(b.Get(key))
	err := stagedIn(tx).Delete(e.k)
	switch {
	case err != nil:
		return nil, err
	case !p.committed:
		return comingKeys(o, id, old, e.v)
	case len(e.v) == 0:
		err = b.Delete(key)
	default:
		err = b.Put(key, e.v)
	}
	if err != nil {
		return nil, err
	}
	was.add(id, old)
	return comingKeys(o, id, e.v, old)
}

// readBefore reports whether a snapshot from before a version is open.
func (s *Store) readBefore(version uint64) bool {
	c := &s.corpora
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.oldest() < version
}

// readStaged finds the changes whose rows are still staged.
func (s *Store) readStaged() error {
	c := &s.corpora
	for _, st := range c.tables {
		c.nextChange = max(c.nextChange, st.Change)
	}
	return s.view(func(tx *bbolt.Tx) error {
		b := stagedIn(tx)
		if b == nil {
			return nil
		}
		for _, k := range groups(b, 8, func([]byte) bool { return false }) {
			p := &stagedChange{table: binary.BigEndian.Uint32(k), number: binary.BigEndian.Uint32(k[4:])}
			c.nextChange = max(c.nextChange, p.number)
			if s.cat.byID(p.table) == nil {
				continue // it goes with the other rows of the table
			}
			p.committed = c.tables[p.table].Change == p.number
			c.staged = append(c.staged, p)
		}
		return nil
	})
}
