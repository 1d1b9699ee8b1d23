package db

import (
	"errors"
	"time"

	"parlance/query/ast"
	"parlance/query/exec"
	"parlance/query/meter"
	"parlance/storage/value"
)

// StatementInfo tells how a statement ended.
type StatementInfo struct {
	ID       uint64 // from 1, in the order in which statements of the database began
	Kind     string // its first words, such as SELECT or CREATE CORPUS; UNPARSED for a text that is no statement
	User     string
	Started  time.Time
	Duration time.Duration // until its last row was read
	Rows     int64         // that it handed out
	Err      *Error        // nil for success
	stmt     ast.Statement
	params   []value.Value
	inline   bool // the parameters stand in the text
}

// Code is the SQLSTATE, "" for success.
func (s StatementInfo) Code() string {
	if s.Err == nil {
		return ""
	}
	return s.Err.Code
}

// Text is the statement in canonical form, with the values of its literals but not its
// passwords, or "" if it is none. It is made when it is asked for.
func (s StatementInfo) Text() string {
	if s.stmt == nil {
		return ""
	}
	if s.inline {
		return ast.Redact(exec.WithValues(s.stmt, s.params))
	}
	return ast.Redact(s.stmt)
}

// Params are the values of the parameters, none where one may be a password. They must not be
// changed.
func (s StatementInfo) Params() []value.Value {
	if s.inline || s.stmt != nil && ast.Secret(s.stmt) {
		return nil
	}
	return s.params
}

// OnStatement sets what is told how each statement ended, those among them that do not parse.
// It is called before the session is free for the next statement, so it must not use the
// session, and by several goroutines at once where several use the session.
func (c Wire) OnStatement(f func(StatementInfo)) { c.ended = f }

// watched is a statement whose end is counted and told.
type watched struct {
	c       *Conn
	id      uint64
	started time.Time
	parsed
	args   []value.Value
	inline bool
}

// end counts the statement and tells how it ended; err is nil or an *Error.
func (w watched) end(rows int64, err error) {
	i := StatementInfo{ID: w.id, Kind: w.kind, User: w.c.ses.User, Started: w.started, Duration: time.Since(w.started),
		Rows: rows, stmt: w.stmt, params: w.args, inline: w.inline}
	if err != nil {
		i.Err = asError(err)
	}
	w.c.d.now().Meter.Statements.End(i.Kind, i.Code(), rows, i.Duration)
	if w.c.ended != nil {
		w.c.ended(i)
	}
}

func asError(err error) *Error {
	var e *Error
	errors.As(err, &e)
	return e
}

// refused counts and tells a statement that fails before it runs, nil for a text that is none.
func (c *Conn) refused(stmt ast.Statement, err error) error {
	err = wrap(err)
	p := parsed{stmt: stmt, kind: meter.Unparsed}
	if stmt != nil {
		p.kind = ast.KindOf(stmt)
	}
	watched{c: c, id: c.d.now().Meter.Statements.Start(), started: time.Now(), parsed: p}.end(0, err)
	return err
}
