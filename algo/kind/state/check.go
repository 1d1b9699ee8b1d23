package state

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// check looks at all values of a field, in the structs around it.
type check func(f *column, sc *scope) error

// verify runs the checks of all fields. up tells of a value the row of the struct around it, nil for the same.
func (c *column) verify(sc *scope, up func(int) int) error {
	if c.absent || !c.checked {
		return nil
	}
	switch c.is {
	case structure:
		sc.around = append(sc.around, frame{c, up})
		defer func() { sc.around = sc.around[:len(sc.around)-1] }()
		for _, f := range c.fields {
			if f.absent {
				continue
			}
			for _, run := range f.checks {
				if err := run(f, sc); err != nil {
					return err
				}
			}
			if err := f.verify(sc, nil); err != nil {
				return err
			}
		}
		return nil
	case array:
		k := c.t.Len()
		return c.elem.verify(sc, behind(up, func(i int) int { return i / k }))
	}
	if c.starts == nil {
		return c.elem.verify(sc, up)
	}
	return c.elem.verify(sc, behind(up, c.owner()))
}

// behind goes down first and then up.
func behind(up, down func(int) int) func(int) int {
	if up == nil {
		return down
	}
	return func(i int) int { return up(down(i)) }
}

// owner tells which list a value is in.
func (c *column) owner() func(int) int {
	if c.n == 1 {
		return func(int) int { return 0 }
	}
	var of []int
	return func(i int) int {
		if of == nil {
			of = make([]int, c.starts[c.n])
			for row := range c.n {
				for k := c.starts[row]; k < c.starts[row+1]; k++ {
					of[k] = row
				}
			}
		}
		return of[i]
	}
}

// compile makes the check of a tag.
func (c *compiler) compile(f *node, tag string) check {
	name, arg, _ := strings.Cut(tag, "=")
	switch name {
	case "len", "equal":
		if (name == "equal") != (f.is == number) {
			break
		}
		x := c.expression(tag, arg)
		return func(f *column, sc *scope) error { return f.long(x, sc, arg) }
	case "each":
		if f.is != list || f.elem.is == number || f.elem.is == structure {
			break
		}
		x := c.expression(tag, arg)
		return func(f *column, sc *scope) error { return f.each(x, sc, arg) }
	case "below":
		if !f.hasNumbers() {
			break
		}
		x := c.expression(tag, arg)
		return func(f *column, sc *scope) error { return f.below(x, sc, arg) }
	case "rows":
		if f.is != list || f.elem.is != number {
			break
		}
		x, into := c.expression(tag, arg), c.expression(tag, argument(f, "into"))
		return func(f *column, sc *scope) error { return f.rows(x, into, sc) }
	case "some":
		return (*column).some
	case "from", "to", "positive", "finite", "prob":
		return constantBounds(f, name, arg)
	case "rising", "sorted", "distinct":
		if f.elem == nil {
			break
		}
		if in := innermost(f); in.is == list || in.is == mapping {
			return ordered(in.elem, name, arg)
		}
	}
	panic(fmt.Sprintf("state: section %s: there is no check %s of a %v", f.section, tag, f.t))
}

func argument(f *node, name string) string {
	for _, s := range f.tags {
		if k, v, _ := strings.Cut(s, "="); k == name {
			return v
		}
	}
	panic(fmt.Sprintf("state: section %s: %s= is wanted", f.section, name))
}

// long compares lengths or numbers with what an expression says.
func (c *column) long(x expression, sc *scope, arg string) error {
	what := "has %d values, want %d (%s)"
	if c.is == number {
		what = "is %d, want %d (%s)"
	}
	if c.is == array { // each of its lists
		k := c.t.Len()
		for i := range c.n * k {
			if got, want := c.elem.amount(i), x.at(sc, i/k); got != want {
				return c.corrupt(what, got, want, arg)
			}
		}
		return nil
	}
	constant := x.constant(sc)
	want := 0
	for i := range c.n {
		if i == 0 || !constant {
			want = x.at(sc, i)
		}
		if got := c.amount(i); got != want {
			return c.corrupt(what, got, want, arg)
		}
	}
	return nil
}

