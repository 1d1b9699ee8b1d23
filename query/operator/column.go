package operator

import (
	"strings"

	"parlance/query/fn"
	"parlance/storage/value"
)

// column holds the values of a column of many batches in one slice, without dictionaries. It also compares its rows as
// a sort key does, by desc and nullsFirst.
type column struct {
	desc, nullsFirst bool
	n                int
	ints             []int64
	floats           []float64
	strs             []string
	null             []bool        // nil if no row is NULL
	any              []value.Value // in place of the others where types are mixed
	text             int           // about the bytes of texts
	t                value.Type    // of texts that are compared by their sort keys
}

// append adds the rows of a batch.
func (c *column) append(v *value.Vec, n int) {
	if unknown(v) {
		c.appendNulls(n)
		return
	}
	if c.any == nil && (v.Any != nil || !c.fits(v)) {
		c.generalise()
	}
	if c.any != nil {
		for i := range n {
			c.any = append(c.any, v.At(i))
			c.text += len(c.any[len(c.any)-1].S)
		}
		c.n += n
		return
	}
	if c.n > 0 && c.ints == nil && c.floats == nil && c.strs == nil {
		c.pad(v) // what came before was NULL
	}
	if v.Null != nil && c.null == nil {
		c.null = make([]bool, c.n, c.n+n)
	}
	if c.null != nil {
		if v.Null != nil {
			c.null = append(c.null, v.Null[:n]...)
		} else {
			c.null = append(c.null, make([]bool, n)...)
		}
	}
	if v.Type.HasSortKey() {
		c.t = v.Type
	}
	switch {
	case v.Ints != nil:
		c.ints = append(c.ints, v.Ints[:n]...)
	case v.Floats != nil:
		c.floats = append(c.floats, v.Floats[:n]...)
	case v.Codes != nil:
		for _, code := range v.Codes[:n] {
			c.strs = append(c.strs, v.Dict.Words[code])
		}
	default:
		c.strs = append(c.strs, v.Strs[:n]...)
	}
	for _, s := range c.strs[min(len(c.strs), c.n):] {
		c.text += 16 + len(s)
	}
	c.n += n
}

// appendNulls adds rows without a value; while there are no others nothing is stored.
func (c *column) appendNulls(n int) {
	switch {
	case c.any != nil:
		c.any = append(c.any, make([]value.Value, n)...)
	case c.ints != nil || c.floats != nil || c.strs != nil:
		if c.null == nil {
			c.null = make([]bool, c.n)
		}
		for range n {
			c.null = append(c.null, true)
		}
		switch {
		case c.ints != nil:
			c.ints = append(c.ints, make([]int64, n)...)
		case c.floats != nil:
			c.floats = append(c.floats, make([]float64, n)...)
		default:
			c.strs = append(c.strs, make([]string, n)...)
		}
	}
	c.n += n
}

// pad stores the NULLs so far, when the first vector with values tells their type.
func (c *column) pad(v *value.Vec) {
	c.null = make([]bool, c.n)
	for i := range c.null {
		c.null[i] = true
	}
	switch {
	case v.Ints != nil:
		c.ints = make([]int64, c.n)
	case v.Floats != nil:
		c.floats = make([]float64, c.n)
	default:
		c.strs = make([]string, c.n)
	}
}

// fits reports whether a vector has values of the type that is stored.
func (c *column) fits(v *value.Vec) bool {
	switch {
	case v.Ints != nil:
		return c.floats == nil && c.strs == nil
	case v.Floats != nil:
		return c.ints == nil && c.strs == nil
	case v.Codes != nil || v.Strs != nil:
		return c.ints == nil && c.floats == nil
	}
	return false
}

// generalise stores the values so far as values of any type.
func (c *column) generalise() {
	if c.any != nil {
		return
	}
	any := make([]value.Value, c.n)
	for i := range any {
		any[i] = c.at(i)
	}
	c.any = any
	c.ints, c.floats, c.strs, c.null = nil, nil, nil, nil
}

// at returns the value of row i.
func (c *column) at(i int) value.Value {
	switch {
	case c.any != nil:
		return c.any[i]
	case c.null != nil && c.null[i]:
		return value.Value{}
	case c.ints != nil:
		return value.Int(c.ints[i])
	case c.floats != nil:
		return value.Real(c.floats[i])
	case c.strs != nil && c.t != value.Null:
		return value.Value{T: c.t, S: c.strs[i]}
	case c.strs != nil:
		return value.Str(c.strs[i])
	}
	return value.Value{}
}

// compare returns -1, 0 or 1 for the order of two rows.
func (c *column) compare(i, j int32) int {
	if c.any != nil {
		return c.compareValues(c.any[i], c.any[j])
	}
	if c.null != nil && (c.null[i] || c.null[j]) {
		return c.compareNulls(c.null[i], c.null[j])
	}
	r := 0
	switch {
	case c.ints != nil:
		if x, y := c.ints[i], c.ints[j]; x < y {
			r = -1
		} else if x > y {
			r = 1
		}
	case c.floats != nil:
		if x, y := c.floats[i], c.floats[j]; x < y {
			r = -1
		} else if x > y {
			r = 1
		} else if x != y {
			r = value.Compare(value.Real(x), value.Real(y)) // NaN
		}
	case c.strs != nil && c.t != value.Null:
		r = value.Compare(c.at(int(i)), c.at(int(j)))
	case c.strs != nil:
		r = strings.Compare(c.strs[i], c.strs[j])
	}
	if c.desc {
		return -r
	}
	return r
}

// compareNulls orders two values of which at least one is NULL; x and y tell which.
func (c *column) compareNulls(x, y bool) int {
	switch {
	case x == y:
		return 0
	case x == c.nullsFirst:
		return -1
	}
	return 1
}

// compareValues orders two values as compare orders rows.
func (c *column) compareValues(x, y value.Value) int {
	if x.IsNull() || y.IsNull() {
		return c.compareNulls(x.IsNull(), y.IsNull())
	}
	if r := value.Compare(x, y); c.desc {
		return -r
	} else {
		return r
	}
}

// vec returns the rows [from, to) as a vector of the type.
func (c *column) vec(t value.Type, from, to int) value.Vec {
	v := value.Vec{Type: t}
	switch {
	case c.any != nil:
		return value.FromValues(t, c.any[from:to])
	case c.ints != nil:
		v.Ints = c.ints[from:to]
	case c.floats != nil:
		v.Floats = c.floats[from:to]
	case c.strs != nil:
		v.Strs = c.strs[from:to]
	}
	if c.null != nil {
		v.Null = c.null[from:to]
	}
	return v
}

// bytes is about what the column takes while it grows.
func (c *column) bytes() int {
	return fn.Grown(8*len(c.ints)+8*len(c.floats)+16*len(c.strs)+len(c.null)+32*len(c.any)) + c.text - 16*len(c.strs)
}
