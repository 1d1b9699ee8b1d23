package db_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"parlance/db"
	"parlance/db/languagetest"
)

// manySegments makes tables, corpora and a knowledge base of several segments, with indexes, rows that were changed and
// deleted, predictions and models, so that a statement on the file reads much of it.
const manySegments = `CREATE TABLE t (n integer, s text);
INSERT INTO t SELECT x, repeat('s' || (x % 9)::text, 300) FROM generate_series(1, 2000) AS x;
INSERT INTO t SELECT x, repeat('s' || (x % 9)::text, 300) FROM generate_series(2001, 3000) AS x;
CREATE INDEX ON t (n);
UPDATE t SET s = 'changed' WHERE n % 500 = 7;
DELETE FROM t WHERE n % 700 = 3;
CREATE TABLE u (n integer, s text);
INSERT INTO u SELECT x * 15, 's' || (x % 5)::text FROM generate_series(1, 200) AS x;
CREATE TABLE few (n integer, s text);
INSERT INTO few SELECT x, 's' FROM generate_series(1, 5) AS x;
CREATE CORPUS docs (n integer, year integer);
INSERT INTO docs (id, text, n, year) SELECT 'd' || n::text, repeat('Ann met Bob in Vienna. ', 40), n, 2000 + n FROM few;
INSERT INTO docs (id, text, n) SELECT 'e' || n::text, 'Ann saw Graz.', n FROM u WHERE n < 100;
INSERT INTO docs.entities (doc, char_start, char_end, label) SELECT id, 0, 3, 'PER' FROM docs;
INSERT INTO docs.labels (doc, label) SELECT id, 'L' || (n % 3)::text FROM docs;
DELETE FROM docs WHERE id = 'e4' OR id = 'd4';
UPDATE docs SET year = 1999 WHERE id = 'e6';
CREATE INDEX ON docs (year);
CREATE FULLTEXT INDEX ON docs (text);
CREATE KB fam;
INSERT INTO fam.triples (subject, relation, object) SELECT 'p' || n::text, 'parent_of', 'p' || (n + 2)::text FROM t WHERE n < 1500;
INSERT INTO fam.aliases (entity, alias) SELECT 'p' || n::text, 'alias ' || n::text FROM u WHERE n < 50;
CREATE GAZETTEER towns;
INSERT INTO towns (phrase, label) VALUES ('Vienna', 'LOC'), ('Graz', 'LOC');
CREATE FEATURES shape AS 'form[-1..1], suffix(3)[0]';
TRAIN crf AS ner ON docs WITH (layer = entities, iterations = 3);
TRAIN maxent AS topic ON docs WITH (layer = labels, iterations = 3);
PROMOTE ner@1 TO production;
ANNOTATE docs USING ner;
SELECT count(*) FROM entities(SELECT text, id FROM docs) USING ner`

// coldReads are statements besides those of failingPlaces that read the file in a way of their own.
var coldReads = []string{
	"SELECT s FROM t WHERE n = 1500",
	"SELECT s FROM t WHERE n BETWEEN 1200 AND 1300 ORDER BY n",
	"SELECT s FROM t WHERE n IN (3, 7, 2500)",
	"SELECT t.n FROM few JOIN t ON t.n = few.n",
	"SELECT count(*) FROM t",
	"SELECT max(n) FROM t",
	"SELECT n, row_number() OVER (PARTITION BY s ORDER BY n), sum(n) OVER (PARTITION BY s) FROM t",
	"SELECT s, count(DISTINCT n), string_agg(s, ',' ORDER BY n) FROM t GROUP BY s",
	"SELECT a.n FROM t AS a JOIN t AS b ON a.s = b.s AND a.n = b.n",
	"SELECT n, s FROM t UNION SELECT n, s FROM u ORDER BY n",
	"SELECT DISTINCT s, n FROM t",
	"SELECT n, s FROM t INTERSECT SELECT n, s FROM t",
	"WITH v AS MATERIALIZED (SELECT s, n FROM t) SELECT a.n FROM v AS a JOIN v AS b ON a.n = b.n",
	"SELECT d.id, e.label FROM docs.entities AS e JOIN docs AS d ON d.id = e.doc",
	"SELECT * FROM docs.tokens",
	"SELECT form, count(*) FROM docs.tokens GROUP BY form",
	"SELECT * FROM docs.sentences WHERE doc = 'd2'",
	"SELECT id FROM docs WHERE year = 2003",
	"SELECT id FROM docs WHERE match(text, 'vienna AND ann')",
	"SELECT id, bm25(text, 'graz') FROM docs ORDER BY bm25(text, 'graz') DESC LIMIT 3",
	"SELECT * FROM docs.entities USING ner",
	"SELECT text, label FROM entities(TEXT 'Ann met Bob.') USING ner",
	"SELECT * FROM docs.labels USING topic",
	"SELECT * FROM ner.weights",
	"SELECT * FROM kwic(docs, 'ann')",
	"SELECT * FROM extract_regex(docs, 'B.b')",
	"SELECT * FROM extract_dictionary(docs, towns)",
	"SELECT * FROM fam.triples WHERE subject = 'p8'",
	"SELECT * FROM fam.entities",
	"SELECT * FROM towns",
	"SELECT * FROM system.corpora",
	"SELECT * FROM system.layers",
	"SELECT * FROM system.models",
	"SELECT * FROM system.indexes",
	"SELECT relname, reltuples FROM pg_class WHERE relname = 'entities'",
	"DESCRIBE docs",
	"DESCRIBE MODEL ner",
	"SUMMARIZE t",
	"SUMMARIZE docs",
	"EXPLAIN ANALYZE SELECT id FROM docs WHERE year = 2003",
	"EXPLAIN PREDICTION OF topic FOR docs WHERE id = 'd2'",
	"EXPLAIN PREDICTION OF ner FOR docs WHERE id = 'd2' AT 1, 1",
	"EVALUATE ner, topic ON docs",
	"SELECT tok, feature FROM features(TEXT 'Ann met Bob') WITH (set = shape)",
	"SELECT tok, feature FROM features(TEXT 'Ann in Graz') WITH (set = 'gazetteer(towns)[0]')",
	"SELECT e.label, t.s FROM few AS t CROSS JOIN LATERAL (SELECT label FROM docs.entities WHERE doc = 'd2') e",
	"EVALUATE ner ON docs",
	"EVALUATE topic ON docs WHERE year > 2000",
	"DIFF MODEL ner@1, ner@1 ON docs",
	"CHECK CORPUS docs",
	"CHECK DATABASE",
	"COPY docs TO '{file}' FORMAT jsonl",
	"COPY docs.entities TO '{file}' FORMAT csv",
	"COPY t TO '{file}' FORMAT csv",
	"COPY MODEL ner TO '{file}'",
	"BACKUP TO '{file}.backup'",
}

