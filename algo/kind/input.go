package kind

import (
	"context"
	"iter"

	"parlance/algo/text"
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
