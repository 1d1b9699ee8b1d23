package bind

import (
	"strings"
	"testing"

	"parlance/query/ast"
	"parlance/query/fn/builtin"
	"parlance/storage/value"
)

// TestReservedWordsAreQuoted wants quotes around names that a statement takes for words.
func TestReservedWordsAreQuoted(t *testing.T) {
	table, err := builtin.NewTable()
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range ast.ReservedWords() {
		w = strings.ToLower(w)
		if v, err := table.Scalar("quote_ident").Call(t.Context(), []value.Value{value.Str(w)}); err != nil ||
			v.S != `"`+w+`"` {
			t.Errorf("%s: %s, %v", w, v, err)
		}
	}
}
