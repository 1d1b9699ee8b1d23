package repl

import (
	"context"
	"slices"
	"strings"

	"parlance/db"
	"parlance/query/parse"
)

// highlighter colours what is typed: keywords, literals, comments, names that there are, and what is wrong.
type highlighter struct {
	*completer
	known map[string]bool // names; nil before they are asked for
}

// renew forgets the names, which a statement may have changed. Within a transaction block they stay, for asking would
// fix what its statements see.
func (h *highlighter) renew() {
	if h.conn.Block() == db.NoBlock {
		h.known = nil
	}
}

// exists tells whether there is something of a name.
func (h *highlighter) exists(name string) bool {
	if h.known == nil && h.conn.Block() == db.NoBlock {
		h.known = map[string]bool{}
		k := h.catalog(context.Background())
		for _, name := range k.names("table", "kind", "model", "format", "setting") {
			h.known[name] = true
		}
		for _, w := range k {
			if w.sort == "table" {
				h.known[w.column] = true
			}
		}
	}
	return h.known[strings.ToLower(strings.Trim(name, `"`))]
}

// inks of the parts of statements, as sequences of ECMA-48 name them.
var inks = map[parse.Class]string{parse.Keyword: "1;34", parse.String: "32", parse.Number: "35", parse.Parameter: "35",
	parse.Comment: "2", parse.Invalid: "4;31"}

const nameInk = "36"

// colour colours a text as it is typed. It changes no character.
func (h *highlighter) colour(typed []rune) string {
	text := string(typed)
	if strings.HasPrefix(strings.TrimSpace(text), `\`) {
		return colourCommand(text)
	}
	parts := parse.Highlight(text)
	var b strings.Builder
	end := 0
	for i, p := range parts {
		b.WriteString(text[end:p.From])
		word := text[p.From:p.To]
		if word == `\` {
			return b.String() + colourCommand(text[p.From:])
		}
		end = p.To
		ink := inks[p.Class]
		if p.Class == parse.Name {
			switch {
			case h.exists(qualified(text, parts, i)) || h.exists(word):
				ink = nameInk
			case p.Keyword:
				ink = inks[parse.Keyword]
			}
		}
		b.WriteString(inked(word, ink))
	}
	return b.String() + text[end:]
}

// qualified is the name with its schema that a word is part of: people.entities.
func qualified(text string, parts []parse.Span, i int) string {
	from, to := i, i
	dot := func(k int) bool { return k >= 0 && k < len(parts) && text[parts[k].From:parts[k].To] == "." }
	if dot(i - 1) {
		from = max(0, i-2)
	}
	if dot(i + 1) {
		to = min(len(parts)-1, i+2)
	}
	return text[parts[from].From:parts[to].To]
}

// colourCommand colours the name of a command of the shell.
func colourCommand(text string) string {
	from := strings.IndexByte(text, '\\')
	if from < 0 {
		return text
	}
	name := upTo(text[from:], blanks+"\n")
	ink := inks[parse.Keyword]
	if commandOf(name) == nil {
		ink = inks[parse.Invalid]
		if slices.ContainsFunc(commandNames(), func(c string) bool { return strings.HasPrefix(c, name) }) {
			ink = "" // not typed to its end
		}
	}
	return text[:from] + inked(name, ink) + text[from+len(name):]
}

// inked writes a word in an ink, line by line.
func inked(word, ink string) string {
	if ink == "" {
		return word
	}
	lines := strings.Split(word, "\n")
	for i, l := range lines {
		if l != "" {
			lines[i] = "\x1b[" + ink + "m" + l + "\x1b[0m"
		}
	}
	return strings.Join(lines, "\n")
}
