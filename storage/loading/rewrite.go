package loading

import (
	"context"
	"fmt"
	"slices"

	"parlance/algo/text"
	"parlance/storage/documents"
)

// Rewrite writes the live documents of generations of the corpus, in their order and with their sequence numbers, and
// without a layer, "" for none.
func (l *Load) Rewrite(ctx context.Context, gens []*documents.Generation, without string) (*Written, error) {
	l.keepSeq, l.raw = true, true
	l.layers = slices.DeleteFunc(l.layers, func(x documents.Layer) bool { return x.Name == without })
	if without != "" {
		l.index(slices.DeleteFunc(slices.Clone(l.indexes),
			func(x documents.IndexState) bool { return x.Rows() && x.Layer == without }))
	}
	if err := l.take(ctx, gens, without); err != nil {
		l.fail(err)
	}
	return l.Finish(ctx)
}

// take adds the live documents of generations, in their order.
func (l *Load) take(ctx context.Context, gens []*documents.Generation, without string) error {
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
			d = dropLayer(d, without)
			if err := l.add(ctx, d, "", nil); err != nil {
				return err
			}
		}
	}
	return nil
}

// dropLayer returns the document without the named layer.
func dropLayer(d *text.Document, name string) *text.Document {
	if name == "" || d.Layer(name) == nil {
		return d
	}
	c := *d
	c.DropLayer(name)
	return &c
}
