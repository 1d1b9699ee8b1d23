package db

import (
	"parlance/query/ast"
	"parlance/query/engine"
)

// Keep gives the statement a name, as PREPARE does: EXECUTE and Prepared find it until DEALLOCATE, DropPrepared
// or DISCARD ALL. params are the types of its parameters, value.Null where nothing tells. A name that
// is taken is an error with code 42P05.
func (s *Stmt) Keep(name string, params []Parameter) error {
	if len(s.args) > 0 {
		whole, err := s.c.Prepare(s.text)
		if err != nil {
			return err
		}
		return whole.Keep(name, params)
	}
	return wrap(s.c.ses.AddPrepared(name, &engine.Prepared{Stmt: s.p.stmt, Params: params, Bytes: len(s.text)}))
}

// Prepared returns the statement of a name and the types of its parameters, nil if there is none.
func (c Wire) Prepared(name string) (*Stmt, []Parameter) {
	p := c.ses.Prepared(name)
	if p == nil {
		return nil, nil
	}
	return &Stmt{c: c.Conn, p: parsed{stmt: p.Stmt, kind: ast.KindOf(p.Stmt), params: len(p.Params)},
		text: ast.Redact(p.Stmt)}, p.Params
}

// Cursor returns the columns of a cursor that DECLARE has opened; false if there is none.
func (c Wire) Cursor(name string) ([]Column, bool) {
	list, ok := c.ses.CursorColumns(name)
	out := make([]Column, len(list))
	for i, col := range list {
		out[i] = column(col)
	}
	return out, ok
}

// DropPrepared drops the name of a statement, if there is one.
func (c Wire) DropPrepared(name string) {
	if name != "" { // which stands for all of them
		c.ses.DropPrepared(name)
	}
}
