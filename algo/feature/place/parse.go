package place

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"parlance/algo/feature"
	"parlance/algo/option"
	"parlance/algo/text"
)

// Bounds of a set.
const (
	maxPlaces    = 8
	maxTemplates = 1 << 12
	maxValues    = 8  // of a template
	maxDepth     = 8  // of functions in functions
	maxSteps     = 16 // of a value
	maxOffset    = 20
)

// expr is a value as it is written: a place, a function or bias, then steps.
type expr struct {
	at    int
	name  string
	call  bool
	args  []*expr
	steps []call
}

// call is a step as it is written, or an offset.
type call struct {
	at     int
	name   string
	args   []string
	offset bool
	lo, hi int
}

// width is how many offsets the ranges of a value have beyond the first, -1 where they differ.
func (e *expr) width() int {
	w := 0
	merge := func(n int) {
		switch {
		case n == 0:
		case w == 0 || w == n:
			w = n
		default:
			w = -1
		}
	}
	for _, a := range e.args {
		merge(a.width())
	}
	for _, s := range e.steps {
		merge(s.hi - s.lo)
	}
	return w
}

type parser struct {
	text string
	at   int
	c    compiler
}

// Parse compiles a set over places. Errors are *feature.Error.
func Parse(notation string) (*Set, error) {
	p := &parser{text: notation}
	p.c = compiler{set: &Set{}, known: map[string]int{}, seen: map[string]bool{}, fault: p.fault}
	if err := p.header(); err != nil {
		return nil, err
	}
	for {
		p.separators()
		if p.at == len(p.text) {
			break
		}
		if err := p.item(); err != nil {
			return nil, err
		}
	}
	if len(p.c.set.templates) == 0 {
		return nil, p.fault(len(p.text), "there is no template", "such as p.lemma & a.lemma")
	}
	return p.c.set, nil
}

func (p *parser) fault(at int, msg, hint string) error {
	return &feature.Error{Offset: at, Char: 1 + utf8.RuneCountInString(p.text[:at]), Msg: msg, Hint: hint}
}

// skip passes blanks, comments and the characters of more.
func (p *parser) skip(more string) {
	for p.at < len(p.text) {
		switch c := p.text[p.at]; {
		case c == ' ' || c == '\t' || c == '\r' || strings.IndexByte(more, c) >= 0:
			p.at++
		case c == '#':
			for p.at < len(p.text) && p.text[p.at] != '\n' {
				p.at++
			}
		default:
			return
		}
	}
}

func (p *parser) blanks()     { p.skip("") }
func (p *parser) lines()      { p.skip("\n") }
func (p *parser) separators() { p.skip(",;\n") }

// next reports whether a character comes next, and passes it.
func (p *parser) next(c byte) bool {
	if p.at < len(p.text) && p.text[p.at] == c {
		p.at++
		return true
	}
	return false
}

// want passes a character, after white space.
func (p *parser) want(c byte, hint string) error {
	p.lines()
	if !p.next(c) {
		return p.fault(p.at, fmt.Sprintf("%q is wanted", string(c)), hint)
	}
	return nil
}

