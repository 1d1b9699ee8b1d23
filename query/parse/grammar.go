// Package parse turns the tokens of a statement into its syntax tree. It knows the grammar alone: whether names exist,
// and what they mean, is found out when the tree is bound.
//
// The grammar is a set of structs whose tags participle reads. A statement goes through these steps: Scan gets its
// tokens and collapses lists of literals (list.go); Fingerprint tells whether its template is known (fingerprint.go);
// for a new one, Parse makes words with several meanings unambiguous (disambiguate.go) and lets participle fill the
// structs; a converter makes a tree of package ast from the template and the literals (convert*.go). Errors say what
// was expected, which participle's trace tells (expected.go, fault.go).
package parse

import (
	"io"
	"sync"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"

	"parlance/query/ast"
	"parlance/query/lex"
	"parlance/storage/guard"
)

// lookahead is the number of tokens that an alternative may read before its failure counts as a syntax error instead of
// a reason to try the next alternative.
const lookahead = 3

// statement is any statement.
type statement interface {
	statement(*converter) ast.Statement
}

// plainStatement is a statement that EXPLAIN takes.
type plainStatement interface {
	statement(*converter) ast.Statement
	plain()
}

// script is the root of the grammar: one statement.
type script struct {
	Statement statement `parser:"@@"`
}

// statements are the structs of a statement, tried in this order.
var statements = []statement{
	(*selectStatement)(nil), (*explainPredictionStatement)(nil), (*explainStatement)(nil),
	(*insertStatement)(nil), (*updateStatement)(nil), (*deleteStatement)(nil),
	(*loadStatement)(nil), (*copyModelStatement)(nil), (*copyStatement)(nil),
	(*annotateStatement)(nil), (*trainStatement)(nil), (*tuneStatement)(nil),
	(*evaluateStatement)(nil), (*summarizeStatement)(nil), (*promoteStatement)(nil), (*replayStatement)(nil),
	(*diffStatement)(nil),
	(*createStatement)(nil), (*createFeaturesStatement)(nil), (*createIndexStatement)(nil),
	(*createUserStatement)(nil), (*dropStatement)(nil), (*dropIndexStatement)(nil),
	(*alterStatement)(nil), (*alterUserStatement)(nil), (*alterSystemStatement)(nil), (*reloadStatement)(nil),
	(*showStatement)(nil), (*describeStatement)(nil), (*checkStatement)(nil),
	(*jobStatement)(nil), (*cancelStatement)(nil), (*setStatement)(nil), (*resetStatement)(nil),
	(*clearCacheStatement)(nil), (*backupStatement)(nil), (*compactStatement)(nil),
	(*beginStatement)(nil), (*commitStatement)(nil), (*rollbackStatement)(nil), (*savepointStatement)(nil),
	(*releaseStatement)(nil),
	(*discardStatement)(nil), (*unlistenStatement)(nil),
	(*declareStatement)(nil), (*fetchStatement)(nil), (*closeStatement)(nil), (*deallocateStatement)(nil),
}

// plainStatements are the statements that EXPLAIN takes.
var plainStatements = []plainStatement{
	(*selectStatement)(nil), (*insertStatement)(nil), (*updateStatement)(nil),
	(*deleteStatement)(nil), (*loadStatement)(nil), (*copyModelStatement)(nil),
	(*copyStatement)(nil), (*annotateStatement)(nil), (*trainStatement)(nil),
	(*tuneStatement)(nil), (*evaluateStatement)(nil), (*summarizeStatement)(nil), (*promoteStatement)(nil),
	(*createStatement)(nil),
}

// grammar returns participle's parser.
var grammar = sync.OnceValue(func() *participle.Parser[script] {
	return participle.MustBuild[script](
		participle.Lexer(definition{}),
		participle.UseLookahead(lookahead),
		participle.Union(statements...),
		participle.Union(plainStatements...),
	)
})

