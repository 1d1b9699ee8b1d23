package ast

import (
	"reflect"
	"strings"
	"sync"
	"unicode"
)

// kinds keeps the answers of KindOf by type.
var kinds sync.Map // reflect.Type → string

// shortened are the types whose names say more than the statement's first words.
var shortened = map[string]string{"CopyTo": "COPY", "CopyFrom": "COPY", "DiffModels": "DIFF MODEL",
	"AnnotateFiles": "ANNOTATE", "AlterRename": "ALTER", "AlterAddColumn": "ALTER", "AlterDropColumn": "ALTER",
	"AlterRenameColumn": "ALTER"}

// KindOf is the sort of a statement for people who count and watch statements, such as SELECT,
// CREATE INDEX or TRAIN: it follows from the type.
func KindOf(s Statement) string {
	t := reflect.TypeOf(s)
	if t == nil {
		return ""
	}
	if k, ok := kinds.Load(t); ok {
		return k.(string)
	}
	k := kindName(t.Elem().Name())
	kinds.Store(t, k)
	return k
}

// kindName makes CREATE INDEX of CreateIndex.
func kindName(name string) string {
	if k, ok := shortened[name]; ok {
		return k
	}
	var b strings.Builder
	for i, r := range name {
		if i > 0 && unicode.IsUpper(r) {
			b.WriteByte(' ')
		}
		b.WriteRune(unicode.ToUpper(r))
	}
	return b.String()
}
