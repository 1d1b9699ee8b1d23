package extract

import (
	"regexp"
	"strings"

	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/storage/value"
)

type testOp uint8

const (
	testAny testOp = iota
	testEqual
	testMatch
	testAnd
	testOr
	testNot
	testUnknown // of what is not annotated yet
)

// test is a condition on a token: on the value of a column, or of others.
type test struct {
	op     testOp
	column string
	value  string
	re     *regexp.Regexp
	subs   []*test
}

// deprel is the column of tokens that patterns find in the layer dependencies.
const deprel = "deprel"

// tokenColumns lists what a test may name.
func tokenColumns() []string {
	var out []string
	for _, c := range text.Tokens.Columns {
		if c.Type == value.Text {
			out = append(out, c.Name)
		}
	}
	return append(out, deprel)
}

// token is [] or [ test ].
func (p *parser) token(at int) (*node, error) {
	from := p.pos
	p.pos++
	n := &node{op: opToken, at: at, test: &test{op: testAny}}
	if p.accept("]") {
		return n, nil
	}
	var err error
	if n.test, err = p.either(); err != nil {
		return nil, err
	}
	return n, p.expect("]", "the token", from)
}

// either is both { "|" both }.
func (p *parser) either() (*test, error) { return p.chain("|", testOr, p.both) }

// both is single { "&" single }.
func (p *parser) both() (*test, error) { return p.chain("&", testAnd, p.single) }

func (p *parser) chain(sep string, op testOp, part func() (*test, error)) (*test, error) {
	var subs []*test
	for {
		t, err := part()
		if err != nil {
			return nil, err
		}
		subs = append(subs, t)
		if !p.accept(sep) {
			break
		}
	}
	if len(subs) == 1 {
		return subs[0], nil
	}
	return &test{op: op, subs: subs}, nil
}

// single is !single, (either), or column with = != ~ !~ and a value.
func (p *parser) single() (*test, error) {
	p.space()
	from := p.pos
	if err := p.enter(from); err != nil {
		return nil, err
	}
	defer func() { p.depth-- }()
	if p.accept("!") {
		t, err := p.single()
		return &test{op: testNot, subs: []*test{t}}, err
	}
	if p.accept("(") {
		t, err := p.either()
		if err != nil {
			return nil, err
		}
		return t, p.expect(")", "the condition", from)
	}
	t := &test{op: testEqual, column: p.word()}
	if t.column == "" {
		return nil, p.fail(from, "[lemma=work], [form~/ing$/], [upos!=VERB]", "a column of tokens is wanted")
	}
	if !known(t.column) {
		hint := strings.TrimPrefix(option.DidYouMean(t.column, tokenColumns()), "; ")
		if hint == "" {
			hint = "columns: " + strings.Join(tokenColumns(), ", ")
		}
		return nil, p.fail(from, hint, "tokens have no column %s", t.column)
	}
	return p.comparison(t)
}

func known(column string) bool {
	for _, c := range tokenColumns() {
		if c == column {
			return true
		}
	}
	return false
}

func (p *parser) comparison(t *test) (*test, error) {
	negated := p.accept("!")
	var err error
	switch {
	case p.accept("="):
		t.value, err = p.value("]&|()")
	case p.accept("~"):
		t.op = testMatch
		t.re, err = p.expression()
	default:
		return nil, p.fail(p.pos, "["+t.column+"=value], ["+t.column+"~/expression/]", "=, !=, ~ or !~ is wanted")
	}
	if err != nil || !negated {
		return t, err
	}
	return &test{op: testNot, subs: []*test{t}}, nil
}

// truth is 0 for no, 1 for unknown, 2 for yes.
type truth uint8

// eval tests token row; column returns the values of a column, nil if there are none.
func (t *test) eval(row int, column func(string) []string) truth {
	switch t.op {
	case testUnknown:
		return 1
	case testNot:
		return 2 - t.subs[0].eval(row, column)
	case testAnd:
		out := truth(2)
		for _, s := range t.subs {
			out = min(out, s.eval(row, column))
		}
		return out
	case testOr:
		out := truth(0)
		for _, s := range t.subs {
			out = max(out, s.eval(row, column))
		}
		return out
	case testAny:
		return 2
	}
	vals := column(t.column)
	v := ""
	if row < len(vals) {
		v = vals[row]
	}
	if t.op == testEqual && v == t.value || t.op == testMatch && v != "" && t.re.MatchString(v) {
		return 2
	}
	return 0
}

// columns calls f with each column that the test names.
func (t *test) columns(f func(string)) {
	if t.op == testEqual || t.op == testMatch {
		f(t.column)
	}
	for _, s := range t.subs {
		s.columns(f)
	}
}

// relaxed returns the test with unknown in the place of columns that are not annotated yet.
func (t *test) relaxed(missing func(string) bool) *test {
	if (t.op == testEqual || t.op == testMatch) && missing(t.column) {
		return &test{op: testUnknown}
	}
	out := *t
	out.subs = make([]*test, len(t.subs))
	for i, s := range t.subs {
		out.subs[i] = s.relaxed(missing)
	}
	return &out
}
