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
// dependent of a token. A template gives an attribute at every state: where there is no token, or
// no value, that is its value. A set never changes.
type Set struct {
	addresses []address
	columns   []string
	atoms     []atom
	templates [][]int // atoms
	names     []string
}

// address is a place of the stack or the buffer and a way down the arcs from there.
type address struct {
	name   string
	buffer bool
	index  int
	down   []bool // true for the rightmost dependent, false for the leftmost
}

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
func Parse(notation string) (*Set, error) {
	s := &Set{}
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
		return nil, fmt.Errorf("there is no template of states, such as s0.form, s1.upos|s0.upos")
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
	column := parts[len(parts)-1]
	if len(parts) < 2 || !slices.Contains(columns, column) {
		return 0, fmt.Errorf("%q is no address and column, such as s0.form%s; columns are %s", text, option.DidYouMean(column, columns), strings.Join(columns, ", "))
	}
	a, err := parseAddress(parts[:len(parts)-1])
	if err != nil {
		return 0, err
	}
	at := slices.IndexFunc(s.addresses, func(x address) bool { return x.name == a.name })
	if at < 0 {
		if at = len(s.addresses); at == maxAddresses {
			return 0, fmt.Errorf("there are more than %d addresses", maxAddresses)
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

func parseAddress(parts []string) (address, error) {
	a := address{name: strings.Join(parts, ".")}
	head := parts[0]
	if len(head) != 2 || head[0] != 's' && head[0] != 'q' {
		return a, fmt.Errorf("%q is no place: s0 to s%d are those of the stack, q0 to q%d those of the buffer", head, maxIndex, maxIndex)
	}
	index, err := strconv.Atoi(head[1:])
	if err != nil {
		return a, fmt.Errorf("%q is no place: s0 to s%d are those of the stack, q0 to q%d those of the buffer", head, maxIndex, maxIndex)
	}
	a.index, a.buffer = index, head[0] == 'q'
	for _, p := range parts[1:] {
		if p != "lc" && p != "rc" {
			return a, fmt.Errorf("%q is no dependent: lc is the leftmost, rc the rightmost", p)
		}
		a.down = append(a.down, p == "rc")
	}
	return a, nil
}

// token returns the token at an address, 0 if there is none.
func (a *address) token(s *State) int32 {
	t := s.Stack(a.index)
	if a.buffer {
		t = s.Buffer(a.index)
	}
	for _, right := range a.down {
		if right {
			t = s.Rightmost(t)
		} else {
			t = s.Leftmost(t)
		}
	}
	return t
}

// String is the canonical notation.
func (s *Set) String() string { return strings.Join(s.names, ", ") }

// Layers tells which columns of tokens are read.
func (s *Set) Layers() []kind.LayerUse {
	var cols []string
	for _, c := range s.columns {
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
