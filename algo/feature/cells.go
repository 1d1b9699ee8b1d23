package feature

import (
	"context"
	"fmt"
	"strings"

	"parlance/algo/kind"
	"parlance/algo/text"
)

// Cell is a value that a template reads: a column of what Cells gives, at an offset in tokens.
type Cell struct{ Column, Offset int }

// cellLayout numbers the columns of cells of a set: those of its atoms in their order, but for bias, which every token
// has.
type cellLayout struct {
	columns []int // of the set, by column of cells
	place   []int // by column of the set: column of cells, −1 for none
}

// layOut gives a set its columns of cells; the error says why a number of columns cannot hold what a template reads.
func (s *Set) layOut() (cellLayout, error) {
	l := cellLayout{place: make([]int, len(s.columns))}
	if s.document {
		return l, fmt.Errorf("its features are those of documents")
	}
	for i := range l.place {
		l.place[i] = -1
	}
	for _, t := range s.templates {
		if t.history != 0 {
			return l, fmt.Errorf("the template %s reads labels", s.name(t))
		}
		for _, a := range t.atoms {
			switch c := s.columns[a.column]; {
			case c.def.many:
				return l, fmt.Errorf("the template %s gives a token several values, of no fixed number", s.name(t))
			case c.name == bias && a.offset == 0 || l.place[a.column] >= 0:
			default:
				l.place[a.column] = len(l.columns)
				l.columns = append(l.columns, a.column)
			}
		}
	}
	return l, nil
}

// CellNames are the columns that Cells gives, such as form and suffix(2). It is an error where the values of a token
// are no fixed number.
func (s *Set) CellNames() ([]string, error) {
	l, err := s.layOut()
	var out []string
	for _, c := range l.columns {
		out = append(out, s.columns[c].String())
	}
	return out, err
}

// CellTemplates are the cells that each template joins; none for bias alone.
func (s *Set) CellTemplates() ([][]Cell, error) {
	l, err := s.layOut()
	if err != nil {
		return nil, err
	}
	out := make([][]Cell, len(s.templates))
	for i, t := range s.templates {
		for _, a := range t.atoms {
			if !s.everywhere(a) {
				out[i] = append(out[i], Cell{l.place[a.column], a.offset})
			}
		}
	}
	return out, nil
}

// everywhere reports whether an atom has the same value at every token.
func (s *Set) everywhere(a atom) bool { return s.columns[a.column].name == bias && a.offset == 0 }

// Values returns the number of the template of an attribute, and appends the values of the cells that it joins.
func (a *Alphabet) Values(attr uint32, dst []string) (template int, values []string) {
	template = int(a.tmpl[attr])
	for i, at := range a.set.templates[template].atoms {
		if !a.set.everywhere(at) {
			dst = append(dst, a.values[at.column].texts[a.vals[int(attr)*a.width+i]-1])
		}
	}
	return template, dst
}

// Cells gives the values of the atoms of a set as columns of tokens, so that templates over columns make the features
// that the set makes. It belongs to one goroutine.
type Cells struct {
	e      *Extractor
	layout cellLayout
}

// NewCells returns what gives the cells of a set; res may be nil for sets without resources.
func NewCells(s *Set, res kind.Resources) (*Cells, error) {
	l, err := s.layOut()
	if err != nil {
		return nil, err
	}
	e, err := NewExtractor(NewAlphabet(s), res)
	return &Cells{e, l}, err
}

// maxCells is how many values are remembered.
const maxCells = 1 << 18

// Document returns the values of a document by column and token; a value that is missing is empty.
func (c *Cells) Document(ctx context.Context, d *text.Document) ([][]string, error) {
	out := make([][]string, len(c.layout.columns))
	toks := d.Layer(text.Tokens.Name)
	if toks == nil {
		return out, ctx.Err()
	}
	c.forget()
	e := c.e
	e.growing = true // all values are numbered
	defer func() { e.growing = false }()
	bounds := d.SentenceTokens()
	for s := 1; s < len(bounds); s++ {
		from, to := int(bounds[s-1]), int(bounds[s])
		if s&255 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if from == to {
			continue
		}
		e.values(toks, from, to, c.layout.columns)
		for k, column := range c.layout.columns {
			for _, v := range e.vals[column][:to-from] {
				cell := ""
				if v != 0 {
					cell = e.a.values[column].texts[v-1]
				}
				out[k] = append(out[k], cell)
			}
		}
	}
	return out, ctx.Err()
}

// forget begins anew where many values are remembered.
func (c *Cells) forget() {
	n := len(c.e.forms.texts)
	for _, v := range c.e.a.values {
		n += len(v.texts)
	}
	if n <= maxCells {
		return
	}
	for i := range c.e.a.values {
		c.e.a.values[i] = &interner{}
	}
	c.e.forget()
}

// Escaped is a value as a cell of a file whose columns are parted by white space; different values give different
// cells. White space, control characters, | and ␣ are written as ␣, their code in base 16, and a semicolon; so is the
// first character of values that begin as the names of tokens outside of the sentence do in CRF++ and Wapiti. A
// missing value is ␣.
func Escaped(v string) string {
	if v == "" {
		return missing
	}
	outside := false
	for _, name := range []string{"_B-", "_B+", "_x-", "_x+"} {
		outside = outside || strings.HasPrefix(v, name)
	}
	if !outside && !strings.ContainsFunc(v, special) {
		return v
	}
	var b strings.Builder
	for i, r := range v {
		if special(r) || i == 0 && outside {
			fmt.Fprintf(&b, missing+"%x;", r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

const missing = "␣"

// special reports whether Escaped escapes a character; C's isspace knows those of ASCII alone.
func special(r rune) bool { return r <= ' ' || r == 0x7f || r == '|' || r == '␣' }
