package db

import (
	"context"
	"errors"
	"sync/atomic"
)

// Interleave lets further statements run while rows are open. The connection and all its rows
// must then be used by one goroutine, and Release must end it.
func (c Wire) Interleave() {
	c.interleaved = true
}

// Overlap lets further statements run while rows are open, each with a context of its own, which
// Interleave does not grant. The connection and all its rows must then be used by one goroutine
// at a time.
func (c Wire) Overlap() { c.overlapping = true }

// Cancelled tells, to any goroutine, whether the statement that began last was cancelled or took
// longer than statement_timeout. The connection must interleave.
func (c Wire) Cancelled() bool {
	ctx := c.shared.latest.Load()
	return ctx != nil && (*ctx).Err() != nil && !errors.Is(context.Cause(*ctx), errOver)
}

// Release ends a connection that interleaves, what it has under names, and its temporary objects.
func (c Wire) Release() {
	c.grouped = false
	c.ses.End()
	c.settle(nil)
	if err := c.dropTemporary(); err != nil && c.d.o.Background != nil {
		c.d.o.Background(wrap(err)) // the next opening removes them
	}
	c.d.now().DeregisterSession(c.ses)
	c.shared.end()
}

// sharedContext is a context that ends with its parent and with the database. The statements of
// a connection that interleaves share it until it is cancelled, for making one costs as much as
// a small statement.
type sharedContext struct {
	parent, ctx context.Context
	cancel      context.CancelCauseFunc
	stop        func() bool                     // of the tie to the database
	latest      atomic.Pointer[context.Context] // of the statement that began last
}

func (s *sharedContext) end() {
	if s.ctx != nil {
		s.stop()
		s.cancel(errOver)
		s.ctx = nil
	}
}

// share registers a statement and returns its context and what ends the registration. A timer of
// statement_timeout may fire late, so that a statement with one has a context of its own.
func (c *Conn) share(ctx context.Context) (context.Context, stay, error) {
	if c.ses.Settings.StatementTimeout > 0 {
		ctx, cancel, in, err := c.d.begin(ctx, c.pinned)
		if err != nil {
			return nil, stay{}, wrap(err)
		}
		c.ses.Cancel = cancel
		c.shared.latest.Store(&ctx)
		return ctx, in, nil
	}
	f, err := c.d.enter(c.pinned)
	if err != nil {
		return nil, stay{}, wrap(err)
	}
	s := &c.shared
	if s.ctx == nil || s.parent != ctx || s.ctx.Err() != nil {
		s.end()
		s.parent = ctx
		s.ctx, s.cancel = context.WithCancelCause(ctx)
		latest := s.ctx
		s.latest.Store(&latest)
		cancel := s.cancel
		s.stop = context.AfterFunc(c.d.ctx, func() { cancel(nil) })
	}
	c.ses.Cancel = s.cancel
	return s.ctx, stay{file: f}, nil
}
