// Package auth authenticates clients: SCRAM-SHA-256 over SASL (RFC 5802,
// RFC 7677), with channel binding on encrypted connections, and delays against guessing of passwords.
package auth

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5/pgproto3"
	"github.com/xdg-go/scram"

	"parlance/db"
)

// The mechanisms, without and with channel binding.
const (
	plain = "SCRAM-SHA-256"
	bound = "SCRAM-SHA-256-PLUS"
)

// Link is the client's end of the exchange.
type Link interface {
	// Send sends a message at once.
	Send(pgproto3.BackendMessage) error
	// Receive returns the body of the next message of type p, valid until the next call.
	Receive() ([]byte, error)
}

// Authenticate authenticates a client by the password of the user. The lookup gives
// a verifier for every name, and false for one that is no user: the exchange is the same, and
// fails. Binding is the hash of the server's certificate (tls-server-end-point, RFC 5929); with
// nil, no channel binding is offered.
//
// The proof of the password is checked by login.Try, which counts a failure before anything is answered.
//
// Errors are those of the link and of login.Try, or a *db.Error: 28P01 for a password that is wrong or a user
// that is unknown, 28000 for a channel that is not the one that was proved, 08P01 for what is
// no SCRAM. After nil, the caller sends AuthenticationOk.
func Authenticate(l Link, login *Login, lookup func(string) (db.Verifier, bool), binding []byte) error {
	user := login.user
	known := false
	server, err := scram.SHA256.NewServer(func(string) (scram.StoredCredentials, error) {
		var v db.Verifier
		v, known = lookup(user) // of the startup message: the name in the exchange does not count
		return credentials(v), nil
	})
	if err != nil {
		return err
	}
	e := &exchange{link: l, login: login, known: &known, talk: server.NewConversation(), offered: []string{plain}}
	if binding != nil {
		e.talk = server.NewConversationWithChannelBinding(scram.ChannelBinding{Type: scram.ChannelBindingTLSServerEndpoint,
			Data: binding})
		e.offered = []string{bound, plain}
	}
	final, err := e.run()
	if err != nil {
		return err
	}
	return l.Send(&pgproto3.AuthenticationSASLFinal{Data: []byte(final)})
}

func credentials(v db.Verifier) scram.StoredCredentials {
	return scram.StoredCredentials{KeyFactors: scram.KeyFactors{Salt: string(v.Salt), Iters: v.Iterations},
		StoredKey: v.StoredKey, ServerKey: v.ServerKey}
}

// exchange is one login.
type exchange struct {
	link    Link
	login   *Login
	known   *bool // the user, once the first message has come
	talk    *scram.ServerConversation
	offered []string
}

// run goes through the exchange and returns the server's last message.
func (e *exchange) run() (string, error) {
	if err := e.link.Send(&pgproto3.AuthenticationSASL{AuthMechanisms: e.offered}); err != nil {
		return "", err
	}
	body, err := e.link.Receive()
	if err != nil {
		return "", err
	}
	first, err := e.first(body)
	if err != nil {
		return "", err
	}
	answer, err := e.talk.Step(first)
	if err != nil {
		return "", e.fault(answer, err)
	}
	if e.talk.AuthzID() != "" {
		return "", refused("0A000", "use the user's own name", "authorization as another user is not supported")
	}
	if err := e.link.Send(&pgproto3.AuthenticationSASLContinue{Data: []byte(answer)}); err != nil {
		return "", err
	}
	if body, err = e.link.Receive(); err != nil {
		return "", err
	}
	var final string
	err = e.login.Try(func() (err error) {
		final, err = e.prove(string(body))
		return err
	})
	return final, err
}

// prove checks the proof of the password and returns the server's last message.
func (e *exchange) prove(proof string) (string, error) {
	final, err := e.talk.Step(proof)
	if err != nil {
		return "", e.fault(final, err)
	}
	if !e.talk.Valid() || !*e.known {
		return "", e.wrong()
	}
	return final, nil
}

// first returns the client's first SCRAM message: it comes after the mechanism and a length.
func (e *exchange) first(body []byte) (string, error) {
	name, rest, _ := bytes.Cut(body, []byte{0})
	if len(rest) < 4 {
		return "", refused("08P01", "", "the first message of SASL is malformed")
	}
	size, text := int32(binary.BigEndian.Uint32(rest)), string(rest[4:])
	mechanism, offered := string(name), false
	for _, m := range e.offered {
		offered = offered || m == mechanism
	}
	switch {
	case !offered:
		return "", refused("28000", "mechanisms: "+strings.Join(e.offered, ", "), "the mechanism %.40q was not offered",
			mechanism)
	case int(size) != len(text):
		return "", refused("08P01", "", "the first message of SASL has %d bytes and claims %d", len(text), size)
	case (mechanism == bound) != strings.HasPrefix(text, "p="):
		return "", refused("28000", "", "%s does not go with this channel binding flag", mechanism)
	}
	return text, nil
}

// fault is the error of a failed exchange. The code of SCRAM says what it was; where there is none,
// the message could not be read.
func (e *exchange) fault(code string, err error) error {
	switch code {
	case scram.ErrInvalidProof:
		return e.wrong()
	case scram.ErrServerDoesSupportChannelBinding:
		return refused("28000", "somebody may have changed what the server offered",
			"the client took the server for one without channel binding")
	case scram.ErrChannelBindingsDontMatch, scram.ErrUnsupportedChannelBindingType, scram.ErrChannelBindingNotSupported:
		return refused("28000", "the connection may go through somebody in between",
			"the channel binding of the client is not that of this connection")
	}
	return refused("08P01", "", "malformed SCRAM message: %v", err)
}

// wrong is the one answer to an unknown user and to a wrong password.
func (e *exchange) wrong() error {
	return refused("28P01", "", "password authentication failed for user %.128q", e.login.user)
}

func refused(code, hint, format string, args ...any) error {
	return &db.Error{Code: code, Message: fmt.Sprintf(format, args...), Hint: hint}
}
