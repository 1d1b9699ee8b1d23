package operator

import (
	"context"

	"parlance/query/turn"
	"parlance/storage/value"
)

// Materialized is rows that are read several times. They are in memory, or all in a file once they exceed the budget.
type Materialized struct {
	batches []*value.Batch
	Rows    int
	bytes   int
	file    *spillFile
	memory  *Budget
}

// MaterializedBatch returns n rows that are in one batch.
func MaterializedBatch(b *value.Batch, n int) *Materialized {
	return &Materialized{batches: []*value.Batch{b}, Rows: n}
}

// NewMaterialized returns no rows yet.
func NewMaterialized(memory *Budget) *Materialized { return &Materialized{memory: memory} }

// Add adds a batch.
func (k *Materialized) Add(b *value.Batch) error {
	k.Rows += b.N
	k.bytes += b.Bytes()
	k.batches = append(k.batches, b)
	if k.file == nil && !k.memory.Exceeded(k.bytes) {
		return nil
	}
	if k.file == nil {
		file, err := newSpill()
		if err != nil {
			return err
		}
		k.file = file
	}
	for _, b := range k.batches {
		if err := k.file.add(b); err != nil {
			return err
		}
	}
	k.batches = nil
	k.memory.Release()
	return nil
}

// Reader returns an operator that yields the rows from the beginning. Several may read at the same time.
func (k *Materialized) Reader() (Operator, error) {
	if k.file != nil {
		return k.file.reader()
	}
	return &batchReader{batches: k.batches}, nil
}

func (k *Materialized) Close() error {
	if k == nil {
		return nil
	}
	k.memory.Release()
	return k.file.close()
}

// batchReader yields given batches.
type batchReader struct{ batches []*value.Batch }

func NewBatchReader(batches []*value.Batch) Operator { return &batchReader{batches} }

func (k *batchReader) Next(ctx context.Context) (*value.Batch, error) {
	if err := turn.Err(ctx); err != nil || len(k.batches) == 0 {
		return nil, err
	}
	b := k.batches[0]
	k.batches = k.batches[1:]
	return b, nil
}

func (k *batchReader) Close() error { return nil }
