package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"parlance/query/ast"
	"parlance/query/bind"
	"parlance/query/exec"
	"parlance/query/expr"
	"parlance/query/fault"
	"parlance/query/fn"
	"parlance/query/operator"
	"parlance/query/plan"
	"parlance/storage/value"
)

// Prepared is a named statement of a session, from PREPARE or from the protocol of a client.
type Prepared struct {
	Stmt   ast.Statement
	Params bind.Parameters // types of all parameters, value.Null if unknown
	Bytes  int             // of its text
	source *ast.Prepare    // the PREPARE; nil for a statement of the protocol
	at     time.Time
}

// maxNamed and maxNamedBytes limit the prepared statements of a session and the length of their texts: syntax trees
// take many times that memory. A single statement may have any length.
const (
	maxNamed      = 10_000
	maxNamedBytes = 16 << 20
)

// AddPrepared adds a prepared statement under a name.
func (s *Session) AddPrepared(name string, p *Prepared) error {
	if _, ok := s.prepared[name]; ok {
		return &ast.Error{Code: "42P05", Msg: fmt.Sprintf("prepared statement %.100q exists already", name),
			Hint: "DEALLOCATE " + ast.QuoteName(name) + " forgets it"}
	}
	if len(s.prepared) >= maxNamed {
		return &ast.Error{Code: "54000", Msg: fmt.Sprintf("%d statements are prepared", maxNamed),
			Hint: "DEALLOCATE those that are not needed"}
	}
	if len(s.prepared) > 0 && s.preparedBytes+p.Bytes > maxNamedBytes {
		return &ast.Error{Code: "54000",
			Msg: fmt.Sprintf("the texts of prepared statements have %d bytes, of %d that a session may have",
				s.preparedBytes+p.Bytes, maxNamedBytes),
			Hint: "DEALLOCATE those that are not needed, and use parameters for long values"}
	}
	if s.prepared == nil {
		s.prepared = map[string]*Prepared{}
	}
	p.at = time.Now().UTC()
	s.prepared[name] = p
	s.preparedBytes += p.Bytes
	return nil
}

// Prepared returns the prepared statement of a name, nil if there is none.
func (s *Session) Prepared(name string) *Prepared { return s.prepared[name] }

// DropPrepared drops the prepared statement of a name, all for an empty name, and reports whether there was one.
func (s *Session) DropPrepared(name string) bool {
	if name == "" {
		clear(s.prepared)
		s.preparedBytes = 0
		return true
	}
	p, ok := s.prepared[name]
	if ok {
		s.preparedBytes -= p.Bytes
	}
	delete(s.prepared, name)
	return ok
}

// deallocate drops a prepared statement here and in the state of the protocol.
func (s *Session) deallocate(name string) bool {
	found := s.DropPrepared(name)
	if s.OnDeallocate != nil && s.OnDeallocate(name) {
		found = true
	}
	return found
}

func (r *execution) deallocate(s *ast.Deallocate) (*operator.Result, error) {
	found := r.ses.deallocate(s.Name)
	switch {
	case s.Name == "":
		return operator.Tag("DEALLOCATE ALL"), nil
	case !found:
		return nil, noSuchPrepared(s.Pos, s.Name)
	}
	return operator.Tag("DEALLOCATE"), nil
}

func noSuchPrepared(pos ast.Pos, name string) error {
	return plan.Errorf(pos, "26000", "", "there is no prepared statement %.100q", name)
}

// prepareNamed runs PREPARE: it binds the statement, to report its errors, and adds it to the session.
func (r *execution) prepareNamed(ctx context.Context, s *ast.Prepare) error {
	if err := checkExecutable(s.Statement, s.Statement.Position()); err != nil {
		return err
	}
	n := ast.Parameters(s.Statement)
	if len(s.Types) > n {
		return plan.Errorf(s.Types[n].Pos, ast.CodeSyntax, "",
			"more types are given than the statement has parameters, %d", n)
	}
	params := make(bind.Parameters, n)
	for i, t := range s.Types {
		named, err := bind.CastType(t)
		if err != nil {
			return err
		}
		params[i] = bind.Parameter{Type: named, Array: t.Array}
	}
	d, err := r.engine.Describe(ctx, r.ses, s.Statement, floatParameters(params))
	if err != nil {
		return err
	}
	for i := len(s.Types); i < min(n, len(d.Params)); i++ {
		params[i] = d.Params[i]
	}
	return fault.At(s.Pos,
		r.ses.AddPrepared(s.Name, &Prepared{Stmt: s.Statement, Params: params, Bytes: len(s.String()), source: s}))
}

// floatParameters has a bit for each parameter that is a float, the first at bit 0.
func floatParameters(params bind.Parameters) uint64 {
	out := uint64(0)
	for i, p := range params {
		if p == (bind.Parameter{Type: value.Float}) && i < 64 {
			out |= 1 << i
		}
	}
	return out
}

