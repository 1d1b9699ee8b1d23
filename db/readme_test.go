package db_test

import (
	"os"
	"strings"
	"testing"
)

// TestReadmeQuotesExamples checks that the Go code of README.md stands in tested examples.
func TestReadmeQuotesExamples(t *testing.T) {
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	var examples strings.Builder
	for _, file := range []string{"example_test.go", "driver/example_test.go", "../server/example_test.go"} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		examples.Write(text)
	}
	blocks := strings.Split(string(readme), "```go\n")[1:]
	if len(blocks) == 0 {
		t.Error("README.md has no Go code")
	}
	for _, b := range blocks {
		code, _, _ := strings.Cut(b, "```")
		var indented []string
		for _, line := range strings.Split(strings.TrimSpace(code), "\n") {
			if line != "" {
				line = "\t" + line
			}
			indented = append(indented, line)
		}
		if !strings.Contains(examples.String(), strings.Join(indented, "\n")) {
			t.Errorf("no example has\n%s", code)
		}
	}
}
