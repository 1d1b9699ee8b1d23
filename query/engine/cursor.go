package engine

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"parlance/query/ast"
	"parlance/query/exec"
	"parlance/query/expr"
	"parlance/query/operator"
	"parlance/query/plan"
	"parlance/query/turn"
	"parlance/storage/guard"
	"parlance/storage/value"
)

// cursor is a query whose rows a session fetches a few at a time. Between two fetches it holds its snapshot, but no
// transaction of the file.
type cursor struct {
	stmt   *ast.Declare
	at     time.Time
	block  uint64 // in which it was declared, 0 for none
	depth  int    // number of savepoints when it was declared
	cols   []plan.Column
	ctx    context.Context // of the query; it outlives the DECLARE
	cancel context.CancelCauseFunc

	mu    sync.Mutex // guards the fields below: closing the database closes cursors too
	r     *execution
	op    operator.Operator // nil after close
	batch *value.Batch
	share expr.Share // for the batch
	next  int        // next row of the batch
	leave func()     // lets the file go
	row   int64      // number of rows fetched
	ended bool
}

// maxCursors is the highest number of cursors of a session: a scan holds some megabytes until its end.
const maxCursors = 250

// openCursors are the cursors of all sessions, to be closed with the engine.
type openCursors struct {
	mu   sync.Mutex
	open map[*cursor]struct{}
}

func (o *openCursors) add(c *cursor) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.open == nil {
		o.open = map[*cursor]struct{}{}
	}
	o.open[c] = struct{}{}
}

func (o *openCursors) remove(c *cursor) {
	o.mu.Lock()
	defer o.mu.Unlock()
	delete(o.open, c)
}

// close ends all cursors.
func (o *openCursors) close() {
	o.mu.Lock()
	all := make([]*cursor, 0, len(o.open))
	for c := range o.open {
		all = append(all, c)
	}
	o.mu.Unlock()
	for _, c := range all {
		_ = c.close() // whose errors nobody waits for
	}
}

// declare opens a cursor.
func (r *execution) declare(ctx context.Context, s *ast.Declare) error {
	ses := r.ses
	switch {
	case ses.Block == NoBlock && !s.Hold:
		return plan.Errorf(s.Pos, "25P01", "BEGIN opens one; a cursor WITH HOLD needs none",
			"DECLARE CURSOR needs a transaction block")
	case ses.cursors[s.Name] != nil:
		return plan.Errorf(s.Pos, "42P03", "CLOSE "+ast.QuoteName(s.Name), "cursor %.100q exists already", s.Name)
	case len(ses.cursors) >= maxCursors:
		return plan.Errorf(s.Pos, "54000", "CLOSE those that are not needed", "%d cursors are open", maxCursors)
	}
	c := &cursor{stmt: s, at: time.Now().UTC(), depth: len(ses.savepoints)}
	if ses.Block != NoBlock {
		c.block = ses.blocks
	}
	c.ctx, c.cancel = context.WithCancelCause(context.WithoutCancel(ctx))
	c.r = r.engine.newExecution(c.ctx, ses, r.Env.Params)
	c.r.observeAs(r.now)
	defer c.cancelWith(ctx)()
	res, err := c.r.Query(s.Select)
	if err != nil {
		err = cancelCause(c.ctx, err)
		c.cancel(nil)
		return errors.Join(err, c.r.Close())
	}
	c.share.Of, c.leave = r.engine.Pool, r.engine.Retain()
	c.cols, c.op = res.Columns, res.Rows
	if ses.cursors == nil {
		ses.cursors = map[string]*cursor{}
	}
	ses.cursors[s.Name] = c
	r.engine.cursors.add(c)
	return nil
}

// close releases the query and the snapshot. Closing again does nothing.
func (c *cursor) close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.op == nil {
		return nil
	}
	err := c.op.Close()
	c.op, c.batch = nil, nil
	c.cancel(nil)
	c.r.engine.cursors.remove(c)
	c.share.Set(0)
	err = errors.Join(err, c.r.Close())
	c.leave()
	return err
}

// read returns at most n of the next rows, nil at the end. now is the FETCH that reads them.
func (c *cursor) read(ctx context.Context, now *runningStatement, n int64) (*value.Batch, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.op == nil {
		return nil, noCursor(ast.Pos{}, c.stmt.Name)
	}
	if c.batch == nil || c.next >= c.batch.N {
		if err := c.nextBatch(ctx, now); err != nil || c.ended {
			return nil, err
		}
	}
	to := c.next + int(min(n, int64(c.batch.N-c.next)))
	b := c.batch.Slice(c.next, to)
	c.next = to
	c.row += int64(b.N)
	return b, nil
}

// cancelWith cancels the cursor if ctx, of the statement that reads it, is cancelled, until leave is called.
func (c *cursor) cancelWith(ctx context.Context) (leave func() bool) {
	return context.AfterFunc(ctx, func() { c.cancel(context.Cause(ctx)) })
}

// nextBatch reads the next batch of the query.
func (c *cursor) nextBatch(ctx context.Context, now *runningStatement) (err error) {
	if c.ended {
		return nil
	}
	defer c.cancelWith(ctx)()
	defer guard.Recover(&err, "cursor")
	c.r.observeAs(now)
	c.next = 0
	own := c.ctx
	if now.slot != nil {
		own = turn.With(own, now.slot) // FETCH computes, DECLARE is over
	}
	if c.batch, err = c.op.Next(own); err == nil && c.ctx.Err() != nil {
		err = c.ctx.Err() // a cancelled query may look as if it had ended
	}
	if c.ended = c.batch == nil; !c.ended && err == nil {
		err = operator.CountBatch(&c.share, c.batch)
	}
	return cancelCause(c.ctx, err)
}

