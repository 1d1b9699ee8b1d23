package repl

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"time"

	"parlance/query/parse"

	"github.com/reeflective/readline"
)

// completeTime bounds the look at the catalog; without an answer keywords alone are offered.
const completeTime = time.Second

// completer offers what may stand at the cursor: keywords by the grammar, names by the catalog.
type completer struct {
	conn session
}

// catalogWords asks for all that the catalog offers.
const catalogWords = `SELECT 'table' AS what, CASE table_schema WHEN 'public' THEN table_name ELSE table_schema || '.' || table_name END AS name, column_name AS part
FROM information_schema.columns WHERE table_schema NOT IN ('pg_catalog', 'information_schema', 'system')
UNION ALL SELECT DISTINCT 'table', table_schema || '.' || table_name, NULL FROM information_schema.columns WHERE table_schema = 'system'
UNION ALL SELECT 'kind', name, NULL FROM system.kinds
UNION ALL SELECT 'model', name, NULL FROM system.models
UNION ALL SELECT 'format', name, NULL FROM system.formats`

// lastWord is the word that is being typed.
var lastWord = regexp.MustCompile(`[\pL\pN_.@]*$`)

// complete returns the beginning of the word that a text ends with, and what it may become.
func (c *completer) complete(ctx context.Context, text string) (prefix string, found []string) {
	if line := strings.TrimLeft(text, " "); strings.HasPrefix(line, `\`) {
		if strings.Contains(line, " ") {
			return "", nil
		}
		return line, beginning(line, commands)
	}
	prefix = lastWord.FindString(text)
	head := text[:len(text)-len(prefix)]
	if i := strings.LastIndexByte(head, ';'); i >= 0 && parse.Complete(head[:i+1]) {
		head = head[i+1:]
	}
	words, name := parse.Next(head)
	if prefix != "" && strings.ToUpper(prefix) != prefix {
		for i, w := range words {
			words[i] = strings.ToLower(w)
		}
	}
	found = beginning(prefix, words)
	if name {
		found = append(found, beginning(prefix, c.names(ctx, head))...)
	}
	slices.Sort(found)
	return prefix, slices.Compact(found)
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

// names are those that fit behind a text.
func (c *completer) names(ctx context.Context, head string) []string {
	before := strings.Fields(head)
	if len(before) == 0 {
		return nil
	}
	switch strings.ToUpper(before[len(before)-1]) {
	case "FORMAT":
		return c.catalog(ctx, "format")
	case "TRAIN", "TUNE", "KIND":
		return c.catalog(ctx, "kind")
	case "USING", "EVALUATE", "MODEL", "REPLAY", "PROMOTE", "OF":
		return c.catalog(ctx, "model")
	case "FROM", "JOIN", "INTO", "ON", "CORPUS", "UPDATE", "DESCRIBE", "COPY":
		return c.catalog(ctx, "table", "model")
	case "AS", "CREATE", "USER":
		return nil // a new name
	}
	return c.catalog(ctx, "table", "column")
}

// catalog lists names of some sorts, such as tables and columns.
func (c *completer) catalog(ctx context.Context, sorts ...string) []string {
	ctx, cancel := context.WithTimeout(ctx, completeTime)
	defer cancel()
	rows, err := c.conn.Query(ctx, catalogWords)
	if err != nil {
		return nil
	}
	defer rows.Close()
	var out []string
	for rows.Next() {
		v := rows.Values()
		if slices.Contains(sorts, v[0].String()) {
			out = append(out, v[1].String())
		}
		if !v[2].IsNull() && slices.Contains(sorts, "column") {
			out = append(out, v[2].String())
		}
	}
	return out
}

// offer is complete as the line editor asks for it.
func (c *completer) offer(line []rune, cursor int) readline.Completions {
	prefix, found := c.complete(context.Background(), string(line[:min(cursor, len(line))]))
	if len(found) == 1 {
		found[0] += " "
	}
	out := readline.CompleteValues(found...)
	out.PREFIX = prefix
	return out
}
