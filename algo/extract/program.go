package extract

import (
	"fmt"
	"sort"

	"parlance/algo/kind"
)

type code uint8

const (
	codeToken code = iota // one token that passes test, then x
	codeSpan              // a span of spec, then x
	codeSplit             // x before y
	codeStart             // at the start of the sentence x
	codeEnd               // at the end of the sentence x
	codeSave              // place in slot, then x
	codeMatch
)

type instruction struct {
	code code
	x, y int32 // next instructions
	test *test
	slot int // of codeSave; spec of codeSpan
}

// spec is a layer and the labels of its spans that a pattern asks for.
type spec struct {
	layer  string
	labels []string
	at     int
}

// Pattern is a compiled pattern over tokens and layers. It never changes.
type Pattern struct {
	root   *node
	prog   []instruction
	start  int32
	specs  []spec
	groups []string
}

// Syntax describes patterns in Markdown.
const Syntax = `A pattern describes tokens that follow each other in one sentence; white space separates its parts.

| part | matches |
|---|---|
| ` + "`[]`, `<token>`" + ` | any token |
| ` + "`[lemma=work]`, `[form=\"New\"]`, `[upos!=VERB]`" + ` | a token with, without a value in a column of tokens, or in deprel of the dependencies; in quotes a backslash keeps the character after it |
| ` + "`[form~/ing$/]`, `[form~/^x/i]`, `[form!~/…/]`" + ` | a token whose value a regular expression (RE2) matches somewhere, with i in either case |
| ` + "`[upos=NOUN & !(lemma=dog \\| lemma=cat)]`" + ` | conditions joined by and, or, not |
| ` + "`<entities>`, `<entities PER>`, `<entities PER\\|LOC>`" + ` | a span of a layer, whole, with any or one of the labels (of mentions: kinds) |
| ` + "`^`, `$`" + ` | the start, the end of the sentence |
| ` + "`x y`, `x \\| y`, `(x)`" + ` | x then y, x or y, a group |
| ` + "`x?`, `x*`, `x+`, `x{2}`, `x{1,3}`, `x{2,}`, `x{,3}`" + ` | x as often as the numbers say |
| ` + "`(?person <entities PER>)`" + ` | a group with a name, which makes columns |

A match has at least one token. By default the leftmost matches are found, of those that start together the longest, and the search goes on behind each; consolidate asks for others. Groups are filled by the first way through the pattern to the same tokens: alternatives in the order written, repetitions as often as they can, longer spans before shorter ones. Patterns run as automata: the time for a match grows with tokens times the size of the pattern, never faster.
`

// Compile reads a pattern as Syntax describes it. Errors are of type *SyntaxError.
func Compile(src string) (*Pattern, error) {
	p := &parser{src: src}
	root, err := p.alternatives()
	if err != nil {
		return nil, err
	}
	if p.peek() != 0 {
		return nil, p.fail(p.pos, "", "%c closes nothing", p.src[p.pos])
	}
	return link(root, p.names)
}

// link makes the program of a tree.
func link(root *node, names []string) (*Pattern, error) {
	c := &compiler{p: &Pattern{root: root, groups: names}}
	end := c.add(instruction{code: codeMatch})
	c.p.start = c.node(root, end)
	if c.tooLong != nil {
		return nil, &SyntaxError{At: c.tooLong.at,
			Msg: fmt.Sprintf("repeated as often as this, the pattern has more than %d steps", maxInstructions)}
	}
	return c.p, nil
}

type compiler struct {
	p       *Pattern
	tooLong *node
	now     *node
}

func (c *compiler) add(i instruction) int32 {
	if len(c.p.prog) >= maxInstructions && c.tooLong == nil {
		c.tooLong = c.now
	}
	c.p.prog = append(c.p.prog, i)
	return int32(len(c.p.prog) - 1)
}

// node compiles n, after which next runs, and returns where it begins.
func (c *compiler) node(n *node, next int32) int32 {
	if c.tooLong != nil {
		return next
	}
	c.now = n
	switch n.op {
	case opToken:
		return c.add(instruction{code: codeToken, test: n.test, x: next})
	case opSpan:
		c.p.specs = append(c.p.specs, spec{n.layer, n.labels, n.at})
		return c.add(instruction{code: codeSpan, slot: c.spec(n), x: next})
	case opStart:
		return c.add(instruction{code: codeStart, x: next})
	case opEnd:
		return c.add(instruction{code: codeEnd, x: next})
	case opSeq:
		for i := len(n.subs) - 1; i >= 0; i-- {
			next = c.node(n.subs[i], next)
		}
		return next
	case opAlt:
		entry := c.node(n.subs[len(n.subs)-1], next)
		for i := len(n.subs) - 2; i >= 0; i-- {
			entry = c.add(instruction{code: codeSplit, x: c.node(n.subs[i], next), y: entry})
		}
		return entry
	case opGroup:
		slot := 0
		for i, name := range c.p.groups {
			if name == n.name {
				slot = 2 * i
			}
		}
		end := c.add(instruction{code: codeSave, slot: slot + 1, x: next})
		return c.add(instruction{code: codeSave, slot: slot, x: c.node(n.subs[0], end)})
	}
	return c.repeat(n, next)
}

