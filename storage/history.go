package storage

import (
	"fmt"
	"slices"

	"parlance/storage/sealed"
)

// Rows of tables are changed in place. The old versions of changed and deleted rows are kept in memory while a snapshot
// is open that was captured before the change was published.

// historyBytes is the memory for old versions of the rows of a change. Beyond it, older snapshots cannot read the
// table.
const historyBytes = 256 << 20

// rowVersions are the old versions of the rows that one change of a table has changed, by row number.
type rowVersions struct {
	table      uint32
	tx         int      // of bbolt; earlier transactions do not see the change
	version    uint64   // of the state that published it, 0 before
	ids        []uint64 // ascending
	ends       []int    // of the rows in raw
	raw        []byte
	overflowed bool // they exceeded historyBytes and were dropped
}

// size is what the rows take in memory, in bytes.
func (f *rowVersions) size() int { return len(f.raw) + 16*len(f.ids) }

// add adds the old version of a row, unless the change has one already.
func (f *rowVersions) add(id uint64, raw []byte) {
	if f.overflowed {
		return
	}
	if n := len(f.ids); n > 0 && id <= f.ids[n-1] {
		f.insert(id, raw)
		return
	}
	f.append(id, raw)
	if f.size() > historyBytes {
		f.overflow()
	}
}

// append adds a row whose number is the highest.
func (f *rowVersions) append(id uint64, raw []byte) {
	f.raw = append(f.raw, raw...)
	f.ids, f.ends = append(f.ids, id), append(f.ends, len(f.raw))
}

// insert adds a row whose number is not the highest.
func (f *rowVersions) insert(id uint64, raw []byte) {
	i, found := slices.BinarySearch(f.ids, id)
	if found {
		return
	}
	from := f.start(i)
	f.raw = slices.Insert(f.raw, from, raw...)
	f.ids, f.ends = slices.Insert(f.ids, i, id), slices.Insert(f.ends, i, from)
	for k := i; k < len(f.ends); k++ {
		f.ends[k] += len(raw)
	}
}

func (f *rowVersions) overflow() { f.ids, f.ends, f.raw, f.overflowed = nil, nil, nil, true }

func (f *rowVersions) start(i int) int {
	if i == 0 {
		return 0
	}
	return f.ends[i-1]
}

// versionChain are the row versions that a snapshot reads instead of those in the file: first those that its
// transaction has written, the latest change first, then old versions, the earliest change first. An empty row is
// deleted.
type versionChain []*rowVersions

// size is what the rows take in memory, in bytes.
func (h versionChain) size() (n int) {
	for _, f := range h {
		n += f.size()
	}
	return n
}

// versionsOf returns the changes of a table that tx sees and the snapshot does not. Changes are recorded before they
// are committed, so tx must have begun before the call.
func (sn *Snapshot) versionsOf(tx *sealed.Tx, o *Object) (versionChain, error) {
	c := &sn.s.corpora
	c.mu.Lock()
	defer c.mu.Unlock()
	out := slices.Clone(sn.rows[o.ID])
	for _, f := range c.rowHistory {
		if f.table != o.ID || f.version != 0 && f.version <= sn.version || f.tx > tx.ID() {
			continue
		}
		if f.overflowed {
			return nil, fmt.Errorf("%s: %w", o.Name, ErrSnapshotTooOld)
		}
		out = append(out, f)
	}
	return out, nil
}

// row returns the version of a row in the chain; ok is false if the row in the file is to be read.
func (h versionChain) row(id uint64) (raw []byte, ok bool) {
	for _, f := range h {
		if i, found := slices.BinarySearch(f.ids, id); found {
			return f.raw[f.start(i):f.ends[i]], true
		}
	}
	return nil, false
}

