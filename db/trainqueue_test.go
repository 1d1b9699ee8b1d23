package db_test

import (
	"context"
	"regexp"
	"strings"
	"testing"

	"parlance/db"
)

// waiting runs a statement in a session of its own until it waits for its turn.
func waiting(t *testing.T, d *db.DB, statement string) chan error {
	t.Helper()
	c := d.Conn()
	told := make(chan string, 10)
	c.OnNotice(func(s string) { told <- s })
	done := later(c, statement)
	select {
	case s := <-told:
		if !strings.HasPrefix(s, "waiting: position ") {
			t.Errorf("the notice of a training that waits: %s", s)
		}
	case err := <-done:
		t.Fatalf("%s has not waited: %v", statement, err)
	}
	return done
}

const jobStates = "SELECT job, state, note FROM system.jobs ORDER BY job"

// TestTrainingsWait lets trainings run one after the other, in the order of their coming.
func TestTrainingsWait(t *testing.T) {
	d, g := gated(t)
	c := d.Conn()
	first := later(c, "TRAIN slow AS a ON docs")
	<-g.Entered
	second := waiting(t, d, "TRAIN slow AS b ON docs")
	script(t, d.Conn(), "TRAIN slow AS c ON docs ASYNC")
	for text(t, d.Conn(), "SELECT count(*) FROM system.jobs WHERE state = 'queued'") != "count\n2\n" {
	}
	if got, want := text(t, d.Conn(), jobStates),
		"job\tstate\tnote\n1\trunning\t∅\n2\tqueued\twaiting: position 1\n3\tqueued\twaiting: position 2\n"; got != want {
		t.Errorf("jobs\n%s\nwant\n%s", got, want)
	}
	if got := text(t, d.Conn(), "SELECT state FROM system.activity WHERE kind = 'TRAIN' ORDER BY id"); got !=
		"state\nrunning\nqueued\n" {
		t.Errorf("activity: %s", got)
	}
	script(t, d.Conn(), "INSERT INTO docs (id, text) VALUES ('late', 'seen by those that waited')")
	g.Open()
	for _, done := range []chan error{first, second} {
		if err := <-done; err != nil {
			t.Fatal(err)
		}
	}
	for text(t, d.Conn(), "SELECT count(*) FROM system.jobs WHERE state IN ('running', 'queued')") != "count\n0\n" {
	}
	hash := func(m string) string {
		return regexp.MustCompile("source[^\t]*\t[^\n]*").FindString(text(t, d.Conn(), "DESCRIBE MODEL "+m))
	}
	if hash("b") != hash("c") || hash("a") == hash("b") {
		t.Errorf("trained on: %s %s %s", hash("a"), hash("b"), hash("c"))
	}
}

// TestPositionsTold tells a training each position in the queue, whether others train or are cancelled.
func TestPositionsTold(t *testing.T) {
	d, g := gated(t)
	first := later(d.Conn(), "TRAIN slow AS a ON docs")
	<-g.Entered
	second := waiting(t, d, "TRAIN slow AS b ON docs")
	third := waiting(t, d, "TRAIN slow AS c ON docs")
	told := make(chan string, 10)
	c := d.Conn()
	c.OnNotice(func(s string) { told <- s })
	last := later(c, "TRAIN slow AS e ON docs")
	want := func(position string) {
		t.Helper()
		if got := <-told; got != "waiting: position "+position {
			t.Errorf("told %q, want position %s", got, position)
		}
		if got := text(t, d.Conn(),
			"SELECT position FROM system.activity WHERE statement LIKE '% AS e ON%' AND state = 'queued'"); got != "position\n"+
			position+"\n" {
			t.Errorf("activity: %s, want %s", got, position)
		}
	}
	want("3")
	script(t, d.Conn(), "CANCEL JOB 2")
	if err := <-second; code(err) != "57014" {
		t.Errorf("a cancelled job: %v", err)
	}
	want("2")
	script(t, d.Conn(), "CANCEL JOB 1")
	if err := <-first; code(err) != "57014" {
		t.Errorf("a cancelled job: %v", err)
	}
	want("1")
	g.Open()
	for _, done := range []chan error{third, last} {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

// TestCancelWaiting ends trainings that wait: by job, by statement, and with the database.
func TestCancelWaiting(t *testing.T) {
	d, g := gated(t)
	first := later(d.Conn(), "TRAIN slow AS a ON docs")
	<-g.Entered
	second := waiting(t, d, "TRAIN slow AS b ON docs")
	third := waiting(t, d, "TRAIN slow AS c ON docs")
	script(t, d.Conn(), "TRAIN slow AS e ON docs ASYNC; CANCEL JOB 2; CANCEL JOB 4")
	if err := <-second; code(err) != "57014" {
		t.Errorf("a cancelled job: %v", err)
	}
	if got := text(t, d.Conn(), jobStates); !strings.Contains(got,
		"2\tcancelled\t∅\n3\tqueued\twaiting: position 1\n4\tcancelled") {
		t.Errorf("jobs: %s", got)
	}
	id := strings.Split(text(t, d.Conn(), "SELECT id FROM system.activity WHERE state = 'queued'"), "\n")[1]
	script(t, d.Conn(), "CANCEL STATEMENT "+id)
	if err := <-third; code(err) != "57014" {
		t.Errorf("a cancelled statement: %v", err)
	}
	last := waiting(t, d, "RESUME JOB 2")
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	for _, done := range []chan error{first, last} {
		if err := <-done; code(err) != "57014" {
			t.Errorf("at the end: %v", err)
		}
	}
}

// TestMoreTrainings raises max_trainings while some wait.
func TestMoreTrainings(t *testing.T) {
	d, g := gated(t)
	first := later(d.Conn(), "TRAIN slow AS a ON docs")
	<-g.Entered
	second := waiting(t, d, "TRAIN slow AS b ON docs")
	script(t, d.Conn(), "ALTER SYSTEM SET max_trainings = 2")
	<-g.Entered // the second one
	third := waiting(t, d, "TRAIN slow AS c ON docs")
	g.Open()
	for _, done := range []chan error{first, second, third} {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	script(t, d.Conn(), "REPLAY a")
}

// TestPrepareWhileWaiting refuses at once what cannot be trained, and later what cannot any more.
func TestPrepareWhileWaiting(t *testing.T) {
	d, g := gated(t)
	first := later(d.Conn(), "TRAIN slow AS a ON docs")
	<-g.Entered
	if _, err := d.Exec(context.Background(), "TRAIN slow AS b ON nowhere"); code(err) != "42P01" {
		t.Errorf("no corpus: %v", err)
	}
	script(t, d.Conn(), "CREATE CORPUS brief; INSERT INTO brief (id, text) VALUES ('a', 'one')")
	second := waiting(t, d, "TRAIN slow AS b ON brief")
	script(t, d.Conn(), "DROP CORPUS brief")
	g.Open()
	if err := <-first; err != nil {
		t.Error(err)
	}
	if err := <-second; code(err) != "42P01" {
		t.Errorf("the corpus is gone: %v", err)
	}
}
