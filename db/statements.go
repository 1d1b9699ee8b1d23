package db

import (
	"strings"
	"sync"
	"time"

	"parlance/query/ast"
	"parlance/query/parse"
	"parlance/storage/recent"
)

// statements keeps the trees of statements by their text; a tree is never changed. Plans are
// kept by tree, so a statement that is sent again is neither parsed nor planned again.
type statements struct {
	mu   sync.Mutex
	kept recent.Map[string, parsed]
}

// parsed is the tree of a statement, its sort and the number of its parameters.
type parsed struct {
	stmt   ast.Statement
	kind   string
	params int
	spent  time.Duration // on parsing; 0 where the tree was kept
}

// Bounds of what is kept: statements, and bytes of a text.
const (
	keptStatements = 1024
	keptText       = 16 << 10
)

// known returns the tree of a text that is kept.
func (s *statements) known(text string) (parsed, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.kept.Get(text)
}

func (s *statements) parse(text string) (parsed, error) {
	if p, ok := s.known(text); ok {
		return p, nil
	}
	begun := time.Now()
	stmt, err := parse.Parse(text)
	if err != nil {
		return parsed{}, err
	}
	p := parsed{stmt: stmt, kind: ast.KindOf(stmt)}
	if strings.ContainsAny(text, "$?") {
		p.params = ast.Parameters(stmt)
	}
	if len(text) <= keptText && !ast.Secret(stmt) {
		s.keep(text, p)
	}
	p.spent = time.Since(begun)
	return p, nil
}

func (s *statements) keep(text string, p parsed) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.kept.Limit = keptStatements
	s.kept.Put(text, p)
}
