package server

import (
	"context"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgproto3"
)

// TestManyIdle holds connections that wait beside some that work: they cost no more than their
// buffers, and those that work go on.
func TestManyIdle(t *testing.T) {
	idle := 2000
	if testing.Short() {
		idle = 200
	}
	var most syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &most); err != nil {
		t.Fatal(err)
	}
	if need := uint64(2*idle + 200); most.Cur < need {
		if most.Cur = need; most.Max < need || syscall.Setrlimit(syscall.RLIMIT_NOFILE, &most) != nil {
			t.Skipf("%d open files are allowed, %d are needed", most.Max, need)
		}
	}
	d, s, addr := start(t, Options{})
	before, goroutines := heap(), runtime.NumGoroutine()
	list := make([]*raw, idle)
	for i := range list {
		list[i] = loginRaw(t, addr)
		if got := list[i].query("SELECT 1"); got != "(column) 1 SELECT_1 I" {
			t.Fatal(got)
		}
	}
	if grown := runtime.NumGoroutine() - goroutines; grown > idle+20 {
		t.Errorf("%d goroutines for %d connections", grown, idle)
	}
	if each := (int64(heap()) - int64(before)) / int64(idle); each > 100<<10 {
		t.Errorf("a connection that waits takes %d bytes, its client included", each)
	}
	var work sync.WaitGroup
	for range 4 {
		c := connect(t, addr, "")
		work.Go(func() {
			for i := range 500 {
				var n int
				if err := c.QueryRow(context.Background(), "SELECT $1 + 1", i).Scan(&n); err != nil || n != i+1 {
					t.Error(n, err)
					return
				}
			}
		})
	}
	work.Wait()
	for _, i := range rand.Perm(idle)[:50] {
		if got := list[i].query("SELECT 2"); got != "(column) 2 SELECT_1 I" {
			t.Error(got)
		}
	}
	for _, r := range list {
		r.Close()
	}
	freed(t, d, s, 4)
}

// TestCancelStorm sends CancelRequests while statements run, short ones and some that nothing else ends: wrong keys hit
// nothing, right ones only their own connection, which goes on.
func TestCancelStorm(t *testing.T) {
	rounds := 1000
	if testing.Short() {
		rounds = 200
	}
	_, s, addr := start(t, Options{})
	wide(t, addr, 5)
	target, innocent := loginRaw(t, addr), loginRaw(t, addr)
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	var work sync.WaitGroup
	var hit, ran atomic.Int64
	// The work of one tells whether the storm may hit it.
	work.Go(func() {
		c := connect(t, addr, "&default_query_exec_mode=exec")
		for ctx.Err() == nil {
			var n int
			if err := c.QueryRow(context.Background(), "SELECT count(*) FROM docs.tokens").Scan(&n); err != nil || n == 0 {
				t.Error("a statement of another connection:", n, err)
				return
			}
		}
	})
	work.Go(func() {
		for ctx.Err() == nil {
			if got := innocent.query("SELECT count(*) FROM docs"); got != "(count) 5 SELECT_1 I" {
				t.Error("a statement of another connection:", got)
				return
			}
		}
	})
	work.Go(func() {
		for n := 0; ctx.Err() == nil; n++ {
			sql := "SELECT count(*) AS n FROM docs.tokens AS a CROSS JOIN docs AS b WHERE a.form < b.text"
			if n%8 == 7 {
				sql = "SELECT count(*) AS n FROM docs.tokens AS a, docs.tokens AS b, docs.tokens AS c WHERE a.form || b.form || " +
					"c.form = 'x'"
			}
			switch got := target.query(sql); got {
			case "ERROR_57014 I", "(n) ERROR_57014 I":
				hit.Add(1)
			default:
				ran.Add(1)
			}
		}
	})
	var storm sync.WaitGroup
	for i := range 4 {
		storm.Go(func() {
			for n := range rounds / 4 {
				key := target.key
				if (i+n)%2 == 1 {
					key = pgproto3.CancelRequest{ProcessID: rand.Uint32N(8),
						SecretKey: binary.BigEndian.AppendUint32(nil, rand.Uint32())}
				}
				cancel(t, addr, key)
			}
		})
	}
	storm.Wait()
	eventually(t, "the connection goes on after it was cancelled", func() bool {
		cancel(t, addr, target.key)
		return hit.Load() > 0 && ran.Load() > 0
	})
	stop()
	ended := make(chan struct{})
	go func() {
		work.Wait()
		close(ended)
	}()
	eventually(t, "the work ends", func() bool {
		cancel(t, addr, target.key)
		select {
		case <-ended:
			return true
		default:
			return false
		}
	})
	if got := target.query("SELECT 1"); got != "(column) 1 SELECT_1 I" {
		t.Error(got)
	}
	eventually(t, "connections of the storm end", func() bool { return s.connections() == 4 })
}

