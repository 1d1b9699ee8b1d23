package external

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"parlance/algo/engine/chain"
	"parlance/algo/feature"
	"parlance/algo/kind"
	"parlance/algo/seq/tagger"
	"parlance/algo/text"
)

// Name is a feature as the program writes it. Features of pairs have the numbers above those of labels.
func (m *Model) Name(attr uint32) string {
	if n := m.features.len(); int(attr) >= n {
		return m.pairs.features.at(int(attr) - n)
	}
	return m.features.at(int(attr))
}

// Source makes the features of tokens.
func (m *Model) Source(old tagger.Source, whole bool, _ kind.Resources) (tagger.Source, error) {
	if s, ok := old.(*source); ok {
		return s, nil
	}
	return &source{m: m, whole: whole}, nil
}

// source makes the features of tokens, for one goroutine.
type source struct {
	m      *Model
	whole  bool
	values [][]string // of each column, by token
	failed []bool     // memory of expressions
	buf    []byte     // texts of a token, one after the other
	asked  []asked
	valued []valued // attributes of the document whose value is not 1, where they are not in the rows
}

// valued is an attribute of a token of the document.
type valued struct {
	token int
	attr  uint32
	value float64
}

// checkEvery is how many tokens are read between looks at the context.
const checkEvery = 256

// Each puts the features of each document into rows.
func (s *source) Each(ctx context.Context, docs []*text.Document, rows *feature.Rows,
	do func(*text.Document) error) error {
	for _, d := range docs {
		rows.Reset()
		s.valued = s.valued[:0]
		if err := s.document(ctx, d, rows); err != nil {
			return err
		}
		if err := do(d); err != nil {
			return err
		}
	}
	return nil
}

func (s *source) document(ctx context.Context, d *text.Document, rows *feature.Rows) error {
	tokens := d.Layer(text.Tokens.Name)
	if tokens == nil {
		return ctx.Err()
	}
	s.values = s.values[:0]
	for i, c := range s.m.columns {
		var v []string
		if s.m.used(i) {
			v = c.values(d, tokens)
		}
		s.values = append(s.values, v)
	}
	bounds := d.SentenceTokens()
	for k := 1; k < len(bounds); k++ {
		from, to := int(bounds[k-1]), int(bounds[k])
		for t := from; t < to; t++ {
			if t%checkEvery == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			if s.m.Notation == Attributes {
				if err := s.attributes(d, t, rows); err != nil {
					return err
				}
			} else {
				s.features(from, to, t, rows)
			}
			rows.Offsets = append(rows.Offsets, uint32(len(rows.Attrs)))
		}
	}
	return nil
}

// features adds the features of token t of the sentence [from, to) that the model knows.
func (s *source) features(from, to, t int, rows *feature.Rows) {
	m := s.m
	s.buf, s.asked = s.buf[:0], s.asked[:0]
	for i := range m.templates {
		p := &m.templates[i]
		start := len(s.buf)
		s.write(p, from, to, t)
		if p.unigram {
			s.asked = append(s.asked, m.features.ask(s.buf, start, 0))
		}
		if p.bigram && !p.fixed && t > from && !m.pairs.empty() { // the others are in the transitions
			s.asked = append(s.asked, m.pairs.features.ask(s.buf, start, uint32(m.features.len())))
		}
	}
	rows.Attrs = answer(s.asked, s.buf, rows.Attrs)
}

// write appends what a template makes of token t.
func (s *source) write(p *template, from, to, t int) {
	for i := range p.parts {
		x := &p.parts[i]
		if x.of == 0 {
			s.buf = append(s.buf, x.literal...)
			continue
		}
		at := t + x.offset
		switch x.absolute {
		case '^':
			at = from + x.offset
		case '$':
			at = to + x.offset
		}
		var v string
		switch {
		case at < from:
			v = s.m.Notation.outside('-', from-at)
		case at >= to:
			v = s.m.Notation.outside('+', at-to+1)
		default:
			v = s.values[x.column][at]
		}
		s.part(x, v)
	}
}

// part appends what a part makes of a value.
func (s *source) part(x *part, v string) {
	start := len(s.buf)
	switch x.of {
	case 'x':
		s.buf = append(s.buf, v...)
	default:
		from, to, ok, mem := x.match.find(v, s.failed)
		s.failed = mem
		switch {
		case x.of == 't':
			s.buf = strconv.AppendBool(s.buf, ok)
		case ok:
			s.buf = append(s.buf, v[from:to]...)
		}
	}
	if x.lower {
		for i, b := range s.buf[start:] {
			if 'A' <= b && b <= 'Z' {
				s.buf[start+i] = b | 0x20
			}
		}
	}
}

