package storage

import (
	"fmt"
	"slices"

	"parlance/storage/bbolt"
)

// Rows of tables are changed in place. What changed and deleted rows were is kept in memory as long as
// a snapshot is open that was captured before the change was published.

// historyBytes bounds what is kept. Beyond it, a snapshot can no longer read the table.
const historyBytes = 256 << 20

// former is what one change of a table has changed: rows as they were, by number.
type former struct {
	table   uint32
	tx      int      // of bbolt; readers of earlier transactions do not see the change
	version uint64   // of the publication, 0 before it
	ids     []uint64 // ascending
	ends    []int    // of the rows in raw
	raw     []byte
	lost    bool // there were too many
}

// size is what the rows take in memory, in bytes.
func (f *former) size() int { return len(f.raw) + 16*len(f.ids) }

// add notes a row; one that was noted before stays as it was.
func (f *former) add(id uint64, raw []byte) {
	if f.lost {
		return
	}
	if n := len(f.ids); n > 0 && id <= f.ids[n-1] {
		f.insert(id, raw)
		return
	}
	f.append(id, raw)
	if f.size() > historyBytes {
		f.lose()
	}
}

// append notes a row whose number is the highest.
func (f *former) append(id uint64, raw []byte) {
	f.raw = append(f.raw, raw...)
	f.ids, f.ends = append(f.ids, id), append(f.ends, len(f.raw))
}

// insert notes a row whose number is not the highest.
func (f *former) insert(id uint64, raw []byte) {
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

func (f *former) lose() { f.ids, f.ends, f.raw, f.lost = nil, nil, nil, true }

func (f *former) start(i int) int {
	if i == 0 {
		return 0
	}
	return f.ends[i-1]
}

// history is what a snapshot reads in place of rows that have changed since: the earliest change first, behind the
// changes of its transaction, the latest first. A row without bytes is one that the transaction has deleted.
type history []*former

// size is what the rows take in memory, in bytes.
func (h history) size() (n int) {
	for _, f := range h {
		n += f.size()
	}
	return n
}

// historyOf returns the changes of a table that tx sees and the snapshot does not. What tx sees was
// noted before it was committed, so it must have begun.
func (sn *Snapshot) historyOf(tx *bbolt.Tx, o *Object) (history, error) {
	c := &sn.s.corpora
	c.mu.Lock()
	defer c.mu.Unlock()
	out := slices.Clone(sn.rows[o.ID])
	for _, f := range c.history {
		if f.table != o.ID || f.version != 0 && f.version <= sn.version || f.tx > tx.ID() {
			continue
		}
		if f.lost {
			return nil, fmt.Errorf("%s: %w", o.Name, ErrForgotten)
		}
		out = append(out, f)
	}
	return out, nil
}

// row returns a row as it was; ok is false where it is the one in the file.
func (h history) row(id uint64) (raw []byte, ok bool) {
	for _, f := range h {
		if i, found := slices.BinarySearch(f.ids, id); found {
			return f.raw[f.start(i):f.ends[i]], true
		}
	}
	return nil, false
}

// between returns the numbers from from to to, without to, of rows that have changed, ascending.
func (h history) between(from, to uint64) []uint64 {
	var out []uint64
	for _, f := range h {
		i, _ := slices.BinarySearch(f.ids, from)
		k, _ := slices.BinarySearch(f.ids, to)
		out = append(out, f.ids[i:k]...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// note keeps what a change is about to change, before it is committed.
func (s *Store) note(list ...*former) {
	c := &s.corpora
	c.mu.Lock()
	defer c.mu.Unlock()
	kept := 0
	for _, f := range c.history {
		kept += f.size()
	}
	for _, f := range list {
		if len(f.ids) == 0 && !f.lost {
			continue
		}
		if kept += f.size(); kept > historyBytes {
			kept -= f.size()
			f.lose()
		}
		c.history = append(c.history, f)
	}
}

// publishTables makes changes of tables seen, which are committed.
func (s *Store) publishTables(states map[uint32]tableState, list ...*former) {
	c := &s.corpora
	c.mu.Lock()
	defer c.mu.Unlock()
	c.version++
	c.publishTables(states, list)
}

// publishTables makes changes of tables seen with the present version.
func (c *corpora) publishTables(states map[uint32]tableState, list []*former) {
	c.setTables(states)
	for _, f := range list {
		f.version = c.version
	}
	c.prune()
	for id := range states {
		c.join(id)
	}
}

// join makes changes of a table one where no open snapshot lies between them, those of like size, so that n take log n places.
// The last one stays as it is: the statement that has made it still reads what was before.
func (c *corpora) join(table uint32) {
	var places []int
	for i, f := range c.history {
		if f.table == table && f.version != 0 {
			places = append(places, i)
		}
	}
	for k := len(places) - 2; k > 0; k-- {
		first, second := c.history[places[k-1]], c.history[places[k]]
		if first.lost || second.lost || 2*second.size() < first.size() || c.between(first.version, second.version) {
			return
		}
		both := merged(first, second)
		both.version, both.tx = second.version, first.tx
		c.history[places[k-1]] = both
		c.history = slices.Delete(c.history, places[k], places[k]+1)
	}
}

// between reports whether a snapshot is open that sees a version and not a later one.
func (c *corpora) between(version, later uint64) bool {
	for sn := c.readers.prev; sn != &c.readers && sn.version >= version; sn = sn.prev {
		if sn.version < later {
			return true
		}
	}
	return false
}

// takeBack forgets changes that were not committed.
func (s *Store) takeBack(list ...*former) {
	c := &s.corpora
	c.mu.Lock()
	defer c.mu.Unlock()
	c.history = slices.DeleteFunc(slices.Clone(c.history), func(f *former) bool { return slices.Contains(list, f) })
}

// setTables puts states in the place of others; snapshots keep theirs.
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

// oldest is the version of the oldest open snapshot, or the present one.
func (c *corpora) oldest() uint64 {
	if first := c.readers.next; first != &c.readers {
		return first.version
	}
	return c.version
}

// prune forgets the changes that all open snapshots see.
func (c *corpora) prune() {
	if len(c.history) == 0 {
		return
	}
	oldest := c.oldest()
	c.history = slices.DeleteFunc(slices.Clone(c.history), func(f *former) bool { return f.version != 0 && f.version <= oldest })
}

// renumber lets every reader see the changes: a new file counts its transactions anew.
func (c *corpora) renumber() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, f := range c.history {
		f.tx = 0
	}
}
