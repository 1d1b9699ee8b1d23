package repl_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"parlance/db"

	"github.com/jackc/pgx/v5/pgconn"
)

// days is a query that takes days.
const days = "SELECT count(*) FROM generate_series(1, 1000000) AS a(x), generate_series(1, 1000000) AS b(y) WHERE x " +
	"* y % 7 = 3"

// pending is a statement that a session runs beside the test.
type pending struct {
	tag  string
	err  error
	done chan struct{}
}

// begin runs a statement on a session of its own and waits until others see it.
func (p *daemon) begin(t *testing.T, name string, run func(*pgconn.PgConn) (string, error)) *pending {
	t.Helper()
	c, err := pgconn.Connect(t.Context(), "postgres://ann@"+p.addr+"/x?sslmode=disable&application_name="+name)
	if err != nil {
		t.Fatal(err)
	}
	x := &pending{done: make(chan struct{})}
	go func() {
		defer close(x.done)
		x.tag, x.err = run(c)
		c.Close(context.Background())
	}()
	watcher := p.connect(t, "ann")
	for must(t, watcher, "SELECT count(*) FROM system.activity WHERE application = '"+name+"'") != "1" {
		select {
		case <-x.done:
			t.Fatalf("%s ended before it was seen: %v", name, x.err)
		default:
		}
	}
	watcher.Close(t.Context())
	return x
}

func statement(text string) func(*pgconn.PgConn) (string, error) {
	return func(c *pgconn.PgConn) (string, error) { return tagged(context.Background(), c, text) }
}

// TestTerminationDrains: statements that run when SIGTERM comes end as if it had not.
func TestTerminationDrains(t *testing.T) {
	dir := t.TempDir()
	p := serveFile(t, buildCommand(t), filepath.Join(dir, "a.parlance"), "--grace", "1m", "--http", "127.0.0.1:0")
	idle := p.connect(t, "ann")
	must(t, idle, "CREATE LEXICON places (word TEXT)")
	block := p.connect(t, "ann")
	must(t, block, "BEGIN; SELECT 1")

	data, feed := io.Pipe()
	load := p.begin(t, "load", func(c *pgconn.PgConn) (string, error) {
		tag, err := c.CopyFrom(context.Background(), data, "COPY places FROM STDIN FORMAT csv")
		return tag.String(), err
	})
	fmt.Fprintln(feed, "word\nOslo")
	reading := make(chan struct{})
	rows := p.begin(t, "rows", func(c *pgconn.PgConn) (string, error) {
		r := c.ExecParams(context.Background(), "SELECT x, repeat('abc', 100) FROM generate_series(1, 100000) AS a(x)", nil,
			nil, nil, nil)
		n := 0
		for ; r.NextRow(); n++ {
			if n == 0 {
				<-reading
			}
		}
		_, err := r.Close()
		return fmt.Sprint(n), err
	})

	start := time.Now()
	p.signal(t, syscall.SIGTERM)
	p.await(t, "shutting down")
	for _, c := range []*pgconn.PgConn{idle, block} {
		if _, err := c.ReceiveMessage(t.Context()); code(err) != "57P01" {
			t.Errorf("a session that waits receives %v", err)
		}
	}
	if c, err := net.Dial("tcp", p.addr); err == nil {
		if _, err := c.Read(make([]byte, 1)); err == nil {
			t.Error("a new connection is served")
		}
		c.Close()
	}
	unready(t, p.http)
	close(reading)
	fmt.Fprintln(feed, "Rome")
	feed.Close()
	<-load.done
	<-rows.done
	if load.tag != "COPY 2" || load.err != nil || rows.tag != "100000" || rows.err != nil {
		t.Errorf("the statements end with %q %v, %q %v", load.tag, load.err, rows.tag, rows.err)
	}
	p.exited(t, 0, start, time.Minute)
}

// unready checks that the server says so while it drains.
func unready(t *testing.T, addr string) {
	t.Helper()
	r, err := http.Get("http://" + addr + "/readyz")
	if err != nil {
		t.Error(err)
		return
	}
	defer r.Body.Close()
	if r.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("a server that shuts down answers /readyz with %s", r.Status)
	}
}

// TestGraceEnds: what runs for longer is cancelled, and the server still ends well.
func TestGraceEnds(t *testing.T) {
	dir := t.TempDir()
	p := serveFile(t, buildCommand(t), filepath.Join(dir, "a.parlance"), "--grace", "300ms")
	query := p.begin(t, "query", statement(days))
	must(t, p.connect(t, "ann"), "CREATE LEXICON places (word TEXT)")
	data, feed := io.Pipe()
	load := p.begin(t, "load", func(c *pgconn.PgConn) (string, error) {
		tag, err := c.CopyFrom(context.Background(), data, "COPY places FROM STDIN FORMAT csv")
		return tag.String(), err
	})
	start := time.Now()
	p.signal(t, syscall.SIGTERM)
	<-query.done
	p.exited(t, 0, start, 30*time.Second)
	feed.Close()
	<-load.done
	for _, x := range []*pending{query, load} {
		if code(x.err) != "57P01" {
			t.Errorf("a statement beyond the grace ends with %v", x.err)
		}
	}
}

