package ast

import "testing"

// TestOpened quotes names that would be read as the first word of a list of values or a statement, and no longer ones
// that begin like these.
func TestOpened(t *testing.T) {
	for name, want := range map[string]string{
		"values x JOIN y":      `"values" x JOIN y`,
		"Evaluate.t JOIN y":    `"Evaluate".t JOIN y`,
		"values_seen x JOIN y": "values_seen x JOIN y",
		"summarizer JOIN y":    "summarizer JOIN y",
		"valu":                 "valu",
		"people x JOIN y":      "people x JOIN y",
		"sentence x JOIN y":    "sentence x JOIN y",
		"words x JOIN values":  "words x JOIN values",
	} {
		if got := opened(name); got != want {
			t.Errorf("%s is written %s, want %s", name, got, want)
		}
	}
}
