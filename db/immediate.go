package db

import (
	"time"

	"parlance/query/ast"
	"parlance/query/lex"
	"parlance/query/parse"
	"parlance/storage/value"
)

// Immediate is Statements for statements that run once. Those that differ in literals alone have one fingerprint, and
// are parsed once; queries that differ in an ad-hoc text alone, entities(TEXT '…'), or in what they compare columns
// with, WHERE id = 'd17', are planned once too: these literals are arguments of theirs.
func (c Wire) Immediate(script string) ([]*Stmt, error) { return c.statements(script, c.immediate) }

func (c *Conn) immediate(statement string) (*Stmt, error) {
	out := &Stmt{c: c, text: statement}
	err := c.d.now().CheckStatement(statement)
	if err == nil {
		err = c.d.parsed.once(out)
	}
	if err != nil {
		c.ses.Fail()
		return nil, c.refused(nil, err)
	}
	return out, nil
}

// in notes that the statement stands in a script.
func (s *Stmt) in(script *lex.Statement) {
	if s.at == nil {
		s.at = script
	} else {
		s.at = inScript{s.at, script}
	}
}

// inScript finds places of a statement in its script.
type inScript struct{ statement, script place }

func (i inScript) Place(p ast.Pos) ast.Pos { return i.script.Place(i.statement.Place(p)) }

// inText finds places of a tree in the text of another statement with the same fingerprint.
type inText struct {
	text string
	tree parse.Positions
}

func (i inText) Place(p ast.Pos) ast.Pos {
	in, err := scanned(i.text)
	if err != nil {
		return p
	}
	defer in.Release()
	return in.Positions().Translate(i.tree, p)
}

// scanned cuts the text of a statement that runs once into tokens.
func scanned(text string) (*parse.Scanned, error) {
	in, err := parse.Scan(text)
	if err == nil {
		in.JoinAdHocText()
	}
	return in, err
}

// once parses a statement that runs once.
func (s *statements) once(out *Stmt) error {
	begun := time.Now()
	in, err := scanned(out.text)
	if err != nil {
		return err
	}
	defer in.Release()
	f, known, err := s.template(in)
	if err != nil {
		return err
	}
	if known || in.HasAdHocText() {
		ok, err := s.parametric(f, in, out)
		if ok || err != nil {
			return err
		}
	}
	if p, ok := s.known(out.text); ok {
		out.p = p
		return nil
	}
	out.p, err = s.tree(f, in, out.text)
	out.p.spent = time.Since(begun)
	return err
}

// parametric makes out the tree with parameters of a form with the literals of a statement as arguments, if there is
// one.
func (s *statements) parametric(f *template, in *parse.Scanned, out *Stmt) (bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !f.seen {
		f.seen, f.parameters = true, f.template.Parameters(in)
		f.trees.Limit = maxCachedTrees
	}
	if f.parameters == nil {
		return false, nil
	}
	others, ok := f.parameters.Constants(in)
	if !ok {
		return false, nil
	}
	t, ok := f.trees.Get(others)
	if !ok {
		stmt, err := f.template.Parameterise(in, f.parameters)
		if err != nil {
			return false, err
		}
		t = &parameterised{parsed{stmt: stmt, kind: ast.KindOf(stmt), params: f.parameters.Len()}, in.Positions()}
		f.trees.Put(others, t)
	}
	out.p, out.comparedArgs, out.at = t.parsed, f.parameters.FromComparisons, inText{out.text, t.places}
	out.args = make([]value.Value, f.parameters.Len())
	for i := range out.args {
		if text, number, isText := f.parameters.Value(in, i); isText {
			out.args[i] = value.Str(text)
		} else {
			out.args[i] = value.Int(number)
		}
	}
	return true, nil
}
