package repl

import (
	"strings"

	"parlance/query/parse"
)

// gather puts the lines of statements together.
type gather struct {
	text   strings.Builder // of what has not ended
	begun  bool            // it is more than blanks and lines of comments
	before int             // lines before it
	lines  int
}

// entry is what can be run: statements, or a command of the shell.
type entry struct {
	text    string
	before  int // lines before it
	command bool
}

// add takes a line without its end. The entry that it completes is nil for none.
func (g *gather) add(line string) *entry {
	g.lines++
	start := strings.TrimSpace(line)
	if strings.HasPrefix(start, `\`) && !g.open() {
		g.reset()
		return &entry{line, g.lines - 1, true}
	}
	g.begun = g.begun || start != "" && !strings.HasPrefix(start, "--")
	g.text.WriteString(line + "\n")
	if strings.Contains(line, ";") && parse.Complete(g.text.String()) {
		return g.rest()
	}
	return nil
}

// open tells whether a statement has begun that has not ended.
func (g *gather) open() bool {
	if !g.begun {
		return false
	}
	list, err := parse.Script(g.text.String())
	return len(list) > 0 || err != nil
}

// rest is what has not ended, to be run nevertheless; nil for nothing.
func (g *gather) rest() *entry {
	defer g.reset()
	if g.text.Len() == 0 {
		return nil
	}
	return &entry{text: g.text.String(), before: g.before}
}

// reset forgets what has not ended.
func (g *gather) reset() {
	g.text.Reset()
	g.begun, g.before = false, g.lines
}
