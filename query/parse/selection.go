package parse

import "github.com/alecthomas/participle/v2/lexer"

// RECURSIVE is a word of its own where a name follows it.
type selectStatement struct {
	Pos       lexer.Position
	Recursive bool         `parser:"('WITH' ((?= 'RECURSIVE' Name) @'RECURSIVE')?"`
	With      []*cte       `parser:" @@ (',' @@)*)?"`
	Core      *selectCore  `parser:"@@"`
	Unions    []*unionSide `parser:"@@*"`
	OrderBy   []*order     `parser:"('ORDER' 'BY' @@ (',' @@)*)?"`
	Bounds    []*rowBound  `parser:"@@*"`
}

// rowBound is LIMIT, OFFSET or FETCH, which stand in any order. FETCH without a number is one row.
type rowBound struct {
	Pos    lexer.Position
	Limit  *expression   `parser:"( 'LIMIT' @@"`
	Per    []*expression `parser:"  ('PER' @@ (',' @@)*)?"`
	Offset *expression   `parser:"| 'OFFSET' @@ ((?= 'ROW' | 'ROWS') ('ROW' | 'ROWS'))?"`
	Fetch  bool          `parser:"| @'FETCH' ('FIRST' | 'NEXT')"`
	Rows   lexer.Token   `parser:"  @(Number | Param)? ('ROW' | 'ROWS')"`
	Ties   bool          `parser:"  ( 'ONLY' | 'WITH' @'TIES' ) )"`
}

type cte struct {
	Pos     lexer.Position
	Name    lexer.Token      `parser:"@Name"`
	Columns []lexer.Token    `parser:"('(' @(Name (',' Name)*) ')')?"`
	Select  *selectStatement `parser:"'AS' ('NOT'? 'MATERIALIZED')? '(' @@ ')'"`
}

type selectCore struct {
	Pos      lexer.Position
	Nested   *selectStatement `parser:"( '(' @@ ')'"`
	Table    *namedTable      `parser:"| 'TABLE' @@"`
	Values   []*row           `parser:"| 'VALUES' @@ (',' @@)*"`
	Distinct bool             `parser:"| 'SELECT' ( @'DISTINCT'"`
	On       []*expression    `parser:"    ('ON' '(' @@ (',' @@)* ')')? )?"`
	Items    []*item          `parser:"@@ (',' @@)*"`
	From     []*joined        `parser:"('FROM' @@ (',' @@)*)?"`
	Where    *expression      `parser:"('WHERE' @@)?"`
	GroupBy  []*grouping      `parser:"('GROUP' 'BY' @@ (',' @@)*)?"`
	Having   *expression      `parser:"('HAVING' @@)?"`
	Windows  []*windowDef     `parser:"((?= 'WINDOW' Name 'AS' '(') 'WINDOW' @@ (',' @@)*)? )"`
}

// grouping is an entry of GROUP BY: an expression or () for no key.
type grouping struct {
	Pos   lexer.Position
	Empty bool        `parser:"  (?= '(' ')') @'(' ')'"`
	Expr  *expression `parser:"| @@"`
}

// windowDef is a window of the WINDOW clause.
type windowDef struct {
	Name   lexer.Token `parser:"@Name 'AS'"`
	Window *window     `parser:"'(' @@ ')'"`
}

type unionSide struct {
	Pos  lexer.Position
	Op   lexer.Token `parser:"@('UNION' | 'INTERSECT' | 'EXCEPT')"`
	All  bool        `parser:"( @'ALL' | 'DISTINCT' )?"`
	Core *selectCore `parser:"@@"`
}

type item struct {
	Pos   lexer.Position
	Star  bool        `parser:"  @'*'"`
	Expr  *expression `parser:"| @@"`
	Alias lexer.Token `parser:"  ('AS' @(Name | Keyword | Constant | Left) | (?= Name) (?! 'EXCEPT' | 'INTERSECT' | 'RETURNING' | 'FETCH' ('FIRST' | 'NEXT')) @Name)?"`
}

type order struct {
	Pos   lexer.Position
	Expr  *expression `parser:"@@"`
	Desc  bool        `parser:"('ASC' | @'DESC')?"`
	Nulls lexer.Token `parser:"('NULLS' @('FIRST' | 'LAST'))?"`
}

// joined is a table and what is joined to it, from left to right.
type joined struct {
	Head  *side   `parser:"@@"`
	Joins []*join `parser:"@@*"`
}

// side is a table, or joins in parentheses.
type side struct {
	Pos   lexer.Position
	Inner *joined `parser:"  (?= '(' (?! SelectParen | 'SELECT' | 'WITH' | 'VALUES' ('(' | Rows) | 'TABLE' Name | 'EVALUATE' Name | 'SUMMARIZE' (Name | String))) '(' @@ ')'"`
	Table *table  `parser:"| @@"`
}

// join leaves ON CONFLICT to the INSERT around it.
type join struct {
	Natural bool          `parser:"@'NATURAL'?"`
	Kind    lexer.Token   `parser:"( 'JOIN' | @('LEFT' | 'RIGHT' | 'FULL') 'OUTER'? 'JOIN' | @('INNER' | 'CROSS') 'JOIN' )"`
	Table   *side         `parser:"@@"`
	On      *expression   `parser:"( (?! 'ON' 'CONFLICT' ('REPLACE' | 'SKIP' | 'DO' | '(' Name (',' Name)* ')' 'DO')) 'ON' @@"`
	Using   []lexer.Token `parser:"| 'USING' '(' @(Name (',' Name)*) ')' )?"`
}