// TestSecondInterrupt ends the program at once.
func TestSecondInterrupt(t *testing.T) {
	dir := t.TempDir()
	p := serveFile(t, buildCommand(t), filepath.Join(dir, "a.parlance"), "--grace", "10m")
	query := p.begin(t, "query", statement(days))
	p.signal(t, os.Interrupt)
	p.await(t, "shutting down")
	select {
	case <-query.done:
		t.Errorf("the first interrupt ended the statement: %v", query.err)
	default:
	}
	start := time.Now()
	p.signal(t, os.Interrupt)
	p.exited(t, 130, start, 30*time.Second)
	<-query.done
}

// noise returns documents of 70 tokens in CoNLL that nothing can be learned from, which takes long.
func noise(documents int) []byte {
	r := rand.New(rand.NewPCG(1, 1))
	var b bytes.Buffer
	for range documents {
		b.WriteString("-DOCSTART- O\n\n")
		for range 10 {
			for range 7 {
				fmt.Fprintf(&b, "w%d %s\n", r.IntN(300), []string{"O", "B-PER", "B-LOC", "B-ORG"}[r.IntN(4)])
			}
			b.WriteString("\n")
		}
	}
	return b.Bytes()
}

// TestTerminatedTraining is interrupted, and resumes from its checkpoint.
func TestTerminatedTraining(t *testing.T) {
	for _, async := range []string{"", " ASYNC"} {
		dir := t.TempDir()
		file, input := filepath.Join(dir, "a.parlance"), filepath.Join(dir, "a.conll")
		if err := os.WriteFile(input, noise(200), 0o600); err != nil {
			t.Fatal(err)
		}
		p := serveFile(t, buildCommand(t), file, "--grace", "300ms", "--data-dir", dir)
		c := p.connect(t, "ann")
		must(t, c, "CREATE CORPUS docs; LOAD 'a.conll' INTO docs FORMAT conll WITH (columns = (form, entities))")
		train := "TRAIN crf AS ner ON docs WITH (l1 = 0.001, epsilon = 0, delta = 0, iterations = 1000000)" + async
		run := &pending{done: make(chan struct{})}
		if async == "" {
			run = p.begin(t, "train", statement(train))
		} else {
			must(t, c, train)
		}
		// The first checkpoint comes after the first step that ends after a second: two steps later it is there.
		const over = "SELECT max(step) + 2 FROM system.jobs WHERE step > 0 AND date_diff('second', started, now()) > 1"
		step := ""
		for step == "" {
			step = must(t, c, over)
		}
		for must(t, c, "SELECT count(*) FROM system.jobs WHERE step >= "+step) != "1" {
		}
		start := time.Now()
		p.signal(t, syscall.SIGTERM)
		p.exited(t, 0, start, 30*time.Second)
		if async == "" {
			if <-run.done; code(run.err) != "57P01" {
				t.Errorf("the training ends with %v", run.err)
			}
		}
		resumes(t, file, async == "")
	}
}

// resumes checks that job 1 is interrupted and goes on from a checkpoint.
func resumes(t *testing.T, file string, waits bool) {
	t.Helper()
	d, err := db.Open(file, db.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	c := d.Conn()
	if state := one(t, c, "SELECT state FROM system.jobs"); state != "interrupted" {
		t.Errorf("the job is %s", state)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	first := 0
	c.OnNotice(func(s string) {
		if strings.Contains(s, "checkpoint") {
			t.Error(s)
		}
	})
	c.OnProgress(func(p db.Progress) {
		if first == 0 {
			first = p.Step
		}
		cancel()
	})
	_, err = c.Exec(ctx, "RESUME JOB 1")
	if !waits { // an asynchronous training goes on until the database is closed
		if err != nil {
			t.Error(err)
		}
		return
	}
	if err == nil || first < 2 {
		t.Errorf("resumed at step %d: %v", first, err)
	}
}

// TestReaderOfTheLogGoes: a server whose log nobody reads any more goes on serving.
func TestReaderOfTheLogGoes(t *testing.T) {
	dir := t.TempDir()
	p := serveFile(t, buildCommand(t), filepath.Join(dir, "a.parlance"), "--listen", dir, "--http", "off",
		"--log-statements")
	p.log.Close()
	for range 3 {
		c := p.connect(t, "ann")
		if got := must(t, c, "SELECT 1 + 1"); got != "2" {
			t.Error(got)
		}
		c.Close(t.Context())
	}
	near, err := pgconn.Connect(t.Context(), "host="+dir+" port=5477 user=ann dbname=x")
	if err != nil {
		t.Fatal(err)
	}
	if got := must(t, near, "SELECT 1 + 2"); got != "3" {
		t.Error(got)
	}
	near.Close(t.Context())
	start := time.Now()
	p.signal(t, syscall.SIGTERM)
	p.exited(t, 0, start, 5*time.Second)
}
