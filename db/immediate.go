package db

import (
	"sync"

	"parlance/query/ast"
	"parlance/query/parse"
	"parlance/query/plan"
	"parlance/storage/recent"
	"parlance/storage/value"
)

// Immediate is Statements for statements that run once. Those that differ in an ad-hoc text alone, entities(TEXT '…'), or in what they
// compare columns with, WHERE id = 'd17', are parsed and planned once: these literals are arguments of theirs.
func (c *Conn) Immediate(script string) ([]*Stmt, error) { return c.statements(script, c.immediate) }

func (c *Conn) immediate(statement string) (*Stmt, error) {
	compared := false
	l, ok := parse.Lift(statement)
	if !ok {
		l, compared = parse.LiftCompared(statement)
	}
	if !ok && !compared {
		return c.Prepare(statement)
	}
	p, ok := c.d.shapes.parse(&l, compared)
	if !ok {
		return c.Prepare(statement)
	}
	s, err := c.prepare(statement, func(string) (parsed, error) { return p, nil })
	if err == nil {
		s.at, s.compared, s.args = &l, compared, make([]value.Value, len(l.Values))
		for i, v := range l.Values {
			s.args[i] = plan.Literal(v)
		}
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

// shapes keeps the trees of statements without their literals, by their shapes.
type shapes struct {
	mu   sync.Mutex
	kept recent.Map[string, shape]
}

// shape is the tree of a shape; none for statements that must be parsed as they are.
type shape struct {
	parsed
	once bool // seen once, and not parsed yet
}

// parse returns the tree of a shape; false where the statement is to be parsed as it is. Comparisons are in many statements
// that never come again, so their shapes are parsed when they come for the second time.
func (s *shapes) parse(l *parse.Lifted, compared bool) (parsed, bool) {
	s.mu.Lock()
	known, ok := s.kept.Get(l.Shape)
	s.mu.Unlock()
	if ok && !known.once {
		return known.parsed, known.stmt != nil
	}
	var p parsed
	if compared && !ok {
		s.keep(l.Shape, shape{once: true})
		return p, false
	}
	stmt, err := parse.Parse(l.Shape)
	if err == nil && (compared && l.Compares(stmt) || !compared && adHocAt(stmt, l.At(1))) {
		p = parsed{stmt: stmt, kind: ast.KindOf(stmt), params: len(l.Values)}
	}
	s.keep(l.Shape, shape{parsed: p})
	return p, p.stmt != nil
}

func (s *shapes) keep(text string, is shape) {
	if len(text) > keptText {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.kept.Limit = keptStatements
	s.kept.Put(text, is)
}

// adHocAt reports whether a statement is a query whose only parameter is an ad-hoc text and stands at an offset.
func adHocAt(stmt ast.Statement, at int) bool {
	_, query := stmt.(*ast.Select)
	p := ast.AdHoc(stmt)
	return query && p != nil && p.Offset == at
}
