package server

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"parlance/db"

	"github.com/jackc/pgx/v5/pgproto3"
)

// freed waits until only n connections are left and no statement holds a state of the corpora.
func freed(t *testing.T, d *db.DB, s *Server, n int) {
	t.Helper()
	eventually(t, "connections end", func() bool { return s.connections() == n })
	eventually(t, "snapshots are released", func() bool { return metric(t, d, "parlance_snapshots_open") == 0 })
}

// running waits until a connection answers its client.
func (s *Server) running(t *testing.T, n int) {
	t.Helper()
	eventually(t, "statements run", func() bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		busy := 0
		for _, c := range s.conns {
			if c.busy() {
				busy++
			}
		}
		return busy >= n
	})
}

// TestClientGoes ends a statement whose client is no longer there.
func TestClientGoes(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the state of a connection is not known on", runtime.GOOS)
	}
	d, s, addr := start(t, Options{watch: 10 * time.Millisecond})
	wide(t, addr, 100)
	if gone(nil) {
		t.Fatal("nothing is gone")
	}
	for name, leave := range map[string]func(*raw){
		"FIN":           func(r *raw) { r.Close() },
		"RST":           func(r *raw) { _ = r.SetLinger(0); r.Close() },
		"Terminate":     func(r *raw) { r.send(&pgproto3.Terminate{}); r.Close() },
		"behind others": func(r *raw) { r.send(&pgproto3.Query{String: "SELECT 1"}); r.Close() },
	} {
		r := loginRaw(t, addr)
		r.send(&pgproto3.Query{String: endless})
		s.running(t, 1)
		began := time.Now()
		leave(r)
		freed(t, d, s, 1)
		if took := time.Since(began); took > patience/2 {
			t.Error(name, took)
		}
	}
}

// TestClientStaysAway ends a statement whose client goes while its answer fills the connection.
func TestClientStaysAway(t *testing.T) {
	d, s, addr := start(t, Options{})
	wide(t, addr, 200)
	for _, linger := range []int{0, -1} {
		r := loginRaw(t, addr)
		r.send(&pgproto3.Query{String: flood})
		r.until("D")
		_ = r.SetLinger(linger)
		r.Close()
		freed(t, d, s, 1)
	}
}

// TestSlowReader lets a client ask for 160 MB and read nothing: the server keeps a buffer's worth,
// others write and compact, and every way to end it frees it.
func TestSlowReader(t *testing.T) {
	log := &journal{}
	d, s, addr := start(t, Options{watch: 10 * time.Millisecond, Log: log.logger()})
	wide(t, addr, 400)
	other := connect(t, addr, "")
	ctx := context.Background()
	exec := func(sql string) {
		t.Helper()
		if _, err := other.Exec(ctx, sql); err != nil {
			t.Fatal(sql, err)
		}
	}
	ends := []struct {
		name, line string
		end        func(*raw)
	}{
		{"CancelRequest", "reads nothing of a cancelled statement", func(r *raw) { cancel(t, addr, r.key) }},
		{"CANCEL STATEMENT", "reads nothing of a cancelled statement", func(*raw) {
			var id int64
			if err := other.QueryRow(ctx, "SELECT id FROM system.activity WHERE state = 'sending'").Scan(&id); err != nil {
				t.Fatal(err)
			}
			if _, err := other.Exec(ctx, fmt.Sprint("CANCEL STATEMENT ", id)); err != nil {
				t.Fatal(err)
			}
		}},
		{"write_timeout", "has read nothing for longer than write_timeout, 1s",
			func(*raw) { exec("ALTER SYSTEM SET write_timeout = 1") }},
	}
	for _, e := range ends {
		before := heap()
		r := loginRaw(t, addr)
		r.send(&pgproto3.Query{String: flood})
		stalled := s.stalled()
		eventually(t, "the answer fills the connection", func() bool {
			n := 0
			err := other.QueryRow(ctx, "SELECT count(*) FROM system.activity WHERE state = 'sending' AND rows > 0").Scan(&n)
			return err == nil && n == 1 && stalled()
		})
		if grown := int64(heap()) - int64(before); grown > 24<<20 {
			t.Errorf("%s: a reader that stalls takes %d MB", e.name, grown>>20)
		}
		exec("INSERT INTO docs (id, text) VALUES ('new', 'Bob.')")
		exec("DELETE FROM docs WHERE id = 'new'")
		exec("COMPACT")
		e.end(r)
		freed(t, d, s, 2)
		if !strings.Contains(log.String(), e.line) {
			t.Errorf("%s: %s", e.name, log)
		}
	}
}

// stalled returns what reports whether a connection has been in one write for a while and for many
// looks, as time also passes while the machine does nothing.
func (s *Server) stalled() func() bool {
	type write struct {
		conn   uint32
		number uint64
	}
	since, looks := map[write]time.Time{}, map[write]int{}
	return func() bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		for id, c := range s.conns {
			w := write{id, c.w.writes.Load()}
			looks[w]++
			switch {
			case w.number%2 == 0:
			case since[w].IsZero():
				since[w] = time.Now()
			case looks[w] > 20 && time.Since(since[w]) > 100*time.Millisecond:
				return true
			}
		}
		return false
	}
}

