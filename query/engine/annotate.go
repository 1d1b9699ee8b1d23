package engine

import (
	"context"
	"errors"
	"unicode/utf8"

	"parlance/algo/text"
	"parlance/query/ast"
	"parlance/query/bind"
	"parlance/query/change"
	"parlance/query/fault"
	"parlance/storage/guard"
)

// TextAnnotator annotates documents that no corpus has, in the state of the database of its beginning. It must be
// closed. It is not safe for concurrent use.
type TextAnnotator struct {
	r *execution
	a *change.TextAnnotator
}

// NewTextAnnotator returns an annotator with models, name or name@version, or with none those of the setting using.
func (e *Engine) NewTextAnnotator(ctx context.Context, ses *Session, models []string) (t *TextAnnotator, err error) {
	defer guard.Recover(&err, "annotation")
	e.FollowDatabase(ses)
	r := e.newExecution(ctx, ses, nil)
	refs := make([]ast.ModelRef, len(models))
	for i, m := range models {
		refs[i] = bind.NamedModel(ast.Pos{}, m)
	}
	a := change.NewTextAnnotator(r.Execution, refs)
	if err := a.Check(); err != nil {
		_ = r.Close()
		return nil, err
	}
	return &TextAnnotator{r, a}, nil
}

// Annotate returns documents with the layers of the models, in their order.
func (t *TextAnnotator) Annotate(ctx context.Context, docs []*text.Document) (out []*text.Document, err error) {
	defer guard.Recover(&err, "annotation")
	places := make([]string, len(docs))
	for i, d := range docs {
		if err := checkDocument(d); err != nil {
			return nil, err
		}
		places[i] = "document " + d.ID
	}
	return t.a.Annotate(ctx, docs, places)
}

// checkDocument refuses a document of a program that no reader of files would have made.
func checkDocument(d *text.Document) error {
	switch {
	case d == nil:
		return fault.Invalid("a document is nil")
	case !utf8.ValidString(d.Text):
		return fault.New(ast.CodeNotText, "document %s: the text is not valid UTF-8", d.ID)
	}
	tokens := d.Layer(text.Tokens.Name)
	for _, l := range d.Layers {
		if l == nil || l.Def == nil {
			return fault.Invalid("document %s: a layer has no definition", d.ID)
		}
		if err := d.Verify(l, l.Def, tokens); err != nil {
			return fault.Invalid("document %s: layer %s: %v", d.ID, l.Name, err)
		}
	}
	return nil
}

// Close releases the state.
func (t *TextAnnotator) Close() error { return t.r.Close() }

// ReadDocuments reads the documents that an ANNOTATE names, some at a time. A tokenizer cuts the texts of those without
// tokens; "" leaves them as they stand in their files.
func (e *Engine) ReadDocuments(ctx context.Context, ses *Session, s *ast.AnnotateFiles, tokenizer string,
	emit func([]*text.Document) error) (err error) {
	defer guard.Recover(&err, "reading documents")
	e.FollowDatabase(ses)
	r := e.newExecution(ctx, ses, nil)
	err = change.ReadFiles(r.Execution, ctx, s, tokenizer, emit)
	return errors.Join(err, r.Close())
}
