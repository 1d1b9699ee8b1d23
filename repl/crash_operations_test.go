package repl_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parlance/db"
)

// predictMany makes, in slow tests, more predictions than the cache keeps in memory.
const predictMany = "SELECT count(*) FROM many.entities USING ner@1"

// many returns short documents; in slow tests enough that their predictions reach the file.
func many() []byte {
	var b bytes.Buffer
	b.WriteString("id,text\n")
	n := 20_000
	if slow {
		n = 100_000
	}
	for i := range n {
		fmt.Fprintf(&b, "d%d,Ann %d\n", i, i%10)
	}
	return b.Bytes()
}

func operations() []operation {
	return []operation{
		{"LOAD", loadRound, verifyLoad},
		{"TRAIN", trainRound, verifyTrain},
		{"INSERT", insertRound, verifyInsert},
		{"blocks", blockRound, verifyBlocks},
		{"ANNOTATE", annotateRound, verifyAnnotate},
		{"cache", cacheRound, verifyCache},
		{"BACKUP", backupRound, verifyBackup},
		{"users", userRound, verifyUsers},
		{"KB", kbRound, verifyKB},
		{"table", tableRound, verifyTable},
	}
}

// loadedDocuments are in the file that a LOAD reads.
const loadedDocuments = 10 * crashDocuments

func loadRound(round int) []string {
	return []string{fmt.Sprintf("LOAD 'r%d.conll' INTO loaded FORMAT conll WITH (columns = (form, entities)) SET round "+
		"= %[1]d", round)}
}

// verifyLoad finds all documents or none, and keeps those of one round.
func verifyLoad(t *testing.T, v *victim, c *db.Conn, round int, acks []string) {
	t.Helper()
	n := counts(t, c, "loaded")[round]
	if n != 0 && n != loadedDocuments || n == 0 && len(acks) > 0 {
		t.Errorf("LOAD left %d of %d documents, acknowledged: %v", n, loadedDocuments, acks)
	}
	if n > 0 && len(acks) == 0 {
		v.seen["LOAD committed, not acknowledged"]++
	}
	if n == 0 {
		return
	}
	if v.loaded != 0 {
		if _, err := c.Exec(t.Context(), "DELETE FROM loaded WHERE round = $1", v.loaded); err != nil {
			t.Error(err)
		}
	}
	v.loaded = round
}

// kbTriples are in the file that a round loads into a knowledge base, a third of them of each relation; in slow
// tests enough that a load takes several transactions.
func kbTriples() int {
	if slow {
		return 60_000
	}
	return 6000
}

// triplesFile is the same in all rounds: after the first, loading changes rows and adds those that are gone.
func triplesFile() []byte {
	var b bytes.Buffer
	for i := range kbTriples() {
		fmt.Fprintf(&b, "e%d\tr%d\te%d\n", i, i%3, i/7)
	}
	return b.Bytes()
}

func kbRound(round int) []string {
	return []string{
		fmt.Sprintf("LOAD 'triples.txt' INTO facts FORMAT triples SET round = %d", round),
		fmt.Sprintf("UPDATE facts.triples SET weight = %d WHERE relation = 'r1'", round),
		"DELETE FROM facts.triples WHERE relation = 'r2'",
	}
}