// checkExecutable refuses statements that cannot be prepared: those with streams or passwords, and those about the
// session.
func checkExecutable(stmt ast.Statement, pos ast.Pos) error {
	switch stmt.(type) {
	case *ast.Select, *ast.Insert, *ast.Update, *ast.Delete, *ast.Evaluate:
		return nil
	}
	return plan.Errorf(pos, plan.CodeFeature,
		"statements with names are SELECT, VALUES, INSERT, UPDATE, DELETE and EVALUATE", "%s cannot be prepared for EXECUTE",
		ast.KindOf(stmt))
}

// findPrepared returns the prepared statement that EXECUTE names.
func (s *Session) findPrepared(x *ast.Execute) (*Prepared, error) {
	p := s.prepared[x.Name]
	if p == nil {
		return nil, noSuchPrepared(x.Pos, x.Name)
	}
	if err := checkExecutable(p.Stmt, x.Pos); err != nil {
		return nil, err
	}
	if len(x.Args) != len(p.Params) {
		return nil, plan.Errorf(x.Pos, ast.CodeSyntax, "EXECUTE name (value, …)",
			"prepared statement %.100q takes %d arguments, %d given", x.Name, len(p.Params), len(x.Args))
	}
	return p, nil
}

// resolveExecute returns the prepared statement that EXECUTE runs, and its arguments.
func (e *Engine) resolveExecute(ctx context.Context, ses *Session, x *ast.Execute,
	outer []value.Value) (*Prepared, []value.Value, error) {
	if err := ses.checkBlock(x); err != nil {
		return nil, nil, err
	}
	p, err := ses.findPrepared(x)
	if err != nil || len(x.Args) == 0 {
		return p, nil, err
	}
	r := e.newExecution(ctx, ses, outer)
	args := make([]value.Value, len(x.Args))
	for i, arg := range x.Args {
		if args[i], err = r.argument(arg, p, i); err != nil {
			return nil, nil, errors.Join(err, r.Close())
		}
	}
	return p, args, r.Close()
}

// argument evaluates an argument of EXECUTE as a value of its parameter's type.
func (r *execution) argument(arg ast.Expr, p *Prepared, i int) (value.Value, error) {
	if p.source != nil && i < len(p.source.Types) {
		arg = &ast.Cast{Pos: arg.Position(), X: arg, Type: p.source.Types[i]}
	}
	x, err := r.Binder().Constant(arg)
	if err != nil {
		return value.Value{}, err
	}
	v, err := r.Scalar(x)
	if err == nil && p.Params[i].Type != value.Null && !p.Params[i].Array {
		v, err = value.Cast(v, p.Params[i].Type)
		err = fn.Refused(err)
	}
	if err != nil {
		err = expr.Evaluated(arg.Position(), fmt.Errorf("argument $%d: %w", i+1, err))
	}
	return v, fault.At(arg.Position(), err)
}

// describeExecute returns the columns of the statement that EXECUTE runs, and the types of parameters in its arguments.
func (e *Engine) describeExecute(ctx context.Context, ses *Session, x *ast.Execute) (*Description, error) {
	p, err := ses.findPrepared(x)
	if err != nil {
		return nil, err
	}
	params := make(bind.Parameters, ast.Parameters(x))
	for i, arg := range x.Args {
		if a, ok := arg.(*ast.Param); ok {
			params[a.Index-1] = p.Params[i]
		}
	}
	d, err := e.Describe(ctx, ses, p.Stmt, floatParameters(p.Params))
	if err != nil {
		return nil, relocated(err, x)
	}
	return &Description{d.Columns, params}, nil
}

// relocated gives an error of a prepared statement the position of the EXECUTE that runs it, if there is one.
func relocated(err error, by *ast.Execute) error {
	if by == nil {
		return err
	}
	return relocatedTo(by.Pos, err)
}

// relocatedTo replaces the position of an error, which is in another statement, by pos.
func relocatedTo(pos ast.Pos, err error) error {
	var e *ast.Error
	if errors.As(err, &e) && e.Pos != (ast.Pos{}) {
		c := *e
		c.Pos = pos
		return &c
	}
	return err
}

// parameterText is the type of a parameter as JSON text; a parameter of unknown type is a text.
func parameterText(p bind.Parameter) string {
	name := value.Text.String()
	if p.Type != value.Null {
		name = p.Type.String()
	}
	if p.Array {
		name += "[]"
	}
	return strconv.Quote(name)
}

// preparedRows are the rows of pg_prepared_statements.
func preparedRows(r *execution) ([][]value.Value, error) {
	var out [][]value.Value
	for name, p := range r.ses.prepared {
		stmt := p.Stmt
		if p.source != nil {
			stmt = p.source
		}
		types := make([]string, len(p.Params))
		for i, t := range p.Params {
			types[i] = parameterText(t)
		}
		out = append(out, []value.Value{value.Str(name), value.Str(ast.Redact(stmt)), exec.TimeOrNull(p.at),
			value.Value{T: value.JSON, S: "[" + strings.Join(types, ", ") + "]"}, value.Bool(p.source != nil), value.Int(0),
			value.Int(0)})
	}
	slices.SortFunc(out, func(a, b []value.Value) int { return strings.Compare(a[0].S, b[0].S) })
	return out, nil
}
