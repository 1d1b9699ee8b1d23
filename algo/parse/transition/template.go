package transition

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/algo/text"
)

// Set is compiled templates over states. A template is one to four atoms joined by |; an atom is
// the address of a token and a column of it: s0.form, s1.lc.upos, q0.form|s0.upos. s0 is the top of
// the stack, q0 the next token of the buffer; lc and rc are the leftmost and the rightmost
// dependent of a token, lc2 and rc2 the second ones from there, head is its head. A template gives an attribute at
// every state: where there is no token, or no value, that is its value. A set never changes.
type Set struct {
	addresses []address
	columns   []string
	atoms     []atom
	templates [][]int // atoms
	names     []string
	grammar   *grammar
}

// grammar is what templates may hold.
type grammar struct {
	columns   []string
	arcs      bool // places d and h of an arc rather than those of stack and buffer
	addresses int  // at most
}

// tokens is the grammar of sets with signatures.
var tokens = &grammar{columns: columns, addresses: maxAddresses}

// address is a place of the stack or the buffer and a way down the arcs from there.
type address struct {
	name   string
	buffer bool
	index  int
	steps  []step
}

// step is a way from a token to another.
type step uint8

const (
	leftmost step = iota
	rightmost
	secondLeft
	secondRight
	toHead
)

var steps = []string{leftmost: "lc", rightmost: "rc", secondLeft: "lc2", secondRight: "rc2", toHead: "head"}

type atom struct{ address, column int }

// The limits of a set; signatures of states hold the tokens at all its addresses.
const (
	maxAtoms     = 4
	maxTemplates = 255
	maxAddresses = 16
	maxIndex     = 9
)

// Named is a built-in set.
type Named struct{ Name, Doc, Notation string }

var builtins = []Named{
	{"shift_reduce", "forms and tags of the upper stack and the buffer, and tags of dependents (Huang and Sagae 2010)",
		"s0.form, s0.upos, s0.form|s0.upos, s1.form, s1.upos, s1.form|s1.upos, q0.form, q0.upos, q0.form|q0.upos, " +
			"s0.form|s1.form, s0.upos|s1.upos, s0.upos|q0.upos, s0.form|s0.upos|s1.upos, s0.upos|s1.form|s1.upos, " +
			"s0.form|s1.form|s1.upos, s0.form|s0.upos|s1.form, s0.form|s0.upos|s1.form|s1.upos, " +
			"s0.upos|q0.upos|q1.upos, s1.upos|s0.upos|q0.upos, s0.form|q0.upos|q1.upos, s1.upos|s0.form|q0.upos, " +
			"s1.upos|s1.lc.upos|s0.upos, s1.upos|s1.rc.upos|s0.upos, s1.upos|s0.upos|s0.rc.upos, s1.upos|s1.lc.upos|s0.form, " +
			"s1.upos|s1.rc.upos|s0.form, s1.upos|s0.form|s0.lc.upos, s2.upos|s1.upos|s0.upos"},
}

// Builtins lists the built-in sets.
func Builtins() []Named { return builtins }

// Names lists the names of the built-in sets.
func Names() []string {
	var out []string
	for _, b := range builtins {
		out = append(out, b.Name)
	}
	return out
}

var columns = []string{"form", "lower", "lemma", "upos", "xpos", "feats"}

// Resolve returns the built-in set of the name, or else compiles the text as templates.
func Resolve(nameOrNotation string) (*Set, error) {
	for _, b := range builtins {
		if b.Name == nameOrNotation {
			return Parse(b.Notation)
		}
	}
	return Parse(nameOrNotation)
}

// Parse compiles templates, separated by commas, semicolons or line ends.
func Parse(notation string) (*Set, error) { return tokens.parse(notation) }

func (g *grammar) parse(notation string) (*Set, error) {
	s := &Set{grammar: g}
	for _, part := range strings.FieldsFunc(notation, func(r rune) bool { return r == ',' || r == ';' || r == '\n' }) {
		part = strings.TrimSpace(part)
		if part == "" {
			continue
		}
		if err := s.template(part); err != nil {
			return nil, fmt.Errorf("template %s: %w", part, err)
		}
	}
	if len(s.templates) == 0 {
		return nil, fmt.Errorf("there is no template, such as %s", g.example())
	}
	return s, nil
}

func (s *Set) template(text string) error {
	var atoms []int
	var names []string
	for _, a := range strings.Split(text, "|") {
		name := strings.TrimSpace(a)
		k, err := s.atom(name)
		if err != nil {
			return err
		}
		atoms, names = append(atoms, k), append(names, name)
	}
	name := strings.Join(names, "|")
	switch {
	case len(atoms) > maxAtoms:
		return fmt.Errorf("it joins %d atoms, at most %d are allowed", len(atoms), maxAtoms)
	case slices.Contains(s.names, name):
		return fmt.Errorf("it is there twice")
	case len(s.templates) == maxTemplates:
		return fmt.Errorf("there are more than %d templates", maxTemplates)
	}
	s.templates, s.names = append(s.templates, atoms), append(s.names, name)
	return nil
}

