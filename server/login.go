package server

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"

	"parlance/db"
	"parlance/server/auth"
	"parlance/server/secure"

	"github.com/jackc/pgx/v5/pgproto3"
)

// encrypt answers a request for TLS.
func (c *conn) encrypt(ctx context.Context) (bool, error) {
	conf := c.srv.o.TLS
	if conf == nil {
		_, err := c.w.net.Write([]byte{'N'})
		return false, err
	}
	if !c.w.idle() {
		return false, fatalf("08P01", "data follows the request for encryption unencrypted")
	}
	if _, err := c.w.net.Write([]byte{'S'}); err != nil {
		return false, err
	}
	t, binding, err := secure.Handshake(ctx, c.w.net, conf)
	var record tls.RecordHeaderError
	switch {
	case errors.As(err, &record):
		return false, fatalf("08P01", "the client asked for encryption and sends none")
	case err != nil:
		return false, fmt.Errorf("TLS: %w", err)
	}
	c.tls, c.w.net, c.binding = t, t, binding
	return true, nil
}

// authenticate asks for a password where the database has users, and makes the session. A failed
// login is answered after a delay.
func (c *conn) authenticate(ctx context.Context) error {
	near := c.srv.o.Insecure || secure.Loopback(c.w.net.RemoteAddr())
	if c.tls == nil && c.srv.o.TLS != nil && !near {
		return fatal{&db.Error{Code: "28000", Message: "this server wants encrypted connections",
			Hint: "sslmode=require, or better verify-full"}}
	}
	if !c.srv.d.HasUsers() {
		if !near { // the last user may have gone since the start
			return fatal{&db.Error{Code: "28000",
				Message: "the database has no users, so only programs on its machine may connect"}}
		}
		c.db = c.srv.d.Guest(c.user).Wire()
		return nil
	}
	if err := c.checkPassword(ctx); err != nil {
		return err
	}
	own, err := c.srv.d.ConnAs(c.user)
	if err == nil {
		c.db = own.Wire()
	}
	return err
}

// checkPassword asks for the password and checks it.
func (c *conn) checkPassword(ctx context.Context) error {
	login, err := c.srv.throttle.Login(address(c.w.net.RemoteAddr()), c.user)
	if err == nil {
		err = auth.Authenticate(link{c}, login, c.srv.d.Verifier, c.binding)
		login.Wait(ctx)
	}
	var e *db.Error
	if errors.As(err, &e) {
		return fatal{e}
	}
	return err
}

// link is a connection as an exchange of SASL sees it.
type link struct{ c *conn }

// Send sends a message at once.
func (l link) Send(m pgproto3.BackendMessage) error {
	l.c.send(m)
	return l.c.flush()
}

// Receive returns the body of the next message, which must be one of SASL.
func (l link) Receive() ([]byte, error) {
	m, err := l.c.w.receive()
	if err != nil {
		return nil, err
	}
	if s, ok := m.(*saslBody); ok {
		return *s, nil
	}
	if _, ok := m.(*pgproto3.Terminate); ok {
		return nil, fatalf("08006", "the client gave up its login")
	}
	return nil, fatalf("08P01", "the message %s cannot come during login", messageName(m))
}

// saslBody is a message of type p as it comes: what it means depends on the exchange.
type saslBody []byte

// Frontend says that clients send it.
func (*saslBody) Frontend() {}

// Decode keeps the body, which is valid until the next message.
func (s *saslBody) Decode(body []byte) error {
	*s = body
	return nil
}

// Encode adds the message to dst.
func (s *saslBody) Encode(dst []byte) ([]byte, error) {
	return (&pgproto3.SASLResponse{Data: *s}).Encode(dst)
}
