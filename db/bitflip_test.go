package db_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"parlance/db"
	"parlance/db/languagetest"
)

// everyObject makes objects of all kinds, rows that were changed, and what is kept beside them.
const everyObject = `CREATE CORPUS docs (source TEXT, year INTEGER);
LOAD '../testdata/quickstart/people.train.conll' INTO docs FORMAT conll WITH (columns = (form, entities)) SET source = 'people', year = 2001;
INSERT INTO docs (id, text, year) VALUES ('one', 'Ann lives in Vienna.', 2002), ('two', 'Bob left Graz for Linz.', 2003);
DELETE FROM docs WHERE id = 'two';
CREATE INDEX ON docs (year);
CREATE FULLTEXT INDEX ON docs (text);
CREATE FEATURES shape AS 'form[-1..1], suffix(3)[0]';
CREATE GAZETTEER towns;
INSERT INTO towns (phrase, label) VALUES ('Vienna', 'LOC'), ('Graz', 'LOC'), ('Linz', 'LOC');
CREATE LEXICON lex (word TEXT, bits TEXT, n INTEGER);
INSERT INTO lex SELECT 'word' || i, repeat('01', i % 7), i FROM generate_series(1, 900) AS s(i);
CREATE INDEX ON lex (word);
UPDATE lex SET n = -n WHERE n % 100 = 7;
DELETE FROM lex WHERE n = 500;
CREATE KB fam;
LOAD '../testdata/kb/family.tsv' INTO fam FORMAT triples;
LOAD '../testdata/kb/types.tsv' INTO fam FORMAT types;
LOAD '../testdata/kb/aliases.tsv' INTO fam FORMAT aliases;
TRAIN crf AS ner ON docs WITH (iterations = 3);
PROMOTE ner@1 TO production;
ANNOTATE docs USING ner;
SELECT count(*) FROM entities(SELECT text, id FROM docs) USING ner;
CREATE USER ann WITH PASSWORD 'correct horse' ROLE admin;
CREATE USER bob PASSWORD 'battery staple';
ALTER SYSTEM SET work_memory = 77;`

// everyQuery asks for all of it, by scans and by indexes.
var everyQuery = []string{
	"SELECT id, text, source, year FROM docs",
	"SELECT id FROM docs WHERE year = 2002",
	"SELECT id, text FROM docs WHERE id = 'one'",
	"SELECT * FROM docs.tokens",
	"SELECT * FROM docs.entities",
	"SELECT id FROM docs WHERE match(text, 'Vienna OR in')",
	"SELECT feature FROM features(TEXT 'Ann lives') WITH (set = shape)",
	"SELECT * FROM towns",
	"SELECT * FROM lex",
	"SELECT n FROM lex WHERE word = 'word707'",
	"SELECT n FROM lex WHERE word = 'word1'",
	"SELECT * FROM fam.triples",
	"SELECT object FROM fam.triples WHERE subject = 'ann'",
	"SELECT * FROM fam.entities",
	"SELECT * FROM fam.aliases",
	"SELECT text, label, prob FROM entities(TEXT 'Ann lives in Vienna.') USING ner",
	"SELECT count(*) FROM ner.weights",
	"SELECT name, version, kind, layer FROM system.models",
	"SELECT name, documents, tokens, columns, layers FROM system.corpora",
	"SELECT object, layer, columns, kind FROM system.indexes",
	"SELECT * FROM system.lexicons",
	"SELECT * FROM system.gazetteers",
	"SELECT * FROM system.kbs",
	"SELECT * FROM system.features",
	"SELECT * FROM system.promotions",
	"SELECT statement, state FROM system.jobs",
	"SELECT name, role FROM system.users",
	"SELECT value FROM system.settings WHERE name = 'work_memory'",
}

// answers runs the queries; an error stands for its answer.
func answers(t *testing.T, path string, o db.Options) (out []string, failed []error) {
	t.Helper()
	out, failed = make([]string, len(everyQuery)), make([]error, len(everyQuery))
	d, err := db.Open(path, o)
	if err != nil {
		for i := range failed {
			failed[i] = err
		}
		return out, failed
	}
	defer d.Close()
	c := d.Conn()
	for i, q := range everyQuery {
		rows, err := c.Query(context.Background(), q)
		if err == nil {
			var b bytes.Buffer
			languagetest.Print(&b, result(rows))
			out[i], err = b.String(), errors.Join(rows.Err(), rows.Close())
		}
		failed[i] = err
	}
	return out, failed
}

// TestFlippedBits flips bits of a file, one at a time: what is asked gives the answer of before, or an error that
// says that data is damaged.
func TestFlippedBits(t *testing.T) {
	sound, want := everyFile(t)
	flips := 2000
	if testing.Short() {
		flips = 300
	}
	var noticed atomic.Int32
	t.Run("flips", func(t *testing.T) {
		const shards = 4
		for n := range shards {
			t.Run(fmt.Sprint(n), func(t *testing.T) {
				t.Parallel()
				for i, at := range places(sound, flips)[n*flips/shards : (n+1)*flips/shards] {
					if flipped(t, sound, want, at, db.Options{ReadOnly: i%4 > 0}) {
						noticed.Add(1)
					}
				}
			})
		}
	})
	if t.Logf("%d of %d flips are noticed", noticed.Load(), flips); int(noticed.Load()) < flips/2 {
		t.Errorf("only %d of %d flips are noticed", noticed.Load(), flips)
	}
}

