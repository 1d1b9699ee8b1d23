package change

import (
	"strings"

	"parlance/query/ast"
	"parlance/storage/catalog"
)

// ObjectKind is the kind of object that a word of a statement means. A table is a lexicon whose first column may have
// any type.
func ObjectKind(word string) catalog.ObjectKind {
	if word == ast.ObjectTable {
		return catalog.LexiconObject
	}
	return catalog.ObjectKind(strings.ToLower(word))
}
