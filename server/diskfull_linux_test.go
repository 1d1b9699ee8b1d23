package server

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"parlance/db"

	"github.com/jackc/pgx/v5/pgconn"
)

// disk is a file system of a few MB.
type disk struct {
	dir     string
	ballast string
}

// mount makes a disk, where the tests may.
func mount(t *testing.T, bytes int) disk {
	t.Helper()
	if testing.Short() {
		t.Skip("takes some 20 s: left out by -short")
	}
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, fmt.Sprintf("size=%d", bytes)); err != nil {
		t.Skipf("a file system cannot be mounted here: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, 0); err != nil {
			t.Errorf("unmount: %v", err)
		}
	})
	return disk{dir, filepath.Join(dir, "ballast")}
}

// leave fills the disk up to some bytes.
func (d disk) leave(t *testing.T, room int64) {
	t.Helper()
	d.free(t)
	var st syscall.Statfs_t
	if err := syscall.Statfs(d.dir, &st); err != nil {
		t.Fatal(err)
	}
	n := int64(st.Bavail)*st.Bsize - room
	if n < 0 {
		t.Fatalf("the disk has no %d bytes left", room)
	}
	if err := os.WriteFile(d.ballast, make([]byte, n), 0o600); err != nil {
		t.Fatal(err)
	}
}

func (d disk) free(t *testing.T) {
	t.Helper()
	if err := os.Remove(d.ballast); err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
}

// driver runs statements, and returns the only value of the last one or its tag.
type driver func(statement string) (string, error)

// drivers opens a database on the disk: embedded, and through a server.
func drivers(t *testing.T, k disk) map[string]driver {
	t.Helper()
	t.Setenv("TMPDIR", k.dir)
	folder, err := db.DataDir(k.dir)
	if err != nil {
		t.Fatal(err)
	}
	d, err := db.Open(filepath.Join(k.dir, "a.parlance"), db.Options{})
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := New(d, Options{Files: folder, Backups: folder})
	served := make(chan error, 1)
	go func() { served <- s.Serve(l) }()
	c, err := pgconn.Connect(t.Context(), "postgres://ann@"+l.Addr().String()+"/x?sslmode=disable")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		c.Close(context.Background())
		if err := errors.Join(s.Shutdown(context.Background()), d.Close(), folder.Close()); err != nil {
			t.Error(err)
		}
		<-served
	})
	own := d.Conn()
	own.Files(folder)
	return map[string]driver{"embedded": embedded(own), "server": remote(c)}
}

func embedded(c *db.Conn) driver {
	return func(statement string) (out string, err error) {
		err = c.Script(context.Background(), statement, func(r *db.Rows) error {
			out = r.Tag()
			for r.Next() {
				out = r.Values()[0].String()
			}
			return nil
		})
		return out, err
	}
}

func remote(c *pgconn.PgConn) driver {
	return func(statement string) (string, error) {
		results, err := c.Exec(context.Background(), statement).ReadAll()
		if err != nil || len(results) == 0 {
			return "", err
		}
		r := results[len(results)-1]
		if len(r.Rows) > 0 {
			return string(r.Rows[len(r.Rows)-1][0]), r.Err
		}
		return r.CommandTag.String(), r.Err
	}
}

const (
	mb   = 1 << 20
	full = 64 * mb
)

