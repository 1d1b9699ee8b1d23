package extract

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// SyntaxError is a fault in a pattern.
type SyntaxError struct {
	At   int // character, 1-based
	Msg  string
	Hint string // may be empty
}

func (e *SyntaxError) Error() string { return fmt.Sprintf("pattern, character %d: %s", e.At, e.Msg) }

// Bounds of what a pattern may be.
const (
	maxRepeat       = 1000
	maxDepth        = 100
	maxInstructions = 5000
)

type op uint8

const (
	opToken  op = iota // one token that passes test
	opSpan             // a span of a layer
	opStart            // start of the sentence
	opEnd              // end of the sentence
	opSeq              // subs one after the other
	opAlt              // one of subs
	opRepeat           // subs[0], min to max times; max -1 for any number
	opGroup            // subs[0], whose tokens have the name
)

// node is a part of a pattern.
type node struct {
	op       op
	at       int // character, 1-based
	test     *test
	layer    string
	labels   []string // of a span, any of these; none for all
	subs     []*node
	min, max int
	name     string
}

type parser struct {
	src   string
	pos   int // byte
	depth int
	names []string
}

// fail makes an error at a byte of the pattern.
func (p *parser) fail(at int, hint, format string, args ...any) error {
	return &SyntaxError{At: utf8.RuneCountInString(p.src[:min(at, len(p.src))]) + 1, Msg: fmt.Sprintf(format, args...),
		Hint: hint}
}

func (p *parser) space() {
	for p.pos < len(p.src) {
		r, n := utf8.DecodeRuneInString(p.src[p.pos:])
		if !unicode.IsSpace(r) {
			return
		}
		p.pos += n
	}
}

// peek returns the next character after white space, 0 at the end.
func (p *parser) peek() byte {
	p.space()
	if p.pos < len(p.src) {
		return p.src[p.pos]
	}
	return 0
}

func (p *parser) accept(s string) bool {
	p.space()
	if strings.HasPrefix(p.src[p.pos:], s) {
		p.pos += len(s)
		return true
	}
	return false
}

// expect takes s or reports what stands there instead, naming where the part began.
func (p *parser) expect(s, what string, from int) error {
	if p.accept(s) {
		return nil
	}
	if p.pos >= len(p.src) {
		return p.fail(from, "", "%s is not closed by %s", what, s)
	}
	r, _ := utf8.DecodeRuneInString(p.src[p.pos:])
	return p.fail(p.pos, "", "%s stands where %s should close %s", string(r), s, what)
}

func (p *parser) enter(at int) error {
	if p.depth++; p.depth > maxDepth {
		return p.fail(at, "", "the pattern nests deeper than %d", maxDepth)
	}
	return nil
}

// alternatives is sequence { "|" sequence }.
func (p *parser) alternatives() (*node, error) {
	from := p.pos
	if err := p.enter(from); err != nil {
		return nil, err
	}
	defer func() { p.depth-- }()
	var subs []*node
	for {
		n, err := p.sequence()
		if err != nil {
			return nil, err
		}
		subs = append(subs, n)
		if !p.accept("|") {
			break
		}
	}
	if len(subs) == 1 {
		return subs[0], nil
	}
	return &node{op: opAlt, at: subs[0].at, subs: subs}, nil
}

// sequence is one or more parts with their quantifiers.
func (p *parser) sequence() (*node, error) {
	var subs []*node
	for {
		c := p.peek()
		if c == 0 || c == '|' || c == ')' {
			break
		}
		n, err := p.atom()
		if err != nil {
			return nil, err
		}
		if n, err = p.quantified(n); err != nil {
			return nil, err
		}
		subs = append(subs, n)
	}
	switch len(subs) {
	case 0:
		return nil, p.fail(p.pos, "tokens are [lemma=work] or <token>, spans <entities PER>",
			"a token, a span or a group is wanted")
	case 1:
		return subs[0], nil
	}
	return &node{op: opSeq, at: subs[0].at, subs: subs}, nil
}

