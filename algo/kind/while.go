package kind

import (
	"context"
	"iter"
)

// While yields what a sequence yields until the context ends, for loops over the sentences of a document, which may be
// long. Callers look at the context afterwards.
func While[T any](ctx context.Context, of iter.Seq[T]) iter.Seq[T] {
	return func(yield func(T) bool) {
		n := 0
		for x := range of {
			if n++; n&31 == 0 && ctx.Err() != nil || !yield(x) {
				return
			}
		}
	}
}
