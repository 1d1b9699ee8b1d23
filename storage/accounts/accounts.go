// Package accounts keeps the users of a database: names, roles and verifiers of passwords.
package accounts

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"parlance/storage/dbfile"
	"parlance/storage/sealed"
	"parlance/storage/verifier"
)

// Role is the role of a user. Each role has the rights of the roles before it.
type Role string

// The roles, weakest first.
const (
	Reader Role = "reader"
	Writer Role = "writer"
	Admin  Role = "admin"
)

// Roles lists the roles, weakest first.
func Roles() []Role { return []Role{Reader, Writer, Admin} }

// Covers reports whether the role has the rights of another one. An unknown role covers nothing.
func (r Role) Covers(other Role) bool {
	have, need := slices.Index(Roles(), r), slices.Index(Roles(), other)
	return need >= 0 && have >= need
}

// ErrLastAdmin is returned by changes that would leave users without an admin.
var ErrLastAdmin = errors.New("no admin would be left")

// User is an account of the database. The password is not stored.
type User struct {
	Name     string    `json:"name"`
	Role     Role      `json:"role"`
	Verifier string    `json:"verifier"` // in the format of package verifier
	Created  time.Time `json:"created"`
}

// check returns an error if a user is invalid.
func (u User) check() error {
	if u.Name == "" {
		return errors.New("a user has no name")
	}
	if !slices.Contains(Roles(), u.Role) {
		return fmt.Errorf("user %s has the role %q", u.Name, u.Role)
	}
	if _, err := verifier.Parse(u.Verifier); err != nil {
		return fmt.Errorf("user %s: %w", u.Name, err)
	}
	return nil
}

// Accounts are the users of a database, and the secret for mock verifiers. They are safe for concurrent use.
type Accounts struct {
	file    *dbfile.File
	changed func() // is called after changes
	mu      sync.RWMutex
	byName  map[string]User // copied on write
	secret  []byte
}

var secretKey = []byte("secret")

// Open reads the accounts of a file. Old files have no bucket of accounts. changed is called after each change.
func Open(f *dbfile.File, changed func()) (*Accounts, error) {
	a := &Accounts{file: f, changed: changed, byName: map[string]User{}}
	err := f.View(func(tx *sealed.Tx) error {
		a.secret = append(a.secret, tx.Bucket(dbfile.Meta).Get(secretKey)...)
		b := tx.Bucket(dbfile.User)
		if b == nil {
			return nil
		}
		return b.ForEach(func(k, v []byte) error {
			var one User
			if err := json.Unmarshal(v, &one); err != nil {
				return fmt.Errorf("%w: user %s", dbfile.ErrCorrupt, k)
			}
			a.byName[one.Name] = one
			return nil
		})
	})
	if len(a.secret) == 0 { // no user was created yet; this secret lasts until Close
		a.secret = newSecret()
	}
	return a, err
}

func newSecret() []byte {
	out := make([]byte, 32)
	rand.Read(out) // never returns an error
	return out
}

// User returns the account of the name.
func (a *Accounts) User(name string) (User, bool) {
	a.mu.RLock()
	defer a.mu.RUnlock()
	u, ok := a.byName[name]
	return u, ok
}

// Users returns all accounts by name.
func (a *Accounts) Users() []User {
	a.mu.RLock()
	defer a.mu.RUnlock()
	return slices.SortedFunc(maps.Values(a.byName), func(a, b User) int { return strings.Compare(a.Name, b.Name) })
}

// HasUsers reports whether there are accounts.
func (a *Accounts) HasUsers() bool {
	a.mu.RLock()
	defer a.mu.RUnlock()
	return len(a.byName) > 0
}

