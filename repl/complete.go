package repl

import (
	"context"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"

	"parlance/db/manual"
	"parlance/query/lex"
	"parlance/query/parse"

	"github.com/reeflective/readline"
)

// completeTime bounds the look at the catalog; without an answer keywords alone are offered.
const completeTime = time.Second

// completer offers what may stand at the cursor: keywords by the grammar, names by the catalog.
type completer struct {
	conn  session
	quiet *bool      // whether notices are left out; may be nil
	vars  *variables // may be nil
}

// lastWord is the word that is being typed.
var lastWord = regexp.MustCompile(`[\pL\pN_.@]*$`)

// complete returns the beginning of the word that a text ends with, and what it may become where
// something follows, sorted.
func (c *completer) complete(ctx context.Context, text, after string) (prefix string, found []string) {
	prefix, found = c.candidates(ctx, text, after)
	found = beginning(prefix, found)
	slices.Sort(found)
	return prefix, slices.Compact(found)
}

// candidates are what may stand at the end of a text, whatever the word there begins with.
func (c *completer) candidates(ctx context.Context, text, after string) (prefix string, found []string) {
	if line, ok := commandLine(text); ok {
		return c.argument(ctx, line)
	}
	if prefix, found, ok := c.quotedPath(text, after); ok {
		return prefix, found
	}
	prefix = lastWord.FindString(text)
	head := text[:len(text)-len(prefix)]
	if i := strings.LastIndexByte(head, ';'); i >= 0 && lex.Complete(head[:i+1]) {
		head = head[i+1:]
	}
	s := sight(head, after)
	if option, in := s.option(); in {
		return prefix, c.options(ctx, s, option)
	}
	words, name := parse.Next(head)
	if prefix != "" && strings.ToUpper(prefix) != prefix {
		for i, w := range words {
			words[i] = strings.ToLower(w)
		}
	}
	if name {
		words = append(words, c.names(ctx, s, prefix)...)
	}
	return prefix, words
}

// commandLine is the command of the shell that a text ends with.
func commandLine(text string) (line string, ok bool) {
	var g gather
	before := strings.LastIndexByte(text, '\n') + 1
	for line := range strings.SplitSeq(text, "\n") {
		g.add(line)
		for e := g.next(); e != nil; e = g.next() {
			if ok = e.words != nil && e.at.Line == strings.Count(text[:before], "\n"); ok {
				return string([]rune(text[before:])[e.at.Col:]), true
			}
		}
	}
	return "", false
}

// argument completes a command of the shell.
func (c *completer) argument(ctx context.Context, line string) (prefix string, found []string) {
	name, rest, spaced := strings.Cut(line, " ")
	if !spaced {
		return line, commandNames()
	}
	rest = strings.TrimLeft(rest, " ")
	if command := commandOf(name); command != nil && command.words != nil {
		found = command.words(c, ctx, rest)
	}
	return rest, found
}

// topics are the titles of the manual.
func topics() (out []string) {
	all, err := manual.Sections()
	if err != nil {
		return nil
	}
	for _, s := range all {
		out = append(out, strings.Split(s.Title, ", ")...)
	}
	return out
}

// beginning are those of the words that begin with a prefix, in whatever case.
func beginning(prefix string, words []string) []string {
	var out []string
	for _, w := range words {
		if len(w) >= len(prefix) && strings.EqualFold(w[:len(prefix)], prefix) {
			out = append(out, w)
		}
	}
	return out
}

// names are those that fit at a place.
func (c *completer) names(ctx context.Context, s *seen, prefix string) []string {
	known := c.catalog(ctx)
	switch strings.ToUpper(s.last()) {
	case "FORMAT":
		return known.names("format")
	case "TRAIN", "TUNE", "KIND":
		return known.names("kind")
	case "USING", "EVALUATE", "MODEL", "REPLAY", "PROMOTE", "OF":
		return known.names("model")
	case "SET", "RESET", "SHOW":
		return known.names("setting")
	case "FROM", "JOIN", "INTO", "CORPUS", "UPDATE", "DESCRIBE", "COPY":
		return append(known.names("table", "model"), s.selects()...)
	case "ON":
		if !s.joins() {
			return known.names("table", "model")
		}
	case "AS", "CREATE", "USER":
		return nil // a new name
	}
	return append(known.fields(s, prefix), append(known.names("table"), s.selects()...)...)
}

// offer is complete as the line editor asks for it.
func (c *completer) offer(line []rune, cursor int) readline.Completions {
	cursor = min(cursor, len(line))
	prefix, found := c.complete(context.Background(), string(line[:cursor]), string(line[cursor:]))
	// Without a prefix the editor would take all that stands before the cursor up to a blank, such as a parenthesis.
	sign := ""
	if prefix == "" && cursor > 0 && !unicode.IsSpace(line[cursor-1]) {
		sign = string(line[cursor-1])
	}
	list := make([]readline.Completion, len(found))
	for i, word := range found {
		list[i] = readline.Completion{Value: sign + word, Display: word}
	}
	inString := cursor < len(line) && line[cursor] == '\''
	if len(found) == 1 && !inString && !strings.HasSuffix(found[0], string(filepath.Separator)) {
		list[0].Value += " "
	}
	out := readline.CompleteRaw(list)
	out.PREFIX = sign + prefix
	return out
}
