package server

import (
	"bytes"
	"errors"
	"log/slog"
	"net"
	"os"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"parlance/db"
)

// scarce is a listener that lacks descriptors for a while, then fails for good.
type scarce struct {
	net.Listener
	left int
}

func (l *scarce) Accept() (net.Conn, error) {
	if l.left--; l.left < 0 {
		return nil, net.ErrClosed
	}
	return nil, &net.OpError{Op: "accept", Net: "tcp", Err: os.NewSyscallError("accept4", syscall.EMFILE)}
}

func (l *scarce) Close() error { return nil }

// TestShortageOfDescriptors: a server without descriptors neither ends nor spins, and its log says so once a minute.
func TestShortageOfDescriptors(t *testing.T) {
	d, err := db.Open(":memory:", db.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		s := New(d, Options{Log: slog.New(slog.NewTextHandler(&log, nil))})
		start := time.Now()
		if err := s.Serve(&scarce{left: 1500}); !errors.Is(err, net.ErrClosed) {
			t.Error(err)
		}
		if took := time.Since(start); took != 150*time.Second {
			t.Errorf("1500 attempts took %v", took)
		}
		if n := strings.Count(log.String(), "no connection can be accepted"); n != 3 {
			t.Errorf("%d lines in two and a half minutes:\n%s", n, log.String())
		}
		if err := s.Shutdown(t.Context()); err != nil {
			t.Error(err)
		}
	})
}
