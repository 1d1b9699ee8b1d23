package kind

import (
	"fmt"

	"parlance/storage/value"
)

// Verify reports what is wrong with a batch of rows of the relation, nil for a sound one: it has the declared columns,
// and each of them at least a value for every row, or none.
func (r *Relation) Verify(b *value.Batch) error {
	if len(b.Cols) != len(r.Columns) {
		return fmt.Errorf("it has %d columns, %d are declared", len(b.Cols), len(r.Columns))
	}
	for i := range b.Cols {
		v := &b.Cols[i]
		for _, have := range []struct {
			is bool
			n  int
		}{{v.Null != nil, len(v.Null)}, {v.Codes != nil, len(v.Codes)}, {v.Strs != nil, len(v.Strs)},
			{v.Ints != nil, len(v.Ints)}, {v.Floats != nil, len(v.Floats)}, {v.Any != nil, len(v.Any)}} {
			if have.is && have.n < b.N {
				return fmt.Errorf("column %s has %d values for %d rows", r.Columns[i].Name, have.n, b.N)
			}
		}
		for _, code := range v.Codes {
			if v.Dict == nil || int(code) >= len(v.Dict.Words) {
				return fmt.Errorf("column %s has code %d, which its dictionary lacks", r.Columns[i].Name, code)
			}
		}
	}
	return nil
}
