// Package numfn has the functions over numbers, over vectors, and over spans of text, which are pairs of numbers; and
// those that tell NULL from other values.
package numfn

import (
	"slices"

	"parlance/query/fn"
	"parlance/storage/value"
)

// Functions are the functions of this package.
var Functions = fn.Set{Scalars: slices.Concat(numberFuncs, nullFuncs, vectorFuncs, spanFuncs)}

// Types of arguments and results, under short names for the tables of functions.
const (
	text    = value.Text
	integer = value.Integer
	float   = value.Float
	boolean = value.Boolean
)
