package loading

import (
	"context"
	"fmt"

	"parlance/storage/documents"
)

// Rewrite writes the live documents of generations of the corpus, in their order and with their sequence numbers.
func (l *Load) Rewrite(ctx context.Context, gens []*documents.Generation) (*Written, error) {
	l.keepSeq, l.raw = true, true
	if err := l.take(ctx, gens); err != nil {
		l.fail(err)
	}
	return l.Finish(ctx)
}

// take adds the live documents of generations, in their order.
func (l *Load) take(ctx context.Context, gens []*documents.Generation) error {
	for _, w := range documents.Windows(documents.WholeSegments(gens)) {
		docs, err := w.Documents(ctx, l.env.Segments, l.base, documents.Names{}, documents.Want{Text: true, AllFields: true,
			AllLayers: true})
		if err != nil && ctx.Err() == nil {
			err = fmt.Errorf("corpus %s: %w", l.o.Name, err)
		}
		if err != nil {
			return err
		}
		l.forget()
		for _, d := range docs {
			if err := l.add(ctx, d, "", nil); err != nil {
				return err
			}
		}
	}
	return nil
}