// Verifier returns the verifier of a user; for an unknown user a mock that no password matches, and false.
func (a *Accounts) Verifier(name string) (verifier.Verifier, bool) {
	a.mu.RLock()
	defer a.mu.RUnlock()
	mock := verifier.Mock(a.secret, name) // computed for every name, so that all take the same time
	v, err := verifier.Parse(a.byName[name].Verifier)
	if err != nil {
		return mock, false
	}
	return v, true
}

// CreateUser adds an account; dbfile.ErrExists if the name is taken, ErrLastAdmin if it would be the
// first and no admin.
func (a *Accounts) CreateUser(u User) error {
	u.Created = time.Now().UTC().Truncate(time.Microsecond)
	return a.changeUser(u.Name, func(old *User) (*User, error) {
		if old != nil {
			return nil, fmt.Errorf("user %s %w", u.Name, dbfile.ErrExists)
		}
		return &u, nil
	})
}

// AlterUser changes an account by a function. The name stays.
func (a *Accounts) AlterUser(name string, change func(*User)) error {
	return a.changeUser(name, func(old *User) (*User, error) {
		if old == nil {
			return nil, fmt.Errorf("user %s %w", name, dbfile.ErrNotFound)
		}
		change(old)
		old.Name = name
		return old, nil
	})
}

// DropUser removes an account.
func (a *Accounts) DropUser(name string) error {
	return a.changeUser(name, func(old *User) (*User, error) {
		if old == nil {
			return nil, fmt.Errorf("user %s %w", name, dbfile.ErrNotFound)
		}
		return nil, nil
	})
}

// changeUser replaces one account; nil stands for none. After an error nothing has changed.
func (a *Accounts) changeUser(name string, change func(*User) (*User, error)) error {
	if err := a.replace(name, change); err != nil {
		return err
	}
	a.changed()
	return nil
}

func (a *Accounts) replace(name string, change func(*User) (*User, error)) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	next := maps.Clone(a.byName)
	var old *User
	if u, ok := next[name]; ok {
		old = &u
	}
	u, err := change(old)
	if err != nil {
		return err
	}
	delete(next, name)
	if u != nil {
		if err := u.check(); err != nil {
			return err
		}
		next[name] = *u
	}
	if !withAdmin(next) {
		return ErrLastAdmin
	}
	if err := a.putUser(name, u); err != nil {
		return err
	}
	a.byName = next
	return nil
}

// withAdmin reports whether the accounts can be administered: one of them is an admin, or there are none.
func withAdmin(users map[string]User) bool {
	for _, u := range users {
		if u.Role == Admin {
			return true
		}
	}
	return len(users) == 0
}

// putUser writes or deletes an account. The secret is stored with the first one.
func (a *Accounts) putUser(name string, u *User) error {
	return a.file.Update(func(tx *sealed.Tx) error {
		if err := tx.Bucket(dbfile.Meta).Put(secretKey, a.secret); err != nil {
			return err
		}
		b, err := tx.CreateBucketIfNotExists(dbfile.User)
		if err != nil {
			return err
		}
		if u == nil {
			return b.Delete([]byte(name))
		}
		raw, err := json.Marshal(u)
		if err != nil {
			return err
		}
		return b.Put([]byte(name), raw)
	})
}

// CheckUsers verifies the accounts in the file, and calls say for each fault.
func (a *Accounts) CheckUsers(say func(string, ...any)) error {
	found := map[string]User{}
	err := a.file.View(func(tx *sealed.Tx) error {
		b := tx.Bucket(dbfile.User)
		if b == nil {
			return nil
		}
		return b.ForEach(func(k, v []byte) error {
			var u User
			if err := json.Unmarshal(v, &u); err != nil {
				say("user %s: %v", k, err)
				return nil
			}
			if err := u.check(); err != nil {
				say("%v", err)
			}
			if u.Name != string(k) {
				say("user %s is stored as %s", u.Name, k)
			}
			found[u.Name] = u
			return nil
		})
	})
	if err == nil && !withAdmin(found) {
		say("there are users, but no admin among them")
	}
	return err
}
