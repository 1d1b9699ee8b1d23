package constituent

import (
	"slices"
	"testing"
)

// TestBrackets: punctuation has no place, roots and phrases over it are no brackets, and doubles count twice.
func TestBrackets(t *testing.T) {
	tree, _, err := Parse("(TOP (S (NP-SBJ (DT the) (NN dog)) (, ,) (VP (VBD gave) (PRT (RP up))) (X (. .))))")
	if err != nil {
		t.Fatal(err)
	}
	got := Brackets(tree)
	want := []Bracket{{"NP", 0, 2}, {"ADVP", 3, 4}, {"VP", 2, 4}, {"S", 0, 4}}
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if n := Common([]Bracket{{"NP", 0, 1}, {"NP", 0, 1}, {"S", 0, 1}}, []Bracket{{"NP", 0, 1}, {"S", 0, 2}, {"NP", 0,
		1}}); n != 2 {
		t.Errorf("%d in common, want 2", n)
	}
	if Brackets(nil) != nil {
		t.Error("no tree has brackets")
	}
}
