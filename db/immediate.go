package db

import (
	"sync"

	"parlance/query/ast"
	"parlance/query/parse"
	"parlance/storage/recent"
	"parlance/storage/value"
)

// Immediate is Statements for statements that run once. Those that differ in an ad-hoc text alone, entities(TEXT '…'), are parsed
// and planned once: the text is an argument of theirs.
func (c *Conn) Immediate(script string) ([]*Stmt, error) { return c.statements(script, c.immediate) }

func (c *Conn) immediate(statement string) (*Stmt, error) {
	l, ok := parse.Lift(statement)
	if !ok {
		return c.Prepare(statement)
	}
	p, ok := c.d.shapes.parse(&l)
	if !ok {
		return c.Prepare(statement)
	}
	s, err := c.prepare(statement, func(string) (parsed, error) { return p, nil })
	if err == nil {
		s.args, s.at = []value.Value{value.Str(l.Text)}, &l
	}
	return s, err
}

// in notes that the statement stands in a script.
func (s *Stmt) in(script *parse.Located) {
	if s.at == nil {
		s.at = script
	} else {
		s.at = inScript{s.at, script}
	}
}

// inScript finds places of a lifted statement in its script.
type inScript struct{ statement, script place }

func (i inScript) Place(p ast.Pos) ast.Pos { return i.script.Place(i.statement.Place(p)) }

// shapes keeps the trees of statements without their ad-hoc text, by their shapes; one without a tree for those that
// must be parsed as they are.
type shapes struct {
	mu   sync.Mutex
	kept recent.Map[string, parsed]
}

// parse returns the tree of a shape; false where its parameter does not stand for the text.
func (s *shapes) parse(l *parse.Lifted) (parsed, bool) {
	s.mu.Lock()
	p, ok := s.kept.Get(l.Shape)
	s.mu.Unlock()
	if ok {
		return p, p.stmt != nil
	}
	if stmt, err := parse.Parse(l.Shape); err == nil && adHocAt(stmt, l.At) {
		p = parsed{stmt: stmt, kind: ast.KindOf(stmt), params: 1}
	}
	if len(l.Shape) <= keptText {
		s.mu.Lock()
		s.kept.Limit = keptStatements
		s.kept.Put(l.Shape, p)
		s.mu.Unlock()
	}
	return p, p.stmt != nil
}

// adHocAt reports whether a statement is a query whose only parameter is an ad-hoc text and stands at an offset.
func adHocAt(stmt ast.Statement, at int) bool {
	_, query := stmt.(*ast.Select)
	p := ast.AdHoc(stmt)
	return query && p != nil && p.Offset == at
}
