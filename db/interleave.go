package db

import "context"

// Interleave lets further statements run while rows are open. The connection and all its rows
// must then be used by one goroutine, and Release must end it.
func (c *Conn) Interleave() {
	c.interleaved = true
	c.shared.done = c.d.wait.Done
}

// Overlap lets further statements run while rows are open, each with a context of its own, which
// Interleave does not grant. The connection and all its rows must then be used by one goroutine
// at a time.
func (c *Conn) Overlap() { c.overlapping = true }

// Release ends a connection that interleaves.
func (c *Conn) Release() { c.shared.end() }

// sharedContext is a context that ends with its parent and with the database. The statements of
// a connection that interleaves share it until it is cancelled, for making one costs as much as
// a small statement.
type sharedContext struct {
	parent, ctx context.Context
	cancel      context.CancelCauseFunc
	stop        func() bool // of the tie to the database
	done        func()
}

func (s *sharedContext) end() {
	if s.ctx != nil {
		s.stop()
		s.cancel(nil)
		s.ctx = nil
	}
}

// share registers a statement and returns its context and what ends the registration. A timer of
// statement_timeout may fire late, so that a statement with one has a context of its own.
func (c *Conn) share(ctx context.Context) (context.Context, func(), error) {
	if c.ses.Settings.StatementTimeout > 0 {
		ctx, cancel, end, err := c.d.begin(ctx)
		c.ses.Cancel = cancel
		return ctx, end, wrap(err)
	}
	if err := c.d.enter(); err != nil {
		return nil, nil, wrap(err)
	}
	s := &c.shared
	if s.ctx == nil || s.parent != ctx || s.ctx.Err() != nil {
		s.end()
		s.parent = ctx
		s.ctx, s.cancel = context.WithCancelCause(ctx)
		cancel := s.cancel
		s.stop = context.AfterFunc(c.d.ctx, func() { cancel(nil) })
	}
	c.ses.Cancel = s.cancel
	return s.ctx, s.done, nil
}
