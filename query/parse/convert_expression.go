package parse

import (
	"strconv"
	"strings"

	"github.com/alecthomas/participle/v2/lexer"

	"parlance/query/ast"
	"parlance/query/lex"
)

// expr returns the tree of a chain; nil for nil.
func (c *converter) expr(e *expression) ast.Expr {
	if e == nil {
		return nil
	}
	head, rest := e.flat()
	levels := 1 + len(rest) + len(head.Prefix)
	for _, op := range rest {
		if y := op.right(); y != nil {
			levels += len(y.Prefix)
		}
	}
	defer c.leave(levels)
	if !c.enter(e.Pos, levels) {
		return nil
	}
	if len(rest) == 0 && len(head.Prefix) == 0 {
		return c.operand(head, false)
	}
	chain := &chain{c: c, rest: rest}
	return chain.climb(head, ast.PrecedenceOr)
}

func (c *converter) exprs(list []*expression) []ast.Expr { return all(list, c.expr) }

// right returns the operand after an operator, nil if it has none.
func (op *operation) right() *operand {
	switch {
	case op.Negated != nil:
		return op.Negated.Y
	case op.Is != nil:
		return op.Is.Distinct
	}
	return op.Y
}

// strength returns how strongly an operator binds.
func (op *operation) strength() int {
	switch {
	case op.Op.Type == 0, op.Op.Value == "BETWEEN", op.Op.Value == escape:
		return ast.PrecedenceComparison
	}
	return ast.BinaryPrecedence(canonical(op.Op.Value))
}

// escape ends the pattern of LIKE.
const escape = "ESCAPE"

// canonical returns the operator as the tree holds it.
func canonical(op string) string {
	switch op {
	case "!=":
		return "<>"
	case "~~":
		return "LIKE"
	case "!~~":
		return "NOT LIKE"
	case "~~*":
		return "ILIKE"
	case "!~~*":
		return "NOT ILIKE"
	}
	return op
}

// chain builds a tree from a flat chain by precedence climbing.
type chain struct {
	c    *converter
	rest []*operation // not yet used
}

// climb returns the tree of an operand and of the operators after it that bind
// at least as strongly as least.
func (k *chain) climb(first *operand, least int) ast.Expr {
	x := k.prefixed(first, first.Prefix)
	for len(k.rest) > 0 && k.rest[0].strength() >= least {
		op := k.rest[0]
		k.rest = k.rest[1:]
		x = k.apply(x, op)
	}
	return x
}

// prefixed returns the operand under its prefix operators.
func (k *chain) prefixed(o *operand, prefix []lexer.Token) ast.Expr {
	if len(prefix) == 0 {
		return k.c.operand(o, false)
	}
	op := prefix[0]
	switch {
	case op.Value == "NOT":
		rest := *o
		rest.Prefix = prefix[1:]
		return &ast.Unary{Pos: k.c.position(op.Pos), Op: "NOT", X: k.climb(&rest, ast.PrecedenceNot)}
	case op.Value == "+":
		return k.prefixed(o, prefix[1:])
	case prefixFunctions[op.Value] != "":
		rest := *o
		rest.Prefix = prefix[1:]
		x := called(prefixFunctions[op.Value], k.climb(&rest, ast.PrecedenceConcat+1))
		x.Pos = k.c.position(op.Pos)
		return x
	case len(prefix) == 1 && len(o.Suffixes) == 0 && o.Primary.Literal.Type == lex.Number:
		literal := k.c.literal(o.Primary.Literal, true)
		literal.Pos = k.c.position(op.Pos)
		return literal
	}
	return &ast.Unary{Pos: k.c.position(op.Pos), Op: "-", X: k.prefixed(o, prefix[1:])}
}

// prefixFunctions are the functions that signs before an operand stand for.
var prefixFunctions = map[string]string{"~": "int8not", "@": "abs", "|/": "sqrt", "||/": "cbrt"}

