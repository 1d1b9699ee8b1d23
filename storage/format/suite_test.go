package format

import "parlance/storage/format/formattest"

// suite is all formats.
var suite = formattest.Suite(formats)
