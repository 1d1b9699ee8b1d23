package db_test

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"parlance/algo/testutil/realdata"
	"parlance/db"
)

// record returns the first row of a statement by the names of its columns; NULL is "∅".
func record(t *testing.T, c *db.Conn, q string, args ...any) map[string]string {
	t.Helper()
	rows, err := c.Query(context.Background(), q, args...)
	if err != nil {
		t.Fatalf("%s: %v", q, err)
	}
	defer rows.Close()
	out := map[string]string{}
	if rows.Next() {
		for i, v := range rows.Values() {
			out[rows.Columns()[i].Name] = v.String()
			if v.IsNull() {
				out[rows.Columns()[i].Name] = "∅"
			}
		}
	}
	if err := rows.Err(); err != nil {
		t.Fatalf("%s: %v", q, err)
	}
	return out
}

const people = `CREATE CORPUS docs (split TEXT);
LOAD '../testdata/quickstart/people.train.conll' INTO docs FORMAT conll WITH (columns = (form, entities)) SET split = 'train';
LOAD '../testdata/quickstart/people.test.conll' INTO docs FORMAT conll WITH (columns = (form, entities)) SET split = 'test';
CREATE GAZETTEER cities;
INSERT INTO cities VALUES ('Oslo', 'CITY'), ('New York', 'CITY');
CREATE FEATURES mine AS 'form[0], shape[0], gazetteer(cities)[0]';
`

// fails checks the code and a part of the message of an error.
func fails(t *testing.T, c *db.Conn, q, code, message string) {
	t.Helper()
	_, err := c.Exec(context.Background(), q)
	var e *db.Error
	if !errors.As(err, &e) || e.Code != code || !strings.Contains(e.Error(), message) {
		t.Errorf("%s: %v, want %s %s", q, err, code, message)
	}
}

// replayed checks one REPLAY; note is a part of what it says, "∅" for nothing.
func replayed(t *testing.T, c *db.Conn, model, equal, source, resources, note string) {
	t.Helper()
	got := record(t, c, "REPLAY "+model)
	if got["equal"] != equal || got["source_changed"] != source || got["resources_changed"] != resources ||
		!strings.Contains(got["note"], note) {
		t.Errorf("REPLAY %s: %v", model, got)
	}
	if (got["recorded"] == got["replayed"]) != (equal == "true") || len(got["replayed"]) != 64 {
		t.Errorf("REPLAY %s: hashes %s and %s", model, got["recorded"], got["replayed"])
	}
}

// TestReplay trains versions again: equal while all is as it was, also with parameters, a model
// to start from, held-out documents and a feature set that is gone; then one input after the
// other changes.
func TestReplay(t *testing.T) {
	c := open(t, "").Conn()
	script(t, c, people+`TRAIN crf AS ner ON docs WHERE split = 'train' WITH (iterations = 3);
TRAIN crf AS ner ON docs WHERE split = 'train' WITH (iterations = 4, l2 = 0.5, init = 'ner@1', seed = 7);
TRAIN crf AS gaz ON docs WHERE split = 'train' VALIDATE ON docs WHERE split = 'test' WITH (iterations = 3, features = mine);
DROP FEATURES mine; SET workers = 1`)
	if _, err := c.Exec(context.Background(),
		"TRAIN maxent AS tagger ON docs WHERE split = $1 WITH (layer = $2, iterations = $3)", "test", "entities",
		6); err != nil {
		t.Fatal(err)
	}
	for _, m := range []string{"ner@1", "ner@2", "gaz", "tagger"} {
		replayed(t, c, m, "true", "false", "∅", "∅")
	}
	if n := text(t, c, "SELECT count(*) FROM ner.versions"); !strings.Contains(n, "2") {
		t.Errorf("versions after REPLAY: %s", n)
	}
	script(t, c, "ANNOTATE docs USING ner; PROMOTE ner@1 TO production")
	replayed(t, c, "ner@2", "true", "false", "∅", "∅")
	script(t, c, "INSERT INTO cities VALUES ('Maria', 'CITY'), ('Acme', 'CITY')")
	replayed(t, c, "gaz", "false", "false", "cities", "gazetteer cities has changed")
	script(t, c, "DELETE FROM docs WHERE id = (SELECT min(id) FROM docs WHERE split = 'train')")
	replayed(t, c, "ner@1", "false", "true", "∅", "the inputs are not those of then")
}