// table takes no bare alias that would hide a kind of join or of set operation
// that does not exist. The alias may stand behind the options, too.
type table struct {
	Pos     lexer.Position
	Ref     *tableReference `parser:"@@"`
	Alias   lexer.Token     `parser:"( 'AS' @Name | (?= Name) (?! 'RIGHT' | 'FULL' | 'OUTER' | 'NATURAL' | 'EXCEPT' | 'INTERSECT' | 'RETURNING' | 'FETCH' ('FIRST' | 'NEXT') | 'WINDOW' Name 'AS' '(') @Name )?"`
	Columns []lexer.Token   `parser:"('(' @(Name (',' Name)*) ')')?"`
	Using   []*model        `parser:"('USING' @@ (',' @@)*)?"`
	With    []*option       `parser:"('WITH' '(' @@ (',' @@)* ')'"`
	Behind  lexer.Token     `parser:"  ( 'AS' @Name | (?= Name) (?! 'RIGHT' | 'FULL' | 'OUTER' | 'NATURAL' | 'EXCEPT' | 'INTERSECT' | 'RETURNING' | 'FETCH' ('FIRST' | 'NEXT') | 'WINDOW' Name 'AS' '(') @Name )? )?"`
}

type tableReference struct {
	Pos     lexer.Position
	Lateral *nested     `parser:"  (?= 'LATERAL' '(' (SelectParen | 'SELECT' | 'WITH' | 'VALUES')) @@"`
	File    lexer.Token `parser:"| @String"`
	Name    *namedTable `parser:"| @@"`
	Sub     *nested     `parser:"| @@"`
}

type nested struct {
	Lateral  bool                `parser:"((?= 'LATERAL' '(') @'LATERAL')?"`
	Select   *selectStatement    `parser:"'(' ( (?= SelectParen | 'SELECT' | 'WITH' | 'VALUES' ('(' | Rows) | 'TABLE' Name) @@"`
	Summary  *summarizeStatement `parser:"    | (?= 'SUMMARIZE') @@"`
	Evaluate *evaluateStatement  `parser:"    | @@ ) ')'"`
}

// A function sees the tables before it with LATERAL and without.
type namedTable struct {
	Pos        lexer.Position
	Lateral    bool            `parser:"((?= 'LATERAL' Name (Version | '.' | '(')) @'LATERAL')?"`
	Name       lexer.Token     `parser:"@Name"`
	Version    lexer.Token     `parser:"@Version?"`
	Path       lexer.Token     `parser:"('.' @Name)?"`
	Third      lexer.Token     `parser:"('.' @Name)?"`
	Args       *tableArguments `parser:"@@?"`
	Ordinality bool            `parser:"((?= 'WITH' 'ORDINALITY') 'WITH' @'ORDINALITY')?"`
}

// tableArguments opens ad-hoc text where TEXT comes first and an operand
// follows; elsewhere text is a column. Arguments of a function may follow the text.
type tableArguments struct {
	Text *expression      `parser:"'(' ( (?= 'TEXT' (Name | Cast | Array | String | Number | Param | '(' | 'CASE' | 'EXISTS' | 'NULL' | 'TRUE' | 'FALSE')) 'TEXT' @@"`
	More []*argument      `parser:"      (',' @@)*"`
	Rows *selectStatement `parser:"    | (?= 'SELECT' | 'WITH') @@"`
	Args []*argument      `parser:"    | @@ (',' @@)* )?"`
	End  lexer.Token      `parser:"@')'"`
}

// summarizeStatement describes the columns of a table.
type summarizeStatement struct {
	Pos   lexer.Position
	Table *table `parser:"'SUMMARIZE' @@"`
}

type model struct {
	Pos     lexer.Position
	Name    lexer.Token `parser:"@Name"`
	Version lexer.Token `parser:"@Version?"`
}

type input struct {
	Pos     lexer.Position
	Name    lexer.Token `parser:"@Name"`
	Version lexer.Token `parser:"@Version?"`
	Path    lexer.Token `parser:"('.' @Name)?"`
	Role    lexer.Token `parser:"('AS' @Name)?"`
	Where   *expression `parser:"('WHERE' @@)?"`
}

type target struct {
	Pos   lexer.Position
	Name  lexer.Token `parser:"@Name"`
	Layer lexer.Token `parser:"('.' @Name)?"`
	Third lexer.Token `parser:"('.' @Name)?"`
}

type option struct {
	Pos   lexer.Position
	Name  lexer.Token  `parser:"@(Name | Keyword | Constant | Left) '='"`
	Value *optionValue `parser:"@@"`
}

type optionValue struct {
	Pos      lexer.Position
	Literal  lexer.Token    `parser:"  @(String | Number | Param | 'NULL' | 'TRUE' | 'FALSE')"`
	Negative lexer.Token    `parser:"| '-' @Number"`
	Name     lexer.Token    `parser:"| @(Name | Keyword | Constant | Left)"`
	Version  lexer.Token    `parser:"  @Version?"`
	Args     []*optionValue `parser:"  ( '(' @@ (',' @@)* ')'"`
	Relation lexer.Token    `parser:"  | '.' @Name )?"`
	Tuple    []*optionValue `parser:"| '(' @@ (',' @@)* ')'"`
}
