package depparser

import (
	"slices"
	"strings"

	"parlance/algo/bitext"
	"parlance/algo/lexical"
	"parlance/algo/parse/tree"
)

// answer is what a function of two languages says of a part.
type answer uint8

// The answers; silent where a word has no link.
const (
	silent answer = iota
	minus
	plus
)

func signed(yes bool) answer {
	if yes {
		return plus
	}
	return minus
}

func (a answer) String() string { return [...]string{"", "-", "+"}[a] }

// evidence is what a translation says of a part of the source: whether the images of its words are such a part of the
// target, the set of that, and whether the pair of both is known. All are nothing where the translation is silent.
type evidence struct {
	image answer
	set   lexical.Set
	known bool
}

// arcEvidence is all that there is of an arc.
type arcEvidence struct {
	seen  bool // has been computed
	order answer
	arc   evidence
	chain evidence
	rules [2]bool // 2to2, 2to3
}

// crossed is a sentence with its translation. It belongs to one goroutine.
type crossed struct {
	*translation
	from, n int           // rows of its tokens before the first one, and their number
	arcs    []arcEvidence // by head and modifier; nil until it is asked
	mapped  map[[3]int32]uint8
}

// sentence is n tokens from a row on; nil without a translation.
func (t *translation) sentence(from, n int) *crossed {
	if t == nil {
		return nil
	}
	return &crossed{translation: t, from: from - 1, n: n}
}

// part is tokens (from, from+n] as a sentence.
func (c *crossed) part(from, n int) *crossed {
	if c == nil {
		return nil
	}
	return c.sentence(c.from+1+from, n)
}

// arc is the evidence of an arc between tokens.
func (c *crossed) arc(h, m int) *arcEvidence {
	if c.arcs == nil {
		c.arcs = make([]arcEvidence, (c.n+1)*(c.n+1))
	}
	e := &c.arcs[h*(c.n+1)+m]
	if e.seen {
		return e
	}
	e.seen = true
	a, b := int32(c.from+h), int32(c.from+m)
	e.order = c.order(min(a, b), max(a, b))
	switch c.use {
	case byRules:
		e.rules[0], e.rules[1] = c.rule([]int32{a, b})
	case bySubtrees, verified:
		c.images2(a, b, e)
	}
	return e
}

// order tells whether the words that source rows [from, to] are linked to, with those between them, are linked to no
// other source row; silent without a link.
func (c *crossed) order(from, to int32) answer {
	t := [2]int32{1, 0}
	for _, s := range c.reach[from : to+1] {
		if s[0] <= s[1] {
			widen(&t, s[0])
			widen(&t, s[1])
		}
	}
	if t[0] > t[1] {
		return silent
	}
	for _, s := range c.back[t[0] : t[1]+1] {
		if s[0] <= s[1] && (s[0] < from || s[1] > to) {
			return minus
		}
	}
	return plus
}

// images2 is whether the images of head and dependent are an arc, or the ends of a chain.
func (c *crossed) images2(h, m int32, e *arcEvidence) {
	a, b := c.images[h], c.images[m]
	if a < 0 || b < 0 || a == b {
		return
	}
	z := c.target.Head(b)
	e.arc.image = signed(z == a)
	e.chain.image = signed(z >= 0 && z != a && c.target.Head(z) == a)
	if c.use != verified {
		return
	}
	if e.arc.image == plus {
		e.arc.set = c.targets.Lookup2(c.listed[a], c.listed[b], b > a)
		e.arc.known = c.pair(bitext.Arc, [3]int32{h, m, -1}, [3]int32{a, b, -1})
	}
	if e.chain.image == plus {
		e.chain.set = c.targets.Chain(c.listed[a], c.listed[z], c.listed[b], lexical.OrderOf(int(a), int(z), int(b)))
		e.chain.known = c.pair(bitext.ArcToChain, [3]int32{h, m, -1}, [3]int32{a, b, z})
	}
}