// everyWrite changes objects of all kinds.
var everyWrite = []string{
	"INSERT INTO docs (id, text, year) VALUES ('three', 'Cid left Linz.', 2004)",
	"UPDATE docs SET year = 2005 WHERE id = 'one'",
	"DELETE FROM docs WHERE year = 2001 AND match(text, 'Vienna')",
	"INSERT INTO towns (phrase, label) VALUES ('Wels', 'LOC')",
	"UPDATE lex SET n = n + 1000 WHERE n % 10 = 3",
	"DELETE FROM lex WHERE word = 'word9' OR n % 100 = 1",
	"INSERT INTO fam.triples (subject, relation, object) VALUES ('zoe', 'knows', 'ann')",
	"DELETE FROM fam.triples WHERE subject = 'bob'",
	"CREATE USER cid WITH PASSWORD 'staple horse' ROLE reader",
	"ALTER SYSTEM SET work_memory = 99",
	"CREATE INDEX ON lex (n)",
	"CLEAR CACHE",
	"CHECK DATABASE",
}

// write runs everyWrite, and returns the errors.
func write(path string) (failed []error) {
	d, err := db.Open(path, db.Options{})
	if err != nil {
		return []error{err}
	}
	for _, q := range everyWrite {
		if err := d.Conn().Script(context.Background(), q, nil); err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", q, err))
		}
	}
	if err := d.Close(); err != nil {
		failed = append(failed, err)
	}
	return failed
}

// TestWritesAfterFlippedBits flips bits of a file, one at a time, and writes to it: either something says that data is
// damaged, or the file has what it should have then.
func TestWritesAfterFlippedBits(t *testing.T) {
	sound, _ := everyFile(t)
	path := filepath.Join(t.TempDir(), "sound")
	if err := os.WriteFile(path, sound, 0o600); err != nil {
		t.Fatal(err)
	}
	if failed := write(path); failed != nil {
		t.Fatal(failed)
	}
	want, failed := answers(t, path, db.Options{ReadOnly: true})
	if err := errors.Join(failed...); err != nil {
		t.Fatal(err)
	}
	flips := 200
	if testing.Short() {
		flips = 20
	}
	noticed := 0
	for _, at := range places(sound, 2000+flips)[2000:] {
		bad := bytes.Clone(sound)
		bad[at/8] ^= 1 << (at % 8)
		if err := os.WriteFile(path, bad, 0o600); err != nil {
			t.Fatal(err)
		}
		failed := write(path)
		for _, err := range failed {
			sayDamaged(t, at, "writing", err)
		}
		if failed != nil {
			noticed++
			continue
		}
		got, failed := answers(t, path, db.Options{ReadOnly: true})
		for k, q := range everyQuery {
			if failed[k] != nil || got[k] != want[k] {
				t.Errorf("bit %d of byte %d: %s\ngives %s, %v\nwant  %s", at%8, at/8, q, got[k], failed[k], want[k])
			}
		}
	}
	if t.Logf("%d of %d flips are noticed", noticed, flips); noticed < flips/2 {
		t.Errorf("only %d of %d flips are noticed", noticed, flips)
	}
}

// everyFile is a file with everyObject, and the answers to everyQuery.
func everyFile(t *testing.T) (file []byte, want []string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x.parlance")
	d := open(t, path)
	if err := d.Conn().Script(context.Background(), everyObject+"COMPACT", nil); err != nil {
		t.Fatal(err)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	want, failed := answers(t, path, db.Options{ReadOnly: true})
	for i, err := range failed {
		if err != nil || strings.Count(want[i], "\n") < 2 {
			t.Fatalf("%s: %q, %v", everyQuery[i], want[i], err)
		}
	}
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return file, want
}

// flipped asks a file with another bit, and reports whether anything is an error.
func flipped(t *testing.T, sound []byte, want []string, at int, o db.Options) (noticed bool) {
	t.Helper()
	bad := bytes.Clone(sound)
	bad[at/8] ^= 1 << (at % 8)
	file := filepath.Join(t.TempDir(), fmt.Sprint(at))
	if err := os.WriteFile(file, bad, 0o600); err != nil {
		t.Fatal(err)
	}
	got, failed := answers(t, file, o)
	for k, q := range everyQuery {
		switch {
		case failed[k] != nil:
			noticed = true
			sayDamaged(t, at, q, failed[k])
		case got[k] != want[k]:
			t.Errorf("bit %d of byte %d: %s\ngives %s\nwant  %s", at%8, at/8, q, got[k], want[k])
		}
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	return noticed
}

// places are bits of a file, in pages that have something.
func places(file []byte, n int) []int {
	random := rand.New(rand.NewPCG(1, 2))
	var pages []int
	size := os.Getpagesize()
	for at := 0; at+size <= len(file); at += size {
		if bytes.Count(file[at:at+size], []byte{0}) < size {
			pages = append(pages, at)
		}
	}
	out := make([]int, n)
	for i := range out {
		out[i] = 8*pages[random.IntN(len(pages))] + random.IntN(8*size)
	}
	return out
}

// sayDamaged checks the error of a statement on a damaged file.
func sayDamaged(t *testing.T, at int, q string, err error) {
	t.Helper()
	var e *db.Error
	coded := errors.As(err, &e)
	switch {
	case strings.Contains(err.Error(), "runtime error"), strings.Contains(err.Error(), "assertion"), coded &&
		e.Code == "XX000":
	case coded && e.Code == "XX001", strings.Contains(err.Error(), "not a parlance database"):
		return
	}
	t.Errorf("bit %d of byte %d: %s: %v", at%8, at/8, q, err)
}
