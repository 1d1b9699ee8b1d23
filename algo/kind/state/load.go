package state

import (
	"encoding"
	"errors"
	"fmt"
	"math"
	"reflect"

	"parlance/algo/kind"
)

// Load reads what Save wrote into the model, a pointer to a struct. Where it fails the model is of no use.
func Load(r *kind.Reader, model any) error { return LoadAs(r, "", model) }

// LoadAs reads what SaveAs wrote.
func LoadAs(r *kind.Reader, name string, model any) error {
	v := reflect.ValueOf(model).Elem()
	n := plan(v.Type(), name)
	c, err := n.read(r, 1)
	if err != nil {
		return err
	}
	if err := c.verify(&scope{}, nil); err != nil {
		return err
	}
	return c.build(one(v))
}

// column is what is read of all values of a node.
type column struct {
	*node
	n       int // values
	numbers vector
	texts   []string
	starts  []int     // of slices, maps and pointers: where the values of each begin in elem, and the end
	fields  []*column // of structs
	elem    *column
	key     *column
	absent  bool // optional, and not there
}

// corrupt is an error about a section.
func (n *node) corrupt(format string, args ...any) error {
	return kind.Corrupt(n.section, fmt.Sprintf(format, args...))
}

// unknown is a number of values that the section itself tells.
const unknown = -1

// read reads the columns of so many values.
func (n *node) read(r *kind.Reader, rows int) (c *column, err error) {
	c = &column{node: n, n: rows}
	switch n.is {
	case number:
		if c.numbers, err = readNumbers(r, n.section, n.words); err != nil {
			return nil, err
		}
		if n.t.Kind() == reflect.Bool {
			if i := c.numbers.outside(0, c.numbers.len(), 0, 1); i >= 0 {
				return nil, n.corrupt("has %v at %d, which is neither 0 nor 1", c.numbers.show(i), i)
			}
		}
		return c, c.sized(c.numbers.len())
	case text, spelled:
		if c.texts, err = r.Strings(n.section); err != nil {
			return nil, err
		}
		return c, c.sized(len(c.texts))
	case structure:
		for _, f := range n.fields {
			x, err := f.readField(r, rows)
			if err != nil {
				return nil, err
			}
			c.fields = append(c.fields, x)
		}
		return c, nil
	case array:
		if n.t.Len() > 0 && rows > math.MaxInt/n.t.Len() {
			return nil, n.corrupt("has too many values")
		}
		c.elem, err = n.elem.read(r, rows*n.t.Len())
		return c, err
	case list:
		if n.bare {
			if c.elem, err = n.elem.read(r, unknown); err == nil {
				c.starts = []int{0, c.elem.n}
			}
			return c, err
		}
	case pointer:
		if n.always {
			c.elem, err = n.elem.read(r, rows)
			return c, err
		}
	}
	if err := c.readStarts(r); err != nil {
		return nil, err
	}
	total := c.starts[rows]
	if n.is == mapping {
		if c.key, err = n.key.read(r, total); err != nil {
			return nil, err
		}
		for i := range rows {
			if at := unordered(c.key, c.starts[i], c.starts[i+1], true); at >= 0 {
				return nil, n.key.corrupt("does not rise at %d", at)
			}
		}
	}
	c.elem, err = n.elem.read(r, total)
	return c, err
}

// sized compares the number of values in a section with that of the places for them.
func (c *column) sized(n int) error {
	if c.n == unknown {
		c.n = n
	}
	if c.n != n {
		return c.corrupt("has %d values, want %d", n, c.n)
	}
	return nil
}

// readField reads a field, which may be left out if it is optional.
func (n *node) readField(r *kind.Reader, rows int) (*column, error) {
	c, err := n.read(r, rows)
	if err == nil || !n.optional || !errors.Is(err, kind.ErrNoSection) {
		return c, err
	}
	if _, err := r.Bytes(n.first()); errors.Is(err, kind.ErrNoSection) {
		return &column{node: n, absent: true}, nil
	}
	return nil, err
}

// mostValues is far above what fits into memory, and far below where sums would overflow.
const mostValues = math.MaxInt64 >> 16

// readStarts reads the lengths of lists.
func (c *column) readStarts(r *kind.Reader) error {
	section := c.section + lengths
	of, err := readNumbers(r, section, wordsOf[reflect.Int])
	if err != nil {
		return err
	}
	if of.len() != c.n {
		return kind.Corrupt(section, fmt.Sprintf("has %d values, want %d", of.len(), c.n))
	}
	c.starts = make([]int, c.n+1)
	for i := range c.n {
		k := of.int(i)
		if k < 0 || k > mostValues-int64(c.starts[i]) || c.is == pointer && k > 1 {
			return kind.Corrupt(section, fmt.Sprintf("has %d at %d, which is no length", k, i))
		}
		c.starts[i+1] = c.starts[i] + int(k)
	}
	return nil
}

