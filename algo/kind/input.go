package kind

import (
	"context"
	"iter"

	"parlance/algo/text"
	"parlance/storage/value"
)

// Documents is an input of documents in memory.
type Documents []*text.Document

// Documents yields the documents.
func (d Documents) Documents(ctx context.Context) iter.Seq2[*text.Document, error] {
	return func(yield func(*text.Document, error) bool) {
		for _, x := range d {
			if err := ctx.Err(); err != nil {
				yield(nil, err)
				return
			}
			if !yield(x, nil) {
				return
			}
		}
	}
}

// Count returns the number of documents.
func (d Documents) Count() int { return len(d) }

// Table has none.
func (d Documents) Table(string) (Table, bool) { return nil, false }

// Tables is an input of tables in memory, by the names in the schema.
type Tables map[string][][]value.Value

// Documents yields none.
func (t Tables) Documents(context.Context) iter.Seq2[*text.Document, error] {
	return func(func(*text.Document, error) bool) {}
}

// Count is 0, for there are no documents.
func (t Tables) Count() int { return 0 }

// Table returns the rows of a name.
func (t Tables) Table(name string) (Table, bool) {
	rows, ok := t[name]
	return memory(rows), ok
}

// memory is the rows of a table in memory.
type memory [][]value.Value

func (m memory) Count() int { return len(m) }

func (m memory) Rows(ctx context.Context) iter.Seq2[[]value.Value, error] {
	return func(yield func([]value.Value, error) bool) {
		for i, row := range m {
			if i%rowsPerBatch == 0 {
				if err := ctx.Err(); err != nil {
					yield(nil, err)
					return
				}
			}
			if !yield(row, nil) {
				return
			}
		}
	}
}

// Done tells an input that its documents will not be read again, so that what is kept of them to read them faster may
// go: for a training that needs its memory later.
func Done(in Input) {
	if d, ok := in.(interface{ Done() }); ok {
		d.Done()
	}
}
