package transition

import (
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"parlance/algo/numeric/buffer"
	"parlance/algo/text"
)

// Words is the hashed values of the tokens of a sentence, by token and column. Token 0 stands for none.
type Words struct {
	columns []string
	values  []uint64
}

// NewWords returns words with columns of tokens.
func NewWords(columns []string) *Words { return &Words{columns: columns} }

// Load takes rows [from, to) of the tokens of a document as the sentence; columns that it lacks are empty.
func (w *Words) Load(toks *text.Layer, from, to int) {
	k := len(w.columns)
	w.values = buffer.Resize(w.values, (to-from+1)*k)
	for c, name := range w.columns {
		lower := name == "lower"
		if lower {
			name = "form"
		}
		list := toks.Strs(name)
		w.values[c] = noneHash
		for t := from; t < to; t++ {
			v := ""
			if t < len(list) {
				v = list[t]
			}
			if lower {
				v = strings.ToLower(v)
			}
			w.values[(t-from+1)*k+c] = hashText(v)
		}
	}
}

// Clone copies the words, to keep.
func (w *Words) Clone() Words { return Words{w.columns, slices.Clone(w.values)} }

// noneHash is the value of a token that is not there.
const noneHash = 0x8f1bbcdcbfa53e0b

// hashText mixes eight bytes at a time.
func hashText(s string) uint64 {
	h := uint64(len(s)) * 0x9e3779b97f4a7c15
	for ; len(s) >= 8; s = s[8:] {
		v := uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 | uint64(s[4])<<32 | uint64(
			s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
		h = fold(h^v, 0xd1b54a32d192ed03)
	}
	v := uint64(0)
	for i := range len(s) {
		v |= uint64(s[i]) << (8 * i)
	}
	return mix(h ^ v)
}

// fold is the two halves of a product, joined.
func fold(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a^0x9e3779b97f4a7c15, b)
	return hi ^ lo
}

// mix is the finaliser of splitmix64 (Steele, Lea and Flood 2014).
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// maxPlaces is how many tokens the templates of a set may look at, those on the way included.
const maxPlaces = 64

// Hasher gives the rows of a table of weights for the templates of a set. The row of a template is
//
//	(Σ_i value_i·salt_i) >> (64 − bits)
//
// with odd random salts for each template and atom (Dietzfelbinger et al. 1997), so features may share
// rows. It never changes and may be shared.
type Hasher struct {
	set       *Set
	ways      []way
	fixed     []value
	counted   []value
	terms     [maxAtoms][]term // by number of atoms less one
	templates []int            // by row, the template
	width     int              // columns of words
	shift     uint
}

// way finds a token: at a place of the stack or the buffer, or by a step from another token.
type way struct {
	kind  uint8
	step  step
	index int // of the place, or of the token to step from
}

const (
	onStack = iota
	inBuffer
	atArc
	bySteps
)

// value is an atom: a column of the token that a way finds. Of distances, to is the other token.
type value struct {
	atom, way, to int
	column        int   // of words
	what          uint8 // place in analysis
	name          string
}

type term struct {
	atom [maxAtoms]uint8
	salt [maxAtoms]uint64
}

// NewHasher compiles a set for words with the columns given and tables of 2^bits rows, 1 to 32 bits.
func NewHasher(set *Set, columns []string, bits int) (*Hasher, error) {
	h := &Hasher{set: set, width: len(columns), shift: uint(64 - bits)}
	for i, at := range set.atoms {
		v := value{atom: i, way: h.find(&set.addresses[at.address]), name: set.columns[at.column]}
		if !slices.Contains(analysis, v.name) {
			if v.column = slices.Index(columns, v.name); v.column < 0 {
				return nil, fmt.Errorf("templates read the column %s, the words have not", v.name)
			}
			h.fixed = append(h.fixed, v)
			continue
		}
		if v.what = uint8(slices.Index(analysis, v.name)); v.what == distances {
			if err := h.toward(&v, &set.addresses[at.address]); err != nil {
				return nil, err
			}
		}
		h.counted = append(h.counted, v)
	}
	if len(h.ways) > maxPlaces || len(set.atoms) > 256 {
		return nil, fmt.Errorf("templates look at %d tokens and have %d atoms, at most %d and 256 are allowed", len(h.ways),
			len(set.atoms), maxPlaces)
	}
	for size := range h.terms {
		for t, atoms := range set.templates {
			if len(atoms) != size+1 {
				continue
			}
			var x term
			for i, k := range atoms {
				x.atom[i], x.salt[i] = uint8(k), mix(uint64(t*maxAtoms+i+1)*0x9e3779b97f4a7c15)|1
			}
			h.terms[size], h.templates = append(h.terms[size], x), append(h.templates, t)
		}
	}
	return h, nil
}

