// Package aggfn has the aggregate functions, such as count and avg, and the window functions, such as rank. Those that
// gather the rows of a group into JSON are in package jsonfn.
package aggfn

import (
	"slices"

	"parlance/query/fn"
	"parlance/storage/value"
)

// Functions are the functions of this package.
var Functions = fn.Set{
	Aggregates: slices.Concat(aggregates, pairAggregates, orderedAggregates),
	Windows:    windows,
}

// Types of arguments and results, under short names for the tables of functions.
const (
	text    = value.Text
	integer = value.Integer
	float   = value.Float
	boolean = value.Boolean
)
