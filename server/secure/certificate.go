// Package secure encrypts connections by TLS: certificates that can be replaced while the server runs, and channel
// bindings of logins.
package secure

import (
	"crypto/tls"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"
)

// Certificate is a certificate and its key in two files of PEM, which Reload reads again. It is
// safe for concurrent use.
type Certificate struct {
	cert, key string
	now       atomic.Pointer[tls.Certificate]
}

// Load reads a certificate, which intermediate ones may follow, and its key.
func Load(certFile, keyFile string) (*Certificate, error) {
	c := &Certificate{cert: certFile, key: keyFile}
	if err := c.Reload(); err != nil {
		return nil, err
	}
	return c, nil
}

// Reload reads the files again. After an error, the certificate before stays in use; open
// connections keep theirs in any case.
func (c *Certificate) Reload() error {
	fresh, err := tls.LoadX509KeyPair(c.cert, c.key)
	if err != nil {
		err = fmt.Errorf("certificate %s with key %s: %w", c.cert, c.key, err)
		if c.now.Load() != nil {
			err = fmt.Errorf("the old certificate stays in use: %w", err)
		}
		return err
	}
	c.now.Store(&fresh)
	return nil
}

// Expires returns the end of the time for which the certificate is valid.
func (c *Certificate) Expires() time.Time { return c.now.Load().Leaf.NotAfter }

// suites12 are the cipher suites of TLS 1.2: those of crypto/tls with an ephemeral key and authenticated encryption.
// Suites with CBC (Lucky Thirteen, AlFardan and Paterson 2013) are left out. TLS 1.3 has none, and no choice.
func suites12() (ids []uint16) {
	for _, s := range tls.CipherSuites() {
		if slices.Contains(s.SupportedVersions, tls.VersionTLS12) && strings.HasPrefix(s.Name, "TLS_ECDHE_") &&
			!strings.Contains(s.Name, "_CBC_") {
			ids = append(ids, s.ID)
		}
	}
	return ids
}

// Config returns a configuration for servers, of TLS 1.2 without CBC and later.
func (c *Certificate) Config() *tls.Config {
	return &tls.Config{
		MinVersion:     tls.VersionTLS12,
		CipherSuites:   suites12(),
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return c.now.Load(), nil },
	}
}
