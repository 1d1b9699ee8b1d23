package lex

import (
	"strings"

	"parlance/query/ast"
)

// Located is one statement of a script.
type Located struct {
	Text string  // without its semicolon and the comments around it
	Pos  ast.Pos // where Text starts in the script
}

// Place returns the place in the script of a place in the statement.
func (l Located) Place(p ast.Pos) ast.Pos {
	if p.Line == 1 {
		p.Col += l.Pos.Col - 1
	}
	p.Line += l.Pos.Line - 1
	p.Offset += l.Pos.Offset
	return p
}

// Script splits a script at the semicolons outside strings, quoted names and
// comments, leaving out empty statements. It does not parse them. On an
// *ast.Error (a string or comment without an end) it returns the statements
// before the faulty one.
func Script(text string) ([]Located, error) {
	statements, _, err := split(text)
	return statements, err
}

// Complete reports whether text, typed so far, ends with a semicolon outside
// strings, quoted names and comments.
func Complete(text string) bool {
	_, complete, err := split(text)
	return err == nil && complete
}

// Single reports whether a text is one statement from its first byte on, as far as a glance tells: Script tells it for others.
func Single(text string) bool {
	if text == "" || word(text) == 0 {
		return false
	}
	i := strings.IndexByte(text, ';')
	return i < 0 || strings.TrimRight(text[i+1:], " \t\r\n") == ""
}

// split returns the statements of a script, and whether the last one is ended.
func split(text string) (statements []Located, complete bool, err error) {
	s := NewScanner(text)
	start, end := ast.Pos{}, 0 // of the statement at hand; start.Line is 0 before it
	finish := func() {
		if start.Line > 0 {
			statements = append(statements, Located{Text: text[start.Offset:end], Pos: start})
		}
		start = ast.Pos{}
	}
	for {
		before := s.Pos
		t, err := s.Next()
		switch {
		case s.Open:
			return statements, false, err
		case err != nil && s.Pos == before:
			// Faulty tokens are left to the parser.
			s.Take(Unknown, 1)
			t.Pos = before
		case err == nil && t.EOF():
			finish()
			return statements, complete, nil
		case t.Type == Punct && t.Value == ";":
			finish()
			complete = true
			continue
		}
		if start.Line == 0 {
			start = Position(t.Pos)
		}
		end = s.Pos.Offset
		complete = false
	}
}
