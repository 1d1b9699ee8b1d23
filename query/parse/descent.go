package parse

import (
	"reflect"
	"slices"
	"sync"
	"unsafe"

	"github.com/alecthomas/participle/v2/lexer"
)

// descend parses tokens, EOF last, by the tags that participle reads, and reports whether they are a
// statement. It takes what participle takes, in a fraction of the time: an alternative that the next token
// cannot open is not tried, structs are made where they have matched, and faults are mere places.
func descend(tokens []lexer.Token) (*script, bool) {
	d := descents.Get().(*descent)
	d.begin(tokens, lookahead)
	ok := d.run()
	made := d.made
	d.release()
	if !ok {
		return nil, false
	}
	return (*script)(made.to), true
}

// descents keeps descents between parses, for the memory of their lists.
var descents = sync.Pool{New: func() any { return &descent{captured: make([]captured, 0, 16)} }}

// keptTokens bounds the statements whose descents are kept.
const keptTokens = 1 << 10

// release gives a descent back.
func (d *descent) release() {
	if len(d.keys) > keptTokens {
		return
	}
	clear(d.captured[:cap(d.captured)])
	*d = descent{keys: d.keys[:0], captured: d.captured[:0]}
	descents.Put(d)
}

func newDescent(tokens []lexer.Token, lookahead int) *descent {
	d := descents.New().(*descent)
	d.begin(tokens, lookahead)
	return d
}

func (d *descent) begin(tokens []lexer.Token, lookahead int) {
	d.tokens, d.lookahead = tokens, lookahead
	d.keys = slices.Grow(d.keys, len(tokens))[:len(tokens)]
	words := productions().words
	for i := range tokens {
		d.keys[i] = key{}
		if t := &tokens[i]; t.Type != lexer.EOF {
			d.keys[i] = key{kind: uint8(t.Type), word: uint16(words[t.Value])}
		}
	}
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
	made     made

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
	value    made
}

// made is a struct and what it is one of. Structs are filled by the offsets of their fields, which takes a
// fraction of the time of reflection.
type made struct {
	to unsafe.Pointer
	of *production
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
	to := reflect.New(p.typ).UnsafePointer()
	if p.placed {
		*(*lexer.Position)(unsafe.Add(to, p.pos)) = d.tokens[start].Pos
	}
	own := d.captured[mark:]
	for i := range own {
		own[i].slot.set(to, d.tokens, own[i:])
	}
	clear(own)
	d.made, d.captured = made{to, p}, d.captured[:mark]
	return true
}

// slot is a field of a struct.
type slot struct {
	offset uintptr
	kind   slotKind
	typ    reflect.Type
}

type slotKind int

const (
	slotStruct  slotKind = iota // pointer
	slotUnion                   // interface
	slotStructs                 // slice of pointers
	slotFlag
	slotToken
	slotTokens
)

func newSlot(f reflect.StructField) *slot {
	kinds := map[reflect.Type]slotKind{reflect.TypeFor[bool](): slotFlag,
		reflect.TypeFor[lexer.Token](): slotToken, reflect.TypeFor[[]lexer.Token](): slotTokens}
	kind, ok := kinds[f.Type]
	switch {
	case !ok && f.Type.Kind() == reflect.Slice && f.Type.Elem().Kind() == reflect.Pointer:
		kind = slotStructs
	case !ok && f.Type.Kind() == reflect.Interface:
		kind = slotUnion
	case !ok && f.Type.Kind() != reflect.Pointer:
		panic("a field of the grammar cannot be of type " + f.Type.String())
	}
	return &slot{f.Offset, kind, f.Type}
}

// set gives a field of a struct what the first of rest has captured.
func (s *slot) set(to unsafe.Pointer, tokens []lexer.Token, rest []captured) {
	c, field := &rest[0], unsafe.Add(to, s.offset)
	switch s.kind {
	case slotStruct:
		*(*unsafe.Pointer)(field) = c.value.to
	case slotUnion:
		reflect.NewAt(s.typ, field).Elem().Set(reflect.NewAt(c.value.of.typ, c.value.to))
	case slotStructs:
		list := (*[]unsafe.Pointer)(field)
		if len(*list) == cap(*list) {
			*list = slices.Grow(*list, s.count(rest))
		}
		*list = append(*list, c.value.to)
	case slotFlag:
		*(*bool)(field) = true
	case slotToken:
		*(*lexer.Token)(field) = tokens[c.from]
	case slotTokens:
		*(*[]lexer.Token)(field) = slices.Clip(tokens[c.from:c.to])
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
