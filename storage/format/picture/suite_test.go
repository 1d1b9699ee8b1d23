package picture

import (
	"slices"

	"parlance/storage/format/conll"
	"parlance/storage/format/formattest"
	"parlance/storage/format/table"
)

// suite is the formats of the family, and those that documents to draw are read from.
var suite = formattest.Suite(slices.Concat(Formats, table.Formats, conll.Formats))
