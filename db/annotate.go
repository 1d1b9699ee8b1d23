package db

import (
	"context"
	"iter"

	"parlance/algo/text"
	"parlance/query/engine"
)

// Annotated documents are taken and handed out in parts of about this many bytes of text, or documents.
const (
	annotatedBytes     = 256 << 10
	annotatedDocuments = 256
)

// Annotate annotates documents that are in no corpus with models, name or name@version; with none, with those of the
// setting using. A document needs an ID, which errors name, and a Text; where it has no tokens it is cut into sentences
// and tokens as the models were trained with. Of layers that it brings along, none is predicted unless a named model
// writes it. The documents come back in their order, each as a copy that shares what was not predicted.
//
// Documents are read ahead of those that are handed out, up to 256 at a time or 256 KB of text, so that several workers
// (setting workers) can annotate them; the answers do not depend on it. Memory is that of two such parts. Nothing is
// stored, and the cache of predictions is not used, so the database may be open read-only. Models that look at several
// documents at once are refused (0A000).
//
// After the first error nothing more comes, neither the documents of its part; an error of docs is handed on. The loop
// may be left at any time.
func (d *DB) Annotate(ctx context.Context, models []string,
	docs iter.Seq2[*text.Document, error]) iter.Seq2[*text.Document, error] {
	return func(yield func(*text.Document, error) bool) {
		if err := d.annotate(ctx, models, docs, func(d *text.Document) bool { return yield(d, nil) }); err != nil {
			yield(nil, wrap(err))
		}
	}
}

func (d *DB) annotate(ctx context.Context, models []string, docs iter.Seq2[*text.Document, error],
	use func(*text.Document) bool) error {
	ctx, _, in, err := d.begin(ctx, nil)
	if err != nil {
		return err
	}
	defer in.end()
	a, err := in.file.engine.NewTextAnnotator(ctx, engine.NewSession(), models)
	if err != nil {
		return err
	}
	defer a.Close()
	var part []*text.Document
	bytes := 0
	flush := func() (bool, error) {
		out, err := a.Annotate(ctx, part)
		if err != nil {
			return false, err
		}
		for _, d := range out {
			if !use(d) {
				return false, nil
			}
		}
		part, bytes = nil, 0
		return true, nil
	}
	for d, err := range docs {
		if err != nil {
			return err
		}
		part = append(part, d)
		if bytes += len(d.Text); bytes < annotatedBytes && len(part) < annotatedDocuments {
			continue
		}
		if more, err := flush(); !more {
			return err
		}
	}
	_, err = flush()
	return err
}
