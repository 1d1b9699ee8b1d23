package server

import (
	"context"
	"errors"
	"net"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"
)

// TestSilentConnections lets clients connect that say nothing, as many as are taken and more: who logs in gets in, the
// oldest of the others give way and are told, sessions stay.
func TestSilentConnections(t *testing.T) {
	d, s, addr := start(t, Options{})
	if err := d.Conn().Script(context.Background(),
		"ALTER SYSTEM SET reserved_connections = 1; ALTER SYSTEM SET max_connections = 2", nil); err != nil {
		t.Fatal(err)
	}
	before := loginRaw(t, addr)
	first := dialRaw(t, addr)
	eventually(t, "the first one waits", func() bool { return s.connections() == 2 })
	var silent []net.Conn
	defer func() {
		for _, c := range silent {
			c.Close()
		}
	}()
	for range leastUnknown + 8 {
		c, err := net.Dial("tcp", addr)
		if errors.Is(err, syscall.EMFILE) {
			t.Skip("too few files may be open")
		}
		if err != nil {
			t.Fatal(err)
		}
		silent = append(silent, c)
	}
	if got := first.until(""); got != "FATAL_53300" {
		t.Error(got)
	}
	c, err := pgx.Connect(context.Background(), "postgres://admin@"+addr+"/parlance?sslmode=disable")
	if err != nil {
		t.Fatal("an administrator is shut out: ", err)
	}
	c.Close(context.Background())
	if got := before.query("SELECT 1"); got != "(column) 1 SELECT_1 I" {
		t.Error(got)
	}
	eventually(t, "the others are bounded", func() bool { return s.connections() <= leastUnknown+2 })
}
