package server

import (
	"context"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"parlance/db"

	"github.com/jackc/pgx/v5"
)

// network is the metrics of connections.
func network(d *db.DB) map[string]float64 {
	out := map[string]float64{}
	for _, m := range d.Metrics() {
		out[strings.TrimPrefix(m.Name, "parlance_")+strings.Join(m.Values, ",")] = m.Value
	}
	return out
}

// await waits until a figure has a value.
func await(t *testing.T, d *db.DB, name string, want float64) {
	t.Helper()
	deadline := time.After(patience)
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for network(d)[name] != want {
		select {
		case <-deadline:
			t.Fatalf("%s is %v, want %v", name, network(d)[name], want)
		case <-tick.C:
		}
	}
}

func TestConnectionsAreCounted(t *testing.T) {
	d, _, addr := start(t, Options{})
	a, b := connect(t, addr, ""), connect(t, addr, "")
	await(t, d, "connections_idle", 2)
	before := network(d)
	if before["connections_open"] != 2 || before["connections_total"] != 2 {
		t.Errorf("%v", before)
	}
	var s string
	if err := a.QueryRow(context.Background(), "SELECT $1", pgx.QueryExecModeSimpleProtocol,
		strings.Repeat("x", 10_000)).Scan(&s); err != nil {
		t.Fatal(err)
	}
	await(t, d, "connections_idle", 2)
	after := network(d)
	for _, name := range []string{"received_bytes_total", "sent_bytes_total"} {
		if n := after[name] - before[name]; n < 10_000 || n > 12_000 {
			t.Errorf("%s rises by %v", name, n)
		}
	}
	if err := a.QueryRow(context.Background(), "SELECT $1", "several messages at once").Scan(&s); err != nil {
		t.Fatal(err)
	}
	await(t, d, "connections_idle", 2)
	if err := b.PgConn().CancelRequest(context.Background()); err != nil {
		t.Fatal(err)
	}
	await(t, d, "cancel_requests_total", 1)
	a.Close(context.Background())
	b.Close(context.Background())
	await(t, d, "connections_open", 0)
	await(t, d, "connections_idle", 0)
}

func TestRefusedConnectionsAreCounted(t *testing.T) {
	d, _, addr := start(t, Options{})
	for _, c := range []struct{ user, replication string }{{"", ""}, {"ann", "database"}} {
		conf, err := pgx.ParseConfig("postgres://" + addr + "/x?sslmode=disable")
		if err != nil {
			t.Fatal(err)
		}
		conf.User, conf.RuntimeParams["replication"] = c.user, c.replication
		if conn, err := pgx.ConnectConfig(context.Background(), conf); err == nil {
			conn.Close(context.Background())
			t.Errorf("%+v is let in", c)
		}
	}
	await(t, d, "connections_open", 0)
	if f := network(d); f["connections_refused_total28000"] != 1 || f["connections_refused_total0A000"] != 1 ||
		f["logins_failed_total"] != 1 || f["connections_total"] != 2 {
		t.Errorf("%v", f)
	}
}

// TestStatementsOfClientsAreCounted counts each statement once, in all modes of sending one.
func TestStatementsOfClientsAreCounted(t *testing.T) {
	for _, mode := range modes {
		t.Run(mode, func(t *testing.T) {
			var mu sync.Mutex
			var told []string
			log := func(*slog.Logger) func(db.StatementInfo) {
				return func(i db.StatementInfo) {
					mu.Lock()
					defer mu.Unlock()
					told = append(told, i.Kind+i.Code())
				}
			}
			d, _, addr := start(t, Options{Statements: log})
			c := connect(t, addr, "&default_query_exec_mode="+mode)
			for range 3 {
				var n int
				if err := c.QueryRow(context.Background(), "SELECT 41 + $1::integer", 1).Scan(&n); err != nil || n != 42 {
					t.Fatal(n, err)
				}
			}
			for _, bad := range []string{"SELECT nothing FROM nowhere", "SELEKT"} {
				if _, err := c.Exec(context.Background(), bad); err == nil {
					t.Errorf("%s succeeds", bad)
				}
			}
			await(t, d, "statements_running", 0)
			got := network(d)
			if got["statements_totalSELECT,"] != 3 || got["statements_totalSELECT,42P01"] != 1 ||
				got["statements_totalUNPARSED,42601"] != 1 {
				t.Errorf("%v", got)
			}
			mu.Lock()
			defer mu.Unlock()
			if want := "SELECT SELECT SELECT SELECT42P01 UNPARSED42601"; strings.Join(told, " ") != want {
				t.Errorf("told %v, want %s", told, want)
			}
		})
	}
}
