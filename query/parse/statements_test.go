package parse

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Statements returns the statements of testdata.
func Statements(t testing.TB) (out []string) {
	paths, err := filepath.Glob("testdata/statements/*")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no statements: %v", err)
	}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for block := range strings.SplitSeq(string(data), "\n\n") {
			_, input, _ := strings.Cut(block, "\n")
			input, _, _ = strings.Cut(input, "\n----")
			out = append(out, input)
		}
	}
	return out
}
