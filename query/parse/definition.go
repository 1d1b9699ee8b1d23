package parse

import "github.com/alecthomas/participle/v2/lexer"

type createStatement struct {
	Pos         lexer.Position
	Object      lexer.Token      `parser:"'CREATE' @('CORPUS' | 'GAZETTEER' | 'LEXICON' | 'KB')"`
	IfNotExists bool             `parser:"((?= 'IF' 'NOT') 'IF' 'NOT' @'EXISTS')?"`
	Name        lexer.Token      `parser:"@(Ident | Quoted)"`
	Columns     []*columnDef     `parser:"('(' @@ (',' @@)* ')')?"`
	With        []*option        `parser:"('WITH' '(' @@ (',' @@)* ')')?"`
	As          *selectStatement `parser:"('AS' @@)?"`
}

type columnDef struct {
	Pos  lexer.Position
	Name lexer.Token `parser:"@(Ident | Quoted)"`
	Type *typeName   `parser:"@@"`
}

type createFeaturesStatement struct {
	Pos         lexer.Position
	IfNotExists bool        `parser:"'CREATE' 'FEATURES' ((?= 'IF' 'NOT') 'IF' 'NOT' @'EXISTS')?"`
	Name        lexer.Token `parser:"@(Ident | Quoted) 'AS'"`
	Templates   lexer.Token `parser:"@String"`
}

type createIndexStatement struct {
	Pos         lexer.Position
	Fulltext    bool          `parser:"'CREATE' @'FULLTEXT'? 'INDEX'"`
	IfNotExists bool          `parser:"('IF' 'NOT' @'EXISTS')? 'ON'"`
	On          *target       `parser:"@@"`
	Columns     []lexer.Token `parser:"'(' @((Ident | Quoted) (',' (Ident | Quoted))*) ')'"`
	With        []*option     `parser:"('WITH' '(' @@ (',' @@)* ')')?"`
}

type dropStatement struct {
	Pos      lexer.Position
	Object   lexer.Token `parser:"'DROP' @('CORPUS' | 'GAZETTEER' | 'LEXICON' | 'KB' | 'FEATURES' | 'MODEL' | 'USER')"`
	IfExists bool        `parser:"((?= 'IF' 'EXISTS') 'IF' @'EXISTS')?"`
	Name     lexer.Token `parser:"@(Ident | Quoted)"`
	Version  lexer.Token `parser:"@Version?"`
}

type dropIndexStatement struct {
	Pos      lexer.Position
	IfExists bool          `parser:"'DROP' 'INDEX' ('IF' @'EXISTS')? 'ON'"`
	On       *target       `parser:"@@"`
	Columns  []lexer.Token `parser:"'(' @((Ident | Quoted) (',' (Ident | Quoted))*) ')'"`
}

type alterStatement struct {
	Pos    lexer.Position
	Object lexer.Token `parser:"'ALTER' @('CORPUS' | 'GAZETTEER' | 'LEXICON' | 'KB' | 'FEATURES' | 'MODEL')"`
	Name   lexer.Token `parser:"@(Ident | Quoted)"`
	Table  lexer.Token `parser:"('.' @(Ident | Quoted))?"`
	To     lexer.Token `parser:"( 'RENAME' 'TO' @(Ident | Quoted)"`
	Old    lexer.Token `parser:"| 'RENAME' ((?= 'COLUMN' (Ident | Quoted) 'TO') 'COLUMN')? @(Ident | Quoted) 'TO'"`
	New    lexer.Token `parser:"@(Ident | Quoted)"`
	Drop   lexer.Token `parser:"| 'DROP' ((?= 'COLUMN' (Ident | Quoted)) 'COLUMN')? @(Ident | Quoted)"`
	Column *columnDef  `parser:"| 'ADD' ((?= 'COLUMN' (Ident | Quoted) (Ident | Quoted)) 'COLUMN')? @@ )"`
}
