package ast

// Binding strengths of operators, weakest first.
const (
	PrecedenceOr         = 1 + iota // OR
	PrecedenceAnd                   // AND
	PrecedenceNot                   // NOT x
	PrecedenceComparison            // = <> < <= > >= LIKE ~ IN BETWEEN IS
	PrecedenceConcat                // || -> ->> & | # << >>
	PrecedenceSum                   // + -
	PrecedenceProduct               // * / %
	PrecedencePower                 // ^
	PrecedenceZone                  // AT TIME ZONE
	PrecedenceSign                  // -x
	precedencePrimary
)

// binaryPrecedence gives the binding strength of each binary operator.
var binaryPrecedence = map[string]int{
	"OR": PrecedenceOr, "AND": PrecedenceAnd,
	"=": PrecedenceComparison, "<>": PrecedenceComparison, "<": PrecedenceComparison,
	"<=": PrecedenceComparison, ">": PrecedenceComparison, ">=": PrecedenceComparison,
	"LIKE": PrecedenceComparison, "NOT LIKE": PrecedenceComparison,
	"ILIKE": PrecedenceComparison, "NOT ILIKE": PrecedenceComparison,
	"~": PrecedenceComparison, "~*": PrecedenceComparison,
	"!~": PrecedenceComparison, "!~*": PrecedenceComparison,
	"IS DISTINCT FROM": PrecedenceComparison, "IS NOT DISTINCT FROM": PrecedenceComparison,
	"||": PrecedenceConcat, "->": PrecedenceConcat, "->>": PrecedenceConcat,
	"&": PrecedenceConcat, "|": PrecedenceConcat, "#": PrecedenceConcat, "<<": PrecedenceConcat, ">>": PrecedenceConcat,
	"#>": PrecedenceConcat, "#>>": PrecedenceConcat, "@>": PrecedenceConcat, "?": PrecedenceConcat,
	"?|": PrecedenceConcat, "?&": PrecedenceConcat, "^@": PrecedenceConcat, "<@": PrecedenceConcat,
	"&&": PrecedenceConcat,
	"^":  PrecedencePower, "AT TIME ZONE": PrecedenceZone,
	"+": PrecedenceSum, "-": PrecedenceSum,
	"*": PrecedenceProduct, "/": PrecedenceProduct, "%": PrecedenceProduct,
}

// BinaryPrecedence returns the binding strength of the binary operator op, in
// upper case, or 0 if there is no such operator.
func BinaryPrecedence(op string) int { return binaryPrecedence[op] }

// Literal is a constant. Value is a string, an int64, a finite float64, a
// bool, or nil for NULL.
type Literal struct {
	Pos
	Value any
}

// Param is a parameter, $1 or ?.
type Param struct {
	Pos
	Index int // 1-based; a ? counts by its place among the ?
}

// Column is a column of a table in scope, with at most two qualifiers.
type Column struct {
	Pos
	Parts []string // 1 to 3 names, the column last
	Place int      // 1-based among the columns that * stands for, which may have one name; 0 elsewhere
}

// Star is all columns, of one table if it is qualified. It stands only in a
// select list.
type Star struct {
	Pos
	Qualifier []string // 0 to 2 names
}

// Unary is an operator before its operand.
type Unary struct {
	Pos
	Op string // "-" or "NOT"
	X  Expr
}

// Binary is an operator between two operands. Op is upper case; != appears as
// <>, and NOT LIKE, NOT ILIKE and IS [NOT] DISTINCT FROM are operators.
type Binary struct {
	Pos  // of the left operand
	Op   string
	X, Y Expr
}

// Between is x [NOT] BETWEEN low AND high.
type Between struct {
	Pos
	X, Low, High Expr
	Not          bool
}

// In is x [NOT] IN (…), with either a list or a subselect.
type In struct {
	Pos
	X      Expr
	List   []Expr
	Select *Select // nil if there is a list
	Not    bool
}

// IsNull is x IS [NOT] NULL.
type IsNull struct {
	Pos
	X   Expr
	Not bool
}

// IsBool is x IS [NOT] TRUE or x IS [NOT] FALSE.
type IsBool struct {
	Pos
	X     Expr
	Value bool
	Not   bool
}

// Quantified is x op ANY (…) or x op ALL (…), over an array or a select.
type Quantified struct {
	Pos
	Op     string // a comparison
	X      Expr
	All    bool
	Array  Expr    // nil if there is a select
	Select *Select // nil if there is an array
}

// Array is ARRAY[…] or ARRAY(select).
type Array struct {
	Pos
	Items  []Expr
	Select *Select // nil if there are items, or none
}

// Subscript is x[index].
type Subscript struct {
	Pos
	X, Index Expr
	Slice    bool // x[from:to], of which Index and To may be nil
	To       Expr
}

// Field is (x).name: a field of a row.
type Field struct {
	Pos
	X    Expr
	Name string
}

// Collate is x COLLATE name.
type Collate struct {
	Pos
	X      Expr
	Schema string // name before the dot, or empty
	Name   string
}

// Case is CASE [operand] WHEN … THEN … [ELSE …] END.
type Case struct {
	Pos
	Operand Expr // nil if each WHEN is a condition
	Whens   []When
	Else    Expr // nil for NULL
}

// When is one branch of a Case.
type When struct {
	Pos
	When, Then Expr
}

// Cast is CAST(x AS type) or x::type.
type Cast struct {
	Pos
	X    Expr
	Type Type
}

// Type is the name of a column type as written: text, double precision,
// vector(50).
type Type struct {
	Pos
	Schema string // text before a dot, or empty
	Name   string // lower case
	Size   int64  // the number in parentheses, 0 if none
	Scale  int64  // the number after it, 0 if none
	Array  bool   // [] follows
}

// Call is a function or aggregate applied to arguments.
type Call struct {
	Pos
	Schema   string // name before the dot, or empty
	Name     string // as written
	Distinct bool   // count(DISTINCT x)
	Star     bool   // count(*)
	Args     []Argument
	OrderBy  []Order // string_agg(x, ',' ORDER BY y)
	Within   bool    // OrderBy stands in WITHIN GROUP (…)
	Filter   Expr    // of FILTER (WHERE …), nil if none
	Over     *Window // nil if it is no window function
}

// Window is OVER (…): the rows of the result that a window function sees.
type Window struct {
	Pos
	PartitionBy []Expr
	OrderBy     []Order
	Frame       *Frame // nil for the default
}

// Frame is ROWS or RANGE BETWEEN from AND to.
type Frame struct {
	Pos
	Unit     string // "ROWS" or "RANGE"
	From, To Bound
}

// Bound is one end of a frame.
type Bound struct {
	Pos
	Kind string // "PRECEDING", "CURRENT ROW" or "FOLLOWING"
	N    Expr   // rows, or a distance of keys, before or after; nil for UNBOUNDED and CURRENT ROW
}

// Argument is one argument of a function or relation.
type Argument struct {
	Pos
	Name  string // of name => value, else empty
	Value Expr
}

// Tuple is two or more expressions in parentheses; in GROUP BY also none.
type Tuple struct {
	Pos
	Items []Expr
}

// Exists is EXISTS (select).
type Exists struct {
	Pos
	Select *Select
}

// Subselect is a select in parentheses that yields one value.
type Subselect struct {
	Pos
	Select *Select
}
