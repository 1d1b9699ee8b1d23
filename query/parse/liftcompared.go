package parse

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"parlance/query/ast"
)

// Bounds of what LiftCompared takes out: literals of a statement, which have numbers of one digit, bytes of a
// statement, and digits of a number, which fit an int64.
const (
	maxCompared       = 9
	maxComparedBytes  = 16 << 10
	maxComparedDigits = 18
)

// LiftCompared takes the texts and whole numbers out of a SELECT that follow a name and an operator of comparison. It goes by the characters
// around them: the shape is to be parsed, once, to see that Compares holds. What it does not know by a glance, such as comments,
// dollar quotes and parameters, it leaves alone with the whole statement.
func LiftCompared(s string) (l Lifted, ok bool) {
	if len(s) > maxComparedBytes || len(s) < len("SELECT") || !strings.EqualFold(s[:len("SELECT")], "SELECT") {
		return Lifted{}, false
	}
	l.statement = s
	for i := 0; i < len(s) && len(l.cuts) < maxCompared; {
		n := 1
		switch c := s[i]; {
		case c == '\'' || c == '"':
			if n = stringEnd(s, i) - i; n < 0 {
				return Lifted{}, false
			}
			if c == '\'' {
				l.cut(i, n)
			}
		case digit(c):
			n = digits(s[i:])
			l.cut(i, n)
		case c == '$', c == '?', c == '\\', c == '-' && strings.HasPrefix(s[i:], "--"), c == '/' && strings.HasPrefix(s[i:], "/*"):
			return Lifted{}, false
		default:
			n = max(1, word(s[i:]))
			if n > 1 || ast.NameStart(rune(c)) {
				if strings.HasPrefix(s[i+n:], "'") { // E'\''
					return Lifted{}, false
				}
			}
		}
		i += n
	}
	if len(l.cuts) == 0 {
		return Lifted{}, false
	}
	l.Shape = l.shape()
	return l, true
}

// cut takes the literal of n bytes at i out where it follows a name and an operator of comparison.
func (l *Lifted) cut(i, n int) {
	if !follows(l.statement[:i]) || i+n < len(l.statement) && joins(l.statement[i+n]) {
		return
	}
	literal := l.statement[i : i+n]
	if literal[0] == '\'' {
		text := unquote(literal, "'")
		if !utf8.ValidString(text) || strings.IndexByte(text, 0) >= 0 {
			return
		}
		l.Values = append(l.Values, text)
	} else {
		if n > maxComparedDigits {
			return
		}
		number, _ := strconv.ParseInt(literal, 10, 64)
		l.Values = append(l.Values, number)
	}
	at := i
	if k := len(l.cuts); k > 0 {
		before := l.cuts[k-1]
		at += before.at + parameterBytes - before.from - before.length
	}
	l.cuts = append(l.cuts, cut{at, i, n})
}

// shape returns the statement with parameters in place of what was cut.
func (l *Lifted) shape() string {
	var b strings.Builder
	b.Grow(len(l.statement) + parameterBytes*len(l.cuts))
	end := 0
	for i, c := range l.cuts {
		b.WriteString(l.statement[end:c.from])
		b.WriteByte('$')
		b.WriteByte('1' + byte(i))
		end = c.from + c.length
	}
	b.WriteString(l.statement[end:])
	return b.String()
}

// follows reports whether a name and an operator of comparison end a text.
func follows(s string) bool {
	s = strings.TrimRight(s, " \t\r\n")
	n := len(s)
	for n > 0 && strings.IndexByte("=<>!~*+-/|&#@^%:", s[n-1]) >= 0 {
		n--
	}
	return comparison(s[n:]) && endsName(strings.TrimRight(s[:n], " \t\r\n"))
}

// endsName reports whether a name ends a text.
func endsName(s string) bool {
	n := len(s)
	for n > 0 && (ast.NamePart(rune(s[n-1])) || s[n-1] >= utf8.RuneSelf) {
		n--
	}
	return n < len(s) && !digit(s[n]) || strings.HasSuffix(s, `"`)
}

func comparison(op string) bool {
	switch op {
	case "=", "<>", "!=", "<", "<=", ">", ">=":
		return true
	}
	return false
}

// joins reports whether a character would belong to a parameter or literal before it.
func joins(c byte) bool {
	return ast.NamePart(rune(c)) || c >= utf8.RuneSelf || c == '\'' || c == '"' || c == '.'
}

// Compares reports whether a statement is a query in which all that was lifted is compared with columns, in its WHERE clause.
func (l *Lifted) Compares(stmt ast.Statement) bool {
	q, ok := stmt.(*ast.Select)
	return ok && l.compared(q.Where) == len(l.cuts)
}

// compared counts the parameters that e compares with columns: e is a condition, or several.
func (l *Lifted) compared(e ast.Expr) int {
	switch e := e.(type) {
	case *ast.Unary:
		if e.Op == "NOT" {
			return l.compared(e.X)
		}
	case *ast.Binary:
		if e.Op == "AND" || e.Op == "OR" {
			return l.compared(e.X) + l.compared(e.Y)
		}
		_, column := e.X.(*ast.Column)
		p, ok := e.Y.(*ast.Param)
		if ok && column && comparison(e.Op) && slices.ContainsFunc(l.cuts, func(c cut) bool { return c.at == p.Offset }) {
			return 1
		}
	}
	return 0
}
