package secure_test

import (
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/sha512"
	"crypto/tls"
	"errors"
	"net"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"parlance/server/secure"
	"parlance/server/secure/securetest"
)

func ecKey(t testing.TB, curve elliptic.Curve) crypto.Signer {
	t.Helper()
	k, err := ecdsa.GenerateKey(curve, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// shake connects a client to a server of the configuration and returns the certificate that the
// client saw and the binding of the server.
func shake(t testing.TB, server, client *tls.Config) (raw, binding []byte, err error) {
	t.Helper()
	a, b := net.Pipe()
	defer a.Close()
	defer b.Close()
	done := make(chan error, 1)
	c := tls.Client(a, client)
	go func() { done <- c.Handshake() }()
	conn, binding, err := secure.Handshake(context.Background(), b, server)
	if err != nil {
		b.Close()
		<-done
		return nil, nil, err
	}
	if conn.ConnectionState().Version < tls.VersionTLS12 {
		t.Error("an old version of TLS")
	}
	if err := <-done; err != nil {
		return nil, nil, err
	}
	return c.ConnectionState().PeerCertificates[0].Raw, binding, nil
}

var trusting = &tls.Config{InsecureSkipVerify: true}

// TestBindings compares the binding with the hashes that RFC 5929 asks for.
func TestBindings(t *testing.T) {
	rsaKey, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	_, edKey, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	sum256 := func(b []byte) []byte { s := sha256.Sum256(b); return s[:] }
	sum384 := func(b []byte) []byte { s := sha512.Sum384(b); return s[:] }
	for name, c := range map[string]struct {
		key  crypto.Signer
		want func([]byte) []byte
	}{
		"rsa":     {rsaKey, sum256},
		"p256":    {ecKey(t, elliptic.P256()), sum256},
		"p384":    {ecKey(t, elliptic.P384()), sum384},
		"ed25519": {edKey, func([]byte) []byte { return nil }},
	} {
		t.Run(name, func(t *testing.T) {
			cert, err := secure.Load(securetest.Files(t, t.TempDir(), c.key))
			if err != nil {
				t.Fatal(err)
			}
			raw, binding, err := shake(t, cert.Config(), trusting)
			if err != nil || !cmp.Equal(binding, c.want(raw)) {
				t.Errorf("binding %x, %v", binding, err)
			}
			now, err := cert.Config().GetCertificate(nil)
			if err != nil {
				t.Fatal(err)
			}
			static := &tls.Config{Certificates: []tls.Certificate{*now}}
			if _, again, err := shake(t, static, &tls.Config{InsecureSkipVerify: true, ServerName: "localhost"}); err != nil ||
				!cmp.Equal(binding, again) {
				t.Errorf("with a fixed certificate %x, %v", again, err)
			}
		})
	}
}

// TestBindingsNeedTheCertificate checks that the server knows which certificate it has shown, however its configuration
// came by it, so that clients can insist on channel binding.
func TestBindingsNeedTheCertificate(t *testing.T) {
	loaded, err := secure.Load(securetest.Files(t, t.TempDir(), ecKey(t, elliptic.P256())))
	if err != nil {
		t.Fatal(err)
	}
	cert, err := loaded.Config().GetCertificate(nil)
	if err != nil {
		t.Fatal(err)
	}
	fixed := []tls.Certificate{*cert}
	none := func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return nil, nil }
	for _, c := range []struct {
		name           string
		server, client *tls.Config
	}{
		{"fixed, to a client that names no host", &tls.Config{Certificates: fixed}, trusting},
		{"fixed, as nothing is got", &tls.Config{Certificates: fixed, GetCertificate: none}, trusting},
	} {
		raw, binding, err := shake(t, c.server, c.client)
		want := sha256.Sum256(raw)
		if err != nil || !cmp.Equal(binding, want[:]) {
			t.Errorf("%s: binding %x, %v", c.name, binding, err)
		}
	}
	bare := tls.Certificate{Certificate: cert.Certificate, PrivateKey: cert.PrivateKey} // not parsed
	if _, binding, err := shake(t, &tls.Config{Certificates: []tls.Certificate{bare}}, trusting); err != nil ||
		binding != nil {
		t.Errorf("a certificate that was not parsed: binding %x, %v", binding, err)
	}
	if _, _, err := shake(t, &tls.Config{GetCertificate: none}, trusting); err == nil {
		t.Error("a server without a certificate")
	}
	failing := &tls.Config{Certificates: fixed,
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return nil, errors.New("no") }}
	if _, _, err := shake(t, failing, trusting); err == nil {
		t.Error("a server whose certificate cannot be got shows another")
	}
}

// TestNoResumption has a client that keeps sessions meet a server whose configuration has keys for tickets: each
// connection is a whole handshake, which shows the certificate that a login is bound to.
func TestNoResumption(t *testing.T) {
	cert, err := secure.Load(securetest.Files(t, t.TempDir(), ecKey(t, elliptic.P256())))
	if err != nil {
		t.Fatal(err)
	}
	config := cert.Config()
	config.SetSessionTicketKeys([][32]byte{{1}})
	for _, version := range []uint16{tls.VersionTLS12, tls.VersionTLS13} {
		client := &tls.Config{InsecureSkipVerify: true, ServerName: "localhost", MaxVersion: version,
			ClientSessionCache: tls.NewLRUClientSessionCache(1)}
		for range 2 {
			state, binding := meet(t, config, client)
			want := sha256.Sum256(state.PeerCertificates[0].Raw)
			if state.Version != version || state.DidResume || !cmp.Equal(binding, want[:]) {
				t.Errorf("%s: resumed %v, binding %x", tls.VersionName(state.Version), state.DidResume, binding)
			}
		}
	}
}

