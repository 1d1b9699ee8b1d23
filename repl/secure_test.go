package repl

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"log/slog"
	"net"
	"os"
	"strings"
	"syscall"
	"testing"

	"parlance/db"
	"parlance/server"
	"parlance/server/secure/securetest"
)

func certificate(t *testing.T, dir string) (cert, key string) {
	t.Helper()
	k, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return securetest.Files(t, dir, k)
}

// lines is a log that hands out its lines.
type lines chan string

func (l lines) Write(p []byte) (int, error) { l <- string(p); return len(p), nil }

func TestHangupReloads(t *testing.T) {
	dir := t.TempDir()
	cert, key := certificate(t, dir)
	seen := make(lines, 10)
	var opts server.Options
	s, err := (&secureOptions{DataDir: dir, TLSCert: cert, TLSKey: key}).open(&opts, slog.New(slog.NewTextHandler(seen, nil)))
	if err != nil {
		t.Fatal(err)
	}
	defer s.stop()
	if opts.TLS == nil || opts.Files == nil {
		t.Fatal("the options lack something")
	}
	hangup := func(want string) {
		t.Helper()
		if err := syscall.Kill(os.Getpid(), syscall.SIGHUP); err != nil {
			t.Fatal(err)
		}
		if got := <-seen; !strings.Contains(got, want) {
			t.Errorf("logged %s", got)
		}
	}
	certificate(t, dir)
	hangup("was read again")
	if err := os.WriteFile(cert, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	hangup("the old certificate stays in use")
}

func TestWrongSecureFlags(t *testing.T) {
	dir := t.TempDir()
	cert, key := certificate(t, dir)
	for _, o := range []secureOptions{{TLSCert: cert}, {TLSKey: key}, {TLSCert: key, TLSKey: cert}, {TLSCert: "none", TLSKey: key}, {DataDir: "none"}, {DataDir: cert}} {
		if s, err := o.open(&server.Options{}, slog.New(slog.DiscardHandler)); err == nil {
			t.Errorf("%+v is taken", o)
			s.stop()
		}
	}
}

func TestExposedAddresses(t *testing.T) {
	d, err := db.Open("", db.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	var opts server.Options
	cert, key := certificate(t, t.TempDir())
	s, err := (&secureOptions{TLSCert: cert, TLSKey: key}).open(&opts, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer s.stop()
	local, all := &net.TCPAddr{IP: net.IPv6loopback}, &net.TCPAddr{}
	if err := exposed(local, d, nil); err != nil {
		t.Error(err)
	}
	if exposed(all, d, nil) == nil || exposed(all, d, opts.TLS) == nil {
		t.Error("an open server is exposed")
	}
	if _, err := d.Exec(t.Context(), "CREATE USER ann PASSWORD 'a' ROLE admin"); err != nil {
		t.Fatal(err)
	}
	if exposed(all, d, nil) == nil {
		t.Error("a server without encryption is exposed")
	}
	if err := exposed(all, d, opts.TLS); err != nil {
		t.Error(err)
	}
}
