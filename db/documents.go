package db

import (
	"context"
	"errors"
	"iter"

	"parlance/algo/text"
	"parlance/query/ast"
	"parlance/query/engine"
	"parlance/query/parse"
)

// Source is files of documents.
type Source struct {
	Paths  []string // paths or patterns; files with .gz or .zst are read as what they hold
	Format string   // as in LOAD … FORMAT; "" for the one that the files look like
	With   string   // options of the format, as within the parentheses of WITH: columns = (form, upos); "" for none
	// what cuts documents without tokens into sentences and tokens, such as unicode, which a corpus has that names none;
	// "" leaves them as they are
	Tokenizer string
}

// errLeft ends a reading whose loop was left.
var errLeft = errors.New("the loop was left")

// Documents reads the documents of files one after the other, as ANNOTATE reads them, with the layers that the files
// have, and with tokens where a tokenizer is named. Memory is that of some documents, or of the largest. An error ends
// the loop as its last value.
func (d *DB) Documents(ctx context.Context, s Source) iter.Seq2[*text.Document, error] {
	return func(yield func(*text.Document, error) bool) {
		err := d.documents(ctx, s, func(docs []*text.Document) error {
			for _, doc := range docs {
				if !yield(doc, nil) {
					return errLeft
				}
			}
			return nil
		})
		if err != nil && !errors.Is(err, errLeft) {
			yield(nil, wrap(err))
		}
	}
}

func (d *DB) documents(ctx context.Context, s Source, emit func([]*text.Document) error) error {
	ctx, _, in, err := d.begin(ctx, nil)
	if err != nil {
		return err
	}
	defer in.end()
	stmt := &ast.AnnotateFiles{Format: s.Format}
	for _, p := range s.Paths {
		stmt.Paths = append(stmt.Paths, &ast.Literal{Value: p})
	}
	if stmt.With, err = parse.Options(s.With); err != nil {
		return err
	}
	return in.file.engine.ReadDocuments(ctx, engine.NewSession(), stmt, s.Tokenizer, emit)
}
