package engine

import (
	"parlance/algo/option"
	"parlance/query/ast"
	"parlance/storage/value"
)

// setSeed is SET seed as a function.
func setSeed(r *execution, a []value.Value) (value.Value, error) {
	err := r.setTo(ast.Pos{}, "seed", option.Arg{Value: a[0]}, false)
	r.Random = nil
	return str(""), err
}
