package parse

import "github.com/alecthomas/participle/v2/lexer"

// loadStatement takes MODEL for a corpus of that name where what follows it
// belongs to a corpus.
type loadStatement struct {
	Pos    lexer.Position
	Paths  []lexer.Token `parser:"'LOAD' ( 'STDIN' | @((String | Param) (',' (String | Param))*) ) 'INTO'"`
	Model  lexer.Token   `parser:"( (?= 'MODEL' (?! 'FORMAT' (Ident | Quoted | String) | 'SET' (Ident | Quoted) '=') (Ident | Quoted)) 'MODEL' @(Ident | Quoted)"`
	Into   *target       `parser:"| @@"`
	Format lexer.Token   `parser:"  ('FORMAT' @(Ident | Quoted | String))?"`
	With   []*option     `parser:"  ('WITH' '(' @@ (',' @@)* ')')?"`
	Set    []*assignment `parser:"  ('SET' @@ (',' @@)*)? )"`
}

type assignment struct {
	Pos    lexer.Position
	Column lexer.Token `parser:"@(Ident | Quoted) '='"`
	Value  *expression `parser:"@@"`
}

type insertStatement struct {
	Pos      lexer.Position
	Into     *target          `parser:"'INSERT' 'INTO' @@"`
	Columns  []lexer.Token    `parser:"('(' @((Ident | Quoted) (',' (Ident | Quoted))*) ')')?"`
	Values   []*row           `parser:"( 'VALUES' @@ (',' @@)*"`
	Select   *selectStatement `parser:"| @@ )"`
	Conflict lexer.Token      `parser:"('ON' 'CONFLICT' @('REPLACE' | 'SKIP'))?"`
}

type row struct {
	Items []*expression `parser:"'(' @@ (',' @@)* ')'"`
}

type deleteStatement struct {
	Pos   lexer.Position
	From  *target     `parser:"'DELETE' 'FROM' @@"`
	Alias lexer.Token `parser:"('AS' @(Ident | Quoted))?"`
	Where *expression `parser:"('WHERE' @@)?"`
}

type updateStatement struct {
	Pos   lexer.Position
	Table *target       `parser:"'UPDATE' @@"`
	Alias lexer.Token   `parser:"('AS' @(Ident | Quoted))?"`
	Set   []*assignment `parser:"'SET' @@ (',' @@)*"`
	Where *expression   `parser:"('WHERE' @@)?"`
}

// copyModelStatement leaves a corpus named model to copyStatement.
type copyModelStatement struct {
	Pos   lexer.Position
	Model *model      `parser:"'COPY' 'MODEL' (?! 'TO' (String | Param | 'STDOUT')) @@"`
	Path  lexer.Token `parser:"'TO' @(String | Param)"`
}
