package repl

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"parlance/db"
	"parlance/query/ast"
	"parlance/query/parse"

	"github.com/jedib0t/go-pretty/v6/text"
)

// runner runs statements and shows what they give.
type runner struct {
	conn   session
	out    *bufio.Writer
	screen io.Writer // below out
	errs   io.Writer
	format string
	timing bool
	quiet  bool // notices are left out
	bar    *bar
	file   *os.File  // that takes rows in place of the screen; nil for none
	pager  *pager    // nil without
	keys   *keyboard // nil without a terminal to read from
}

func newRunner(conn session, s *streams, format string) *runner {
	r := &runner{conn: conn, out: bufio.NewWriter(onScreen(s.out)), screen: s.out, errs: &harmless{w: s.err}, format: format, bar: newBar(s.err)}
	r.conn.OnNotice(func(msg string) {
		if r.quiet {
			return
		}
		r.bar.clear()
		fmt.Fprintln(r.errs, "notice:", msg)
	})
	r.conn.OnProgress(r.bar.show)
	r.conn.Stdin(s.in)
	if isTerminal(s.in) {
		r.keys = newKeyboard(s.in, s.err)
		r.conn.Stdin(r.keys)
	}
	r.conn.Stdout(r.out)
	return r
}

// script runs the statements of a script until the first error, which it prints with its
// place as file:line:column.
func (r *runner) script(ctx context.Context, name, script string) error {
	return r.part(ctx, name, 0, script)
}

// part runs the statements of a part of a script, before which are so many lines.
func (r *runner) part(ctx context.Context, name string, before int, script string) error {
	list, err := parse.Script(script)
	for _, st := range list {
		if err := r.statement(ctx, st.Text); err != nil {
			st.Pos.Line += before
			return r.show(err, name, st)
		}
	}
	if err != nil {
		var e *ast.Error
		if errors.As(err, &e) {
			e.Pos.Line += before
			return r.print(name, e.Pos, e.Code, e.Msg, e.Hint)
		}
		return err
	}
	return r.out.Flush()
}

// redirect writes rows to a file from here on, to the screen again for no name.
func (r *runner) redirect(name string) error {
	err := r.out.Flush()
	if r.file != nil {
		err = errors.Join(err, r.file.Close())
		r.file = nil
	}
	r.out.Reset(onScreen(r.screen))
	if name == "" || err != nil {
		return err
	}
	if r.file, err = os.Create(name); err != nil {
		return err
	}
	r.out.Reset(r.file)
	return nil
}

// statement runs one statement and shows its rows or its tag, page by page where there is a pager.
func (r *runner) statement(ctx context.Context, statement string) error {
	if r.keys != nil {
		defer r.keys.until(ctx)()
	}
	if r.pager == nil || r.file != nil || !r.pager.begin() {
		return r.answer(ctx, statement)
	}
	r.out.Reset(&harmless{w: r.pager})
	err := r.answer(ctx, statement)
	r.out.Reset(onScreen(r.screen))
	if r.pager.left(err) {
		err = nil
	}
	return errors.Join(err, r.pager.end())
}

func (r *runner) answer(ctx context.Context, statement string) error {
	start := time.Now()
	rows, err := r.conn.Query(ctx, statement)
	r.bar.clear()
	if err != nil {
		return err
	}
	if len(rows.Columns()) > 0 {
		width := screenWidth(r.screen)
		if r.file != nil {
			width = 0
		}
		err = show(r.out, rows, r.format, width)
	} else if rows.Tag() != "" && !slices.Contains([]string{"csv", "tsv", "jsonl"}, r.format) {
		fmt.Fprintln(r.out, rows.Tag())
	}
	r.bar.clear()
	if closed := rows.Close(); err == nil {
		err = closed
	}
	if r.timing {
		fmt.Fprintf(r.out, "Time: %s\n", time.Since(start).Round(10*time.Microsecond))
	}
	return errors.Join(err, r.out.Flush())
}

// show prints the error of a statement with its place in the script.
func (r *runner) show(err error, name string, st parse.Located) error {
	var e *db.Error
	if !errors.As(err, &e) {
		e = &db.Error{Code: "58000", Message: err.Error()}
	}
	pos := st.Pos
	if e.Line > 0 {
		pos = st.Place(ast.Pos{Line: e.Line, Col: e.Column, Offset: e.Offset})
	}
	err = r.print(name, pos, e.Code, e.Message, e.Hint)
	if e.Line > 0 {
		r.caret(st.Text, e.Line, e.Column)
	}
	return err
}

func (r *runner) print(name string, pos ast.Pos, code, msg, hint string) error {
	flushed := r.out.Flush()
	fmt.Fprintf(r.errs, "%s:%d:%d: error %s: %s\n", name, max(1, pos.Line), max(1, pos.Col), code, msg)
	if hint != "" {
		fmt.Fprintf(r.errs, "hint: %s\n", hint)
	}
	return &shownError{errors.Join(errors.New(msg), flushed)}
}

// caret points at the place in the line of the statement.
func (r *runner) caret(statement string, line, col int) {
	all := strings.Split(statement, "\n")
	if line > len(all) {
		return
	}
	l := []rune(strings.TrimRight(all[line-1], "\r"))
	col = min(col, len(l)+1)
	const width = 100
	from := 0
	if col > width {
		from = col - width
	}
	end := min(len(l), from+width+20)
	before, after := visible(string(l[from:col-1])), visible(string(l[col-1:end]))
	fmt.Fprintf(r.errs, "  %s\n  %s^\n", before+after, strings.Repeat(" ", text.StringWidth(before)))
}