// apply returns x with an operator applied to it.
func (k *chain) apply(x ast.Expr, op *operation) ast.Expr {
	pos := startOf(x)
	switch {
	case op.In != nil:
		return k.c.in(pos, x, op.In, false)
	case op.Is != nil:
		return k.is(pos, x, op.Is)
	case op.Negated != nil && op.Negated.In != nil:
		return k.c.in(pos, x, op.Negated.In, true)
	case op.Negated != nil && op.Negated.Op.Value == "BETWEEN":
		return k.between(pos, x, op.Negated.Op, op.Negated.Y, true)
	case op.Negated != nil:
		y := k.climb(op.Negated.Y, ast.PrecedenceComparison+1)
		return &ast.Binary{Pos: pos, Op: "NOT " + op.Negated.Op.Value, X: x, Y: y}
	case op.Op.Value == "BETWEEN":
		return k.between(pos, x, op.Op, op.Y, false)
	}
	if op.Quantified != nil {
		return k.quantified(pos, x, op)
	}
	if op.Op.Value == escape {
		return k.escaped(x, op)
	}
	y := k.climb(op.Y, op.strength()+1)
	return &ast.Binary{Pos: pos, Op: canonical(op.Op.Value), X: x, Y: y}
}

// escaped returns x with ESCAPE, which belongs to the pattern of the LIKE before it.
func (k *chain) escaped(x ast.Expr, op *operation) ast.Expr {
	y := k.climb(op.Y, ast.PrecedenceComparison+1)
	if match, _ := x.(*ast.Binary); match != nil && strings.HasSuffix(match.Op, "LIKE") {
		return &ast.Binary{Pos: match.Pos, Op: match.Op, X: match.X, Y: called("like_escape", match.Y, y)}
	}
	k.c.fail(op.Op.Pos, ast.CodeSyntax, "ESCAPE follows no pattern", "write x LIKE pattern ESCAPE '!'")
	return nil
}

// called is a call of a function, at its first argument.
func called(name string, args ...ast.Expr) *ast.Call {
	out := &ast.Call{Pos: startOf(args[0]), Name: name}
	for _, x := range args {
		out.Args = append(out.Args, ast.Argument{Pos: startOf(x), Value: x})
	}
	return out
}

// between takes the AND that belongs to BETWEEN from the chain.
func (k *chain) between(pos ast.Pos, x ast.Expr, op lexer.Token, first *operand, not bool) ast.Expr {
	low := k.climb(first, ast.PrecedenceComparison+1)
	if len(k.rest) == 0 || k.rest[0].Op.Value != "AND" {
		k.c.fail(op.Pos, ast.CodeSyntax, "BETWEEN has no AND", "write x BETWEEN low AND high")
		return nil
	}
	second := k.rest[0].Y
	k.rest = k.rest[1:]
	high := k.climb(second, ast.PrecedenceComparison+1)
	return &ast.Between{Pos: pos, X: x, Low: low, High: high, Not: not}
}

func (k *chain) is(pos ast.Pos, x ast.Expr, is *isTest) ast.Expr {
	switch {
	case is.Distinct != nil:
		op := "IS DISTINCT FROM"
		if is.Not {
			op = "IS NOT DISTINCT FROM"
		}
		return &ast.Binary{Pos: pos, Op: op, X: x, Y: k.climb(is.Distinct, ast.PrecedenceComparison+1)}
	case is.Form.Type != 0:
		var test ast.Expr = called("is_normalized", x, &ast.Literal{Pos: k.c.position(is.Form.Pos), Value: is.Form.Value})
		if is.Not {
			test = &ast.Unary{Pos: pos, Op: "NOT", X: test}
		}
		return test
	case is.Value.Value == "NULL", is.Value.Value == "UNKNOWN":
		return &ast.IsNull{Pos: pos, X: x, Not: is.Not}
	}
	return &ast.IsBool{Pos: pos, X: x, Value: is.Value.Value == "TRUE", Not: is.Not}
}

func (c *converter) in(pos ast.Pos, x ast.Expr, in *inList, not bool) ast.Expr {
	return &ast.In{Pos: pos, X: x, List: c.list(in.Items), Select: c.query(in.Select), Not: not}
}

// startOf returns where x starts; nil occurs after a fault.
func startOf(x ast.Expr) ast.Pos {
	if x == nil {
		return ast.Pos{}
	}
	return x.Position()
}