// find adds the ways to an address.
func (h *Hasher) find(a *address) int {
	w := way{kind: onStack, index: a.index}
	switch {
	case h.set.grammar.arcs:
		w.kind = atArc
	case a.buffer:
		w.kind = inBuffer
	}
	at := h.add(w)
	for _, k := range a.steps {
		at = h.add(way{kind: bySteps, step: k, index: at})
	}
	return at
}

func (h *Hasher) add(w way) int {
	if at := slices.Index(h.ways, w); at >= 0 {
		return at
	}
	h.ways = append(h.ways, w)
	return len(h.ways) - 1
}

// toward finds what a distance is measured to.
func (h *Hasher) toward(v *value, a *address) error {
	var to address
	switch {
	case len(a.steps) > 0 || a.buffer || h.set.grammar.arcs && a.index != atDependent:
		return fmt.Errorf("%s.%s: distances are those of s0 to s%d, and of d in templates of arcs", a.name,
			distance, maxIndex)
	case h.set.grammar.arcs:
		to.index = atHead
	case a.index == 0:
		to.buffer = true
	default:
		to.index = a.index - 1
	}
	v.to = h.find(&to)
	return nil
}

// Rows returns how many rows a state has: one a template.
func (h *Hasher) Rows() int { return len(h.templates) }

// Scratch is the memory of a goroutine that hashes.
type Scratch struct {
	tokens [maxPlaces]int32
	atoms  [256]uint64
}

// State puts the rows of a state into dst, which has as many elements as Rows says.
func (h *Hasher) State(s *State, w *Words, x *Scratch, dst []uint32) {
	for i, o := range h.ways {
		switch o.kind {
		case onStack:
			x.tokens[i] = s.Stack(o.index)
		case inBuffer:
			x.tokens[i] = s.Buffer(o.index)
		default:
			x.tokens[i] = s.step(x.tokens[o.index], o.step)
		}
	}
	h.rows(s, w, x, dst)
}

// Arc puts the rows of the arc to a dependent into dst; previous is the dependent of its head before
// it, 0 for none.
func (h *Hasher) Arc(s *State, w *Words, dependent, previousOne int32, x *Scratch, dst []uint32) {
	head := max(0, s.heads[dependent])
	places := [arcPlaceCount]int32{atDependent: dependent, atHead: head, beforeDependent: dependent - 1,
		previous: previousOne}
	if int(dependent) < s.n {
		places[afterDependent] = dependent + 1
	}
	if head > 0 {
		places[beforeHead] = head - 1
		if int(head) < s.n {
			places[afterHead] = head + 1
		}
	}
	for i, o := range h.ways {
		if o.kind == atArc {
			x.tokens[i] = places[o.index]
		} else {
			x.tokens[i] = s.step(x.tokens[o.index], o.step)
		}
	}
	h.rows(s, w, x, dst)
}

