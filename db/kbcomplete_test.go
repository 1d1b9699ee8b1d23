package db_test

import (
	"strings"
	"testing"

	"parlance/db"
)

// TestCompleteIsBounded refuses a relation of a model that would score too much, LIMIT or not, and EXPLAIN tells how
// much it is.
func TestCompleteIsBounded(t *testing.T) {
	d, err := db.Open("", db.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	conn := d.Conn()
	script(t, conn,
		`CREATE KB k; INSERT INTO k.triples (subject, relation, object) VALUES ('a', 'likes', 'b'), ('b', 'likes', 'c'), ('c', 'knows', 'a');
TRAIN transe AS m ON k WITH (dim = 2, epochs = 1, types = 'none')`)
	if got := text(t, conn, "EXPLAIN SELECT * FROM m.complete() LIMIT 3"); !strings.Contains(got, "estimated triples=18") {
		t.Errorf("EXPLAIN: %s", got)
	}
	if got := text(t, conn, "EXPLAIN SELECT * FROM m.complete(relation => 'likes')"); !strings.Contains(got,
		"estimated triples=9") {
		t.Errorf("EXPLAIN: %s", got)
	}
	fails(t, conn, "SELECT * FROM m.complete() WITH (max_scored = 17) LIMIT 3", "22023",
		"complete would score 18 triples, more than max_scored, 17")
	text(t, conn, "SELECT * FROM m.complete() WITH (max_scored = 18) LIMIT 3")
}

// TestCompleteLimit hands a LIMIT to a relation of a model, where its rows come in the order that is asked for, and
// gives what the whole list begins with.
func TestCompleteLimit(t *testing.T) {
	d, err := db.Open("", db.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	conn := d.Conn()
	script(t, conn, `CREATE KB k;
INSERT INTO k.triples (subject, relation, object) SELECT 'e' || a % 41, 'r' || a % 3, 'e' || (a * a + a / 7) % 41 FROM generate_series(1, 300) AS s(a);
TRAIN trescal AS m ON k WITH (rank = 5, types = 'none')`)
	all := strings.SplitAfter(text(t, conn, "SELECT * FROM m.complete() WITH (top = 10000)"), "\n")
	if len(all) < 4000 {
		t.Fatalf("%d rows of 5,043 without the facts", len(all))
	}
	rows := func(from, to int) string { return all[0] + strings.Join(all[1+from:1+to], "") }
	for _, c := range []struct {
		tail, want string
		limit      string // that the relation is given, "" for none
	}{
		{"LIMIT 3", rows(0, 3), " limit 3"},
		{"LIMIT 3 OFFSET 2", rows(2, 5), " limit 5"},
		{"ORDER BY score DESC LIMIT 10", rows(0, 10), " limit 10"},
		{"AS c(s, r, o, p) ORDER BY p DESC LIMIT 4", strings.Replace(rows(0, 4), all[0], "s\tr\to\tp\n", 1), " limit 4"},
		{"ORDER BY score LIMIT 1", rows(len(all)-3, len(all)-2), ""},
		{"ORDER BY score DESC, subject LIMIT 1", rows(0, 1), ""},
		{"ORDER BY subject DESC LIMIT 1", "", ""},
		{"WHERE score < (SELECT max(score) FROM m.complete()) LIMIT 2", rows(1, 3), ""},
	} {
		q := "SELECT * FROM m.complete() WITH (top = 10000) " + c.tail
		if strings.HasPrefix(c.tail, "AS") {
			q = "SELECT * FROM m.complete() " + c.tail
		}
		if got := text(t, conn, q); c.want != "" && got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", q, got, c.want)
		}
		plan := text(t, conn, "EXPLAIN "+q)
		if _, line, _ := strings.Cut(plan, "relation m@1.complete"); strings.Contains(strings.SplitN(line, "\n", 2)[0],
			" limit") != (c.limit != "") || !strings.Contains(plan, c.limit) {
			t.Errorf("EXPLAIN %s:\n%s", q, plan)
		}
	}
	scored := "complete has scored"
	fails(t, conn, "SELECT count(*) FROM m.complete() WITH (top = 2000, max_scored = 4000)", "22023", scored)
	fails(t, conn, "SELECT * FROM m.complete() WITH (top = 2000, max_scored = 4000) ORDER BY subject LIMIT 3",
		"22023", scored)
	text(t, conn, "SELECT * FROM m.complete() WITH (top = 2000, max_scored = 4000) LIMIT 3")
}