// verifyKB finds the triples of one round, and those of a relation with one weight. That counts and
// entities fit is a part of what the check of the database says.
func verifyKB(t *testing.T, v *victim, c *db.Conn, round int, acks []string) {
	t.Helper()
	got := counts(t, c, "facts.triples")
	if len(got) > 1 || len(got) == 0 && len(acks) > 0 {
		t.Errorf("triples of the rounds %v, acknowledged %v", got, acks)
	}
	n := got[round]
	if len(acks) > 0 && n == 0 || len(acks) > 2 && n != kbTriples()/3*2 || n != 0 && n != kbTriples() &&
		n != kbTriples()/3*2 {
		t.Errorf("triples of the rounds %v, acknowledged %v", got, acks)
	}
	weights := one(t, c, "SELECT count(DISTINCT weight) FROM facts.triples WHERE relation = 'r1'")
	if weights != "0" && weights != "1" {
		t.Errorf("%s weights of one relation", weights)
	}
	if w := one(t, c, "SELECT coalesce(max(weight), 0) FROM facts.triples WHERE relation = 'r1'"); len(acks) > 1 &&
		w != fmt.Sprintf("%d.0", round) {
		t.Errorf("weight %s, acknowledged %d", w, round)
	}
	if n > 0 && len(acks) == 0 {
		v.seen["LOAD into a KB committed, not acknowledged"]++
	}
}

// rowWord is the word of row i of a lexicon, long so that an UPDATE of few rows takes several transactions.
const rowWord = "lpad(i::text, 700, 'w')"

// lexiconRows is the rows of the lexicon: in slow tests 18 MB.
func lexiconRows() int {
	if slow {
		return 25_000
	}
	return 5000
}

func tableRound(round int) []string {
	return []string{
		fmt.Sprintf("UPDATE rowlist SET round = %d", round),
		fmt.Sprintf("DELETE FROM rowlist WHERE n > %d", lexiconRows()/2),
		fmt.Sprintf("INSERT INTO rowlist SELECT "+rowWord+", i, %d FROM generate_series(%d, %d) AS g(i)", round,
			lexiconRows()/2+1, lexiconRows()),
	}
}

// verifyTable finds all rows with one round, or half of them.
func verifyTable(t *testing.T, _ *victim, c *db.Conn, round int, acks []string) {
	t.Helper()
	got := one(t, c, "SELECT count(DISTINCT round) || ' ' || max(round) || ' ' || count(*) FROM rowlist")
	var rounds, last, n int
	if _, err := fmt.Sscan(got, &rounds, &last, &n); err != nil {
		t.Fatal(err)
	}
	whole, half := lexiconRows(), lexiconRows()/2
	if rounds != 1 || len(acks) > 0 && last != round || n != whole && n != half {
		t.Errorf("%d rounds up to %d, %d rows, acknowledged %v", rounds, last, n, acks)
	}
	if indexed := one(t, c, fmt.Sprintf("SELECT count(*) FROM rowlist WHERE round = %d", last)); indexed != fmt.Sprint(n) {
		t.Errorf("the index finds %s of %d rows", indexed, n)
	}
	if n == half { // what comes next begins with all
		if _,
			err := c.Exec(t.Context(),
			fmt.Sprintf("INSERT INTO rowlist SELECT "+rowWord+", i, %d FROM generate_series(%d, %d) AS g(i)", last, half+1,
				whole)); err != nil {
			t.Error(err)
		}
	}
}

func trainRound(round int) []string {
	iterations := 100
	if slow {
		iterations = 1000 // two or three checkpoints
	}
	return []string{fmt.Sprintf("TRAIN crf AS noise ON coins WITH (l1 = 0.001, epsilon = 0, delta = 0, iterations = %d, "+
		"seed = %d)", iterations, round)}
}

// verifyTrain finds the whole version or an interrupted job, which it resumes every other time.
func verifyTrain(t *testing.T, v *victim, c *db.Conn, round int, acks []string) {
	t.Helper()
	n := 0
	if v.versions > 0 || one(t, c, "SELECT count(*) FROM system.models WHERE name = 'noise'") == "1" {
		fmt.Sscan(one(t, c, "SELECT count(*) FROM noise.versions"), &n)
	}
	if n < v.versions+len(acks) || n > v.versions+1 {
		t.Errorf("%d versions, %d before, acknowledged %v", n, v.versions, acks)
	}
	trained := n > v.versions
	v.versions = n
	last := "SELECT state FROM system.jobs ORDER BY job DESC LIMIT 1"
	state := one(t, c, last)
	if len(acks) > 0 && state != "done" || !trained && state != "interrupted" && state != "done" {
		t.Errorf("the job is %s, acknowledged %v, version there: %v", state, acks, trained)
	}
	if state == "interrupted" {
		v.seen["job interrupted"]++
		v.resume(t, c, round)
	}
	if v.versions > 0 {
		one(t, c, fmt.Sprintf("SELECT count(*) FROM fixed.entities USING noise@%d", v.versions))
	}
}

