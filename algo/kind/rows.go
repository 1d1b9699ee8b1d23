package kind

import (
	"context"
	"iter"

	"parlance/storage/value"
)

// rowsPerBatch bounds the batches of RowsOf, which begin with firstBatch rows and double: what is
// ranked is often asked for a few rows only.
const (
	firstBatch   = 16
	rowsPerBatch = 1024
)

// RowsOf is a relation whose rows a sequence yields; a row is read before the next one is asked for.
func RowsOf(rel Relation, seq iter.Seq[[]value.Value]) Rows {
	types := make([]value.Type, len(rel.Columns))
	for i, c := range rel.Columns {
		types[i] = c.Type
	}
	next, stop := iter.Pull(seq)
	return &sequence{types, next, stop, firstBatch}
}

// WordRows are the rows of a model that is a lexicon, as Lexicon.All yields them.
func WordRows(ctx context.Context, n int, row func(i int) []string) iter.Seq2[[]string, error] {
	return func(yield func([]string, error) bool) {
		for i := range n {
			if i%rowsPerBatch == 0 && ctx.Err() != nil {
				yield(nil, ctx.Err())
				return
			}
			if !yield(row(i), nil) {
				return
			}
		}
	}
}

type sequence struct {
	types []value.Type
	next  func() ([]value.Value, bool)
	stop  func()
	size  int // of the next batch
}

func (s *sequence) Next(ctx context.Context) (*value.Batch, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var rows [][]value.Value
	for len(rows) < s.size {
		row, ok := s.next()
		if !ok {
			break
		}
		rows = append(rows, append([]value.Value(nil), row...))
	}
	if err := ctx.Err(); err != nil { // which may have ended the sequence
		return nil, err
	}
	s.size = min(2*s.size, rowsPerBatch)
	if len(rows) == 0 {
		return nil, nil
	}
	return value.FromRows(s.types, rows), nil
}

func (s *sequence) Close() error {
	s.stop()
	return nil
}
