package parse

import (
	"iter"

	"github.com/alecthomas/participle/v2/lexer"

	"parlance/query/ast"
	"parlance/query/lex"
)

// literalList holds the literals that one token of type LiteralList or RowList stands for.
type literalList struct {
	literals []lexer.Token // numbers with their sign
	ends     []int         // where the literals of each row end; nil for no rows
}

// listMark is the value of such a token. No token of a text has it.
const listMark = "\x01"

// listCollapser replaces runs of literals by single tokens, so that the parser does the same work for a list of any
// length.
type listCollapser struct {
	text  string
	in    []lexer.Token // EOF last
	out   []lexer.Token
	lists map[int]*literalList // by the place of their token in out
}

// collapseLists returns the tokens, EOF last, with one token in place of each run of literals in IN (…) and in a row of
// VALUES, and one in place of each run of rows that hold literals alone. The map has the literals by the place of their
// token.
func collapseLists(text string, tokens []lexer.Token) ([]lexer.Token, map[int]*literalList) {
	f := &listCollapser{text: text, in: tokens, lists: map[int]*literalList{}}
	for i := 0; i < len(tokens); {
		switch {
		case i > 0 && isSign(&tokens[i], "(") && f.isValues(i-1):
			i = f.rows(i)
		case i > 0 && isSign(&tokens[i], "(") && tokens[i-1].Type == lex.Keyword && tokens[i-1].Value == "IN" &&
			!opensSelect(tokens[i+1]):
			f.copyToken(i)
			i = f.items(i + 1)
		default:
			f.copyToken(i)
			i++
		}
	}
	return f.out, f.lists
}

// mayHaveLists reports whether the tokens may contain lists. It says no for statements with POSITION, whose IN is
// followed by no list: position(x IN (…)).
func mayHaveLists(tokens []lexer.Token) bool {
	found := false
	for i := range tokens {
		t := &tokens[i]
		switch {
		case t.Type == lex.Keyword:
			found = found || t.Value == "IN"
		case t.Type == lex.Ident && t.Value == "POSITION":
			return false
		case t.Type == lex.Ident:
			found = found || t.Value == "VALUES"
		}
	}
	return found
}

// copyToken copies the token at i to the output.
func (f *listCollapser) copyToken(i int) {
	if f.out != nil || len(f.lists) > 0 {
		f.out = append(f.out, f.in[i])
		return
	}
	f.out = append(make([]lexer.Token, 0, 32), f.in[i])
}

// isValues reports whether the token at i is VALUES before rows, and not the name of a function.
func (f *listCollapser) isValues(i int) bool {
	if t := &f.in[i]; t.Type != lex.Ident || t.Value != "VALUES" {
		return false
	}
	if i == 0 {
		return true
	}
	switch before := &f.in[i-1]; before.Type {
	case lex.Ident, lex.Quoted:
		return true
	case lex.Punct:
		return before.Value == ")" || before.Value == "(" && i > 1 && f.in[i-2].Type == lex.Keyword
	case lex.Keyword:
		return before.Value == "UNION" || before.Value == "AS" || before.Value == "DISTINCT"
	}
	return false
}

// rows collapses the rows that begin at i and returns the place behind them.
func (f *listCollapser) rows(i int) int {
	for {
		run := &literalList{}
		start := i
		for {
			end := f.row(run, i)
			if end < 0 {
				break
			}
			i = end
			if !isSign(&f.in[i], ",") || !isSign(&f.in[i+1], "(") {
				break
			}
			i++
		}
		switch {
		case len(run.ends) == 0: // a row with something else in it
			f.copyToken(i)
			i = f.items(i + 1)
			if isSign(&f.in[i], ")") {
				f.copyToken(i)
				i++
			}
		case isSign(&f.in[i], "("): // such a row follows the run and a comma
			f.emitList(lex.RowList, run, start)
			f.copyToken(i - 1)
			continue
		default:
			f.emitList(lex.RowList, run, start)
		}
		if !isSign(&f.in[i], ",") || !isSign(&f.in[i+1], "(") {
			return i
		}
		f.copyToken(i)
		i++
	}
}

// row appends the literals of the row at i to a run and returns the place behind the row; -1 if the row holds something
// else than literals.
func (f *listCollapser) row(run *literalList, i int) int {
	mark := len(run.literals)
	for i++; ; i++ {
		t, n := f.literal(i)
		if n == 0 {
			break
		}
		run.literals = append(run.literals, t)
		i += n
		if isSign(&f.in[i], ")") {
			run.ends = append(run.ends, len(run.literals))
			return i + 1
		}
		if !isSign(&f.in[i], ",") {
			break
		}
	}
	run.literals = run.literals[:mark]
	return -1
}

