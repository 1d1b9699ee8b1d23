package kindtest

import (
	"fmt"
	"slices"
	"strings"

	"parlance/algo/kind"
	"parlance/algo/text"
)

// views returns copies of the documents with nothing but the layers and columns of uses;
// integer columns, which place rows, always come along.
func views(docs []*text.Document, uses ...[]kind.LayerUse) []*text.Document {
	out := make([]*text.Document, len(docs))
	for i, d := range docs {
		c := *d
		c.Layers = nil
		for _, l := range d.Layers {
			if v := visible(l, uses); v != nil {
				c.Layers = append(c.Layers, v)
			}
		}
		out[i] = &c
	}
	return out
}

func visible(l *text.Layer, uses [][]kind.LayerUse) *text.Layer {
	all, seen := false, false
	var columns []string
	for _, list := range uses {
		for _, u := range list {
			if u.Layer == l.Name {
				all, seen = all || u.Columns == nil, true
				columns = append(columns, u.Columns...)
			}
		}
	}
	if !seen {
		return nil
	}
	v := *l
	v.Cols = make([]text.Col, len(l.Cols))
	for i, c := range l.Def.Columns {
		if all || l.Cols[i].Ints != nil || slices.Contains(columns, c.Name) {
			v.Cols[i] = l.Cols[i]
		}
	}
	return &v
}

// dump prints the layers of a document exactly; keep, if not nil, chooses columns.
func dump(d *text.Document, keep func(layer, column string) bool) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d %q %q %v\n", d.Seq, d.ID, d.Text, d.Fields)
	names := make([]string, 0, len(d.Layers))
	for _, l := range d.Layers {
		names = append(names, l.Name)
	}
	slices.Sort(names)
	for _, name := range names {
		l := d.Layer(name)
		shown := false
		for i, c := range l.Def.Columns {
			if keep != nil && !keep(name, c.Name) {
				continue
			}
			shown = true
			fmt.Fprintf(&b, "%s.%s n=%d %v %q %x\n", name, c.Name, l.N, l.Cols[i].Ints, l.Cols[i].Strs, l.Cols[i].Floats)
		}
		if shown {
			fmt.Fprintf(&b, "%s prob %x rank %v\n", name, l.Prob, l.Rank)
		}
	}
	return b.String()
}

func dumpAll(docs []*text.Document) string {
	var b strings.Builder
	for _, d := range docs {
		b.WriteString(dump(d, nil))
	}
	return b.String()
}

// within chooses the columns that are among uses.
func within(uses []kind.LayerUse) func(layer, column string) bool {
	return func(layer, column string) bool {
		for _, u := range uses {
			if u.Layer == layer && (u.Columns == nil || slices.Contains(u.Columns, column)) {
				return true
			}
		}
		return false
	}
}

// written prints what a model wrote.
func written(docs []*text.Document, schema kind.Schema) string {
	var b strings.Builder
	for _, d := range docs {
		b.WriteString(dump(d, within(schema.Writes)))
	}
	return b.String()
}

// difference shows the first line in which two dumps differ.
func difference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := 0; i < len(g) || i < len(w); i++ {
		a, b := "nothing", "nothing"
		if i < len(g) {
			a = g[i]
		}
		if i < len(w) {
			b = w[i]
		}
		if a != b {
			return fmt.Sprintf("line %d: %s\n   not: %s", i+1, a, b)
		}
	}
	return "no difference"
}
