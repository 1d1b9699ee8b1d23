package parse

import (
	"strings"
	"unicode/utf8"

	"parlance/query/ast"
)

// Lifted is a statement whose literals are taken out: statements that differ in them alone have one shape.
type Lifted struct {
	Shape  string // the statement with $1, $2, … for the literals
	Values []any  // what these stand for: texts and int64

	cuts      []cut
	statement string
}

// cut is where a parameter stands for literals.
type cut struct {
	at     int // of the parameter in the shape, in bytes from 0
	from   int // of the literals in the statement
	length int // of the literals
}

// parameterBytes is the length of $1 to $9.
const parameterBytes = len("$1")

// At returns the place of a parameter in the shape, in bytes from 0.
func (l *Lifted) At(parameter int) int { return l.cuts[parameter-1].at }

// Lift takes the first ad-hoc text out of a statement, where it is a literal or a chain of literals: 'a' || 7 || 'b'. It goes by the
// characters around it, which may stand in a comment or mean something else: the shape is to be parsed, once, to see
// that its only parameter stands at At and is an ad-hoc text.
func Lift(statement string) (l Lifted, ok bool) {
	for from := 0; ; {
		i := strings.IndexByte(statement[from:], '\'')
		if i < 0 {
			return Lifted{}, false
		}
		at := from + i
		end := stringEnd(statement, at)
		if end < 0 {
			return Lifted{}, false
		}
		if behindText(statement[:at]) {
			text, length := literals(statement, at, end)
			if length == 0 || !utf8.ValidString(text) || strings.IndexByte(text, 0) >= 0 {
				return Lifted{}, false
			}
			return Lifted{Shape: statement[:at] + "$1" + statement[at+length:], Values: []any{text}, cuts: []cut{{at, at, length}}, statement: statement}, true
		}
		from = end
	}
}

// stringEnd returns where the string or quoted name ends that starts at a quote, -1 if it has no end.
func stringEnd(s string, at int) int {
	for i := at + 1; ; i++ {
		n := strings.IndexByte(s[i:], s[at])
		if n < 0 {
			return -1
		}
		if i += n + 1; i == len(s) || s[i] != s[at] {
			return i
		}
	}
}

// behindText reports whether a text ends with ( and the word TEXT.
func behindText(s string) bool {
	s = strings.TrimRight(s, " \t\r\n")
	n := len(s) - len("TEXT")
	return n > 0 && strings.EqualFold(s[n:], "TEXT") && strings.HasSuffix(strings.TrimRight(s[:n], " \t\r\n"), "(")
}

// literals returns the text of the string from at to end and of the literals that are joined to it, and their length; 0 where
// something else than a comma or parenthesis follows them.
func literals(s string, at, end int) (text string, length int) {
	text = unquote(s[at:end], "'")
	var more strings.Builder
	for {
		rest := s[end+blanks(s[end:]):]
		if strings.HasPrefix(rest, ")") || strings.HasPrefix(rest, ",") {
			return text + more.String(), end - at
		}
		if !strings.HasPrefix(rest, "||") {
			return "", 0
		}
		rest = rest[len("||"):]
		rest = rest[blanks(rest):]
		start := len(s) - len(rest)
		if strings.HasPrefix(rest, "'") {
			if end = stringEnd(s, start); end < 0 {
				return "", 0
			}
			more.WriteString(unquote(s[start:end], "'"))
			continue
		}
		n := digits(rest)
		if n == 0 || n > 18 || n > 1 && rest[0] == '0' {
			return "", 0
		}
		more.WriteString(rest[:n])
		end = start + n
	}
}

func blanks(s string) int {
	n := 0
	for n < len(s) && (s[n] == ' ' || s[n] == '\n' || s[n] == '\t' || s[n] == '\r') {
		n++
	}
	return n
}

// Place returns the place in the statement of a place in the shape.
func (l *Lifted) Place(p ast.Pos) ast.Pos {
	if p.Offset <= l.cuts[0].at {
		return p
	}
	offset := p.Offset
	for _, c := range l.cuts {
		switch beyond := p.Offset - c.at; {
		case beyond >= parameterBytes:
			offset = c.from + c.length + beyond - parameterBytes
		case beyond > 0:
			offset = c.from
		}
	}
	s := newScanner(l.statement)
	s.advance(min(offset, len(l.statement)))
	return position(s.pos)
}
