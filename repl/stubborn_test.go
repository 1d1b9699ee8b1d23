package repl

import (
	"errors"
	"io"
	"net"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"parlance/db"
	"parlance/query/fn"
	"parlance/storage/value"
)

// stubbornFile is the variable of the environment that makes the test binary a server, of this file.
const stubbornFile = "PARLANCE_STUBBORN"

// TestStatementThatNeverEnds runs a statement that ignores its context, in a process of its own, which SIGTERM ends
// nevertheless.
func TestStatementThatNeverEnds(t *testing.T) {
	if file := os.Getenv(stubbornFile); file != "" {
		serveStubborn(t, file)
		return
	}
	cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
	cmd.Env = append(os.Environ(), stubbornFile+"="+t.TempDir()+"/stubborn.parlance")
	var log strings.Builder
	cmd.Stderr = &log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	late := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() })
	defer late.Stop()
	var ended *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &ended) || ended.ExitCode() != exitError ||
		!strings.Contains(log.String(), "ends without it") {
		t.Errorf("the process ends with %v:\n%s", err, log.String())
	}
}

// serveStubborn serves a file, runs a statement that never ends, and sends the process SIGTERM.
func serveStubborn(t *testing.T, file string) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	l.Close()
	runs := make(chan struct{})
	c := &serveCommand{File: file, Listen: []string{address}, Grace: 50 * time.Millisecond,
		adjust: func(o *db.Options) {
			o.Functions = append(o.Functions, fn.Func{Name: "stubborn", Doc: "never ends", Result: value.Integer, Volatile: true,
				Eval: func([]value.Value) (value.Value, error) {
					close(runs)
					select {}
				}})
		}}
	c.Watch.HTTP, c.Watch.LogFormat = "off", "text"
	go func() {
		for {
			conn, err := pgx.Connect(t.Context(), "postgres://admin@"+address+"/x?sslmode=disable")
			if err == nil {
				_, _ = conn.Exec(t.Context(), "SELECT stubborn()")
				return
			}
			time.Sleep(10 * time.Millisecond)
		}
	}()
	go func() {
		<-runs
		_ = syscall.Kill(os.Getpid(), syscall.SIGTERM)
	}()
	if err := c.Run(t.Context(), &streams{in: strings.NewReader(""), out: io.Discard, err: os.Stderr}); err != nil {
		t.Fatal(err)
	}
}
