package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"parlance/db/manual"
	"parlance/query/fn"
	"parlance/query/fn/builtin"
	"parlance/query/lex"
)

// vocabTable makes the table that examples of aggregates and window functions read.
const vocabTable = `CREATE LEXICON vocab (word TEXT, pos TEXT, n INTEGER);
INSERT INTO vocab VALUES ('dog', 'noun', 5), ('run', 'verb', 7), ('cat', 'noun', 3), ('see', 'verb', 7), ('old', 'adj', NULL);
SELECT * FROM vocab;
`

// notesCorpus is what the example of bm25 searches.
const notesCorpus = `CREATE CORPUS notes;
INSERT INTO notes (id, text) VALUES ('a', 'Rain again!'), ('b', 'Wind.');
CREATE FULLTEXT INDEX ON notes (text);
`

// functions lists the functions, aggregates and window functions with their examples.
func functions(ctx context.Context, b *strings.Builder, root string) (err error) {
	t, err := builtin.NewTable()
	if err != nil {
		return err
	}
	e, err := newExamples(root)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, e.close()) }()
	made, err := e.block(ctx, manual.Block{Kind: "sql", Text: vocabTable})
	if err != nil {
		return err
	}
	if _, err := e.block(ctx, manual.Block{Kind: "sql", Text: notesCorpus}); err != nil {
		return err
	}
	fmt.Fprintf(b, "## Functions\n\nAn argument in brackets may be left out, `…` repeats the last one. An argument that "+
		"is NULL makes the result NULL, but where the text says otherwise. Examples that search read this "+
		"corpus:\n\n```sql\n%s```\n\n", notesCorpus)
	b.WriteString("| function | | example | value |\n|---|---|---|---|\n")
	for _, f := range t.Scalars() {
		value, err := e.value(ctx, f)
		if err != nil {
			return err
		}
		fmt.Fprintf(b, "| `%s` | %s | %s | %s |\n", cell(f.Signature()), cell(f.Doc), code(f.Example), code(value))
	}
	fmt.Fprintf(b, "\n## Aggregates\n\nThe examples of aggregates and window functions read this "+
		"table:\n\n```sql\n%s```\n\n```text\n%s```\n\n", vocabTable, made)
	for _, a := range t.Aggregates() {
		if err := e.entry(ctx, b, a.Name, a.Name, a.Doc, a.Example); err != nil {
			return err
		}
	}
	b.WriteString("## Window functions\n\nThey and the aggregates stand before `OVER (PARTITION BY … ORDER BY … ROWS " +
		"BETWEEN … AND …)`.\n\n")
	for _, w := range t.Windows() {
		if err := e.entry(ctx, b, w.Name, w.Signature(), w.Doc, w.Example); err != nil {
			return err
		}
	}
	return nil
}

// code is a text as code in a cell of a table.
func code(s string) string {
	if s == "" {
		return ""
	}
	return "`" + cell(s) + "`"
}

// value computes the example of a function.
func (e *examples) value(ctx context.Context, f *fn.Func) (string, error) {
	if f.Example == "" {
		return "", nil
	}
	rows, err := e.conn.Query(ctx, "SELECT "+f.Example)
	if err != nil {
		return "", fmt.Errorf("example of function %s: %w", f.Name, err)
	}
	var shown string
	if rows.Next() {
		shown = shownValue(rows.Values()[0])
		if rows.Values()[0].IsNull() {
			shown = "NULL"
		}
	}
	if err := rows.Close(); err != nil {
		return "", fmt.Errorf("example of function %s: %w", f.Name, err)
	}
	return shown, nil
}

// entry writes an aggregate or window function with the rows of its example.
func (e *examples) entry(ctx context.Context, b *strings.Builder, name, signature, doc, example string) error {
	fmt.Fprintf(b, "**`%s`**: %s.\n\n", signature, doc)
	if example == "" {
		return nil
	}
	shown, err := e.statement(ctx, lex.Statement{Text: example}, nil)
	if err != nil {
		return fmt.Errorf("example of %s: %w", name, err)
	}
	fmt.Fprintf(b, "```sql\n%s;\n```\n\n```text\n%s```\n\n", example, shown)
	return nil
}
