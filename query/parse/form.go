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

// Scanned is a statement cut into tokens.
type Scanned struct {
	text   string
	tokens []lexer.Token // EOF last, lists of literals as one
	lists  map[int]*list // what such tokens stand for, by their places among the tokens

	scratch     []lexer.Token // of the scanner, with the tokens in it if there are no lists
	fingerprint []byte
}

// scannedPool holds scanned statements whose slices are used again.
var scannedPool = sync.Pool{New: func() any { return &Scanned{} }}

// maxPooled is the number of tokens up to which their slice is used again.
const maxPooled = 512

// Scan cuts one statement, with or without a final semicolon, into tokens. Its errors are *ast.Error.
func Scan(text string) (*Scanned, error) {
	in := scannedPool.Get().(*Scanned)
	tokens, err := lex.Statement(text, in.scratch)
	if err != nil {
		return nil, asForeign(text, err)
	}
	if len(tokens) == 1 {
		return nil, lex.SyntaxError(tokens[0].Pos, "the statement is empty", "")
	}
	in.text, in.tokens, in.scratch = text, tokens, tokens
	if folds(tokens) {
		in.tokens, in.lists = fold(text, tokens)
	}
	return in, nil
}

// Release gives the memory of the tokens to later calls of Scan. Forms, trees and values that were made of them stay valid; the
// scanned statement and its fingerprint are not used any more.
func (s *Scanned) Release() {
	if cap(s.scratch) > maxPooled {
		return
	}
	clear(s.scratch) // they hold the text
	*s = Scanned{scratch: s.scratch, fingerprint: s.fingerprint}
	scannedPool.Put(s)
}

// fixed reports whether what the token at a place stands for depends on more than the token: of INTERVAL '1' YEAR.
func (s *Scanned) fixed(i int) bool {
	return i > 0 && s.tokens[i-1].Value == "INTERVAL" && s.tokens[i-1].Type == lex.Ident
}

// Form is a parsed statement without its literals: it stands for all statements with one fingerprint.
type Form struct{ tree *script }

// Parse has participle parse the statement. Its tokens are told by their numbers, so that the form holds for other
// statements with the same ones.
func (s *Scanned) Parse() (*Form, error) {
	if err := absent(s.tokens); err != nil {
		return nil, err
	}
	tokens := slices.Clone(s.tokens)
	for i := range tokens {
		t := &tokens[i]
		t.Pos = lexer.Position{Line: 1, Offset: i}
		switch {
		case t.Type == lex.String && !s.fixed(i):
			t.Value = "''"
		case t.Type == lex.Number && !s.fixed(i):
			t.Value = "0"
		case len(s.text) > keptValues:
			t.Value = strings.Clone(t.Value)
		}
	}
	tree, err := build(retype(tokens))
	var internal *guard.Panic
	switch {
	case errors.As(err, &internal):
		return nil, err
	case err != nil:
		return nil, s.fault(err)
	}
	return &Form{tree}, nil
}

// keptValues is the length of a text from which on a form holds copies of its words, not the text.
const keptValues = 4 << 10

// maxSpelled is the number of tokens up to which lists are spelled out to find a fault.
const maxSpelled = 4 * maxProbed

// fault is the error of a statement that the grammar refuses with err.
func (s *Scanned) fault(err error) error {
	literals := 0
	for _, l := range s.lists {
		literals += len(l.literals)
	}
	tokens := slices.Clone(s.tokens)
	if literals < maxSpelled {
		spelled, failed := lex.Statement(s.text, nil)
		if failed != nil {
			return failed
		}
		tokens = spelled
	}
	tokens = retype(tokens)
	if _, again := build(tokens); again != nil {
		err = again // with places in the text
	}
	return asForeign(s.text, fault(tokens, s.text, err))
}

// Statement returns the tree of a statement that has the form.
func (f *Form) Statement(in *Scanned) (ast.Statement, error) {
	return f.convert(&converter{from: in})
}

func (f *Form) convert(c *converter) (ast.Statement, error) {
	s := f.tree.Statement.statement(c)
	if c.err != nil {
		return nil, c.err
	}
	return s, nil
}
