package transition

import (
	"fmt"
	"math/bits"
	"strings"

	"parlance/algo/kind"
	"parlance/algo/numeric/buffer"
	"parlance/algo/text"
)

// Key is an attribute of a state: a template with the values of its atoms, exact.
type Key struct{ hi, lo uint64 }

// Values of a column are numbered from 2; the others are:
const (
	noToken = 0
	unknown = 1 // a value that the alphabet has not
	first   = 2
)

const (
	valueBits = 24
	maxValues = 1<<valueBits - 1
)

// Alphabet numbers values of columns, and keys, from 0 in the order in which they were added. It
// may be shared once nothing adds to it.
type Alphabet struct {
	set   *Set
	texts [][]string // by column
	index []map[string]uint32
	keys  []Key
	slots []slot // of keys, by open addressing
}

// NewAlphabet returns an empty alphabet of the set.
func NewAlphabet(s *Set) *Alphabet {
	a := &Alphabet{set: s, texts: make([][]string, len(s.columns)), slots: make([]slot, 1<<10)}
	for range s.columns {
		a.index = append(a.index, map[string]uint32{})
	}
	return a
}

// Set returns the set of templates.
func (a *Alphabet) Set() *Set { return a.set }

// Len returns the number of keys.
func (a *Alphabet) Len() int { return len(a.keys) }

// Key returns the key of a number.
func (a *Alphabet) Key(id uint32) Key { return a.keys[id] }

func (k Key) hash() uint64 {
	hi, lo := bits.Mul64(k.hi^0x9e3779b97f4a7c15, k.lo^0xd1b54a32d192ed03)
	return hi ^ lo
}

// slot is where a key may be found: 1 + its number, 0 for empty, and a part of its hash.
type slot struct{ id, mark uint32 }

// Find returns the number of a key.
func (a *Alphabet) Find(k Key) (uint32, bool) {
	h := k.hash()
	return a.probe(k, h, a.slots[h&uint64(len(a.slots)-1)])
}

// probe looks for a key from its first slot on.
func (a *Alphabet) probe(k Key, h uint64, s slot) (uint32, bool) {
	mask := uint64(len(a.slots) - 1)
	for i := h & mask; s.id != 0; s = a.slots[i] {
		if s.mark == uint32(h>>32) && a.keys[s.id-1] == k {
			return s.id - 1, true
		}
		i = (i + 1) & mask
	}
	return 0, false
}

// Finder looks many keys up at once: their slots are fetched together, so that they are waited for
// once. It belongs to one goroutine.
type Finder struct {
	a      *Alphabet
	hashes []uint64
	slots  []slot
}

// NewFinder returns a finder of keys of the alphabet.
func (a *Alphabet) NewFinder() *Finder { return &Finder{a: a} }

// Find appends the numbers of those keys that the alphabet has.
func (f *Finder) Find(keys []Key, dst []uint32) []uint32 {
	f.hashes, f.slots = buffer.Resize(f.hashes, len(keys)), buffer.Resize(f.slots, len(keys))
	slots := f.a.slots
	mask := uint64(len(slots) - 1)
	for i, k := range keys {
		h := k.hash()
		f.hashes[i], f.slots[i] = h, slots[h&mask]
	}
	for i, k := range keys {
		if id, ok := f.a.probe(k, f.hashes[i], f.slots[i]); ok {
			dst = append(dst, id)
		}
	}
	return dst
}

// Add returns the number of a key, numbering a new one.
func (a *Alphabet) Add(k Key) uint32 {
	if id, ok := a.Find(k); ok {
		return id
	}
	a.keys = append(a.keys, k)
	if 2*len(a.keys) > len(a.slots) {
		a.slots = make([]slot, 2*len(a.slots))
		for id := range a.keys {
			a.place(uint32(id))
		}
	} else {
		a.place(uint32(len(a.keys) - 1))
	}
	return uint32(len(a.keys) - 1)
}

