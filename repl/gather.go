package repl

import (
	"strings"
	"unicode/utf8"

	"parlance/query/ast"
	"parlance/query/lex"
)

// gather cuts lines into statements and commands of the shell. Variables are put into statements, and what stands in
// branches of \if that are not taken is left out.
type gather struct {
	vars    *variables // nil for none
	note    func(what string)
	rest    string          // of the lines, to be cut
	waiting bool            // rest begins with a string or comment that the last line does not end
	text    strings.Builder // of the statement that has not ended
	begun   bool            // it is more than blanks and comments
	unset   string          // a variable that text quotes and that has no value, "" for none
	at      ast.Pos         // of rest, from 0
	start   ast.Pos         // of text
	active  []expansion
	branches
}

// expansion is a variable whose value is being cut: it is not put in again.
type expansion struct {
	name string
	left int     // bytes of rest behind it
	at   ast.Pos // of rest behind it
}

// entry is what can be run: statements, or a command of the shell.
type entry struct {
	text    string
	at      ast.Pos // of its beginning, from 0
	command *metaCommand
	words   []string // of the command; its name is the first
	err     error    // in the words, or of a variable of the statement
}

// add adds a line without its end.
func (g *gather) add(line string) {
	for i := range g.active {
		g.active[i].left += len(line) + 1
	}
	g.waiting = g.rest != "" && !mayEnd(g.rest, line)
	g.rest += line + "\n"
}

// mayEnd tells whether a line may end a string, quoted name or comment: long ones are not read again with each line.
func mayEnd(open, line string) bool {
	switch open[0] {
	case '\'', '"':
		return strings.Contains(strings.ReplaceAll(line, open[:1]+open[:1], ""), open[:1])
	case '/':
		return strings.Contains(line, "*/")
	case '$':
		return strings.Contains(line, "$")
	}
	return strings.Contains(line, "'")
}

// next returns what the lines complete next; nil for nothing.
func (g *gather) next() *entry {
	for g.rest != "" && !g.waiting {
		n, stop, begun := lex.ScanInput(g.rest)
		g.keep(n, begun)
		var e *entry
		switch stop {
		case lex.StopOpen:
			return nil
		case lex.StopSemicolon:
			e = g.ended()
		case lex.StopBackslash:
			e = g.backslash()
		case lex.StopVariable:
			g.variable()
		}
		if e != nil {
			return e
		}
	}
	g.waiting = false
	return nil
}

// keep moves n bytes to the statement, if it is wanted.
func (g *gather) keep(n int, begun bool) {
	if g.text.Len() == 0 {
		blank := len(g.rest[:n]) - len(strings.TrimLeft(g.rest[:n], " \t\r\n\f\v\ufeff"))
		g.drop(blank)
		n -= blank
		g.start = g.at
	}
	if g.on() {
		g.text.WriteString(g.rest[:n])
		g.begun = g.begun || begun
	} else if begun && g.note != nil {
		g.note("statement")
	}
	g.drop(n)
}

// drop moves over n bytes. Behind the value of a variable the place is that behind its name.
func (g *gather) drop(n int) {
	for len(g.active) > 0 {
		last := g.active[len(g.active)-1]
		inside := len(g.rest) - last.left
		if n < inside {
			break
		}
		g.active = g.active[:len(g.active)-1]
		g.rest, g.at, n = g.rest[inside:], last.at, n-inside
	}
	text := g.rest[:n]
	if lines := strings.Count(text, "\n"); lines > 0 {
		g.at.Line += lines
		g.at.Col = 0
		text = text[strings.LastIndexByte(text, '\n')+1:]
	}
	g.at.Col += utf8.RuneCountInString(text)
	g.rest = g.rest[n:]
}

// ended is the statement behind which there was a semicolon; nil for an empty one.
func (g *gather) ended() *entry {
	if !g.on() {
		return nil
	}
	defer g.reset()
	if !g.begun {
		return nil
	}
	e := &entry{text: g.text.String(), at: g.start}
	if g.unset != "" {
		e.err = unset(g.unset)
	}
	return e
}

// variable puts the value of a variable in its place.
func (g *gather) variable() {
	ref, ok := reference(g.rest)
	value, known := "", false
	if ok && g.on() {
		value, known = g.vars.value(ref)
	}
	for _, a := range g.active {
		known = known && (a.name != ref.name || ref.form != plainForm)
	}
	if !known {
		if ok && g.on() && g.vars != nil && ref.form != plainForm && (ref.name[0] < '0' || ref.name[0] > '9') {
			g.unset = ref.name
		}
		g.keep(1, true) // the colon
		return
	}
	g.keep(0, ref.form != plainForm)
	g.drop(ref.length)
	if ref.form != plainForm {
		g.text.WriteString(value)
		return
	}
	g.active = append(g.active, expansion{ref.name, len(g.rest), g.at})
	g.rest = value + g.rest
	g.at.Line -= strings.Count(value, "\n")
	g.at.Col -= utf8.RuneCountInString(value)
}

// backslash is the command at the beginning of rest; nil for one that is no more than a sign of a statement, that says
// what is run, or that is not wanted.
func (g *gather) backslash() *entry {
	if strings.HasPrefix(g.rest, `\;`) || strings.HasPrefix(g.rest, `\:`) {
		g.drop(1)
		g.keep(1, true)
		return nil
	}
	e := &entry{at: g.at}
	name := g.rest[:1+len(upTo(g.rest[1:], blanks+"\\\n"))]
	e.words = []string{name}
	g.drop(len(name))
	e.command = commandOf(name)
	vars := g.vars
	if !g.on() && !g.asks(name) {
		vars = nil
	}
	line := upTo(g.rest, "\n")
	switch {
	case e.command == nil:
		g.drop(len(line))
	case e.command.line:
		if word := strings.Trim(line, blanks); word != "" {
			e.words = append(e.words, word)
		}
		g.drop(len(line))
	default:
		words, n, err := arguments(line, vars, e.command.strict)
		e.words, e.err = append(e.words, words...), err
		g.drop(n)
	}
	if s := g.text.String(); strings.HasPrefix(g.rest, "\n") && strings.HasSuffix(s, "\n") {
		g.drop(1)
	}
	if conditional(name) {
		if e.err = g.condition(e.words, e.err); e.err == nil {
			return nil
		}
		return e
	}
	if !g.on() {
		if g.note != nil {
			g.note(name)
		}
		return nil
	}
	return e
}

// open tells whether a statement, a string or a comment has begun that has not ended.
func (g *gather) open() bool { return g.begun || g.rest != "" }

// left is what has not ended, to be run nevertheless; nil for nothing.
func (g *gather) left() *entry {
	g.waiting = false
	e := g.next()
	if e != nil || !g.open() {
		return e
	}
	g.keep(len(g.rest), true)
	return g.ended()
}

// reset forgets what has not ended.
func (g *gather) reset() {
	g.text.Reset()
	g.begun, g.unset = false, ""
}

// interrupt forgets what has not ended, and the innermost \if that has not.
func (g *gather) interrupt() {
	if !g.open() && len(g.branches) > 0 {
		g.branches = g.branches[:len(g.branches)-1]
	}
	g.reset()
	g.rest, g.waiting, g.active = "", false, nil
}

// upTo is what text begins with before one of some characters.
func upTo(text, chars string) string {
	if i := strings.IndexAny(text, chars); i >= 0 {
		return text[:i]
	}
	return text
}
