package operator

import (
	"context"

	"parlance/storage/value"
)

// Materialized is batches that are read several times: in memory, or in a file once they do not fit.
type Materialized struct {
	batches []*value.Batch
	Rows    int // rows
	bytes   int
	file    *spillFile
	memory  *Budget
}

// MaterializedBatch keeps rows of one batch.
func MaterializedBatch(b *value.Batch, n int) *Materialized {
	return &Materialized{batches: []*value.Batch{b}, Rows: n}
}

func NewMaterialized(memory *Budget) *Materialized { return &Materialized{memory: memory} }

// Add keeps a batch; beyond what the budget allows all of them go to a file.
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

// Reader reads the batches from the beginning. Readers may be used side by side.
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

// batchReader yields batches.
type batchReader struct{ batches []*value.Batch }

func NewBatchReader(batches []*value.Batch) Operator { return &batchReader{batches} }

func (k *batchReader) Next(ctx context.Context) (*value.Batch, error) {
	if err := ctx.Err(); err != nil || len(k.batches) == 0 {
		return nil, err
	}
	b := k.batches[0]
	k.batches = k.batches[1:]
	return b, nil
}

func (k *batchReader) Close() error { return nil }
