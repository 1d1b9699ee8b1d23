package operator

import (
	"context"
	"errors"

	"parlance/storage/value"
)

// distinct yields each row at its first occurrence. Once the rows seen fill the memory, other rows go to partitions in
// files, which are read one after the other at the end.
type distinct struct {
	in      Operator
	types   []value.Type
	memory  *Budget
	level   int
	rows    *GroupTable
	spilled *spillPartitions
	file    *spillFile // partition that is read
	inner   *distinct  // reads it
}

func NewDistinct(in Operator, types []value.Type, memory *Budget) *distinct {
	return &distinct{in: in, types: types, memory: memory, rows: NewGroupTable(len(types))}
}

func (d *distinct) Next(ctx context.Context) (*value.Batch, error) {
	for d.in != nil {
		b, err := d.in.Next(ctx)
		if err != nil {
			return nil, err
		}
		if b == nil {
			err, d.in = d.in.Close(), nil
			if err != nil {
				return nil, err
			}
			break
		}
		if out, err := d.pass(b); err != nil || out != nil {
			return out, err
		}
	}
	return d.nextSpilled(ctx)
}

// pass returns the rows of a batch that are new; nil for none.
func (d *distinct) pass(b *value.Batch) (*value.Batch, error) {
	if d.spilled != nil {
		if rest := unassigned(d.rows.lookup(b.Cols, b.N)); len(rest) > 0 {
			return nil, d.spilled.add(b, b.Cols, rest)
		}
		return nil, nil
	}
	_, first := d.rows.Assign(b.Cols, b.N)
	if d.memory.Exceeded(d.rows.Bytes()) {
		d.spilled = &spillPartitions{level: d.level}
	}
	switch len(first) {
	case 0:
		return nil, nil
	case b.N:
		return b, nil
	}
	return b.Select(first), nil
}

// nextSpilled returns distinct rows of the files.
func (d *distinct) nextSpilled(ctx context.Context) (*value.Batch, error) {
	for {
		if d.inner != nil {
			b, err := d.inner.Next(ctx)
			if b != nil || err != nil {
				return b, err
			}
			if err := errors.Join(d.inner.Close(), d.file.close()); err != nil {
				return nil, err
			}
			d.inner, d.file = nil, nil
		}
		if d.spilled == nil {
			return nil, nil
		}
		if d.file = d.spilled.next(); d.file == nil {
			return nil, nil
		}
		in, err := d.file.reader()
		if err != nil {
			return nil, err
		}
		d.inner = NewDistinct(in, d.types, d.memory.fresh())
		d.inner.level = d.level + 1
	}
}

func (d *distinct) Close() error {
	d.memory.Release()
	var err error
	if d.in != nil {
		err = d.in.Close()
	}
	if d.inner != nil {
		err = errors.Join(err, d.inner.Close())
	}
	return errors.Join(err, d.file.close(), d.spilled.close())
}