// pair looks up a pair of parts by rows, −1 for none.
func (c *crossed) pair(p bitext.Part, s, t [3]int32) bool {
	var source, target [3]uint32
	for i := range 3 {
		if s[i] >= 0 {
			if source[i] = c.numbers[0][s[i]]; source[i] == 0 {
				return false
			}
		}
		if t[i] >= 0 {
			if target[i] = c.numbers[1][t[i]]; target[i] == 0 {
				return false
			}
		}
	}
	return c.constraints.Pair(p, source, target, lexical.OrderOf(int(s[0]), int(s[1]), int(s[2])),
		lexical.OrderOf(int(t[0]), int(t[1]), int(t[2])))
}

// third are the images of three rows, false unless all are different words.
func (c *crossed) third(rows [3]int32) (t [3]int32, ok bool) {
	for i, r := range rows {
		t[i] = c.images[r]
	}
	return t, t[0] >= 0 && t[1] >= 0 && t[2] >= 0 && t[0] != t[1] && t[0] != t[2] && t[1] != t[2]
}

// siblings is the evidence of two adjacent modifiers of a head, tokens; s is nearer to it.
func (c *crossed) siblings(h, s, m int) (e evidence) {
	first, second := min(s, m), max(s, m)
	rows := [3]int32{int32(c.from + h), int32(c.from + first), int32(c.from + second)}
	t, ok := c.third(rows)
	if !ok {
		return e
	}
	if e.image = signed(c.target.Head(t[1]) == t[0] && c.target.Head(t[2]) == t[0]); e.image == minus ||
		c.use != verified {
		return e
	}
	if a, b := min(t[1], t[2]), max(t[1], t[2]); (a > t[0]) == (b > t[0]) &&
		!slices.Contains(c.target.Heads[a+1:b], t[0]) {
		e.set = c.targets.Lookup3(c.listed[t[0]], c.listed[a], c.listed[b], a > t[0])
	}
	e.known = c.pair(bitext.Siblings, rows, t)
	return e
}

// chain is the evidence of a head, a modifier of it, and a modifier of that.
func (c *crossed) chain(g, h, m int) (e evidence) {
	rows := [3]int32{int32(c.from + g), int32(c.from + h), int32(c.from + m)}
	t, ok := c.third(rows)
	if !ok {
		return e
	}
	if e.image = signed(c.target.Head(t[1]) == t[0] && c.target.Head(t[2]) == t[1]); e.image == minus ||
		c.use != verified {
		return e
	}
	e.set = c.targets.Chain(c.listed[t[0]], c.listed[t[1]], c.listed[t[2]],
		lexical.OrderOf(int(t[0]), int(t[1]), int(t[2])))
	e.known = c.pair(bitext.Chain, rows, t)
	return e
}

// rule tells whether a rule of a source subtree makes a subtree of the list of the target, which keeps the words or has
// one more or less: 2to2 and 2to3, or 3to3 and 3to2. Rows begin with the root and go down.
func (c *crossed) rule(down []int32) (first, second bool) {
	linked := 0
	for _, r := range down {
		switch {
		case c.classes[r] == 0 || c.images[r] < 0 && c.content[r]:
			return false, false
		case c.images[r] >= 0:
			linked++
		}
	}
	if linked < 2 {
		return false, false
	}
	var buffer [3]int32
	rows := buffer[:copy(buffer[:], down)]
	slices.Sort(rows)
	var classes [3]uint32
	var heads [3]int8
	for i, r := range rows {
		classes[i], heads[i] = c.classes[r], -1
		if k := slices.Index(down, r); k > 0 {
			heads[i] = int8(slices.Index(rows, down[k-1]))
		}
	}
	for _, r := range c.constraints.Rules(classes[:len(rows)], heads[:len(rows)]) {
		if !c.types[r.Type] {
			continue
		}
		switch r.Type {
		case bitext.TwoToTwo, bitext.ThreeToThree:
			first = first || c.makes(r, rows)
		default:
			second = second || c.makes(r, rows)
		}
	}
	return first, second
}

