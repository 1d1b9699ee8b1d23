package parse

import (
	"fmt"
	"reflect"
	"strings"
	"sync"

	"github.com/alecthomas/participle/v2/lexer"
)

// production matches what a struct of the grammar describes, and makes one.
type production struct {
	typ    reflect.Type
	node   node
	placed bool    // it has a field Pos
	pos    uintptr // its offset
	open   opening
}

// productions are those of the grammar, by the types of their structs and unions.
var productions = sync.OnceValue(func() *reader {
	r := &reader{words: map[string]int{}, productions: map[reflect.Type]*production{}, choices: map[reflect.Type]node{}}
	r.root = r.production(reflect.TypeFor[script]())
	for _, p := range r.productions {
		p.open = opens(p)
	}
	for _, a := range r.alternatives {
		for _, n := range a.nodes {
			a.opens = append(a.opens, opens(n))
		}
	}
	for _, g := range r.repetitions {
		g.open = opens(g.node)
	}
	return r
})

// reader makes nodes of the tags of structs, which are written as participle takes them: literals, types
// of token, @ and @@, groups with ?, * and +, and groups (?= …) and (?! …) that look ahead.
type reader struct {
	root         *production    // of a statement
	words        map[string]int // literals, numbered from 1
	productions  map[reflect.Type]*production
	choices      map[reflect.Type]node // of unions
	alternatives []*alternatives
	repetitions  []*repetition
}

func (r *reader) production(typ reflect.Type) *production {
	if p := r.productions[typ]; p != nil {
		return p
	}
	p := &production{typ: typ}
	r.productions[typ] = p
	t := &tags{}
	for i := range typ.NumField() {
		f := typ.Field(i)
		if f.Type == reflect.TypeFor[lexer.Position]() && f.Name == "Pos" {
			p.placed, p.pos = true, f.Offset
		}
		t.split(i, f.Tag.Get("parser"))
	}
	p.node = r.choice(typ, t)
	if len(t.symbols) > 0 {
		panic(fmt.Sprintf("%s: unexpected %s", typ, t.symbols[0].text))
	}
	return p
}

// of returns the node of what @@ captures into a field of a type.
func (r *reader) of(typ reflect.Type) node {
	for typ.Kind() == reflect.Pointer || typ.Kind() == reflect.Slice {
		typ = typ.Elem()
	}
	if typ.Kind() == reflect.Struct {
		return r.production(typ)
	}
	if n := r.choices[typ]; n != nil {
		return n
	}
	a := &alternatives{}
	r.alternatives, r.choices[typ] = append(r.alternatives, a), a
	for _, member := range unions[typ] {
		a.nodes = append(a.nodes, r.production(member.Elem()))
	}
	return a
}

// unions lists the members of the unions.
var unions = map[reflect.Type][]reflect.Type{
	reflect.TypeFor[statement]():      members(statements),
	reflect.TypeFor[plainStatement](): members(plainStatements),
}

func members[T any](union []T) []reflect.Type {
	return all(union, func(member T) reflect.Type { return reflect.TypeOf(member) })
}

func (r *reader) choice(typ reflect.Type, t *tags) node {
	a := &alternatives{}
	for {
		a.nodes = append(a.nodes, r.sequence(typ, t))
		if !t.skip("|") {
			break
		}
	}
	if len(a.nodes) == 1 {
		return a.nodes[0]
	}
	r.alternatives = append(r.alternatives, a)
	return a
}

func (r *reader) sequence(typ reflect.Type, t *tags) node {
	var s sequence
	for len(t.symbols) > 0 && t.symbols[0].text != "|" && t.symbols[0].text != ")" {
		n := r.term(typ, t)
		for mode := range repeats {
			if t.skip(mode) {
				g := &repetition{node: n, least: repeats[mode].least, many: repeats[mode].many}
				r.repetitions = append(r.repetitions, g)
				n = g
				break
			}
		}
		s = append(s, n)
	}
	if len(s) == 1 {
		return s[0]
	}
	return s
}

var repeats = map[string]struct {
	least int
	many  bool
}{"?": {0, false}, "*": {0, true}, "+": {1, true}}

func (r *reader) term(typ reflect.Type, t *tags) node {
	s := t.next()
	switch {
	case s.text == "@@":
		f := typ.Field(s.field)
		return &capture{slot: newSlot(f), node: r.of(f.Type)}
	case s.text == "@":
		f := newSlot(typ.Field(s.field))
		return &capture{slot: f, node: r.term(typ, t)}
	case s.text == "(?=", s.text == "(?!":
		n := &ahead{node: r.choice(typ, t), negative: s.text == "(?!"}
		t.expect(")")
		return n
	case s.text == "(":
		n := r.choice(typ, t)
		t.expect(")")
		return n
	case s.text[0] == '\'':
		return literal(r.word(s.text[1 : len(s.text)-1]))
	}
	kind, ok := symbols[s.text]
	if !ok {
		panic(fmt.Sprintf("%s: unexpected %s", typ, s.text))
	}
	return tokenType(kind)
}

// word returns the number of a literal.
func (r *reader) word(text string) int {
	n, ok := r.words[text]
	if !ok {
		n = len(r.words) + 1
		r.words[text] = n
	}
	return n
}

// symbol is a word or sign of a tag.
type symbol struct {
	text  string
	field int
}

// tags are the symbols of the tags of a struct that are not yet read.
type tags struct{ symbols []symbol }

// split appends the symbols of the tag of a field.
func (t *tags) split(field int, tag string) {
	for tag = strings.TrimSpace(tag); tag != ""; tag = strings.TrimSpace(tag) {
		n := 1
		switch {
		case strings.HasPrefix(tag, "(?"):
			n = len("(?=")
		case strings.HasPrefix(tag, "@@"):
			n = len("@@")
		case tag[0] == '\'':
			n = 2 + strings.IndexByte(tag[1:], '\'')
		default:
			n = max(1, word(tag))
		}
		t.symbols = append(t.symbols, symbol{tag[:n], field})
		tag = tag[n:]
	}
}

func (t *tags) next() symbol {
	s := t.symbols[0]
	t.symbols = t.symbols[1:]
	return s
}

func (t *tags) skip(text string) bool {
	if len(t.symbols) == 0 || t.symbols[0].text != text {
		return false
	}
	t.next()
	return true
}

func (t *tags) expect(text string) {
	if !t.skip(text) {
		panic("a tag of the grammar lacks " + text)
	}
}
