package db

import (
	"context"
	"io"
	"sync"
	"sync/atomic"

	"parlance/algo/kind"
	"parlance/query/engine"
	"parlance/query/lex"
	"parlance/query/operator"
	"parlance/query/plan"
	"parlance/query/progress"
	"parlance/storage/value"
)

// Progress is the state of a training: step, of, objective, held-out score, seconds.
type Progress = kind.Progress

// IsProgress reports whether a line, such as a notice of a server, is the text of a Progress.
func IsProgress(line string) bool { return kind.IsProgress(line) }

// Conn is a session: settings, notices, progress. It runs one statement at a time; others
// wait until its rows are closed or their context ends. What receives notices and progress, and
// the streams, are set while no statement runs. One that opens transaction blocks, declares cursors or makes temporary
// objects is closed by Close; others need not be.
type Conn struct {
	d    *DB
	ses  *engine.Session
	busy chan struct{} // holds an element while a statement runs

	reporting sync.Mutex // held while notices and progress are received: a training tells from more goroutines than one

	pinned  *openFile // of the transaction block or group of statements, else nil
	grouped bool      // statements belong together, until EndImplicit

	interleaved bool
	overlapping bool
	shared      sharedContext
	ended       func(StatementInfo) // told how statements end, may be nil

	single  bool                                    // the session ends with its statement
	closing atomic.Bool                             // Close has been called
	cancel  atomic.Pointer[context.CancelCauseFunc] // of the statement that began last
}

// Conn returns a new session.
func (d *DB) Conn() *Conn {
	return &Conn{d: d, busy: make(chan struct{}, 1), ses: engine.NewSession()}
}

// OnNotice sets the function that receives notices, one line each, with long names shortened. It is called while a
// statement runs.
func (c *Conn) OnNotice(f func(string)) {
	c.ses.Notice = func(msg string) {
		if level := c.ses.Settings.MinMessages; level != "warning" && level != "error" {
			c.reporting.Lock()
			defer c.reporting.Unlock()
			f(shortened(msg))
		}
	}
}

// OnProgress sets the function that receives the progress of trainings, of LOAD and of other long work.
func (c *Conn) OnProgress(f func(Progress)) {
	var rates progress.Rates
	c.ses.Progress = func(p Progress) {
		c.reporting.Lock()
		defer c.reporting.Unlock()
		f(rates.Add(p))
	}
}

// OnDeallocate sets what forgets the prepared statements of a protocol, for DEALLOCATE and DISCARD ALL: the one of a
// name, or all for an empty name; it tells whether there was one. It is called while a statement runs.
func (c Wire) OnDeallocate(f func(name string) bool) { c.ses.OnDeallocate = f }

// OnUnwind sets what is told that a transaction block goes back to a savepoint, or ends (depth -1), with undone: rows
// that were opened after more savepoints than depth (Depth) are to be closed. Without undone a savepoint
// was released, and such rows count as opened after depth of them. It is called while a statement runs.
func (c Wire) OnUnwind(f func(depth int, undone bool)) { c.ses.OnUnwind = f }

// Stdin is what LOAD STDIN and COPY … FROM STDIN read. A stream with a method
// Shape(columns int, binary bool) is told, before its first byte, what rows it holds; so is Stdout.
func (c *Conn) Stdin(r io.Reader) { c.ses.Stdin = r }

// Stdout is what COPY … TO STDOUT writes.
func (c *Conn) Stdout(w io.Writer) { c.ses.Stdout = w }

// Result is the result of a statement without rows.
type Result struct {
	// Tag is the verb and what was done: INSERT 3, UPDATE 3, DELETE 3 and COPY 3 say how many rows or documents are
	// affected, LOAD 42 documents 1024 tokens how many came, ANNOTATE 3 how many documents were annotated, once for
	// each model.
	Tag      string
	Affected int64 // first number of the tag: rows, or documents of LOAD and ANNOTATE
	Rows     int64 // rows that were returned and left unread
}

// Exec runs a statement. Arguments are booleans, numbers, texts, times, []byte, []float32 (vectors), json.RawMessage,
// driver.Valuer, pointers to such, nil for NULL, and slices of such, which are arrays.
func (c *Conn) Exec(ctx context.Context, statement string, args ...any) (Result, error) {
	s, err := c.once(statement, args)
	if err != nil {
		return Result{}, err
	}
	return s.Exec(ctx, args...)
}