// operand returns a primary under what follows it. A star stands only where one
// is allowed.
func (c *converter) operand(o *operand, star bool) ast.Expr {
	x := c.primary(o.Primary, star && len(o.Suffixes) == 0)
	if !c.enter(o.Pos, len(o.Suffixes)) {
		return nil
	}
	for _, s := range o.Suffixes {
		x = c.suffix(c.position(o.Primary.Pos), x, s)
	}
	c.leave(len(o.Suffixes))
	return x
}

func (c *converter) primary(p *primary, star bool) ast.Expr {
	pos := c.position(p.Pos)
	switch {
	case p.Literal.Type != 0:
		return c.constant(p.Literal)
	case p.Named != nil:
		return c.named(p.Pos, p.Named, star)
	case p.Paren != nil:
		return c.parenthesis(pos, p.Paren)
	case p.Array != nil:
		return &ast.Array{Pos: pos, Items: all(p.Array.Items, c.member), Select: c.query(p.Array.Select)}
	case p.Cast != nil:
		return &ast.Cast{Pos: pos, X: c.expr(p.Cast.X), Type: c.typeName(p.Cast.Type)}
	case p.Typed != nil:
		name := ast.Type{Pos: c.position(p.Typed.Type.Pos), Name: strings.ToLower(p.Typed.Type.Value)}
		return &ast.Cast{Pos: pos, X: c.constant(p.Typed.Text), Type: name}
	case p.Case != nil:
		return &ast.Case{Pos: pos, Operand: c.expr(p.Case.Operand), Else: c.expr(p.Case.Else),
			Whens: all(p.Case.Whens, func(w *when) ast.When {
				return ast.When{Pos: c.position(w.Pos), When: c.expr(w.When), Then: c.expr(w.Then)}
			})}
	default:
		return &ast.Exists{Pos: pos, Select: c.query(p.Exists.Select)}
	}
}

func (c *converter) member(m *member) ast.Expr {
	if m.Array == nil {
		return c.expr(m.Value)
	}
	if !c.enter(m.Pos, 1) {
		return nil
	}
	defer c.leave(1)
	return &ast.Array{Pos: c.position(m.Pos), Items: all(m.Array.Items, c.member)}
}

func (c *converter) parenthesis(pos ast.Pos, p *parenthesis) ast.Expr {
	switch {
	case p.Select != nil:
		return &ast.Subselect{Pos: pos, Select: c.query(p.Select)}
	case len(p.Items) == 1:
		return c.expr(p.Items[0])
	}
	return &ast.Tuple{Pos: pos, Items: c.exprs(p.Items)}
}

func (c *converter) named(p lexer.Position, n *named, star bool) ast.Expr {
	names := c.names(n.Name)
	switch {
	case n.Call != nil && len(n.Name) == 1 && n.Name[0].Type == lex.Ident && n.Name[0].Value == "ROW" && len(n.Call.Args) > 1:
		return &ast.Tuple{Pos: c.position(p), Items: all(n.Call.Args, func(a *argument) ast.Expr { return c.expr(a.Value) })}
	case n.Call != nil:
		return c.call(p, names, n.Call)
	case n.Star && !star:
		c.fail(p, ast.CodeSyntax, strings.Join(names, ".")+".* stands only in a select list", "")
		return nil
	case n.Star:
		if len(names) > 2 {
			c.fail(p, ast.CodeSyntax, "a table has at most two names", "")
		}
		return &ast.Star{Pos: c.position(p), Qualifier: names}
	}
	if len(names) > 3 {
		c.fail(p, ast.CodeSyntax, "a column has at most three names", "write table.column, or corpus.layer.column")
	}
	return &ast.Column{Pos: c.position(p), Parts: names}
}

