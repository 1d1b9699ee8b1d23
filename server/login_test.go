package server

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"database/sql"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/lib/pq"

	"parlance/db"
	"parlance/server/secure"
	"parlance/server/secure/securetest"
)

// certified makes a certificate and returns a configuration with it, and its file.
func certified(t testing.TB) (conf *tls.Config, certFile string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	certFile, keyFile := securetest.Files(t, t.TempDir(), key)
	cert, err := secure.Load(certFile, keyFile)
	if err != nil {
		t.Fatal(err)
	}
	return cert.Config(), certFile
}

// startSecure serves a database with users over TLS and returns the file of its certificate.
func startSecure(t testing.TB) (d *db.DB, addr, certFile string) {
	t.Helper()
	conf, certFile := certified(t)
	d, _, addr = start(t, Options{TLS: conf})
	for _, s := range []string{"CREATE USER ann PASSWORD 'pass word' ROLE admin", "CREATE USER rita PASSWORD 'Ⅸ·é'"} {
		if _, err := d.Exec(context.Background(), s); err != nil {
			t.Fatal(err)
		}
	}
	return d, addr, certFile
}

// clientOf is a way to connect and to ask who one is.
type clientOf func(addr, cert, user, password, binding string) (string, error)

var clients = map[string]clientOf{
	"pgx": func(addr, cert, user, password, binding string) (string, error) {
		return viaPgx(
			fmt.Sprintf("host=127.0.0.1 port=%s user=%s password='%s' sslmode=verify-full sslrootcert=%s channel_binding=%s",
				port(addr), user, password, cert, binding))
	},
	"pgx without encryption": func(addr, _, user, password, _ string) (string, error) {
		return viaPgx(fmt.Sprintf("host=127.0.0.1 port=%s user=%s password='%s' sslmode=disable", port(addr), user, password))
	},
	"pq": func(addr, cert, user, password, _ string) (string, error) {
		return viaPq(fmt.Sprintf("host=127.0.0.1 port=%s user=%s password='%s' sslmode=verify-full sslrootcert=%s dbname=x",
			port(addr), user, password, cert))
	},
	"psql": func(addr, cert, user, password, binding string) (string, error) {
		return viaPsql(addr, password, "user="+user+" sslmode=verify-full sslrootcert="+cert+" channel_binding="+binding)
	},
}

func port(addr string) string {
	_, p, _ := net.SplitHostPort(addr)
	return p
}

// whoami is the role of a user, whom only an admin sees more of.
const whoami = "SELECT string_agg(name, ',') FROM system.users"

func viaPgx(conn string) (who string, err error) {
	c, err := pgx.Connect(context.Background(), conn)
	if err != nil {
		return "", err
	}
	err = c.QueryRow(context.Background(), whoami).Scan(&who)
	return who, errors.Join(err, c.Close(context.Background()))
}

func viaPq(conn string) (who string, err error) {
	d, err := sql.Open("postgres", conn)
	if err != nil {
		return "", err
	}
	err = d.QueryRow(whoami).Scan(&who)
	return who, errors.Join(err, d.Close())
}

func viaPsql(addr, password, conn string) (string, error) {
	cmd := exec.Command("psql", "-X", "-At", "-c", whoami, "host=127.0.0.1 port="+port(addr)+" dbname=x "+conn)
	cmd.Env = append(os.Environ(), "PGPASSWORD="+password)
	out, err := cmd.CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%w: %s", err, out)
	}
	return strings.TrimSpace(string(out)), err
}

func TestClientsLogIn(t *testing.T) {
	for name, client := range clients {
		t.Run(name, func(t *testing.T) {
			t.Parallel() // a server each, or the wrong logins of one delay those of another
			_, addr, cert := startSecure(t)
			if _, err := exec.LookPath("psql"); name == "psql" && err != nil {
				t.Skip("psql is not installed")
			}
			for _, binding := range []string{"require", "prefer", "disable"} {
				if who, err := client(addr, cert, "ann", "pass word", binding); err != nil || who != "ann,rita" {
					t.Errorf("ann with binding %s: %q, %v", binding, who, err)
				}
				if who, err := client(addr, cert, "rita", "IX·é", binding); err != nil || who != "rita" { // as SASLprep has it
					t.Errorf("rita with binding %s: %q, %v", binding, who, err)
				}
			}
			for _, c := range [][2]string{{"ann", "password"}, {"eve", "x"}} {
				if who, err := client(addr, cert, c[0], c[1], "prefer"); err == nil || !wrongPassword(err, c[0]) {
					t.Errorf("%s logs in as %q with %q: %v", c[0], who, c[1], err)
				}
			}
		})
	}
}