// TestReplayAfterChanges: after changes that leave everything as it was the documents are in the order of then, and the
// weights are the same to the byte. Documents in another order are another input.
func TestReplayAfterChanges(t *testing.T) {
	c := open(t, "").Conn()
	script(t, c, people+`INSERT INTO docs.labels (doc, label) SELECT id, CASE WHEN text LIKE '%Oslo%' THEN 'a' ELSE 'b' END FROM docs;
TRAIN crf AS ner ON docs WITH (iterations = 5);
TRAIN perceptron AS steps ON docs WITH (layer = 'entities', epochs = 2);
TRAIN maxent AS classes ON docs WITH (layer = 'labels', iterations = 5)`)
	for _, change := range []string{
		"UPDATE docs SET split = split WHERE id = 'people.train.conll:3'",
		"UPDATE docs SET split = split WHERE length(text) > 60",
		"UPDATE docs.entities SET label = label WHERE doc LIKE '%5'",
		"UPDATE docs SET text = text WHERE split = 'nothing'",
		"UPDATE docs SET split = upper(split); UPDATE docs SET split = lower(split)",
		"BEGIN; UPDATE docs SET split = 'x' WHERE id LIKE '%7'; ROLLBACK; COMPACT",
	} {
		script(t, c, change)
		for _, m := range []string{"ner", "steps", "classes"} {
			replayed(t, c, m, "true", "false", "∅", "∅")
		}
	}
}

// TestReplayInAnotherOrder: the same documents in another order are another input.
func TestReplayInAnotherOrder(t *testing.T) {
	c := open(t, "").Conn()
	script(t, c, `CREATE CORPUS docs; INSERT INTO docs (id, text) VALUES ('a', 'one'), ('b', 'two'), ('c', 'three');
INSERT INTO docs.labels (doc, label) VALUES ('a', 'x'), ('b', 'y'), ('c', 'x'); TRAIN maxent AS m ON docs WITH (iterations = 3);
UPDATE docs SET text = text WHERE id = 'nothing'; UPDATE docs.labels SET label = label WHERE doc = 'a'`)
	replayed(t, c, "m", "true", "false", "∅", "∅")
	script(t, c, `DELETE FROM docs WHERE id = 'a'; INSERT INTO docs (id, text) VALUES ('a', 'one');
INSERT INTO docs.labels (doc, label) VALUES ('a', 'x')`)
	if got := record(t, c, "REPLAY m"); got["source_changed"] != "true" {
		t.Errorf("documents in another order: %v", got)
	}
}

// TestReplayWithResourcesInAnotherOrder: a lexicon answers with the first row of a word, so its order is an input, and
// a part of what predictions are kept under. Changes that leave rows where they were are none.
func TestReplayWithResourcesInAnotherOrder(t *testing.T) {
	c := open(t, "").Conn()
	script(t, c, people+`CREATE LEXICON kinds (word TEXT, kind TEXT);
INSERT INTO kinds VALUES ('Oslo', 'city'), ('Oslo', 'firm'), ('Maria', 'name'), ('Acme', 'firm');
CREATE FEATURES mine2 AS 'lower[0], lexicon(kinds, kind)[-1..1], gazetteer(cities)[0]';
TRAIN crf AS ner ON docs WHERE split = 'train' WITH (iterations = 3, features = mine2)`)
	const said = "SELECT string_agg(text || ' ' || label || ' ' || prob, '; ') FROM entities(TEXT 'Maria flew to " +
		"Oslo.') USING ner"
	before := text(t, c, said)
	for _, change := range []string{
		"UPDATE kinds SET kind = kind",
		"UPDATE kinds SET kind = upper(kind) WHERE kind = 'city'; UPDATE kinds SET kind = 'city' WHERE kind = 'CITY'",
		"INSERT INTO kinds VALUES ('Bob', 'name'); DELETE FROM kinds WHERE kind = 'name' AND word = 'Bob'; COMPACT",
		"DELETE FROM kinds WHERE word = 'Acme'; INSERT INTO kinds VALUES ('Acme', 'firm')", // the last one
	} {
		script(t, c, change)
		replayed(t, c, "ner", "true", "false", "∅", "∅")
	}
	if now := text(t, c, said); now != before {
		t.Errorf("after changes that change nothing: %s, before: %s", now, before)
	}
	const turn = "DELETE FROM kinds WHERE kind = 'city'; INSERT INTO kinds VALUES ('Oslo', 'city')"
	script(t, c, turn)
	replayed(t, c, "ner", "false", "false", "kinds", "lexicon kinds is in another order")
	if now := text(t, c, said); now == before {
		t.Errorf("kept predictions answer for another order of the lexicon: %s", now)
	}
	if got := text(t, c, "DESCRIBE ner"); !strings.Contains(got, "another order") {
		t.Errorf("DESCRIBE: %s", got)
	}
	script(t, c, "DELETE FROM kinds WHERE kind = 'firm' AND word = 'Oslo'; DELETE FROM kinds WHERE word <> 'Oslo'; "+
		"INSERT INTO kinds VALUES ('Oslo', 'firm'), ('Maria', 'name'), ('Acme', 'firm')") // the order of the beginning
	replayed(t, c, "ner", "true", "false", "∅", "∅")
	if now := text(t, c, said); now != before {
		t.Errorf("in the order of then: %s, before: %s", now, before)
	}
}

