package web

import (
	"slices"

	"parlance/storage/format/codec"
	"parlance/storage/format/formattest"
)

// suite is the formats of the family, and html as far as it reads.
var suite = formattest.Suite(slices.Concat(Formats,
	[]*codec.Format{{Name: "html", New: func() codec.Codec { return &Page{} }}}))
