package repl_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"parlance/db"
)

// Sizes of a round's script.
const (
	crashDocuments = 200 // documents in the loaded file
	crashSentences = 10  // sentences of seven tokens in a document
	crashTokens    = 7 * crashSentences * crashDocuments
	crashInserts   = 20 // single INSERT statements
	crashRounds    = 10 // rounds on one file, which grows
)

// crashStages are the first words of what the statements of a script print, in order. A SELECT
// shows its rows, and the last line of those begins with (.
func crashStages() []string {
	stages := []string{"CREATE CORPUS", "LOAD ", "TRAIN "}
	for range crashInserts {
		stages = append(stages, "INSERT 1")
	}
	return append(stages, "(1 row)")
}

// TestKilledProcessLosesNothing kills the command again and again on some files, at times spread
// over the run time of its script. What a statement acknowledged on standard output must be in
// the file, and a statement that was cut short must have left nothing or everything.
func TestKilledProcessLosesNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("kills another process, for some 30 s: left out by -short")
	}
	rounds := 50
	dir := t.TempDir()
	bin := buildCommand(t)
	whole := wholeRun(t, bin, dir)

	ended := map[string]int{}
	killed := 0
	var c *crash
	for i := range rounds {
		round := i%crashRounds + 1
		if round == 1 {
			c = newCrash(bin, dir, fmt.Sprintf("crash%d.parlance", i))
		}
		// The stride is prime to both numbers of rounds: early and late kills take turns.
		at := time.Duration(i*17%rounds*2+1) * whole / time.Duration(2*rounds)
		acks, wasKilled := c.run(t, round, at)
		c.verify(t, round, acks, wasKilled)
		if t.Failed() {
			t.Fatalf("round %d, killed %v after %v of %v, acknowledged %q", i+1, wasKilled, at, whole, acks)
		}
		if wasKilled {
			killed++
			ended[nextStage(len(acks))]++
		} else { // the machine has become faster
			whole -= whole / 8
		}
	}
	t.Logf("whole run %v, %d of %d rounds killed, in %v", whole.Round(time.Millisecond), killed, rounds, ended)
	if killed < rounds/2 {
		t.Errorf("only %d of %d rounds were killed before they ended", killed, rounds)
	}
}

// nextStage names the statement that follows n acknowledged ones.
func nextStage(n int) string {
	switch stages := crashStages(); n {
	case len(stages):
		return "exit"
	case len(stages) - 1:
		return "SELECT"
	default:
		first, _, _ := strings.Cut(stages[n], " ")
		return first
	}
}

// wholeRun measures a script that nothing kills, on a file of its own.
func wholeRun(t *testing.T, bin, dir string) time.Duration {
	t.Helper()
	c := newCrash(bin, dir, "whole.parlance")
	start := time.Now()
	acks, killed := c.run(t, 0, time.Hour)
	d := time.Since(start)
	if killed || len(acks) != len(crashStages()) {
		t.Fatalf("the script did not end: acknowledged %q", acks)
	}
	c.verify(t, 0, acks, killed)
	return d
}

// crash is a database file and what has been acknowledged on it.
type crash struct {
	bin, dir, file string
	created        bool
	version        int          // newest acknowledged version of the model
	loaded         map[int]bool // rounds whose LOAD is in the file
	inserted       map[int]int  // round → its INSERTs in the file
}

func newCrash(bin, dir, name string) *crash {
	return &crash{bin: bin, dir: dir, file: filepath.Join(dir, name), loaded: map[int]bool{}, inserted: map[int]int{}}
}

// run starts the script of a round, kills it after a while unless it ends before, and returns
// the lines that acknowledged statements.
func (c *crash) run(t *testing.T, round int, after time.Duration) (acks []string, killed bool) {
	t.Helper()
	script := c.script(t, round)
	ctx, stop := context.WithTimeout(t.Context(), after)
	defer stop()
	var out, errs bytes.Buffer
	cmd := exec.CommandContext(ctx, c.bin, "exec", "--db", c.file, "-f", script)
	cmd.Stdout, cmd.Stderr = &out, &errs
	// At the deadline CommandContext calls Process.Kill; the exit code is then -1.
	err := cmd.Run()
	if cmd.ProcessState == nil {
		t.Fatalf("round %d: %v", round, err)
	}
	acks = acknowledged(t, out.String())
	killed = cmd.ProcessState.ExitCode() == -1
	if !killed && (!cmd.ProcessState.Success() || len(acks) != len(crashStages())) {
		t.Fatalf("round %d ended with code %d and acknowledged %q\n%s", round, cmd.ProcessState.ExitCode(), acks,
			errs.Bytes())
	}
	return acks, killed
}

