package storage

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"slices"
	"sync"
	"weak"

	"parlance/storage/catalog"
	"parlance/storage/documents"
	"parlance/storage/relation"
	"parlance/storage/value"
)

// contentOrders keeps the hash of the order of each object for the state that it was made of, so that statements which
// ask again do not read all rows again.
type contentOrders struct {
	mu   sync.Mutex
	byID map[uint32]orderOf
}

// orderOf is the hash of the order of one object. What it was made of is held weakly: states are large.
type orderOf struct {
	documents   weak.Pointer[documents.Corpus]      // of a corpus
	generations []weak.Pointer[relation.Generation] // of a table
	columns     string
	hash        [32]byte
}

func (x orderOf) sameState(y orderOf) bool {
	return x.documents == y.documents && x.columns == y.columns && slices.Equal(x.generations, y.generations)
}

// OrderHash tells the orders of equal rows apart, as TableHash and ContentHash do not: of a corpus it is a hash of the
// identifiers of the documents, of a table one of the rows, each in their order; of a knowledge base that of all its
// tables. It depends on nothing else: not on the numbers of rows, nor on when they were written. It reads them all,
// once for each state.
func (sn *Snapshot) OrderHash(ctx context.Context, o *Object) ([32]byte, error) {
	if o.Kind == catalog.KBObject && o.Owner == 0 {
		h := sha256.New()
		for _, t := range o.Tables {
			sum, err := sn.OrderHash(ctx, t)
			if err != nil {
				return sum, err
			}
			h.Write(sum[:])
		}
		return [32]byte(h.Sum(nil)), nil
	}
	now := orderOf{columns: string(o.Alteration())}
	read := sn.rowsOrder
	if o.Kind == catalog.CorpusObject {
		now.documents, read = weak.Make(sn.corpus(o)), sn.documentsOrder
	} else {
		for _, g := range sn.table(o).Gens {
			now.generations = append(now.generations, weak.Make(g))
		}
	}
	c := &sn.s.orders
	c.mu.Lock()
	known, ok := c.byID[o.ID]
	c.mu.Unlock()
	if ok && known.sameState(now) {
		return known.hash, nil
	}
	var err error
	if now.hash, err = read(ctx, o); err != nil {
		return now.hash, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.byID == nil {
		c.byID = map[uint32]orderOf{}
	}
	c.byID[o.ID] = now
	return now.hash, nil
}

// rowsOrder hashes the rows of a table in their order.
func (sn *Snapshot) rowsOrder(ctx context.Context, o *Object) ([32]byte, error) {
	h := sha256.New()
	var row []value.Value
	var buf []byte
	err := sn.ScanTable(ctx, o, nil, func(_ []uint64, b *value.Batch) error {
		buf = buf[:0]
		for i := range b.N {
			row = b.Row(row[:0], i)
			buf = value.AppendRow(buf, row)
		}
		h.Write(buf)
		return nil
	})
	return [32]byte(h.Sum(nil)), err
}

// documentsOrder hashes the identifiers of the documents of a corpus in their order.
func (sn *Snapshot) documentsOrder(ctx context.Context, o *Object) ([32]byte, error) {
	h := sha256.New()
	var buf []byte
	for _, w := range sn.Windows(o) {
		docs, err := sn.Documents(ctx, o, w, documents.Want{IDs: true})
		if err != nil {
			return [32]byte{}, err
		}
		buf = buf[:0]
		for _, d := range docs {
			buf = append(binary.AppendUvarint(buf, uint64(len(d.ID))), d.ID...)
		}
		h.Write(buf)
	}
	return [32]byte(h.Sum(nil)), nil
}
