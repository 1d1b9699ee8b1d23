package storage

import (
	"cmp"
	"context"
	"encoding/binary"
	"maps"
	"slices"
	"strings"

	"parlance/storage/sealed"
	"parlance/storage/value"
)

// tableEntries are index entries of rows that a transaction has changed, as sorted lists, that of the latest change
// first. Some entries are outdated: their rows have other values now, or are deleted.
type tableEntries []sortedEntries

type sortedEntries struct {
	keys []string
	size int // approximate memory, in bytes
}

func sorted(keys []string) sortedEntries {
	slices.Sort(keys)
	x := sortedEntries{keys: slices.Compact(keys)}
	for _, k := range x.keys {
		x.size += 16 + len(k)
	}
	return x
}

// with adds the entries of a change in front. Lists of similar size are merged, so that n changes take log n lists.
func (e tableEntries) with(keys []string) tableEntries {
	if len(keys) == 0 {
		return e
	}
	latest := sorted(keys)
	for len(e) > 0 && 2*len(latest.keys) >= len(e[0].keys) {
		latest, e = sorted(slices.Concat(latest.keys, e[0].keys)), e[1:]
	}
	return append(tableEntries{latest}, e...)
}

// find returns the numbers of rows whose entries have a prefix, ascending.
func (e tableEntries) find(prefix []byte) (ids []uint64) {
	p := string(prefix)
	for _, x := range e {
		for i, _ := slices.BinarySearch(x.keys, p); i < len(x.keys) && strings.HasPrefix(x.keys[i], p); i++ {
			k := x.keys[i]
			ids = append(ids, binary.BigEndian.Uint64([]byte(k[len(k)-8:])))
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// size is the approximate memory of the entries, in bytes.
func (e tableEntries) size() (n int) {
	for _, x := range e {
		n += x.size
	}
	return n
}

// blockEntries are the index entries of the rows of a table that a transaction has changed.
type blockEntries struct {
	entries tableEntries
	indexed [][]string // columns of the indexes with entries of all these rows
}

// add adds the entries of a change in the indexes of the table.
func (b *blockEntries) add(o *Object, keys []string) {
	b.indexed = slices.DeleteFunc(slices.Clone(b.indexed), func(cols []string) bool { return !o.indexed(cols) })
	b.entries = b.entries.with(keys)
	if o.Owner == 0 && b.entries.size() > mostEntryBytes {
		*b = blockEntries{}
	}
}

// covers reports whether all rows have an entry in the index of columns.
func (b *blockEntries) covers(cols []string) bool {
	return slices.ContainsFunc(b.indexed, func(x []string) bool { return slices.Equal(x, cols) })
}

// between appends the numbers of rows with entries in [from, to); nil is no end.
func (b *blockEntries) between(ids []uint64, from, to []byte) []uint64 {
	for _, x := range b.entries {
		for i, _ := slices.BinarySearch(x.keys, string(from)); i < len(x.keys); i++ {
			k := []byte(x.keys[i])
			if !before(k, to) {
				break
			}
			ids = append(ids, binary.BigEndian.Uint64(k[len(k)-8:]))
		}
	}
	return ids
}

// entries are those of the rows of the statement.
func (b *blockRows) entries(o *Object) ([]string, error) {
	var out []string
	for id, raw := range b.fresh {
		if len(raw) == 0 {
			continue
		}
		keys, err := indexKeys(o, id, raw)
		if err != nil {
			return nil, err
		}
		for _, k := range keys {
			out = append(out, string(k))
		}
	}
	return out, nil
}

// spillWithin returns ErrManyRows if the change exceeds the memory of a transaction.
func (c *KBChange) spillWithin() error {
	if c.waiting > historyBytes {
		return ErrManyRows
	}
	return nil
}

// commitWithin adds the change to its transaction.
func (c *KBChange) commitWithin(ctx context.Context) error {
	for _, p := range c.parts {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := p.changeWithin(c.within); err != nil {
			return err
		}
	}
	c.done = true
	c.unlock()
	return nil
}

func (p *kbPart) changeWithin(t *Transaction) error {
	if len(p.changed)+len(p.fresh.waiting) == 0 {
		return nil
	}
	return t.changeTable(p.o, func(o *Object, c *tableChange) error {
		for _, id := range slices.Sorted(maps.Keys(p.changed)) {
			var err error
			if row := p.changed[id]; row == nil {
				err = c.remove([]uint64{id})
			} else {
				err = c.replace(id, o.pack(row))
			}
			if err != nil {
				return err
			}
		}
		for _, row := range p.fresh.waiting {
			if err := c.add(o.pack(row)); err != nil {
				return err
			}
		}
		return nil
	})
}

// storedWithin adds the rows that the transaction has changed to those that an index finds for a prefix of its entries.
// All are in the order of their numbers.
func (p *kbPart) storedWithin(tx *sealed.Tx, out []kbRow, prefix []byte, cols []string,
	key []value.Value) ([]kbRow, error) {
	for _, id := range p.within.entries.find(prefix) {
		row, err := p.row(tx, id)
		if err != nil {
			return nil, err
		}
		if row != nil && p.matches(row, cols, key) {
			out = append(out, kbRow{id: id, row: row})
		}
	}
	slices.SortFunc(out, func(a, b kbRow) int { return cmp.Compare(a.id, b.id) })
	return out, nil
}