// makes tells whether the target side of a rule, filled with images, is in the list.
func (c *crossed) makes(r *bitext.Rule, rows []int32) bool {
	var words [3]uint32
	var at [3]int // places of root, dependent, and its dependent
	from, to := int32(1), int32(0)
	for _, s := range r.Right {
		if s.Source < 0 {
			continue
		}
		t := c.images[rows[s.Source]]
		if t < 0 {
			return false
		}
		span := [2]int32{from, to}
		widen(&span, t)
		from, to = span[0], span[1]
	}
	place := slices.IndexFunc(r.Right, func(s bitext.Slot) bool { return s.Head < 0 })
	for k := range r.Right {
		if place < 0 {
			return false // no chain
		}
		s := r.Right[place]
		if s.Source >= 0 {
			words[k] = c.listed[c.images[rows[s.Source]]]
		} else {
			if r.Type == bitext.TwoToThree && !c.within(s, from, to) {
				return false
			}
			words[k] = c.targets.Word(s.Word)
		}
		at[k] = place
		head := place
		place = slices.IndexFunc(r.Right, func(s bitext.Slot) bool { return s.Head == head })
	}
	if len(r.Right) == 2 {
		return c.targets.Lookup2(words[0], words[1], at[1] > at[0]) != lexical.Zero
	}
	return c.targets.Chain(words[0], words[1], words[2], lexical.OrderOf(at[0], at[1], at[2])) != lexical.Zero
}

// within tells whether the word of a slot, with its tag if the translation has tags, is in rows [from, to].
func (c *crossed) within(s bitext.Slot, from, to int32) bool {
	for i := from; i <= to; i++ {
		if strings.EqualFold(c.target.Forms[i], s.Word) &&
			(c.target.Tags[i] == "" || s.Tag == "" || c.target.Tags[i] == s.Tag) {
			return true
		}
	}
	return false
}

// chainRules is rule of a chain of tokens, computed once.
func (c *crossed) chainRules(g, h, m int) (keeps, fewer bool) {
	k := [3]int32{int32(c.from + g), int32(c.from + h), int32(c.from + m)}
	v, ok := c.mapped[k]
	if !ok {
		keeps, fewer = c.rule(k[:])
		if keeps {
			v |= 1
		}
		if fewer {
			v |= 2
		}
		if c.mapped == nil {
			c.mapped = map[[3]int32]uint8{}
		}
		c.mapped[k] = v
	}
	return v&1 != 0, v&2 != 0
}

// supports tells whether a translation speaks for an arc.
func (c *crossed) supports(h, m int) bool {
	e := c.arc(h, m)
	return e.arc.image == plus || e.chain.image == plus || e.rules[0] || e.rules[1]
}

// keepSupported keeps the arcs that a translation speaks for among those that a pruner leaves.
func (s *sentence) keepSupported(keep []bool) {
	if s.crossed == nil {
		return
	}
	for h := 1; h <= s.n; h++ {
		for m := 1; m <= s.n; m++ {
			if h != m && s.crossed.supports(h, m) {
				keep[h*(s.n+1)+m] = true
			}
		}
	}
}

// directions numbers those of the arcs of a part.
func directions(p bitext.Part, h, m, x int) int {
	if p == bitext.Chain {
		return 2 + 2*direction(int32(h), int32(m)) + direction(int32(m), int32(x))
	}
	return direction(int32(h), int32(m))
}

var directionNames = [...]string{"left", "right", "left-left", "left-right", "right-left", "right-right"}

// fact is a feature of a translation: a template with its values, packed.
type fact uint32

// Templates of facts.
const (
	factOrder fact = iota
	factOrderDirection
	factImage
	factImageOrder
	factSet
	factSetDirection
	factPair
	factPairDirection
	factPairOrder
	factRule
)

// Places of the values in a fact.
const (
	atPart      = 4
	atImage     = 6
	atSet       = 8
	atKnown     = 10
	atDirection = 11
	atOrder     = 14
)

func bitOf(yes bool) fact {
	if yes {
		return 1
	}
	return 0
}

// key is the hash of a fact.
func (f fact) key() uint64 { return mix(0xb1e6<<32 + uint64(f)) }

// name prints a fact.
func (f fact) name() string {
	part := bitext.Part(f >> atPart & 3)
	image := part.String() + "=" + answer(f>>atImage&3).String()
	set, dir := lexical.Set(f>>atSet&3).String(), directionNames[f>>atDirection&7]
	order, known := "order="+answer(f>>atOrder&3).String(), "pair="+signed(f>>atKnown&1 == 1).String()
	switch f & 15 {
	case factOrder:
		return "translation " + order
	case factOrderDirection:
		return "translation " + order + " " + dir
	case factImage:
		return "translation " + image + " " + dir
	case factImageOrder:
		return "translation " + image + " " + dir + " " + order
	case factSet:
		return "translation " + image + " " + set
	case factSetDirection:
		return "translation " + image + " " + set + " " + dir
	case factPair:
		return "translation " + image + " " + known
	case factPairDirection:
		return "translation " + image + " " + known + " " + dir
	case factPairOrder:
		return "translation " + image + " " + known + " " + order
	}
	return "translation rule " + bitext.RuleType(part).String()
}