// upstream has a tagger and a model that learned from what it predicts.
const upstream = people + `CREATE CORPUS tagged;
INSERT INTO tagged (id, text) VALUES ('t', 'Ann Lee flew to Oslo. Bob saw New York.');
UPDATE tagged.tokens SET upos = 'PROPN' WHERE form ~ '^[A-Z]';
UPDATE tagged.tokens SET upos = 'X' WHERE NOT form ~ '^[A-Z]';
TRAIN maxent AS tagger ON tagged WITH (layer = 'upos', iterations = 5);
TRAIN crf AS ner ON docs WHERE split = 'train' USING tagger WITH (iterations = 4, features = 'form[0], upos[-1..1]');
`

// TestReplayUpstream replays a model that learned from the predictions of another: pinned, also
// when a newer one is in production. What a model was trained with cannot be dropped.
func TestReplayUpstream(t *testing.T) {
	c := open(t, "").Conn()
	script(t, c, upstream+`UPDATE tagged.tokens SET upos = 'VERB' WHERE form = 'flew';
TRAIN maxent AS tagger ON tagged WITH (layer = 'upos', iterations = 3); PROMOTE tagger@2 TO production`)
	replayed(t, c, "ner", "true", "false", "∅", "∅")
	fails(t, c, "DROP MODEL tagger@1", "2BP01", "ner@1")
	got := record(t, c, "REPLAY tagger@1")
	if got["source_changed"] != "true" {
		t.Errorf("REPLAY tagger@1: %v", got)
	}
}

// TestReplayOfJackknife trains models again that learned from predictions of other folds.
func TestReplayOfJackknife(t *testing.T) {
	c := open(t, "").Conn()
	script(t, c,
		`CREATE CORPUS docs; INSERT INTO docs (id, text) VALUES ('a', 'one'), ('b', 'two'), ('c', 'three'), ('d', 'four'), ('e', 'five');
INSERT INTO docs.labels (doc, label) VALUES ('a', 'x'), ('b', 'y'), ('c', 'x'), ('d', 'y'), ('e', 'x');
TRAIN memory AS m ON docs; TRAIN inputs_seen AS fair ON docs USING m WITH (jackknife = 3, seed = 5);
TRAIN inputs_seen AS other ON docs USING m WITH (jackknife = 2); SET workers = 1; TRAIN memory AS m ON docs WHERE id = 'a'`)
	replayed(t, c, "fair", "true", "false", "∅", "∅")
	replayed(t, c, "other", "true", "false", "∅", "∅")
	if a, b := text(t, c, "SELECT line FROM fair.inputs"), text(t, c, "SELECT line FROM other.inputs"); a == b ||
		strings.Contains(a+b, "[seen") {
		t.Errorf("3 and 2 folds give\n%s\n%s", a, b)
	}
}

