package observe

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"parlance/db"
)

// logged runs statements with a log and returns its lines.
func logged(t *testing.T, o LogOptions, run func(*db.Conn)) []map[string]any {
	t.Helper()
	var out bytes.Buffer
	o.Format = "json"
	l, err := NewLog(&out, o)
	if err != nil {
		t.Fatal(err)
	}
	d := open(t)
	c := d.Conn()
	c.Wire().OnStatement(l.Statements(l.Logger().With("connection", 7)))
	run(c)
	var lines []map[string]any
	for _, line := range strings.Split(strings.TrimSpace(out.String()), "\n") {
		if line == "" {
			continue
		}
		var m map[string]any
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		if m["connection"] != 7.0 {
			t.Errorf("the line lacks its connection: %s", line)
		}
		lines = append(lines, m)
	}
	return lines
}

func exec(t *testing.T, fails bool, statement string, args ...any) func(*db.Conn) {
	return func(c *db.Conn) {
		t.Helper()
		if _, err := c.Exec(context.Background(), statement, args...); (err != nil) != fails {
			t.Errorf("%s: %v", statement, err)
		}
	}
}

func TestLevelsOfStatements(t *testing.T) {
	for _, c := range []struct {
		name string
		o    LogOptions
		run  func(*db.Conn)
		want string // level and message; "" for none
	}{
		{"nothing by default", LogOptions{}, exec(t, false, "SELECT 1"), ""},
		{"debug", LogOptions{Level: slog.LevelDebug}, exec(t, false, "SELECT 1"), "DEBUG statement"},
		{"statements", LogOptions{Statements: true}, exec(t, false, "SELECT 1"), "INFO statement"},
		{"slow", LogOptions{Slow: 1}, exec(t, false, "SELECT 1"), "WARN slow statement"},
		{"not slow", LogOptions{Slow: time.Hour}, exec(t, false, "SELECT 1"), ""},
		{"failure", LogOptions{}, exec(t, true, "SELECT x"), "INFO statement failed"},
		{"slow failure", LogOptions{Slow: 1}, exec(t, true, "SELECT x"), "WARN statement failed"},
		{"failure below the level", LogOptions{Level: slog.LevelWarn}, exec(t, true, "SELECT x"), ""},
		{"fault of a file", LogOptions{Level: slog.LevelWarn}, exec(t, true, "BACKUP TO '/nowhere/x'"),
			"WARN statement failed"},
		{"no statement", LogOptions{}, exec(t, true, "SELEKT"), "INFO statement failed"},
	} {
		got := ""
		for _, m := range logged(t, c.o, c.run) {
			got += m["level"].(string) + " " + m["msg"].(string)
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestFieldsOfStatements(t *testing.T) {
	m := logged(t, LogOptions{Statements: true}, exec(t, false, "select 1 as one union all select 2"))[0]
	if m["kind"] != "SELECT" || m["rows"] != 2.0 || m["text"] != "SELECT 1 AS one UNION ALL SELECT 2" ||
		m["seconds"].(float64) <= 0 || m["code"] != nil {
		t.Errorf("%v", m)
	}
	m = logged(t, LogOptions{}, exec(t, true, "SELECT 1,\n  nothing FROM system.kinds"))[0]
	if m["code"] != "42703" || m["line"] != 2.0 || m["column"] != 3.0 ||
		!strings.Contains(m["error"].(string), "nothing") {
		t.Errorf("%v", m)
	}
}

func TestNothingSecretIsLogged(t *testing.T) {
	run := func(c *db.Conn) {
		exec(t, true, "SELECT CAST($1 AS integer)", "geheim")(c)
		exec(t, false, "SELECT $1", "geheim")(c)
		exec(t, true, "CREATE USER ann WITH PASSWORD geheim 'geheim'")(c)
		exec(t, true, "SELEKT 'geheim'")(c)
		exec(t, false, "CREATE USER ann WITH PASSWORD 'geheim' ROLE admin")(c)
		exec(t, true, "CREATE USER ann WITH PASSWORD $1 ROLE admin", "geheim")(c)
	}
	lines := logged(t, LogOptions{Statements: true, Level: slog.LevelDebug}, run)
	all, err := json.Marshal(lines)
	if err != nil || len(lines) != 6 || strings.Contains(string(all), "geheim") {
		t.Errorf("%v: %s", err, all)
	}
	lines = logged(t, LogOptions{Statements: true, Parameters: true}, run)
	if lines[1]["parameters"] != "geheim" || !strings.Contains(lines[0]["error"].(string), "geheim") {
		t.Errorf("with the option parameters: %v", lines)
	}
	if m := logged(t, LogOptions{Statements: true, Parameters: true},
		exec(t, false, "SELECT $1, $2", 1, "b"))[0]; m["parameters"] != "1, b" {
		t.Errorf("two parameters: %v", m)
	}
	if m := logged(t, LogOptions{Statements: true, Parameters: true},
		exec(t, false, "SELECT 1"))[0]; m["parameters"] != nil {
		t.Errorf("no parameters: %v", m)
	}
	if s := fmt.Sprint(lines[4:]); strings.Contains(s, "geheim") {
		t.Errorf("with the option parameters: %s", s)
	}
}

func TestLongTextsAreCut(t *testing.T) {
	m := logged(t, LogOptions{Statements: true, Parameters: true},
		exec(t, false, "SELECT '"+strings.Repeat("é", 2000)+"', $1", strings.Repeat("x", 5000)))[0]
	for _, field := range []string{"text", "parameters"} {
		if s := m[field].(string); len(s) > longest+len("…") || !strings.HasSuffix(s, "…") || !utf8.ValidString(s) {
			t.Errorf("%s has %d bytes", field, len(s))
		}
	}
	for s, want := range map[string]string{
		strings.Repeat("x", longest):         strings.Repeat("x", longest),
		strings.Repeat("x", longest+1):       strings.Repeat("x", longest) + "…",
		"x" + strings.Repeat("é", longest/2): "x" + strings.Repeat("é", longest/2-1) + "…",
	} {
		if got := clip(s); got != want {
			t.Errorf("%d bytes are cut to %q", len(s), got)
		}
	}
	for _, s := range []string{"", "short", "a\xffb", strings.Repeat("\xff", 3000), strings.Repeat("\x80", 3000)} {
		if got := clip(s); !utf8.ValidString(got) || len(got) > 4*longest {
			t.Errorf("%q is cut to %q", s, got)
		}
	}
}

func TestEvents(t *testing.T) {
	var out bytes.Buffer
	l, err := NewLog(&out, LogOptions{})
	if err != nil {
		t.Fatal(err)
	}
	l.Logger().Info("ready")
	l.Warn("odd", errors.New("why"))
	l.Warn("odd", &db.Error{Code: "58000", Message: "why"})
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	want := []string{"level=INFO msg=ready", "level=WARN msg=odd error=why", "level=WARN msg=odd error=why code=58000"}
	if len(lines) != len(want) {
		t.Fatalf("%s", out.String())
	}
	for i := range want {
		if !strings.HasSuffix(lines[i], want[i]) {
			t.Errorf("%s, want %s", lines[i], want[i])
		}
	}
	if _, err := NewLog(&out, LogOptions{Format: "xml"}); err == nil {
		t.Error("an unknown format is no error")
	}
}

func TestNoLogIsFine(t *testing.T) {
	var l *Log
	l.Warn("odd", errors.New("why"))
	l.Logger().Info("nothing")
	if l.Statements(l.Logger()) != nil {
		t.Error("no log logs statements")
	}
}

func TestALogThatIsOffAllocatesNothing(t *testing.T) {
	l, err := NewLog(&bytes.Buffer{}, LogOptions{Slow: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	ended := l.Statements(l.Logger())
	info := db.StatementInfo{Kind: "SELECT", Duration: time.Millisecond}
	if n := testing.AllocsPerRun(100, func() { ended(info) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
