package parse

import (
	"slices"
	"strings"
	"unicode"

	"github.com/alecthomas/participle/v2/ebnf"
)

// Synopsis returns the syntax of the statements that begin with the given words, in any case, as manuals write it:
// [optional], {one | other}, … for repetition, names of productions in lower case, each told once below. It is empty
// if no statement begins so.
func Synopsis(words string) string {
	start := strings.Fields(strings.ToUpper(words))
	if len(start) == 0 {
		return ""
	}
	tree, err := ebnf.ParseString(strings.ReplaceAll(EBNF(), ")+?", ")*"))
	if err != nil {
		return ""
	}
	s := synopsis{explained: map[string]bool{}, productions: map[string]*ebnf.Expression{}}
	for _, p := range tree.Productions {
		s.productions[p.Production] = p.Expression
	}
	for _, p := range tree.Productions {
		if strings.TrimSuffix(p.Production, "Statement") != "" && strings.HasSuffix(p.Production, "Statement") &&
			!isExpressionPart(p.Production) && s.begins(p.Expression, start) {
			s.explained[p.Production] = true
			s.lines = append(s.lines, wrapLine(s.expression(p.Expression), ""))
		}
	}
	s.explain()
	if len(s.lines) == 0 {
		return ""
	}
	return strings.Join(s.lines, "\n")
}

// synopsis writes productions of the grammar for people.
type synopsis struct {
	productions map[string]*ebnf.Expression
	explained   map[string]bool
	pending     []string // productions that what is written names, in order
	lines       []string
}

// begins reports whether an expression can begin with keywords.
func (s *synopsis) begins(e *ebnf.Expression, words []string) bool {
	for _, a := range e.Alternatives {
		if s.sequenceBegins(a.Terms, words) {
			return true
		}
	}
	return false
}

func (s *synopsis) sequenceBegins(terms []*ebnf.Term, words []string) bool {
	for len(words) > 0 {
		for len(terms) > 0 && terms[0].Group != nil && terms[0].Group.Lookahead != ebnf.LookaheadAssertionNone {
			terms = terms[1:]
		}
		if len(terms) == 0 {
			return false
		}
		t := terms[0]
		switch {
		case t.Literal != "":
			if wordOf(t) != words[0] {
				return false
			}
			words = words[1:]
		case t.Repetition == "?" || t.Repetition == "*":
			if t.Group != nil && s.begins(t.Group.Expr, words) {
				return true
			}
		case t.Group != nil:
			return s.begins(t.Group.Expr, words)
		case s.productions[t.Name] != nil && t.Name != "Expression":
			return s.begins(s.productions[t.Name], words)
		default:
			return false
		}
		terms = terms[1:]
	}
	return true
}

// explain tells the productions that the lines name, and those that these name, but for statements and expressions.
func (s *synopsis) explain() {
	for len(s.pending) > 0 {
		name := s.pending[0]
		s.pending = s.pending[1:]
		if s.explained[name] || strings.HasSuffix(name, "Statement") || isExpressionPart(name) {
			continue
		}
		s.explained[name] = true
		s.lines = append(s.lines, wrapLine(placeholderName(name)+": "+s.expression(s.productions[name]), "  "))
	}
}

// isExpressionPart reports whether a production is a part of values, which the manual tells of.
func isExpressionPart(name string) bool {
	return slices.Contains([]string{"Expression", "Operand", "Argument", "OptionValue", "TypeName", "Window",
		"PlainStatement"}, name)
}

// placeholderName is the name of a production as a placeholder: NamedTable is named_table, SelectStatement select.
func placeholderName(name string) string {
	var b strings.Builder
	for i, r := range strings.TrimSuffix(name, "Statement") {
		if unicode.IsUpper(r) && i > 0 {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

func (s *synopsis) expression(e *ebnf.Expression) string {
	var out []string
	for _, a := range e.Alternatives {
		text := s.sequence(a.Terms)
		if text != "" && !slices.Contains(out, text) { // tokens of several kinds are one to people
			out = append(out, text)
		}
	}
	if slices.Contains(out, "name") { // what is a word of the language elsewhere may be a name
		out = slices.DeleteFunc(out, func(s string) bool { return s == "constant" || s == "left" })
	}
	return strings.Join(out, " | ")
}

// sequence writes terms; what repeats after a comma is told by [, …].
func (s *synopsis) sequence(terms []*ebnf.Term) string {
	var out []string
	for _, t := range terms {
		text := s.term(t)
		if n := len(out); n > 0 && (text == "[, "+out[n-1]+"] …") {
			text = "[, …]"
		}
		if text != "" {
			out = append(out, text)
		}
	}
	return spacing.Replace(strings.Join(out, " "))
}

// spacing takes the spaces inside parentheses and around dots away.
var spacing = strings.NewReplacer("( ", "(", " )", ")", " . ", ".", " [. ", "[.")

func (s *synopsis) term(t *ebnf.Term) string {
	var text string
	several := false
	switch {
	case t.Literal != "":
		text = wordOf(t)
	case t.Token != "":
		text = token(t.Token)
	case t.Group != nil && t.Group.Lookahead != ebnf.LookaheadAssertionNone:
		return ""
	case t.Group != nil:
		text = s.expression(t.Group.Expr)
		several = strings.Contains(text, " | ") && choices(text) > 1
	default:
		s.pending = append(s.pending, t.Name)
		text = placeholderName(t.Name)
	}
	switch {
	case text == "":
		return ""
	case t.Repetition == "?":
		return "[" + text + "]"
	case t.Repetition == "*":
		return "[" + text + "] …"
	case t.Repetition == "+":
		return "{" + text + "} …"
	case several:
		return "{" + text + "}"
	}
	return text
}

// choices counts the alternatives at the top level of a text.
func choices(text string) int {
	n, depth := 1, 0
	for _, r := range text {
		switch r {
		case '[', '{':
			depth++
		case ']', '}':
			depth--
		case '|':
			if depth == 0 {
				n++
			}
		}
	}
	return n
}

// wordOf is the word of a term, which the grammar writes in quotes.
func wordOf(t *ebnf.Term) string { return strings.Trim(t.Literal, `"`) }

// token is what people write for a token of the scanner.
func token(name string) string {
	switch name {
	case "ident", "quoted", "keyword":
		return "name"
	case "string", "param":
		return "'text'"
	case "rows", "literals": // runs of literals, which are items too
		return ""
	case "version":
		return "@version"
	}
	return name
}

// wrapLine breaks a line at 78 columns, with what follows indented.
func wrapLine(text, indent string) string {
	const columns = 78
	var b strings.Builder
	b.WriteString(indent)
	at := len(indent)
	for i, word := range strings.Fields(text) {
		n := len([]rune(word))
		switch {
		case i == 0:
		case at+1+n > columns:
			b.WriteString("\n" + indent + "    ")
			at = len(indent) + 4
		default:
			b.WriteByte(' ')
			at++
		}
		b.WriteString(word)
		at += n
	}
	return b.String()
}
