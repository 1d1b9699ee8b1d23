package parse

import (
	"strings"
	"unicode/utf8"

	"parlance/query/ast"
)

// Lifted is a statement whose ad-hoc text, (TEXT '…'), is taken out: statements that differ in it alone have one shape.
type Lifted struct {
	Shape string // the statement with $1 for the text
	Text  string // what $1 stands for
	At    int    // place of $1 in Shape and of the literal in the statement, in bytes from 0

	length    int // of the literals in the statement
	statement string
}

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
			return Lifted{Shape: statement[:at] + "$1" + statement[at+length:], Text: text, At: at, length: length, statement: statement}, true
		}
		from = end
	}
}

// stringEnd returns where the string ends that starts at a quote, -1 if it has no end.
func stringEnd(s string, at int) int {
	for i := at + 1; ; i++ {
		n := strings.IndexByte(s[i:], '\'')
		if n < 0 {
			return -1
		}
		if i += n + 1; i == len(s) || s[i] != '\'' {
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
	switch offset := p.Offset - len("$1") + l.length; {
	case p.Offset <= l.At:
		return p
	case p.Offset < l.At+len("$1"):
		p.Offset = l.At
	default:
		p.Offset = offset
	}
	s := newScanner(l.statement)
	s.advance(min(p.Offset, len(l.statement)))
	return position(s.pos)
}
