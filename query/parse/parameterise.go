package parse

import (
	"slices"
	"strconv"
	"strings"

	"github.com/alecthomas/participle/v2/lexer"

	"parlance/query/ast"
	"parlance/query/lex"
)

// Parameters are the literals of a query that may stand as parameters in its tree, so that one tree and one plan hold for all
// queries of its form: its first ad-hoc text, or else the texts and whole numbers that columns are compared with in its WHERE
// clause.
type Parameters struct {
	Compared bool  // with columns
	tokens   []int // of the literals, by their places
	others   []int // of the literals that stay
}

// maxOthers is the length of the literals that stay up to which a tree is worth keeping.
const maxOthers = 1 << 10

// Parameters returns the parameters of a form, of which in is a statement; nil if it has none.
func (f *Form) Parameters(in *Scanned) *Parameters {
	if in.lists != nil || slices.ContainsFunc(in.tokens, func(t lexer.Token) bool { return t.Type == lex.Param }) {
		return nil
	}
	stmt, err := f.convert(&converter{from: in, parameter: func(token int) int { return token + 1 }})
	query, ok := stmt.(*ast.Select)
	if err != nil || !ok {
		return nil
	}
	p := &Parameters{}
	if texts := ast.AdHocTexts(query); len(texts) > 0 {
		first := slices.MinFunc(texts, func(a, b *ast.Param) int { return a.Index - b.Index })
		p.tokens = []int{first.Index - 1}
	} else {
		p.Compared = true
		p.compared(query.Where)
		slices.Sort(p.tokens)
	}
	p.tokens = slices.DeleteFunc(p.tokens, func(i int) bool {
		sort := placeholder(&in.tokens[i])
		return in.fixed(i) || sort != placeText && (sort != placeInteger || !p.Compared)
	})
	if len(p.tokens) == 0 {
		return nil
	}
	for i := range in.tokens {
		if placeholder(&in.tokens[i]) != 0 && !slices.Contains(p.tokens, i) {
			p.others = append(p.others, i)
		}
	}
	return p
}

// compared notes the literals that e compares with columns: e is a condition, or several.
func (p *Parameters) compared(e ast.Expr) {
	switch e := e.(type) {
	case *ast.Unary:
		if e.Op == "NOT" {
			p.compared(e.X)
		}
	case *ast.Binary:
		if e.Op == "AND" || e.Op == "OR" {
			p.compared(e.X)
			p.compared(e.Y)
			return
		}
		_, column := e.X.(*ast.Column)
		literal, ok := e.Y.(*ast.Param)
		if ok && column && comparison(e.Op) {
			p.tokens = append(p.tokens, literal.Index-1)
		}
	}
}

func comparison(op string) bool {
	switch op {
	case "=", "<>", "<", "<=", ">", ">=":
		return true
	}
	return false
}

// Others returns the literals of a statement of the form that stay in its tree: queries with the same ones have one tree. It
// returns false if they are too long.
func (p *Parameters) Others(in *Scanned) (string, bool) {
	switch len(p.others) {
	case 0:
		return "", true
	case 1:
		text := in.tokens[p.others[0]].Value
		return text, len(text) <= maxOthers
	}
	var b strings.Builder
	for _, i := range p.others {
		b.WriteString(in.tokens[i].Value)
		b.WriteByte(0)
	}
	return b.String(), b.Len() <= maxOthers
}

// Len returns the number of parameters.
func (p *Parameters) Len() int { return len(p.tokens) }

// Value returns the literal of a statement of the form that is a parameter, from 0: a text, or else a whole number.
func (p *Parameters) Value(in *Scanned, parameter int) (text string, number int64, isText bool) {
	t := &in.tokens[p.tokens[parameter]]
	if t.Type == lex.String {
		return unquote(t.Value, "'"), 0, true
	}
	number, _ = strconv.ParseInt(t.Value, 10, 64) // of at most maxDigits
	return "", number, false
}

// Parameterised returns the tree of a statement of the form with parameters, $1 for the first, in place of literals.
func (f *Form) Parameterised(in *Scanned, p *Parameters) (ast.Statement, error) {
	return f.convert(&converter{from: in, parameter: func(token int) int {
		i, _ := slices.BinarySearch(p.tokens, token)
		if i < len(p.tokens) && p.tokens[i] == token {
			return i + 1
		}
		return 0
	}})
}

// Places are those of the tokens of a statement, with which the places of another one of the same form are found.
type Places []ast.Pos

// Places returns where the tokens stand.
func (s *Scanned) Places() Places {
	return all(s.tokens, func(t lexer.Token) ast.Pos { return lex.Position(t.Pos) })
}

// In returns the place in a statement, of which these are the places of its tokens, of what stands at p in the one that from are
// those of.
func (places Places) In(from Places, p ast.Pos) ast.Pos {
	i, found := slices.BinarySearchFunc(from, p.Offset, func(at ast.Pos, offset int) int { return at.Offset - offset })
	if found && i < len(places) {
		return places[i]
	}
	if i == 0 || i > len(places) {
		return p
	}
	out, beyond := places[i-1], p.Offset-from[i-1].Offset
	out.Offset += beyond
	if p.Line == from[i-1].Line {
		out.Col += p.Col - from[i-1].Col
	}
	return out
}