// atom finds or adds an atom.
func (s *Set) atom(text string) (int, error) {
	parts := strings.Split(text, ".")
	column, columns := parts[len(parts)-1], s.grammar.columns
	if len(parts) < 2 || !slices.Contains(columns, column) {
		return 0, fmt.Errorf("%q is no address and column, such as %s%s; columns are %s", text, s.grammar.atom(),
			option.DidYouMean(column, columns), strings.Join(columns, ", "))
	}
	a, err := s.grammar.address(parts[:len(parts)-1])
	if err != nil {
		return 0, err
	}
	at := slices.IndexFunc(s.addresses, func(x address) bool { return x.name == a.name })
	if at < 0 {
		if at = len(s.addresses); at == s.grammar.addresses {
			return 0, fmt.Errorf("there are more than %d addresses", at)
		}
		s.addresses = append(s.addresses, a)
	}
	col := slices.Index(s.columns, column)
	if col < 0 {
		col = len(s.columns)
		s.columns = append(s.columns, column)
	}
	k := slices.Index(s.atoms, atom{at, col})
	if k < 0 {
		k = len(s.atoms)
		s.atoms = append(s.atoms, atom{at, col})
	}
	return k, nil
}

func (g *grammar) atom() string {
	if g.arcs {
		return "d.form"
	}
	return "s0.form"
}

func (g *grammar) example() string {
	if g.arcs {
		return "d.form, h.upos|d.upos"
	}
	return "s0.form, s1.upos|s0.upos"
}

func (g *grammar) address(parts []string) (address, error) {
	a := address{name: strings.Join(parts, ".")}
	if err := g.place(parts[0], &a); err != nil {
		return a, err
	}
	for _, p := range parts[1:] {
		k := slices.Index(steps, p)
		if k < 0 {
			return a, fmt.Errorf("%q is no dependent or head: lc is the leftmost dependent, rc the rightmost, lc2 and rc2 the "+
				"second ones, head the head", p)
		}
		a.steps = append(a.steps, step(k))
	}
	return a, nil
}

// place reads where a way begins.
func (g *grammar) place(name string, a *address) error {
	if g.arcs {
		if a.index = slices.Index(arcPlaces, name); a.index < 0 {
			return fmt.Errorf("%q is no place: d is the dependent, h its head, d- and d+, h- and h+ the tokens beside them, p "+
				"the dependent of h before d", name)
		}
		return nil
	}
	fault := fmt.Errorf("%q is no place: s0 to s%d are those of the stack, q0 to q%d those of the buffer", name,
		maxIndex, maxIndex)
	if len(name) != 2 || name[0] != 's' && name[0] != 'q' {
		return fault
	}
	index, err := strconv.Atoi(name[1:])
	if err != nil {
		return fault
	}
	a.index, a.buffer = index, name[0] == 'q'
	return nil
}

// token returns the token at an address, 0 if there is none.
func (a *address) token(s *State) int32 {
	t := s.Stack(a.index)
	if a.buffer {
		t = s.Buffer(a.index)
	}
	for _, k := range a.steps {
		t = s.step(t, k)
	}
	return t
}

// step returns the token a step from another, 0 if there is none.
func (s *State) step(t int32, k step) int32 {
	switch k {
	case leftmost:
		return s.left[t]
	case rightmost:
		return s.right[t]
	case secondLeft:
		return s.inner[s.left[t]]
	case secondRight:
		return s.inner[s.right[t]]
	}
	return max(0, s.heads[t])
}

// String is the canonical notation.
func (s *Set) String() string { return strings.Join(s.names, ", ") }

// Layers tells which columns of tokens are read.
func (s *Set) Layers() []kind.LayerUse {
	var cols []string
	for _, c := range s.TokenColumns() {
		if c == "lower" {
			c = "form"
		}
		if !slices.Contains(cols, c) {
			cols = append(cols, c)
		}
	}
	return []kind.LayerUse{{Layer: text.Tokens.Name, Columns: cols}}
}

// Signature is the tokens that the templates of a set see of a state: states of one sentence with
// equal signatures have equal attributes.
type Signature [maxAddresses]int32

// Signature returns the signature of a state.
func (s *Set) Signature(state *State) (out Signature) {
	for i := range s.addresses {
		out[i] = s.addresses[i].token(state)
	}
	return out
}

// Hash returns a hash of the signature.
func (g *Signature) Hash() uint64 {
	h := uint64(0)
	for _, t := range g {
		h = (h ^ uint64(uint32(t))) * 0x9e3779b97f4a7c15
		h ^= h >> 29
	}
	return h
}
