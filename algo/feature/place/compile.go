package place

import (
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"

	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/storage/value"
)

// compiler turns values as they are written into instructions, equal ones into one.
type compiler struct {
	set   *Set
	known map[string]int  // instructions by canonical notation
	seen  map[string]bool // templates
	fault func(at int, msg, hint string) error
}

func (c *compiler) place(name string) int {
	return slices.IndexFunc(c.set.places, func(d Decl) bool { return d.Name == name })
}

func (c *compiler) declare(d Decl) { c.set.places = append(c.set.places, d) }

// add returns the instruction of the notation, a new one if there is none.
func (c *compiler) add(x instruction) int {
	if k, ok := c.known[x.name]; ok {
		return k
	}
	k := len(c.set.code)
	c.set.code = append(c.set.code, x)
	c.known[x.name] = k
	return k
}

// expand adds one template for every offset of the ranges.
func (c *compiler) expand(at int, values []*expr) error {
	if len(values) > maxValues {
		return c.fault(at, text.Countf("a template joins at most %d {value|values}", maxValues), "")
	}
	width := 0
	for _, e := range values {
		w := e.width()
		if w < 0 || w > 0 && width > 0 && w != width {
			return c.fault(at, "the ranges of a template differ in length", "")
		}
		width = max(width, w)
	}
	for k := 0; k <= width; k++ {
		if err := c.template(at, values, k); err != nil {
			return err
		}
	}
	return nil
}

func (c *compiler) template(at int, values []*expr, shift int) error {
	t := template{many: -1}
	var names []string
	for i, e := range values {
		k, err := c.value(e, shift)
		if err != nil {
			return err
		}
		x := c.set.code[k]
		switch x.typ {
		case textType, numberType:
		case textsType:
			if t.many >= 0 {
				return c.fault(e.at, "a template has one list of values at most", "seq or bag make one text of a list")
			}
			t.many = i
		default:
			hint := ".form for its form"
			if x.typ != tokenType && x.typ != tokensType && x.typ != pathType {
				hint = "such as its text, label or length"
			}
			return c.fault(e.at, fmt.Sprintf("%s is a %s, which is no value", x.name, x.typ), hint)
		}
		t.values = append(t.values, k)
		names = append(names, x.name)
	}
	if t.name = strings.Join(names, " & "); c.seen[t.name] {
		return nil
	}
	if len(c.set.templates) == maxTemplates {
		return c.fault(at, text.Countf("a set has at most %d {template|templates}", maxTemplates), "")
	}
	c.seen[t.name], t.hash = true, hashText(t.name)
	c.set.templates = append(c.set.templates, t)
	return nil
}

// value compiles a value, with ranges at their offset number shift.
func (c *compiler) value(e *expr, shift int) (int, error) {
	k, err := c.primary(e, shift)
	for i := 0; err == nil && i < len(e.steps); i++ {
		if s := &e.steps[i]; s.offset {
			lo := s.lo
			if s.hi > s.lo {
				lo += shift
			}
			k, err = c.offset(s.at, k, lo)
		} else {
			k, err = c.step(s, k)
		}
	}
	return k, err
}

// bias is the value that is always there.
var bias = &step{name: "bias"}

func (c *compiler) primary(e *expr, shift int) (int, error) {
	if e.call {
		return c.call(e, shift)
	}
	if e.name == "bias" {
		return c.add(instruction{name: e.name, typ: textType, place: -1, column: -1, texts: []string{"1"}, step: bias}),
			nil
	}
	p := c.place(e.name)
	if p < 0 {
		var names []string
		for _, d := range c.set.places {
			names = append(names, d.Name)
		}
		return 0, c.fault(e.at, "there is no place "+e.name+option.DidYouMean(e.name, names),
			"places: "+strings.Join(names, ", "))
	}
	return c.add(instruction{name: e.name, typ: c.set.places[p].typ(), place: p, column: -1}), nil
}

func (c *compiler) call(e *expr, shift int) (int, error) {
	f := functions[e.name]
	if f == nil {
		return 0, c.fault(e.at, "there is no function "+e.name+option.DidYouMean(e.name, functionNames()),
			"functions: "+strings.Join(functionNames(), ", "))
	}
	x := instruction{place: -1, column: -1, walk: f}
	var names, types []string
	for _, a := range e.args {
		k, err := c.value(a, shift)
		if err != nil {
			return 0, err
		}
		x.in = append(x.in, k)
		names, types = append(names, c.set.code[k].name), append(types, c.set.code[k].typ.String())
	}
	if len(x.in) == 2 {
		x.typ = f.result(c.set.code[x.in[0]].typ, c.set.code[x.in[1]].typ)
	}
	if x.typ == noType {
		return 0, c.fault(e.at, fmt.Sprintf("%s takes %s, not %s", f.name, f.wants, strings.Join(types, " and ")),
			"it is written "+f.usage)
	}
	x.name = e.name + "(" + strings.Join(names, ", ") + ")"
	return c.add(x), nil
}

