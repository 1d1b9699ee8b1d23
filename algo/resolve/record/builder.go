package record

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Scale is the length of a vector of unit length: components are integers.
const Scale = 4096

// Unit is the number that stands for a product of 1 with a weight of 1.
const Unit = Scale * Scale * weightScale

// weightScale is the number that stands for a weight of 1.
const weightScale = 4096

// entry is a component of the vectors of a record.
type entry struct {
	key   int32
	value int16 // at most Scale; while the store is built a count
	part  uint16
}

// Store is records as sparse vectors, in the order in which they were added.
type Store struct {
	Attributes []Attribute
	start      []uint32 // of the entries of each record, in the pages one after the other
	count      []uint16
	pages      [][]entry // a record lies in one page; it is no larger than that
	keys       int
}

// pageBits is the logarithm of the entries of a page. Pages do not move when there are more of them.
const pageBits = 16

// Len returns the number of records.
func (s *Store) Len() int { return len(s.start) }

func (s *Store) of(i int32) []entry {
	from := s.start[i] & (1<<pageBits - 1)
	return s.pages[s.start[i]>>pageBits][from : from+uint32(s.count[i])]
}

// push adds a record with its entries.
func (s *Store) push(row []entry) {
	n := len(s.pages)
	if n == 0 {
		s.pages = append(s.pages, nil) // grows with the records, for most stores are small
		n++
	} else if len(s.pages[n-1])+len(row) > 1<<pageBits {
		s.pages = append(s.pages, make([]entry, 0, 1<<pageBits))
		n++
	}
	last := &s.pages[n-1]
	s.start = append(s.start, uint32(n-1)<<pageBits|uint32(len(*last)))
	s.count = append(s.count, uint16(len(row)))
	*last = append(*last, row...)
}

// full tells whether a record may be too much.
func (s *Store) full() bool { return len(s.pages) >= 1<<(32-pageBits) }

// Builder makes a Store.
type Builder struct {
	store  Store
	terms  *texts
	df     []int32
	buf    []byte
	row    []entry
	Idf    func(records, with int) float64 // nil: log((records + 1) / with)
	Counts bool                            // vectors are counts, not scaled to unit length
	unused []bool                          // parts that are left out
}

// NewBuilder returns an empty builder.
func NewBuilder(list []Attribute) *Builder {
	return &Builder{store: Store{Attributes: list}, terms: newTexts()}
}

// ErrTooMany tells that numbers of the package are exhausted.
var ErrTooMany = errors.New("too much data for one resolution")

// mostTerms bounds the components of a record; further words are left out.
const mostTerms = math.MaxUint16

// Weights tells the builder which weights there will be, so that it leaves out what has none.
func (b *Builder) Weights(weights []float64) {
	for _, w := range partWeights(b.store.Attributes, weights) {
		b.unused = append(b.unused, w == 0)
	}
}

// Trees tells the builder that the store is for trees, which look at Values and Bags alone, so that it leaves out the
// other parts.
func (b *Builder) Trees() {
	for _, a := range b.store.Attributes {
		used := []int{1}
		if a.Type == Name {
			used = []int{1, 3, 4}
		}
		for part := range a.Type.parts() {
			b.unused = append(b.unused, !slices.Contains(used, part))
		}
	}
}

// Add adds a record by the values of its attributes, "" for missing ones.
func (b *Builder) Add(values []string) error {
	b.row = b.row[:0]
	part := 0
	for i, a := range b.store.Attributes {
		b.attribute(a, part, values[i])
		part += a.Type.parts()
	}
	b.merge()
	if b.store.full() || len(b.df) > math.MaxInt32-1024 || len(b.terms.bytes) > math.MaxInt32 {
		return fmt.Errorf("%w: more than about 2³² words in all", ErrTooMany)
	}
	b.store.push(b.row)
	for _, e := range b.row {
		b.df[e.key]++
	}
	return nil
}

// merge sorts the components of a record by key and adds equal ones up.
func (b *Builder) merge() {
	slices.SortFunc(b.row, func(x, y entry) int { return cmp.Compare(x.key, y.key) })
	out := b.row[:0]
	for _, e := range b.row {
		if n := len(out); n > 0 && out[n-1].key == e.key {
			out[n-1].value = int16(min(math.MaxInt16, int(out[n-1].value)+int(e.value)))
			continue
		}
		if len(out) < mostTerms {
			out = append(out, e)
		}
	}
	b.row = out
}

// term adds a component of a part.
func (b *Builder) term(part int, text string) {
	if b.unused != nil && b.unused[part] {
		return
	}
	b.buf = append(b.buf[:0], byte(part), byte(part>>8))
	b.buf = append(b.buf, text...)
	k := b.terms.of(b.buf)
	if int(k) == len(b.df) {
		b.df = append(b.df, 0)
	}
	b.row = append(b.row, entry{k, 1, uint16(part)})
}