func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// TestCancelledReaderGoesOn cancels a statement whose client has not read yet but does later.
func TestCancelledReaderGoesOn(t *testing.T) {
	_, s, addr := start(t, Options{})
	wide(t, addr, 300)
	r := loginRaw(t, addr)
	r.send(&pgproto3.Query{String: flood})
	eventually(t, "the answer fills the connection", s.stalled())
	cancel(t, addr, r.key)
	if got := r.until("Z"); !strings.HasSuffix(got, " ERROR_57014 I") {
		t.Error(got[max(0, len(got)-200):])
	}
	if got := r.query("SELECT 1"); got != "(column) 1 SELECT_1 I" {
		t.Error(got)
	}
}

// TestIdleTimeout closes connections that wait, not those that run something.
func TestIdleTimeout(t *testing.T) {
	log := &journal{}
	d, s, addr := start(t, Options{watch: 10 * time.Millisecond, Log: log.logger()})
	wide(t, addr, 100)
	busy, idle := loginRaw(t, addr), loginRaw(t, addr)
	busy.send(&pgproto3.Query{String: endless})
	s.running(t, 1)
	if _, err := d.Exec(context.Background(), "ALTER SYSTEM SET idle_timeout = 1"); err != nil {
		t.Fatal(err)
	}
	if got := idle.until(""); got != "FATAL_57P05" {
		t.Error(got)
	}
	eventually(t, "idle ones end", func() bool { return s.connections() == 1 })
	if n := strings.Count(log.String(), "longer than idle_timeout, 1s"); n != 2 {
		t.Errorf("%d lines: %s", n, log)
	}
	await(t, d, "connections_idle", 0)
	cancel(t, addr, busy.key)
	if got := busy.until("Z"); got != "ERROR_57014 I" && got != "(count) ERROR_57014 I" {
		t.Error(got)
	}
}

// TestBlockTimeout closes connections that leave a transaction block alone, which undoes what it has changed and lets
// others write.
func TestBlockTimeout(t *testing.T) {
	d, _, addr := start(t, Options{watch: 10 * time.Millisecond})
	if _, err := d.Exec(context.Background(), "CREATE CORPUS docs"); err != nil {
		t.Fatal(err)
	}
	idle, gone := loginRaw(t, addr), loginRaw(t, addr)
	for i, r := range []*raw{idle, gone} {
		r.query("SET idle_in_transaction_session_timeout = 50")
		if got := r.query("SELECT 1"); got != "(column) 1 SELECT_1 I" {
			t.Error(got)
		}
		if got := r.query(fmt.Sprintf("BEGIN; INSERT INTO docs (id, text) VALUES ('%d', 'x')", i)); got !=
			"BEGIN INSERT_0_1 T" {
			t.Error(got)
		}
		if i == 0 {
			if got := idle.until(""); got != "FATAL_25P03" {
				t.Error(got)
			}
			continue
		}
		_ = gone.Close()
	}
	if n, err := d.Exec(context.Background(), "INSERT INTO docs (id, text) VALUES ('2', 'x')"); err != nil {
		t.Errorf("%v, %v", n, err)
	}
	c := connect(t, addr, "")
	if got := all(t, c, "SELECT id FROM docs"); got != "\"2\"|\n" {
		t.Error(got)
	}
}

// TestLoginTimeout closes connections that do not log in.
func TestLoginTimeout(t *testing.T) {
	log := &journal{}
	_, s, addr := start(t, Options{LoginTimeout: 50 * time.Millisecond, Log: log.logger()})
	half := dialRaw(t, addr)
	if _, err := half.Write([]byte{0, 0, 0, 50, 0, 3, 0, 0, 'u'}); err != nil {
		t.Fatal(err)
	}
	for _, r := range []*raw{dialRaw(t, addr), half} {
		if got := r.until(""); got != "FATAL_57014" {
			t.Error(got)
		}
	}
	eventually(t, "both end", func() bool { return s.connections() == 0 })
	if n := strings.Count(log.String(), "no login within login_timeout"); n != 2 {
		t.Errorf("%d lines: %s", n, log)
	}
}

// TestLastWord ends a connection whose client sends its last statements and its end in one piece,
// and reads all answers.
func TestLastWord(t *testing.T) {
	d, s, addr := start(t, Options{watch: time.Hour}) // a statement that takes two looks would be given up
	wide(t, addr, 3)
	other, r := loginRaw(t, addr), loginRaw(t, addr)
	if got := other.query("BEGIN; DELETE FROM docs"); got != "BEGIN DELETE_3 T" {
		t.Fatal(got)
	}
	group := func(sql string) []pgproto3.FrontendMessage {
		return []pgproto3.FrontendMessage{&pgproto3.Parse{Query: sql}, &pgproto3.Bind{}, &pgproto3.Execute{},
			&pgproto3.Sync{}}
	}
	r.send(group("UPDATE docs SET text = 'x'")...) // which waits for the other
	s.running(t, 1)
	r.send(group("SELECT 1")...)
	if err := r.CloseWrite(); err != nil {
		t.Fatal(err)
	}
	if got := other.query("ROLLBACK"); got != "ROLLBACK I" {
		t.Fatal(got)
	}
	for _, want := range []string{"UPDATE_3", "1 SELECT_1"} {
		if got := r.until("Z"); !strings.Contains(got, want) {
			t.Errorf("the answer is %s, want %s", got, want)
		}
	}
	eventually(t, "the connection ends", func() bool {
		s.look(time.Now(), nil)
		return s.connections() == 2
	})
	freed(t, d, s, 2)
}