// resume goes on with the last job.
func (v *victim) resume(t *testing.T, c *db.Conn, round int) {
	t.Helper()
	if round%2 == 0 {
		return
	}
	from := "checkpoint"
	c.OnNotice(func(s string) {
		if strings.Contains(s, "there is no checkpoint") {
			from = "beginning"
		}
	})
	defer c.OnNotice(nil)
	if _, err := c.Exec(t.Context(), "RESUME JOB "+one(t, c, "SELECT max(job) FROM system.jobs")); err != nil {
		t.Error(err)
		return
	}
	v.versions++
	v.seen["job resumed from the "+from]++
}

// Statements that insert, and documents in each.
const (
	insertStatements = 40
	insertDocuments  = 3
)

func insertRound(round int) (out []string) {
	for i := range insertStatements {
		var rows []string
		for k := range insertDocuments {
			rows = append(rows, fmt.Sprintf("('i%d-%d-%d', 'Ann flew to Oslo in %d.', %d)", round, i, k, 1900+i, round))
		}
		out = append(out, "INSERT INTO inserted (id, text, round) VALUES "+strings.Join(rows, ", "))
	}
	return out
}

func verifyInsert(t *testing.T, v *victim, c *db.Conn, round int, acks []string) {
	t.Helper()
	got := counts(t, c, "inserted")
	n := got[round]
	if least := insertDocuments * len(acks); n%insertDocuments != 0 || n < least || n > least+insertDocuments {
		t.Errorf("%d documents, %d statements of %d acknowledged", n, len(acks), insertDocuments)
	}
	v.inserted[round] = n
	for r, want := range v.inserted {
		if got[r] != want {
			t.Errorf("%d documents of round %d, %d were there", got[r], r, want)
		}
	}
}

// blocks is how many transaction blocks a round has.
const blocks = 10

// blockRound moves documents from one corpus to another and notes it: after each block both and the notes have as
// many new ones. Each block gives the notes a column of its own in place of that of the block before, and indexes notes
// and documents or drops both indexes.
func blockRound(round int) (out []string) {
	for i := range blocks {
		out = append(out, "BEGIN",
			fmt.Sprintf("INSERT INTO debit (id, text, round) VALUES ('%d-%d', 'Ann.', %[1]d), "+
				"('%[1]d-%[2]d-x', 'Bob.', %[1]d)", round, i),
			fmt.Sprintf("INSERT INTO credit (id, text, round) SELECT id, text, round FROM debit WHERE id = '%d-%d'", round, i),
			fmt.Sprintf("DELETE FROM debit WHERE id = '%d-%d-x'", round, i),
			fmt.Sprintf("INSERT INTO entries (word, round) VALUES ('a', -1), ('%d-%d', %[1]d)", round, i),
			"DELETE FROM entries WHERE round = -1",
			fmt.Sprintf("ALTER LEXICON entries ADD COLUMN r%d_%d TEXT", round, i+1),
			fmt.Sprintf("UPDATE entries SET r%[1]d_%[3]d = 'x' WHERE word = '%[1]d-%[2]d'", round, i, i+1))
		if i > 0 {
			out = append(out, fmt.Sprintf("ALTER LEXICON entries DROP COLUMN r%d_%d", round, i))
		}
		change := "CREATE INDEX IF NOT EXISTS ON %s (round)"
		if i%2 == 1 {
			change = "DROP INDEX IF EXISTS ON %s (round)"
		}
		out = append(out, fmt.Sprintf(change, "entries"), fmt.Sprintf(change, "debit"), "COMMIT")
	}
	return out
}

