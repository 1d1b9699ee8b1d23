package repl

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"parlance/db"
	"parlance/query/ast"
	"parlance/query/lex"

	"github.com/jedib0t/go-pretty/v6/text"
)

// runner runs statements and shows what they give.
type runner struct {
	conn      session
	out       *bufio.Writer
	screen    io.Writer // below out
	errs      io.Writer
	look      look
	vars      *variables
	timing    bool
	quiet     bool // notices are left out
	bar       *bar
	file      *os.File         // that takes rows in place of the screen; nil for none
	take      func(rows) error // takes rows in place of out; nil for none
	lastError string           // the last error of a statement, with the statement
	rehearsed bool             // statements are described, not run
	pager     *pager           // nil without
	keys      *keyboard        // nil without a terminal to read from
	outlet    outlet           // data that statements send
	paged     bool             // the pager takes what is shown
	kept      *keptRows        // the rows that were shown last; nil before
}

func newRunner(conn session, s *streams, look look) *runner {
	if isTerminal(s.out) && look.expanded == "off" {
		look.expanded, look.usual = "auto", "auto"
	}
	r := &runner{conn: conn, out: bufio.NewWriter(onScreen(s.out)), screen: s.out, errs: &harmless{w: s.err}, look: look,
		vars: newVariables(), bar: newBar(s.err)}
	if isTerminal(s.in) {
		r.keys = newKeyboard(s.in, s.err)
	}
	r.outlet.Writer = r.out
	r.use(conn)
	return r
}

// use has statements run in a session.
func (r *runner) use(conn session) {
	r.conn = conn
	conn.OnNotice(func(msg string) {
		if r.quiet {
			return
		}
		r.bar.clear()
		fmt.Fprintln(r.errs, "notice:", msg)
	})
	conn.OnProgress(r.bar.show)
	conn.Stdout(&r.outlet)
}

// outlet is where data go that statements send, among the rows.
type outlet struct {
	io.Writer
	used bool // by the last statement
}

// Shape tells that a statement sends data, of which there may be none.
func (o *outlet) Shape(int, bool) { o.used = true }

// part runs the statements of a part of a script until the first error, which it prints with its place as
// file:line:column.
func (r *runner) part(ctx context.Context, name string, e *entry) error {
	list, err := lex.Script(e.text)
	for _, st := range list {
		if r.vars.values["ECHO"] == "queries" {
			if err := r.echo(st.Text + ";"); err != nil {
				return err
			}
		}
		start := time.Now()
		count, err := r.statement(ctx, st.Text)
		r.outcome(count, err)
		if err != nil {
			st.Pos = within(e, st.Pos)
			err = r.show(err, name, st)
			return errors.Join(err, r.took(start))
		}
	}
	if err != nil {
		r.outcome(0, err)
		var f *ast.Error
		if errors.As(err, &f) {
			r.lastError = report(name, within(e, f.Pos), f.Code, f.Msg, f.Hint)
			return r.print(name, within(e, f.Pos), f.Code, f.Msg, f.Hint)
		}
		return err
	}
	return r.out.Flush()
}

// echo shows what runs.
func (r *runner) echo(text string) error {
	if err := r.out.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintln(onScreen(r.screen), text)
	return err
}

// within is the place in a script of a place in an entry.
func within(e *entry, p ast.Pos) ast.Pos {
	if p.Line == 1 {
		p.Col += e.at.Col
	}
	p.Line += e.at.Line
	return p
}

// outcome sets the variables that tell of the last statement.
func (r *runner) outcome(count int64, err error) {
	v := r.vars.values
	v["ERROR"], v["SQLSTATE"], v["ROW_COUNT"] = "false", "00000", strconv.FormatInt(count, 10)
	var e *db.Error
	if err == nil || r.take != nil && !errors.As(err, &e) { // that rows cannot be taken is no error of the statement
		return
	}
	v["ERROR"], v["SQLSTATE"], v["LAST_ERROR_MESSAGE"], v["ROW_COUNT"] = "true", ioError, err.Error(), "0"
	var f *ast.Error
	if errors.As(err, &e) {
		v["SQLSTATE"], v["LAST_ERROR_MESSAGE"] = e.Code, e.Message
	} else if errors.As(err, &f) {
		v["SQLSTATE"], v["LAST_ERROR_MESSAGE"] = f.Code, f.Msg
	}
	v["LAST_ERROR_SQLSTATE"] = v["SQLSTATE"]
}

// ioError is the code of errors of this machine.
const ioError = "58000"

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
	if r.file, err = createFile(name); err == nil {
		r.out.Reset(r.file)
	}
	return err
}

// divert writes rows to a file until the result is called.
func (r *runner) divert(name string) (back func() error, err error) {
	if err := r.out.Flush(); err != nil {
		return nil, err
	}
	was := r.file
	f, err := createFile(name)
	if err != nil {
		return nil, err
	}
	r.file = f
	r.out.Reset(f)
	return func() error {
		err := errors.Join(r.out.Flush(), f.Close())
		if r.file = was; was != nil {
			r.out.Reset(was)
		} else {
			r.out.Reset(onScreen(r.screen))
		}
		return err
	}, nil
}

