package parse

import (
	"errors"
	"slices"
	"strings"
	"sync"

	"github.com/alecthomas/participle/v2/lexer"

	"parlance/query/ast"
	"parlance/query/lex"
	"parlance/storage/guard"
)

// Scanned is the tokens of a statement.
type Scanned struct {
	text   string
	tokens []lexer.Token        // EOF last, lists of literals as one
	lists  map[int]*literalList // what such tokens stand for, by their places among the tokens

	scratch     []lexer.Token // of the scanner, with the tokens in it if there are no lists
	fingerprint []byte
}

// scannedPool keeps Scanned values whose slices are used again.
var scannedPool = sync.Pool{New: func() any { return &Scanned{} }}

// maxPooled bounds the tokens of a slice that is used again: longer ones would hold memory for rare statements.
const maxPooled = 512

// Scan returns the tokens of one statement, with or without a final semicolon. Its errors are *ast.Error.
func Scan(text string) (*Scanned, error) {
	in := scannedPool.Get().(*Scanned)
	tokens, err := lex.ScanStatement(text, in.scratch)
	if err != nil {
		return nil, asAbsentStatement(text, err)
	}
	if len(tokens) == 1 {
		return nil, lex.SyntaxError(tokens[0].Pos, "the statement is empty", "")
	}
	in.text, in.tokens, in.scratch = text, tokens, tokens
	if mayHaveLists(tokens) {
		in.tokens, in.lists = collapseLists(text, tokens)
	}
	return in, nil
}

// Release lets later calls of Scan use the memory of the tokens. Templates, trees and values that were made of them
// stay valid; the Scanned and its fingerprint must not be used any more.
func (s *Scanned) Release() {
	if cap(s.scratch) > maxPooled {
		return
	}
	clear(s.scratch) // they hold the text
	*s = Scanned{scratch: s.scratch, fingerprint: s.fingerprint}
	scannedPool.Put(s)
}

// dependsOnPrevious reports whether the literal at i cannot be replaced by another one, because the word before it
// changes how it is read: INTERVAL '1' YEAR.
func (s *Scanned) dependsOnPrevious(i int) bool {
	return i > 0 && s.tokens[i-1].Value == "INTERVAL" && s.tokens[i-1].Type == lex.Ident
}

// Template is a parsed statement in which literals are placeholders. All statements with one fingerprint have the same
// template, so they are parsed once.
type Template struct{ tree *script }

// Parse parses the statement with participle. The positions in the template are numbers of tokens, not places in the
// text, so that the template serves other statements with the same fingerprint.
func (s *Scanned) Parse() (*Template, error) {
	if err := absent(s.tokens); err != nil {
		return nil, err
	}
	tokens := slices.Clone(s.tokens)
	for i := range tokens {
		t := &tokens[i]
		t.Pos = lexer.Position{Line: 1, Offset: i}
		switch {
		case t.Type == lex.String && !s.dependsOnPrevious(i):
			t.Value = "''"
		case t.Type == lex.Number && !s.dependsOnPrevious(i):
			t.Value = "0"
		case len(s.text) > maxSharedText:
			t.Value = strings.Clone(t.Value)
		}
	}
	tree, err := build(disambiguate(tokens))
	var internal *guard.Panic
	switch {
	case errors.As(err, &internal):
		return nil, err
	case err != nil:
		return nil, s.fault(err)
	}
	return &Template{tree}, nil
}

// maxSharedText bounds the texts that a template may keep alive: words are parts of the text, and of longer texts they
// are copied.
const maxSharedText = 4 << 10

// maxExpanded bounds the literals of lists that are put back in place of their tokens to find a fault.
const maxExpanded = 4 * maxProbed

// fault returns the error of a statement that the grammar does not accept. err is what participle says of it.
func (s *Scanned) fault(err error) error {
	literals := 0
	for _, l := range s.lists {
		literals += len(l.literals)
	}
	tokens := slices.Clone(s.tokens)
	if literals < maxExpanded {
		spelled, failed := lex.ScanStatement(s.text, nil)
		if failed != nil {
			return failed
		}
		tokens = spelled
	}
	tokens = disambiguate(tokens)
	if _, again := build(tokens); again != nil {
		err = again // with places in the text
	}
	return asAbsentStatement(s.text, fault(tokens, s.text, err))
}

// Statement returns the tree of a statement that has this template: its literals are put in place of the placeholders.
func (f *Template) Statement(in *Scanned) (ast.Statement, error) {
	return f.convert(&converter{from: in})
}

func (f *Template) convert(c *converter) (ast.Statement, error) {
	s := f.tree.Statement.statement(c)
	if c.err != nil {
		return nil, c.err
	}
	return s, nil
}