// Query runs a statement and returns its rows, which must be closed. A statement without rows
// gives none.
func (c *Conn) Query(ctx context.Context, statement string, args ...any) (*Rows, error) {
	s, err := c.once(statement, args)
	if err != nil {
		return nil, err
	}
	return s.Query(ctx, args...)
}

// once parses a statement to be run once.
func (c *Conn) once(statement string, args []any) (*Stmt, error) {
	if len(args) > 0 {
		return c.Prepare(statement)
	}
	return c.immediate(statement)
}

// hold takes the connection for a statement; leave gives it back.
func (c *Conn) hold(ctx context.Context) (context.Context, stay, error) {
	if c.interleaved {
		return c.share(ctx)
	}
	if !c.overlapping {
		select {
		case c.busy <- struct{}{}:
		case <-ctx.Done():
			return nil, stay{}, wrap(ctx.Err())
		case <-c.d.ctx.Done():
			return nil, stay{}, wrap(ErrClosed)
		}
	}
	ctx, cancel, in, err := c.d.begin(ctx, c.pinned)
	if err != nil {
		c.free()
		return nil, stay{}, wrap(err)
	}
	c.cancel.Store(&cancel)
	if c.closing.Load() { // after Close has looked for what to cancel, or before
		in.end()
		c.free()
		return nil, stay{}, errConnClosed
	}
	c.ses.Cancel = cancel
	return ctx, in, nil
}

// free lets the next statement of the connection run.
func (c *Conn) free() {
	if !c.interleaved && !c.overlapping {
		<-c.busy
	}
}

// leave gives the connection back after a statement.
func (c *Conn) leave(in stay) {
	c.settle(in.file)
	c.endSingle(in)
	c.free()
	if in.end != nil {
		in.end()
		return
	}
	in.file.leave()
	c.d.wait.Done()
}

// settle keeps a file for the next statement of a transaction block or group, and lets it go after their end.
func (c *Conn) settle(f *openFile) {
	if c.d.ctx.Err() != nil {
		return // Close ends rows from another goroutine, and closes all files
	}
	switch needs := c.grouped || c.ses.InTransaction(); {
	case needs && c.pinned == nil && f != nil:
		f.enter()
		c.pinned = f
	case !needs && c.pinned != nil:
		f, c.pinned = c.pinned, nil
		f.leave()
	}
}

// run executes a statement; connection and database are held until the rows end.
func (c *Conn) run(ctx context.Context, s *Stmt, args []value.Value) (*Rows, error) {
	ctx, in, err := c.hold(ctx)
	if err != nil {
		return nil, err
	}
	c.ses.ParseTime, c.ses.Literals, c.ses.LiteralsCompared = s.p.spent, s.args, s.comparedArgs
	if len(s.args) > 0 {
		args = s.args
	}
	res, err := in.file.engine.Execute(ctx, c.ses, s.p.stmt, args)
	w := watched{c: c, id: c.ses.Statement, started: c.ses.Began, parsed: s.p, args: args, inline: len(s.args) > 0}
	if err != nil {
		err = wrap(err)
		w.end(0, err)
		c.leave(in)
		return nil, located(err, s.at)
	}
	if res == nil {
		res = &operator.Result{}
	}
	r := &Rows{ctx: ctx, tag: res.Tag, op: res.Rows, plan: res.Columns, watched: w, in: in, place: s.at}
	if r.op == nil {
		return r, r.end(nil)
	}
	if err := c.d.keep(r); err != nil {
		return nil, r.end(err)
	}
	return r, nil
}

func column(c plan.Column) Column { return Column{c.Name, c.Type.String(), c.Members} }

// Script runs the statements of a script one after the other, until the first error, whose
// place is one in the script. each receives the rows of every statement, and may be nil.
func (c *Conn) Script(ctx context.Context, script string, each func(*Rows) error) error {
	list, err := lex.Script(script)
	for _, st := range list {
		if err := c.one(ctx, st, each); err != nil {
			return err
		}
	}
	if err != nil {
		return c.refused(nil, err)
	}
	return nil
}

func (c *Conn) one(ctx context.Context, st lex.Statement, each func(*Rows) error) error {
	rows, err := c.Query(ctx, st.Text)
	if err == nil {
		if each != nil {
			err = each(rows)
		}
		for err == nil && rows.NextBatch() != nil {
		}
		if closed := rows.Close(); err == nil {
			err = closed
		}
	}
	return located(err, &st)
}
