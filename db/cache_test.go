package db_test

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"testing"

	"parlance/db"
)

// counts reads hits and misses of the annotate node of a query.
func counts(t *testing.T, c *db.Conn, q string) (hits, misses int) {
	t.Helper()
	plan := text(t, c, "EXPLAIN ANALYZE "+q)
	m := regexp.MustCompile(`hits=(\d+) misses=(\d+)`).FindStringSubmatch(plan)
	if m == nil {
		t.Fatalf("no counts in\n%s", plan)
	}
	hits, _ = strconv.Atoi(m[1])
	misses, _ = strconv.Atoi(m[2])
	return hits, misses
}

func script(t *testing.T, c *db.Conn, s string) {
	t.Helper()
	if err := c.Script(context.Background(), s, nil); err != nil {
		t.Fatal(err)
	}
}

// TestCacheComputesWhatChanged inserts one document into 10,000 and edits a gazetteer.
func TestCacheComputesWhatChanged(t *testing.T) {
	d := open(t, t.TempDir()+"/cache.parlance")
	c := d.Conn()
	script(t, c, `CREATE CORPUS gold;
LOAD '../testdata/quickstart/people.train.conll' INTO gold FORMAT conll WITH (columns = (form, entities));
CREATE GAZETTEER cities;
INSERT INTO cities VALUES ('New York', 'CITY'), ('Oslo', 'CITY');
CREATE FEATURES mine AS 'form[0], shape[0], gazetteer(cities)[0]';
TRAIN crf AS plain ON gold WITH (iterations = 5);
TRAIN crf AS gaz ON gold WITH (iterations = 5, features = mine);
CREATE CORPUS docs;`)
	n := 3000 // some segments
	if testing.Short() {
		n = 500
	}
	insert := ""
	for i := range n {
		if i > 0 {
			insert += ","
		}
		insert += fmt.Sprintf("('d%d','Ann Lee number %d went to Oslo.')", i, i)
	}
	script(t, c, "INSERT INTO docs (id, text) VALUES "+insert)
	expect := func(what, model string, hits, misses int) {
		t.Helper()
		if h, m := counts(t, c, "SELECT count(*) FROM docs.entities USING "+model); h != hits || m != misses {
			t.Errorf("%s: %s has %d hits and %d misses, want %d and %d", what, model, h, m, hits, misses)
		}
	}
	expect("first", "plain", 0, n)
	expect("first", "gaz", 0, n)
	expect("again", "plain", n, 0)
	script(t, c, "INSERT INTO docs (id, text) VALUES ('new', 'Bob went too.')")
	expect("after one insertion", "plain", n, 1)
	expect("after one insertion", "gaz", n, 1)
	script(t, c, "UPDATE cities SET label = 'TOWN' WHERE phrase = 'Oslo'")
	expect("after a gazetteer row", "gaz", 0, n+1)
	expect("after a gazetteer row", "plain", n+1, 0)
	script(t, c, "UPDATE cities SET label = 'CITY' WHERE phrase = 'Oslo'")
	expect("gazetteer as it was", "gaz", n+1, 0)
	before := text(t, c, "SELECT * FROM docs.entities USING gaz")
	script(t, c, "SET cache = off")
	if text(t, c, "SELECT * FROM docs.entities USING gaz") != before {
		t.Error("cached and computed answers differ")
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	c = open(t, d.Path()).Conn()
	expect("after reopening", "plain", n+1, 0)
	script(t, c, "CLEAR CACHE FOR plain; CHECK DATABASE")
	expect("cleared", "plain", 0, n+1)
	expect("cleared the other", "gaz", n+1, 0)
}

// TestNodesShareAnnotation joins two layers of the same model: each document is annotated once,
// with and without the cache.
func TestNodesShareAnnotation(t *testing.T) {
	d := open(t, "")
	c := d.Conn()
	script(t, c, `CREATE CORPUS docs;
LOAD '../testdata/quickstart/people.test.conll' INTO docs FORMAT conll WITH (columns = (form, entities));
TRAIN crf AS ner ON docs WITH (iterations = 5);`)
	q := "SELECT count(*) FROM docs.entities a USING ner JOIN docs.entities b USING ner ON a.doc = b.doc AND a.sent = " +
		"b.sent WHERE a.label <> b.label"
	var answers []string
	for _, cache := range []string{"off", "on"} {
		script(t, c, "SET cache = "+cache)
		plan := text(t, c, "EXPLAIN ANALYZE "+q)
		hits, misses := 0, 0
		for _, m := range regexp.MustCompile(`hits=(\d+) misses=(\d+)`).FindAllStringSubmatch(plan, -1) {
			h, _ := strconv.Atoi(m[1])
			n, _ := strconv.Atoi(m[2])
			hits, misses = hits+h, misses+n
		}
		if hits != 15 || misses != 15 {
			t.Errorf("cache %s: %d hits and %d misses of two nodes over 15 documents:\n%s", cache, hits, misses, plan)
		}
		answers = append(answers, text(t, c, q))
	}
	if answers[0] != answers[1] {
		t.Errorf("answers differ: %v", answers)
	}
}
