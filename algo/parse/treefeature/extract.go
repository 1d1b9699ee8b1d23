package treefeature

import (
	"slices"
	"strconv"
	"strings"

	"parlance/algo/parse/constituent"
)

// phrase is a node with what features ask of it.
type phrase struct {
	label    string
	children []*phrase
	head     int // place among the children
	token    int // head token, from 1
	leaf     bool
}

// Extractor finds the features of trees. It belongs to one goroutine.
type Extractor struct {
	set   *Set
	heads *constituent.HeadTable
	buf   []byte
	visit func(name []byte)
	words []string // lower case
	of    families // looked for in this pass
}

// NewExtractor returns an extractor that finds heads by a table.
func NewExtractor(set *Set, heads *constituent.HeadTable) *Extractor {
	return &Extractor{set: set, heads: heads}
}

// Tree yields the features of a tree over words, words[0] being that of token 1; some more than once. A name is valid
// until visit returns. Cost follows the nodes and, with distances, those between heads up to some ten.
func (x *Extractor) Tree(root *constituent.Node, words []string, visit func(name []byte)) {
	x.visit, x.words = visit, x.words[:0]
	for _, w := range words {
		x.words = append(x.words, strings.ToLower(w))
	}
	x.of = x.set.families
	x.walk(x.read(root, false), nil, nil)
	if !x.set.closed {
		return
	}
	x.of.modifiers, x.of.pps, x.of.distances = false, false, false
	x.walk(x.read(root, true), nil, nil)
}

// read finds heads. With closed, labels carry head words of closed classes.
func (x *Extractor) read(n *constituent.Node, closed bool) *phrase {
	p, _ := x.make(n, closed)
	return p
}

func (x *Extractor) make(n *constituent.Node, closed bool) (p *phrase, tag string) {
	p = &phrase{label: n.Label, leaf: n.Leaf(), token: n.Token}
	tag = n.Label
	if !p.leaf {
		p.head = x.heads.Find(n)
		for i, c := range n.Children {
			child, of := x.make(c, closed)
			p.children = append(p.children, child)
			if i == p.head {
				p.token, tag = child.token, of
			}
		}
	}
	if closed && slices.Contains(closedTags, tag) {
		p.label += "/" + x.word(p)
	}
	return p, tag
}

func (x *Extractor) word(p *phrase) string {
	if p.token < 1 || p.token > len(x.words) {
		return ""
	}
	return x.words[p.token-1]
}

// emit yields a feature of some parts.
func (x *Extractor) emit(parts ...string) {
	x.buf = x.buf[:0]
	for i, s := range parts {
		if i > 0 {
			x.buf = append(x.buf, ' ')
		}
		x.buf = append(x.buf, s...)
	}
	x.visit(x.buf)
}

// label is that of a child, with a mark at the head.
func (p *phrase) name(i int) string {
	if i == p.head {
		return p.children[i].label + "!"
	}
	return p.children[i].label
}

// rule writes a phrase with its children.
func (p *phrase) rule() string {
	var b strings.Builder
	b.WriteString(p.label + " ->")
	for i := range p.children {
		b.WriteString(" " + p.name(i))
	}
	return b.String()
}

// walk yields the features of a phrase below above, which has the rule aboveRule.
func (x *Extractor) walk(p, above *phrase, aboveRule *string) {
	if p.leaf {
		return
	}
	rule, grand, grandRule := p.rule(), "", ""
	if above != nil {
		grand, grandRule = above.label, *aboveRule
	}
	if x.of.rules {
		x.emit("rule", rule)
	}
	if x.of.grandRules {
		x.emit("rule below", grand, ":", rule)
	}
	if x.of.twoRules {
		x.emit("rule below", grandRule, ":", rule)
	}
	x.bigrams(p, grand, grandRule)
	if x.of.trigrams {
		x.trigrams(p)
	}
	for i := range p.children {
		if i != p.head {
			x.modifier(p, i, grand)
		}
	}
	for _, c := range p.children {
		x.walk(c, p, &rule)
	}
}

// bigrams goes from the head outwards on both sides; the head itself is no member.
func (x *Extractor) bigrams(p *phrase, grand, grandRule string) {
	for i := range p.children {
		side, next := "left", i-1
		switch {
		case i == p.head:
			continue
		case i > p.head:
			side, next = "right", i+1
		}
		other, word := "STOP", ""
		if next >= 0 && next < len(p.children) {
			other, word = p.children[next].label, x.word(p.children[next])
		}
		label := p.children[i].label
		if x.of.bigrams {
			x.emit(side, p.label, label, other)
		}
		if x.of.grandBigrams {
			x.emit(side, "below", grand, ":", p.label, label, other)
		}
		if x.of.twoBigrams {
			x.emit(side, "below", grandRule, ":", p.label, label, other)
		}
		if x.of.lexical {
			x.emit(side, "words", p.label, label, other, x.word(p.children[i]), word)
		}
	}
}

// trigrams has STOP before the first child and after the last.
func (x *Extractor) trigrams(p *phrase) {
	at := func(i int) string {
		if i < 0 || i >= len(p.children) {
			return "STOP"
		}
		return p.name(i)
	}
	for i := range p.children {
		if len(p.children) > 1 {
			x.emit("three", p.label, at(i-1), at(i), at(i+1))
		}
	}
}

// longest is the largest number of words between heads that has a feature of its own.
const longest = 9

// modifier has the features of a head with one of its modifiers.
func (x *Extractor) modifier(p *phrase, i int, grand string) {
	head, m := p.children[p.head], p.children[i]
	if x.of.modifiers {
		side, adjacent := "left", "apart"
		if i > p.head {
			side = "right"
		}
		if i == p.head-1 || i == p.head+1 {
			adjacent = "adjacent"
		}
		x.emit("modifier", side, "below", grand, ":", p.label, head.label, m.label, adjacent)
	}
	if x.of.distances {
		between := max(0, max(head.token, m.token)-min(head.token, m.token)-1)
		x.emit("distance", p.label, head.label, m.label, "=", strconv.Itoa(between))
		for n := between; n <= longest; n++ {
			x.emit("distance", p.label, head.label, m.label, "<=", strconv.Itoa(n))
		}
		for n := 1; n <= min(between, 4*longest); n++ {
			x.emit("distance", p.label, head.label, m.label, ">=", strconv.Itoa(n))
		}
	}
	if x.of.pps && m.label == "PP" && !m.leaf {
		x.pp(p, head, m)
	}
}

// pp has the words of a prepositional phrase: its object is what follows its head.
func (x *Extractor) pp(p, head, m *phrase) {
	if m.head+1 >= len(m.children) {
		return
	}
	object := m.children[m.head+1]
	x.emit("pp", p.label, head.label, m.label, object.label, x.word(m), x.word(object))
	x.emit("pp", p.label, head.label, m.label, object.label, x.word(head), x.word(m), x.word(object))
}