// wrongPassword reports whether the client was told that the password of a user is wrong.
func wrongPassword(err error, user string) bool {
	text := `password authentication failed for user "` + user + `"`
	var g *pgconn.PgError
	var q *pq.Error
	switch {
	case errors.As(err, &g):
		return g.Code == "28P01" && g.Message == text
	case errors.As(err, &q):
		return q.Code == "28P01" && q.Message == text
	}
	return strings.Contains(err.Error(), text)
}

// TestBindingNeedsEncryption asks for a bound login where there can be none.
func TestBindingNeedsEncryption(t *testing.T) {
	d, _, addr := start(t, Options{})
	if _, err := d.Exec(context.Background(), "CREATE USER ann PASSWORD 'a' ROLE admin"); err != nil {
		t.Fatal(err)
	}
	conn := "host=127.0.0.1 port=" + port(addr) + " user=ann password=a sslmode=disable channel_binding="
	if _, err := viaPgx(conn + "require"); err == nil {
		t.Error("pgx is content without binding")
	}
	if who, err := viaPgx(conn + "prefer"); err != nil || who != "ann" {
		t.Error(who, err)
	}
}

// TestRolesOverTheWire uses a session while its account changes.
func TestRolesOverTheWire(t *testing.T) {
	d, addr, _ := startSecure(t)
	ctx := context.Background()
	c, err := pgx.Connect(ctx, "host=127.0.0.1 port="+port(addr)+" user=rita password='IX·é' sslmode=require")
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close(ctx)
	sqlstate := func(err error) string {
		var g *pgconn.PgError
		if errors.As(err, &g) {
			return g.Code
		}
		return fmt.Sprint(err)
	}
	for _, step := range []struct{ admin, statement, want string }{
		{"", "CREATE CORPUS docs", "42501"},
		{"ALTER USER rita ROLE writer", "CREATE CORPUS docs", "<nil>"},
		{"", "CREATE USER eve PASSWORD 'x'", "42501"},
		{"ALTER USER rita ROLE admin", "CREATE USER eve PASSWORD 'x'", "<nil>"},
		{"DROP USER rita", "SELECT 1", "28000"},
	} {
		if step.admin != "" {
			if _, err := d.Exec(ctx, step.admin); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := c.Exec(ctx, step.statement); sqlstate(err) != step.want {
			t.Errorf("%s: %v, want %s", step.statement, err, step.want)
		}
	}
}

// TestShutdownEndsDelayedLogins stops a server while the answer to a wrong password waits.
func TestShutdownEndsDelayedLogins(t *testing.T) {
	d, s, addr := start(t, Options{})
	if _, err := d.Exec(context.Background(), "CREATE USER ann PASSWORD 'a' ROLE admin"); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	for i := range 20 { // the longest delay
		login, err := s.throttle.Login(fmt.Sprintf("192.0.2.%d:1", i), "ann")
		if err != nil {
			t.Fatal(err)
		}
		if err := login.Try(func() error { return errors.New("wrong") }); err == nil {
			t.Fatal("right")
		}
	}
	go func() {
		_, err := viaPgx("host=127.0.0.1 port=" + port(addr) + " user=ann password=b sslmode=disable")
		done <- err
	}()
	for registered := false; !registered; {
		s.mu.Lock()
		registered = len(s.conns) > 0
		s.mu.Unlock()
	}
	if err := s.Shutdown(cancelled); err != nil && !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	select {
	case err := <-done:
		if err == nil {
			t.Error("logged in with a wrong password")
		}
	case <-time.After(8 * time.Second):
		t.Error("the login outlives the server")
	}
}