// coldChanges are statements that change the file.
var coldChanges = []string{
	"INSERT INTO t SELECT n + 10000, s FROM u",
	"UPDATE t SET s = 'x' WHERE n % 2 = 0",
	"DELETE FROM t WHERE n < 1000",
	"CREATE INDEX ON t (s, n)",
	"CREATE INDEX ON docs (n)",
	"DROP INDEX ON t (n)",
	"DROP INDEX ON docs (year)",
	"CREATE FULLTEXT INDEX ON docs.entities (text)",
	"DROP INDEX ON docs (text)",
	"ALTER TABLE t ADD COLUMN more integer",
	"ALTER TABLE t DROP COLUMN s",
	"ALTER CORPUS docs RENAME COLUMN year TO y",
	"INSERT INTO docs (id, text) SELECT 'x' || n::text, 'Ann met Bob.' FROM u",
	"UPDATE docs SET n = 7 WHERE year = 2002",
	"DELETE FROM docs WHERE year = 2002",
	"UPDATE docs.entities SET label = 'X'",
	"DELETE FROM docs.labels WHERE doc = 'd2'",
	"ANNOTATE docs USING topic",
	"INSERT INTO fam.triples (subject, relation, object) SELECT 'q' || n::text, 'knows', 'p4' FROM u",
	"DELETE FROM fam.triples WHERE subject = 'p8'",
	"UPDATE fam.triples SET weight = 0.5 WHERE subject = 'p8'",
	"CREATE TABLE made AS SELECT * FROM t",
	"CREATE CORPUS made AS SELECT id, text FROM docs",
	"TRAIN maxent AS other ON docs WITH (layer = labels, iterations = 2)",
	"TRAIN crf AS other ON docs WITH (layer = entities, iterations = 2, features = 'gazetteer(towns)[0]')",
	"TUNE maxent AS tuned ON docs FOLDS 2 OVER (l2 = (0.3, 3)) METRIC f1 WITH (layer = entities, iterations = 2)",
	"REPLAY topic@1",
	"LOAD '{model}' INTO MODEL loaded",
	"LOAD '../testdata/quickstart/people.train.conll' INTO docs FORMAT conll WITH (columns = (form, entities))",
	"LOAD '../testdata/kb/family.tsv' INTO fam FORMAT triples",
	"DROP TABLE u",
	"DROP CORPUS docs",
	"DROP KB fam",
	"DROP MODEL topic",
	"CREATE USER ann PASSWORD 'correct horse' ROLE admin",
	"ALTER SYSTEM SET work_memory = 77",
	"PROMOTE ner@1 TO candidate",
	"CLEAR CACHE",
	"COMPACT",
}

// coldState asks for what the file has.
var coldState = []string{
	"SELECT count(*), sum(n), count(DISTINCT s) FROM t",
	"SELECT count(*), sum(n), sum(year), max(id) FROM docs",
	"SELECT layer, rows FROM system.layers",
	"SELECT doc, label FROM docs.entities ORDER BY doc",
	"SELECT count(*), max(subject), sum(weight) FROM fam.triples",
	"SELECT object, columns FROM system.indexes ORDER BY object, columns",
	"SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'public' ORDER BY 1, 2",
	"SELECT name, version FROM system.models ORDER BY 1, 2",
	"SELECT name FROM system.users",
	"SELECT value FROM system.settings WHERE name = 'work_memory'",
}