func (p *parser) atom() (*node, error) {
	p.space()
	from := p.pos
	at := utf8.RuneCountInString(p.src[:from]) + 1
	switch p.src[p.pos] {
	case '[':
		return p.token(at)
	case '<':
		return p.span(at)
	case '(':
		return p.group(at)
	case '^':
		p.pos++
		return &node{op: opStart, at: at}, nil
	case '$':
		p.pos++
		return &node{op: opEnd, at: at}, nil
	case '?', '*', '+', '{':
		return nil, p.fail(from, "a quantifier follows a token, a span or a group", "%c has nothing to repeat", p.src[p.pos])
	}
	r, _ := utf8.DecodeRuneInString(p.src[p.pos:])
	return nil, p.fail(from, `a word is written [form="word"]`, "%s cannot stand here", strconv.Quote(string(r)))
}

// group is ( alternatives ) or (?name alternatives).
func (p *parser) group(at int) (*node, error) {
	from := p.pos
	p.pos++
	name := ""
	if strings.HasPrefix(p.src[p.pos:], "?") {
		p.pos++
		if name = p.word(); name == "" {
			return nil, p.fail(p.pos, "(?person <entities PER>)", "the name of the group is wanted")
		}
		for _, known := range p.names {
			if known == name {
				return nil, p.fail(from, "", "two groups are named %s", name)
			}
		}
		p.names = append(p.names, name)
	}
	n, err := p.alternatives()
	if err != nil {
		return nil, err
	}
	if err := p.expect(")", "the group", from); err != nil {
		return nil, err
	}
	if name == "" {
		return n, nil
	}
	return &node{op: opGroup, at: at, name: name, subs: []*node{n}}, nil
}

// word reads letters, digits, _ and -, beginning with a letter or _; "" if none stands there.
func (p *parser) word() string {
	from := p.pos
	for p.pos < len(p.src) {
		r, n := utf8.DecodeRuneInString(p.src[p.pos:])
		if !unicode.IsLetter(r) && r != '_' && (p.pos == from || !unicode.IsDigit(r) && r != '-') {
			break
		}
		p.pos += n
	}
	return p.src[from:p.pos]
}

// span is <layer> or <layer label|label>; <token> is any token.
func (p *parser) span(at int) (*node, error) {
	from := p.pos
	p.pos++
	p.space()
	n := &node{op: opSpan, at: at, layer: p.word()}
	if n.layer == "" {
		return nil, p.fail(p.pos, "<entities PER>, <token>", "the name of a layer is wanted")
	}
	if p.peek() != '>' && p.peek() != 0 {
		for {
			label, err := p.value(">|")
			if err != nil {
				return nil, err
			}
			n.labels = append(n.labels, label)
			if !p.accept("|") {
				break
			}
		}
	}
	if err := p.expect(">", "<"+n.layer, from); err != nil {
		return nil, err
	}
	if n.layer != "token" {
		return n, nil
	}
	if len(n.labels) > 0 {
		return nil, p.fail(from, "[upos=VERB] asks for a column of a token", "<token> takes no label")
	}
	return &node{op: opToken, at: at, test: &test{op: testAny}}, nil
}

// value is a quoted text or a run of characters without white space and stops.
func (p *parser) value(stops string) (string, error) {
	p.space()
	from := p.pos
	if p.pos < len(p.src) && (p.src[p.pos] == '"' || p.src[p.pos] == '\'') {
		return p.quoted(p.src[p.pos])
	}
	for p.pos < len(p.src) {
		r, n := utf8.DecodeRuneInString(p.src[p.pos:])
		if unicode.IsSpace(r) || strings.ContainsRune(stops, r) {
			break
		}
		p.pos += n
	}
	if p.pos == from {
		return "", p.fail(from, `"quotes" hold any text`, "a value is wanted")
	}
	return p.src[from:p.pos], nil
}