// fill makes what the statements of the test work on.
func fill(t *testing.T, k disk, run driver) {
	t.Helper()
	var small, big bytes.Buffer
	for i := range 20_000 {
		fmt.Fprintf(&big, "-DOCSTART- O\n\nAnn B-PER\nflew O\nto O\nOslo B-LOC\nin O\n%d O\n\n", i)
		if i < 500 {
			fmt.Fprintf(&small, "-DOCSTART- O\n\nAnn%d B-PER\nflew O\nto O\nOslo%d B-LOC\n\n", i, i)
		}
	}
	for name, b := range map[string][]byte{"small.conll": small.Bytes(), "big.conll": big.Bytes()} {
		if err := os.WriteFile(filepath.Join(k.dir, name), b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := run(`CREATE CORPUS docs; CREATE CORPUS more;
LOAD 'small.conll' INTO docs FORMAT conll WITH (columns = (form, entities));
TRAIN crf AS ner ON docs WITH (iterations = 3); CREATE LEXICON cities (word TEXT, note TEXT); SET work_memory = 1; CLEAR CACHE`); err != nil {
		t.Fatal(err)
	}
}

// attempts are statements that need space, with what undoes them where they succeed.
var attempts = []struct{ name, statement, undo string }{
	{"LOAD", "LOAD 'big.conll' INTO more FORMAT conll WITH (columns = (form, entities))", "DELETE FROM more"},
	{"TRAIN", "TRAIN crf AS ner2 ON docs WITH (iterations = 3, min_count = 1)", "DROP MODEL ner2"},
	{"INSERT", "INSERT INTO cities SELECT 'w' || x, repeat('abcdefghij', 30) FROM generate_series(1, 10000) AS a(x)",
		"DELETE FROM cities"},
	{"ANNOTATE", "ANNOTATE docs USING ner", ""},
	{"BACKUP", "BACKUP TO 'backup.parlance'", ""},
	{"COPY", "COPY (SELECT x, repeat('abc', 100) AS t FROM generate_series(1, 20000) AS a(x)) TO 'out.csv' FORMAT csv",
		""},
	{"sort", "SELECT min(t) FROM (SELECT x, repeat('abc', 60) AS t FROM generate_series(1, 200000) AS a(x) ORDER BY x * " +
		"7919 % 200003 LIMIT 150000) AS s", ""},
}

// TestFullDisk runs statements on a disk with little space or none: each fails with 53100 and
// changes nothing, queries go on, and so do writes when there is space again.
func TestFullDisk(t *testing.T) {
	k := mount(t, full)
	list := drivers(t, k)
	for _, driver := range []string{"embedded", "server"} {
		run := list[driver]
		if driver == "embedded" {
			fill(t, k, run)
		} else if _, err := run("SET work_memory = 1"); err != nil {
			t.Fatal(err)
		}
		for _, a := range attempts {
			failed, rooms := 0, []int64{0, 16 << 10, 256 << 10, mb}
			if driver == "server" {
				rooms = []int64{0, 256 << 10} // the statements are the same
			}
			for _, room := range rooms {
				before := state(t, run)
				if _, err := run("COMPACT"); err != nil { // it would use free space of the file
					t.Fatal(err)
				}
				k.leave(t, room)
				_, err := run(a.statement)
				if err != nil && sqlstate(err) != "53100" {
					t.Errorf("%s, %s with %d bytes: %s %v", driver, a.name, room, sqlstate(err), err)
				}
				if err != nil {
					failed++
					if after := state(t, run); after != before {
						t.Errorf("%s, %s with %d bytes failed and changed\n%s to\n%s", driver, a.name, room, before, after)
					}
				}
				k.free(t)
				reset(t, k, run, a.undo, err == nil)
			}
			if failed == 0 {
				t.Errorf("%s, %s never failed", driver, a.name)
			}
			if out, err := run(a.statement); err != nil {
				t.Errorf("%s, %s with space again: %s %v", driver, a.name, out, err)
			}
			reset(t, k, run, a.undo, true)
		}
	}
}

// TestFullDiskPredicts: a cache that cannot be written keeps no query from its answer, and the
// database from closing.
func TestFullDiskPredicts(t *testing.T) {
	k := mount(t, full)
	list := drivers(t, k)
	run := list["embedded"]
	fill(t, k, run)
	if _, err := run("CREATE CORPUS many; INSERT INTO many (id, text) SELECT 'd' || x, 'Ann ' || x FROM " +
		"generate_series(1, 130000) AS a(x)"); err != nil {
		t.Fatal(err)
	}
	const failures = "SELECT value FROM system.metrics WHERE name = 'parlance_cache_write_failures_total'"
	const predict = "SELECT count(*) FROM many.entities USING ner"
	want, err := run("SET cache = off; " + predict)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := run("RESET cache; COMPACT"); err != nil {
		t.Fatal(err)
	}
	for name, run := range list {
		failed, _ := run(failures)
		k.leave(t, 0)
		if got, err := run(predict); err != nil || got != want {
			t.Errorf("%s: %s spans without space, want %s: %v", name, got, want, err)
		}
		// The cache is written beside the query.
		for start, now := time.Now(), failed; now == failed; now, err = run(failures) {
			if err != nil || time.Since(start) > time.Minute {
				t.Fatalf("%s: the cache was written: %v", name, err)
			}
		}
	}
	k.free(t)
	for name, run := range list {
		if got, err := run(predict); err != nil || got != want {
			t.Errorf("%s: %s spans with space again, want %s: %v", name, got, want, err)
		}
	}
	if n, err := run("SELECT sum(entries) FROM system.cache"); n != "130000" || err != nil {
		t.Errorf("%s predictions kept: %v", n, err)
	}
	if _, err := run("CLEAR CACHE; COMPACT; SELECT count(*) FROM docs.entities USING ner"); err != nil {
		t.Error(err)
	}
	k.leave(t, 0) // until the end: closing must not fail
}

// reset undoes what a statement did and checks that no file stays behind.
func reset(t *testing.T, k disk, run driver, undo string, done bool) {
	t.Helper()
	if done && undo != "" {
		if _, err := run(undo); err != nil {
			t.Fatalf("%s: %v", undo, err)
		}
	}
	entries, err := os.ReadDir(k.dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		switch name := e.Name(); {
		case name == "a.parlance", strings.HasSuffix(name, ".conll"):
		case done && (name == "backup.parlance" || name == "out.csv"):
			if err := os.Remove(filepath.Join(k.dir, name)); err != nil {
				t.Fatal(err)
			}
		default:
			t.Errorf("%s stays behind", name)
		}
	}
}

// state is what queries see, predictions among it; the database must be sound.
func state(t *testing.T, run driver) string {
	t.Helper()
	var out []string
	for _, q := range []string{
		"SELECT count(*) FROM docs", "SELECT count(*) FROM docs.tokens", "SELECT count(*) FROM more",
		"SELECT count(*) FROM cities",
		"SELECT count(*) FROM system.models", "SELECT count(*) FROM system.layers",
		"SELECT count(*) FROM docs.entities USING ner",
		"SELECT count(*) FROM system.jobs WHERE state = 'running'", "CHECK DATABASE",
	} {
		x, err := run(q)
		if err != nil {
			t.Errorf("%s: %v", q, err)
		}
		out = append(out, x)
	}
	return strings.Join(out, " ")
}