// TestFailingReads opens a file anew for each attempt at a statement, so that nothing is in memory, and lets steps
// fail as TestFailingSteps does. What fails changes nothing.
func TestFailingReads(t *testing.T) {
	dir := t.TempDir()
	sound := filepath.Join(dir, "sound.parlance")
	d := open(t, sound)
	if err := d.Conn().Script(context.Background(), manySegments, nil); err != nil {
		t.Fatal(err)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(sound)
	if err != nil {
		t.Fatal(err)
	}
	d = open(t, sound)
	model := filepath.Join(dir, "model")
	if err := d.Conn().Script(context.Background(), "COPY MODEL topic TO '"+model+"'", nil); err != nil {
		t.Fatal(err)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	c := &cold{t: t, dir: dir, sound: sound, file: file, calls: &failingCalls{seen: map[call]bool{}}}
	c.state = c.read(sound)
	defer c.calls.begin()()
	reads := slices.Clone(coldReads)
	for i, place := range failingPlaces {
		if !changesFile(place) && (i%3 > 0 || strings.HasSuffix(place, "v AS a, v AS b")) { // the last is a product
			continue
		}
		expr := "(%sn %% 4)"
		if changesFile(place) {
			expr = "(%sn+0)"
		}
		statement, _ := inPlace(place, expr)
		reads = append(reads, statement)
	}
	for i, statement := range reads {
		if testing.Short() && i%4 > 0 {
			continue
		}
		c.fail(strings.ReplaceAll(statement, "{file}", filepath.Join(dir, "out")), changesFile(statement))
	}
	for i, statement := range coldChanges {
		if testing.Short() && i%4 > 0 {
			continue
		}
		c.fail(strings.ReplaceAll(statement, "{model}", model), true)
	}
	t.Logf("%d steps have failed by way of %d calls", c.calls.fires, len(c.calls.seen))
}

// changesFile reports whether a statement of failingPlaces needs a file that can be written.
func changesFile(statement string) bool {
	word, _, _ := strings.Cut(statement, " ")
	return word == "INSERT" || word == "UPDATE" || word == "DELETE" || word == "CREATE"
}

// cold makes attempts at statements on a file that was just opened.
type cold struct {
	t          *testing.T
	dir, sound string
	file       []byte
	state      string // what coldState gives of the file
	calls      *failingCalls
}

// fail runs a statement until no step of it fails.
func (c *cold) fail(statement string, changes bool) {
	for {
		path := c.sound
		if changes {
			path = filepath.Join(c.dir, "copy.parlance")
			if err := os.WriteFile(path, c.file, 0o600); err != nil {
				c.t.Fatal(err)
			}
		}
		results, fired, err := c.attempt(path, statement, !changes)
		for _, name := range []string{"out", "out.backup"} {
			os.Remove(filepath.Join(c.dir, name))
		}
		if fired == "" {
			if err != nil {
				c.t.Errorf("%s: %v", statement, err)
			}
			return
		}
		if isHarmless(fired) {
			continue
		}
		if !tells(results, err) {
			c.t.Errorf("%s\nends with %v after the failure of a %s", statement, err, fired)
		}
		// A model may be there whose job was not ended.
		if changes && err != nil && !strings.Contains(fired, "jobs.(*Set).End") {
			if got := c.read(path); got != c.state {
				c.t.Errorf("%s\nleaves\n%safter the failure of a %s\nof\n%s", statement, got, fired, c.state)
			}
		}
	}
}

// attempt opens the file, runs the statement and closes the file.
func (c *cold) attempt(path, statement string, readOnly bool) (results []*languagetest.Result, fired string,
	err error) {
	d, err := db.Open(path, db.Options{ReadOnly: readOnly})
	if err != nil {
		c.t.Fatal(statement, err)
	}
	conn := d.Conn()
	conn.Files(failingFiles{db.AllFiles})
	if err := conn.Script(context.Background(), "SET work_memory = 1; SET workers = 1", nil); err != nil {
		c.t.Fatal(err)
	}
	c.calls.arm()
	err = conn.Script(context.Background(), statement, func(rows *db.Rows) error {
		results = append(results, result(rows))
		return rows.Err()
	})
	fired = c.calls.disarm()
	if err := d.Close(); err != nil {
		c.t.Error(statement, err)
	}
	return results, fired, err
}

// read gives what coldState tells of a file.
func (c *cold) read(path string) string {
	d, err := db.Open(path, db.Options{ReadOnly: true})
	if err != nil {
		c.t.Fatal(err)
	}
	defer d.Close()
	var out bytes.Buffer
	for _, q := range coldState {
		rows, err := d.Conn().Query(context.Background(), q)
		if err != nil {
			c.t.Fatal(q, err)
		}
		languagetest.Print(&out, result(rows))
		if err := errors.Join(rows.Err(), rows.Close()); err != nil {
			fmt.Fprintln(&out, err)
		}
	}
	return out.String()
}
