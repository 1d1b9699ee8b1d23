package secure

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"net"

	"github.com/xdg-go/scram"
)

// Handshake encrypts a connection as its server, with a configuration that has a certificate.
// It returns what binds a login to the connection, tls-server-end-point of RFC 5929, or nil for
// a certificate of which that is not defined.
func Handshake(ctx context.Context, conn net.Conn, config *tls.Config) (*tls.Conn, []byte, error) {
	var used *tls.Certificate // the one in force may change while the connection lives
	own := config.Clone()
	own.SessionTicketsDisabled = true // a session that is resumed shows no certificate
	own.Certificates = nil            // or GetCertificate is not always asked
	own.GetCertificate = func(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
		if config.GetCertificate != nil {
			c, err := config.GetCertificate(hello)
			if c != nil || err != nil {
				used = c
				return c, err
			}
		}
		if len(config.Certificates) > 0 {
			used = &config.Certificates[0]
		}
		return used, nil
	}
	t := tls.Server(conn, own)
	if err := t.HandshakeContext(ctx); err != nil {
		return nil, nil, err
	}
	return t, endPoint(used), nil
}

// endPoint is the hash of a certificate by its own signature's hash, at least SHA-256.
func endPoint(c *tls.Certificate) []byte {
	if c == nil || c.Leaf == nil {
		return nil
	}
	b, err := scram.NewTLSServerEndpointBinding(&tls.ConnectionState{PeerCertificates: []*x509.Certificate{c.Leaf}})
	if err != nil { // Ed25519 has no hash
		return nil
	}
	return b.Data
}

// Loopback reports whether only programs on this machine reach a listener at the address.
func Loopback(a net.Addr) bool {
	switch a := a.(type) {
	case *net.TCPAddr:
		return a.IP.IsLoopback()
	case *net.UnixAddr:
		return true
	}
	return false
}
