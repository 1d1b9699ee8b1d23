package state

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// expression is a sum of products of numbers and fields.
type expression struct {
	sum  [][]term
	deep int // number of the innermost struct whose fields it reads, from the outermost, 0; −1 for none
}

// term is a number, or a field of the structs around.
type term struct {
	number int
	path   []int // places of fields; nil for a number
	deep   int
}

// expression compiles the text after a tag's =, among the structs around.
func (c *compiler) expression(tag, arg string) expression {
	x := expression{deep: -1}
	for _, sum := range strings.Split(arg, "+") {
		var product []term
		for _, s := range strings.Split(sum, "*") {
			t := c.term(tag, s)
			if t.path != nil {
				x.deep = max(x.deep, t.deep)
			}
			product = append(product, t)
		}
		x.sum = append(x.sum, product)
	}
	return x
}

func (c *compiler) term(tag, s string) term {
	if n, err := strconv.Atoi(s); err == nil {
		return term{number: n}
	}
	bare := strings.TrimLeft(s, "^")
	names := strings.Split(bare, ".")
	for d := len(c.around) - 1 - (len(s) - len(bare)); d >= 0; d-- {
		if c.around[d].find(names[0]) == nil {
			continue
		}
		t, n := term{deep: d}, c.around[d]
		for _, name := range names {
			path := n.find(name)
			if path == nil {
				panic(fmt.Sprintf("state: tag %s: %v has no field %s with a tag", tag, n.t, name))
			}
			for _, k := range path {
				n = n.behind().fields[k]
			}
			t.path = append(t.path, path...)
		}
		return t
	}
	panic(fmt.Sprintf("state: tag %s: no struct around has a field %s with a tag", tag, names[0]))
}

// field is the place of a field in a struct, or −1.
func (n *node) field(name string) int {
	return slices.IndexFunc(n.fields, func(f *node) bool { return f.name == name })
}

// behind is what a pointer leads to.
func (n *node) behind() *node {
	for n.is == pointer {
		n = n.elem
	}
	return n
}

// find is the way to a field of a struct, or of one whose fields are written among its own; nil if there is none.
func (n *node) find(name string) []int {
	n = n.behind()
	if n.is != structure {
		return nil
	}
	if at := n.field(name); at >= 0 {
		return []int{at}
	}
	for i, f := range n.fields {
		if f.inline {
			if path := f.find(name); path != nil {
				return append([]int{i}, path...)
			}
		}
	}
	return nil
}

// scope is the structs around a field, the outermost first.
type scope struct{ around []frame }

// frame is a struct; up tells of a row in it the row of the struct around it, nil for the same.
type frame struct {
	c  *column
	up func(int) int
}

// at is the value for a row of the innermost struct. Of numbers that are too large for a product it is −1, which is no
// length.
func (x expression) at(sc *scope, row int) int {
	total := 0
	for _, product := range x.sum {
		n := 1
		for _, t := range product {
			k := t.at(sc, row)
			if k < 0 || k > 0 && n > math.MaxInt/k {
				return -1
			}
			n *= k
		}
		if total > math.MaxInt-n {
			return -1
		}
		total += n
	}
	return total
}

// constant reports whether the value is the same for all rows.
func (x expression) constant(sc *scope) bool {
	return x.deep < 0 || sc.around[x.deep].c.n <= 1
}

func (t term) at(sc *scope, row int) int {
	if t.path == nil {
		return t.number
	}
	for d := len(sc.around) - 1; d > t.deep; d-- {
		if up := sc.around[d].up; up != nil {
			row = up(row)
		}
	}
	c := sc.around[t.deep].c
	for _, k := range t.path {
		for c.is == pointer {
			if !c.always {
				if c.absent || c.starts[row] == c.starts[row+1] {
					return 0
				}
				row = c.starts[row]
			}
			c = c.elem
		}
		c = c.fields[k]
		if c.absent {
			return 0
		}
	}
	return c.amount(row)
}

// amount is a number, or the length of a list.
func (c *column) amount(row int) int {
	switch c.is {
	case number:
		return int(c.numbers.int(row))
	case text, spelled:
		return len(c.texts[row])
	case array:
		return c.t.Len()
	case structure:
		return 1
	}
	if c.starts == nil {
		return 1 // a pointer that is never nil
	}
	return c.starts[row+1] - c.starts[row]
}
