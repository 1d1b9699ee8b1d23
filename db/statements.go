package db

import (
	"sync"

	"parlance/query/ast"
	"parlance/query/parse"
)

// statements keeps the trees of statements by their text; a tree is never changed. Plans are
// kept by tree, so a statement that is sent again is neither parsed nor planned again.
//
// Two generations stand for recency: when the young one is full it becomes the old one, and
// what is found in the old one moves to the young one.
type statements struct {
	mu         sync.RWMutex
	young, old map[string]parsed
}

// parsed is the tree of a statement and the number of its parameters.
type parsed struct {
	stmt   ast.Statement
	params int
}

// Bounds of what is kept: statements a generation, and bytes of a text.
const (
	keptStatements = 512
	keptText       = 16 << 10
)

// known returns the tree of a text that is kept.
func (s *statements) known(text string) (parsed, bool) {
	s.mu.RLock()
	p, ok := s.young[text]
	if ok {
		s.mu.RUnlock()
		return p, true
	}
	p, ok = s.old[text]
	s.mu.RUnlock()
	if ok {
		s.keep(text, p)
	}
	return p, ok
}

func (s *statements) parse(text string) (parsed, error) {
	if p, ok := s.known(text); ok {
		return p, nil
	}
	stmt, err := parse.Parse(text)
	if err != nil {
		return parsed{}, err
	}
	p := parsed{stmt, parameters(stmt)}
	if len(text) <= keptText && !ast.Secret(stmt) {
		s.keep(text, p)
	}
	return p, nil
}

func (s *statements) keep(text string, p parsed) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.young == nil || len(s.young) >= keptStatements {
		s.old, s.young = s.young, map[string]parsed{}
	}
	s.young[text] = p
}