// meet has a client read a byte of a server over TCP, where neither waits for the other's tickets, and returns what the
// client knows of the connection and the binding of the server.
func meet(t testing.TB, server, client *tls.Config) (tls.ConnectionState, []byte) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	bindings := make(chan []byte, 1)
	go func() {
		defer close(bindings)
		conn, err := l.Accept()
		if err != nil {
			return
		}
		defer conn.Close()
		if c, binding, err := secure.Handshake(t.Context(), conn, server); err == nil {
			bindings <- binding
			_, _ = c.Write([]byte{1})
		}
	}()
	c, err := tls.Dial("tcp", l.Addr().String(), client)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := c.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	return c.ConnectionState(), <-bindings
}

func TestReload(t *testing.T) {
	dir := t.TempDir()
	certFile, keyFile := securetest.Files(t, dir, ecKey(t, elliptic.P256()))
	cert, err := secure.Load(certFile, keyFile)
	if err != nil {
		t.Fatal(err)
	}
	if left := time.Until(cert.Expires()); left <= 0 || left > time.Hour {
		t.Errorf("the certificate, made for an hour, expires in %v", left)
	}
	conf := cert.Config()
	first, _, err := shake(t, conf, trusting)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(certFile, []byte("nonsense"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := cert.Reload(); err == nil || !strings.Contains(err.Error(), "the old certificate stays in use") ||
		!strings.Contains(err.Error(), certFile) {
		t.Errorf("reloading nonsense: %v", err)
	}
	if same, _, err := shake(t, conf, trusting); err != nil || !cmp.Equal(first, same) {
		t.Errorf("the certificate after a failed reload: %v", err)
	}
	securetest.Files(t, dir, ecKey(t, elliptic.P256()))
	if err := cert.Reload(); err != nil {
		t.Fatal(err)
	}
	if other, _, err := shake(t, conf, trusting); err != nil || cmp.Equal(first, other) {
		t.Errorf("the certificate after a reload: %v", err)
	}
}

func TestFaults(t *testing.T) {
	dir, other := t.TempDir(), t.TempDir()
	certFile, keyFile := securetest.Files(t, dir, ecKey(t, elliptic.P256()))
	_, stranger := securetest.Files(t, other, ecKey(t, elliptic.P256()))
	for _, c := range [][2]string{{"none", keyFile}, {certFile, "none"}, {certFile, stranger}, {keyFile, certFile}} {
		if cert, err := secure.Load(c[0], c[1]); err == nil || cert != nil || strings.Contains(err.Error(), "stays in use") {
			t.Errorf("%v as a certificate: %v", c, err)
		}
	}
	cert, err := secure.Load(certFile, keyFile)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := shake(t, cert.Config(), &tls.Config{InsecureSkipVerify: true, MinVersion: tls.VersionTLS10,
		MaxVersion: tls.VersionTLS11}); err == nil {
		t.Error("TLS 1.1 is spoken")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	a, b := net.Pipe()
	defer a.Close()
	defer b.Close()
	if _, _, err := secure.Handshake(ctx, b, cert.Config()); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled handshake: %v", err)
	}
}

func TestLoopback(t *testing.T) {
	for addr, want := range map[net.Addr]bool{
		&net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)}:   true,
		&net.TCPAddr{IP: net.IPv4(127, 1, 2, 3)}:   true,
		&net.TCPAddr{IP: net.IPv6loopback}:         true,
		&net.TCPAddr{IP: net.IPv4zero}:             false,
		&net.TCPAddr{}:                             false,
		&net.TCPAddr{IP: net.IPv4(192, 168, 0, 1)}: false,
		&net.UnixAddr{Net: "unix", Name: "/tmp/x"}: true,
		&net.IPAddr{IP: net.IPv4(127, 0, 0, 1)}:    false,
	} {
		if secure.Loopback(addr) != want {
			t.Errorf("%s", addr)
		}
	}
}

// TestSuites offers each cipher suite of TLS 1.2 alone: those with CBC, and those whose key is not ephemeral, are
// refused.
func TestSuites(t *testing.T) {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	certFile, keyFile := securetest.Files(t, t.TempDir(), key)
	cert, err := secure.Load(certFile, keyFile)
	if err != nil {
		t.Fatal(err)
	}
	taken := 0
	for _, s := range append(tls.CipherSuites(), tls.InsecureCipherSuites()...) {
		if !slices.Contains(s.SupportedVersions, tls.VersionTLS12) || strings.Contains(s.Name, "_ECDSA_") {
			continue // of TLS 1.3, or not for this key
		}
		want := strings.HasPrefix(s.Name, "TLS_ECDHE_") && (strings.Contains(s.Name, "_GCM_") ||
			strings.Contains(s.Name, "_POLY1305"))
		client, server := net.Pipe()
		done := make(chan error, 1)
		go func() {
			c, _, err := secure.Handshake(t.Context(), server, cert.Config())
			if err == nil {
				err = c.Close()
			}
			server.Close()
			done <- err
		}()
		err := tls.Client(client, &tls.Config{InsecureSkipVerify: true, MaxVersion: tls.VersionTLS12,
			CipherSuites: []uint16{s.ID}}).HandshakeContext(t.Context())
		client.Close()
		if <-done; (err == nil) != want {
			t.Errorf("%s: %v, wanted %t", s.Name, err, want)
		}
		if want {
			taken++
		}
	}
	if taken < 3 {
		t.Errorf("%d suites were taken", taken)
	}
}
