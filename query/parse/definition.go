package parse

import "github.com/alecthomas/participle/v2/lexer"

type createStatement struct {
	Pos         lexer.Position
	Temporary   bool             `parser:"'CREATE' @('TEMPORARY' | 'TEMP')?"`
	Object      lexer.Token      `parser:"@('CORPUS' | 'GAZETTEER' | 'LEXICON' | 'TABLE' | 'KB')"`
	IfNotExists bool             `parser:"((?= 'IF' 'NOT') 'IF' 'NOT' @'EXISTS')?"`
	Name        lexer.Token      `parser:"@Name"`
	Columns     []*columnDef     `parser:"('(' @@ (',' @@)* ')')?"`
	With        []*option        `parser:"('WITH' '(' @@ (',' @@)* ')')?"`
	As          *selectStatement `parser:"('AS' @@)?"`
}

type columnDef struct {
	Pos  lexer.Position
	Name lexer.Token `parser:"@Name"`
	Type *typeName   `parser:"@@"`
}

type createFeaturesStatement struct {
	Pos         lexer.Position
	IfNotExists bool        `parser:"'CREATE' 'FEATURES' ((?= 'IF' 'NOT') 'IF' 'NOT' @'EXISTS')?"`
	Name        lexer.Token `parser:"@Name 'AS'"`
	Templates   lexer.Token `parser:"@String"`
}

type createIndexStatement struct {
	Pos         lexer.Position
	Fulltext    bool          `parser:"'CREATE' @'FULLTEXT'? 'INDEX'"`
	IfNotExists bool          `parser:"('IF' 'NOT' @'EXISTS')? 'ON'"`
	On          *target       `parser:"@@"`
	Columns     []lexer.Token `parser:"'(' @(Name (',' Name)*) ')'"`
	With        []*option     `parser:"('WITH' '(' @@ (',' @@)* ')')?"`
}

type dropStatement struct {
	Pos      lexer.Position
	Object   lexer.Token `parser:"'DROP' @('CORPUS' | 'GAZETTEER' | 'LEXICON' | 'TABLE' | 'KB' | 'FEATURES' | 'MODEL' | 'USER')"`
	IfExists bool        `parser:"((?= 'IF' 'EXISTS') 'IF' @'EXISTS')?"`
	Name     lexer.Token `parser:"@Name"`
	Version  lexer.Token `parser:"@Version?"`
}

type dropIndexStatement struct {
	Pos      lexer.Position
	IfExists bool          `parser:"'DROP' 'INDEX' ('IF' @'EXISTS')? 'ON'"`
	On       *target       `parser:"@@"`
	Columns  []lexer.Token `parser:"'(' @(Name (',' Name)*) ')'"`
}

type alterStatement struct {
	Pos    lexer.Position
	Object lexer.Token `parser:"'ALTER' @('CORPUS' | 'GAZETTEER' | 'LEXICON' | 'TABLE' | 'KB' | 'FEATURES' | 'MODEL')"`
	Name   lexer.Token `parser:"@Name"`
	Table  lexer.Token `parser:"('.' @Name)?"`
	To     lexer.Token `parser:"( 'RENAME' 'TO' @Name"`
	Old    lexer.Token `parser:"| 'RENAME' ((?= 'COLUMN' Name 'TO') 'COLUMN')? @Name 'TO'"`
	New    lexer.Token `parser:"@Name"`
	Drop   lexer.Token `parser:"| 'DROP' ((?= 'COLUMN' Name) 'COLUMN')? @Name"`
	Column *columnDef  `parser:"| 'ADD' ((?= 'COLUMN' Name Name) 'COLUMN')? @@ )"`
}