// readNumbers reads a section of numbers.
func readNumbers(r *kind.Reader, section string, w words) (vector, error) {
	p, err := r.Bytes(section)
	if err != nil {
		return nil, err
	}
	width, below := w.size, false
	if w.head {
		if len(p) == 0 {
			return nil, kind.Corrupt(section, "lacks the width of its words")
		}
		width, below = int(p[0]&^signed), p[0]&signed != 0
		if width != 1 && width != 2 && width != 4 && width != 8 || width > w.size {
			return nil, kind.Corrupt(section, fmt.Sprintf("has words of %d bytes", width))
		}
		p = p[1:]
	}
	if len(p)%width != 0 {
		return nil, kind.Corrupt(section, fmt.Sprintf("has %d bytes, no multiple of %d", len(p), width))
	}
	v := w.make(len(p) / width)
	v.get(p, width, below)
	if w.head && !v.fits(below) {
		return nil, kind.Corrupt(section, "has a number that its type cannot hold")
	}
	return v, nil
}

// build sets the values at the places.
func (c *column) build(p places) (err error) {
	if c.absent {
		return nil
	}
	switch c.is {
	case number:
		c.numbers.scatter(p, c.t.Kind())
	case text:
		i := 0
		p.visit(func(v reflect.Value) { v.SetString(c.texts[i]); i++ })
	case spelled:
		return c.spell(p)
	case structure:
		for _, f := range c.fields {
			if err := f.build(p.at(f.index)); err != nil {
				return err
			}
		}
		return c.tell(p)
	case array:
		return c.elem.build(p.inside())
	case list:
		return c.lists(p)
	case mapping:
		return c.maps(p)
	case pointer:
		return c.pointers(p)
	}
	return nil
}

// tell calls Loaded of structs.
func (c *column) tell(p places) (err error) {
	if !c.told {
		return nil
	}
	p.visit(func(v reflect.Value) {
		if err == nil {
			err = v.Addr().Interface().(loaded).Loaded()
		}
	})
	return c.refused(err)
}

// refused makes what a method of a type says about damage an error of the section.
func (c *column) refused(err error) error {
	if err == nil || errors.Is(err, kind.ErrCorrupt) {
		return err
	}
	return fmt.Errorf("%w: section %s: %w", kind.ErrCorrupt, c.section, err)
}

func (c *column) spell(p places) (err error) {
	i := 0
	p.visit(func(v reflect.Value) {
		if v.Kind() == reflect.Pointer {
			v.Set(reflect.New(v.Type().Elem()))
		} else {
			v = v.Addr()
		}
		if err == nil {
			err = v.Interface().(encoding.TextUnmarshaler).UnmarshalText([]byte(c.texts[i]))
		}
		i++
	})
	return c.refused(err)
}

// all is a slice of all values of a column.
func (c *column) all() (reflect.Value, error) {
	switch {
	case c.is == number:
		if v := c.numbers.list(); v.Type().Elem() == c.t {
			return v, nil
		}
	case c.is == text && c.t == reflect.TypeFor[string]():
		return reflect.ValueOf(c.texts), nil
	case c.is == list && c.elem.is == number:
		if v := c.elem.numbers.list(); v.Type() == c.t {
			return c.elem.numbers.cut(c.starts), nil
		}
	}
	v := reflect.MakeSlice(reflect.SliceOf(c.t), c.n, c.n)
	return v, c.build(places{in: []reflect.Value{v}, lists: true})
}

// lists cuts the list of all values into the slices at the places. Those without values are empty, not nil.
func (c *column) lists(p places) error {
	all, err := c.elem.all()
	if err != nil {
		return err
	}
	i := 0
	p.visit(func(v reflect.Value) {
		a, b := c.starts[i], c.starts[i+1]
		v.Set(all.Slice3(a, b, b))
		i++
	})
	return nil
}

func (c *column) maps(p places) error {
	keys, err := c.key.all()
	if err != nil {
		return err
	}
	values, err := c.elem.all()
	if err != nil {
		return err
	}
	i := 0
	p.visit(func(v reflect.Value) {
		a, b := c.starts[i], c.starts[i+1]
		m := reflect.MakeMapWithSize(c.t, b-a)
		for k := a; k < b; k++ {
			m.SetMapIndex(keys.Index(k), values.Index(k))
		}
		v.Set(m)
		i++
	})
	return nil
}

// pointers loads into what a pointer that is never nil leads to, and makes others.
func (c *column) pointers(p places) error {
	to, i := places{}, 0
	p.visit(func(v reflect.Value) {
		switch {
		case c.always && v.IsNil():
			v.Set(reflect.New(c.elem.t))
		case !c.always && c.starts[i] == c.starts[i+1]:
			v.SetZero()
		case !c.always:
			v.Set(reflect.New(c.elem.t))
		}
		if i++; !v.IsNil() {
			to.in = append(to.in, v.Elem())
		}
	})
	return c.elem.build(to)
}