// TestReplayOfARealCorpus trains by all workers and replays by one.
func TestReplayOfARealCorpus(t *testing.T) {
	dir := realdata.Folder(t)
	c := open(t, "").Conn()
	script(t, c, "CREATE CORPUS docs; LOAD '"+filepath.Join(dir, "ner", "conll2002.ned.testa")+
		`' INTO docs FORMAT conll2002;
TRAIN crf AS ner ON docs WITH (layer = 'entities', iterations = 10); SET workers = 1`)
	replayed(t, c, "ner", "true", "false", "∅", "∅")
}

// TestReplayImpossible checks what is said where nothing can be trained.
func TestReplayImpossible(t *testing.T) {
	c := open(t, "").Conn()
	script(t, c, people+`TRAIN crf AS ner ON docs WITH (iterations = 3); DROP CORPUS docs`)
	fails(t, c, "REPLAY ner", "42P01", "ner@1 cannot be trained again: there is no corpus docs")
	fails(t, c, "REPLAY ner@7", "42704", "no version 7")
}

// TestReplayTellsOfOrder: what a training reads in another order are other inputs; what it does not read is none of
// them.
func TestReplayTellsOfOrder(t *testing.T) {
	c := open(t, "").Conn()
	script(t, c, `CREATE CORPUS docs (n INTEGER, other TEXT);
INSERT INTO docs (id, text, n) SELECT 'd' || i, 'word' || i || ' here', i FROM generate_series(1, 6) AS g(i);
INSERT INTO docs.labels (doc, label) SELECT id, CASE WHEN n % 2 = 0 THEN 'even' ELSE 'odd' END FROM docs;
CREATE CORPUS chosen; INSERT INTO chosen (id, text) VALUES ('d1', ''), ('d2', ''), ('d3', '');
CREATE LEXICON pairs (word TEXT, partner TEXT, weight FLOAT, note TEXT);
INSERT INTO pairs VALUES ('a', 'b', 1, 'x'), ('c', 'd', 2, 'y');
TRAIN maxent AS m ON docs WHERE n > 0 WITH (iterations = 3);
TRAIN maxent AS some ON docs WHERE id IN (SELECT id FROM chosen) WITH (iterations = 3);
TRAIN partners AS p ON pairs WHERE weight > 0`)
	for _, m := range []string{"m", "some", "p"} {
		replayed(t, c, m, "true", "false", "∅", "∅")
	}
	script(t, c, "UPDATE docs SET other = 'unread', n = n + 1; UPDATE pairs SET note = 'unread'")
	for _, m := range []string{"m", "some", "p"} {
		if got := record(t, c, "REPLAY "+m); got["source_changed"] != "false" {
			t.Errorf("columns that are not read are changed: %v", got)
		}
	}
	script(t, c, "DELETE FROM pairs WHERE word = 'a'; INSERT INTO pairs VALUES ('a', 'b', 1, 'x')")
	replayed(t, c, "p", "false", "true", "∅", "the inputs are not those of then")
	script(t, c, `DELETE FROM docs WHERE id = 'd1'; INSERT INTO docs (id, text, n) VALUES ('d1', 'word1 here', 2);
INSERT INTO docs.labels (doc, label) VALUES ('d1', 'odd')`)
	for _, m := range []string{"m", "some"} {
		if got := record(t, c, "REPLAY "+m); got["source_changed"] != "true" {
			t.Errorf("the first document stands at the end: %v", got)
		}
	}
}

// TestReplayTellsOfSelection: the documents that a subselect of the filter chooses are part of the inputs.
func TestReplayTellsOfSelection(t *testing.T) {
	c := open(t, "").Conn()
	script(t, c, `CREATE CORPUS docs; INSERT INTO docs (id, text) VALUES ('a', 'one'), ('b', 'two'), ('c', 'three');
INSERT INTO docs.labels (doc, label) VALUES ('a', 'x'), ('b', 'y'), ('c', 'x');
CREATE CORPUS chosen; INSERT INTO chosen (id, text) VALUES ('a', ''), ('b', '');
TRAIN memory AS m ON docs WHERE id IN (SELECT id FROM chosen)`)
	replayed(t, c, "m", "true", "false", "∅", "∅")
	script(t, c, "INSERT INTO chosen (id, text) VALUES ('c', '')")
	replayed(t, c, "m", "false", "true", "∅", "the inputs are not those of then")
}