func (a *Alphabet) place(id uint32) {
	h, mask := a.keys[id].hash(), uint64(len(a.slots)-1)
	i := h & mask
	for a.slots[i].id != 0 {
		i = (i + 1) & mask
	}
	a.slots[i] = slot{id + 1, uint32(h >> 32)}
}

// value returns the number of a value, or unknown; with grow a new value is numbered.
func (a *Alphabet) value(column int, v string, grow bool) (uint32, error) {
	if id, ok := a.index[column][v]; ok {
		return id, nil
	}
	if !grow {
		return unknown, nil
	}
	id := uint32(len(a.texts[column]) + first)
	if id > maxValues {
		return 0, fmt.Errorf("tokens have more than %d values of %s", maxValues-first+1, a.set.columns[column])
	}
	v = strings.Clone(v) // it may be a slice of a long document
	a.texts[column] = append(a.texts[column], v)
	a.index[column][v] = id
	return id, nil
}

// Name returns a key as text, such as s0.form|s1.upos=dog|DET.
func (a *Alphabet) Name(id uint32) string {
	k := a.keys[id]
	t := int(k.hi >> (2 * valueBits))
	var parts []string
	for i, at := range a.set.templates[t] {
		v := k.value(i)
		switch {
		case v == noToken:
			parts = append(parts, "none")
		case v < first:
			parts = append(parts, "unknown")
		default:
			parts = append(parts, a.texts[a.set.atoms[at].column][v-first])
		}
	}
	return a.set.names[t] + "=" + strings.Join(parts, "|")
}

// value returns the value of atom i.
func (k Key) value(i int) uint32 {
	w := k.hi
	if i > 1 {
		w = k.lo
	}
	if i&1 == 0 {
		w >>= valueBits
	}
	return uint32(w & maxValues)
}

// Keep returns the alphabet of the keys for which keep is true, in their order.
func (a *Alphabet) Keep(keep []bool) *Alphabet {
	out := &Alphabet{set: a.set, texts: a.texts, index: a.index, slots: make([]slot, 1<<10)}
	for id, k := range a.keys {
		if keep[id] {
			out.Add(k)
		}
	}
	return out
}

// Bytes is what the alphabet takes in memory.
func (a *Alphabet) Bytes() int64 {
	n := int64(16*cap(a.keys) + 8*cap(a.slots))
	for _, texts := range a.texts {
		for _, s := range texts {
			n += int64(len(s)+15)&^15 + 16 + 50 // the header, and an entry of the map
		}
	}
	return n
}

// Encode writes the alphabet with its set in sections that begin with "states.".
func (a *Alphabet) Encode(w *kind.Writer) error {
	if err := w.Bytes("states.features", []byte(a.set.String())); err != nil {
		return err
	}
	for i, texts := range a.texts {
		if err := w.Strings(fmt.Sprintf("states.values.%d", i), texts); err != nil {
			return err
		}
	}
	return a.Write(w, "states.keys")
}

// Write writes the keys in their order.
func (a *Alphabet) Write(w *kind.Writer, section string) error {
	keys := make([]uint64, 0, 2*len(a.keys))
	for _, k := range a.keys {
		keys = append(keys, k.hi, k.lo)
	}
	return w.Uint64s(section, keys)
}

// Read adds the keys that Write wrote. Those that are here already must be the first of them.
func (a *Alphabet) Read(r *kind.Reader, section string) error {
	keys, err := r.Uint64s(section)
	if err != nil {
		return err
	}
	if len(keys)%2 != 0 || len(keys)/2 < len(a.keys) {
		return kind.Corrupt(section, "has an odd length, or too few keys")
	}
	for i := 0; i < len(keys); i += 2 {
		k := Key{keys[i], keys[i+1]}
		if !a.sound(k) || int(a.Add(k)) != i/2 {
			return kind.Corrupt(section, fmt.Sprintf("key %d is of no template, or out of place", i/2))
		}
	}
	return nil
}

