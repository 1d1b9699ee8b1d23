package repl

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// blanks separate the arguments of commands.
const blanks = " \t\r\f\v"

// arguments reads the words behind the name of a command up to the end of a line or the next command, and returns how
// many bytes they take. Words are separated by blanks; within 'single quotes' are blanks, ” and the escapes \n, \t, \b,
// \r, \f, \101 and \x41; :name, :'name', :"name" and :{?name} are values of variables. A strict command takes no
// variable that is not set; for the others its reference stays as it is.
func arguments(line string, vars *variables, strict bool) (words []string, n int, err error) {
	a := argumentReader{line: line, vars: vars, strict: strict && vars != nil}
	for {
		a.at += len(a.line[a.at:]) - len(strings.TrimLeft(a.line[a.at:], blanks))
		switch rest := a.line[a.at:]; {
		case strings.HasPrefix(rest, `\\`): // separates commands from statements
			return words, a.at + 2, nil
		case rest == "", rest[0] == '\\':
			return words, a.at, nil
		}
		word, err := a.word()
		if err != nil {
			return words, len(line), err
		}
		words = append(words, word)
	}
}

type argumentReader struct {
	line string
	at   int
	vars *variables

	strict bool
}

// word reads a word.
func (a *argumentReader) word() (string, error) {
	var b strings.Builder
	for a.at < len(a.line) {
		c := a.line[a.at]
		switch {
		case c == '\\' || strings.IndexByte(blanks, c) >= 0:
			return b.String(), nil
		case c == '\'':
			s, err := a.quoted()
			if err != nil {
				return "", err
			}
			b.WriteString(s)
		case c == '"':
			end := strings.IndexByte(a.line[a.at+1:], '"')
			if end < 0 {
				return "", errors.New("this quoted name has no end")
			}
			b.WriteString(a.line[a.at : a.at+end+2])
			a.at += end + 2
		case c == '`':
			return "", errors.New("commands in backquotes are not run; a program can set a variable by -v NAME=VALUE or " +
				"\\getenv")
		default:
			s, err := a.plain()
			if err != nil {
				return "", err
			}
			b.WriteString(s)
		}
	}
	return b.String(), nil
}

// plain reads a character, or a variable.
func (a *argumentReader) plain() (string, error) {
	if a.line[a.at] == ':' {
		if ref, ok := reference(a.line[a.at:]); ok {
			value, known := a.vars.value(ref)
			if !known && a.strict && (ref.name[0] < '0' || ref.name[0] > '9') { // :5432 may be the port of a server
				return "", unset(ref.name)
			}
			if known {
				a.at += ref.length
				return value, nil
			}
		}
	}
	a.at++
	return a.line[a.at-1 : a.at], nil
}

// unset is the error of a variable that is used and has no value.
func unset(name string) error {
	return fmt.Errorf(`variable %s is not set: \set %s VALUE sets it, or -v %s=VALUE on the command line`, name, name,
		name)
}

// escapes are the characters that stand behind a backslash for others.
var escapes = map[byte]string{'n': "\n", 't': "\t", 'b': "\b", 'r': "\r", 'f': "\f"}

// quoted reads what stands between single quotes.
func (a *argumentReader) quoted() (string, error) {
	var b strings.Builder
	for a.at++; a.at < len(a.line); a.at++ {
		switch c := a.line[a.at]; {
		case c == '\'' && strings.HasPrefix(a.line[a.at+1:], "'"):
			b.WriteByte('\'')
			a.at++
		case c == '\'':
			a.at++
			return b.String(), nil
		case c == '\\' && a.at+1 < len(a.line):
			a.at++
			b.WriteString(a.escape())
		default:
			b.WriteByte(c)
		}
	}
	return "", errors.New("this quoted text has no end")
}

// escape reads what follows a backslash, but for its last character.
func (a *argumentReader) escape() string {
	rest := a.line[a.at:]
	digits, base := rest, 8
	if rest[0] == 'x' {
		digits, base = rest[1:], 16
	}
	for n := min(len(digits), 16/base+1); n > 0; n-- { // three octal or two hexadecimal digits
		if v, err := strconv.ParseUint(digits[:n], base, 8); err == nil {
			a.at += len(rest) - len(digits) + n - 1
			return string([]byte{byte(v)})
		}
	}
	if s, ok := escapes[rest[0]]; ok {
		return s
	}
	return rest[:1]
}
