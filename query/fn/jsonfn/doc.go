// Package jsonfn has the functions over JSON, and over arrays, which are JSON arrays: there is no type of arrays.
//
// Array and Items turn values into an array and back; other packages use them for arguments that are arrays.
package jsonfn

import (
	"slices"

	"parlance/query/fn"
	"parlance/storage/value"
)

// Functions are the functions of this package.
var Functions = fn.Set{
	Scalars:    slices.Concat(jsonFuncs, jsonOperatorFuncs, jsonMakeFuncs, arrayFuncs),
	Aggregates: aggregates,
}

// Types of arguments and results, under short names for the tables of functions.
const (
	text    = value.Text
	integer = value.Integer
	boolean = value.Boolean
)
