package external

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// template makes a text of the tokens around one.
type template struct {
	text            string
	unigram, bigram bool // it weighs labels, pairs of labels, or both
	fixed           bool // it makes the same text everywhere
	parts           []part
}

// part is a literal text, or what a token gives.
type part struct {
	literal  string
	of       byte // 0 for a literal; x: the token, t: whether an expression matches it, m: what it matches
	absolute byte // ^: offset counts from the first token, 0; $: from after the last, −1; 0: from the token
	lower    bool // ASCII letters of the result become small ones
	offset   int
	column   int
	match    *expression
}

// constant reports whether the template gives the same text everywhere.
func (t *template) constant() bool {
	for _, p := range t.parts {
		if p.of != 0 {
			return false
		}
	}
	return true
}

func (t *template) reads(column int) bool {
	for _, p := range t.parts {
		if p.of != 0 && p.column == column {
			return true
		}
	}
	return false
}

// check reports a column that is not there.
func (t *template) check(columns []string) error {
	for _, p := range t.parts {
		if p.of == 0 {
			continue
		}
		if p.column < len(columns) && columns[p.column] != nothing {
			continue
		}
		return &TemplateError{t.text, fmt.Sprintf("reads column %d, counted from 0, and columns names %d: %s", p.column,
			len(columns), strings.Join(columns, ", "))}
	}
	return nil
}

// TemplateError says what is wrong with a template.
type TemplateError struct{ Template, Fault string }

func (e *TemplateError) Error() string { return fmt.Sprintf("the template %s %s", e.Template, e.Fault) }

func parseTemplate(n Notation, s string) (template, error) {
	switch n {
	case CRFPP:
		return parseCRFPP(s)
	case Wapiti:
		return parseWapiti(s)
	}
	return template{}, &TemplateError{s, "is in a model without templates"}
}

// CheckTemplate reports by an error of type *TemplateError what is wrong with a template.
func CheckTemplate(n Notation, s string) error {
	_, err := parseTemplate(n, s)
	return err
}

// TemplateColumns is how many columns a template reads at least: the highest one counted from 0, and one more.
func TemplateColumns(n Notation, s string) int {
	t, err := parseTemplate(n, s)
	most := 0
	if err == nil {
		for _, p := range t.parts {
			if p.of != 0 {
				most = max(most, p.column+1)
			}
		}
	}
	return most
}

// crfppRows is how far templates of CRF++ look at most.
const crfppRows = 8

// parseCRFPP reads a template of CRF++: texts and %x[row,col], row from −8 to 8 without a plus sign or blanks.
func parseCRFPP(s string) (template, error) {
	t := template{text: s, unigram: strings.HasPrefix(s, "U"), bigram: strings.HasPrefix(s, "B")}
	if !t.unigram && !t.bigram {
		return t, &TemplateError{s, "begins neither with U nor with B"}
	}
	for rest := s; rest != ""; {
		lit, after, found := strings.Cut(rest, "%")
		t.literal(lit)
		if !found {
			break
		}
		inside, next, ok := strings.Cut(after, "]")
		args, isX := strings.CutPrefix(inside, "x[")
		row, col, two := strings.Cut(args, ",")
		r, err1 := plainNumber(row)
		c, err2 := plainNumber(col)
		if !ok || !isX || !two || err1 != nil || err2 != nil || r < -crfppRows || r > crfppRows || c < 0 {
			return t, &TemplateError{s, "has a % without x[row,col], row from −8 to 8 and col from 0"}
		}
		t.parts = append(t.parts, part{of: 'x', offset: r, column: c})
		rest = next
	}
	return t, nil
}

// literal adds a text to the parts.
func (t *template) literal(s string) {
	if s != "" {
		t.parts = append(t.parts, part{literal: s})
	}
}

// plainNumber reads digits, perhaps after a minus sign.
func plainNumber(s string) (int, error) {
	if strings.HasPrefix(s, "+") {
		return 0, strconv.ErrSyntax
	}
	return strconv.Atoi(s)
}

// parseWapiti reads a pattern of Wapiti: texts, and %x[off,col], %t[off,col,"re"], %m[off,col,"re"]. A capital makes
// letters small; @ before off counts from the sentence's ends.
func parseWapiti(s string) (template, error) {
	t := template{text: s}
	switch {
	case s == "":
		return t, &TemplateError{s, "is empty"}
	case s[0] == 'u' || s[0] == 'U':
		t.unigram = true
	case s[0] == 'b' || s[0] == 'B':
		t.bigram = true
	case s[0] == '*':
		t.unigram, t.bigram = true, true
	default:
		return t, &TemplateError{s, "begins with none of u, b and *"}
	}
	for rest := s; rest != ""; {
		lit, after, found := strings.Cut(rest, "%")
		t.literal(lit)
		if !found {
			break
		}
		p, next, err := wapitiPart(after)
		if err != nil {
			return t, &TemplateError{s, err.Error()}
		}
		t.parts, rest = append(t.parts, p), next
	}
	return t, nil
}

// wapitiPart reads what stands after a % and returns what is left.
func wapitiPart(s string) (p part, rest string, err error) {
	fault := errors.New(`has a % without x[offset,column], t[offset,column,"expression"] or ` +
		`m[offset,column,"expression"]`)
	if len(s) < 2 || s[1] != '[' || !strings.ContainsRune("xtmXTM", rune(s[0])) {
		return p, "", fault
	}
	p.of = s[0] | 0x20
	p.lower = s[0] != p.of
	s = strings.TrimLeft(s[2:], " ")
	s, absolute := strings.CutPrefix(s, "@")
	if p.offset, s, err = leadingNumber(s); err != nil || !strings.HasPrefix(s, ",") {
		return p, "", fault
	}
	switch {
	case absolute && p.offset < 0:
		p.absolute = '$' // −1 is the last token
	case absolute:
		p.absolute = '^' // 1 is the first token
		p.offset--
	}
	if p.column, s, err = leadingNumber(strings.TrimLeft(s[1:], " ")); err != nil || p.column < 0 {
		return p, "", fault
	}
	if p.of != 'x' {
		s, ok := strings.CutPrefix(s, ",")
		if s = strings.TrimLeft(s, " "); !ok || !strings.HasPrefix(s, `"`) {
			return p, "", fault
		}
		end := closingQuote(s)
		if end < 0 || !strings.HasPrefix(s[end+1:], "]") {
			return p, "", fault
		}
		p.match, err = parseExpression(s[1:end])
		return p, s[end+2:], err
	}
	s = strings.TrimLeft(s, " ")
	if !strings.HasPrefix(s, "]") {
		return p, "", fault
	}
	return p, s[1:], nil
}

// closingQuote is the place of the quote that ends a text which begins with one; −1 if there is none.
func closingQuote(s string) int {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return i
		}
	}
	return -1
}

func leadingNumber(s string) (int, string, error) {
	n := 0
	if n < len(s) && (s[n] == '-' || s[n] == '+') {
		n++
	}
	for n < len(s) && '0' <= s[n] && s[n] <= '9' {
		n++
	}
	k, err := strconv.Atoi(s[:n])
	return k, s[n:], err
}
