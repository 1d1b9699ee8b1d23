package db_test

import (
	"strings"
	"testing"

	"parlance/db"
)

// TestCompleteIsBounded refuses a relation of a model that would score too much, LIMIT or not, and EXPLAIN tells how much it is.
func TestCompleteIsBounded(t *testing.T) {
	d, err := db.Open("", db.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	conn := d.Conn()
	script(t, conn, `CREATE KB k; INSERT INTO k.triples (subject, relation, object) VALUES ('a', 'likes', 'b'), ('b', 'likes', 'c'), ('c', 'knows', 'a');
TRAIN transe AS m ON k WITH (dim = 2, epochs = 1, types = 'none')`)
	if got := text(t, conn, "EXPLAIN SELECT * FROM m.complete() LIMIT 3"); !strings.Contains(got, "estimated triples=18") {
		t.Errorf("EXPLAIN: %s", got)
	}
	if got := text(t, conn, "EXPLAIN SELECT * FROM m.complete(relation => 'likes')"); !strings.Contains(got, "estimated triples=9") {
		t.Errorf("EXPLAIN: %s", got)
	}
	fails(t, conn, "SELECT * FROM m.complete() WITH (max_scored = 17) LIMIT 3", "22023",
		"complete would score 18 triples, more than max_scored, 17")
	text(t, conn, "SELECT * FROM m.complete() WITH (max_scored = 18) LIMIT 3")
}
