// Package builtin is the table of all functions of the language. It is apart from package fn, which says what a function
// is, because it imports the packages that declare functions.
package builtin

import (
	"parlance/query/fn"
	"parlance/query/fn/aggfn"
	"parlance/query/fn/jsonfn"
	"parlance/query/fn/numfn"
	"parlance/query/fn/textfn"
	"parlance/query/fn/timefn"
)

// NewTable returns a table of the built-in functions and of further ones, which may not reuse the name of a scalar function.
func NewTable(more ...fn.Func) (*fn.Table, error) {
	return fn.NewTable(textfn.Functions, numfn.Functions, jsonfn.Functions, timefn.Functions, aggfn.Functions,
		fn.HostFunctions, fn.Set{Scalars: more})
}