// attribute adds the components of a value, its parts being numbered from part on.
func (b *Builder) attribute(a Attribute, part int, v string) {
	v = strings.TrimSpace(v)
	if v == "" {
		return
	}
	switch a.Type {
	case Name:
		if name, initial := nameOf(v); name != "" {
			first, _ := utf8.DecodeRuneInString(name)
			letter := string(first)
			b.term(part, "")
			b.term(part+1, letter)
			if initial {
				b.term(part+3, letter)
			} else {
				b.term(part+2, letter)
			}
			b.term(part+4, name)
		}
	case String:
		b.term(part, "")
		b.term(part+1, strings.ToLower(v))
	case Number:
		x, err := strconv.ParseFloat(v, 64)
		cell := math.Floor(x / (a.Tolerance / cells))
		if err != nil || !(math.Abs(cell) < 1e15) {
			return
		}
		b.term(part, "")
		for k := range cells {
			b.term(part+1, strconv.FormatInt(int64(cell)+int64(k), 10))
		}
	default:
		some := false
		terms(a.Type, v, func(s string) {
			some = true
			b.term(part+1, s)
		})
		if some {
			b.term(part, "")
		}
	}
}

// cells is in how many cells of its length the tolerance of a number is divided: numbers share as many as are within
// it.
const cells = 4

// nameOf is a name in lower case without full stops, and whether it is an initial.
func nameOf(v string) (name string, initial bool) {
	name = strings.Join(strings.FieldsFunc(strings.ToLower(v), func(r rune) bool {
		return r == '.' ||
			unicode.IsSpace(r)
	}), " ")
	return name, utf8.RuneCountInString(name) == 1
}

// terms are what a value of several is compared by.
func terms(t Type, v string, use func(string)) {
	v = strings.ToLower(v)
	switch t {
	case Words:
		for _, w := range strings.FieldsFunc(v, func(r rune) bool {
			return !unicode.IsLetter(r) &&
				!unicode.IsNumber(r)
		}) {
			use(w)
		}
	case List:
		for _, w := range strings.Split(v, ";") {
			if w = strings.Join(strings.Fields(w), " "); w != "" {
				use(w)
			}
		}
	case Trigrams:
		s := []rune("  " + strings.Join(strings.Fields(v), " ") + " ")
		for i := range len(s) - 2 {
			use(string(s[i : i+3]))
		}
	}
}

// Store gives components their values: those of bags are count · idf, scaled to unit length. order has the numbers of
// the records that were added, in that order, nil for 0, 1, 2, …
func (b *Builder) Store(order []int32) *Store {
	s := &b.store
	bag := b.bags()
	idf := b.Idf
	if idf == nil {
		idf = func(records, with int) float64 { return math.Log(float64(records+1) / float64(with)) }
	}
	var raw []float64
	for i := range s.start {
		raw = b.values(s.of(int32(i)), bag, idf, raw)
	}
	s.keys = len(b.df)
	b.terms, b.df, b.row = nil, nil, nil
	if order != nil {
		s.arrange(order)
	}
	return s
}

// bags tells of each part whether it is a vector that is scaled.
func (b *Builder) bags() []bool {
	var out []bool
	for _, a := range b.store.Attributes {
		part := len(out)
		out = append(out, make([]bool, a.Type.parts())...)
		if a.Type >= Number {
			out[part+1] = true
		}
	}
	return out
}

// values turns the counts of a record into components.
func (b *Builder) values(row []entry, bag []bool, idf func(int, int) float64, raw []float64) []float64 {
	n := len(b.store.start)
	if b.Counts {
		return nil
	}
	raw = raw[:0]
	norm := make(map[uint16]float64, 4)
	number := func(part uint16) bool { return b.numbers(int(part)) }
	for _, e := range row {
		x := 1.0
		if bag[e.part] {
			if !number(e.part) {
				x = float64(e.value) * idf(n, int(b.df[e.key]))
			}
			norm[e.part] += x * x
		}
		raw = append(raw, x)
	}
	for i := range row {
		x := raw[i]
		if bag[row[i].part] {
			if norm[row[i].part] == 0 {
				x = 0
			} else {
				x /= math.Sqrt(norm[row[i].part])
			}
		}
		row[i].value = int16(math.Round(Scale * x))
	}
	return raw
}

// numbers tells whether a part is that of a number.
func (b *Builder) numbers(part int) bool {
	at := 0
	for _, a := range b.store.Attributes {
		if at += a.Type.parts(); part < at {
			return a.Type == Number
		}
	}
	return false
}

// arrange gives records the numbers of an order.
func (s *Store) arrange(order []int32) {
	start, count := make([]uint32, len(order)), make([]uint16, len(order))
	for k, i := range order {
		start[i], count[i] = s.start[k], s.count[k]
	}
	s.start, s.count = start, count
}
