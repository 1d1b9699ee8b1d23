package repl_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"testing"

	"parlance/db"
	"parlance/repl"
	"parlance/repl/remote"
	"parlance/server"

	"github.com/jackc/pgx/v5/pgproto3"
)

// listen serves an empty database until the test ends.
func listen(t *testing.T) string {
	url, _ := listenOn(t)
	return url
}

func listenOn(t *testing.T) (url string, d *db.DB) {
	t.Helper()
	d, err := db.Open("", db.Options{})
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := server.New(d, server.Options{Files: db.AllFiles})
	served := make(chan error, 1)
	go func() { served <- s.Serve(l) }()
	t.Cleanup(func() {
		if err := errors.Join(s.Shutdown(context.Background()), d.Close()); err != nil {
			t.Error(err)
		}
		if err := <-served; !errors.Is(err, server.ErrClosed) {
			t.Error(err)
		}
	})
	return fmt.Sprintf("postgres://ann@%s/x?sslmode=disable", l.Addr()), d
}

// TestConnectShowsTheSame as a database that is open here, in every format.
func TestConnectShowsTheSame(t *testing.T) {
	statements := sample + `; SELECT 'a "b"' AS t, '{"a": [1, null]}'::json AS j, '[1, 2.5]'::vector AS v, '2024-02-29 23:59:58.25'::timestamp AS at, 1e300 AS f, 'nan'::float AS n;
		CREATE LEXICON cities (word TEXT, people INTEGER); INSERT INTO cities VALUES ('Oslo', 700000), ('Rome', NULL); SELECT * FROM cities; DESCRIBE cities; SELECT word FROM cities WHERE people < 0`
	for _, format := range []string{"table", "vertical", "markdown", "csv", "tsv", "jsonl"} {
		want := succeed(t, "", "exec", "--format", format, "-c", statements)
		if got := succeed(t, "", "exec", "--format", format, "-c", statements, "--connect", listen(t)); got != want {
			t.Errorf("%s: a server gives\n%s\nwant\n%s", format, got, want)
		}
	}
}

// TestConnectBlock tells the state of the transaction block on the server.
func TestConnectBlock(t *testing.T) {
	c, err := remote.Connect(t.Context(), listen(t), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for _, x := range []struct {
		statement string
		want      db.Block
	}{{"SELECT 1", db.NoBlock}, {"BEGIN", db.OpenBlock}, {"SELECT wrong", db.FailedBlock}, {"ROLLBACK", db.NoBlock}} {
		if r, err := c.Query(t.Context(), x.statement); err == nil {
			for r.Next() {
			}
			_ = r.Close()
		}
		if got := c.Block(); got != x.want {
			t.Errorf("after %s: %d, want %d", x.statement, got, x.want)
		}
	}
}

// TestConnectSettings sets settings of the session on the server.
func TestConnectSettings(t *testing.T) {
	url := listen(t)
	got := succeed(t, "", "exec", "--connect", url, "--format", "csv", "--set", "cache=off", "--set", "workers=2", "-c",
		"SELECT name, value FROM system.settings WHERE name IN ('cache', 'workers') ORDER BY name")
	if got != "name,value\ncache,off\nworkers,2\n" {
		t.Errorf("settings %q", got)
	}
	if _, errs, code := outcome(t, "", "exec", "--connect", url, "--set", "cahce=off", "-c", "SELECT 1"); code != 1 ||
		!strings.Contains(errs, "did you mean cache?") {
		t.Errorf("an unknown setting gives exit code %d, errors %q", code, errs)
	}
	for _, args := range [][]string{{"--db", "x"}, {"--read-only"}} {
		if _, _, code := outcome(t, "", append([]string{"exec", "--connect", url, "-c", "SELECT 1"}, args...)...); code != 2 {
			t.Errorf("--connect and %q give exit code %d", args, code)
		}
	}
}

// TestConnectFails where there is no server.
func TestConnectFails(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	url := "postgres://ann@" + l.Addr().String() + "/x"
	l.Close()
	for _, args := range [][]string{{"connect", url}, {"exec", "--connect", url, "-c", "SELECT 1"}} {
		if out, errs, code := outcome(t, "SELECT 1;", args...); code != 1 || out != "" || !strings.Contains(errs,
			"connection refused") {
			t.Errorf("%q: exit code %d, output %q, errors %q", args, code, out, errs)
		}
	}
}

// endless is a statement that runs until it is cancelled.
const endless = "SELECT count(*) FROM numbers a, numbers b, numbers c, numbers d, numbers e"

// numbers makes the table of endless.
func numbers(t *testing.T, d *db.DB) {
	t.Helper()
	ctx := context.Background()
	c := d.Conn()
	if _, err := c.Exec(ctx, "CREATE LEXICON numbers (word TEXT)"); err != nil {
		t.Fatal(err)
	}
	for n := range 10 {
		if _, err := c.Exec(ctx, "INSERT INTO numbers VALUES ($1), ($1), ($1), ($1), ($1), ($1), ($1), ($1), ($1), ($1)",
			fmt.Sprint(n)); err != nil {
			t.Fatal(err)
		}
	}
}

// runs waits until endless runs.
func runs(t *testing.T, d *db.DB) {
	t.Helper()
	for running := 0; running == 0; runtime.Gosched() {
		rows, err := d.Query(context.Background(), "SELECT count(*) FROM system.activity WHERE statement LIKE 'SELECT "+
			"count(*) FROM numbers%'")
		if err != nil {
			t.Fatal(err)
		}
		if rows.Next() {
			err = rows.Scan(&running)
		}
		if err = errors.Join(err, rows.Close()); err != nil {
			t.Fatal(err)
		}
	}
}

// TestConnectInterrupt cancels the statement that runs on the server, not the shell.
func TestConnectInterrupt(t *testing.T) {
	url, d := listenOn(t)
	numbers(t, d)
	own := make(chan os.Signal, 1) // the signal must not end the test
	signal.Notify(own, os.Interrupt)
	defer signal.Stop(own)
	var out, errs bytes.Buffer
	code := make(chan int)
	go func() {
		code <- repl.Main([]string{"connect", url}, strings.NewReader("\\format csv\n"+endless+";\nSELECT 1 AS x;\n"), &out,
			&errs)
	}()
	runs(t, d)
	self, err := os.FindProcess(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	if err := self.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if c := <-code; c != 1 || !strings.HasSuffix(out.String(), "x\n1\n") || !strings.Contains(errs.String(),
		"error 57014: ") {
		t.Errorf("exit code %d, output %q, errors %q", c, out.String(), errs.String())
	}
}

// TestConnectLost ends a script when the server goes away.
func TestConnectLost(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			b := pgproto3.NewBackend(c, c)
			if _, err := b.ReceiveStartupMessage(); err == nil {
				b.Send(&pgproto3.AuthenticationOk{})
				b.Send(&pgproto3.ReadyForQuery{TxStatus: 'I'})
				if b.Flush() == nil {
					_, _ = b.Receive()
				}
			}
			c.Close()
		}
	}()
	url := fmt.Sprintf("postgres://ann@%s/x?sslmode=disable", l.Addr())
	for _, args := range [][]string{{"connect", url}, {"exec", "--connect", url}} {
		out, errs, code := outcome(t, "SELECT 1;\nSELECT 2;\n", args...)
		if code != 1 || out != "" || strings.Count(errs, "error 08006: the connection to the server is lost") != 1 {
			t.Errorf("%q: exit code %d, output %q, errors %q", args, code, out, errs)
		}
	}
}
