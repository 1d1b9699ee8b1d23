package exec

import (
	"context"

	"parlance/storage/value"
)

// kept is batches that are read several times: in memory, or in a file once they do not fit.
type kept struct {
	batches []*value.Batch
	n       int // rows
	bytes   int
	file    *spillFile
	memory  *budget
}

// keptBatch keeps rows of one batch.
func keptBatch(b *value.Batch, n int) *kept { return &kept{batches: []*value.Batch{b}, n: n} }

func newKept(memory *budget) *kept { return &kept{memory: memory} }

// add keeps a batch; beyond what the budget allows all of them go to a file.
func (k *kept) add(b *value.Batch) error {
	k.n += b.N
	k.bytes += b.Bytes()
	k.batches = append(k.batches, b)
	if k.file == nil && !k.memory.exceeded(k.bytes) {
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
	k.memory.release()
	return nil
}

// reader reads the batches from the beginning. Readers may be used side by side.
func (k *kept) reader() (Operator, error) {
	if k.file != nil {
		return k.file.reader()
	}
	return &keptReader{batches: k.batches}, nil
}

func (k *kept) close() error {
	if k == nil {
		return nil
	}
	k.memory.release()
	return k.file.close()
}

// keptReader yields batches.
type keptReader struct{ batches []*value.Batch }

func newKeptReader(batches []*value.Batch) Operator { return &keptReader{batches} }

func (k *keptReader) Next(ctx context.Context) (*value.Batch, error) {
	if err := ctx.Err(); err != nil || len(k.batches) == 0 {
		return nil, err
	}
	b := k.batches[0]
	k.batches = k.batches[1:]
	return b, nil
}

func (k *keptReader) Close() error { return nil }