// The names of tokens outside the sentence, by distance from 1; the last one stands for all further ones.
var outsides = map[Notation]map[byte][]string{
	CRFPP: {'-': numbered("_B-", crfppRows), '+': numbered("_B+", crfppRows)},
	Wapiti: {'-': append(numbered("_x-", wapitiRows), "_x-#"),
		'+': append(numbered("_x+", wapitiRows), "_x+#")},
}

const wapitiRows = 4

func numbered(prefix string, n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = prefix + strconv.Itoa(i+1)
	}
	return out
}

func (n Notation) outside(side byte, distance int) string {
	list := outsides[n][side]
	return list[min(distance, len(list))-1]
}

// attributes adds the attributes of token t that the model knows. They are parted by tabs, a value stands after a
// colon; colons and backslashes that belong to an attribute stand after a backslash.
func (s *source) attributes(d *text.Document, t int, rows *feature.Rows) error {
	m, cell := s.m, s.values[0][t]
	plain := !s.whole && strings.IndexByte(cell, ':') < 0 && strings.IndexByte(cell, '\\') < 0
	s.buf, s.asked = s.buf[:0], s.asked[:0]
	for rest := cell; rest != ""; {
		field := rest
		if i := strings.IndexByte(rest, '\t'); i >= 0 {
			field, rest = rest[:i], rest[i+1:]
		} else {
			rest = ""
		}
		if field == "" {
			continue
		}
		start, value := len(s.buf), 1.0
		if plain {
			s.buf = append(s.buf, field...)
		} else if s.buf, value = ParseAttribute(s.buf, field); s.whole || value != 1 {
			if err := s.addValued(d, t, start, field, value, rows); err != nil {
				return err
			}
			continue
		}
		s.asked = append(s.asked, m.features.ask(s.buf, start, 0))
	}
	rows.Attrs = answer(s.asked, s.buf, rows.Attrs)
	return nil
}

// addValued adds the attribute buf[start:], whose value may be another than 1.
func (s *source) addValued(d *text.Document, t, start int, field string, value float64, rows *feature.Rows) error {
	name := s.buf[start:]
	k := s.m.features.find(s.m.features.hash(name), name)
	switch {
	case math.IsNaN(value) || math.IsInf(value, 0):
		return fmt.Errorf("document %s, token %d: the attribute %s has no finite value", d.ID, t+1, field)
	case k < 0:
	case s.whole:
		rows.Attrs, rows.Values = append(rows.Attrs, uint32(k)), append(rows.Values, float32(value))
	default:
		s.valued = append(s.valued, valued{t, uint32(k), value})
	}
	return nil
}

// ParseAttribute appends the name of an attribute to dst and returns its value, 1 if it has none. What is no number
// after the colon is 0, as in CRFsuite.
func ParseAttribute(dst []byte, field string) ([]byte, float64) {
	for i := 0; i < len(field); i++ {
		switch b := field[i]; {
		case b == '\\' && i+1 < len(field):
			i++
			dst = append(dst, field[i])
		case b == ':':
			v, err := strconv.ParseFloat(field[i+1:], 64)
			if err != nil {
				v = 0
			}
			return dst, v
		default:
			dst = append(dst, b)
		}
	}
	return dst, 1
}

// Add adds the weights of attributes with values.
func (s *source) Add(from, to int, scores []float64) {
	l := s.m.Chain.Labels()
	first, _ := slices.BinarySearchFunc(s.valued, from, func(v valued, t int) int { return v.token - t })
	for _, v := range s.valued[first:] {
		if v.token >= to {
			break
		}
		labels, weights := s.m.Chain.Row(v.attr)
		row := scores[(v.token-from)*l:]
		for i, y := range labels {
			row[y] += v.value * weights[i]
		}
	}
}

// pairsAt returns the features of pairs among the attributes of token t.
func pairsAt(seq chain.Sequence, t int, labelled uint32, dst []uint32) []uint32 {
	for _, a := range seq.Attrs[seq.AttrOffsets[t]:seq.AttrOffsets[t+1]] {
		if a >= labelled {
			dst = append(dst, a-labelled)
		}
	}
	return dst
}
