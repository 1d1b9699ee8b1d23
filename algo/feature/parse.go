package feature

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"parlance/algo/option"
	"parlance/algo/text"
)

// maxTemplates keeps the number of a template within 16 bits.
const maxTemplates = 1 << 12

type parser struct {
	text    string
	at      int
	set     *Set
	docs    int // 1 + where the first template of documents is, 0 without
	toks    int // the same of tokens
	columns map[string]int
	seen    map[string]bool // templates by name
}

// Parse compiles templates. Errors are *Error.
func Parse(notation string) (*Set, error) {
	p := &parser{text: notation, set: &Set{weight: "binary", norm: "none"}, columns: map[string]int{},
		seen: map[string]bool{}}
	if err := p.templates(); err != nil {
		return nil, err
	}
	if len(p.set.templates) == 0 {
		return nil, p.fault(0, "there is no template", "such as form[-1..1], suffix(3)[0]")
	}
	p.set.document = p.docs > 0
	if p.docs > 0 && p.toks > 0 {
		return nil, p.fault(max(p.docs, p.toks)-1, "templates of tokens and of documents do not mix", "offsets in "+
			"brackets make a template one of tokens")
	}
	return p.set, nil
}

// templates reads all templates of the text.
func (p *parser) templates() error {
	for {
		p.separators()
		if p.at == len(p.text) {
			return nil
		}
		if err := p.template(); err != nil {
			return err
		}
	}
}

func (p *parser) fault(at int, msg, hint string) error {
	return &Error{at, 1 + utf8.RuneCountInString(p.text[:at]), msg, hint}
}

func (p *parser) blanks() {
	for p.at < len(p.text) {
		switch p.text[p.at] {
		case ' ', '\t', '\r':
			p.at++
		case '#':
			for p.at < len(p.text) && p.text[p.at] != '\n' {
				p.at++
			}
		default:
			return
		}
	}
}

func (p *parser) separators() {
	for {
		p.blanks()
		if p.at == len(p.text) || strings.IndexByte(",;\n", p.text[p.at]) < 0 {
			return
		}
		p.at++
	}
}

// parsed is an atom with a range of offsets.
type parsed struct {
	column int
	lo, hi int
	tokens bool
	label  bool
}

func (p *parser) template() error {
	start := p.at
	if ok, err := p.builtin(); ok || err != nil {
		return err
	}
	var atoms []parsed
	for {
		a, done, err := p.atom()
		if err != nil || done {
			return err
		}
		atoms = append(atoms, a)
		p.blanks()
		if p.at == len(p.text) || p.text[p.at] != '|' {
			break
		}
		p.at++
		p.blanks()
	}
	if p.at < len(p.text) && strings.IndexByte(",;\n", p.text[p.at]) < 0 {
		return p.fault(p.at, fmt.Sprintf("unexpected %q", p.text[p.at:p.at+1]), "templates are separated by commas, atoms "+
			"joined by |")
	}
	if len(atoms) > 8 {
		return p.fault(start, "a template joins at most 8 atoms", "")
	}
	p.first(start, atoms[0].tokens)
	return p.expand(start, atoms)
}

// builtin reads the name of a built-in set, whose templates then stand in its place; false where there is none.
func (p *parser) builtin() (bool, error) {
	start := p.at
	name := p.word()
	p.blanks()
	k := slices.IndexFunc(builtins, func(b Named) bool { return b.Name == name })
	if k < 0 || p.at < len(p.text) && strings.IndexByte(",;\n", p.text[p.at]) < 0 {
		p.at = start
		return false, nil
	}
	outer := *p
	p.text, p.at = builtins[k].Notation, 0
	err := p.templates()
	p.text, p.at = outer.text, outer.at
	for _, first := range []struct{ now, before *int }{{&p.docs, &outer.docs}, {&p.toks, &outer.toks}} {
		if *first.now != *first.before { // places are those of the outer text
			*first.now = start + 1
		}
	}
	return true, err
}

