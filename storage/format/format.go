// Package format reads and writes files of documents and rows. Every format is one file here
// and one line in the registry.
package format

import (
	"slices"
	"strings"
)

// formats is the registry, by name.
var formats = byName(annotationFormats, conllFormats, inceptionFormats, learnerFormats, pictureFormats, plainFormats, resourceFormats, spacyFormats, tableFormats, treebankFormats, webFormats)

// byName joins the formats of families in the order of their names.
func byName(families ...[]*Format) []*Format {
	all := slices.Concat(families...)
	slices.SortFunc(all, func(a, b *Format) int { return strings.Compare(a.Name, b.Name) })
	return all
}

// List returns the formats by name.
func List() []*Format { return formats }

// Lookup returns the format of the name.
func Lookup(name string) (*Format, bool) {
	return Find(formats, name)
}
