package repl

import (
	"regexp"
	"slices"
	"strings"
)

// seen is a statement as completion sees it: its words and signs, without comments and what strings hold.
type seen struct {
	tokens []string
	cursor int // number of tokens before the cursor
}

// tokenShape are the tokens, an unfinished string or comment among them.
var tokenShape = regexp.MustCompile(`--[^\n]*|/\*(?s:.*?)(?:\*/|$)|'(?:[^']|'')*(?:'|$)|"(?:[^"]|"")*(?:"|$)|[\pL\pN_.@]+|\S`)

// sight reads the statement around a cursor; what follows it ends with the statement.
func sight(head, after string) *seen {
	s := &seen{tokens: tokens(head)}
	s.cursor = len(s.tokens)
	rest := tokens(after)
	if end := slices.Index(rest, ";"); end >= 0 {
		rest = rest[:end]
	}
	s.tokens = append(s.tokens, rest...)
	return s
}

func tokens(text string) []string {
	return slices.DeleteFunc(tokenShape.FindAllString(text, -1), func(t string) bool {
		return strings.HasPrefix(t, "--") || strings.HasPrefix(t, "/*")
	})
}

// is tells whether a token is one of some keywords.
func (s *seen) is(i int, words ...string) bool {
	return i >= 0 && i < len(s.tokens) && slices.Contains(words, strings.ToUpper(s.tokens[i]))
}

// last is the token before the cursor.
func (s *seen) last() string {
	if s.cursor == 0 {
		return ""
	}
	return s.tokens[s.cursor-1]
}

// option tells whether the cursor is within the options of a WITH, and of which one a value is typed; ""
// where a name is.
func (s *seen) option() (name string, in bool) {
	depth, start := 0, -1
	for i := s.cursor - 1; i >= 0; i-- {
		switch s.tokens[i] {
		case ")":
			depth++
		case "(":
			if depth--; depth < 0 {
				if !s.is(i-1, "WITH") {
					return "", false
				}
				start = i
			}
		}
		if start >= 0 {
			break
		}
	}
	if start < 0 {
		return "", false
	}
	if s.last() == "=" && s.cursor-2 > start {
		return s.tokens[s.cursor-2], true
	}
	return "", s.last() == "," || s.cursor-1 == start
}

// behind is the token that follows the last of some keywords before the cursor.
func (s *seen) behind(words ...string) string {
	for i := s.cursor - 2; i >= 0; i-- {
		if s.is(i, words...) {
			return s.tokens[i+1]
		}
	}
	return ""
}

// selects are the names of the selects of WITH clauses.
func (s *seen) selects() (out []string) {
	for i, t := range s.tokens {
		if i == 0 || !lastWord.MatchString(t) || !s.is(i-1, "WITH", ",", "RECURSIVE") {
			continue
		}
		end := i + 1
		if end < len(s.tokens) && s.tokens[end] == "(" { // names of columns
			for end < len(s.tokens) && s.tokens[end] != ")" {
				end++
			}
			end++
		}
		if s.is(end, "AS") && end+1 < len(s.tokens) && (s.tokens[end+1] == "(" || s.is(end+1, "NOT", "MATERIALIZED")) {
			out = append(out, t)
		}
	}
	return out
}

// joins tells whether ON states how tables are joined, as in selects, and does not name data.
func (s *seen) joins() bool {
	for i := range s.cursor {
		if s.is(i, "FROM", "JOIN") {
			return true
		}
	}
	return false
}

// tables are the tables that the statement names, by the names that its expressions know them by.
func (s *seen) tables(known func(string) bool) map[string]string {
	out := map[string]string{}
	for i, t := range s.tokens {
		name := strings.ToLower(t)
		if i == 0 || !s.is(i-1, "FROM", "JOIN", ",", "ON", "UPDATE", "INTO") || !known(name) {
			continue
		}
		out[name] = name
		next := i + 1
		if s.is(next, "AS") {
			next++
		}
		if next < len(s.tokens) && next != s.cursor && plainName.MatchString(s.tokens[next]) {
			out[strings.ToLower(s.tokens[next])] = name
		}
	}
	return out
}

// plainName is a name without parts.
var plainName = regexp.MustCompile(`^[\pL_][\pL\pN_]*$`)