// createFile creates a file for rows.
func createFile(name string) (*os.File, error) {
	if strings.HasPrefix(name, "|") {
		return nil, errors.New("rows go to files, not to programs: a pipe behind parlance, or the pager, gives them to one")
	}
	f, err := os.Create(name)
	if err != nil {
		return nil, err // not a file that is nil
	}
	return f, nil
}

// statement runs one statement and shows its rows or its tag, page by page where there is a pager. It returns how many
// rows the statement gave or changed.
func (r *runner) statement(ctx context.Context, statement string) (int64, error) {
	if r.keys != nil {
		defer r.keys.until(ctx)()
	}
	ctx, leave := context.WithCancel(ctx)
	defer leave()
	if r.pager == nil || r.file != nil || r.take != nil || !r.pager.begin(leave) {
		return r.answer(ctx, statement)
	}
	r.out.Reset(&harmless{w: r.pager})
	r.paged = true
	count, err := r.answer(ctx, statement)
	r.paged = false
	r.out.Reset(onScreen(r.screen))
	if r.pager.left(err) {
		err = nil
	}
	return count, errors.Join(err, r.pager.end())
}

func (r *runner) answer(ctx context.Context, statement string) (int64, error) {
	start := time.Now()
	r.outlet.used = false
	rows, err := r.query(ctx, statement)
	r.bar.clear()
	if err != nil {
		return 0, err
	}
	counted := &counted{rows: rows}
	switch {
	case len(rows.Columns()) == 0:
		counted.n = affected(rows.Tag())
		if rows.Tag() != "" && !r.look.machine() && !r.vars.on("QUIET") && !r.outlet.used {
			fmt.Fprintln(r.out, rows.Tag())
		}
	case r.take != nil:
		err = r.take(counted)
	default:
		err = r.display(ctx, statement, counted)
	}
	r.bar.clear()
	if closed := rows.Close(); err == nil {
		err = closed
	}
	if err == nil {
		r.trained(ctx, rows.Tag())
	}
	if err != nil { // it is shown before the time
		return counted.n, errors.Join(err, r.out.Flush())
	}
	return counted.n, r.took(start)
}

// display shows rows, and keeps them for \viz.
func (r *runner) display(ctx context.Context, statement string, all rows) error {
	if r.look.format == "picture" {
		return r.draw(ctx, statement, all)
	}
	width := screenWidth(r.screen)
	if r.file != nil {
		width = 0
	}
	r.kept = &keptRows{rows: all, statement: statement}
	return showStatement(r.out, statement, r.kept, r.look, width)
}

// took shows how long a statement took, where that is asked for.
func (r *runner) took(start time.Time) error {
	if r.timing {
		fmt.Fprintf(r.out, "Time: %s\n", time.Since(start).Round(10*time.Microsecond))
	}
	return r.out.Flush()
}

// query runs a statement, or describes it.
func (r *runner) query(ctx context.Context, statement string) (rows, error) {
	if !r.rehearsed {
		return r.conn.Query(ctx, statement)
	}
	columns, err := r.conn.Describe(ctx, statement)
	if err != nil {
		return nil, err
	}
	return describedRows(columns), nil
}

// counted are rows that are counted.
type counted struct {
	rows
	n int64
}

func (c *counted) Next() bool {
	next := c.rows.Next()
	if next {
		c.n++
	}
	return next
}

// affected is the number of rows that a tag tells of, 0 for none.
func affected(tag string) int64 {
	for _, word := range strings.Fields(tag) {
		if n, err := strconv.ParseInt(word, 10, 64); err == nil {
			return n
		}
	}
	return 0
}

// show prints the error of a statement with its place in the script.
func (r *runner) show(err error, name string, st lex.Statement) error {
	var e *db.Error
	if !errors.As(err, &e) {
		if r.take != nil {
			return r.print(name, st.Pos, "", err.Error(), "")
		}
		e = &db.Error{Code: ioError, Message: err.Error()}
	}
	pos := st.Pos
	if e.Line > 0 {
		pos = st.Place(ast.Pos{Line: e.Line, Col: e.Column, Offset: e.Offset})
	}
	r.lastError = report(name, pos, e.Code, e.Message, e.Hint) + "statement: " + st.Text + ";\n"
	err = r.print(name, pos, e.Code, e.Message, e.Hint)
	if e.Line > 0 {
		r.caret(st.Text, e.Line, e.Column)
	}
	if r.vars.values["ECHO"] == "errors" {
		fmt.Fprintln(r.errs, "statement:", st.Text+";")
	}
	return err
}

// print prints an error; one of a command has no code.
func (r *runner) print(name string, pos ast.Pos, code, msg, hint string) error {
	flushed := r.out.Flush()
	fmt.Fprint(r.errs, report(name, pos, code, msg, hint))
	return &shownError{errors.Join(errors.New(msg), flushed)}
}

// report is an error with its place and hint, a line each.
func report(name string, pos ast.Pos, code, msg, hint string) string {
	if code != "" {
		code = " " + code
	}
	text := fmt.Sprintf("%s:%d:%d: error%s: %s\n", name, max(1, pos.Line), max(1, pos.Col), code, msg)
	if hint != "" {
		text += "hint: " + hint + "\n"
	}
	return text
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
