package db_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"parlance/algo/testutil/testtime"
	"parlance/db"
)

// TestLongNames asks for what no name of some megabytes names: the error comes at once, and is short.
func TestLongNames(t *testing.T) {
	d := open(t, "")
	c := d.Conn()
	script(t, c, "CREATE LEXICON list (word TEXT); CREATE CORPUS docs")
	for what, long := range map[string]string{"letters": strings.Repeat("a", 3<<20), "words": strings.Repeat("ab é ",
		600_000)} {
		for _, statement := range []string{
			`SELECT "x"(1)`, `SELECT "x" FROM list`, `SELECT * FROM "x"`, `SELECT * FROM docs.entities USING "x"`,
			`SET "x" = 1`, `SHOW "x"`, `TRAIN "x" ON docs`,
			`TRAIN crf ON docs WITH ("x" = 1)`, `DROP CORPUS "x"`, `DROP MODEL "x"`, `DESCRIBE "x"`,
			`DESCRIBE KIND "x"`, `SELECT 'x'::regclass`, `SELECT to_regclass('x')`, `SELECT CAST(1 AS "x")`,
			`SELECT * FROM features(TEXT 'a') WITH (set = 'x')`, `SELECT * FROM docs."x"`, `SELECT * FROM "x"(docs)`,
			`LOAD 'y' INTO docs FORMAT "x"`, `INSERT INTO list ("x") VALUES (1)`,
			`SELECT current_setting('x')`, `SELECT 'x'::integer`, `SELECT 'x'::timestamp`,
			`SELECT strptime('x', '%Y')`, `SELECT regexp_like('a', '(x')`, `DEALLOCATE "x"`, `FETCH "x"`,
			`ROLLBACK TO "x"`,
			`CREATE INDEX ON list ("x")`, `COPY docs TO STDOUT FORMAT "x"`, `SELECT date_part('x', now())`,
			`SELECT json_extract('1', 'x')`, `SELECT timezone('x', now())`, `ALTER USER "x" ROLE reader`,
		} {
			took := testtime.Start()
			_, err := c.Exec(context.Background(), strings.Replace(statement, "x", long, 1))
			if took := took.Took(); took > testtime.Allow(time.Second) {
				t.Errorf("%s with 3 MB of %s: %v", statement, what, took)
			}
			var e *db.Error
			if !errors.As(err, &e) {
				if statement != `SELECT to_regclass('x')` {
					t.Errorf("%s with 3 MB of %s: %v", statement, what, err)
				}
				continue
			}
			if len(e.Error()) > 10_000 || !utf8.ValidString(e.Error()) || e.Code == "XX000" || e.Code == "58000" {
				t.Errorf("%s with 3 MB of %s: an error of %d bytes, %s: %.300s", statement, what, len(e.Error()),
					e.Code, e.Message)
			}
			if what == "letters" && len(e.Error()) > 1500 {
				t.Errorf("%s: an error of %d bytes: %s", statement, len(e.Error()), e)
			}
		}
	}
}
