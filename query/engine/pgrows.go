package engine

import (
	"parlance/query/exec"
	"parlance/storage/value"
)

// CatalogRows are the rows of a function over the catalog.
func (x *execution) CatalogRows(part *exec.Execution, function string, args []value.Value) ([][]value.Value, error) {
	r := x.on(part)
	switch function {
	case "pg_partition_tree":
		if r.image().byOID[args[0].Int()] == nil {
			return nil, nil
		}
		return [][]value.Value{{args[0], {}, value.Bool(true), value.Int(0)}}, nil
	case "pg_show_all_settings":
		var out [][]value.Value
		for _, s := range r.settingRows() {
			out = append(out, []value.Value{value.Str(s[0]), value.Str(s[1]), value.Str(s[4])})
		}
		return out, nil
	}
	return nil, nil
}
