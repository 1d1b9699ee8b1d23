package server

import (
	"context"
	"crypto/rand"
	"slices"
	"strings"

	"parlance/storage/value"

	"github.com/jackc/pgx/v5/pgproto3"
)

// startup settles encryption, who the client is, and its settings. It returns false when the
// connection only carried a CancelRequest.
func (c *conn) startup(ctx context.Context) (bool, error) {
	for encrypted := false; ; {
		msg, err := c.w.startup()
		if err != nil {
			return false, err
		}
		switch m := msg.(type) {
		case *pgproto3.SSLRequest:
			if encrypted {
				return false, fatalf("08P01", "encryption is asked for twice")
			}
			if encrypted, err = c.encrypt(ctx); err != nil {
				return false, err
			}
		case *pgproto3.GSSEncRequest:
			if _, err := c.w.net.Write([]byte{'N'}); err != nil {
				return false, err
			}
		case *pgproto3.CancelRequest:
			c.srv.interrupt(m.ProcessID, m.SecretKey)
			return false, nil
		case *pgproto3.StartupMessage:
			return true, c.login(ctx, m)
		}
	}
}

// noReplication are the values of the parameter replication that ask for none.
var noReplication = []string{"", "false", "off", "no", "0"}

// login checks who the client is and prepares its session.
func (c *conn) login(ctx context.Context, m *pgproto3.StartupMessage) error {
	for name, v := range m.Parameters {
		if err := value.CheckText(name + v); err != nil {
			return fatalf("22021", "the startup message: %v", err)
		}
	}
	c.user = m.Parameters["user"]
	if c.user == "" {
		return fatalf("28000", "no user name is given")
	}
	if !slices.Contains(noReplication, strings.ToLower(m.Parameters["replication"])) {
		return fatalf("0A000", "replication is not supported")
	}
	c.negotiate(m)
	if err := c.authenticate(ctx); err != nil {
		return err
	}
	if err := c.admit(); err != nil {
		return err
	}
	c.open()
	if err := c.settle(m); err != nil {
		return err
	}
	c.send(&pgproto3.AuthenticationOk{})
	c.report()
	c.send(&pgproto3.BackendKeyData{ProcessID: c.id, SecretKey: c.secret})
	return nil
}

// open prepares the session of the client.
func (c *conn) open() {
	c.w.max = func() int { return c.srv.limits().MaxMessageBytes }
	c.db.Interleave()
	c.db.Files(c.srv.o.Files)
	c.db.Backups(c.srv.o.Backups)
	c.db.OnNotice(c.notice)
	c.db.OnDeallocate(c.deallocate)
	c.db.OnUnwind(c.unwind)
	c.db.OnProgress(c.progress())
}

// newestProtocol is the newest version that is spoken, of what it brings: longer secrets.
const newestProtocol = pgproto3.ProtocolVersion32

// negotiate settles the version, answers one that is newer and options of the protocol, of which none is known, and
// gives the connection a secret of the length that the version has.
func (c *conn) negotiate(m *pgproto3.StartupMessage) {
	var unknown []string
	for name := range m.Parameters {
		if strings.HasPrefix(name, "_pq_.") {
			unknown = append(unknown, name)
		}
	}
	slices.Sort(unknown)
	version := min(m.ProtocolVersion, newestProtocol)
	if version < m.ProtocolVersion || len(unknown) > 0 {
		c.send(&pgproto3.NegotiateProtocolVersion{NewestMinorProtocol: version, UnrecognizedOptions: unknown})
	}
	length := 4
	if version >= pgproto3.ProtocolVersion32 {
		length = 32
	}
	secret := make([]byte, length)
	_, _ = rand.Read(secret) // never fails
	c.srv.mu.Lock()
	defer c.srv.mu.Unlock()
	c.secret = secret
}
