package parse

import (
	"errors"
	"testing"

	"parlance/query/ast"
)

// TestOptions: options and errors have their places in the text.
func TestOptions(t *testing.T) {
	list, err := Options("window = 3,\n lower = false")
	if err != nil || len(list) != 2 || list[0].Name != "window" || list[1].Name != "lower" {
		t.Fatalf("%v, %v", list, err)
	}
	if a, b := list[0].Pos, list[1].Pos; a != (ast.Pos{Line: 1, Col: 1}) || b != (ast.Pos{Line: 2, Col: 2, Offset: 13}) {
		t.Errorf("they stand at %+v and %+v", a, b)
	}
	var e *ast.Error
	if _, err := Options("window ="); !errors.As(err, &e) || e.Pos.Line != 1 || e.Pos.Col > 9 {
		t.Errorf("an option without a value: %v at %+v", err, e.Pos)
	}
	if list, err := Options(" \n"); list != nil || err != nil {
		t.Errorf("a blank text: %v, %v", list, err)
	}
}