func (h *Hasher) rows(s *State, w *Words, x *Scratch, dst []uint32) {
	for i := range h.fixed {
		v := &h.fixed[i]
		x.atoms[v.atom&255] = w.values[int(x.tokens[v.way&(maxPlaces-1)])*h.width+v.column]
	}
	for i := range h.counted {
		v := &h.counted[i]
		x.atoms[v.atom&255] = mix(uint64(1+h.count(s, v, x)) * 0xd1b54a32d192ed03)
	}
	k := 0
	for i := range h.terms[0] {
		t := &h.terms[0][i]
		dst[k] = uint32((x.atoms[t.atom[0]] * t.salt[0]) >> h.shift)
		k++
	}
	for i := range h.terms[1] {
		t := &h.terms[1][i]
		dst[k] = uint32((x.atoms[t.atom[0]]*t.salt[0] + x.atoms[t.atom[1]]*t.salt[1]) >> h.shift)
		k++
	}
	for i := range h.terms[2] {
		t := &h.terms[2][i]
		dst[k] = uint32(
			(x.atoms[t.atom[0]]*t.salt[0] + x.atoms[t.atom[1]]*t.salt[1] + x.atoms[t.atom[2]]*t.salt[2]) >> h.shift)
		k++
	}
	for i := range h.terms[3] {
		t := &h.terms[3][i]
		dst[k] = uint32((x.atoms[t.atom[0]]*t.salt[0] + x.atoms[t.atom[1]]*t.salt[1] + x.atoms[t.atom[2]]*t.salt[2] +
			x.atoms[t.atom[3]]*t.salt[3]) >> h.shift)
		k++
	}
}

// maxCount is the largest number of dependents that is told apart.
const maxCount = 6

// count is a value of the analysis, at least 0; 0 where there is no token.
func (h *Hasher) count(s *State, v *value, x *Scratch) int {
	t := x.tokens[v.way]
	if t == 0 {
		return 0
	}
	switch v.what {
	case deprels:
		return 1 + int(s.labels[t])
	case leftCounts:
		return 1 + int(min(maxCount, s.lefts[t]))
	case rightCounts:
		return 1 + int(min(maxCount, s.children[t]-s.lefts[t]))
	}
	to := x.tokens[v.to]
	switch {
	case to == 0:
		return 1
	case to < t:
		return 10 + bin(t-to)
	}
	return 2 + bin(to-t)
}

// bin puts distances into 1, 2, 3, 4, 5 to 6, 7 to 10, and more: 0 to 6.
func bin(d int32) int {
	switch {
	case d <= 4:
		return int(d) - 1
	case d <= 6:
		return 4
	case d <= 10:
		return 5
	}
	return 6
}

// Name is the feature of a row of State or Arc, the last one that x was used for, such as
// s0.form|q0.upos=dog|VERB. text gives a column of a token, label the name of a label.
func (h *Hasher) Name(row int, s *State, x *Scratch, text func(column string, token int32) string,
	label func(uint16) string) string {
	return string(h.AppendName(nil, row, s, x, text, label))
}

// AppendName appends what Name returns.
func (h *Hasher) AppendName(dst []byte, row int, s *State, x *Scratch, text func(column string, token int32) string,
	label func(uint16) string) []byte {
	t := h.templates[row]
	dst = append(dst, h.set.names[t]...)
	sign := byte('=')
	for _, k := range h.set.templates[t] {
		dst = append(append(dst, sign), h.text(k, s, x, text, label)...)
		sign = '|'
	}
	return dst
}

func (h *Hasher) text(atom int, s *State, x *Scratch, text func(column string, token int32) string,
	label func(uint16) string) string {
	for _, v := range h.fixed {
		if v.atom == atom {
			if t := x.tokens[v.way]; t != 0 {
				return text(v.name, t)
			}
			return "none"
		}
	}
	for _, v := range h.counted {
		if v.atom != atom {
			continue
		}
		t := x.tokens[v.way]
		switch {
		case t == 0 || v.what == distances && x.tokens[v.to] == 0:
			return "none"
		case v.what == deprels:
			return label(s.labels[t])
		case v.what == distances:
			return strconv.Itoa(int(x.tokens[v.to] - t))
		}
		return strconv.Itoa(h.count(s, &v, x) - 1)
	}
	return ""
}
