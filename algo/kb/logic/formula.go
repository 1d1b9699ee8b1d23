// Package logic has formulas over facts about entities and pairs of entities: the language of
// rules, their values by operator tensors with gradients, their instances and what they derive.
//
//	rule    = ["forall" variable {"," variable} ":"] iff
//	iff     = implies {"<=>" implies}
//	implies = or ["=>" implies]
//	or      = and {("or" | "xor") and}
//	and     = unary {"and" unary}
//	unary   = "not" unary | "(" iff ")" | name "(" term ["," term] ")"
//
// A name is letters, digits and the signs _ - . / beginning with a letter, a digit, _ or /; any
// other is quoted, 'New York' or "New York", the quote doubled inside. The words forall, not,
// and, or, xor ignore case. The terms declared by forall are variables and all others constants;
// without forall x, y and z, also with digits as in x1, are variables. What is quoted is a constant.
//
// An atom of two terms, R(a,b), is a fact about the pair <a,b>. An atom of one term, P(a), is a fact
// about the entity a. A variable that stands alone in all its atoms, as in profAt(x) => worksFor(x),
// ranges over whatever the relations speak of: entities, pairs, or both.
package logic

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Op is what a node of a formula does.
type Op uint8

// The operators. Atom has no operands, Not one and the others two.
const (
	Atom Op = iota
	Not
	And
	Or
	Xor
	Implies
	Iff
)

func (o Op) String() string { return [...]string{"atom", "not", "and", "or", "xor", "=>", "<=>"}[o] }

// level is how tightly an operator binds: a lower level stands outside of a higher one.
func (o Op) level() int { return [...]int{6, 5, 4, 3, 3, 2, 1}[o] }

// Term is a variable or a constant.
type Term struct {
	Name string
	Var  bool
	At   int // 1-based character of the text, 0 if not parsed
}

// Formula is a node. Terms of an atom are one or two; Right is nil for Not.
type Formula struct {
	Op          Op
	Name        string // relation of an atom
	Terms       []Term
	Left, Right *Formula
	At          int // 1-based character of the text, of the operator or of the name
}

// Rule is a formula with its variables, in order of declaration, else of first use.
type Rule struct {
	Vars     []string
	declared bool
	Body     *Formula
}

// Constants returns the constants of a rule with forall whose names would be variables without: y in forall x: p(x,y).
// Each comes once, in order.
func (r *Rule) Constants() (out []string) {
	r.Body.Walk(func(f *Formula) {
		for _, t := range f.Terms {
			if r.declared && !t.Var && implicit(t.Name) && !slices.Contains(out, t.Name) {
				out = append(out, t.Name)
			}
		}
	})
	return out
}

// String is the canonical text, which parses to an equal rule: with forall wherever there are
// variables, with no more parentheses than needed, with quotes where they must be.
func (r *Rule) String() string {
	var b strings.Builder
	if len(r.Vars) > 0 {
		b.WriteString("forall " + strings.Join(r.Vars, ", ") + ": ")
	}
	r.Body.write(&b, r.variable)
	return b.String()
}

// variable reports whether the name without quotes would be read as a variable.
func (r *Rule) variable(name string) bool {
	return slices.Contains(r.Vars, name) || len(r.Vars) == 0 && implicit(name)
}

// String is the text of the formula, without forall. Constants that would be read as variables are quoted.
func (f *Formula) String() string {
	var b strings.Builder
	f.write(&b, implicit)
	return b.String()
}

func (f *Formula) write(b *strings.Builder, variable func(string) bool) {
	switch f.Op {
	case Atom:
		b.WriteString(quoted(f.Name))
		b.WriteByte('(')
		for i, t := range f.Terms {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(t.text(variable))
		}
		b.WriteByte(')')
	case Not:
		b.WriteString("not ")
		f.Left.operand(b, f.Op.level(), variable)
	default:
		left, right := f.Op.level(), f.Op.level()+1 // from left to right
		if f.Op == Implies {
			left, right = right, left
		}
		f.Left.operand(b, left, variable)
		b.WriteString(" " + f.Op.String() + " ")
		f.Right.operand(b, right, variable)
	}
}

// operand writes a formula in parentheses if it binds less tightly than its place asks for.
func (f *Formula) operand(b *strings.Builder, least int, variable func(string) bool) {
	if f.Op.level() >= least {
		f.write(b, variable)
		return
	}
	b.WriteByte('(')
	f.write(b, variable)
	b.WriteByte(')')
}

func (t Term) text(variable func(string) bool) string {
	switch {
	case t.Var:
		return t.Name
	case variable(t.Name):
		return quote(t.Name)
	}
	return quoted(t.Name)
}

// quoted is a name, in quotes where it needs them.
func quoted(s string) string {
	if plain(s) && keyword(s) == "" {
		return s
	}
	return quote(s)
}

func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

// plain reports whether the text is a name without quotes.
func plain(s string) bool {
	for i, r := range s {
		if i == 0 && !starts(r) || !inside(r) || r == utf8.RuneError {
			return false
		}
	}
	return s != ""
}

func starts(r rune) bool { return r == '_' || r == '/' || unicode.IsLetter(r) || unicode.IsDigit(r) }
func inside(r rune) bool {
	return starts(r) || r == '-' || r == '.' || unicode.IsMark(r)
}

// implicit reports whether the name is a variable where nothing is declared.
func implicit(s string) bool {
	return s != "" && s[0] >= 'x' && s[0] <= 'z' && strings.Trim(s[1:], "0123456789") == ""
}

// keyword returns the word in lower case if it is one of the language, else "".
func keyword(s string) string {
	switch l := strings.ToLower(s); l {
	case "forall", "not", "and", "or", "xor":
		return l
	}
	return ""
}

// Walk calls visit for every node, operands before operators.
func (f *Formula) Walk(visit func(*Formula)) {
	if f.Left != nil {
		f.Left.Walk(visit)
	}
	if f.Right != nil {
		f.Right.Walk(visit)
	}
	visit(f)
}

// Replace returns the formula with other atoms.
func (f *Formula) Replace(atom func(*Formula) *Formula) *Formula {
	if f.Op == Atom {
		return atom(f)
	}
	c := *f
	c.Left = f.Left.Replace(atom)
	if f.Right != nil {
		c.Right = f.Right.Replace(atom)
	}
	return &c
}

// same reports whether two atoms say the same.
func (f *Formula) same(g *Formula) bool {
	return f.Name == g.Name && slices.EqualFunc(f.Terms, g.Terms, func(a, b Term) bool {
		return a.Name == b.Name && a.Var == b.Var
	})
}
