package change

import (
	"strings"

	"parlance/query/ast"
	"parlance/storage"
)

// ObjectKind is the kind of object that a word of a statement means. A table is a lexicon whose first column may have
// any type.
func ObjectKind(word string) storage.ObjectKind {
	if word == ast.ObjectTable {
		return storage.LexiconObject
	}
	return storage.ObjectKind(strings.ToLower(word))
}