// build parses tokens, EOF last, with participle.
func build(tokens []lexer.Token, options ...participle.ParseOption) (tree *script, err error) {
	defer guard.Recover(&err, "parse") // participle panics where a grammar is at fault
	peeking, err := lexer.Upgrade(&stream{tokens})
	if err != nil {
		return nil, err
	}
	if parse := productions()[tokens[0].Value]; parse != nil && len(options) == 0 {
		stmt, err := parse(peeking)
		return &script{stmt}, err
	}
	return grammar().ParseFromLexer(peeking, options...)
}

// productions has a parser for each statement that its first word tells from all others, which saves trying the others.
var productions = sync.OnceValue(func() map[string]func(*lexer.PeekingLexer) (statement, error) {
	return map[string]func(*lexer.PeekingLexer) (statement, error){
		"INSERT": production[insertStatement](), "UPDATE": production[updateStatement](),
		"DELETE": production[deleteStatement](),
		"LOAD":   production[loadStatement](), "ANNOTATE": production[annotateStatement](),
		"TRAIN":    production[trainStatement](),
		"EVALUATE": production[evaluateStatement](), "SHOW": production[showStatement](),
		"DESCRIBE": production[describeStatement](),
		"SET":      production[setStatement](), "RESET": production[resetStatement](),
		"BEGIN": production[beginStatement](),
		"START": production[beginStatement](), "COMMIT": production[commitStatement](),
		"ROLLBACK":  production[rollbackStatement](),
		"SAVEPOINT": production[savepointStatement](), "RELEASE": production[releaseStatement](),
		"DISCARD": production[discardStatement](),
		"DECLARE": production[declareStatement](), "FETCH": production[fetchStatement](),
		"CLOSE":  production[closeStatement](),
		"SELECT": production[selectStatement](), "SUMMARIZE": production[summarizeStatement](),
	}
})

// production returns the parser for one type of statement.
func production[S any, P interface {
	*S
	statement
}]() func(*lexer.PeekingLexer) (statement, error) {
	parser, err := participle.ParserForProduction[S](grammar())
	if err != nil {
		panic(err) // it is none of statements
	}
	return func(tokens *lexer.PeekingLexer) (statement, error) {
		tree, err := parser.ParseFromLexer(tokens)
		return P(tree), err
	}
}

// EBNF returns the grammar. Productions start with a capital; <ident>,
// <quoted>, <keyword>, <string>, <number>, <param>, <version> and <operator>
// are tokens, <literals> is a run of literals with commas between them, <rows>
// one of such rows; words in quotes are matched without regard to case.
func EBNF() string { return grammar().String() }

// Parse returns the tree of one statement, with or without a final semicolon.
// Its errors are *ast.Error.
func Parse(text string) (ast.Statement, error) {
	in, err := Scan(text)
	if err != nil {
		return nil, err
	}
	form, err := in.Parse()
	if err != nil {
		return nil, err
	}
	return form.Statement(in)
}

// definition is the lexer that participle is built with. Its names of token types are those of the grammar.
type definition struct{}

func (definition) Symbols() map[string]lexer.TokenType { return lex.Symbols }

// Lex returns the tokens of one statement.
func (definition) Lex(_ string, r io.Reader) (lexer.Lexer, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	tokens, err := tokenize(string(text))
	return &stream{tokens}, err
}

// stream returns tokens one by one, and the last one, EOF, again and again.
type stream struct{ tokens []lexer.Token }

func (s *stream) Next() (lexer.Token, error) {
	t := s.tokens[0]
	if !t.EOF() {
		s.tokens = s.tokens[1:]
	}
	return t, nil
}

// tokenize returns the tokens of one statement as the grammar reads them, EOF last and without the final semicolon,
// with their places in the text.
func tokenize(text string) ([]lexer.Token, error) {
	tokens, err := lex.ScanStatement(text, nil)
	if err != nil {
		return nil, err
	}
	return disambiguate(tokens), nil
}
