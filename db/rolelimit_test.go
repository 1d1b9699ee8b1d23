package db_test

import (
	"context"
	"strings"
	"testing"
)

// TestCeilings bounds the settings of sessions by the role that their user has at each statement.
func TestCeilings(t *testing.T) {
	d := withUsers(t)
	script(t, d.Conn(),
		`ALTER SYSTEM SET reader.statement_timeout = 5000; ALTER SYSTEM SET reader.work_memory = 16; ALTER SYSTEM SET reader.max_result_rows = 3;
ALTER SYSTEM SET writer.work_memory = 64; ALTER SYSTEM SET admin.work_memory = 1024`)
	const shown = "SELECT current_setting('statement_timeout'), current_setting('work_memory'), " +
		"current_setting('max_result_rows')"
	shows := func(user, want string) {
		t.Helper()
		if _, got, _ := strings.Cut(text(t, as(t, d, user), shown), "\n"); got != want+"\n" {
			t.Errorf("%s has %s, want %s", user, got, want)
		}
	}
	shows("rita", "5s\t16MB\t3")
	shows("will", "0\t64MB\t0")
	shows("ann", "0\t256MB\t0")
	rita := as(t, d, "rita")
	for _, statement := range []string{"SET statement_timeout = 0", "SET statement_timeout = 5001",
		"SET work_memory = '1TB'", "SET max_result_rows = 0",
		"SELECT set_config('work_memory', '17', false)", "BEGIN; SET LOCAL statement_timeout = 0",
		"SET SESSION work_memory TO 17"} {
		err := rita.Script(context.Background(), statement, nil)
		if code(err) != "42501" || !strings.Contains(err.Error(), "of the role reader is at most") {
			t.Errorf("%s: %v", statement, err)
		}
		script(t, rita, "ROLLBACK")
	}
	script(t, rita,
		"SET work_memory = 8; SET statement_timeout = 4000; RESET statement_timeout; SET max_result_rows = DEFAULT")
	if _, got, _ := strings.Cut(text(t, rita, shown), "\n"); got != "5s\t8MB\t3\n" {
		t.Errorf("below the ceilings: %s", got)
	}
	if err := rita.SetDefaults(map[string]string{"statement_timeout": "0"}); code(err) != "42501" {
		t.Errorf("at the start: %v", err)
	}
	if err := rita.Script(context.Background(), "SELECT * FROM generate_series(1, 4)", nil); code(err) != "54P02" {
		t.Errorf("more rows than the ceiling: %v", err)
	}
	script(t, d.Conn(), "SET work_memory = 2000; ALTER SYSTEM SET reader.work_memory = 4")
	if got := text(t, rita, "SHOW work_memory"); !strings.HasSuffix(got, "\n4MB\n") {
		t.Errorf("a ceiling that is lowered: %s", got)
	}
	script(t, d.Conn(), "ALTER USER rita ROLE writer")
	if _, got, _ := strings.Cut(text(t, rita, shown), "\n"); got != "0\t8MB\t0\n" {
		t.Errorf("another role: %s", got)
	}
	script(t, rita, "SET work_memory = 64; SET statement_timeout = 0")
	script(t, as(t, d, "ann"), "SET work_memory = 1000; ALTER SYSTEM RESET admin.work_memory")
}

// TestCeilingOfStatementMemory bounds what statements of readers hold, and not those of others.
func TestCeilingOfStatementMemory(t *testing.T) {
	d := withUsers(t)
	script(t, d.Conn(), "ALTER SYSTEM SET reader.statement_memory = 16")
	const statement = "SELECT length(string_agg(x, ',')) FROM (SELECT repeat('x', 200000) || n AS x FROM " +
		"generate_series(1, 120) AS t(n)) t"
	if _, err := as(t, d, "rita").Exec(context.Background(), statement); code(err) != "53200" {
		t.Errorf("a reader: %v", err)
	}
	script(t, as(t, d, "will"), statement)
}
