// Package realdata opens files of the folder that PARLANCE_DATA names, for tests and benchmarks.
// Without the folder or the file, and in a short run, the test is skipped.
package realdata

import (
	"bufio"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parlance/storage/value"
)

// Folder returns the folder.
func Folder(tb testing.TB) string {
	tb.Helper()
	if testing.Short() {
		tb.Skip("reads real data: not for a short run")
	}
	dir := os.Getenv("PARLANCE_DATA")
	if dir == "" {
		tb.Skip("PARLANCE_DATA names no folder with real data")
	}
	return dir
}

// Open opens a file below the folder until the test ends.
func Open(tb testing.TB, path ...string) *os.File {
	tb.Helper()
	f, err := os.Open(filepath.Join(append([]string{Folder(tb)}, path...)...))
	if err != nil {
		tb.Skipf("PARLANCE_DATA lacks a file: %v", err)
	}
	tb.Cleanup(func() { f.Close() })
	return f
}

// Triples returns a part of a knowledge base, such as train of FB15k-237, as rows of the table
// triples of a knowledge base: subject, relation, object, without weight and truth.
func Triples(tb testing.TB, base, part string) (rows [][]value.Value) {
	tb.Helper()
	s := bufio.NewScanner(Open(tb, "kb", base, part+".txt"))
	for s.Scan() {
		w := strings.Split(strings.TrimSpace(s.Text()), "\t")
		rows = append(rows, []value.Value{value.Str(w[0]), value.Str(w[1]), value.Str(w[2]), {}, {}})
	}
	if err := s.Err(); err != nil {
		tb.Fatal(err)
	}
	return rows
}
