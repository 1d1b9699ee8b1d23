package db

import (
	"time"

	"parlance/query/ast"
	"parlance/query/engine"
	"parlance/query/parse"
	"parlance/storage/verifier"
)

// User is an account of the database.
type User struct {
	Name    string
	Role    string // reader, writer or admin
	Created time.Time
}

// Verifier is what proves a password without being it.
type Verifier = verifier.Verifier

// Users returns the accounts by name.
func (d *DB) Users() []User {
	var out []User
	for _, u := range d.file.Load().store.Users() {
		out = append(out, User{u.Name, string(u.Role), u.Created})
	}
	return out
}

// HasUsers reports whether there are accounts.
func (d *DB) HasUsers() bool { return d.file.Load().store.HasUsers() }

// Verifier returns the verifier of a user. For a name that no user has it returns false and a
// verifier that no password fits, always the same for that name, so that a login tells nothing.
func (d *DB) Verifier(user string) (Verifier, bool) { return d.file.Load().store.Verifier(user) }

// ConnAs returns a session of a user who has proved who they are. It may do what the role of the
// user allows, as it is at each statement, until the user is dropped. A user that is not there is
// an error with code 28000; in a database without users, the session is that of a Guest.
func (d *DB) ConnAs(user string) (*Conn, error) {
	if !d.HasUsers() {
		return d.Guest(user), nil
	}
	c := d.Conn()
	if err := d.now().LoginAs(c.ses, user); err != nil {
		return nil, wrap(err)
	}
	return c, nil
}

// Guest returns a session of somebody who has proved nothing. It may do everything as long as
// the database has no users, and nothing afterwards, but for the session that made the first one.
func (d *DB) Guest(user string) *Conn {
	c := d.Conn()
	c.ses.User, c.ses.Login = user, &engine.Login{Guest: true}
	return c
}

// User returns the name of the session's user, empty without one.
func (c *Conn) User() string { return c.ses.User }

// Role returns the role of the session at this moment; code 28000 when its user is gone.
func (c *Conn) Role() (string, error) {
	role, err := c.d.now().Role(c.ses)
	return string(role), wrap(err)
}

// Secret reports whether the statement carries a password, in its text or as an argument.
func (s *Stmt) Secret() bool { return ast.Secret(s.p.stmt) }

// Redact returns a text of statements without the passwords in it, for logs and lists. The text
// may be faulty.
func Redact(text string) string { return parse.Redact(text) }
