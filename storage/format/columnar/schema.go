package columnar

import (
	"fmt"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/schema"

	"parlance/storage/value"
)

// shape is what a field of a schema is.
type shape int

const (
	plainField shape = iota
	structField
	listField // its child is the element
	mapField  // its children are the key and the value
)

// field is a column of a file, or a part of one that is nested. Its values are stored in the columns of its leaves.
// Beside each value stands a definition level, which is how many of the fields above it that can be missing are there,
// and a repetition level, which is how many of the lists around it go on from the value before.
type field struct {
	name     string
	shape    shape
	children []*field
	leaves   []int    // the columns of its values, in order
	present  int16    // the least definition level of a value that is not NULL
	entry    int16    // of a list or map: the least definition level where it has an entry
	again    int16    // of a list or map: the repetition level of entries after the first
	leaf     leafType // of a plain field
}

// typeOf is the type that holds the values of a field.
func (f *field) typeOf() value.Type {
	if f.shape == plainField {
		return f.leaf.typ
	}
	return value.JSON
}

// fieldsOf are the columns of a schema; refused says of each that cannot be read what it is.
func fieldsOf(s *schema.Schema) (fields []*field, refused []string) {
	b := &builder{}
	for i := range s.Root().NumFields() {
		first := b.leaves
		f, err := b.field(s.Root().Field(i), 0, 0, 0)
		text := ""
		if err != nil {
			text = err.Error()
			f = &field{name: s.Root().Field(i).Name()}
			b.leaves = first + leavesBelow(s.Root().Field(i))
		}
		fields, refused = append(fields, f), append(refused, text)
	}
	return fields, refused
}

// leavesBelow counts the columns of values of a node.
func leavesBelow(n schema.Node) int {
	g, ok := n.(*schema.GroupNode)
	if !ok {
		return 1
	}
	total := 0
	for i := range g.NumFields() {
		total += leavesBelow(g.Field(i))
	}
	return total
}

// builder numbers the columns of values, which stand in the order of the schema.
type builder struct{ leaves int }

// field describes a node below fields of the levels def and rep.
func (b *builder) field(n schema.Node, def, rep int16, depth int) (*field, error) {
	if n.RepetitionType() != parquet.Repetitions.Repeated {
		return b.single(n, def, rep, depth)
	}
	// A repeated field that no list or map stands around is a list that is always there, of elements that are.
	f := &field{name: n.Name(), shape: listField, present: def, entry: def + 1, again: rep + 1}
	return b.with(f, depth, []schema.Node{n}, b.required)
}

// with adds children, which describe describes.
func (b *builder) with(f *field, depth int, children []schema.Node,
	describe func(n schema.Node, def, rep int16, depth int) (*field, error),
) (*field, error) {
	if depth > maxDepth {
		return nil, fmt.Errorf("STRUCT, nested more than %d deep", maxDepth)
	}
	def, rep := f.present, f.again
	if f.shape != structField {
		def = f.entry
	}
	for _, n := range children {
		child, err := describe(n, def, rep, depth+1)
		if err != nil {
			return nil, err
		}
		f.children = append(f.children, child)
		f.leaves = append(f.leaves, child.leaves...)
	}
	if len(f.leaves) == 0 {
		return nil, fmt.Errorf("STRUCT without fields")
	}
	return f, nil
}

// single describes a node that is one value, or none.
func (b *builder) single(n schema.Node, def, rep int16, depth int) (*field, error) {
	if n.RepetitionType() == parquet.Repetitions.Optional {
		def++
	}
	return b.required(n, def, rep, depth)
}

// required describes a node whose own repetition is in the levels already.
func (b *builder) required(n schema.Node, def, rep int16, depth int) (*field, error) {
	g, ok := n.(*schema.GroupNode)
	if !ok {
		leaf, err := leafTypeOf(n.(*schema.PrimitiveNode))
		b.leaves++
		return &field{name: n.Name(), leaves: []int{b.leaves - 1}, present: def, leaf: leaf}, err
	}
	f := &field{name: n.Name(), shape: structField, present: def, entry: def + 1, again: rep + 1}
	switch n.LogicalType().(type) {
	case schema.ListLogicalType:
		f.shape = listField
	case schema.MapLogicalType:
		f.shape = mapField
	default:
		if n.ConvertedType() == schema.ConvertedTypes.MapKeyValue {
			f.shape = mapField
		}
	}
	switch {
	case f.shape == structField:
		f.again = rep
		return b.with(f, depth, nodesOf(g), b.field)
	case g.NumFields() != 1 || g.Field(0).RepetitionType() != parquet.Repetitions.Repeated:
		return nil, fmt.Errorf("LIST or MAP without a repeated field")
	}
	repeated, isGroup := g.Field(0).(*schema.GroupNode)
	if f.shape == mapField && isGroup && repeated.NumFields() == 2 {
		return b.with(f, depth, nodesOf(repeated), b.field)
	}
	if f.shape = listField; isGroup && wraps(g, repeated) {
		return b.with(f, depth, nodesOf(repeated), b.field)
	}
	return b.with(f, depth, []schema.Node{g.Field(0)}, b.required)
}

// wraps reports whether the repeated group of a list stands around the element. In old files it may be the element: the
// rules for telling are those of the format's notes on compatibility.
func wraps(list, repeated *schema.GroupNode) bool {
	return repeated.NumFields() == 1 && repeated.Field(0).RepetitionType() != parquet.Repetitions.Repeated &&
		repeated.Name() != "array" && repeated.Name() != list.Name()+"_tuple"
}

func nodesOf(g *schema.GroupNode) []schema.Node {
	out := make([]schema.Node, g.NumFields())
	for i := range out {
		out[i] = g.Field(i)
	}
	return out
}

// columnsOf are the columns that fields are here.
func columnsOf(fields []*field, refused []string) []Column {
	out := make([]Column, len(fields))
	for i, f := range fields {
		if out[i] = (Column{Name: f.name, Type: value.Null, Refused: refused[i]}); refused[i] == "" {
			out[i].Type = f.typeOf()
		}
	}
	return out
}
