package db_test

import (
	"os"
	"strings"
	"testing"
)

// TestReadmeQuotesExamples checks that the Go code of README.md stands in a tested example.
func TestReadmeQuotesExamples(t *testing.T) {
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	examples, err := os.ReadFile("example_test.go")
	if err != nil {
		t.Fatal(err)
	}
	blocks := strings.Split(string(readme), "```go\n")[1:]
	if len(blocks) == 0 {
		t.Error("README.md has no Go code")
	}
	for _, b := range blocks {
		code, _, _ := strings.Cut(b, "```")
		var indented []string
		for _, line := range strings.Split(strings.TrimSpace(code), "\n") {
			indented = append(indented, "\t"+line)
		}
		if !strings.Contains(string(examples), strings.Join(indented, "\n")) {
			t.Errorf("no example has\n%s", code)
		}
	}
}
