package parse

import (
	"github.com/alecthomas/participle/v2/lexer"

	"parlance/query/ast"
)

type showStatement struct {
	Pos   lexer.Position
	Words []lexer.Token `parser:"'SHOW' ( (?= 'TRANSACTION' 'ISOLATION' | 'TIME' 'ZONE' | 'SESSION' 'AUTHORIZATION') @('TRANSACTION' 'ISOLATION' 'LEVEL' | 'TIME' 'ZONE' | 'SESSION' 'AUTHORIZATION')"`
	Name  []lexer.Token `parser:"       | @('USING' | Name ('.' Name)*) )"`
}

// describeStatement takes a word for the kind of object only before a name.
type describeStatement struct {
	Pos     lexer.Position
	Object  lexer.Token `parser:"'DESCRIBE' ((?= Name Name) @('CORPUS' | 'GAZETTEER' | 'LEXICON' | 'TABLE' | 'KB' | 'FEATURES' | 'MODEL' | 'KIND' | 'FORMAT' | 'USER'))?"`
	Name    lexer.Token `parser:"@Name"`
	Version lexer.Token `parser:"@Version?"`
	Path    lexer.Token `parser:"('.' @Name)?"`
}

type checkStatement struct {
	Pos      lexer.Position
	Corpus   lexer.Token `parser:"'CHECK' ( 'CORPUS' @Name"`
	With     []*option   `parser:"          ('WITH' '(' @@ (',' @@)* ')')?"`
	Database bool        `parser:"        | @'DATABASE' )"`
}

type jobStatement struct {
	Pos  lexer.Position
	Verb lexer.Token `parser:"@('CANCEL' | 'RESUME') 'JOB'"`
	Job  lexer.Token `parser:"@(Number | Param)"`
}

type cancelStatement struct {
	Pos    lexer.Position
	Object lexer.Token `parser:"'CANCEL' @('STATEMENT' | 'SESSION')"`
	Number lexer.Token `parser:"@(Number | Param)"`
}

// setStatement takes SESSION and LOCAL, and the words of special forms, for names of settings
// where a value follows.
type setStatement struct {
	Pos   lexer.Position
	Scope lexer.Token    `parser:"'SET' ((?! ('SESSION' | 'LOCAL') ('=' | 'TO' | '.')) @('SESSION' | 'LOCAL'))?"`
	Modes []lexer.Token  `parser:"( (?= 'CHARACTERISTICS' 'AS' | 'TRANSACTION' Name) ('CHARACTERISTICS' 'AS')? 'TRANSACTION' @((Name | 'NOT' | ',')+)"`
	Words []lexer.Token  `parser:"| (?= 'TIME' 'ZONE' | 'NAMES' (String | Name) (?! 'TO') | ('ROLE' | 'AUTHORIZATION') (?! 'TO' | '=' | '.')) @('TIME' 'ZONE' | 'NAMES' | 'ROLE' | 'AUTHORIZATION') ("`
	Shift bool           `parser:"    @Typed?"`
	Plain *optionValue   `parser:"    @@ ('HOUR' ('TO' 'MINUTE')?)? )"`
	Name  []lexer.Token  `parser:"| @('USING' | Name ('.' Name)*)"`
	Value []*optionValue `parser:"  ('=' | 'TO') @@ (',' @@)* )"`
}

type resetStatement struct {
	Pos   lexer.Position
	Words []lexer.Token `parser:"'RESET' ( (?= 'SESSION' 'AUTHORIZATION') @('SESSION' 'AUTHORIZATION')"`
	Name  []lexer.Token `parser:"        | @('USING' | Name ('.' Name)*) )"`
}

// alterSystemStatement is for the database as a whole, whichever word stands for it.
type alterSystemStatement struct {
	Pos   lexer.Position
	Of    lexer.Token    `parser:"'ALTER' @('SYSTEM' | 'DATABASE')"`
	Reset []lexer.Token  `parser:"( 'RESET' @('USING' | Name ('.' Name)*)"`
	Name  []lexer.Token  `parser:"| 'SET' @('USING' | Name ('.' Name)*)"`
	Value []*optionValue `parser:"  ('=' | 'TO') @@ (',' @@)* )"`
}

type reloadStatement struct {
	Pos lexer.Position
	Of  lexer.Token `parser:"'ALTER' @('SYSTEM' | 'DATABASE') 'RELOAD'"`
}

type clearCacheStatement struct {
	Pos   lexer.Position
	Verb  lexer.Token `parser:"@'CLEAR' 'CACHE'"`
	Model *model      `parser:"('FOR' @@)?"`
}

type backupStatement struct {
	Pos  lexer.Position
	Path lexer.Token `parser:"'BACKUP' 'TO' @(String | Param)"`
}

type compactStatement struct {
	Pos  lexer.Position
	Verb lexer.Token `parser:"@'COMPACT'"`
}

type discardStatement struct {
	Pos  lexer.Position
	Verb lexer.Token `parser:"@'DISCARD'"`
	What lexer.Token `parser:"('ALL' | @('PLANS' | 'SEQUENCES' | 'TEMP' | 'TEMPORARY'))"`
}

type unlistenStatement struct {
	Pos  lexer.Position
	Verb lexer.Token `parser:"@'UNLISTEN'"`
	Name lexer.Token `parser:"('*' | @Name)"`
}

type deallocateStatement struct {
	Pos  lexer.Position
	Verb lexer.Token `parser:"@'DEALLOCATE' 'PREPARE'?"`
	Name lexer.Token `parser:"('ALL' | @Name)"`
}

func (s *deallocateStatement) statement(c *converter) ast.Statement {
	return &ast.Deallocate{Pos: c.position(s.Pos), Name: c.name(s.Name)}
}
