// Package timefn has the functions over dates, times and intervals, and over time zones.
//
// A date is a time at midnight. Times are kept in UTC; a zone matters only where AT TIME ZONE names one.
package timefn

import (
	"slices"

	"parlance/query/fn"
	"parlance/storage/value"
)

// Functions are the functions of this package.
var Functions = fn.Set{Scalars: slices.Concat(timeFuncs, momentFuncs, dateFuncs, intervalFuncs, zoneFuncs)}

// Types of arguments and results, under short names for the tables of functions.
const (
	text    = value.Text
	integer = value.Integer
	float   = value.Float
	boolean = value.Boolean
)
