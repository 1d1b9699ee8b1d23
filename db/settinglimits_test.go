package db_test

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"testing"

	"parlance/db"
)

// TestSettingLimits: each setting that is a number has its default, takes the least and the most of its range, and
// refuses what lies beyond them; a refused value changes nothing.
func TestSettingLimits(t *testing.T) {
	d, err := db.Open(filepath.Join(t.TempDir(), "a.parlance"), db.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	conn := d.Conn()
	shown := func(name string) string {
		t.Helper()
		rows, err := conn.Query(context.Background(), "SELECT value FROM system.settings WHERE name = $1", name)
		if err != nil {
			t.Fatal(name, err)
		}
		defer rows.Close()
		value := ""
		for rows.Next() {
			value = rows.Values()[0].String()
		}
		return value
	}
	for _, c := range []struct {
		name                string
		system              bool
		preset, least, most int64
	}{
		{"workers", false, 0, 0, 1024},
		{"work_memory", false, 256, 1, 1 << 20},
		{"statement_timeout", false, 0, 0, math.MaxInt32},
		{"max_result_rows", false, 0, 0, math.MaxInt64},
		{"max_recursion_rows", false, 10_000_000, 0, math.MaxInt64},
		{"extra_float_digits", false, 1, 1, 3},
		{"lock_timeout", false, 0, 0, math.MaxInt32},
		{"idle_in_transaction_session_timeout", false, 600_000, 0, math.MaxInt32},
		{"idle_session_timeout", false, 0, 0, 0},
		{"cache_size", true, 256, 0, 1 << 20},
		{"model_memory", true, 4096, 1, 1 << 30},
		{"max_trainings", true, 1, 1, 1024},
		{"max_statement_bytes", true, 16 << 20, 1024, 16 << 20},
		{"max_document_bytes", true, 64 << 20, 1, math.MaxInt32},
		{"statement_memory", true, 1024, 16, 1 << 20},
		{"memory_limit", true, 4096, 16, 1 << 30},
		{"max_connections", true, 2500, 4, 1 << 20}, // more than those that are reserved
		{"reserved_connections", true, 3, 0, 2499},
		{"idle_timeout", true, 0, 0, math.MaxInt32},
		{"read_timeout", true, 60, 0, math.MaxInt32},
		{"write_timeout", true, 600, 0, math.MaxInt32},
		{"login_timeout", true, 30, 1, 3600},
		{"max_message_bytes", true, 64 << 20, 1 << 16, 1 << 30},
	} {
		verb := ""
		if c.system {
			verb = "ALTER SYSTEM "
		}
		if got := shown(c.name); got != fmt.Sprint(c.preset) {
			t.Errorf("%s is %s at first, not %d", c.name, got, c.preset)
		}
		set := func(v string, fits bool) {
			t.Helper()
			before := shown(c.name)
			_, err := conn.Exec(context.Background(), verb+"SET "+c.name+" = "+v)
			switch got := shown(c.name); {
			case fits && (err != nil || got != v):
				t.Errorf("%s = %s: %v, and it is %s", c.name, v, err, got)
			case !fits && (code(err) != "22023" || got != before):
				t.Errorf("%s = %s: %v, and it is %s after %s", c.name, v, err, got, before)
			}
		}
		set(fmt.Sprint(c.least), true)
		set(fmt.Sprint(c.least-1), false)
		set(fmt.Sprint(c.most), true)
		if c.most < math.MaxInt64 {
			set(fmt.Sprint(c.most+1), false)
		}
		set("'x'", false)
		_, err := conn.Exec(context.Background(), verb+"RESET "+c.name)
		if err != nil || shown(c.name) != fmt.Sprint(c.preset) {
			t.Errorf("%s is %s after RESET, %v", c.name, shown(c.name), err)
		}
	}
	for v, fits := range map[string]bool{"-1": true, "1": true, "0.5": true, "-1.001": false, "1.001": false} {
		if _, err := conn.Exec(context.Background(), "SET seed = "+v); (err == nil) != fits {
			t.Errorf("seed = %s: %v", v, err)
		}
	}
}
