package server

import (
	"context"
	"net"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// TestPsql lists and describes what a database has with the real psql, where it is installed.
func TestPsql(t *testing.T) {
	psql, err := exec.LookPath("psql")
	if err != nil {
		t.Skip("psql is not installed")
	}
	d, _, addr := start(t, Options{})
	for _, s := range []string{"CREATE CORPUS docs (split TEXT)",
		"INSERT INTO docs (id, text) VALUES ('a', 'Ann flew to Oslo.')", "CREATE INDEX ON docs (split)"} {
		if _, err := d.Exec(t.Context(), s); err != nil {
			t.Fatal(err)
		}
	}
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		t.Fatal(err)
	}
	for command, want := range map[string]string{
		`\l`: "news | parlance | UTF8", `\dn`: "docs   | parlance", `\dt`: "public | docs | table | parlance",
		`\d docs`:         `"docs_split_idx" btree (split)`,
		`\d+ docs.tokens`: "word form", `\du`: "ann", `\di`: "docs_split_idx", `\df lower`: "pg_catalog | lower | text",
		`\d nothing`: "Did not find any relation",
		`\conninfo`:  `connected to database "news" as user "ann"`, `\dT int8`: "bigint", `\dp`: "docs", `\dx`: "(0 rows)",
		`\dv`: "Did not find any relations.", `\encoding`: "UTF8",
	} {
		cmd := exec.CommandContext(t.Context(), psql, "-X", "-h", host, "-p", port, "-U", "ann", "-d", "news", "-c", command)
		out, err := cmd.CombinedOutput()
		if text := string(out); !strings.Contains(text, want) || strings.Contains(text, "ERROR") {
			t.Errorf("%s: %v\n%s", command, err, text)
		}
	}
}

func TestSettingsOfTheClient(t *testing.T) {
	_, _, addr := start(t, Options{})
	ctx := context.Background()
	c := connect(t, addr,
		"&application_name=loader&TimeZone=Europe/Oslo&options=-c%20extra_float_digits%3D3%20--search-path%3Dsystem,public")
	told := func(name, want string) {
		t.Helper()
		if got := c.PgConn().ParameterStatus(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	told("application_name", "loader")
	told("TimeZone", "Europe/Oslo")
	told("search_path", "system,public")
	told("client_encoding", "UTF8")
	for _, s := range []string{"SET application_name = 'other'", "BEGIN", "SET LOCAL TIME ZONE 'Asia/Kathmandu'"} {
		if _, err := c.Exec(ctx, s); err != nil {
			t.Fatal(err)
		}
	}
	told("application_name", "other")
	told("TimeZone", "Asia/Kathmandu")
	var text string
	read := func(sql string) string {
		t.Helper()
		if err := c.QueryRow(ctx, sql, pgx.QueryExecModeSimpleProtocol).Scan(&text); err != nil {
			t.Fatal(err)
		}
		return text
	}
	rows, err := c.PgConn().Exec(ctx, "SELECT '2026-07-01 12:00:00'::timestamp").ReadAll()
	if err != nil || string(rows[0].Rows[0][0]) != "2026-07-01 17:45:00+05:45" {
		t.Errorf("%s %v", rows[0].Rows, err)
	}
	if _, err := c.Exec(ctx, "ROLLBACK"); err != nil {
		t.Fatal(err)
	}
	told("TimeZone", "Europe/Oslo")
	var at time.Time
	if err := c.QueryRow(ctx, "SELECT '2026-07-01 12:00:00'::timestamp").Scan(&at); err != nil ||
		!at.Equal(time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)) {
		t.Errorf("%v %v", at, err)
	}
	if got := read("SHOW extra_float_digits"); got != "3" {
		t.Error(got)
	}
	if got := read("SELECT inet_server_port()::text"); !strings.HasSuffix(addr, ":"+got) {
		t.Error(got)
	}
}

func TestWordsOfOptions(t *testing.T) {
	got := map[string]string{}
	if err := commandLine(`-c A=1 -cb=x\ y  --c-d=2 -c e-f=`, got); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"a": "1", "b": "x y", "c_d": "2", "e_f": ""} {
		if v, ok := got[name]; !ok || v != want {
			t.Errorf("%s is %q", name, v)
		}
	}
	for _, wrong := range []string{"-x", "-c", "-c a", "-c =1", "--", "--a", "--=1", "word"} {
		if commandLine(wrong, got) == nil {
			t.Errorf("%s is taken", wrong)
		}
	}
}
