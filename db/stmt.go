package db

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"parlance/query/ast"
	"parlance/query/bind"
	"parlance/query/engine"
	"parlance/query/lex"
	"parlance/storage/value"
)

// Stmt is a statement parsed once, of one session.
type Stmt struct {
	c    *Conn
	p    parsed
	text string
	at   place         // in a script, nil for a statement of its own
	args []value.Value // literals of its text that stand as parameters in the tree

	comparedArgs bool // args are compared with columns
}

// place finds what stands at a place of a statement elsewhere.
type place interface{ Place(ast.Pos) ast.Pos }

// Prepare parses a statement.
func (c *Conn) Prepare(statement string) (*Stmt, error) {
	return c.prepare(statement, c.d.parsed.parse)
}

func (c *Conn) prepare(statement string, parse func(string) (parsed, error)) (*Stmt, error) {
	err := c.d.now().CheckStatement(statement)
	var p parsed
	if err == nil {
		p, err = parse(statement)
	}
	if err != nil {
		c.ses.Fail()
		return nil, c.refused(nil, err)
	}
	return &Stmt{c: c, p: p, text: statement}, nil
}

// Statements parses a script. On an error, whose place is one in the script, it returns the
// statements before.
func (c *Conn) Statements(script string) ([]*Stmt, error) { return c.statements(script, c.Prepare) }

func (c *Conn) statements(script string, prepare func(string) (*Stmt, error)) ([]*Stmt, error) {
	single := lex.Single(script)
	if !single {
		_, single = c.d.parsed.known(script)
	}
	if single {
		s, err := prepare(script)
		if err != nil {
			return nil, err
		}
		return []*Stmt{s}, nil
	}
	list, err := lex.Script(script)
	out := make([]*Stmt, 0, len(list))
	for i := range list {
		s, err := prepare(list[i].Text)
		if err != nil {
			return out, located(err, &list[i])
		}
		s.in(&list[i])
		out = append(out, s)
	}
	if err != nil {
		c.ses.Fail()
		return out, c.refused(nil, err)
	}
	return out, nil
}

// located moves the place of an error from its statement to the script.
func located(err error, at place) error {
	if at == nil || err == nil {
		return err
	}
	var e *Error
	if !errors.As(err, &e) || e.Line == 0 {
		return err
	}
	p := at.Place(ast.Pos{Line: e.Line, Col: e.Column, Offset: e.Offset})
	moved := *e
	moved.Line, moved.Column, moved.Offset = p.Line, p.Col, p.Offset
	return &moved
}

// Text returns the text of the statement.
func (s *Stmt) Text() string { return s.text }

// NumParams returns the number of arguments that the statement takes.
func (s *Stmt) NumParams() int { return s.p.params - len(s.args) }

// Direction says which stream of the client a statement uses.
type Direction uint8

// The directions.
const (
	NoStream   Direction = iota
	FromClient           // LOAD STDIN, COPY … FROM STDIN
	ToClient             // COPY … TO STDOUT
)

// Stream tells whether the statement reads Stdin or writes Stdout.
func (s *Stmt) Stream() Direction {
	switch t := s.p.stmt.(type) {
	case *ast.Load:
		if len(t.Paths) == 0 {
			return FromClient
		}
	case *ast.CopyFrom:
		if t.Path == nil {
			return FromClient
		}
	case *ast.LoadModel:
		if t.Path == nil {
			return FromClient
		}
	case *ast.CopyModel:
		if t.Path == nil {
			return ToClient
		}
	case *ast.CopyTo:
		if t.Path == nil {
			return ToClient
		}
	case *ast.AnnotateFiles:
		switch {
		case len(t.Paths) == 0:
			return FromClient
		case t.To == nil:
			return ToClient
		}
	}
	return NoStream
}

// Parameter is the type of a parameter; with Array it is that of the members of an array, which an
// argument gives as a JSON array or as text: '{a,b}'.
type Parameter = bind.Parameter

// Description is the parameters and columns of a statement.
type Description struct {
	Columns []Column     // none for a statement without rows
	Params  []Parameter  // of each parameter, value.Null where nothing tells
	types   []value.Type // of the columns
}

// Describe returns columns and parameters without running the statement; known are the types
// of parameters as far as the caller has them (value.Null where not). It costs little for
// queries whose plan is kept.
func (s *Stmt) Describe(ctx context.Context, known ...value.Type) (*Description, error) {
	ctx, in, err := s.c.hold(ctx)
	if err != nil {
		return nil, err
	}
	defer s.c.leave(in)
	floats := uint64(0)
	for i, t := range known {
		if t == value.Float && i < 64 {
			floats |= 1 << i
		}
	}
	begun := time.Now()
	s.c.ses.ParseTime, s.c.ses.Literals, s.c.ses.LiteralsCompared = s.p.spent, s.args, s.comparedArgs
	d, err := in.file.engine.Describe(ctx, s.c.ses, s.p.stmt, floats)
	s.p.spent += time.Since(begun)
	if err != nil {
		s.c.ses.Fail()
		return nil, located(s.c.refused(s.p.stmt, err), s.at)
	}
	out := &Description{Params: make([]Parameter, s.NumParams())}
	copy(out.Params, d.Params)
	for _, col := range d.Columns {
		shown := col
		if p := col.Param; col.Type == value.Null && p > 0 && p <= len(known) {
			shown.Type = known[p-1]
		}
		out.Columns = append(out.Columns, column(shown))
		out.types = append(out.types, col.Type)
	}
	return out, nil
}

