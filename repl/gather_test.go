package repl

import (
	"fmt"
	"strings"
	"testing"
)

// TestGather cuts lines into statements and commands, each with the lines before it.
func TestGather(t *testing.T) {
	for in, want := range map[string]string{
		"SELECT 1;":                      "0 SELECT 1;|",
		"SELECT 1; SELECT\n2;":           "0 SELECT 1; SELECT/2;|",
		"SELECT 1;\n\\x\nSELECT 2;":      "0 SELECT 1;|1\\ \\x|2 SELECT 2;|",
		"  \\x on":                       "0\\   \\x on|",
		"-- of\n\\x":                     "1\\ \\x|",
		"/* of\n; */\n\\x":               "2\\ \\x|",
		"SELECT '\n\\x\n;';":             "0 SELECT '/\\x/;';|",
		"SELECT\n\n\\x":                  "open",
		"\n\nSELECT\n1;":                 "0 //SELECT/1;|",
		"SELECT 1;\nSELECT 2;\nSELECT 3": "0 SELECT 1;|1 SELECT 2;|open",
		"SELECT 1; -- one\n":             "0 SELECT 1; -- one|",
		"-- nothing":                     "",
		"SELECT ';'":                     "open",
		"/* ;":                           "open",
	} {
		var g gather
		got := ""
		for line := range strings.SplitSeq(in, "\n") {
			if e := g.add(line); e != nil {
				mark := map[bool]string{true: `\`}[e.command]
				got += fmt.Sprintf("%d%s %s|", e.before, mark, strings.ReplaceAll(strings.TrimSuffix(e.text, "\n"), "\n", "/"))
			}
		}
		if g.open() {
			got += "open"
		}
		if got != want {
			t.Errorf("%q is %q, want %q", in, got, want)
		}
		if whole(in) == strings.HasSuffix(want, "open") {
			t.Errorf("%q is whole: %v", in, whole(in))
		}
	}
}
