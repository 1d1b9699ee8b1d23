package accounts

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"parlance/storage/dbfile"
	"parlance/storage/verifier"
)

// store is a file with its accounts.
type store struct {
	*dbfile.File
	*Accounts
	changes int
}

func opened(t testing.TB, path string) *store {
	t.Helper()
	s := &store{}
	var err error
	s.File, err = dbfile.Open(path, dbfile.Options{}, func(f *dbfile.File) (err error) {
		s.Accounts, err = Open(f, func() { s.changes++ })
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func open(t testing.TB) *store { return opened(t, filepath.Join(t.TempDir(), "test.parlance")) }

func reopen(t testing.TB, s *store) *store {
	t.Helper()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return opened(t, s.Path())
}

func checked(t testing.TB, s *store) {
	t.Helper()
	if err := s.CheckUsers(t.Errorf); err != nil {
		t.Error(err)
	}
}

// account makes a user whose password is the name.
func account(t testing.TB, s *store, name string, role Role) {
	t.Helper()
	v, err := verifier.New(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.CreateUser(User{Name: name, Role: role, Verifier: v.String()}); err != nil {
		t.Fatal(err)
	}
}

func TestRolesCover(t *testing.T) {
	for i, a := range Roles() {
		for k, b := range Roles() {
			if a.Covers(b) != (i >= k) {
				t.Errorf("%s covers %s", a, b)
			}
		}
		if Role("").Covers(a) || a.Covers("") {
			t.Errorf("the empty role and %s", a)
		}
	}
}

func TestUsersLast(t *testing.T) {
	s := open(t)
	if s.HasUsers() {
		t.Fatal("a new database has users")
	}
	account(t, s, "ann", Admin)
	account(t, s, "bob", Reader)
	if s.changes != 2 {
		t.Errorf("%d changes are told", s.changes)
	}
	if err := s.AlterUser("bob", func(u *User) { u.Role = Writer }); err != nil {
		t.Fatal(err)
	}
	mock, known := s.Verifier("eve")
	if _, ok := s.Verifier("bob"); !ok || known {
		t.Error("bob has no verifier, or eve has one")
	}
	want := s.Users()
	s = reopen(t, s)
	if d := cmp.Diff(want, s.Users()); d != "" {
		t.Error(d)
	}
	if again, _ := s.Verifier("eve"); !cmp.Equal(mock, again) {
		t.Error("the mock of an unknown user has changed")
	}
	if u, ok := s.User("bob"); !ok || u.Role != Writer {
		t.Errorf("bob is %v", u)
	}
	if err := s.DropUser("bob"); err != nil {
		t.Fatal(err)
	}
	if _, ok := s.User("bob"); ok || len(s.Users()) != 1 {
		t.Error("bob is still there")
	}
	checked(t, s)
}

func TestAnAdminStays(t *testing.T) {
	s := open(t)
	v := verifier.Mock(nil, "x").String()
	if err := s.CreateUser(User{Name: "bob", Role: Writer, Verifier: v}); !errors.Is(err, ErrLastAdmin) {
		t.Errorf("the first user is no admin: %v", err)
	}
	account(t, s, "ann", Admin)
	demote := func(u *User) { u.Role = Reader }
	if err := s.AlterUser("ann", demote); !errors.Is(err, ErrLastAdmin) {
		t.Errorf("the only user became a reader: %v", err)
	}
	account(t, s, "bob", Writer)
	before := s.Users()
	for _, err := range []error{s.DropUser("ann"), s.AlterUser("ann", demote)} {
		if !errors.Is(err, ErrLastAdmin) {
			t.Error(err)
		}
	}
	for _, err := range []error{s.CreateUser(User{Name: "cy", Role: "king", Verifier: v}),
		s.CreateUser(User{Name: "cy", Role: Reader, Verifier: "cy"}), s.CreateUser(User{Role: Reader, Verifier: v})} {
		if err == nil {
			t.Error("a wrong user was made")
		}
	}
	if d := cmp.Diff(before, reopen(t, s).Users()); d != "" {
		t.Error(d)
	}
}

func TestErrorsOfUsers(t *testing.T) {
	s := open(t)
	account(t, s, "ann", Admin)
	if err := s.CreateUser(User{Name: "ann", Role: Admin}); !errors.Is(err, dbfile.ErrExists) {
		t.Error(err)
	}
	for _, err := range []error{s.DropUser("bob"), s.AlterUser("bob", func(*User) {})} {
		if !errors.Is(err, dbfile.ErrNotFound) {
			t.Error(err)
		}
	}
	if err := s.DropUser("ann"); err != nil {
		t.Errorf("the last user of all cannot go: %v", err)
	}
}

func TestPasswordsAreNotInTheFile(t *testing.T) {
	s := open(t)
	account(t, s, "correct horse battery", Admin)
	if err := s.AlterUser("correct horse battery", func(u *User) { u.Name = "other" }); err != nil {
		t.Fatal(err)
	}
	v, err := verifier.New("unguessable staple")
	if err != nil {
		t.Fatal(err)
	}
	if err := s.AlterUser("correct horse battery", func(u *User) { u.Verifier = v.String() }); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(s.Path())
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(raw, []byte("unguessable")) || !bytes.Contains(raw, []byte("correct horse")) {
		t.Error("the file holds the password, or lacks the name")
	}
}