// acknowledged returns the complete lines that acknowledge statements, which must come in the
// order of the script.
func acknowledged(t *testing.T, out string) []string {
	t.Helper()
	stages := crashStages()
	var acks []string
	lines := strings.Split(out, "\n")
	for i, line := range lines[:len(lines)-1] {
		switch {
		case len(acks) < len(stages) && strings.HasPrefix(line, stages[len(acks)]):
			if line == "(1 row)" {
				line = strings.TrimSpace(lines[i-1])
			}
			acks = append(acks, line)
		case len(acks) < len(stages)-1:
			t.Fatalf("line %d is %q, want %q", i+1, line, stages[len(acks)])
		}
	}
	return acks
}

// script writes the input and the script of a round.
func (c *crash) script(t *testing.T, round int) string {
	t.Helper()
	input := filepath.Join(c.dir, fmt.Sprintf("r%d.conll", round))
	if err := os.WriteFile(input, sentences(round), 0o600); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	b.WriteString("CREATE CORPUS IF NOT EXISTS docs (round INTEGER);\n")
	fmt.Fprintf(&b, "LOAD '%s' INTO docs FORMAT conll WITH (columns = (form, entities), on_conflict = 'skip') SET round "+
		"= %d;\n", input, round)
	fmt.Fprintf(&b, "TRAIN crf AS ner ON docs WHERE round = %d WITH (iterations = 5, seed = %d);\n", round, round)
	for i := range crashInserts {
		fmt.Fprintf(&b,
			"INSERT INTO docs (id, text, round) VALUES ('%s', 'Ann flew to Oslo in %d.', %d) ON CONFLICT SKIP;\n",
			insertID(round, i), 1900+i, round)
	}
	fmt.Fprintf(&b, "%s;\n", countPredicted(round))
	script := filepath.Join(c.dir, "script.sql")
	if err := os.WriteFile(script, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return script
}

func insertID(round, i int) string { return fmt.Sprintf("i%d-%02d", round, i) }

// countPredicted is the statement that writes the predictions of a round to the cache.
func countPredicted(round int) string {
	return fmt.Sprintf("SELECT count(*) FROM docs.entities USING ner WHERE round = %d", round)
}

// sentences returns the CoNLL file of a round.
func sentences(round int) []byte {
	persons := []string{"Ann", "Maria", "Peter", "Ivo", "Lena"}
	verbs := []string{"flew", "went", "moved", "wrote"}
	places := []string{"Oslo", "Rome", "Bern", "Kiel"}
	r := rand.New(rand.NewPCG(uint64(round), 1))
	var b bytes.Buffer
	for range crashDocuments {
		b.WriteString("-DOCSTART- O\n\n")
		for range crashSentences {
			fmt.Fprintf(&b, "%s B-PER\n%s O\nto O\n%s B-LOC\nin O\n%d O\n. O\n\n",
				persons[r.IntN(len(persons))], verbs[r.IntN(len(verbs))], places[r.IntN(len(places))], 1900+r.IntN(100))
		}
	}
	return b.Bytes()
}

// verify opens the file and compares it with what was acknowledged in this round and before.
func (c *crash) verify(t *testing.T, round int, acks []string, killed bool) {
	t.Helper()
	d, err := db.Open(c.file, db.Options{})
	if err != nil {
		t.Fatalf("reopen: %v", err)
	}
	defer func() {
		if err := d.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	}()
	res, err := d.Exec(t.Context(), "CHECK DATABASE")
	if err != nil || res.Tag != "CHECK ok" {
		t.Errorf("CHECK DATABASE: %q, %v", res.Tag, err)
	}
	c.created = c.created || len(acks) > 0
	ids, err := documentIDs(t, d, round)
	var e *db.Error
	if !c.created && errors.As(err, &e) && e.Code == "42P01" {
		return // killed before the corpus was there
	}
	if err != nil {
		t.Errorf("documents: %v", err)
		return
	}
	c.created = true
	c.verifyRound(t, round, ids, acks)
	c.verifyCounts(t, d)
	c.verifyModel(t, d, round, acks)
	// What later rounds write is indexed, and checked with the database.
	if _, err := d.Exec(t.Context(), "CREATE FULLTEXT INDEX IF NOT EXISTS ON docs (text)"); err != nil {
		t.Error(err)
	}
	if states := running(t, d); killed && len(states) > 0 {
		t.Errorf("jobs still in state running after the process is gone: %v", states)
	}
}

// verifyRound checks the documents of the latest round and notes what is there.
func (c *crash) verifyRound(t *testing.T, round int, ids, acks []string) {
	t.Helper()
	var want []string
	loaded := 0
	for _, id := range ids {
		if strings.HasPrefix(id, fmt.Sprintf("r%d.conll:", round)) {
			loaded++
		}
	}
	switch {
	case loaded != 0 && loaded != crashDocuments:
		t.Errorf("LOAD left %d of %d documents", loaded, crashDocuments)
	case loaded == 0 && len(acks) > 1:
		t.Errorf("LOAD was acknowledged and left nothing")
	}
	if len(acks) > 1 && acks[1] != fmt.Sprintf("LOAD %d documents %d tokens", crashDocuments, crashTokens) {
		t.Errorf("LOAD acknowledged %q", acks[1])
	}
	c.loaded[round] = loaded > 0
	if loaded > 0 {
		for i := range crashDocuments {
			want = append(want, fmt.Sprintf("r%d.conll:%d", round, i+1))
		}
	}
	// The statement under way may have been committed and not acknowledged.
	acked := min(max(0, len(acks)-3), crashInserts)
	inserted := len(ids) - loaded
	if inserted < acked || inserted > acked+1 || inserted > crashInserts || inserted > 0 && len(acks) < 3 {
		t.Errorf("%d INSERTs acknowledged, %d in the file", acked, inserted)
	}
	c.inserted[round] = inserted
	for i := range inserted {
		want = append(want, insertID(round, i))
	}
	slices.Sort(want)
	slices.Sort(ids)
	if !slices.Equal(ids, want) {
		t.Errorf("documents of round %d are not those of its statements: %d, want %d", round, len(ids), len(want))
	}
}

// verifyCounts checks that earlier rounds are as they were.
func (c *crash) verifyCounts(t *testing.T, d *db.DB) {
	t.Helper()
	want, got := map[int]int{}, map[int]int{}
	for round, loaded := range c.loaded {
		n := c.inserted[round]
		if loaded {
			n += crashDocuments
		}
		if n > 0 {
			want[round] = n
		}
	}
	each(t, d, "SELECT round, count(*) FROM docs GROUP BY round", func(rows *db.Rows) error {
		var round, n int
		err := rows.Scan(&round, &n)
		got[round] = n
		return err
	})
	for round := range max(len(want), len(got), len(c.loaded)) + 1 {
		if got[round] != want[round] {
			t.Errorf("round %d has %d documents, want %d", round, got[round], want[round])
		}
	}
}

// verifyModel checks that the acknowledged version is there and answers as it did.
func (c *crash) verifyModel(t *testing.T, d *db.DB, round int, acks []string) {
	t.Helper()
	if len(acks) > 2 {
		version := 0
		if _, err := fmt.Sscanf(acks[2], "TRAIN ner@%d", &version); err != nil {
			t.Errorf("TRAIN acknowledged %q: %v", acks[2], err)
		}
		if version <= c.version {
			t.Errorf("TRAIN made version %d after version %d", version, c.version)
		}
		c.version = version
	}
	if c.version > 0 {
		n := 0
		each(t, d, fmt.Sprintf("DESCRIBE MODEL ner@%d", c.version), func(*db.Rows) error { n++; return nil })
		if n == 0 {
			t.Errorf("DESCRIBE MODEL ner@%d is empty", c.version)
		}
	}
	if len(acks) == len(crashStages()) {
		each(t, d, countPredicted(round), func(rows *db.Rows) error {
			var n string
			err := rows.Scan(&n)
			if n != acks[len(acks)-1] {
				t.Errorf("%s entities predicted, %s before the process ended", n, acks[len(acks)-1])
			}
			return err
		})
	}
}

// running returns the jobs that count as running.
func running(t *testing.T, d *db.DB) (jobs []string) {
	t.Helper()
	each(t, d, "SHOW JOBS", func(rows *db.Rows) error {
		if v := rows.Values(); strings.Contains(fmt.Sprint(v[1]), "running") {
			jobs = append(jobs, fmt.Sprint(v))
		}
		return nil
	})
	return jobs
}

// documentIDs returns the ids of the documents of a round.
func documentIDs(t *testing.T, d *db.DB, round int) (ids []string, err error) {
	t.Helper()
	rows, err := d.Query(t.Context(), "SELECT id FROM docs WHERE round = $1", round)
	if err != nil {
		return nil, err
	}
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			t.Fatal(err)
		}
		ids = append(ids, id)
	}
	return ids, errors.Join(rows.Err(), rows.Close())
}

// each calls f on every row of a statement.
func each(t *testing.T, d *db.DB, statement string, f func(*db.Rows) error) {
	t.Helper()
	rows, err := d.Query(t.Context(), statement)
	if err != nil {
		t.Errorf("%s: %v", statement, err)
		return
	}
	for rows.Next() {
		if err := f(rows); err != nil {
			t.Errorf("%s: %v", statement, err)
		}
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		t.Errorf("%s: %v", statement, err)
	}
}
