// Package textfn has the functions over texts and bytes: searching, cutting and joining them, regular expressions,
// similarity of words, normal forms of Unicode, hashes and encodings.
//
// Positions are counted in code points from 1. A function that reads a whole text looks at its context now and then, so
// that a statement over long texts can be cancelled.
package textfn

import (
	"slices"

	"parlance/query/fn"
	"parlance/storage/value"
)

// Functions are the functions of this package.
var Functions = fn.Set{Scalars: slices.Concat(
	stringFuncs, bytesFuncs, splitFuncs, binaryFuncs, similarityFuncs, regexpFuncs, patternFuncs, formFuncs, quoteFuncs)}

// Types of arguments and results, under short names for the tables of functions.
const (
	text    = value.Text
	integer = value.Integer
	float   = value.Float
	boolean = value.Boolean
)