// first notes where the first template of tokens or of documents is.
func (p *parser) first(at int, tokens bool) {
	which := &p.docs
	if tokens {
		which = &p.toks
	}
	if *which == 0 {
		*which = at + 1
	}
}

// expand adds one template for every offset of a range.
func (p *parser) expand(start int, atoms []parsed) error {
	width := 0
	for _, a := range atoms {
		if n := a.hi - a.lo; n > 0 {
			if width > 0 && n != width {
				return p.fault(start, "the ranges of a template differ in length", "")
			}
			width = n
		}
		if a.tokens != atoms[0].tokens {
			return p.fault(start, "atoms of tokens and of documents do not mix", "")
		}
	}
	if !atoms[0].tokens && len(atoms) > 1 {
		return p.fault(start, "atoms of documents are not joined", "write ngram(2) for pairs of words")
	}
	for _, a := range atoms {
		if !a.label && p.set.columns[a.column].def.many && len(atoms) > 1 {
			return p.fault(start, p.set.columns[a.column].name+" has several values a token and is not joined with other atoms",
				"")
		}
	}
	for k := 0; k <= width; k++ {
		t := template{}
		for _, a := range atoms {
			off := a.lo
			if a.hi > a.lo {
				off += k
			}
			if a.label {
				t.history |= 1 << (-1 - off)
				continue
			}
			t.atoms = append(t.atoms, atom{a.column, off})
		}
		if len(t.atoms) == 0 {
			t.atoms = append(t.atoms, atom{p.bias(), 0})
		}
		name := p.set.name(t)
		if p.seen[name] {
			continue
		}
		if len(p.set.templates) == maxTemplates {
			return p.fault(start, text.Countf("a set has at most %d {template|templates}", maxTemplates), "")
		}
		p.seen[name] = true
		if p.set.columns[t.atoms[0].column].def.many {
			p.set.many = append(p.set.many, len(p.set.templates))
		}
		p.set.templates = append(p.set.templates, t)
	}
	return nil
}

func (p *parser) word() string {
	from := p.at
	for p.at < len(p.text) {
		c := p.text[p.at]
		if c != '_' && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c < 0x80 {
			break
		}
		p.at++
	}
	return p.text[from:p.at]
}

// atom reads one atom; done tells that it was a directive and the template is over.
func (p *parser) atom() (a parsed, done bool, err error) {
	start := p.at
	name := p.word()
	if name == "" {
		return a, false, p.fault(start, "a template is wanted", "such as form[0]")
	}
	if name == "over" {
		return a, false, p.fault(start, "templates over places stand where templates of tokens or documents are wanted",
			"such as form[-1..1], suffix(3)[0]")
	}
	args, err := p.arguments()
	if err != nil {
		return a, false, err
	}
	if name == "weight" || name == "norm" {
		return a, true, p.directive(start, name, args)
	}
	def := atoms[name]
	if def == nil {
		return a, false, p.fault(start, "unknown atom "+name+option.DidYouMean(name, atomNames()),
			"atoms: "+strings.Join(atomNames(), ", "))
	}
	c := column{name: name, args: args, def: def}
	if err := p.check(start, &c); err != nil {
		return a, false, err
	}
	if def.history {
		a.label, a.tokens = true, true
		at := p.at
		if a.lo, a.hi, err = p.offsets(def); err == nil && (a.lo < -2 || a.hi > -1) {
			err = p.fault(at, "labels are those of the last two tokens", "label[-1] or label[-2]")
		}
		return a, false, err
	}
	a.column = p.column(c)
	a.tokens = !def.document
	if def.document {
		return a, false, nil
	}
	a.lo, a.hi, err = p.offsets(def)
	return a, false, err
}