// verifyBlocks finds whole blocks everywhere: those acknowledged, and maybe the next one.
func verifyBlocks(t *testing.T, v *victim, c *db.Conn, round int, acks []string) {
	t.Helper()
	debit, credit, entries := counts(t, c, "debit"), counts(t, c, "credit"), counts(t, c, "entries")
	n, committed := debit[round], 0
	for _, tag := range acks {
		if tag == "COMMIT" {
			committed++
		}
	}
	if n != credit[round] || n != entries[round] || entries[-1] > 0 || n < committed || n > committed+1 {
		t.Errorf("%d and %d documents, %d and %d entries after %d blocks", n, credit[round], entries[round], entries[-1],
			committed)
	}
	if n > 0 {
		verifySchema(t, c, round, n)
	}
	if n > committed {
		v.seen["block committed, not acknowledged"]++
	}
	v.blocks[round] = n
	for r, want := range v.blocks {
		if debit[r] != want || credit[r] != want || entries[r] != want {
			t.Errorf("%d and %d documents of round %d, %d were there", debit[r], credit[r], r, want)
		}
	}
}

// verifySchema finds the columns and indexes that the last of n blocks has made, and the row that it has filled.
func verifySchema(t *testing.T, c *db.Conn, round, n int) {
	t.Helper()
	last := fmt.Sprintf("r%d_%d", round, n)
	if got := one(t, c, fmt.Sprintf("SELECT string_agg(column_name, ' ') FROM information_schema.columns WHERE "+
		"table_name = 'entries' AND column_name LIKE 'r%d\\_%%'", round)); got != last {
		t.Errorf("columns %s after %d blocks", got, n)
	}
	if got := one(t, c, fmt.Sprintf("SELECT word FROM entries WHERE %s = 'x'", last)); got != fmt.Sprintf("%d-%d", round,
		n-1) {
		t.Errorf("%s is filled in row %s", last, got)
	}
	want := fmt.Sprint(n % 2)
	for _, table := range []string{"entries", "debit"} {
		if got := one(t, c, fmt.Sprintf("SELECT count(*) FROM pg_indexes WHERE tablename = '%s' AND indexdef LIKE "+
			"'%%(round)%%'", table)); got != want {
			t.Errorf("%s has %s indexes after %d blocks", table, got, n)
		}
	}
}

func annotateRound(round int) []string {
	return []string{"ANNOTATE fixed USING " + annotation(round)}
}

// annotation is the version of a round; one after the other takes the place of the one before.
func annotation(round int) string { return fmt.Sprintf("ner@%d", 1+(round+1)/len(operations())%2) }

// verifyAnnotate finds the predictions of one version, with its name on them.
func verifyAnnotate(t *testing.T, v *victim, c *db.Conn, round int, acks []string) {
	t.Helper()
	model := one(t, c, "SELECT model FROM system.layers WHERE corpus = 'fixed' AND layer = 'ner'")
	next := annotation(round)
	if model != v.annotated && model != next || len(acks) > 0 && model != next {
		t.Errorf("predictions of %s, before they were of %s; acknowledged %v", model, v.annotated, acks)
	}
	v.annotated = model // the count of its rows is checked after each round
}

func cacheRound(int) []string { return []string{"CLEAR CACHE", predictMany} }

// verifyCache predicts again: what is kept must be right.
func verifyCache(t *testing.T, v *victim, c *db.Conn, _ int, acks []string) {
	t.Helper()
	if len(acks) > 1 && acks[1] != v.many {
		t.Errorf("%s spans predicted, want %s", acks[1], v.many)
	}
	kept := one(t, c, "SELECT coalesce(sum(entries), 0) FROM system.cache WHERE model = 'ner@1'")
	if kept != "0" {
		v.seen["predictions kept"]++
	}
	if got := one(t, c, predictMany); got != v.many {
		t.Errorf("%s spans predicted with a cache of %s, want %s", got, kept, v.many)
	}
}

