// Package format is the registry of the formats in which documents and rows are read and written: it joins the lists of
// the families, which are the folders here, and guesses the format of a file.
package format

import (
	"slices"
	"strings"

	"parlance/storage/format/annotation"
	"parlance/storage/format/codec"
	"parlance/storage/format/conll"
	"parlance/storage/format/inception"
	"parlance/storage/format/learner"
	"parlance/storage/format/picture"
	"parlance/storage/format/plain"
	"parlance/storage/format/resource"
	"parlance/storage/format/spacy"
	"parlance/storage/format/table"
	"parlance/storage/format/treebank"
	"parlance/storage/format/web"
)

// formats is the registry, by name.
var formats = byName(annotation.Formats, conll.Formats, inception.Formats, learner.Formats, picture.Formats,
	plain.Formats, resource.Formats, spacy.Formats, table.Formats, treebank.Formats, web.Formats)

// byName joins the formats of families in the order of their names.
func byName(families ...[]*codec.Format) []*codec.Format {
	all := slices.Concat(families...)
	slices.SortFunc(all, func(a, b *codec.Format) int { return strings.Compare(a.Name, b.Name) })
	return all
}

// List returns the formats by name.
func List() []*codec.Format { return formats }

// Lookup returns the format of the name.
func Lookup(name string) (*codec.Format, bool) {
	return codec.Find(formats, name)
}
