package server

import (
	"context"
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
			c.srv.interrupt(m.ProcessID, binaryKey(m.SecretKey))
			return false, nil
		case *pgproto3.StartupMessage:
			return true, c.login(ctx, m)
		}
	}
}

// binaryKey is the secret of a CancelRequest as a number; 0 if it has not four bytes.
func binaryKey(b []byte) uint32 {
	if len(b) != 4 {
		return 0
	}
	return uint32(b[0])<<24 | uint32(b[1])<<16 | uint32(b[2])<<8 | uint32(b[3])
}

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
	if m.Parameters["replication"] != "" && m.Parameters["replication"] != "false" {
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
	c.send(&pgproto3.BackendKeyData{ProcessID: c.id, SecretKey: []byte{byte(c.secret >> 24), byte(c.secret >> 16), byte(c.secret >> 8), byte(c.secret)}})
	return nil
}

// open prepares the session of the client.
func (c *conn) open() {
	c.w.max = c.srv.limits().MaxMessageBytes
	c.db.Interleave()
	c.db.Files(c.srv.o.Files)
	c.db.OnNotice(c.notice)
	c.db.OnDeallocate(c.deallocate)
	c.db.OnUnwind(c.unwind)
	c.db.OnProgress(c.progress())
}

// negotiate answers a newer minor version and options of the protocol that are not known.
func (c *conn) negotiate(m *pgproto3.StartupMessage) {
	var unknown []string
	for name := range m.Parameters {
		if strings.HasPrefix(name, "_pq_.") {
			unknown = append(unknown, name)
		}
	}
	if m.ProtocolVersion > pgproto3.ProtocolVersion30 || len(unknown) > 0 {
		c.send(&pgproto3.NegotiateProtocolVersion{NewestMinorProtocol: pgproto3.ProtocolVersion30, UnrecognizedOptions: unknown})
	}
}