func (c *converter) call(p lexer.Position, names []string, in *call) ast.Expr {
	if in.Side.Type != 0 || in.From != nil || in.For != nil {
		return c.worded(p, names[len(names)-1], in)
	}
	out := &ast.Call{Pos: c.position(p), Name: names[len(names)-1], Star: in.Star, Distinct: in.Distinct,
		Args: all(in.Args, c.argument), OrderBy: all(in.OrderBy, c.order), Filter: c.expr(in.Filter)}
	if in.Within != nil {
		if out.OrderBy != nil {
			c.fail(p, ast.CodeSyntax, "ORDER BY stands within the parentheses and in WITHIN GROUP", "leave the first one out")
		}
		out.Within, out.OrderBy = true, all(in.Within, c.order)
	}
	switch {
	case in.Over != nil:
		out.Over = c.window(in.Over)
	case in.Named.Value != "":
		out.Over = c.windowNamed(in.Named)
	}
	switch len(names) {
	case 1:
	case 2:
		out.Schema = names[0]
	default:
		c.fail(p, ast.CodeSyntax, "a function has at most two names", "")
	}
	return out
}

func (c *converter) argument(a *argument) ast.Argument {
	return ast.Argument{Pos: c.position(a.Pos), Name: c.name(a.Name), Value: c.expr(a.Value)}
}

func (c *converter) typeName(t *typeName) ast.Type {
	names := c.names(t.Name)
	for i, name := range names {
		names[i] = strings.ToLower(name)
	}
	out := ast.Type{Pos: c.position(t.Pos), Name: names[0]}
	out.Array = t.Array
	if len(t.Name) > len(names) {
		out.Schema, out.Name = names[0], names[1]
	} else if len(names) > 1 {
		out.Name = strings.Join(names, " ")
	}
	if t.Zone && out.Name == "timestamp" {
		out.Name = "timestamptz"
	}
	if t.Size.Type != 0 {
		size, err := strconv.ParseInt(c.current(t.Size).Value, 10, 32)
		if err != nil || size < 1 {
			c.fail(t.Size.Pos, ast.CodeSyntax, "the size of a type is a positive integer", "")
		}
		out.Size = size
	}
	if t.Scale.Type != 0 {
		scale, err := strconv.ParseInt(c.current(t.Scale).Value, 10, 32)
		if err != nil || scale < 0 || scale > out.Size {
			c.fail(t.Scale.Pos, ast.CodeSyntax, "the decimals of a type are a whole number from 0 to its size", "")
		}
		out.Scale = scale
	}
	return out
}

func (c *converter) bound(b *bound) ast.Bound {
	out := ast.Bound{Pos: c.position(b.Pos), Kind: "CURRENT ROW"}
	switch {
	case b.N != nil:
		out.Kind = b.Side.Value
		k := &chain{c: c}
		out.N = k.climb(b.N, ast.PrecedenceSign)
	case !b.Current:
		out.Kind = b.Open.Value
	}
	return out
}

// suffix applies what follows an operand to it.
func (c *converter) suffix(pos ast.Pos, x ast.Expr, s *suffix) ast.Expr {
	switch {
	case s.Cast != nil:
		return &ast.Cast{Pos: pos, X: x, Type: c.typeName(s.Cast)}
	case s.Index != nil && s.Index.From == nil && !s.Index.Slice:
		c.fail(s.Pos, ast.CodeSyntax, "the brackets are empty", "write x[1] for a member, x[1:2] for a slice")
		return nil
	case s.Index != nil:
		return &ast.Subscript{Pos: pos, X: x, Index: c.expr(s.Index.From), Slice: s.Index.Slice, To: c.expr(s.Index.To)}
	case s.Field.Type != 0:
		return &ast.Field{Pos: pos, X: x, Name: c.name(s.Field)}
	}
	names := c.names(s.Collate)
	out := &ast.Collate{Pos: pos, X: x, Name: names[len(names)-1]}
	if len(names) > 1 {
		out.Schema = names[0]
	}
	return out
}

// quantified applies a comparison with ANY or ALL.
func (k *chain) quantified(pos ast.Pos, x ast.Expr, op *operation) ast.Expr {
	q := op.Quantified
	name := canonical(op.Op.Value)
	if ast.BinaryPrecedence(name) != ast.PrecedenceComparison {
		k.c.fail(q.Quantifier.Pos, ast.CodeSyntax, q.Quantifier.Value+" follows a comparison, not "+name, "")
	}
	return &ast.Quantified{Pos: pos, Op: name, X: x, All: q.Quantifier.Value == "ALL",
		Array: k.c.expr(q.Array), Select: k.c.query(q.Select)}
}
