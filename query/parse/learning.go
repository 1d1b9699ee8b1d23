package parse

import (
	"github.com/alecthomas/participle/v2/lexer"

	"parlance/query/ast"
)

type annotateStatement struct {
	Pos    lexer.Position
	Files  *annotatedFiles `parser:"'ANNOTATE' ( @@"`
	Corpus lexer.Token     `parser:"| @Name"`
	Using  []*model        `parser:"  'USING' @@ (',' @@)*"`
	With   []*option       `parser:"  ('WITH' '(' @@ (',' @@)* ')')?"`
	Where  *expression     `parser:"  ('WHERE' @@)? )"`
}

// annotatedFiles are files whose documents are annotated. STDIN without FORMAT is the name of a corpus.
type annotatedFiles struct {
	Paths   []lexer.Token `parser:"( (?= 'STDIN' 'FORMAT') 'STDIN' | @((String | Param) (',' (String | Param))*) )"`
	Format  lexer.Token   `parser:"('FORMAT' @(Name | String))?"`
	With    []*option     `parser:"('WITH' '(' @@ (',' @@)* ')')?"`
	Using   []*model      `parser:"('USING' @@ (',' @@)*)?"`
	To      *sink         `parser:"'TO' @@"`
	As      lexer.Token   `parser:"'FORMAT' @(Name | String)"`
	Options []*option     `parser:"('WITH' '(' @@ (',' @@)* ')')?"`
}

type trainStatement struct {
	Pos      lexer.Position
	Kind     lexer.Token `parser:"'TRAIN' @Name"`
	As       lexer.Token `parser:"('AS' @Name)?"`
	On       []*input    `parser:"'ON' @@ (',' @@)*"`
	Validate []*input    `parser:"('VALIDATE' 'ON' @@ (',' @@)*)?"`
	Using    []*model    `parser:"('USING' @@ (',' @@)*)?"`
	With     []*option   `parser:"('WITH' '(' @@ (',' @@)* ')')?"`
	Async    bool        `parser:"@'ASYNC'?"`
}

type tuneStatement struct {
	Pos      lexer.Position
	Kind     lexer.Token   `parser:"'TUNE' @Name"`
	As       lexer.Token   `parser:"('AS' @Name)?"`
	On       []*input      `parser:"'ON' @@ (',' @@)*"`
	Validate []*input      `parser:"( 'VALIDATE' 'ON' @@ (',' @@)*"`
	Folds    lexer.Token   `parser:"| 'FOLDS' @(Number | Param) )?"`
	Using    []*model      `parser:"('USING' @@ (',' @@)*)?"`
	Over     []*option     `parser:"'OVER' '(' @@ (',' @@)* ')'"`
	Sample   lexer.Token   `parser:"('SAMPLE' @(Number | Param))?"`
	Metric   []lexer.Token `parser:"'METRIC' @(String | Name Version? ('.' Name)*)"`
	With     []*option     `parser:"('WITH' '(' @@ (',' @@)* ')')?"`
	Async    bool          `parser:"@'ASYNC'?"`
}

type evaluateStatement struct {
	Pos     lexer.Position
	Layers  []*storedLayer `parser:"'EVALUATE' ( (?= 'LAYER' Name) 'LAYER' @@ (',' @@)*"`
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
	Corpus lexer.Token `parser:"@Name"`
	Layer  lexer.Token `parser:"'.' @Name"`
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
	Alias lexer.Token `parser:"'TO' @Name"`
	If    *promoteIf  `parser:"('IF' @@)?"`
}

type promoteIf struct {
	Pos    lexer.Position
	Metric []lexer.Token `parser:"@(String | Name Version? ('.' Name)*) '>'"`
	Than   lexer.Token   `parser:"@Name"`
	By     lexer.Token   `parser:"('BY' @(Number | Param))?"`
	On     []*input      `parser:"'ON' @@ (',' @@)*"`
}

type explainPredictionStatement struct {
	Pos    lexer.Position
	Model  *model         `parser:"'EXPLAIN' 'PREDICTION' 'OF' @@ 'FOR'"`
	Text   *expression    `parser:"( (?= 'TEXT' (Name | String | Number | Param | '(' | 'CASE' | 'EXISTS' | 'NULL' | 'TRUE' | 'FALSE')) 'TEXT' @@"`
	Source *explainSource `parser:"| @@ )"`
	At     []lexer.Token  `parser:"('AT' @((Number | Param) (',' (Number | Param))?))?"`
}

// explainSource is relation(arg, …), or a corpus with a condition.
type explainSource struct {
	Table *namedTable `parser:"@@"`
	Where *expression `parser:"('WHERE' @@)?"`
}

type replayStatement struct {
	Pos   lexer.Position
	Model *model `parser:"'REPLAY' @@"`
}

type diffStatement struct {
	Pos  lexer.Position
	A    *model    `parser:"'DIFF' 'MODEL' @@ ','"`
	B    *model    `parser:"@@"`
	On   []*input  `parser:"('ON' @@ (',' @@)*)?"`
	With []*option `parser:"('WITH' '(' @@ (',' @@)* ')')?"`
}

func (s *replayStatement) statement(c *converter) ast.Statement {
	return &ast.Replay{Pos: c.position(s.Pos), Model: c.model(s.Model)}
}

func (s *diffStatement) statement(c *converter) ast.Statement {
	return &ast.DiffModels{Pos: c.position(s.Pos), A: c.model(s.A), B: c.model(s.B), On: c.inputs(s.On),
		With: c.options(s.With)}
}