func noCursor(pos ast.Pos, name string) error {
	return plan.Errorf(pos, "34000", "", "there is no cursor %.100q", name)
}

// cursor returns the cursor of a name.
func (r *execution) cursor(pos ast.Pos, name string) (*cursor, error) {
	c := r.ses.cursors[name]
	if c == nil {
		return nil, noCursor(pos, name)
	}
	return c, nil
}

// CursorColumns returns the columns of a cursor, false if there is none.
func (s *Session) CursorColumns(name string) ([]plan.Column, bool) {
	c := s.cursors[name]
	if c == nil {
		return nil, false
	}
	return c.cols, true
}

// fetchOperator skips some rows of a cursor and yields the next ones.
type fetchOperator struct {
	r          *execution
	c          *cursor
	at         ast.Pos // of the FETCH
	skip, left int64
}

// fetchRows runs FETCH, which returns rows of a cursor, and MOVE, which skips them.
func (r *execution) fetchRows(ctx context.Context, s *ast.Fetch) (*operator.Result, error) {
	c, err := r.cursor(s.Pos, s.Cursor)
	if err != nil {
		return nil, err
	}
	f := &fetchOperator{r: r, c: c, at: s.Pos}
	if f.skip, f.left, err = c.fetchRange(s); err != nil {
		return nil, err
	}
	if !s.Move {
		return &operator.Result{Columns: c.cols, Rows: f}, nil
	}
	n := int64(0)
	for {
		b, err := f.Next(ctx)
		if err != nil {
			return nil, err
		}
		if b == nil {
			return operator.Tag(fmt.Sprintf("MOVE %d", n)), nil
		}
		n += int64(b.N)
	}
}

// fetchRange returns how many rows to skip and how many to return then.
func (c *cursor) fetchRange(s *ast.Fetch) (skip, want int64, err error) {
	switch {
	case s.All && s.Direction == ast.Forward:
		return 0, math.MaxInt64, nil
	case s.Direction == ast.Forward && s.Count > 0:
		return 0, s.Count, nil
	case s.Direction == ast.Relative && s.Count > 0:
		return s.Count - 1, 1, nil
	case s.Direction == ast.Absolute && s.Count > c.row:
		return s.Count - c.row - 1, 1, nil
	}
	return 0, 0, plan.Errorf(s.Pos, "55000", "FETCH NEXT, FORWARD, ALL, or a number from 1",
		"cursor %.100q moves forward only, and stands at row %d", c.stmt.Name, c.row)
}

func (f *fetchOperator) Next(ctx context.Context) (*value.Batch, error) {
	for f.left > 0 {
		n := f.left
		if f.skip > 0 {
			n = f.skip
		}
		b, err := f.c.read(ctx, f.r.now, n)
		switch {
		case err != nil:
			return nil, errors.Join(relocatedTo(f.at, err), f.r.ses.drop(f.c.stmt.Name, f.c))
		case b == nil:
			return nil, nil
		case f.skip > 0:
			f.skip -= int64(b.N)
			continue
		}
		f.left -= int64(b.N)
		return b, nil
	}
	return nil, nil
}

func (f *fetchOperator) Close() error { return nil }

// closeCursor closes one cursor, or all.
func (r *execution) closeCursor(s *ast.Close) (*operator.Result, error) {
	if s.Name == "" {
		return operator.Tag("CLOSE CURSOR ALL"), r.ses.closeCursors(func(*cursor) bool { return true })
	}
	c, err := r.cursor(s.Pos, s.Name)
	if err != nil {
		return nil, err
	}
	return operator.Tag("CLOSE CURSOR"), r.ses.drop(s.Name, c)
}

// drop closes a cursor, and removes it if the name still belongs to it.
func (s *Session) drop(name string, c *cursor) error {
	if s.cursors[name] == c {
		delete(s.cursors, name)
	}
	return c.close()
}

// closeCursors closes the cursors that satisfy a condition.
func (s *Session) closeCursors(which func(*cursor) bool) error {
	var err error
	for name, c := range s.cursors {
		if which(c) {
			err = errors.Join(err, s.drop(name, c))
		}
	}
	return err
}

// endCursors closes the cursors that end with the block: those WITHOUT HOLD and, at a rollback, all that were declared
// in it.
func (s *Session) endCursors(commit bool) error {
	return s.closeCursors(func(c *cursor) bool { return !c.stmt.Hold || !commit && c.block == s.blocks })
}

// cursorRows are the rows of pg_cursors.
func cursorRows(r *execution) ([][]value.Value, error) {
	var out [][]value.Value
	for name, c := range r.ses.cursors {
		out = append(out, []value.Value{value.Str(name), value.Str(c.stmt.String()), value.Bool(c.stmt.Hold),
			value.Bool(false), value.Bool(false), exec.TimeOrNull(c.at)})
	}
	slices.SortFunc(out, func(a, b []value.Value) int { return strings.Compare(a[0].S, b[0].S) })
	return out, nil
}

// relocatedTo gives an error with a place in another statement the place pos in this one.
func relocatedTo(pos ast.Pos, err error) error {
	var e *ast.Error
	if errors.As(err, &e) && e.Pos != (ast.Pos{}) {
		c := *e
		c.Pos = pos
		return &c
	}
	return err
}