// arcFacts appends the features of an arc (Chen, Kazama and Torisawa 2010, sec. 4.3; Chen et al. 2011, tables 1 and
// 2); the root has none.
func (c *crossed) arcFacts(dst []fact, h, m int) []fact {
	if c == nil || h == 0 {
		return dst
	}
	e, dir := c.arc(h, m), directions(bitext.Arc, h, m, 0)
	order := silent
	if c.reorder || c.use == reordered {
		order = e.order
	}
	if order != silent {
		dst = append(dst, factOrder|fact(order)<<atOrder)
		if c.use == reordered || c.use == byRules {
			dst = append(dst, factOrderDirection|fact(order)<<atOrder|fact(dir)<<atDirection)
		}
	}
	for i, yes := range e.rules {
		if yes {
			dst = append(dst, factRule|fact(i)<<atPart)
		}
	}
	dst = c.imageFacts(dst, bitext.Arc, e.arc, dir, order)
	return c.imageFacts(dst, bitext.ArcToChain, e.chain, dir, order)
}

// imageFacts appends those of evidence.
func (c *crossed) imageFacts(dst []fact, p bitext.Part, e evidence, dir int, order answer) []fact {
	if e.image == silent {
		return dst
	}
	base := fact(p)<<atPart | fact(e.image)<<atImage
	towards := base | fact(dir)<<atDirection
	if c.use == bySubtrees {
		dst = append(dst, factImage|towards)
		if order != silent {
			dst = append(dst, factImageOrder|towards|fact(order)<<atOrder)
		}
		return dst
	}
	set, known := fact(e.set)<<atSet, bitOf(e.known)<<atKnown
	dst = append(dst, factSet|base|set, factSetDirection|towards|set, factPair|base|known, factPairDirection|towards|known)
	if order != silent && (p == bitext.Arc || p == bitext.ArcToChain) {
		dst = append(dst, factPairOrder|base|known|fact(order)<<atOrder)
	}
	return dst
}

// siblingFacts appends the features of adjacent siblings.
func (c *crossed) siblingFacts(dst []fact, h, m, s int) []fact {
	if c == nil || h == 0 || c.use != bySubtrees && c.use != verified {
		return dst
	}
	return c.imageFacts(dst, bitext.Siblings, c.siblings(h, s, m), directions(bitext.Siblings, h, m, 0), c.spanOrder(h, m))
}

// grandFacts appends the features of a chain.
func (c *crossed) grandFacts(dst []fact, g, h, m int) []fact {
	switch {
	case c == nil || g == 0 || h == 0 || c.use == reordered:
		return dst
	case c.use == byRules:
		keeps, fewer := c.chainRules(g, h, m)
		if keeps {
			dst = append(dst, factRule|fact(bitext.ThreeToThree)<<atPart)
		}
		if fewer {
			dst = append(dst, factRule|fact(bitext.ThreeToTwo)<<atPart)
		}
		return dst
	}
	return c.imageFacts(dst, bitext.Chain, c.chain(g, h, m), directions(bitext.Chain, g, h, m),
		c.spanOrder(min(g, h, m), max(g, h, m)))
}

// spanOrder is the order of the words between two tokens, where features have it.
func (c *crossed) spanOrder(a, b int) answer {
	if !c.reorder || c.use != bySubtrees {
		return silent
	}
	return c.arc(a, b).order
}

// thirds tells whether pairs of arcs have features of translations.
func (o *bilingualSettings) thirds(t tree.Type) bool {
	switch o.use {
	case bySubtrees, verified:
		return t == tree.Sib || t == tree.Grand
	case byRules:
		return t == tree.Grand &&
			(slices.Contains(o.types, bitext.ThreeToThree.String()) || slices.Contains(o.types, bitext.ThreeToTwo.String()))
	}
	return false
}