// neighbour is the step of an offset.
var neighbour = &step{name: "offset"}

// offset compiles the token at a distance from a token or from the ends of a span.
func (c *compiler) offset(at, k, by int) (int, error) {
	in := c.set.code[k]
	if !in.typ.extent() {
		return 0, c.fault(at, fmt.Sprintf("%s is a %s and has no neighbours", in.name, in.typ), "")
	}
	if by == 0 {
		if in.typ != tokenType {
			return 0, c.fault(at,
				"offsets of spans are -1, the token before, and below, and 1, the token after, and above",
				in.name+".first is its first token")
		}
		return k, nil
	}
	return c.add(instruction{name: in.name + "[" + strconv.Itoa(by) + "]", typ: tokenType, place: -1, column: -1,
		in: []int{k}, step: neighbour, size: by}), nil
}

func (c *compiler) step(s *call, k int) (int, error) {
	in := c.set.code[k]
	def, each := find(s.name, in.typ)
	if def == nil {
		def = c.rowStep(s.name, in)
	}
	if def == nil {
		names := c.stepNames(in)
		return 0, c.fault(s.at, fmt.Sprintf("%s is a %s and has no %s%s", in.name, in.typ, s.name,
			option.DidYouMean(s.name, names)), "it has "+strings.Join(names, ", "))
	}
	if len(s.args) < def.min || len(s.args) > def.max {
		return 0, c.fault(s.at, fmt.Sprintf("%s is written %s", s.name, def.usage), "")
	}
	x := instruction{typ: def.out, place: -1, column: -1, in: []int{k}, step: def, each: each}
	if each {
		x.typ = def.out.list()
	}
	if def.described() {
		x.place = in.place
	}
	if def.row {
		x.place, x.texts = in.place, []string{s.name}
	}
	if def.read != nil {
		if msg := def.read(&x, s.args); msg != "" {
			return 0, c.fault(s.at, s.name+": "+msg, "it is written "+def.usage)
		}
	}
	x.name = in.name + "." + s.name + written(s.name, s.args)
	return c.add(x), nil
}

// written is the arguments of a step as text.
func written(name string, args []string) string {
	if len(args) == 0 {
		return ""
	}
	if name == "feats" && featureName(args[0]) && !strings.ContainsFunc(args[0],
		func(r rune) bool { return r < 0x80 && !letter(byte(r)) && (r < '0' || r > '9') }) {
		return "." + args[0]
	}
	var out []string
	for _, a := range args {
		out = append(out, quote(a))
	}
	return "(" + strings.Join(out, ", ") + ")"
}

// find returns the step of the name for a type, or for the elements of a list.
func find(name string, t typ) (def *step, each bool) {
	for at := t; at != noType; at = at.above() {
		for _, s := range steps[name] {
			if s.in == at {
				return s, false
			}
		}
	}
	for at := t.element(); at != noType; at = at.above() {
		for _, s := range steps[name] {
			if s.in == at && s.one != nil && s.out.list() != noType {
				return s, true
			}
		}
	}
	return nil, false
}

// rowStep is the step that reads a column of the row that a place is, nil if there is none.
func (c *compiler) rowStep(name string, in instruction) *step {
	if in.place < 0 || in.step != nil {
		return nil
	}
	def := c.set.places[in.place].columns()
	if def == nil || !slices.Contains(rowColumns(def), name) {
		return nil
	}
	out := textType
	if def.Columns[def.Index(name)].Type == value.Integer {
		out = numberType
	}
	return &step{name: name, usage: "." + name, doc: "the column of the row", out: out, row: true,
		all: func(x *Extractor, k int, in, out *val) { out.set(x.cell(k, in.row)) }}
}

// rowColumns lists the columns of a layer that say something about a row besides where it is.
func rowColumns(def *text.LayerDef) []string {
	var out []string
	for _, col := range def.Columns {
		switch col.Name {
		case "sent", "tok_start", "tok_end", "text", "parent":
			continue
		}
		if col.Role == text.Plain && (col.Type == value.Text || col.Type == value.Integer) {
			out = append(out, col.Name)
		}
	}
	return out
}

// stepNames lists the steps that a value has.
func (c *compiler) stepNames(in instruction) []string {
	var out []string
	for name := range steps {
		if def, _ := find(name, in.typ); def != nil {
			out = append(out, name)
		}
	}
	if in.place >= 0 && in.step == nil {
		if def := c.set.places[in.place].columns(); def != nil {
			for _, name := range rowColumns(def) {
				if !slices.Contains(out, name) {
					out = append(out, name)
				}
			}
		}
	}
	sort.Strings(out)
	return out
}

func functionNames() []string {
	var out []string
	for name := range functions {
		out = append(out, name)
	}
	sort.Strings(out)
	return out
}
