package db_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"parlance/db"
)

// as opens a session of a user.
func as(t testing.TB, d *db.DB, user string) *db.Conn {
	t.Helper()
	c, err := d.ConnAs(user)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func mustExec(t testing.TB, c *db.Conn, statements ...string) {
	t.Helper()
	for _, s := range statements {
		if _, err := c.Exec(context.Background(), s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
}

func withUsers(t testing.TB) *db.DB {
	d := open(t, "")
	mustExec(t, d.Conn(), "CREATE CORPUS docs", "INSERT INTO docs (id, text) VALUES ('a', 'Ann left.')",
		"CREATE USER ann PASSWORD 'a' ROLE admin", "CREATE USER will PASSWORD 'w' ROLE writer",
		"CREATE USER rita PASSWORD 'r'")
	return d
}

// TestRoles runs statements as each role; those that are refused change nothing.
func TestRoles(t *testing.T) {
	d := withUsers(t)
	users := map[string]*db.Conn{"rita": as(t, d, "rita"), "will": as(t, d, "will"), "ann": as(t, d, "ann")}
	file := filepath.Join(t.TempDir(), "out")
	for _, c := range []struct {
		who, statement string // the weakest that may
	}{
		{"rita", "SELECT * FROM docs"},
		{"rita", "EXPLAIN ANALYZE SELECT * FROM docs"},
		{"rita", "SHOW SETTINGS"},
		{"rita", "DESCRIBE docs"},
		{"rita", "SET workers = 1"},
		{"rita", "BEGIN"},
		{"rita", "COMMIT"},
		{"rita", "CHECK CORPUS docs"},
		{"will", "INSERT INTO docs (id, text) VALUES ('b', 'x') ON CONFLICT SKIP"},
		{"will", "UPDATE docs SET text = 'Ann.' WHERE id = 'a'"},
		{"will", "DELETE FROM docs WHERE id = 'none'"},
		{"will", "CREATE GAZETTEER IF NOT EXISTS g"},
		{"will", "DROP GAZETTEER IF EXISTS none"},
		{"will", "CLEAR CACHE"},
		{"will", "COPY docs TO '" + file + "' FORMAT jsonl"},
		{"ann", "CREATE USER IF NOT EXISTS rita PASSWORD 'x'"},
		{"ann", "ALTER USER rita PASSWORD 'r'"},
		{"ann", "DROP USER IF EXISTS none"},
		{"ann", "ALTER SYSTEM SET cache_size = 10"},
		{"ann", "COMPACT"},
		{"ann", "CHECK DATABASE"},
	} {
		allowed := false
		for _, name := range []string{"rita", "will", "ann"} {
			allowed = allowed || name == c.who
			_, err := users[name].Exec(context.Background(), c.statement)
			if allowed && err != nil || !allowed && code(err) != "42501" {
				t.Errorf("%s: %s: %v", name, c.statement, err)
			}
		}
	}
}

func TestRefusalTellsTheRoles(t *testing.T) {
	d := withUsers(t)
	_, err := as(t, d, "rita").Exec(context.Background(), "INSERT INTO docs (id, text) VALUES ('b', 'x')")
	want := "INSERT needs the role writer, rita is a reader (line 1, column 1); an admin can run ALTER USER rita " +
		"ROLE writer"
	if err == nil || err.Error() != want {
		t.Errorf("got %v", err)
	}
	s, err := as(t, d, "will").Prepare("ALTER USER will ROLE admin PASSWORD $1")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Describe(context.Background()); code(err) != "42501" {
		t.Errorf("described: %v", err)
	}
}

func TestOpenSessionsSeeChanges(t *testing.T) {
	d := withUsers(t)
	rita, ann := as(t, d, "rita"), as(t, d, "ann")
	insert := "INSERT INTO docs (id, text) VALUES ('b', 'x')"
	if _, err := rita.Exec(context.Background(), insert); code(err) != "42501" {
		t.Fatal(err)
	}
	mustExec(t, ann, "ALTER USER rita ROLE writer")
	mustExec(t, rita, insert)
	if role, err := rita.Role(); err != nil || role != "writer" {
		t.Errorf("rita is a %s, %v", role, err)
	}
	mustExec(t, ann, "DROP USER rita")
	if _, err := rita.Exec(context.Background(), "SELECT 1"); code(err) != "28000" {
		t.Errorf("the session of a dropped user: %v", err)
	}
	if _, err := d.ConnAs("rita"); code(err) != "28000" {
		t.Errorf("a new session of a dropped user: %v", err)
	}
	mustExec(t, ann, "CREATE USER rita PASSWORD 'another'")
	if _, err := rita.Exec(context.Background(), "SELECT 1"); code(err) != "28000" {
		t.Errorf("the session of a dropped user after another of the name was made: %v", err)
	}
	mustExec(t, as(t, d, "rita"), "SELECT 1")
}

func TestDatabaseWithoutUsers(t *testing.T) {
	d := open(t, "")
	c, err := d.ConnAs("anybody")
	if err != nil || d.HasUsers() || len(d.Users()) != 0 || c.User() != "anybody" {
		t.Fatal(err)
	}
	other := d.Guest("anybody")
	mustExec(t, c, "CREATE CORPUS docs", "CREATE USER anybody PASSWORD 'a' ROLE admin", "SELECT 1")
	if _, err := other.Exec(context.Background(), "SELECT 1"); code(err) != "28000" {
		t.Errorf("a session that proved nothing goes on: %v", err)
	}
	if u := d.Users(); len(u) != 1 || u[0].Name != "anybody" || u[0].Role != "admin" || u[0].Created.IsZero() {
		t.Errorf("users: %v", u)
	}
}

func TestUsersAreShownToAdmins(t *testing.T) {
	d := withUsers(t)
	for user, want := range map[string]string{"ann": "ann rita will", "will": "will", "rita": "rita"} {
		rows, err := as(t, d, user).Query(context.Background(), "SELECT string_agg(name, ' ') FROM system.users")
		if err != nil {
			t.Fatal(err)
		}
		var got string
		if !rows.Next() || rows.Scan(&got) != nil || got != want {
			t.Errorf("%s sees %s", user, got)
		}
		if err := rows.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestVerifiers(t *testing.T) {
	d := withUsers(t)
	known, ok := d.Verifier("rita")
	mock, unknown := d.Verifier("eve")
	again, _ := d.Verifier("eve")
	if !ok || unknown || !cmp.Equal(mock, again) || cmp.Equal(mock.Salt, known.Salt) ||
		mock.Iterations != known.Iterations || len(mock.Salt) != len(known.Salt) {
		t.Errorf("verifiers %v %v", known, mock)
	}
	c := d.Conn()
	if _, err := c.Exec(context.Background(), "ALTER USER rita PASSWORD $1", "new"); err != nil {
		t.Fatal(err)
	}
	if now, _ := d.Verifier("rita"); cmp.Equal(now, known) {
		t.Error("the password is the old one")
	}
}

func TestPasswordParameter(t *testing.T) {
	d := open(t, "")
	s, err := d.Conn().Prepare("CREATE USER ann ROLE admin PASSWORD $2")
	if err != nil {
		t.Fatal(err)
	}
	desc, err := s.Describe(context.Background())
	if err != nil || len(desc.Params) != 2 || desc.Params[1].Type.String() != "text" || !s.Secret() {
		t.Errorf("described as %v, %v", desc, err)
	}
	if got := db.Redact("CREATE USER a PASSWORD 'hush'"); strings.Contains(got, "hush") {
		t.Error(got)
	}
	if _, err := s.Exec(context.Background(), "one", 2); code(err) != "42804" {
		t.Errorf("a number as a password: %v", err)
	}
}
