package db_test

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"parlance/db"
)

// number is the only figure that a query gives.
func number(t *testing.T, c *db.Conn, q string) int {
	t.Helper()
	lines := strings.Split(text(t, c, q), "\n")
	n, err := strconv.Atoi(lines[1])
	if err != nil {
		t.Fatalf("%s: %v", q, err)
	}
	return n
}

// differences runs DIFF MODEL: the counts by name and label, and the other rows by what.
func differences(t *testing.T, c *db.Conn, q string) (counts map[string]int, rows map[string][][]string) {
	t.Helper()
	all, err := c.Query(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	defer all.Close()
	counts, rows = map[string]int{}, map[string][][]string{}
	for all.Next() {
		v := all.Values()
		if v[0].S == "summary" {
			counts[strings.TrimSpace(v[1].S+" "+v[2].S)] = int(v[5].Float())
			continue
		}
		var row []string
		for _, x := range v {
			row = append(row, x.String())
		}
		rows[v[0].S] = append(rows[v[0].S], row)
	}
	if err := all.Err(); err != nil {
		t.Fatal(err)
	}
	return counts, rows
}

// TestDiffCounts counts by joins what DIFF MODEL says: weights gained, lost, flipped and
// changed, predictions the same, changed, gained and lost.
func TestDiffCounts(t *testing.T) {
	c := open(t, "").Conn()
	script(t, c, people+`TRAIN crf AS ner ON docs WHERE split = 'train' WITH (iterations = 2);
TRAIN crf AS ner ON docs WHERE split = 'train' WITH (iterations = 20, l1 = 0.5, l2 = 0);
TRAIN crf AS ner ON docs WHERE split = 'train' WITH (iterations = 30, l1 = 0.3, l2 = 0, features = 'form[-1..1], shape[0]')`)
	for _, pair := range [][2]string{{"ner@1", "ner@2"}, {"ner@2", "ner@3"}, {"ner@3", "ner@1"}} {
		counts, rows := differences(t, c, fmt.Sprintf("DIFF MODEL %s, %s ON docs WHERE split = 'test' WITH (limit = 7)",
			pair[0], pair[1]))
		join := fmt.Sprintf("FROM %s.weights a JOIN %s.weights b ON a.feature = b.feature AND a.label = b.label WHERE "+
			"a.weight <> 0 AND b.weight <> 0", pair[0], pair[1])
		without := "SELECT count(*) FROM %s.weights a LEFT JOIN %s.weights b ON a.feature = b.feature AND a.label = " +
			"b.label AND b.weight <> 0 WHERE a.weight <> 0 AND b.weight IS NULL"
		spans := fmt.Sprintf("FROM docs.entities a USING %s JOIN docs.entities b USING %s ON a.doc = b.doc AND "+
			"a.char_start = b.char_start AND a.char_end = b.char_end WHERE a.split = 'test'", pair[0], pair[1])
		alone := "SELECT count(*) FROM docs.entities a USING %s LEFT JOIN docs.entities b USING %s ON a.doc = b.doc AND " +
			"a.char_start = b.char_start AND a.char_end = b.char_end WHERE a.split = 'test' AND b.label IS NULL"
		for name, q := range map[string]string{
			"weights same":         "SELECT count(*) " + join + " AND a.weight = b.weight",
			"weights flipped":      "SELECT count(*) " + join + " AND sign(a.weight) <> sign(b.weight)",
			"weights changed":      "SELECT count(*) " + join + " AND a.weight <> b.weight AND sign(a.weight) = sign(b.weight)",
			"weights gained":       fmt.Sprintf(without, pair[1], pair[0]),
			"weights lost":         fmt.Sprintf(without, pair[0], pair[1]),
			"entities same ALL":    "SELECT count(*) " + spans + " AND a.label = b.label",
			"entities changed ALL": "SELECT count(*) " + spans + " AND a.label <> b.label",
			"entities gained ALL":  fmt.Sprintf(alone, pair[1], pair[0]),
			"entities lost ALL":    fmt.Sprintf(alone, pair[0], pair[1]),
		} {
			want := number(t, c, q)
			if counts[name] != want {
				t.Errorf("%v: %s is %d, want %d", pair, name, counts[name], want)
			}
			if listed := len(rows[strings.TrimSuffix(name, " ALL")]); !strings.Contains(name, "same") &&
				strings.HasPrefix(name, "weights") && listed != min(want, 7) {
				t.Errorf("%v: %d rows of %s, want %d", pair, listed, name, min(want, 7))
			}
		}
		top := text(t, c,
			"SELECT a.feature "+join+
				" AND a.weight <> b.weight AND sign(a.weight) = sign(b.weight) ORDER BY abs(a.weight - b.weight) DESC LIMIT 1")
		if list := rows["weights changed"]; len(list) > 0 && !strings.Contains(top, list[0][1]) {
			t.Errorf("%v: the largest change is %v, want %s", pair, list[0], top)
		}
		if f1 := rows["metric"][2]; f1[1] != "f1" || f1[6] == "" {
			t.Errorf("metric %v", f1)
		}
	}
}

// TestDiffIsReadOnly compares versions in a database that nothing can be written to; REPLAY
// works there too, PROMOTE and LOAD do not.
func TestDiffIsReadOnly(t *testing.T) {
	d := open(t, t.TempDir()+"/r.parlance")
	script(t, d.Conn(),
		people+"TRAIN crf AS ner ON docs WITH (iterations = 3); TRAIN crf AS ner ON docs WITH (iterations = 5)")
	path := copied(t, d.Conn(), "ner")
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	r, err := db.Open(d.Path(), db.Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	c := r.Conn()
	if counts, _ := differences(t, c, "DIFF MODEL ner@1, ner@2"); counts["option"] != 1 {
		t.Errorf("counts %v", counts)
	}
	replayed(t, c, "ner@2", "true", "false", "∅", "∅")
	copied(t, c, "ner@1")
	fails(t, c, "PROMOTE ner@2 TO production IF f1 > production ON docs", "25006", "read-only")
	fails(t, c, "LOAD '"+path+"' INTO MODEL m", "25006", "read-only")
}

// TestDiffLayers compares documents' labels and columns of tokens, and says what cannot be
// compared.
func TestDiffLayers(t *testing.T) {
	c := open(t, "").Conn()
	script(t, c, upstream+`UPDATE tagged.tokens SET upos = 'VERB' WHERE form = 'flew';
TRAIN maxent AS tagger ON tagged WITH (layer = 'upos', iterations = 20);
TRAIN crf AS chain ON tagged WITH (layer = 'upos', iterations = 5);
CREATE CORPUS notes (topic TEXT, name TEXT);
INSERT INTO notes (id, text, topic, name) VALUES ('a', 'One.', 'x', 'a'), ('b', 'Two words.', 'x', 'b'), ('c', 'Three.', 'y', 'c');
TRAIN group_size AS g ON notes;
TRAIN group_size AS g ON notes WITH (group = 'name')`)
	counts, rows := differences(t, c, "DIFF MODEL tagger@1, tagger@2 ON tagged")
	if counts["tokens.upos changed X>VERB"] != 1 || counts["tokens.upos changed ALL"] != 1 ||
		len(rows["tokens.upos changed"]) != 1 {
		t.Errorf("counts %v rows %v", counts, rows)
	}
	if r := rows["tokens.upos changed"][0]; r[12] != "flew" || r[8] != "1" || r[9] != "3" {
		t.Errorf("row %v", r)
	}
	counts, _ = differences(t, c, "DIFF MODEL g@1, g@2 ON notes")
	if counts["labels changed 2>1"] != 2 || counts["labels same 1"] != 1 {
		t.Errorf("counts %v", counts)
	}
	fails(t, c, "DIFF MODEL chain, tagger", "42809", "chain@1 is a crf and tagger@2 a maxent")
	fails(t, c, "DIFF MODEL chain, ner ON docs", "42809", "predictions cannot be compared")
}