func (p *parser) directive(start int, name string, args []string) error {
	choices := map[string][]string{"weight": {"binary", "count", "log", "tfidf"}, "norm": {"none", "l2"}}[name]
	if len(args) != 1 || !contains(choices, args[0]) {
		return p.fault(start, name+" takes one of "+strings.Join(choices, ", "), "")
	}
	p.first(start, false)
	if name == "weight" {
		p.set.weight = args[0]
	} else {
		p.set.norm = args[0]
	}
	return nil
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

// arguments reads (a, b, …), if there.
func (p *parser) arguments() ([]string, error) {
	if p.at == len(p.text) || p.text[p.at] != '(' {
		return nil, nil
	}
	open := p.at
	end := strings.IndexByte(p.text[p.at:], ')')
	if end < 0 {
		return nil, p.fault(open, "a parenthesis is not closed", "")
	}
	inside := p.text[p.at+1 : p.at+end]
	p.at += end + 1
	var out []string
	for _, s := range strings.Split(inside, ",") {
		s = strings.TrimSpace(s)
		if s == "" || strings.ContainsAny(s, "([|#\n") {
			return nil, p.fault(open, fmt.Sprintf("%q is no argument", s), "")
		}
		out = append(out, s)
	}
	return out, nil
}

// check verifies the arguments of an atom.
func (p *parser) check(start int, c *column) error {
	if c.name == "lower" && len(c.args) == 1 && c.args[0] == "form" {
		c.args = nil // lower(form) is lower
	}
	if len(c.args) < c.def.args || len(c.args) > c.def.args+c.def.optional {
		return p.fault(start, fmt.Sprintf("%s is written %s", c.name, c.def.usage), "")
	}
	if c.def.number >= 0 && c.def.number < len(c.args) {
		n, err := strconv.Atoi(c.args[c.def.number])
		if err != nil || n < 1 || n > 20 {
			return p.fault(start, fmt.Sprintf("%s: %s is no number from 1 to 20", c.name, c.args[c.def.number]),
				"it is written "+c.def.usage)
		}
		c.size = n
		c.args[c.def.number] = strconv.Itoa(n)
	}
	if c.def.window {
		return p.window(start, c)
	}
	return nil
}

// window reads the two offsets of an atom.
func (p *parser) window(start int, c *column) error {
	from, err1 := strconv.Atoi(c.args[0])
	to, err2 := strconv.Atoi(c.args[1])
	if err1 != nil || err2 != nil || from < -20 || to > 20 || to < from {
		return p.fault(start, fmt.Sprintf("%s(%s, %s): a first and a last offset from -20 to 20 are wanted", c.name,
			c.args[0], c.args[1]), "such as "+c.name+"(-3, 0)")
	}
	c.from, c.to = from, to
	c.args[0], c.args[1] = strconv.Itoa(from), strconv.Itoa(to)
	return nil
}

// offsets reads [n] or [m..n]; atoms without offset stand at 0.
func (p *parser) offsets(def *atomDef) (lo, hi int, err error) {
	if p.at == len(p.text) || p.text[p.at] != '[' {
		if def.fixed {
			return 0, 0, nil
		}
		return 0, 0, p.fault(p.at, "an offset is wanted", "such as [0] or [-2..2]")
	}
	open := p.at
	end := strings.IndexByte(p.text[p.at:], ']')
	if end < 0 {
		return 0, 0, p.fault(open, "a bracket is not closed", "")
	}
	from, to, isRange := strings.Cut(p.text[p.at+1:p.at+end], "..")
	p.at += end + 1
	lo, err1 := strconv.Atoi(strings.TrimSpace(from))
	hi = lo
	var err2 error
	if isRange {
		hi, err2 = strconv.Atoi(strings.TrimSpace(to))
	}
	if err1 != nil || err2 != nil || lo < -20 || hi > 20 || hi < lo {
		return 0, 0, p.fault(open, "an offset is a number from -20 to 20, or a range of them", "such as [0] or [-2..2]")
	}
	return lo, hi, nil
}

// bias is the column of the atom bias.
func (p *parser) bias() int { return p.column(column{name: bias, def: atoms[bias]}) }

// column returns the index of a column in the set, adding it if new.
func (p *parser) column(c column) int {
	name := c.String()
	i, ok := p.columns[name]
	if !ok {
		i = len(p.set.columns)
		p.columns[name] = i
		p.set.columns = append(p.set.columns, c)
	}
	return i
}
