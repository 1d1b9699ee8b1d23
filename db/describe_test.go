package db_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"parlance/db"
	"parlance/storage/value"

	"github.com/google/go-cmp/cmp"
)

// TestParametersOfOptions describes options and settings by their own types.
func TestParametersOfOptions(t *testing.T) {
	d, err := db.Open("", db.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	c, ctx := d.Conn(), context.Background()
	script := `CREATE CORPUS docs (year INTEGER);
		INSERT INTO docs (id, text) VALUES ('a', 'Ann left.');
		INSERT INTO docs.entities (doc, sent, tok_start, tok_end, label) VALUES ('a', 1, 1, 1, 'PER');
		TRAIN perceptron AS p ON docs WITH (layer = entities);
		CREATE KB facts;
		INSERT INTO facts.triples VALUES ('ann', 'lives_in', 'oslo'), ('bob', 'lives_in', 'rome');
		TRAIN transe AS te ON facts WITH (epochs = 1);`
	if err := c.Script(ctx, script, nil); err != nil {
		t.Fatal(err)
	}
	if s, err := c.Prepare("INSERT INTO docs (id, text) VALUES ('a', 'b', $1)"); err == nil {
		if desc, err := s.Describe(ctx); err != nil || len(desc.Params) != 1 || desc.Params[0].Type != value.Null {
			t.Errorf("values without a column: %v", err)
		}
	}
	for statement, want := range map[string]string{
		"TRAIN crf AS m ON docs WHERE year > $4 WITH (l2 = $1, layer = $2, seed = $3)": "float text integer integer",
		"TUNE crf AS m ON docs FOLDS $1 OVER (l2 = ($2, $3), order = $4) SAMPLE " +
			"$5 METRIC f1": "integer float float integer integer",
		"TUNE crf AS m ON docs OVER (l2 = loguniform($1, $2)) SAMPLE 3 METRIC f1":            "float float",
		"EVALUATE p ON docs WHERE year = $1 WITH (confusion = $2, samples = $3)":             "integer boolean integer",
		"SELECT text FROM docs.entities USING p WITH (nbest = $1) WHERE year = $2":           "integer integer",
		"SELECT rule FROM check(docs) WITH (limit = $1) WHERE document = $2":                 "integer text",
		"SELECT feature FROM token_features(docs) WITH (set = $1) WHERE doc = $2":            "text text",
		"SELECT object FROM te.complete(subject => $1) WITH (known = $2, top = $3)":          "text boolean integer",
		"CHECK CORPUS docs WITH (limit = $1)":                                                "integer",
		"LOAD 'x' INTO docs FORMAT csv WITH (header = $1, delimiter = $2, on_conflict = $3)": "boolean text text",
		"COPY (SELECT id FROM docs WHERE year = $2) TO 'x' FORMAT csv WITH (header = $1)":    "boolean integer",
		"SET statement_timeout = $1":                                                         "integer",
		"SET cache = $1":                                                                     "text",
		"ALTER SYSTEM SET model_memory = $1":                                                 "integer",
		"SELECT id FROM docs LIMIT $1 OFFSET $2":                                             "integer integer",
		"EXPLAIN TRAIN crf AS m ON docs WITH (l2 = $1)":                                      "float",
		"EXPLAIN SELECT id FROM docs WHERE year = $1":                                        "integer",
		"SELECT ARRAY[$1, 7], -$2 + 1.5":                                                     "integer float",
	} {
		s, err := c.Prepare(statement)
		if err != nil {
			t.Errorf("%s: %v", statement, err)
			continue
		}
		desc, err := s.Describe(ctx)
		if err != nil {
			t.Errorf("%s: %v", statement, err)
			continue
		}
		var got []string
		for _, p := range desc.Params {
			got = append(got, fmt.Sprint(p.Type))
		}
		if diff := cmp.Diff(want, strings.Join(got, " ")); diff != "" {
			t.Errorf("%s: %s", statement, diff)
		}
	}
}

// TestParametersGivenAsText gives texts for parameters whose type a sign, other members or a window function tell.
func TestParametersGivenAsText(t *testing.T) {
	d, err := db.Open("", db.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	for statement, want := range map[string]string{
		"SELECT substring('Oslo' FROM -$1 FOR 4)":         "integer: Os",
		"SELECT max(mod(x, 3)) FROM (VALUES (-$1)) v (x)": "null: -1",
		"SELECT abs(-$1)": "null: 1",
		"SELECT ntile($1) OVER () FROM (VALUES (1)) v (x)":                                                  "integer: 1",
		"SELECT max(y) FROM (SELECT lag(x, $1) OVER (ORDER BY x) AS y FROM (VALUES (1), (2), (3)) v (x)) w": "integer: 2",
	} {
		s, err := d.Conn().Prepare(statement)
		if err != nil {
			t.Errorf("%s: %v", statement, err)
			continue
		}
		desc, err := s.Describe(context.Background())
		if err != nil {
			t.Errorf("%s: %v", statement, err)
			continue
		}
		rows, err := s.Query(context.Background(), "1")
		if err != nil {
			t.Errorf("%s: %v", statement, err)
			continue
		}
		var got any
		for rows.Next() {
			err = rows.Scan(&got)
		}
		if told := fmt.Sprintf("%v: %v", desc.Params[0].Type, got); told != want || err != nil || rows.Err() != nil {
			t.Errorf("%s: %s %v %v, want %s", statement, told, err, rows.Err(), want)
		}
		rows.Close()
	}
}

// TestWrongRowsNameTheirPlace gives LIMIT and OFFSET arguments that are no numbers of rows.
func TestWrongRowsNameTheirPlace(t *testing.T) {
	d, err := db.Open("", db.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	c := d.Conn()
	for _, args := range [][]any{{-1, 0}, {1, -1}, {"x", 0}} {
		_, err := c.Exec(context.Background(), "SELECT 1 LIMIT $1 OFFSET $2", args...)
		column := 16
		if args[1] == -1 {
			column = 26
		}
		if e := new(db.Error); !errors.As(err, &e) || e.Code != "22023" || e.Column != column {
			t.Errorf("%v: %v, column %d", args, err, e.Column)
		}
	}
}
