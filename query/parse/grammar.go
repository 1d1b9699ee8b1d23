// Package parse turns the text of a statement into its syntax tree. It knows
// the grammar only: what names mean, and whether they exist, is not its affair.
package parse

import (
	"sync"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"

	"parlance/query/ast"
	"parlance/storage/guard"
)

// lookahead is the number of tokens after which an alternative that fails is an
// error, not a reason to try the next one.
const lookahead = 3

// statement is any statement.
type statement interface {
	statement(*converter) ast.Statement
}

// plainStatement is a statement that EXPLAIN and PREPARE take.
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
	(*evaluateStatement)(nil), (*promoteStatement)(nil), (*replayStatement)(nil), (*diffStatement)(nil),
	(*createStatement)(nil), (*createFeaturesStatement)(nil), (*createIndexStatement)(nil),
	(*createUserStatement)(nil), (*dropStatement)(nil), (*dropIndexStatement)(nil),
	(*alterStatement)(nil), (*alterUserStatement)(nil), (*alterSystemStatement)(nil),
	(*showStatement)(nil), (*describeStatement)(nil), (*checkStatement)(nil),
	(*jobStatement)(nil), (*cancelStatement)(nil), (*setStatement)(nil), (*resetStatement)(nil),
	(*clearCacheStatement)(nil), (*backupStatement)(nil), (*compactStatement)(nil),
	(*beginStatement)(nil), (*commitStatement)(nil), (*rollbackStatement)(nil), (*savepointStatement)(nil), (*releaseStatement)(nil),
	(*discardStatement)(nil), (*unlistenStatement)(nil),
	(*declareStatement)(nil), (*fetchStatement)(nil), (*closeStatement)(nil), (*prepareStatement)(nil), (*executeStatement)(nil), (*deallocateStatement)(nil),
}

// plainStatements are those of a plainStatement.
var plainStatements = []plainStatement{
	(*selectStatement)(nil), (*insertStatement)(nil), (*updateStatement)(nil),
	(*deleteStatement)(nil), (*loadStatement)(nil), (*copyModelStatement)(nil),
	(*copyStatement)(nil), (*annotateStatement)(nil), (*trainStatement)(nil),
	(*tuneStatement)(nil), (*evaluateStatement)(nil), (*promoteStatement)(nil),
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

// build has participle parse tokens, EOF last.
func build(tokens []lexer.Token, options ...participle.ParseOption) (tree *script, err error) {
	defer guard.Recover(&err, "parse") // participle panics where a grammar is at fault
	peeking, err := lexer.Upgrade(&stream{tokens})
	if err != nil {
		return nil, err
	}
	return grammar().ParseFromLexer(peeking, options...)
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