func letter(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

func (p *parser) word() string {
	from := p.at
	for p.at < len(p.text) && (letter(p.text[p.at]) || p.at > from && p.text[p.at] >= '0' && p.text[p.at] <= '9') {
		p.at++
	}
	return p.text[from:p.at]
}

const headerHint = "a set begins over (p token, a token); types of places: token, span, span(layer), mention, node"

// header reads over (name type, …).
func (p *parser) header() error {
	p.separators()
	start := p.at
	if p.word() != "over" {
		return p.fault(start, "the places are missing", headerHint)
	}
	if err := p.want('(', headerHint); err != nil {
		return err
	}
	for {
		if err := p.place(); err != nil {
			return err
		}
		p.lines()
		if p.next(',') {
			continue
		}
		return p.want(')', headerHint)
	}
}

var placeTypes = []string{"token", "span", "mention", "node"}

func (p *parser) place() error {
	p.lines()
	start := p.at
	d := Decl{Name: p.word()}
	switch {
	case d.Name == "":
		return p.fault(start, "the name of a place is wanted", headerHint)
	case d.Name == "bias" || d.Name == "each" || d.Name == "alone" || functions[d.Name] != nil:
		return p.fault(start, d.Name+" is a word of the notation and names no place", "")
	case p.c.place(d.Name) >= 0:
		return p.fault(start, "there are two places "+d.Name, "")
	case len(p.c.set.places) == maxPlaces:
		return p.fault(start, text.Countf("a set has at most %d {place|places}", maxPlaces), "")
	}
	p.lines()
	start = p.at
	if d.Type = p.word(); !contains(placeTypes, d.Type) {
		return p.fault(start, "unknown type of place "+strconv.Quote(d.Type)+option.DidYouMean(d.Type, placeTypes),
			headerHint)
	}
	switch d.Type {
	case "mention":
		d.Layer = "mentions"
	case "node":
		d.Layer = "constituents"
	case "span":
		if err := p.layer(&d); err != nil {
			return err
		}
	}
	p.c.declare(d)
	return nil
}

// layer reads the layer of a span, if it is given.
func (p *parser) layer(d *Decl) error {
	if !p.next('(') {
		return nil
	}
	p.blanks()
	start := p.at
	if d.Layer = p.word(); !contains(spanLayers(), d.Layer) {
		return p.fault(start,
			"there is no layer of spans "+strconv.Quote(d.Layer)+option.DidYouMean(d.Layer, spanLayers()),
			"layers of spans: "+strings.Join(spanLayers(), ", "))
	}
	return p.want(')', headerHint)
}

// item reads a template, or each (…) { … }.
func (p *parser) item() error {
	start := p.at
	if p.word() != "each" {
		p.at = start
		t, err := p.template()
		if err != nil {
			return err
		}
		if err := p.ended(",;\n"); err != nil {
			return err
		}
		return p.c.expand(start, t)
	}
	prefixes, err := p.prefixes()
	if err != nil {
		return err
	}
	if err := p.want('{', "each (alone, m.type) { templates }"); err != nil {
		return err
	}
	for {
		p.separators()
		if p.next('}') {
			return nil
		}
		at := p.at
		t, err := p.template()
		if err != nil {
			return err
		}
		if err := p.ended(",;\n}"); err != nil {
			return err
		}
		for _, x := range prefixes {
			if err := p.c.expand(at, append(append([]*expr{}, x...), t...)); err != nil {
				return err
			}
		}
	}
}

// prefixes reads what each joins with its templates; alone is nothing.
func (p *parser) prefixes() ([][]*expr, error) {
	const hint = "each (alone, m.type, m.type & n.type) { templates }"
	if err := p.want('(', hint); err != nil {
		return nil, err
	}
	var out [][]*expr
	for {
		p.lines()
		start := p.at
		if p.word() == "alone" {
			out = append(out, nil)
		} else {
			p.at = start
			t, err := p.template()
			if err != nil {
				return nil, err
			}
			out = append(out, t)
		}
		p.lines()
		if p.next(',') {
			continue
		}
		return out, p.want(')', hint)
	}
}

// ended checks that a template is over.
func (p *parser) ended(separators string) error {
	p.blanks()
	if p.at < len(p.text) && strings.IndexByte(separators, p.text[p.at]) < 0 {
		_, n := utf8.DecodeRuneInString(p.text[p.at:])
		return p.fault(p.at, fmt.Sprintf("unexpected %q", p.text[p.at:p.at+n]),
			"templates are separated by commas, values joined by &")
	}
	return nil
}

// template reads values joined by &.
func (p *parser) template() ([]*expr, error) {
	var out []*expr
	start := p.at
	for {
		e, err := p.value(0)
		if err != nil {
			return nil, err
		}
		out = append(out, e)
		p.blanks()
		if !p.next('&') {
			break
		}
		p.lines()
	}
	if len(out) > maxValues {
		return nil, p.fault(start, text.Countf("a template joins at most %d {value|values}", maxValues), "")
	}
	return out, nil
}

// value reads a place, a function or bias, and steps.
func (p *parser) value(depth int) (*expr, error) {
	e := &expr{at: p.at}
	if e.name = p.word(); e.name == "" {
		return nil, p.fault(e.at, "a value is wanted", "such as p.lemma or path(p, a).deprel.seq")
	}
	if depth > maxDepth {
		return nil, p.fault(e.at, fmt.Sprintf("functions stand in functions more than %d deep", maxDepth), "")
	}
	if p.next('(') {
		e.call = true
		for {
			p.lines()
			a, err := p.value(depth + 1)
			if err != nil {
				return nil, err
			}
			e.args = append(e.args, a)
			p.lines()
			if p.next(',') {
				continue
			}
			if err := p.want(')', ""); err != nil {
				return nil, err
			}
			break
		}
	}
	return e, p.steps(e)
}

// steps reads .name, .name(…) and [offset].
func (p *parser) steps(e *expr) error {
	for {
		s := call{at: p.at}
		var err error
		switch {
		case p.next('['):
			err = p.offset(&s)
		case p.next('.'):
			s.at = p.at
			if s.name = p.word(); s.name == "" {
				return p.fault(s.at, "the name of a step is wanted", "such as p.head.lemma")
			}
			if p.next('(') {
				err = p.arguments(&s)
			}
		default:
			return nil
		}
		if err != nil {
			return err
		}
		if n := len(e.steps); n > 0 && e.steps[n-1].name == "feats" && e.steps[n-1].args == nil &&
			featureName(s.name) && s.args == nil {
			e.steps[n-1].args = []string{s.name} // feats.Number is feats(Number)
			continue
		}
		if len(e.steps) == maxSteps {
			return p.fault(s.at, fmt.Sprintf("a value has at most %d steps", maxSteps), "")
		}
		e.steps = append(e.steps, s)
	}
}

// featureName reports whether a word names a morphological feature.
func featureName(s string) bool { return s != "" && s[0] >= 'A' && s[0] <= 'Z' }

// offset reads n] or m..n].
func (p *parser) offset(s *call) error {
	open := p.at - 1
	end := strings.IndexByte(p.text[p.at:], ']')
	if end < 0 {
		return p.fault(open, "a bracket is not closed", "")
	}
	from, to, isRange := strings.Cut(p.text[p.at:p.at+end], "..")
	p.at += end + 1
	lo, err1 := strconv.Atoi(strings.TrimSpace(from))
	hi := lo
	var err2 error
	if isRange {
		hi, err2 = strconv.Atoi(strings.TrimSpace(to))
	}
	if err1 != nil || err2 != nil || lo < -maxOffset || hi > maxOffset || hi < lo {
		msg := fmt.Sprintf("an offset is a number from -%d to %d, or a range of them", maxOffset, maxOffset)
		return p.fault(open, msg, "such as [-1] or [-2..2]")
	}
	s.offset, s.lo, s.hi = true, lo, hi
	return nil
}

// plain characters of arguments need no quotes.
func plain(c byte) bool {
	return letter(c) || c >= '0' && c <= '9' || strings.IndexByte("|!:+*/$@%=<>.-", c) >= 0
}

// arguments reads the words of a step up to the parenthesis; quotes stand around other characters than letters.
func (p *parser) arguments(s *call) error {
	open := p.at - 1
	for {
		p.lines()
		from := p.at
		var word string
		if p.next('"') {
			end := strings.IndexByte(p.text[p.at:], '"')
			if end < 1 {
				return p.fault(from, "an argument in quotes is empty or not closed", "")
			}
			word = p.text[p.at : p.at+end]
			p.at += end + 1
		} else {
			for p.at < len(p.text) && plain(p.text[p.at]) {
				p.at++
			}
			if word = p.text[from:p.at]; word == "" {
				return p.fault(from, "an argument is wanted",
					`quotes stand around other characters than letters and digits: only("a, b")`)
			}
		}
		if len(s.args) == 64 {
			return p.fault(open, "a step has at most 64 arguments", "")
		}
		s.args = append(s.args, word)
		p.lines()
		switch {
		case p.next(','):
		case p.next(')'):
			return nil
		default:
			return p.fault(open, "a parenthesis is not closed", "")
		}
	}
}

// quote writes an argument as it is read.
func quote(s string) string {
	for i := range len(s) {
		if !plain(s[i]) {
			return `"` + s + `"`
		}
	}
	return s
}