// DecodeAlphabet reads what Encode wrote; damage gives an error that wraps kind.ErrCorrupt.
func DecodeAlphabet(r *kind.Reader) (*Alphabet, error) {
	notation, err := r.Bytes("states.features")
	if err != nil {
		return nil, err
	}
	set, err := Parse(string(notation))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", kind.ErrCorrupt, err)
	}
	a := NewAlphabet(set)
	for i := range a.texts {
		name := fmt.Sprintf("states.values.%d", i)
		texts, err := r.Strings(name)
		if err != nil {
			return nil, err
		}
		for k, t := range texts {
			if id, err := a.value(i, t, true); err != nil || int(id) != k+first {
				return nil, kind.Corrupt(name, "a value is there twice, or there are too many")
			}
		}
	}
	if err := a.Read(r, "states.keys"); err != nil {
		return nil, err
	}
	return a, nil
}

// sound tells whether a key is one of a template with known values.
func (a *Alphabet) sound(k Key) bool {
	t := k.hi >> (2 * valueBits)
	if t >= uint64(len(a.set.templates)) || k.lo>>(2*valueBits) != 0 {
		return false
	}
	atoms := a.set.templates[t]
	for i := range maxAtoms {
		v := int(k.value(i))
		if i >= len(atoms) && v != 0 || i < len(atoms) && v >= first+len(a.texts[a.set.atoms[atoms[i]].column]) {
			return false
		}
	}
	return true
}

// Extractor gives the keys of states of a sentence. It belongs to one goroutine.
type Extractor struct {
	a      *Alphabet
	values [][]uint32 // by column and token; those of token 0 are noToken
	atoms  []uint32   // of the state
	grow   bool
}

// NewExtractor returns an extractor; with grow, values of tokens are numbered as they come.
func NewExtractor(a *Alphabet, grow bool) *Extractor {
	return &Extractor{a: a, grow: grow, values: make([][]uint32, len(a.set.columns)),
		atoms: make([]uint32, len(a.set.atoms))}
}

// Load takes rows [from, to) of the tokens of a document as the sentence.
func (e *Extractor) Load(toks *text.Layer, from, to int) error {
	for c, name := range e.a.set.columns {
		lower := name == "lower"
		if lower {
			name = "form"
		}
		list := toks.Strs(name)
		out := append(e.values[c][:0], noToken)
		for t := from; t < to; t++ {
			v := ""
			if t < len(list) {
				v = list[t]
			}
			if lower {
				v = strings.ToLower(v)
			}
			id, err := e.a.value(c, v, e.grow)
			if err != nil {
				return err
			}
			out = append(out, id)
		}
		e.values[c] = out
	}
	return nil
}

// Values returns the numbers of the values of the sentence, by column and token, to keep; Restore
// takes them back.
func (e *Extractor) Values() [][]uint32 {
	out := make([][]uint32, len(e.values))
	for c, v := range e.values {
		out[c] = append([]uint32{}, v...)
	}
	return out
}

// Restore makes the sentence that of values that Values gave. They are not changed until the next
// Load, which must be of another extractor.
func (e *Extractor) Restore(values [][]uint32) { copy(e.values, values) }

// Keys appends the keys of a state with the signature given, one a template.
func (e *Extractor) Keys(g *Signature, dst []Key) []Key {
	set := e.a.set
	for i, at := range set.atoms {
		e.atoms[i] = e.values[at.column][g[at.address]]
	}
	for t, atoms := range set.templates {
		var v [maxAtoms]uint64
		for i, k := range atoms {
			v[i] = uint64(e.atoms[k])
		}
		dst = append(dst, Key{uint64(t)<<(2*valueBits) | v[0]<<valueBits | v[1], v[2]<<valueBits | v[3]})
	}
	return dst
}
