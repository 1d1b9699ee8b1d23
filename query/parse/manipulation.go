package parse

import "github.com/alecthomas/participle/v2/lexer"

// loadStatement takes MODEL for a corpus of that name where what follows it
// belongs to a corpus.
type loadStatement struct {
	Pos    lexer.Position
	Paths  []lexer.Token `parser:"'LOAD' ( 'STDIN' | @((String | Param) (',' (String | Param))*) ) 'INTO'"`
	Model  lexer.Token   `parser:"( (?= 'MODEL' (?! 'FORMAT' (?! 'FORMAT' (Name | String)) (Name | String) | 'SET' Name '=') Name) 'MODEL' @Name"`
	Of     lexer.Token   `parser:"  ('FORMAT' @(Name | String))?"`
	How    []*option     `parser:"  ('WITH' '(' @@ (',' @@)* ')')?"`
	Into   *target       `parser:"| @@"`
	Format lexer.Token   `parser:"  ('FORMAT' @(Name | String))?"`
	With   []*option     `parser:"  ('WITH' '(' @@ (',' @@)* ')')?"`
	Set    []*assignment `parser:"  ('SET' @@ (',' @@)*)? )"`
}

type assignment struct {
	Pos    lexer.Position
	Column lexer.Token `parser:"@Name '='"`
	Value  *expression `parser:"@@"`
}

// setting is an assignment, or one of several values to as many columns.
type setting struct {
	Pos     lexer.Position
	One     *assignment   `parser:"  @@"`
	Columns []lexer.Token `parser:"| '(' @(Name (',' Name)*) ')' '='"`
	Values  *row          `parser:"  @@"`
}

type insertStatement struct {
	Pos       lexer.Position
	Into      *target          `parser:"'INSERT' 'INTO' @@"`
	Alias     lexer.Token      `parser:"('AS' @Name)?"`
	Columns   []lexer.Token    `parser:"('(' @(Name (',' Name)*) ')')?"`
	Default   bool             `parser:"( @'DEFAULT' 'VALUES'"`
	Values    []*row           `parser:"| 'VALUES' @@ (',' @@)*"`
	Select    *selectStatement `parser:"| @@ )"`
	Conflict  *conflict        `parser:"@@?"`
	Returning []*item          `parser:"('RETURNING' @@ (',' @@)*)?"`
}

// conflict tells what becomes of a row whose key is taken. DO NOTHING is SKIP.
type conflict struct {
	Pos    lexer.Position
	Action lexer.Token   `parser:"'ON' 'CONFLICT' ( @('REPLACE' | 'SKIP')"`
	Key    []lexer.Token `parser:"| ('(' @(Name (',' Name)*) ')')?"`
	Update lexer.Token   `parser:"  'DO' ( 'NOTHING' | @'UPDATE'"`
	Set    []*setting    `parser:"    'SET' @@ (',' @@)*"`
	Where  *expression   `parser:"    ('WHERE' @@)? ) )"`
}

// row is a row of VALUES, or a run of rows of literals with commas between them.
type row struct {
	Rows  lexer.Token `parser:"  @Rows"`
	Items []*listItem `parser:"| '(' @@ (',' @@)* ')'"`
}

type deleteStatement struct {
	Pos       lexer.Position
	From      *target     `parser:"'DELETE' 'FROM' @@"`
	Alias     lexer.Token `parser:"('AS' @Name | (?! 'RETURNING') @Name)?"`
	Using     []*joined   `parser:"('USING' @@ (',' @@)*)?"`
	Where     *expression `parser:"('WHERE' @@)?"`
	Returning []*item     `parser:"('RETURNING' @@ (',' @@)*)?"`
}

type updateStatement struct {
	Pos       lexer.Position
	Table     *target     `parser:"'UPDATE' @@"`
	Alias     lexer.Token `parser:"('AS' @Name | (?! 'SET') @Name)?"`
	Set       []*setting  `parser:"'SET' @@ (',' @@)*"`
	From      []*joined   `parser:"('FROM' @@ (',' @@)*)?"`
	Where     *expression `parser:"('WHERE' @@)?"`
	Returning []*item     `parser:"('RETURNING' @@ (',' @@)*)?"`
}

// copyModelStatement leaves a corpus named model to copyStatement.
type copyModelStatement struct {
	Pos   lexer.Position
	Model *model      `parser:"'COPY' 'MODEL' (?! 'TO' (String | Param | 'STDOUT')) @@"`
	To    *sink       `parser:"'TO' @@"`
	Of    lexer.Token `parser:"('FORMAT' @(Name | String))?"`
}
