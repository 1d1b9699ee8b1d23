package parse

import "github.com/alecthomas/participle/v2/lexer"

// expression is a flat chain of operands and operators; converter.expr gives it
// its tree by the binding strengths of package ast.
type expression struct {
	Pos  lexer.Position
	Run  *run         `parser:"( @@"`
	Head *operand     `parser:"| @@ )"`
	Rest []*operation `parser:"@@*"`
}

// run is a chain of names and constants with operators between them, most of what expressions hold. What follows
// belongs to the last one.
type run struct {
	Tokens   []lexer.Token `parser:"@((Name ('.' (Name | 'LEFT'))* | Number | String | Param | Constant | Left) (Operator (Name ('.' (Name | 'LEFT'))* | Number | String | Param | Constant | Left))*)"`
	Call     *call         `parser:"( '(':Call @@"`
	Star     bool          `parser:"| '.':StarDot @'*' )?"`
	Suffixes []*suffix     `parser:"((?= Suffix) @@)*"`
}

type operand struct {
	Pos      lexer.Position
	Prefix   []lexer.Token `parser:"@((Sign | 'NOT')+)?"`
	Primary  *primary      `parser:"@@"`
	Suffixes []*suffix     `parser:"((?= Suffix) @@)*"`
}

// suffix is what may follow an operand: a cast, a collation, a subscript or the field of a row.
type suffix struct {
	Pos     lexer.Position
	Cast    *typeName     `parser:"  '::' @@"`
	Index   *subscript    `parser:"| '[' @@ ']'"`
	Field   lexer.Token   `parser:"| '.' @Name"`
	Collate []lexer.Token `parser:"| 'COLLATE' @(Name ('.' Name)?)"`
}

// subscript is a place in an array, or a slice of it, whose ends may be left out.
type subscript struct {
	From  *expression `parser:"((?! ']') @@)?"`
	Slice bool        `parser:"( @':'"`
	To    *expression `parser:"  @@? )?"`
}

type operation struct {
	Op         lexer.Token `parser:"  @(Operator | Sign)"`
	Run        *run        `parser:"  ( @@"`
	Y          *operand    `parser:"  | @@"`
	Quantified *quantified `parser:"  | @@ )"`
	In         *inList     `parser:"| 'IN' @@"`
	Is         *isTest     `parser:"| 'IS' @@"`
	Negated    *negated    `parser:"| 'NOT' @@"`
}

// quantified is ANY (…) or ALL (…) on the right of a comparison.
type quantified struct {
	Quantifier lexer.Token      `parser:"@Quantifier"`
	Select     *selectStatement `parser:"'(' ( (?= SelectParen | 'SELECT' | 'WITH' | 'VALUES' ('(' | Rows) | 'TABLE' Name) @@"`
	Array      *expression      `parser:"    | @@ ) ')'"`
}

type negated struct {
	Op lexer.Token `parser:"  @('LIKE' | 'ILIKE' | 'BETWEEN')"`
	Y  *operand    `parser:"  @@"`
	In *inList     `parser:"| 'IN' @@"`
}

type inList struct {
	Select *selectStatement `parser:"'(' ( (?= SelectParen | 'SELECT' | 'WITH' | 'VALUES' ('(' | Rows) | 'TABLE' Name) @@"`
	Items  []*listItem      `parser:"    | @@ (',' @@)* ) ')'"`
}

// listItem is a run of literals with commas between them, or one expression.
type listItem struct {
	Literals lexer.Token `parser:"  @Literals"`
	Value    *expression `parser:"| @@"`
}

type isTest struct {
	Not      bool        `parser:"@'NOT'?"`
	Value    lexer.Token `parser:"( @('NULL' | 'TRUE' | 'FALSE' | 'UNKNOWN')"`
	Form     lexer.Token `parser:"| @Form"`
	Distinct *operand    `parser:"| 'DISTINCT' 'FROM' @@ )"`
}

type primary struct {
	Pos     lexer.Position
	Paren   *parenthesis `parser:"  '(' @@"`
	Named   *named       `parser:"| @@"`
	Literal lexer.Token  `parser:"| @(Number | String | Param | Constant)"`
	Case    *caseBranch  `parser:"| 'CASE' @@"`
	Cast    *castCall    `parser:"| Cast '(' @@"`
	Typed   *typedText   `parser:"| @@"`
	Exists  *subselect   `parser:"| 'EXISTS' @@"`
	Array   *array       `parser:"| Array @@"`
}

// array is ARRAY[…] or ARRAY(select).
type array struct {
	Select *selectStatement `parser:"( '(' @@ ')'"`
	Items  []*member        `parser:"| '[' (@@ (',' @@)*)? ']' )"`
}

// member is a member of ARRAY[…]; one in brackets is itself an array.
type member struct {
	Pos   lexer.Position
	Array *memberList `parser:"  '[' @@ ']'"`
	Value *expression `parser:"| @@"`
}

