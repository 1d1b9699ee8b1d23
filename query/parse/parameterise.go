package parse

import (
	"slices"
	"strconv"
	"strings"

	"github.com/alecthomas/participle/v2/lexer"

	"parlance/query/ast"
	"parlance/query/lex"
)

// Parameters are the literals of a query that become parameters of its tree, so that one tree and one plan serve all
// queries of its template that differ in these literals. They are the first ad-hoc text, or else the texts and whole
// numbers that columns are compared with in WHERE.
type Parameters struct {
	FromComparisons bool  // with columns
	tokens          []int // of the literals, by their places
	constants       []int // of the literals that stay
}

// maxConstantBytes bounds the other literals of a query: with longer ones its tree is not worth keeping.
const maxConstantBytes = 1 << 10

// Parameters returns the parameters of a template; nil if it has none. in is a statement that has the template.
func (f *Template) Parameters(in *Scanned) *Parameters {
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
		p.FromComparisons = true
		p.addComparisons(query.Where)
		slices.Sort(p.tokens)
	}
	p.tokens = slices.DeleteFunc(p.tokens, func(i int) bool {
		sort := placeholder(&in.tokens[i])
		return in.dependsOnPrevious(i) || sort != placeText && (sort != placeInteger || !p.FromComparisons)
	})
	if len(p.tokens) == 0 {
		return nil
	}
	for i := range in.tokens {
		if placeholder(&in.tokens[i]) != 0 && !slices.Contains(p.tokens, i) {
			p.constants = append(p.constants, i)
		}
	}
	return p
}

// addComparisons adds the literals that e compares with columns. e is a condition, or several that AND and OR join.
func (p *Parameters) addComparisons(e ast.Expr) {
	switch e := e.(type) {
	case *ast.Unary:
		if e.Op == "NOT" {
			p.addComparisons(e.X)
		}
	case *ast.Binary:
		if e.Op == "AND" || e.Op == "OR" {
			p.addComparisons(e.X)
			p.addComparisons(e.Y)
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

// Constants returns the literals of a statement that are not parameters: queries with the same constants share a tree.
// It returns false if they are too long.
func (p *Parameters) Constants(in *Scanned) (string, bool) {
	switch len(p.constants) {
	case 0:
		return "", true
	case 1:
		text := in.tokens[p.constants[0]].Value
		return text, len(text) <= maxConstantBytes
	}
	var b strings.Builder
	for _, i := range p.constants {
		b.WriteString(in.tokens[i].Value)
		b.WriteByte(0)
	}
	return b.String(), b.Len() <= maxConstantBytes
}

// Len returns the number of parameters.
func (p *Parameters) Len() int { return len(p.tokens) }

// Value returns the literal of a statement that is a parameter, counted from 0: a text, or else a whole number.
func (p *Parameters) Value(in *Scanned, parameter int) (text string, number int64, isText bool) {
	t := &in.tokens[p.tokens[parameter]]
	if t.Type == lex.String {
		return unquote(t.Value, "'"), 0, true
	}
	number, _ = strconv.ParseInt(t.Value, 10, 64) // of at most maxDigits
	return "", number, false
}

// Parameterise returns the tree of a statement in which parameters, from $1 on, stand in place of the literals that p
// names.
func (f *Template) Parameterise(in *Scanned, p *Parameters) (ast.Statement, error) {
	return f.convert(&converter{from: in, parameter: func(token int) int {
		i, _ := slices.BinarySearch(p.tokens, token)
		if i < len(p.tokens) && p.tokens[i] == token {
			return i + 1
		}
		return 0
	}})
}

// Positions are the places of the tokens of a statement. They map places in one statement to places in another one with
// the same template.
type Positions []ast.Pos

// Positions returns the places of the tokens.
func (s *Scanned) Positions() Positions {
	return all(s.tokens, func(t lexer.Token) ast.Pos { return lex.Position(t.Pos) })
}

// Translate maps the place p, in the statement that from belongs to, to the place of the same token in the statement
// that positions belongs to.
func (places Positions) Translate(from Positions, p ast.Pos) ast.Pos {
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
