package pgcatalog

import (
	"parlance/storage/value"
)

// FunctionRows are the rows of a set-returning function of the catalog.
func (r *Reader) FunctionRows(function string, args []value.Value) ([][]value.Value, error) {
	switch function {
	case "pg_partition_tree":
		if r.snapshot().byOID[args[0].Int()] == nil {
			return nil, nil
		}
		return [][]value.Value{{args[0], {}, value.Bool(true), value.Int(0)}}, nil
	case "pg_show_all_settings":
		var out [][]value.Value
		for _, s := range r.SettingRows() {
			out = append(out, []value.Value{value.Str(s[0]), value.Str(s[1]), value.Str(s[4])})
		}
		return out, nil
	}
	return nil, nil
}