// Exec runs the statement.
func (s *Stmt) Exec(ctx context.Context, args ...any) (Result, error) {
	rows, err := s.Query(ctx, args...)
	if err != nil {
		return Result{}, err
	}
	n := int64(0)
	for b := rows.NextBatch(); b != nil; b = rows.NextBatch() {
		n += int64(b.N)
	}
	if err := rows.Close(); err != nil {
		return Result{}, err
	}
	return Result{Tag: rows.tag, Affected: affected(rows.tag), Rows: n}, nil
}

// Query runs the statement and returns its rows, which must be closed.
func (s *Stmt) Query(ctx context.Context, args ...any) (*Rows, error) {
	params, err := values(args)
	if err != nil {
		return nil, s.c.refused(s.p.stmt, err)
	}
	return s.Run(ctx, params)
}

// Run runs the statement with arguments that are values already, and returns its rows, which
// must be closed.
func (s *Stmt) Run(ctx context.Context, params []value.Value) (*Rows, error) {
	if len(params) != s.NumParams() {
		s.c.ses.Fail()
		return nil, s.c.refused(s.p.stmt, &Error{Code: "08P01", Message: parameterCount(s.NumParams(), len(params)),
			Hint: "each of $1, $2, … takes an argument"})
	}
	rows, err := s.c.run(ctx, s, params)
	s.p.spent = 0 // on its first run
	return rows, err
}

func parameterCount(wanted, given int) string {
	plural := func(n int, word string) string {
		if n == 1 {
			return "1 " + word
		}
		return fmt.Sprint(n, " ", word, "s")
	}
	return "the statement takes " + plural(wanted, "argument") + ", " + fmt.Sprint(given) + " given"
}

// Block is the state of a transaction block.
type Block = engine.Block

// The states of a transaction block.
const (
	NoBlock     = engine.NoBlock
	OpenBlock   = engine.OpenBlock
	FailedBlock = engine.FailedBlock
)

// Fail records an error outside of a statement: an open transaction block fails, an implicit one is rolled back.
func (c Wire) Fail() {
	c.ses.Fail()
	c.settle(nil)
}

// Depth is the number of savepoints of the transaction block.
func (c Wire) Depth() int { return c.ses.Depth() }

// BeginImplicit begins an implicit transaction block, as PostgreSQL has it for several statements in one message: until
// EndImplicit, statements for which JoinsImplicit is true, and those that read, are one transaction. An error rolls it
// back. Other statements that write commit it first, and are transactions of their own. BEGIN makes it an explicit
// block.
func (c Wire) BeginImplicit() { c.ses.BeginImplicit() }

// BeginGroup says that statements belong together until EndImplicit, although they may be no block: all use the file
// that the first one finds (DB.Reload).
func (c Wire) BeginGroup() { c.grouped = true }

// EndImplicit commits the implicit block, and ends the group. Without them it does nothing.
func (c Wire) EndImplicit(ctx context.Context) error {
	c.grouped = false
	err := wrap(c.ses.EndImplicit(ctx))
	c.settle(nil)
	return err
}

// JoinsImplicit reports whether the statement can be part of a group: INSERT, UPDATE, DELETE, CREATE, ALTER or DROP.
func (s *Stmt) JoinsImplicit() bool { return engine.JoinsImplicit(s.p.stmt) }

// OwnIdleTimeout is idle_in_transaction_session_timeout of the session in milliseconds, -1 if the session has not set
// it.
func (c Wire) OwnIdleTimeout() int { return c.ses.OwnIdleTimeout() }

// IdleTimeout is how long a client may leave an open block idle, 0 for any time; own is OwnIdleTimeout of the session.
// It is safe to call from any goroutine.
func (c Wire) IdleTimeout(own int) time.Duration { return c.d.now().IdleTimeout(c.ses, own) }

// Block returns the state of the session's transaction block.
func (c *Conn) Block() Block { return c.ses.Block }

// affected is the first number of a tag, 0 for none.
func affected(tag string) int64 {
	for word := range strings.FieldsSeq(tag) {
		if n, err := strconv.ParseInt(word, 10, 64); err == nil {
			return n
		}
	}
	return 0
}
