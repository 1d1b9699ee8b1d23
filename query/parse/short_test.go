package parse

import (
	"errors"
	"testing"

	"parlance/storage/guard"
)

// TestShortStatements: what is wrong with few words is told without looking for words that are not there.
func TestShortStatements(t *testing.T) {
	words := []string{"(", "AS", "FOR", "USING", "INSERT", "SELECT", "WITH", "a"}
	for _, a := range words {
		for _, b := range words {
			for _, c := range []string{"", "INSERT", "UPDATE"} {
				text := a + " " + b + " " + c
				_, err := Parse(text)
				var panicked *guard.Panic
				if errors.As(err, &panicked) {
					t.Fatalf("%s: %v", text, err)
				}
			}
		}
	}
}
