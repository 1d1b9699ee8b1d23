package db_test

import (
	"fmt"
	"testing"

	"parlance/db"
	"parlance/storage/value"
)

// again is a prepared statement with its arguments, run again and again.
type again struct {
	t    *testing.T
	st   *db.Stmt
	args []value.Value
}

// rows runs the statement.
func (a again) rows() string {
	a.t.Helper()
	rows, err := a.st.Run(a.t.Context(), a.args)
	if err != nil {
		a.t.Fatal(err)
	}
	defer rows.Close()
	out := ""
	for b := rows.NextBatch(); b != nil; b = rows.NextBatch() {
		for i := range b.N {
			out += fmt.Sprintln(b.Row(nil, i))
		}
	}
	if err := rows.Err(); err != nil {
		a.t.Fatal(err)
	}
	return out
}

// recalled tells whether the next run makes no documents and no operators, which takes twice as many
// allocations as all the rest.
func (a again) recalled() bool {
	return testing.AllocsPerRun(10, func() {
		rows, err := a.st.Run(a.t.Context(), a.args)
		if err != nil {
			a.t.Fatal(err)
		}
		for rows.NextBatch() != nil {
		}
		rows.Close()
	}) < 8
}

// TestRecall runs statements with the same arguments again and again, through everything that
// their rows depend on, and compares with what is computed anew.
func TestRecall(t *testing.T) {
	d := open(t, "")
	c := d.Conn()
	c.Wire().Interleave()
	defer c.Wire().Release()
	script(t, c, `CREATE CORPUS gold;
LOAD '../testdata/quickstart/people.train.conll' INTO gold FORMAT conll WITH (columns = (form, entities));
CREATE GAZETTEER cities;
INSERT INTO cities VALUES ('Oslo', 'CITY');
CREATE FEATURES mine AS 'form[0], shape[0], gazetteer(cities)[0]';
TRAIN crf AS ner ON gold WITH (iterations = 20);
TRAIN crf AS gaz ON gold WITH (iterations = 20, features = mine)`)
	fresh := func(a again) string {
		script(t, c, "SET cache = off")
		defer script(t, c, "SET cache = on")
		return a.rows()
	}
	args := func(a ...any) (out []value.Value) {
		for _, x := range a {
			switch x := x.(type) {
			case string:
				out = append(out, value.Str(x))
			case int:
				out = append(out, value.Int(int64(x)))
			}
		}
		return out
	}
	oslo := args("Ann Lee flew to Oslo. Bob stayed.")
	for _, x := range []struct {
		sql      string
		args     []value.Value
		recalled bool
	}{
		{"SELECT text, label FROM entities(TEXT $1) USING ner", oslo, true},
		{"SELECT text, label, prob FROM entities(TEXT $1) USING ner", oslo, true},
		{"SELECT text || $2 FROM entities(TEXT $1) USING ner WHERE label = 'PER'", append(args("!"), oslo...), true},
		{"SELECT text || $2 FROM entities(TEXT $1) USING ner WHERE label = 'PER'", append(oslo, args("!")...), true},
		{"SELECT upper(text) FROM entities(TEXT 'Ann ' || $1) USING ner", args(7), true},
		{"SELECT upper(text) FROM entities(TEXT 'Ann ' || $1) USING ner", args("7"), true},
		{"SELECT text, now() > '2020-01-01'::timestamp FROM entities(TEXT $1) USING ner", oslo, false},
		{"SELECT text FROM entities(TEXT $1) USING ner WHERE text <> current_user()", oslo, false},
		{"SELECT text FROM entities(TEXT $1) USING ner WITH (nbest = 2)", oslo, false},
		{"SELECT text FROM entities(TEXT $1) USING gaz", oslo, false},
		{"SELECT text FROM entities(TEXT $1) USING ner WHERE text IN (SELECT id FROM gold)", oslo, false},
	} {
		st, err := c.Prepare(x.sql)
		if err != nil {
			t.Errorf("%s: %v", x.sql, err)
			continue
		}
		a := again{t, st, x.args}
		want := fresh(a)
		for i := range 4 {
			if got := a.rows(); got != want {
				t.Errorf("%s, run %d: %s, want %s", x.sql, i+1, got, want)
			}
		}
		if got := a.recalled(); got != x.recalled {
			t.Errorf("%s: recalled is %v", x.sql, got)
		}
	}
	st, err := c.Prepare("SELECT text, label FROM entities(TEXT $1) USING ner")
	if err != nil {
		t.Fatal(err)
	}
	a := again{t, st, oslo}
	old := a.rows()
	hits := text(t, c, "SELECT hits FROM system.cache WHERE model = 'ner@1'")
	a.rows()
	if now := text(t, c, "SELECT hits - 1 AS hits FROM system.cache WHERE model = 'ner@1'"); now != hits {
		t.Errorf("hits are %s less 1, want %s", now, hits)
	}
	// A sentence more, so that the next version answers otherwise.
	script(t, c, `INSERT INTO gold (id, text) VALUES ('more', 'x');
TRAIN crf AS ner ON gold WITH (iterations = 1, l2 = 1000)`)
	if got := a.rows(); got != fresh(a) || got == old {
		t.Errorf("after training the rows are %s, want %s, before %s", got, fresh(a), old)
	}
	for range 3 {
		a.rows()
	}
	for _, forget := range []string{"CLEAR CACHE", "SET cache = off"} {
		for range 3 {
			a.rows()
		}
		if !a.recalled() {
			t.Errorf("before %s nothing is recalled", forget)
		}
		script(t, c, forget)
		if n := testing.AllocsPerRun(1, func() { a.rows() }); n < 8 {
			t.Errorf("after %s the answer is recalled", forget)
		}
	}
	script(t, c, "SET cache = on; ALTER SYSTEM SET max_document_bytes = 10")
	rows, err := a.st.Run(t.Context(), a.args)
	for err == nil && rows.NextBatch() != nil {
	}
	if err == nil {
		err = rows.Close()
	}
	if err == nil {
		t.Error("a text that is too long is answered")
	}
}