// spec returns the number of the layer and labels that n asks for.
func (c *compiler) spec(n *node) int {
	last := len(c.p.specs) - 1
	for i, s := range c.p.specs[:last] {
		if s.layer == n.layer && fmt.Sprintf("%q", s.labels) == fmt.Sprintf("%q", n.labels) {
			c.p.specs = c.p.specs[:last]
			return i
		}
	}
	return last
}

// repeat lays out x{m,n} as m times x, then n-m times (x …)?, or a loop.
func (c *compiler) repeat(n *node, next int32) int32 {
	entry := next
	if n.max < 0 {
		loop := c.add(instruction{code: codeSplit, y: next})
		c.p.prog[loop].x = c.node(n.subs[0], loop)
		entry = loop
	}
	for i := n.min; i < n.max && c.tooLong == nil; i++ {
		entry = c.add(instruction{code: codeSplit, x: c.node(n.subs[0], entry), y: next})
	}
	for i := 0; i < n.min && c.tooLong == nil; i++ {
		entry = c.node(n.subs[0], entry)
	}
	return entry
}

// Groups returns the names of the groups in the order of their opening parentheses.
func (p *Pattern) Groups() []string { return p.groups }

// Layer is a layer of spans that a pattern names.
type Layer struct {
	Name string
	At   int // character of the pattern, 1-based
}

// Layers returns the layers of spans, each once.
func (p *Pattern) Layers() []Layer {
	var out []Layer
	seen := map[string]bool{}
	for _, s := range p.specs {
		if !seen[s.layer] {
			seen[s.layer] = true
			out = append(out, Layer{s.layer, s.at})
		}
	}
	return out
}

// Reads returns the layers and the columns of tokens that the pattern reads.
func (p *Pattern) Reads() []kind.LayerUse {
	cols := map[string]bool{}
	p.root.walk(func(n *node) {
		if n.test != nil {
			n.test.columns(func(c string) { cols[c] = true })
		}
	})
	tokens := kind.LayerUse{Layer: "tokens", Columns: []string{}}
	var out []kind.LayerUse
	for c := range cols {
		if c == deprel {
			out = append(out, kind.LayerUse{Layer: "dependencies"})
		} else {
			tokens.Columns = append(tokens.Columns, c)
		}
	}
	sort.Strings(tokens.Columns)
	out = append([]kind.LayerUse{tokens}, out...)
	for _, l := range p.Layers() {
		out = append(out, kind.LayerUse{Layer: l.Name})
	}
	return out
}

func (n *node) walk(f func(*node)) {
	f(n)
	for _, s := range n.subs {
		s.walk(f)
	}
}

// Relax returns a pattern that matches every sentence that p may match whatever is annotated
// in the missing layers and columns of tokens (layer "tokens" with a column, others with "");
// nil if that is every sentence with tokens.
func (p *Pattern) Relax(missing func(layer, column string) bool) *Pattern {
	asks := false
	root := p.root.relaxed(missing, &asks)
	if !asks {
		return nil
	}
	out, err := link(root, nil)
	if err != nil { // a loop in the place of a span may make the program too long
		return nil
	}
	return out
}

// relaxed replaces spans by one or more tokens; asks is set if something stored is still asked.
func (n *node) relaxed(missing func(layer, column string) bool, asks *bool) *node {
	out := *n
	switch n.op {
	case opSpan:
		if missing(n.layer, "") {
			any := &node{op: opToken, at: n.at, test: &test{op: testAny}}
			return &node{op: opRepeat, at: n.at, subs: []*node{any}, min: 1, max: -1}
		}
		*asks = true
	case opToken:
		out.test = n.test.relaxed(func(c string) bool {
			if c == deprel {
				return missing("dependencies", "")
			}
			return missing("tokens", c)
		})
		out.test.columns(func(string) { *asks = true })
	case opGroup:
		return n.subs[0].relaxed(missing, asks)
	}
	out.subs = make([]*node, len(n.subs))
	for i, s := range n.subs {
		out.subs[i] = s.relaxed(missing, asks)
	}
	return &out
}