func backup(round int) string { return fmt.Sprintf("b%d.parlance", round) }

func backupRound(round int) []string { return []string{"BACKUP TO '" + backup(round) + "'"} }

// verifyBackup finds no file or a sound database.
func verifyBackup(t *testing.T, v *victim, c *db.Conn, round int, acks []string) {
	t.Helper()
	path := filepath.Join(v.backups, backup(round))
	defer removeBackups(t, v)
	if _, err := os.Stat(path); err != nil {
		if !errors.Is(err, os.ErrNotExist) || len(acks) > 0 {
			t.Error(err)
		}
		return
	}
	v.seen["backup whole"]++
	d, err := db.Open(path, db.Options{ReadOnly: true})
	if err != nil {
		t.Error(err)
		return
	}
	defer d.Close()
	v.sound(t, d.Conn())
	if got := one(t, d.Conn(), "SELECT count(*) FROM fixed.ner"); got != v.spans[v.annotated] {
		t.Errorf("the backup has %s predicted spans", got)
	}
}

// removeBackups frees the space; copies that were cut short have hidden names.
func removeBackups(t *testing.T, v *victim) {
	t.Helper()
	left, err := filepath.Glob(filepath.Join(v.backups, ".b*.parlance-*"))
	v.seen["unfinished copy"] += len(left)
	whole, whatever := filepath.Glob(filepath.Join(v.backups, "b*.parlance"))
	if err := errors.Join(err, whatever); err != nil {
		t.Fatal(err)
	}
	for _, path := range append(left, whole...) {
		if err := os.Remove(path); err != nil {
			t.Error(err)
		}
	}
}

// account is a statement about users and what it leaves: name → role.
type account struct {
	statement, name, role string
	password              string
}

func accounts(round int) (out []account) {
	for i := range 12 {
		name := fmt.Sprintf("u%d_%d", round, i)
		out = append(out,
			account{fmt.Sprintf("CREATE USER %s PASSWORD 'first' ROLE reader", name), name, "reader", "first"},
			account{fmt.Sprintf("ALTER USER %s PASSWORD 'second' ROLE writer", name), name, "writer", "second"})
		if i%2 == 1 {
			out = append(out, account{"DROP USER " + name, name, "", ""})
		}
	}
	return out
}

func userRound(round int) (out []string) {
	for _, a := range accounts(round) {
		out = append(out, a.statement)
	}
	return out
}

// verifyUsers finds the users as they were after the last acknowledged statement or the one
// after it. In the next round, they log in.
func verifyUsers(t *testing.T, v *victim, c *db.Conn, round int, acks []string) {
	t.Helper()
	got := fmt.Sprint(userRoles(t, c, round))
	all := accounts(round)
	for n := len(acks); n <= min(len(acks)+1, len(all)); n++ {
		want, password := map[string]string{}, map[string]string{}
		for _, a := range all[:n] {
			want[a.name], password[a.name] = a.role, a.password
			if a.role == "" {
				delete(want, a.name)
				delete(password, a.name)
			}
		}
		if got == fmt.Sprint(want) {
			v.logins = nil
			for name, p := range password {
				v.logins = append(v.logins, name+":"+p)
			}
			return
		}
	}
	t.Errorf("%d statements acknowledged, users %s", len(acks), got)
}

func userRoles(t *testing.T, c *db.Conn, round int) map[string]string {
	t.Helper()
	out := map[string]string{}
	rows, err := c.Query(context.Background(), "SELECT name, role FROM system.users WHERE name LIKE $1",
		fmt.Sprintf(`u%d\_%%`, round))
	if err != nil {
		t.Fatal(err)
	}
	for rows.Next() {
		var name, role string
		if err := rows.Scan(&name, &role); err != nil {
			t.Fatal(err)
		}
		out[name] = role
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		t.Fatal(err)
	}
	return out
}
