package repl_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"regexp"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// daemon is a server in a process of its own.
type daemon struct {
	cmd     *exec.Cmd
	addr    string // where it listens
	http    string // with --http
	log     io.Closer
	seen    chan string
	drained chan struct{} // closed at the end of the log
	wait    sync.Once
	err     error // of the process, once it was waited for
}

var logged = map[string]*regexp.Regexp{
	"addr": regexp.MustCompile(`msg=listening address=(\S+)`),
	"http": regexp.MustCompile(`msg="listening for HTTP" address=(\S+)`),
}

// serveFile starts a server on a file and waits until it listens; it is killed with the test.
func serveFile(t *testing.T, bin, file string, args ...string) *daemon {
	t.Helper()
	return serve(t, exec.Command(bin, append([]string{"serve", file, "--listen", "127.0.0.1:0"}, args...)...))
}

// serve starts the command of a server.
func serve(t *testing.T, cmd *exec.Cmd) *daemon {
	t.Helper()
	p := &daemon{cmd: cmd, seen: make(chan string, 1000), drained: make(chan struct{})}
	r, err := p.cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	p.log = r
	go p.read(r)
	t.Cleanup(func() { p.kill() })
	for p.addr == "" {
		line, ok := <-p.seen
		if !ok {
			p.kill()
			t.Fatalf("the server ended: %v", p.err)
		}
		if m := logged["http"].FindStringSubmatch(line); m != nil {
			p.http = m[1]
		}
		if m := logged["addr"].FindStringSubmatch(line); m != nil {
			p.addr = m[1]
		}
	}
	return p
}

// read hands out the lines of the log; those that nobody takes are dropped.
func (p *daemon) read(r io.Reader) {
	defer close(p.drained)
	defer close(p.seen)
	for s := bufio.NewScanner(r); s.Scan(); {
		select {
		case p.seen <- s.Text():
		default:
		}
	}
}

// await returns when the log has a line that matches.
func (p *daemon) await(t *testing.T, pattern string) {
	t.Helper()
	re := regexp.MustCompile(pattern)
	for line := range p.seen {
		if re.MatchString(line) {
			return
		}
	}
	t.Fatalf("the log ended without %s", pattern)
}

// kill ends the process with SIGKILL and waits for it.
func (p *daemon) kill() {
	_ = p.cmd.Process.Kill()
	_ = p.end()
}

// end waits for the process and returns its error.
func (p *daemon) end() error {
	p.wait.Do(func() {
		<-p.drained
		p.err = p.cmd.Wait()
	})
	return p.err
}

// exited waits for the process and checks its code and how long it took from start.
func (p *daemon) exited(t *testing.T, code int, start time.Time, most time.Duration) {
	t.Helper()
	err := p.end()
	if got := p.cmd.ProcessState.ExitCode(); got != code {
		t.Errorf("exit code %d, want %d: %v", got, code, err)
	}
	if d := time.Since(start); d > most {
		t.Errorf("the server ended %v after the signal, want at most %v", d, most)
	}
}

func (p *daemon) signal(t *testing.T, s os.Signal) {
	t.Helper()
	if err := p.cmd.Process.Signal(s); err != nil {
		t.Fatal(err)
	}
}

// connect opens a session, with a password if user is followed by one.
func (p *daemon) connect(t *testing.T, user string) *pgconn.PgConn {
	t.Helper()
	c, err := pgconn.Connect(t.Context(), "postgres://"+user+"@"+p.addr+"/x?sslmode=disable")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close(context.Background()) })
	return c
}

// tagged runs a statement and returns the tag of the last one, or the values of its only row.
func tagged(ctx context.Context, c *pgconn.PgConn, statement string) (string, error) {
	results, err := c.Exec(ctx, statement).ReadAll()
	if err != nil || len(results) == 0 {
		return "", err
	}
	last := results[len(results)-1]
	if len(last.Rows) == 1 {
		return string(last.Rows[0][0]), last.Err
	}
	return last.CommandTag.String(), last.Err
}

func must(t *testing.T, c *pgconn.PgConn, statement string) string {
	t.Helper()
	tag, err := tagged(t.Context(), c, statement)
	if err != nil {
		t.Fatalf("%.100s: %v", statement, err)
	}
	return tag
}

// code is the SQLSTATE of an error, "" without one.
func code(err error) string {
	var e *pgconn.PgError
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}
