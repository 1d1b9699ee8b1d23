package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"parlance/db"
	"parlance/db/manual"
	"parlance/query/ast"
	"parlance/query/lex"
	"parlance/query/parse"
	"parlance/storage/files"
)

// examples runs the examples of chapters in a temporary database. Paths below testdata and algo/foreign are those
// of the repository; all others lie in a temporary folder.
type examples struct {
	root, folder string
	db           *db.DB
	conn         *db.Conn
	stdout       bytes.Buffer
	seen         witness // may be nil
	format       string  // whose example runs, "" in chapters
}

// newExamples makes the database and the folder. The path of the repository becomes absolute, so that it can be told
// from other texts in what examples print.
func newExamples(root string) (*examples, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return nil, err
	}
	folder, err := os.MkdirTemp("", "parlance-manual-*")
	if err != nil {
		return nil, err
	}
	d, err := db.Open("", db.Options{})
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(folder))
	}
	e := &examples{root: root, folder: folder, db: d, conn: d.Conn()}
	e.conn.Stdout(&e.stdout)
	e.conn.Files(exampleFiles{e})
	return e, nil
}

// exampleFiles are the files of the process under the names that examples give them.
type exampleFiles struct{ of *examples }

func (f exampleFiles) Stat(name string) (fs.FileInfo, error) { return os.Stat(f.of.path(name)) }

func (f exampleFiles) Lstat(name string) (fs.FileInfo, error) { return os.Lstat(f.of.path(name)) }

func (f exampleFiles) Glob(pattern string) ([]string, error) {
	return files.Anywhere.Glob(f.of.path(pattern))
}

func (f exampleFiles) Open(name string) (files.File, error) {
	return files.Anywhere.Open(f.of.path(name))
}

func (f exampleFiles) Create(name string) (files.NewFile, error) {
	return files.Anywhere.Create(f.of.path(name))
}

func (f exampleFiles) Rename(from, to string) error { return os.Rename(f.of.path(from), f.of.path(to)) }

func (f exampleFiles) Link(from, to string) error { return os.Link(f.of.path(from), f.of.path(to)) }

func (f exampleFiles) Remove(name string) error { return os.Remove(f.of.path(name)) }

func (e *examples) path(p string) string {
	if filepath.IsAbs(p) {
		return p
	}
	if strings.HasPrefix(p, "testdata/") || strings.HasPrefix(p, "algo/foreign/") {
		return filepath.Join(e.root, filepath.FromSlash(p))
	}
	return filepath.Join(e.folder, filepath.Base(p))
}

func (e *examples) close() error { return errors.Join(e.db.Close(), os.RemoveAll(e.folder)) }

// chapter runs the examples of a chapter and writes it with their results.
func (e *examples) chapter(ctx context.Context, out *strings.Builder, c manual.Chapter) error {
	for _, b := range c.Blocks {
		switch b.Kind {
		case "":
			out.WriteString(b.Text)
		case "file":
			if err := e.file(b); err != nil {
				return err
			}
			fmt.Fprintf(out, "`%s`:\n\n```text\n%s```\n", b.Mode, b.Text)
		case "sql":
			if b.Mode == "data" {
				fmt.Fprintf(out, "```sql\n%s```\n", b.Text)
				continue
			}
			result, err := e.block(ctx, b)
			if err != nil {
				return fmt.Errorf("db/manual/%s: %w", c.Name, err)
			}
			out.WriteString(given(b.Args))
			fmt.Fprintf(out, "```sql\n%s```\n", b.Text)
			if result != "" {
				fmt.Fprintf(out, "\n```text\n%s```\n", result)
			}
		default:
			fmt.Fprintf(out, "```%s\n%s```\n", b.Kind, b.Text)
		}
	}
	return nil
}

// file keeps the text of a block where statements read it.
func (e *examples) file(b manual.Block) error {
	if b.Mode == "stdin" {
		e.conn.Stdin(strings.NewReader(b.Text))
		return nil
	}
	return os.WriteFile(e.path(b.Mode), []byte(b.Text), 0o600)
}

// given tells the values of parameters.
func given(args []any) string {
	var parts []string
	for i, a := range args {
		parts = append(parts, fmt.Sprintf("`$%d` = %v", i+1, a))
	}
	if len(parts) == 0 {
		return ""
	}
	return "With " + strings.Join(parts, ", ") + ":\n\n"
}

// block runs the statements of a block and returns what they give.
func (e *examples) block(ctx context.Context, b manual.Block) (string, error) {
	list, err := lex.Script(b.Text)
	if err != nil && b.Mode != "error" {
		return "", fmt.Errorf("line %d: %w", b.Line, err)
	}
	var out strings.Builder
	for i, st := range list {
		place := fmt.Sprintf("line %d", b.Line+st.Pos.Line-1)
		result, err := e.statement(ctx, st, b.Args)
		if e.seen != nil && (err == nil || b.Mode == "error") {
			if tree, err := parse.Parse(st.Text); err == nil {
				e.seen(e.format, tree)
			}
		}
		var fault *db.Error
		switch {
		case b.Mode == "error" && i == len(list)-1 && errors.As(err, &fault):
			return e.plain(shownError(fault, st)), nil
		case b.Mode == "error" && i == len(list)-1:
			return "", fmt.Errorf("%s: this should fail: %s", place, st.Text)
		case err != nil:
			return "", fmt.Errorf("%s: %w in %s", place, err, st.Text)
		case b.Mode == "quiet" || result == "":
			continue
		}
		if out.Len() > 0 {
			out.WriteByte('\n')
		}
		out.WriteString(result)
	}
	return e.plain(out.String()), nil
}

// plain leaves out the names of temporary folders.
func (e *examples) plain(s string) string {
	return strings.NewReplacer(e.folder+string(filepath.Separator), "", e.root+string(filepath.Separator), "").Replace(s)
}

// statement runs a statement and returns its rows as a table, or what it wrote.
func (e *examples) statement(ctx context.Context, st lex.Statement, args []any) (string, error) {
	e.stdout.Reset()
	rows, err := e.conn.Query(ctx, st.Text, args...)
	if err != nil {
		return "", err
	}
	result, err := alignedTable(rows)
	if err := errors.Join(err, rows.Close()); err != nil {
		return "", err
	}
	if e.stdout.Len() > 0 {
		return strings.TrimRight(e.stdout.String(), "\n") + "\n", nil
	}
	return result, nil
}

// shownError writes an error as the shell does, its place counted in the block.
func shownError(err *db.Error, st lex.Statement) string {
	s := "ERROR " + err.Code
	if err.Line > 0 {
		at := st.Place(ast.Pos{Line: err.Line, Col: err.Column, Offset: err.Offset})
		s += fmt.Sprintf(" at line %d, column %d", at.Line, at.Col)
	}
	s += ": " + err.Message + "\n"
	if err.Hint != "" {
		s += "HINT: " + err.Hint + "\n"
	}
	return s
}