// quoted reads a text between quotes; a backslash keeps the character after it.
func (p *parser) quoted(quote byte) (string, error) {
	from := p.pos
	var b strings.Builder
	for p.pos++; p.pos < len(p.src); p.pos++ {
		c := p.src[p.pos]
		switch {
		case c == quote:
			p.pos++
			return b.String(), nil
		case c == '\\' && p.pos+1 < len(p.src):
			p.pos++
			c = p.src[p.pos]
		}
		b.WriteByte(c)
	}
	return "", p.fail(from, "", "the quote is not closed")
}

// quantified reads ? * + {n} {m,} {,n} {m,n} after a part.
func (p *parser) quantified(n *node) (*node, error) {
	for {
		p.space()
		from := p.pos
		lo, hi := 0, -1
		switch p.peek() {
		case '?':
			hi = 1
		case '*':
		case '+':
			lo = 1
		case '{':
			var err error
			if lo, hi, err = p.bounds(); err != nil {
				return nil, err
			}
			p.pos--
		default:
			return n, nil
		}
		p.pos++
		if n.op == opStart || n.op == opEnd {
			return nil, p.fail(from, "", "^ and $ cannot be repeated")
		}
		if err := p.enter(from); err != nil { // x?*+ nests without parentheses
			return nil, err
		}
		defer func() { p.depth-- }()
		n = &node{op: opRepeat, at: n.at, subs: []*node{n}, min: lo, max: hi}
	}
}

// bounds reads {m,n}.
func (p *parser) bounds() (lo, hi int, err error) {
	from := p.pos
	p.pos++
	lo, given, err := p.number()
	if err != nil {
		return 0, 0, err
	}
	hi = lo
	if p.accept(",") {
		var upper bool
		if hi, upper, err = p.number(); err != nil {
			return 0, 0, err
		}
		if !upper {
			hi = -1
		}
		given = given || upper
	}
	if !given {
		return 0, 0, p.fail(from, "{2}, {1,3}, {2,} or {,3}", "a number is wanted")
	}
	if hi >= 0 && lo > hi {
		return 0, 0, p.fail(from, "", "{%d,%d} begins above its end", lo, hi)
	}
	return lo, hi, p.expect("}", "the quantifier", from)
}

func (p *parser) number() (n int, given bool, err error) {
	p.space()
	from := p.pos
	for p.pos < len(p.src) && p.src[p.pos] >= '0' && p.src[p.pos] <= '9' {
		p.pos++
	}
	if p.pos == from {
		return 0, false, nil
	}
	n, err = strconv.Atoi(p.src[from:p.pos])
	if err != nil || n > maxRepeat {
		return 0, true, p.fail(from, "", "a part is repeated at most %d times", maxRepeat)
	}
	return n, true, nil
}

// expression is /…/ or /…/i, where \/ stands for a slash.
func (p *parser) expression() (*regexp.Regexp, error) {
	p.space()
	from := p.pos
	if !p.accept("/") {
		return nil, p.fail(from, "[form~/ing$/]", "a regular expression between slashes is wanted")
	}
	var b strings.Builder
	for ; p.pos < len(p.src) && p.src[p.pos] != '/'; p.pos++ {
		if strings.HasPrefix(p.src[p.pos:], `\/`) {
			p.pos++
		} else if p.src[p.pos] == '\\' && p.pos+1 < len(p.src) {
			b.WriteByte('\\')
			p.pos++
		}
		b.WriteByte(p.src[p.pos])
	}
	if p.pos >= len(p.src) {
		return nil, p.fail(from, "", "the regular expression is not closed by /")
	}
	p.pos++
	src := b.String()
	if strings.HasPrefix(p.src[p.pos:], "i") {
		p.pos++
		src = "(?i)" + src
	}
	re, err := regexp.Compile(src)
	if err != nil {
		return nil, p.fail(from, "", "%s", strings.TrimPrefix(err.Error(), "error parsing regexp: "))
	}
	return re, nil
}
