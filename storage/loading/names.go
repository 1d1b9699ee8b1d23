package loading

import (
	"fmt"
	"slices"

	"parlance/algo/text"
	"parlance/storage/catalog"
)

// underStoredNames returns the document with the stored names of its metadata.
func (l *Load) underStoredNames(d *text.Document) (*text.Document, error) {
	if l.raw || len(d.Fields) == 0 {
		return d, nil
	}
	var fields []text.Field
	for i, f := range d.Fields {
		stored, ok := l.storedName(f.Name)
		if !ok {
			return nil, fmt.Errorf("document %s: corpus %s has no column %s", d.ID, l.o.Name, f.Name)
		}
		if stored == f.Name {
			continue
		}
		if fields == nil {
			fields = slices.Clone(d.Fields)
		}
		fields[i].Name = stored
	}
	if fields == nil {
		return d, nil
	}
	c := *d
	c.Fields = fields
	return &c, nil
}

// storedName returns the stored name of a column. It looks in the entry that the caller has, in the present entry, and
// in the columns that the load adds. An undeclared name is its own stored name, unless another column is stored under
// it.
func (l *Load) storedName(name string) (string, bool) {
	for _, columns := range [][]catalog.ColumnDef{l.o.Columns, l.now.Columns, l.columns} {
		for i := range columns {
			if columns[i].Name == name {
				return columns[i].StoredName(), true
			}
		}
	}
	return name, l.now.FreeName(name) == ""
}
