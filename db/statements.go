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
// kept by tree, so a statement that is sent again is neither parsed nor planned again. Statements with one fingerprint
// are parsed once: their trees are made of one form.
type statements struct {
	mu        sync.Mutex
	kept      recent.Map[string, parsed]
	templates templateCache
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

// parse returns the tree of a statement that may run more than once.
func (s *statements) parse(text string) (parsed, error) {
	if p, ok := s.known(text); ok {
		return p, nil
	}
	begun := time.Now()
	in, err := parse.Scan(text)
	if err != nil {
		return parsed{}, err
	}
	defer in.Release()
	f, _, err := s.template(in)
	if err != nil {
		return parsed{}, err
	}
	p, err := s.tree(f, in, text)
	p.spent = time.Since(begun)
	return p, err
}

// tree makes the tree of a statement and keeps it, unless it holds a password.
func (s *statements) tree(f *template, in *parse.Scanned, text string) (parsed, error) {
	stmt, err := f.template.Statement(in)
	if err != nil {
		return parsed{}, err
	}
	p := parsed{stmt: stmt, kind: ast.KindOf(stmt)}
	if strings.ContainsAny(text, "$?") {
		p.params = ast.Parameters(stmt)
	}
	if len(text) <= keptText && !ast.Secret(stmt) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.kept.Limit = keptStatements
		s.kept.Put(text, p)
	}
	return p, nil
}
