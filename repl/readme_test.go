package repl_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestReadmeSessions runs the sessions of README.md in one database and compares what they print with what stands
// there.
func TestReadmeSessions(t *testing.T) {
	t.Chdir("..")
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	const fence = "\n```\n"
	parts := strings.Split(string(readme), "```sql session\n")[1:]
	if len(parts) < 6 {
		t.Fatalf("%d sessions", len(parts))
	}
	file := filepath.Join(t.TempDir(), "try.parlance")
	for _, part := range parts {
		script, rest, ok := strings.Cut(part, fence)
		want, _, shown := strings.Cut(strings.TrimPrefix(rest, "\n```\n"), fence)
		if !ok || !shown {
			t.Fatalf("no answer stands behind\n%s", script)
		}
		out, errs, code := outcome(t, "", "exec", "-q", "--db", file, "-c", script)
		if code != 0 {
			t.Fatalf("%s\n%s", script, errs)
		}
		if got := withoutBlanks(out); got != withoutBlanks(want) {
			t.Errorf("%s\nprints\n%s\nREADME.md has\n%s", script, got, withoutBlanks(want))
		}
	}
}

// TestHour: scripts/hour.sql prints what it printed when it was written down.
func TestHour(t *testing.T) {
	t.Chdir("..")
	want, err := os.ReadFile("scripts/hour.out")
	if err != nil {
		t.Fatal(err)
	}
	out, errs, code := outcome(t, "", "exec", "-f", "scripts/hour.sql")
	if code != 0 {
		t.Fatal(errs)
	}
	if got := withoutBlanks(out); got != withoutBlanks(string(want)) {
		t.Errorf("it prints\n%s\nscripts/hour.out has\n%s", got, want)
	}
}

// withoutBlanks is a text without blanks at the ends of its lines.
func withoutBlanks(s string) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	for i, l := range lines {
		lines[i] = strings.TrimRight(l, " ")
	}
	return strings.Join(lines, "\n")
}
