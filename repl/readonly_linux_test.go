package repl_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"parlance/db"
)

// nobody is a user who owns nothing.
const nobody = 65534

// stored makes a database with a model in a folder that other users may enter, and returns the
// number of spans that it predicts.
func stored(t *testing.T, file string) (spans string) {
	t.Helper()
	for dir := filepath.Dir(file); dir != os.TempDir() && dir != "/"; dir = filepath.Dir(dir) {
		info, err := os.Stat(dir)
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode()&os.ModeSticky != 0 { // a folder for the temporary files of all users
			break
		}
		if err := os.Chmod(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	input := filepath.Join(t.TempDir(), "a.conll")
	if err := os.WriteFile(input, sentences(1), 0o600); err != nil {
		t.Fatal(err)
	}
	d, err := db.Open(file, db.Options{})
	if err != nil {
		t.Fatal(err)
	}
	c := d.Conn()
	if err := c.Script(t.Context(), "CREATE CORPUS docs (year INTEGER); LOAD '"+input+`' INTO docs FORMAT conll WITH (columns = (form, entities));
TRAIN crf AS ner ON docs WITH (iterations = 3); SET cache = off`, nil); err != nil {
		t.Fatal(err)
	}
	spans = one(t, c, predict)
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	return spans
}

const predict = "SELECT count(*) FROM docs.entities USING ner"

// command is a server by a user without privileges, with temporary files of its own.
func command(t *testing.T, file string, args ...string) *exec.Cmd {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("needs root, to become another user")
	}
	cmd := exec.Command(buildCommand(t), append([]string{"serve", file, "--listen", "127.0.0.1:0"}, args...)...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	return cmd
}

// refused runs a server that must not start, and returns what it says.
func refused(t *testing.T, cmd *exec.Cmd) string {
	t.Helper()
	out, err := cmd.CombinedOutput()
	if err == nil || cmd.ProcessState.ExitCode() != 1 {
		t.Errorf("exit code %d: %s", cmd.ProcessState.ExitCode(), out)
	}
	return string(out)
}

// reads checks that a server answers everything and writes nothing.
func reads(t *testing.T, p *daemon, file, spans string) {
	t.Helper()
	before, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	c := p.connect(t, "ann")
	for range 2 {
		if got := must(t, c, predict); got != spans {
			t.Errorf("%s spans predicted, want %s", got, spans)
		}
	}
	must(t, c, "SET work_memory = 1; SELECT max(t) FROM (SELECT x, repeat('abc', 60) AS t FROM generate_series(1, "+
		"100000) AS a(x) ORDER BY x * 7919 % 100003 LIMIT 90000) AS s")
	if got := must(t, c, "CHECK DATABASE"); got != "CHECK ok" {
		t.Error(got)
	}
	for _, statement := range []string{
		"CREATE CORPUS more", "INSERT INTO docs (id, text) VALUES ('b', 'x')", "UPDATE docs SET text = 'x'",
		"DELETE FROM docs", "DROP CORPUS docs",
		"ANNOTATE docs USING ner", "TRAIN crf AS ner ON docs WITH (iterations = 3)", "DROP MODEL ner",
		"PROMOTE ner@1 TO best",
		"CREATE USER ann PASSWORD 'x' ROLE admin", "ALTER SYSTEM SET max_trainings = 2", "CREATE INDEX ON docs (year)",
		"CREATE FULLTEXT INDEX ON docs (text)",
		"CLEAR CACHE", "COMPACT", "CREATE LEXICON cities (word TEXT)", "COPY docs FROM STDIN FORMAT csv",
	} {
		if _, err := tagged(t.Context(), c, statement); code(err) != "25006" {
			t.Errorf("%s: %v", statement, err)
		}
	}
	p.signal(t, syscall.SIGTERM)
	if err := p.end(); err != nil {
		t.Errorf("the server ends with %v", err)
	}
	after, err := os.ReadFile(file)
	if err != nil || string(after) != string(before) {
		t.Errorf("the file was changed: %v", err)
	}
}

// TestUnwritableFile is refused with what to do, and served read-only.
func TestUnwritableFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.parlance")
	spans := stored(t, file)
	if err := os.Chmod(file, 0o444); err != nil {
		t.Fatal(err)
	}
	if out := refused(t, command(t, file)); !strings.Contains(out,
		"no permission to write it; open it read-only: --read-only") {
		t.Errorf("the server says %s", out)
	}
	reads(t, serve(t, command(t, file, "--read-only")), file, spans)
}

// TestUnreadableFile is refused.
func TestUnreadableFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.parlance")
	stored(t, file)
	for _, args := range [][]string{nil, {"--read-only"}} {
		if out := refused(t, command(t, file, args...)); !strings.Contains(out, "permission denied") {
			t.Errorf("the server says %s", out)
		}
	}
}

// TestReadOnlyDisk serves from a file system that is mounted read-only.
func TestReadOnlyDisk(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a.parlance")
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=64m,mode=755"); err != nil {
		t.Skipf("a file system cannot be mounted here: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, 0); err != nil {
			t.Error(err)
		}
	})
	spans := stored(t, file)
	if err := os.Chmod(file, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mount("", dir, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Fatal(err)
	}
	if out := refused(t, command(t, file)); !strings.Contains(out,
		"no permission to write it; open it read-only: --read-only") {
		t.Errorf("the server says %s", out)
	}
	if out := refused(t, command(t, filepath.Join(dir, "new.parlance"))); !strings.Contains(out, "read-only file system") {
		t.Errorf("the server says %s", out)
	}
	reads(t, serve(t, command(t, file, "--read-only")), file, spans)
}

// TestReadOnlyFolder: a file that may be written in a folder that may not takes everything but
// files beside it.
func TestReadOnlyFolder(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.parlance")
	stored(t, file)
	if err := os.Chown(file, nobody, nobody); err != nil {
		t.Skip("needs root, to give a file to another user:", err)
	}
	p := serve(t, command(t, file, "--data-dir", filepath.Dir(file), "--backup-dir", t.TempDir()))
	c := p.connect(t, "ann")
	must(t, c, "INSERT INTO docs (id, text) VALUES ('b', 'x'); CREATE LEXICON cities (word TEXT); SELECT count(*) FROM "+
		"docs.entities USING ner")
	for _, statement := range []string{"COMPACT", "BACKUP TO 'b.parlance'", "COPY docs TO 'docs.csv' FORMAT csv"} {
		if _, err := tagged(context.Background(), c, statement); code(err) != "42501" {
			t.Errorf("%s: %v", statement, err)
		}
	}
	if got := must(t, c, "CHECK DATABASE"); got != "CHECK ok" {
		t.Error(got)
	}
	must(t, c, "INSERT INTO cities VALUES ('Oslo')")
	p.signal(t, syscall.SIGTERM)
	if err := p.end(); err != nil {
		t.Error(err)
	}
}
