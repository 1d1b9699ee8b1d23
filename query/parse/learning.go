package parse

import "github.com/alecthomas/participle/v2/lexer"

type annotateStatement struct {
	Pos    lexer.Position
	Corpus lexer.Token `parser:"'ANNOTATE' @(Ident | Quoted)"`
	Using  []*model    `parser:"'USING' @@ (',' @@)*"`
	With   []*option   `parser:"('WITH' '(' @@ (',' @@)* ')')?"`
	Where  *expression `parser:"('WHERE' @@)?"`
}

type trainStatement struct {
	Pos      lexer.Position
	Kind     lexer.Token `parser:"'TRAIN' @(Ident | Quoted)"`
	As       lexer.Token `parser:"('AS' @(Ident | Quoted))?"`
	On       []*input    `parser:"'ON' @@ (',' @@)*"`
	Validate []*input    `parser:"('VALIDATE' 'ON' @@ (',' @@)*)?"`
	Using    []*model    `parser:"('USING' @@ (',' @@)*)?"`
	With     []*option   `parser:"('WITH' '(' @@ (',' @@)* ')')?"`
	Async    bool        `parser:"@'ASYNC'?"`
}

type tuneStatement struct {
	Pos      lexer.Position
	Kind     lexer.Token   `parser:"'TUNE' @(Ident | Quoted)"`
	As       lexer.Token   `parser:"('AS' @(Ident | Quoted))?"`
	On       []*input      `parser:"'ON' @@ (',' @@)*"`
	Validate []*input      `parser:"( 'VALIDATE' 'ON' @@ (',' @@)*"`
	Folds    lexer.Token   `parser:"| 'FOLDS' @(Number | Param) )?"`
	Using    []*model      `parser:"('USING' @@ (',' @@)*)?"`
	Over     []*option     `parser:"'OVER' '(' @@ (',' @@)* ')'"`
	Sample   lexer.Token   `parser:"('SAMPLE' @(Number | Param))?"`
	Metric   []lexer.Token `parser:"'METRIC' @(String | Ident Version? ('.' Ident)*)"`
	With     []*option     `parser:"('WITH' '(' @@ (',' @@)* ')')?"`
	Async    bool          `parser:"@'ASYNC'?"`
}

type evaluateStatement struct {
	Pos     lexer.Position
	Layers  []*storedLayer `parser:"'EVALUATE' ( (?= 'LAYER' (Ident | Quoted)) 'LAYER' @@ (',' @@)*"`
	Against *goldLayer     `parser:"'AGAINST' @@"`
	Models  []*scored      `parser:"| @@ (',' @@)*"`
	On      []*input       `parser:"'ON' @@ (',' @@)*"`
	Using   []*model       `parser:"('USING' @@ (',' @@)*)? )"`
	By      []*expression  `parser:"('BY' @@ (',' @@)*)?"`
	With    []*option      `parser:"('WITH' '(' @@ (',' @@)* ')')?"`
}

// storedLayer is a layer of a corpus.
type storedLayer struct {
	Pos    lexer.Position
	Corpus lexer.Token `parser:"@(Ident | Quoted)"`
	Layer  lexer.Token `parser:"'.' @(Ident | Quoted)"`
}

// goldLayer is a layer with a condition on the documents.
type goldLayer struct {
	Layer *storedLayer `parser:"@@"`
	Where *expression  `parser:"('WHERE' @@)?"`
}

// scored is a model with options of its own.
type scored struct {
	Model *model    `parser:"@@"`
	With  []*option `parser:"('WITH' '(' @@ (',' @@)* ')')?"`
}

type promoteStatement struct {
	Pos   lexer.Position
	Model *model      `parser:"'PROMOTE' @@"`
	Alias lexer.Token `parser:"'TO' @(Ident | Quoted)"`
	If    *promoteIf  `parser:"('IF' @@)?"`
}

type promoteIf struct {
	Pos    lexer.Position
	Metric []lexer.Token `parser:"@(String | Ident Version? ('.' Ident)*) '>'"`
	Than   lexer.Token   `parser:"@(Ident | Quoted)"`
	By     lexer.Token   `parser:"('BY' @(Number | Param))?"`
	On     []*input      `parser:"'ON' @@ (',' @@)*"`
}

type explainPredictionStatement struct {
	Pos    lexer.Position
	Model  *model         `parser:"'EXPLAIN' 'PREDICTION' 'OF' @@ 'FOR'"`
	Text   *expression    `parser:"( (?= 'TEXT' (Ident | Quoted | String | Number | Param | '(' | 'CASE' | 'EXISTS' | 'NULL' | 'TRUE' | 'FALSE')) 'TEXT' @@"`
	Source *explainSource `parser:"| @@ )"`
	At     []lexer.Token  `parser:"('AT' @((Number | Param) (',' (Number | Param))?))?"`
}

// explainSource is relation(arg, …), or a corpus with a condition.
type explainSource struct {
	Table *namedTable `parser:"@@"`
	Where *expression `parser:"('WHERE' @@)?"`
}
