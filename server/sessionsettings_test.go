package server

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestSettingsReachSessions changes settings of the database while sessions are open: the next statement of each goes
// by them, and one that waits in a transaction block is bounded at once.
func TestSettingsReachSessions(t *testing.T) {
	d, s, addr := start(t, Options{watch: 10 * time.Millisecond})
	wide(t, addr, 100)
	freed(t, d, s, 1)
	ctx := context.Background()
	alter := func(what string) {
		t.Helper()
		if _, err := d.Exec(ctx, "ALTER SYSTEM "+what); err != nil {
			t.Fatal(err)
		}
	}
	for _, mode := range modes {
		c := connect(t, addr, "&default_query_exec_mode="+mode)
		for _, block := range []string{"SELECT 1", "BEGIN"} {
			for _, sql := range []string{block, "SELECT count(*) FROM docs"} {
				if _, err := c.Exec(ctx, sql); err != nil {
					t.Fatal(err)
				}
			}
			alter("SET statement_timeout = 50")
			if _, err := c.Exec(ctx, endless); codeOf(err) != "57014" {
				t.Error(mode, block, err)
			}
			alter("RESET statement_timeout")
		}
	}
	follows, own := loginRaw(t, addr), loginRaw(t, addr)
	own.query("SET idle_in_transaction_session_timeout = 3600000")
	for _, r := range []*raw{own, follows} {
		r.query("BEGIN; SELECT count(*) FROM docs")
	}
	alter("SET idle_in_transaction_session_timeout = 50")
	if got := follows.until(""); got != "FATAL_25P03" {
		t.Error(got)
	}
	if got := own.query("SELECT 1"); got != "(column) 1 SELECT_1 T" {
		t.Error(got)
	}
	long := "SELECT length('" + strings.Repeat("x", 100_000) + "')"
	if got := own.query(long); got != "(length) 100000 SELECT_1 T" {
		t.Error(got)
	}
	alter("SET max_message_bytes = 65536")
	if _, err := own.Write(append([]byte{'Q', 0, 1, 0x86, 0xa0 + 25}, long...)); err != nil {
		t.Fatal(err)
	}
	if got := own.until("E"); got != "FATAL_54000" {
		t.Error(got)
	}
}

// TestBlocksEndByDefault bounds what a client may leave a transaction block alone although nobody has set anything.
func TestBlocksEndByDefault(t *testing.T) {
	_, _, addr := start(t, Options{})
	c := connect(t, addr, "")
	if got := all(t, c, "SHOW idle_in_transaction_session_timeout"); got != "\"10min\"|\n" {
		t.Error(got)
	}
}

// TestCeilingsOfClients bounds what clients set when they connect and later, by their role.
func TestCeilingsOfClients(t *testing.T) {
	d, s, addr := start(t, Options{watch: 10 * time.Millisecond})
	wide(t, addr, 100)
	freed(t, d, s, 1)
	ctx := context.Background()
	if err := d.Conn().Script(ctx,
		`CREATE USER root PASSWORD 'r' ROLE admin; CREATE USER bea PASSWORD 'b'; CREATE USER will PASSWORD 'w' ROLE writer;
ALTER SYSTEM SET reader.statement_timeout = 100; ALTER SYSTEM SET writer.idle_in_transaction_session_timeout = 50`, nil); err != nil {
		t.Fatal(err)
	}
	bea := connectAs(t, addr, "bea", "b")
	if _, err := bea.Exec(ctx, "SET statement_timeout = 0"); codeOf(err) != "42501" ||
		!strings.Contains(err.Error(), "at most 100ms") {
		t.Error(err)
	}
	for range 2 {
		if _, err := bea.Exec(ctx, endless); codeOf(err) != "57014" {
			t.Error(err)
		}
	}
	for options, want := range map[string]string{"statement_timeout=0": "42501", "statement_timeout=200": "42501",
		"statement_timeout=99": ""} {
		c, err := tryConnect(addr, "bea", "b", "&"+options)
		if codeOf(err) != want {
			t.Errorf("%s: %v", options, err)
		}
		if err == nil {
			c.Close(ctx)
		}
	}
	r := connectAs(t, addr, "will", "w")
	for _, sql := range []string{"BEGIN", "DELETE FROM docs"} {
		if _, err := r.Exec(ctx, sql); err != nil {
			t.Fatal(err)
		}
	}
	if n, err := d.Exec(ctx, "UPDATE docs SET text = text"); err != nil || n.Tag != "UPDATE 100" {
		t.Error(fmt.Sprint(n, err))
	}
}