func (c *column) each(x expression, sc *scope, arg string) error {
	constant := x.constant(sc)
	want := 0
	for i := range c.n {
		if i == 0 || !constant {
			want = x.at(sc, i)
		}
		for k := c.starts[i]; k < c.starts[i+1]; k++ {
			if got := c.elem.amount(k); got != want {
				return c.corrupt("has %d values in list %d, want %d (%s)", got, k, want, arg)
			}
		}
	}
	return nil
}

func (c *column) some(*scope) error {
	for i := range c.n {
		if c.amount(i) == 0 {
			return c.corrupt("is empty")
		}
	}
	return nil
}

// leaf is the numbers of a field, however deep in lists, and where those of the rows from a to b lie.
func (c *column) leaf(a, b int) (*column, int, int) {
	for c.is != number {
		switch {
		case c.is == array:
			a, b = a*c.t.Len(), b*c.t.Len()
		case c.starts != nil:
			a, b = c.starts[a], c.starts[b]
		}
		c = c.elem
	}
	return c, a, b
}

// hasNumbers reports whether numbers lie in a field, not in structs of it.
func (n *node) hasNumbers() bool {
	for n.is != number {
		if n.elem == nil {
			return false
		}
		n = n.elem
	}
	return true
}

func (c *column) below(x expression, sc *scope, arg string) error {
	if x.constant(sc) {
		if c.n == 0 {
			return nil
		}
		return c.belowIn(0, c.n, x.at(sc, 0), arg)
	}
	for i := range c.n {
		if err := c.belowIn(i, i+1, x.at(sc, i), arg); err != nil {
			return err
		}
	}
	return nil
}

func (c *column) belowIn(a, b, limit int, arg string) error {
	leaf, from, to := c.leaf(a, b)
	if i := leaf.numbers.beyond(from, to, limit); i >= 0 {
		return c.corrupt("has %v at %d, want one from 0 and below %d (%s)", leaf.numbers.show(i), i, limit, arg)
	}
	return nil
}

// rows checks the starts of rows, and the end of the last one.
func (c *column) rows(x, into expression, sc *scope) error {
	for i := range c.n {
		want, total := x.at(sc, i), into.at(sc, i)
		a, b := c.starts[i], c.starts[i+1]
		if want < 0 || b-a-1 != want {
			return c.corrupt("has %d values, want one a row of %d, and the end", b-a, want)
		}
		last := int64(0)
		for k := a; k < b; k++ {
			n := c.elem.numbers.int(k)
			if n < last || k == a && n != 0 {
				return c.corrupt("falls to %d at %d", n, k-a)
			}
			last = n
		}
		if last != int64(total) {
			return c.corrupt("ends at %d, want %d", last, total)
		}
	}
	return nil
}

// bounds are the constant bounds of a check, in words too.
func bounds(f *node, name, arg string) (lo, hi float64, want string) {
	lo, hi = -math.MaxFloat64, math.MaxFloat64
	switch name {
	case "from":
		lo, hi, want = constant(f, arg), math.Inf(1), "at least "+arg
	case "to":
		lo, hi, want = math.Inf(-1), constant(f, arg), "at most "+arg
	case "prob":
		lo, hi, want = 0, 1+1e-9, "one from 0 to 1"
	case "positive":
		lo, want = math.SmallestNonzeroFloat64, "one above 0"
	default:
		want = "a finite number"
	}
	return lo, hi, want
}

func constantBounds(f *node, name, arg string) check {
	if !f.hasNumbers() {
		panic(fmt.Sprintf("state: section %s: %s is of numbers", f.section, name))
	}
	lo, hi, want := bounds(f, name, arg)
	return func(c *column, _ *scope) error {
		leaf, a, b := c.leaf(0, c.n)
		if i := leaf.numbers.outside(a, b, lo, hi); i >= 0 {
			return c.corrupt("has %v at %d, want %s", leaf.numbers.show(i), i, want)
		}
		return nil
	}
}

func constant(f *node, arg string) float64 {
	x, err := strconv.ParseFloat(arg, 64)
	if err != nil {
		panic(fmt.Sprintf("state: section %s: %v", f.section, err))
	}
	return x
}