// between returns the numbers in [from, to) of rows in the chain, ascending.
func (h versionChain) between(from, to uint64) []uint64 {
	var out []uint64
	for _, f := range h {
		i, _ := slices.BinarySearch(f.ids, from)
		k, _ := slices.BinarySearch(f.ids, to)
		out = append(out, f.ids[i:k]...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// recordVersions records the old versions of the rows of changes, before these are committed.
func (s *Store) recordVersions(list ...*rowVersions) {
	c := &s.corpora
	c.mu.Lock()
	defer c.mu.Unlock()
	kept := 0
	for _, f := range c.rowHistory {
		kept += f.size()
	}
	for _, f := range list {
		if len(f.ids) == 0 && !f.overflowed {
			continue
		}
		if kept += f.size(); kept > historyBytes {
			kept -= f.size()
			f.overflow()
		}
		c.rowHistory = append(c.rowHistory, f)
	}
}

// publishTables makes committed changes of tables visible.
func (s *Store) publishTables(states map[uint32]tableState, list ...*rowVersions) {
	c := &s.corpora
	c.mu.Lock()
	defer c.mu.Unlock()
	c.version++
	c.publishTables(states, list)
}

// publishTables makes changes of tables visible in the present version.
func (c *corpora) publishTables(states map[uint32]tableState, list []*rowVersions) {
	c.setTables(states)
	for _, f := range list {
		f.version = c.version
	}
	c.prune()
	for id := range states {
		c.mergeVersions(id)
	}
}

// mergeVersions merges changes of a table of similar size that no open snapshot lies between, so that n changes take
// log n entries. The last one is not merged: its statement still reads the state before it.
func (c *corpora) mergeVersions(table uint32) {
	var places []int
	for i, f := range c.rowHistory {
		if f.table == table && f.version != 0 {
			places = append(places, i)
		}
	}
	for k := len(places) - 2; k > 0; k-- {
		first, second := c.rowHistory[places[k-1]], c.rowHistory[places[k]]
		if first.overflowed || second.overflowed || 2*second.size() < first.size() ||
			c.between(first.version, second.version) {
			return
		}
		both := merged(first, second)
		both.version, both.tx = second.version, first.tx
		c.rowHistory[places[k-1]] = both
		c.rowHistory = slices.Delete(c.rowHistory, places[k], places[k]+1)
	}
}

// between reports whether a snapshot is open that sees a version and not the later one.
func (c *corpora) between(version, later uint64) bool {
	for sn := c.snapshots.prev; sn != &c.snapshots && sn.version >= version; sn = sn.prev {
		if sn.version < later {
			return true
		}
	}
	return false
}

// discardVersions removes the versions of changes that were not committed.
func (s *Store) discardVersions(list ...*rowVersions) {
	c := &s.corpora
	c.mu.Lock()
	defer c.mu.Unlock()
	c.rowHistory = slices.DeleteFunc(slices.Clone(c.rowHistory), func(f *rowVersions) bool {
		return slices.Contains(list, f)
	})
}

// setTables replaces states of tables. Snapshots keep the old ones.
func (c *corpora) setTables(states map[uint32]tableState) {
	next := make(map[uint32]tableState, len(c.tables)+len(states))
	for id, st := range c.tables {
		next[id] = st
	}
	for id, st := range states {
		next[id] = st
	}
	c.tables = next
}

// oldest is the version of the oldest open snapshot, or the present version.
func (c *corpora) oldest() uint64 {
	if first := c.snapshots.next; first != &c.snapshots {
		return first.version
	}
	return c.version
}

// prune removes the versions of changes that all open snapshots see.
func (c *corpora) prune() {
	if len(c.rowHistory) == 0 {
		return
	}
	oldest := c.oldest()
	c.rowHistory = slices.DeleteFunc(slices.Clone(c.rowHistory), func(f *rowVersions) bool {
		return f.version != 0 && f.version <= oldest
	})
}

// renumber marks the changes as older than every transaction: after Compact, the new file numbers transactions from 0.
func (c *corpora) renumber() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, f := range c.rowHistory {
		f.tx = 0
	}
}