// TestCancelDuringCopy cancels loads whose client sends slowly, again and again: the connection
// goes on after each.
func TestCancelDuringCopy(t *testing.T) {
	_, _, addr := start(t, Options{})
	r := loginRaw(t, addr)
	r.query("CREATE CORPUS docs")
	for i := range 60 {
		r.send(&pgproto3.Query{String: "LOAD STDIN INTO docs FORMAT lines"})
		r.until("G")
		sent := make(chan struct{})
		go func() {
			cancel(t, addr, r.key)
			close(sent)
		}()
		for range i % 4 {
			r.send(&pgproto3.CopyData{Data: []byte("a line\n")})
		}
		if got := r.until("Z"); got != "ERROR_57014 I" {
			t.Fatal(i, got)
		}
		<-sent
		r.send(&pgproto3.CopyData{Data: []byte("late\n")}, &pgproto3.CopyDone{})
		if got := r.query("SELECT count(*) FROM docs"); got != "(count) 0 SELECT_1 I" {
			t.Fatal(i, got)
		}
	}
}

// TestStatementsOverlap runs statements of all sorts on many connections at once.
func TestStatementsOverlap(t *testing.T) {
	d, s, addr := start(t, Options{})
	wide(t, addr, 20)
	var work sync.WaitGroup
	for i := range 8 {
		c := connect(t, addr, "&default_query_exec_mode="+modes[i%len(modes)])
		work.Go(func() {
			for k := range 10 {
				for _, sql := range []string{"SELECT text FROM docs", "INSERT INTO docs (id, text) VALUES ($1, 'Bob.')",
					"DELETE FROM docs WHERE id = $1"} {
					var err error
					if sql[0] == 'S' {
						_, err = c.Exec(context.Background(), sql)
					} else {
						_, err = c.Exec(context.Background(), sql, string(rune('a'+i))+string(rune('a'+k)))
					}
					var e *pgconn.PgError
					if err != nil && (!errors.As(err, &e) || e.Code != "40001") {
						t.Error(sql, err)
						return
					}
				}
			}
		})
	}
	work.Wait()
	eventually(t, "snapshots are released", func() bool {
		return metric(t, d, "parlance_snapshots_open") == 0 && s.connections() == 9
	})
}

// TestSilentCopyEnds ends loads that wait for a client which sends nothing.
func TestSilentCopyEnds(t *testing.T) {
	_, _, addr := start(t, Options{watch: 10 * time.Millisecond})
	r, other := loginRaw(t, addr), loginRaw(t, addr)
	r.query("CREATE CORPUS docs")
	const silent = "LOAD STDIN INTO docs FORMAT lines"
	empty := func() {
		t.Helper()
		if got := other.query("SELECT count(*) FROM docs"); got != "(count) 0 SELECT_1 I" {
			t.Error(got)
		}
	}
	r.send(&pgproto3.Query{String: silent})
	r.until("G")
	var answer []string // (id) number SELECT_1 I
	eventually(t, "the load runs", func() bool {
		answer = strings.Fields(other.query("SELECT id FROM system.activity WHERE kind = 'LOAD'"))
		return len(answer) == 4
	})
	other.query("CANCEL STATEMENT " + answer[1])
	if got := r.until("Z"); got != "ERROR_57014 I" {
		t.Error(got)
	}
	empty()
	for _, step := range [][2]string{{"SET statement_timeout = 20", "SET I"}, {silent, "ERROR_57014 I"}, {"", "empty I"}} {
		if got := r.query(step[0]); got != step[1] {
			t.Errorf("%s: %s", step[0], got)
		}
	}
	empty()
}
