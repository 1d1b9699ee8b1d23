package server

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"parlance/algo/testutil/testtime"
)

// TestAdminsFirst has hundreds of readers compute, while an admin connects, lists sessions and ends one.
func TestAdminsFirst(t *testing.T) {
	readers := 500
	if testing.Short() || testtime.Race {
		readers = 100
	}
	d, _, addr := start(t, Options{})
	if err := d.Conn().Script(t.Context(), "CREATE USER root PASSWORD 'root' ROLE admin; CREATE USER ann PASSWORD 'ann'",
		nil); err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	conns := make([]*pgx.Conn, readers)
	for i := range conns {
		conns[i] = connectAs(t, addr, "ann", "ann")
	}
	for i, c := range conns {
		all.Go(func() {
			const heavy = "SELECT count(*) FROM generate_series(1, 100000) AS a(x), generate_series(1, 100000) AS b(y) " +
				"WHERE (x * y) %% 7 = %d"
			if _, err := c.Exec(t.Context(), fmt.Sprintf(heavy, i%7)); codeOf(err) != "57014" && codeOf(err) != "57P01" {
				t.Errorf("a reader ends with %v", err)
			}
		})
	}
	eventually(t, "readers compute", func() bool {
		n, err := d.Exec(t.Context(), "SELECT pid FROM pg_stat_activity WHERE state = 'active'")
		return err == nil && n.Rows >= int64(readers)
	})
	within := func(what string, do func() error) {
		t.Helper()
		watch := testtime.Start() // other programs may want the processors
		if err := do(); err != nil {
			t.Errorf("%s: %v", what, err)
		}
		if took := watch.Took(); took > testtime.Allow(time.Second) {
			t.Errorf("%s took %s", what, took)
		} else {
			t.Logf("%s took %s", what, took)
		}
	}
	var root *pgx.Conn
	within("the login of an admin", func() (err error) {
		root, err = tryConnect(addr, "root", "root", "")
		return err
	})
	if root == nil {
		t.Fatal("no connection")
	}
	defer root.Close(t.Context())
	for i := range 3 {
		pid, found := int64(conns[i].PgConn().PID()), false
		within("listing sessions", func() error {
			const list = "SELECT count(*) = 1 FROM pg_stat_activity WHERE usename = 'ann' AND pid = $1"
			return root.QueryRow(t.Context(), list, pid).Scan(&found)
		})
		if !found {
			t.Errorf("session %d is not listed", pid)
		}
		within("listing statements", func() error {
			_, err := root.Exec(t.Context(), "SHOW ACTIVITY")
			return err
		})
		within("ending a session", func() error {
			_, err := root.Exec(t.Context(), fmt.Sprintf("CANCEL SESSION %d", pid))
			return err
		})
	}
	const end = "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE usename = 'ann'"
	if _, err := root.Exec(t.Context(), end); err != nil {
		t.Error(err)
	}
	all.Wait()
}