type memberList struct {
	Items []*member `parser:"(@@ (',' @@)*)?"`
}

type castCall struct {
	X    *expression `parser:"@@"`
	Type *typeName   `parser:"'AS' @@ ')'"`
}

// typedText is a text as a value of a type: DATE '2026-11-21'.
type typedText struct {
	Type lexer.Token `parser:"@Typed"`
	Text lexer.Token `parser:"@String"`
}

type typeName struct {
	Pos   lexer.Position
	Name  []lexer.Token `parser:"@('DOUBLE' 'PRECISION' | 'CHARACTER' 'VARYING' | Name ('.' Name)?)"`
	Size  lexer.Token   `parser:"('(' @Number"`
	Scale lexer.Token   `parser:"(',' @Number)? ')')?"`
	Zone  bool          `parser:"((?= ('WITH' | 'WITHOUT') 'TIME') (@'WITH' | 'WITHOUT') 'TIME' 'ZONE')?"`
	Array bool          `parser:"(@'[' Number? ']')*"`
}

// named is a column, all columns of a table, or a call. LEFT, though reserved, is
// a name where no JOIN follows.
type named struct {
	Name []lexer.Token `parser:"( @(Name ('.' (Name | 'LEFT'))*) | @(Left) )"`
	Call *call         `parser:"( '(' @@"`
	Star bool          `parser:"| '.' @'*' )?"`
}

type call struct {
	Star     bool        `parser:"( @'*'"`
	Side     lexer.Token `parser:"| (?= ('BOTH' | 'LEADING' | 'TRAILING') (String | Param | Name | 'FROM')) @('BOTH' | 'LEADING' | 'TRAILING')"`
	Chars    *expression `parser:"  @@? 'FROM'"`
	Trimmed  *expression `parser:"  @@"`
	Distinct bool        `parser:"| @'DISTINCT'?"`
	Args     []*argument `parser:"  @@ (',' @@)*"`
	From     *expression `parser:"  ('FROM' @@)?"`
	For      *expression `parser:"  ('FOR' @@)?"`
	OrderBy  []*order    `parser:"  ('ORDER' 'BY' @@ (',' @@)*)? )? ')'"`
	Within   []*order    `parser:"((?= 'WITHIN' 'GROUP' '(') 'WITHIN' 'GROUP' '(' 'ORDER' 'BY' @@ (',' @@)* ')')?"`
	Filter   *expression `parser:"((?= 'FILTER' '(') 'FILTER' '(' 'WHERE' @@ ')')?"`
	Over     *window     `parser:"((?= 'OVER' ('(' | Name)) 'OVER' ('(' @@ ')'"`
	Named    lexer.Token `parser:"  | @Name))?"`
}

type window struct {
	Pos       lexer.Position
	Base      lexer.Token   `parser:"((?! 'PARTITION' | 'ROWS' | 'RANGE') @Name)?"`
	Partition []*expression `parser:"((?= 'PARTITION' 'BY') 'PARTITION' 'BY' @@ (',' @@)*)?"`
	OrderBy   []*order      `parser:"('ORDER' 'BY' @@ (',' @@)*)?"`
	Unit      lexer.Token   `parser:"( @('ROWS' | 'RANGE')"`
	From      *bound        `parser:"  'BETWEEN'? @@"`
	To        *bound        `parser:"  ('AND' @@)? )?"`
}

type bound struct {
	Pos     lexer.Position
	Current bool        `parser:"( (?= 'CURRENT' 'ROW') @'CURRENT' 'ROW'"`
	Open    lexer.Token `parser:"| (?= 'UNBOUNDED' ('PRECEDING' | 'FOLLOWING')) 'UNBOUNDED' @('PRECEDING' | 'FOLLOWING')"`
	N       *operand    `parser:"| @@"`
	Side    lexer.Token `parser:"  @('PRECEDING' | 'FOLLOWING') )"`
}

type argument struct {
	Pos   lexer.Position
	Name  lexer.Token `parser:"((?= (Name | Keyword | Constant | Left) '=>') @(Name | Keyword | Constant | Left) '=>')?"`
	Value *expression `parser:"@@"`
}

// parenthesis is a subselect, an expression in parentheses or a tuple.
type parenthesis struct {
	Select *selectStatement `parser:"( (?= SelectParen | 'SELECT' | 'WITH' | 'VALUES' ('(' | Rows) | 'TABLE' Name) @@"`
	Items  []*expression    `parser:"    | @@ (',' @@)* ) ')'"`
}

type subselect struct {
	Select *selectStatement `parser:"'(' @@ ')'"`
}

type caseBranch struct {
	Operand *expression `parser:"((?! 'WHEN' | 'END') @@)?"`
	Whens   []*when     `parser:"@@+"`
	Else    *expression `parser:"('ELSE' @@)? 'END'"`
}

type when struct {
	Pos  lexer.Position
	When *expression `parser:"'WHEN' @@"`
	Then *expression `parser:"'THEN' @@"`
}
