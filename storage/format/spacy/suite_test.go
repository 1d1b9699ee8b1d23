package spacy

import "parlance/storage/format/formattest"

// suite is the formats of the family.
var suite = formattest.Suite(Formats)
