package repl

import (
	"bytes"
	"io"
	"strings"
	"testing"
)

// TestVisible replaces what would steer a terminal.
func TestVisible(t *testing.T) {
	for s, want := range map[string]string{"a\nb\tc\r": "a⏎b→c", "\x1b[31m\x00\x07": "␛[31m␀␇", "é\u009b\x7f": "é\ufffd␡",
		"日本 e\u0301":            "日本 e\u0301",
		"\u202eabc\u2069\u200f": "\ufffdabc\ufffd\u200f", "\x9b31m": "\ufffd31m"} {
		if got := visible(s); got != want {
			t.Errorf("%q is shown as %q, want %q", s, got, want)
		}
	}
}

// TestHarmless gives the same for a text in one piece and byte by byte.
func TestHarmless(t *testing.T) {
	const in, want = "a,\x1b]0;x\x07é\u009b\r\n\t日本👩\xe2\x82,\xff\n", "a,␛]0;x␇é\ufffd\n\t日本👩\ufffd\ufffd,\ufffd\n"
	var whole, bytewise bytes.Buffer
	if _, err := io.WriteString(&harmless{w: &whole}, in); err != nil || whole.String() != want {
		t.Errorf("%v, %q, want %q", err, whole.String(), want)
	}
	h := &harmless{w: &bytewise}
	for i := range len(in) {
		if n, err := h.Write([]byte{in[i]}); n != 1 || err != nil {
			t.Fatal(n, err)
		}
	}
	if bytewise.String() != want {
		t.Errorf("byte by byte %q, want %q", bytewise.String(), want)
	}
}

// TestNamesAndMessagesAreHarmless shows names of columns and messages without what would steer a terminal.
func TestNamesAndMessagesAreHarmless(t *testing.T) {
	for format, want := range map[string]string{"table": " ␛[1m日 │ b\n", "vertical": "\n␛[1m日 | 1\nb      | 2\n",
		"markdown": "| ␛[1m日 | b |\n"} {
		var out, errs bytes.Buffer
		code := Main([]string{"exec", "--format", format, "-c",
			"SELECT 1 AS \"\x1b[1m日\", 2 AS b; SELECT * FROM \"\x1b[2J\""}, strings.NewReader(""), &out, &errs)
		if code != 1 || !strings.Contains("\n"+out.String(), want) || strings.Contains(errs.String(), "\x1b") ||
			!strings.Contains(errs.String(), "␛[2J") {
			t.Errorf("%s: exit code %d, output %q, errors %q", format, code, out.String(), errs.String())
		}
	}
}
