package parse

import (
	"iter"

	"github.com/alecthomas/participle/v2/lexer"

	"parlance/query/ast"
	"parlance/query/lex"
)

// list is what one token stands for: literals, or rows of them.
type list struct {
	literals []lexer.Token // numbers with their sign
	ends     []int         // where the literals of each row end; nil for no rows
}

// folded is the value of a token that stands for a list, which no literal of the grammar has.
const folded = "\x01"

// folder makes single tokens of lists of literals, whose length then costs the parser nothing.
type folder struct {
	text  string
	in    []lexer.Token // EOF last
	out   []lexer.Token
	lists map[int]*list // by the place of their token in out
}

// fold returns tokens, EOF last, with a single one for each run of literals in IN (…) and in rows of VALUES, and for each run of
// rows of literals.
func fold(text string, tokens []lexer.Token) ([]lexer.Token, map[int]*list) {
	f := &folder{text: text, in: tokens, lists: map[int]*list{}}
	for i := 0; i < len(tokens); {
		switch {
		case i > 0 && isSign(&tokens[i], "(") && f.values(i-1):
			i = f.rows(i)
		case i > 0 && isSign(&tokens[i], "(") && tokens[i-1].Type == lex.Keyword && tokens[i-1].Value == "IN" && !opensSelect(tokens[i+1]):
			f.keep(i)
			i = f.items(i + 1)
		default:
			f.keep(i)
			i++
		}
	}
	return f.out, f.lists
}

// folds reports whether there may be lists among tokens: position(x IN (…)) is no list.
func folds(tokens []lexer.Token) bool {
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

// keep hands a token on.
func (f *folder) keep(i int) {
	if f.out != nil || len(f.lists) > 0 {
		f.out = append(f.out, f.in[i])
		return
	}
	f.out = append(make([]lexer.Token, 0, 32), f.in[i])
}

// values reports whether the token at i is VALUES before rows, and no name of a function.
func (f *folder) values(i int) bool {
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

// rows folds the rows that begin at i and returns what comes behind them.
func (f *folder) rows(i int) int {
	for {
		run := &list{}
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
			f.keep(i)
			i = f.items(i + 1)
			if isSign(&f.in[i], ")") {
				f.keep(i)
				i++
			}
		case isSign(&f.in[i], "("): // such a row follows the run and a comma
			f.emit(lex.Rows, run, start)
			f.keep(i - 1)
			continue
		default:
			f.emit(lex.Rows, run, start)
		}
		if !isSign(&f.in[i], ",") || !isSign(&f.in[i+1], "(") {
			return i
		}
		f.keep(i)
		i++
	}
}

// row appends the row at i to a run and returns what comes behind it; -1 if there is more than literals in it.
func (f *folder) row(run *list, i int) int {
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

// items folds the literals among the members of a list, of which the first is at i, and returns where its parenthesis ends.
func (f *folder) items(i int) int {
	for {
		run := &list{}
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
			f.emit(lex.Literals, run, start)
			if !isSign(&f.in[i-1], ",") {
				return i
			}
			f.keep(i - 1)
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
			f.keep(i)
		}
		if !isSign(&f.in[i], ",") {
			return i
		}
		f.keep(i)
		i++
	}
}

func isSign(t *lexer.Token, sign string) bool {
	return t.Value == sign && (t.Type == lex.Punct || t.Type == lex.Suffix)
}

// literal returns the literal or parameter at i, a number with its sign, and how many tokens it takes; 0 for something else.
func (f *folder) literal(i int) (lexer.Token, int) {
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

// emit hands a token on that stands for a list, which begins at a place.
func (f *folder) emit(typ lexer.TokenType, of *list, at int) {
	f.lists[len(f.out)] = of
	f.out = append(f.out, lexer.Token{Type: typ, Value: folded, Pos: f.in[at].Pos})
}

// cell is a value with its place.
type cell struct {
	pos   ast.Pos
	value ast.Expr
}

// cells converts the members of a list.
func (c *converter) cells(items []*listItem, convert func(*expression) ast.Expr) []cell {
	out := make([]cell, 0, len(items))
	for _, item := range items {
		if item.Value != nil {
			out = append(out, cell{c.position(item.Value.Pos), convert(item.Value)})
			continue
		}
		out = c.literals(out, c.from.lists[item.Literals.Pos.Offset].literals)
	}
	return out
}

// literals appends literals of a list.
func (c *converter) literals(out []cell, tokens []lexer.Token) []cell {
	if cap(out)-len(out) < len(tokens) {
		out = append(make([]cell, 0, len(out)+len(tokens)), out...)
	}
	for i := range tokens {
		t := &tokens[i]
		pos := lex.Position(t.Pos)
		if t.Type == lex.Param {
			out = append(out, cell{pos, c.paramAt(*t, pos)})
		} else {
			out = append(out, cell{pos, c.literalAt(*t, pos, false)})
		}
	}
	return out
}

// list converts the members of IN (…).
func (c *converter) list(items []*listItem) []ast.Expr {
	return all(c.cells(items, c.expr), func(x cell) ast.Expr { return x.value })
}

// rowsOf converts rows of VALUES. What it yields holds until the next row.
func (c *converter) rowsOf(rows []*row, convert func(*expression) ast.Expr) iter.Seq[[]cell] {
	return func(yield func([]cell) bool) {
		var cells []cell
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
