package logic

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Limits of a formula.
const (
	MaxDepth = 200     // operators and parentheses above an atom
	MaxText  = 1 << 16 // bytes
)

// Parse reads a rule or formula. Errors are of type *Error.
func Parse(text string) (*Rule, error) {
	if len(text) > MaxText {
		return nil, &Error{1, fmt.Sprintf("the text has %d bytes", len(text)), fmt.Sprintf("at most %d are allowed", MaxText)}
	}
	if !utf8.ValidString(text) {
		at := strings.IndexFunc(text, func(r rune) bool { return r == utf8.RuneError })
		return nil, &Error{utf8.RuneCountInString(text[:at]) + 1, "the text is not UTF-8", ""}
	}
	p := &parser{lex: lexer{rest: text, at: 1}, rule: &Rule{}}
	if err := p.advance(); err != nil {
		return nil, err
	}
	if err := p.forall(); err != nil {
		return nil, err
	}
	body, _, err := p.binary(0, 0)
	if err != nil {
		return nil, err
	}
	if p.tok.kind != "end" {
		return nil, p.unexpected("an operator or the end")
	}
	p.rule.Body = body
	if err := p.unused(); err != nil {
		return nil, err
	}
	return p.rule, nil
}

// MustParse is Parse for texts known to be right; it panics on others.
func MustParse(text string) *Rule {
	r, err := Parse(text)
	if err != nil {
		panic(err)
	}
	return r
}

// parser is a recursive descent over one token of lookahead.
type parser struct {
	lex   lexer
	tok   token
	rule  *Rule
	at    []int // of the declared variables
	bound []bool
}

func (p *parser) advance() (err error) {
	p.tok, err = p.lex.next()
	return err
}

func (p *parser) unexpected(want string) error {
	e := &Error{p.tok.at, fmt.Sprintf("%s where %s should be", p.tok.describe(), want), ""}
	switch {
	case p.tok.kind == "forall":
		e.Hint = "forall stands once, at the beginning"
	case p.tok.kind == "name" && want == "an operator or the end":
		e.Hint = "operators are and, or, xor, => and <=>"
	case want == "'('":
		e.Hint = "an atom is a relation with one or two terms, as in worksFor(ann,acme)"
	}
	return e
}

// take goes over a sign that must stand here.
func (p *parser) take(sign string) error {
	if p.tok.kind != sign {
		return p.unexpected("'" + sign + "'")
	}
	return p.advance()
}

// forall reads the declaration of variables, if there is one.
func (p *parser) forall() error {
	if p.tok.kind != "forall" {
		return nil
	}
	p.rule.declared = true
	for p.tok.kind == "forall" || p.tok.kind == "," {
		if err := p.advance(); err != nil {
			return err
		}
		t := p.tok
		switch {
		case t.kind != "name":
			return p.unexpected("a variable")
		case t.quoted || !plain(t.text):
			return &Error{t.at, "a variable has no quotes", ""}
		case slices.Contains(p.rule.Vars, t.text):
			return &Error{t.at, "variable " + t.text + " is declared twice", ""}
		}
		p.rule.Vars = append(p.rule.Vars, t.text)
		p.at = append(p.at, t.at)
		p.bound = append(p.bound, false)
		if err := p.advance(); err != nil {
			return err
		}
	}
	return p.take(":")
}

// unused refuses declared variables that no atom has.
func (p *parser) unused() error {
	for i, v := range p.rule.Vars {
		if p.rule.declared && !p.bound[i] {
			return &Error{p.at[i], "variable " + v + " is declared and not used", ""}
		}
	}
	return nil
}

// operators of the levels from the outside in.
var operators = [][]Op{{Iff}, {Implies}, {Or, Xor}, {And}}

// binary reads a formula of operators of a level and of those inside. deep is the number of
// parentheses and operators around it; the height of the tree that is read comes back.
func (p *parser) binary(level, deep int) (*Formula, int, error) {
	if level == len(operators) {
		return p.unary(deep)
	}
	f, height, err := p.binary(level+1, deep)
	if err != nil {
		return nil, 0, err
	}
	for {
		op, ok := p.operator(level)
		if !ok {
			return f, height, nil
		}
		at := p.tok.at
		if err := p.advance(); err != nil {
			return nil, 0, err
		}
		inner := level + 1
		if op == Implies {
			inner = level // right to left
		}
		g, other, err := p.binary(inner, deep+1)
		if err != nil {
			return nil, 0, err
		}
		f, height = &Formula{Op: op, Left: f, Right: g, At: at}, max(height, other)+1
		if deep+height > MaxDepth {
			return nil, 0, tooDeep(at)
		}
	}
}

func (p *parser) operator(level int) (Op, bool) {
	for _, op := range operators[level] {
		if p.tok.kind == op.String() {
			return op, true
		}
	}
	return 0, false
}

func tooDeep(at int) error {
	return &Error{at, fmt.Sprintf("the formula is nested deeper than %d", MaxDepth), "split it into several rules"}
}

func (p *parser) unary(deep int) (*Formula, int, error) {
	if deep > MaxDepth {
		return nil, 0, tooDeep(p.tok.at)
	}
	at := p.tok.at
	switch p.tok.kind {
	case "not":
		if err := p.advance(); err != nil {
			return nil, 0, err
		}
		f, height, err := p.unary(deep + 1)
		if err != nil {
			return nil, 0, err
		}
		return &Formula{Op: Not, Left: f, At: at}, height + 1, nil
	case "(":
		if err := p.advance(); err != nil {
			return nil, 0, err
		}
		f, height, err := p.binary(0, deep+1)
		if err != nil {
			return nil, 0, err
		}
		return f, height, p.take(")")
	case "name":
		f, err := p.atom()
		return f, 0, err
	}
	return nil, 0, p.unexpected("a formula")
}

func (p *parser) atom() (*Formula, error) {
	f := &Formula{Op: Atom, Name: p.tok.text, At: p.tok.at}
	if err := p.advance(); err != nil {
		return nil, err
	}
	if err := p.take("("); err != nil {
		return nil, err
	}
	for {
		if p.tok.kind != "name" {
			return nil, p.unexpected("a term")
		}
		if len(f.Terms) == 2 {
			return nil, &Error{p.tok.at, "a relation of three terms", "relations have one term, an entity, or two"}
		}
		f.Terms = append(f.Terms, p.term())
		if err := p.advance(); err != nil {
			return nil, err
		}
		if p.tok.kind != "," {
			return f, p.take(")")
		}
		if err := p.advance(); err != nil {
			return nil, err
		}
	}
}

// term is the token as a variable or constant.
func (p *parser) term() Term {
	t := Term{Name: p.tok.text, At: p.tok.at}
	if p.tok.quoted {
		return t
	}
	i := slices.Index(p.rule.Vars, t.Name)
	if i < 0 && !p.rule.declared && implicit(t.Name) {
		i = len(p.rule.Vars)
		p.rule.Vars = append(p.rule.Vars, t.Name)
		p.bound = append(p.bound, false)
	}
	if i >= 0 {
		t.Var, p.bound[i] = true, true
	}
	return t
}
