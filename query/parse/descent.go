package parse

import (
	"reflect"
	"slices"

	"github.com/alecthomas/participle/v2/lexer"
)

// descend parses tokens, EOF last, by the tags that participle reads, and reports whether they are a
// statement. It takes what participle takes, in a fraction of the time: an alternative that the next token
// cannot open is not tried, structs are made where they have matched, and faults are mere places.
func descend(tokens []lexer.Token) (*script, bool) {
	d := newDescent(tokens, lookahead)
	if !d.run() {
		return nil, false
	}
	return d.made.Interface().(*script), true
}

func newDescent(tokens []lexer.Token, lookahead int) *descent {
	r := productions()
	d := &descent{tokens: tokens, keys: make([]key, len(tokens)), lookahead: lookahead, captured: make([]captured, 0, 16)}
	for i, t := range tokens {
		if !t.EOF() {
			d.keys[i] = key{kind: uint8(t.Type), word: uint16(r.words[t.Value])}
		}
	}
	return d
}

// run reports whether the tokens are a statement.
func (d *descent) run() bool {
	return productions().root.match(d) && d.tokens[d.at].EOF()
}

// descent is the state of a parse. Behind a fault, at is where it was found.
type descent struct {
	tokens   []lexer.Token
	keys     []key
	at       int        // the next token
	captured []captured // for structs that are not yet made, outer ones first
	made     reflect.Value

	lookahead int // tokens after which a fault is final
	ahead     int // groups that look ahead and are being matched
	furthest  int // the tokens that matched, but for those only looked at
}

// key is what the grammar tells a token by. EOF has the zero key.
type key struct {
	kind uint8  // its type
	word uint16 // the number of the literal that it is, 0 for none
}

// captured is what a field of a struct takes: tokens, or the pointer to another struct.
type captured struct {
	slot     *slot
	from, to int32
	value    reflect.Value
}

// node is a part of the grammar.
type node interface {
	// match moves over the tokens that the node matches and reports whether it does.
	match(*descent) bool
}

type (
	literal      int // by its number
	tokenType    lexer.TokenType
	sequence     []node
	alternatives struct {
		nodes []node
		opens []opening
	}
	repetition struct {
		node  node
		least int
		many  bool
		open  opening
	}
	ahead struct {
		node     node
		negative bool
	}
	capture struct {
		slot *slot
		node node
	}
)

func (l literal) match(d *descent) bool { return d.skip(d.keys[d.at].word == uint16(l)) }

func (t tokenType) match(d *descent) bool { return d.skip(d.keys[d.at].kind == uint8(t)) }

func (d *descent) skip(matches bool) bool {
	if matches {
		d.at++
		if d.ahead == 0 && d.at > d.furthest {
			d.furthest = d.at
		}
	}
	return matches
}

func (s sequence) match(d *descent) bool {
	for _, n := range s {
		if !n.match(d) {
			return false
		}
	}
	return true
}

func (a *alternatives) match(d *descent) bool {
	for i, n := range a.nodes {
		if !a.opens[i].has(d.keys[d.at]) {
			continue
		}
		if matched, final := d.try(n); matched || final {
			return matched
		}
	}
	return false
}

func (r *repetition) match(d *descent) bool {
	matches := 0
	for r.open.has(d.keys[d.at]) {
		start := d.at
		matched, final := d.try(r.node)
		if final {
			return false
		}
		if matched {
			matches++
		}
		if !matched || !r.many || d.at == start {
			break
		}
	}
	return matches >= r.least
}

// try matches a node or else goes back. A fault more than lookahead tokens on is final: there is no
// going back.
func (d *descent) try(n node) (matched, final bool) {
	start, mark := d.at, len(d.captured)
	if n.match(d) {
		return true, false
	}
	if d.at > start+d.lookahead {
		return false, true
	}
	d.at, d.captured = start, d.captured[:mark]
	return false, false
}

func (a *ahead) match(d *descent) bool {
	start, mark := d.at, len(d.captured)
	d.ahead++
	matched := a.node.match(d)
	d.ahead--
	d.at, d.captured = start, d.captured[:mark]
	return matched != a.negative
}

func (c *capture) match(d *descent) bool {
	from := int32(d.at)
	if !c.node.match(d) {
		return false
	}
	d.captured = append(d.captured, captured{c.slot, from, int32(d.at), d.made})
	return true
}

func (p *production) match(d *descent) bool {
	if !p.open.has(d.keys[d.at]) {
		return false
	}
	start, mark := d.at, len(d.captured)
	if !p.node.match(d) {
		return false
	}
	made := reflect.New(p.typ)
	v := made.Elem()
	if p.pos >= 0 {
		*v.Field(p.pos).Addr().Interface().(*lexer.Position) = d.tokens[start].Pos
	}
	own := d.captured[mark:]
	for i := range own {
		own[i].slot.set(v, d.tokens, own[i:])
	}
	clear(own)
	d.made, d.captured = made, d.captured[:mark]
	return true
}

// slot is a field of a struct.
type slot struct {
	index int
	kind  slotKind
}

type slotKind int

const (
	slotStruct  slotKind = iota // pointer or interface
	slotStructs                 // slice of pointers
	slotFlag
	slotToken
	slotTokens
)

func newSlot(index int, typ reflect.Type) *slot {
	kinds := map[reflect.Type]slotKind{reflect.TypeFor[bool](): slotFlag,
		reflect.TypeFor[lexer.Token](): slotToken, reflect.TypeFor[[]lexer.Token](): slotTokens}
	kind, ok := kinds[typ]
	if !ok && typ.Kind() == reflect.Slice {
		kind = slotStructs
	}
	return &slot{index, kind}
}

// set gives a field of v what the first of rest has captured.
func (s *slot) set(v reflect.Value, tokens []lexer.Token, rest []captured) {
	c, v := rest[0], v.Field(s.index)
	switch s.kind {
	case slotStruct:
		v.Set(c.value)
	case slotStructs:
		n := v.Len()
		if n == v.Cap() {
			v.Grow(s.count(rest))
		}
		v.SetLen(n + 1)
		v.Index(n).Set(c.value)
	case slotFlag:
		v.SetBool(true)
	case slotToken:
		*v.Addr().Interface().(*lexer.Token) = tokens[c.from]
	case slotTokens:
		*v.Addr().Interface().(*[]lexer.Token) = slices.Clip(tokens[c.from:c.to])
	}
}

// count returns how often the field is captured.
func (s *slot) count(list []captured) int {
	n := 0
	for i := range list {
		if list[i].slot == s {
			n++
		}
	}
	return n
}