// items collapses the literals among the members of a list, of which the first is at i, and returns the place of its
// closing parenthesis.
func (f *listCollapser) items(i int) int {
	for {
		run := &literalList{}
		start := i
		for {
			t, n := f.literal(i)
			if n == 0 || !isSign(&f.in[i+n], ",") && !isSign(&f.in[i+n], ")") {
				break
			}
			run.literals = append(run.literals, t)
			if i += n; isSign(&f.in[i], ")") {
				break
			}
			i++
		}
		if len(run.literals) > 0 {
			f.emitList(lex.LiteralList, run, start)
			if !isSign(&f.in[i-1], ",") {
				return i
			}
			f.copyToken(i - 1)
		}
		for depth := 0; ; i++ { // an expression
			t := &f.in[i]
			if t.EOF() || depth == 0 && (isSign(t, ")") || isSign(t, ",")) {
				break
			}
			if isSign(t, "(") || isSign(t, "[") {
				depth++
			} else if isSign(t, ")") || isSign(t, "]") {
				depth--
			}
			f.copyToken(i)
		}
		if !isSign(&f.in[i], ",") {
			return i
		}
		f.copyToken(i)
		i++
	}
}

func isSign(t *lexer.Token, sign string) bool {
	return t.Value == sign && (t.Type == lex.Punct || t.Type == lex.Suffix)
}

// literal returns the literal or parameter at i, a number with its sign, and the number of its tokens; 0 if there is
// something else.
func (f *listCollapser) literal(i int) (lexer.Token, int) {
	switch t := f.in[i]; t.Type {
	case lex.String, lex.Number, lex.Param:
		return t, 1
	case lex.Keyword:
		if t.Value == "NULL" || t.Value == "TRUE" || t.Value == "FALSE" {
			return t, 1
		}
	case lex.Operator:
		if n := &f.in[i+1]; t.Value == "-" && n.Type == lex.Number {
			t.Type, t.Value = lex.Number, "-"+n.Value
			return t, 2
		}
	}
	return lexer.Token{}, 0
}

// emitList appends a token to the output that stands for a list. at is the place of its first literal.
func (f *listCollapser) emitList(typ lexer.TokenType, of *literalList, at int) {
	f.lists[len(f.out)] = of
	f.out = append(f.out, lexer.Token{Type: typ, Value: listMark, Pos: f.in[at].Pos})
}

// positioned is an expression with its place in the statement.
type positioned struct {
	pos   ast.Pos
	value ast.Expr
}

// cells converts the members of a list; convert is called for those that are no literals.
func (c *converter) cells(items []*listItem, convert func(*expression) ast.Expr) []positioned {
	out := make([]positioned, 0, len(items))
	for _, item := range items {
		if item.Value != nil {
			out = append(out, positioned{c.position(item.Value.Pos), convert(item.Value)})
			continue
		}
		out = c.literals(out, c.from.lists[item.Literals.Pos.Offset].literals)
	}
	return out
}

// literals appends the tree nodes of literals to out.
func (c *converter) literals(out []positioned, tokens []lexer.Token) []positioned {
	if cap(out)-len(out) < len(tokens) {
		out = append(make([]positioned, 0, len(out)+len(tokens)), out...)
	}
	for i := range tokens {
		t := &tokens[i]
		pos := lex.Position(t.Pos)
		if t.Type == lex.Param {
			out = append(out, positioned{pos, c.paramAt(*t, pos)})
		} else {
			out = append(out, positioned{pos, c.literalAt(*t, pos, false)})
		}
	}
	return out
}

// list converts the members of IN (…).
func (c *converter) list(items []*listItem) []ast.Expr {
	return all(c.cells(items, c.expr), func(x positioned) ast.Expr { return x.value })
}

// rowsOf converts rows of VALUES. The slice that it yields is overwritten by the next row.
func (c *converter) rowsOf(rows []*row, convert func(*expression) ast.Expr) iter.Seq[[]positioned] {
	return func(yield func([]positioned) bool) {
		var cells []positioned
		for _, r := range rows {
			if r.Rows.Type == 0 {
				if !yield(c.cells(r.Items, convert)) {
					return
				}
				continue
			}
			from, of := 0, c.from.lists[r.Rows.Pos.Offset]
			for _, end := range of.ends {
				cells = c.literals(cells[:0], of.literals[from:end])
				if from = end; !yield(cells) {
					return
				}
			}
		}
	}
}
