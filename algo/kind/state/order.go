package state

import (
	"fmt"
	"strings"
)

// innermost is the lists in lists.
func innermost(n *node) *node {
	for n.elem.is == list {
		n = n.elem
	}
	return n
}

// innermost is the column of the lists in lists.
func (c *column) innermost() *column {
	for c.elem.is == list {
		c = c.elem
	}
	return c
}

// ordered is a check of neighbours in the innermost lists, by fields where these are of structs.
func ordered(elem *node, how, fields string) check {
	var keys []int
	for _, name := range strings.Split(fields, "+") {
		if elem.is != structure {
			break
		}
		at := elem.field(name)
		if at < 0 {
			panic(fmt.Sprintf("state: section %s: %s=%s: %v has no such field", elem.section, how, fields, elem.t))
		}
		keys = append(keys, at)
	}
	if fields != "" && keys == nil {
		panic(fmt.Sprintf("state: section %s: %s of %v has no fields", elem.section, how, elem.t))
	}
	by := func(c *column) []*column {
		if keys == nil {
			return []*column{c.elem}
		}
		var out []*column
		for _, k := range keys {
			out = append(out, c.elem.fields[k])
		}
		return out
	}
	if how == "distinct" {
		return func(c *column, _ *scope) error { return c.innermost().distinct(by(c.innermost())) }
	}
	return func(c *column, _ *scope) error {
		c = c.innermost()
		for i, cols := 0, by(c); i < c.n; i++ {
			if at := unorderedBy(cols, c.starts[i], c.starts[i+1], how == "rising"); at >= 0 {
				if how == "rising" {
					return cols[0].corrupt("does not rise at %d", at)
				}
				return cols[0].corrupt("falls at %d", at)
			}
		}
		return nil
	}
}

// unordered is the place of the first value after a and before b that falls, or is equal where they rise; −1 for none.
func unordered(c *column, a, b int, rising bool) int { return unorderedBy([]*column{c}, a, b, rising) }

func unorderedBy(cols []*column, a, b int, rising bool) int {
	for i := a + 1; i < b; i++ {
		d := 0
		for _, c := range cols {
			if d = c.compare(i-1, i); d != 0 {
				break
			}
		}
		if d > 0 || d == 0 && rising {
			return i
		}
	}
	return -1
}

// compare orders two values of a column.
func (c *column) compare(i, j int) int {
	switch c.is {
	case number:
		return c.numbers.compare(i, j)
	case text, spelled:
		return strings.Compare(c.texts[i], c.texts[j])
	case structure:
		for _, f := range c.fields {
			if d := f.compare(i, j); d != 0 {
				return d
			}
		}
		return 0
	case array:
		k := c.t.Len()
		for x := range k {
			if d := c.elem.compare(i*k+x, j*k+x); d != 0 {
				return d
			}
		}
		return 0
	}
	a, b := c.starts[i:i+2], c.starts[j:j+2]
	for k := range min(a[1]-a[0], b[1]-b[0]) {
		if d := c.elem.compare(a[0]+k, b[0]+k); d != 0 {
			return d
		}
	}
	return (a[1] - a[0]) - (b[1] - b[0])
}

// distinct checks that no list has two equal values.
func (c *column) distinct(by []*column) error {
	for i := range c.n {
		a, b := c.starts[i], c.starts[i+1]
		seen := make(map[string]bool, b-a)
		for k := a; k < b; k++ {
			key := by[0].spelling(k)
			for _, x := range by[1:] {
				key += "\x00" + x.spelling(k)
			}
			if seen[key] {
				return by[0].corrupt("has %s twice", key)
			}
			seen[key] = true
		}
	}
	return nil
}

// spelling is a text that only equal values have.
func (c *column) spelling(i int) string {
	from, to, of := 0, 0, c.elem
	switch c.is {
	case text, spelled:
		return c.texts[i]
	case number:
		return fmt.Sprint(c.numbers.show(i))
	case structure:
		var out []string
		for _, f := range c.fields {
			out = append(out, f.spelling(i))
		}
		return strings.Join(out, "\x00")
	case array:
		from, to = i*c.t.Len(), (i+1)*c.t.Len()
	default:
		from, to = c.starts[i], c.starts[i+1]
	}
	var out []string
	for k := from; k < to; k++ {
		out = append(out, of.spelling(k))
	}
	return strings.Join(out, "\x00")
}
