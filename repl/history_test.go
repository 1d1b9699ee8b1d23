package repl

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestHistoryIsReadAgain whatever was pasted: the longest entry, of bytes that are escaped, and what is longer.
func TestHistoryIsReadAgain(t *testing.T) {
	file := filepath.Join(t.TempDir(), "history")
	longest := strings.Repeat("\x01", longestKept/6-1)
	h := newHistory(file)
	for _, s := range []string{"SELECT 1;", longest, "SELECT '" + longest + "';", "SELECT\n2;", "SELECT\n2;"} {
		if _, err := h.Write(s); err != nil {
			t.Error(err)
		}
	}
	again := newHistory(file)
	var got []string
	for i := range again.Len() {
		line, err := again.GetLine(i)
		if err != nil {
			t.Error(err)
		}
		got = append(got, line)
	}
	if want := "SELECT 1;|" + longest + "|SELECT\n2;"; !strings.HasPrefix(strings.Join(got, "|"), want) {
		t.Errorf("%d entries are read again: %.100q", len(got), got)
	}
}
