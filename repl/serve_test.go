package repl

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

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
	c := &serveCommand{TLSCert: cert, TLSKey: key}
	loaded, conf, err := c.encryption()
	if err != nil || conf == nil {
		t.Fatal(err)
	}
	seen := make(lines, 10)
	defer (&hangup{loaded, nil, slog.New(slog.NewTextHandler(seen, nil))}).listen()()
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

func TestWrongEncryption(t *testing.T) {
	cert, key := certificate(t, t.TempDir())
	for _, c := range []serveCommand{{TLSCert: cert}, {TLSKey: key}, {TLSCert: key, TLSKey: cert}, {TLSCert: "none",
		TLSKey: key}} {
		if _, _, err := c.encryption(); err == nil {
			t.Errorf("%s with %s is taken", c.TLSCert, c.TLSKey)
		}
	}
}

// TestRefusedServersMakeNoFile starts servers that cannot serve, and looks for the database that they would have made
// and for addresses that they still hold.
func TestRefusedServersMakeNoFile(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := free.Addr().String()
	free.Close()
	data := t.TempDir()
	within := filepath.Join(data, "backups")
	if err := os.Mkdir(within, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]serveCommand{
		"--listen":       {Listen: []string{address, taken.Addr().String()}},
		"--http":         {Listen: []string{address}, Watch: watchOptions{HTTP: taken.Addr().String()}},
		"--tls-key":      {Listen: []string{address}, TLSCert: "alone"},
		"--data-dir":     {Listen: []string{address}, DataDir: "nowhere"},
		"--backup-dir":   {Listen: []string{address}, Backups: "nowhere"},
		"lie within":     {Listen: []string{address}, DataDir: data, Backups: within},
		"within each":    {Listen: []string{address}, DataDir: within, Backups: data},
		"each other":     {Listen: []string{address}, DataDir: data, Backups: data},
		"other machines": {Listen: []string{address, "0.0.0.0:0"}},
		"no such file":   {Listen: []string{address}, ReadOnly: true},
	} {
		c.File, c.Watch.LogFormat = filepath.Join(t.TempDir(), "new.parlance"), "text"
		if c.Watch.HTTP == "" {
			c.Watch.HTTP = "off"
		}
		err := c.Run(t.Context(), &streams{err: io.Discard})
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := os.Stat(c.File); err == nil {
			t.Errorf("%s: there is a file", name)
		}
		l, err := net.Listen("tcp", address)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		l.Close()
	}
}

func TestExposedAddresses(t *testing.T) {
	for _, c := range []struct {
		addr                       net.Addr
		users, encrypted, insecure bool
		refused                    bool
	}{
		{addr: &net.TCPAddr{IP: net.IPv6loopback}},
		{addr: &net.TCPAddr{}, refused: true},
		{addr: &net.TCPAddr{}, users: true, refused: true},
		{addr: &net.TCPAddr{}, encrypted: true, refused: true},
		{addr: &net.TCPAddr{}, users: true, encrypted: true},
		{addr: &net.TCPAddr{}, insecure: true},
	} {
		if err := (&serveCommand{Insecure: c.insecure}).exposed(c.addr, c.users, c.encrypted); (err != nil) != c.refused {
			t.Errorf("%+v: %v", c, err)
		}
	}
}
