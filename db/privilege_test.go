package db_test

import (
	"errors"
	"strings"
	"testing"

	"parlance/db"
)

// needs is the least role of each statement, by its text.
var needs = map[string]string{
	"reader": `SELECT 1; SELECT * FROM docs.entities USING m; EVALUATE m ON docs; DIFF MODEL m@1, m@2; EXPLAIN SELECT 1;
EXPLAIN PREDICTION OF m FOR TEXT 'a'; SHOW USERS; SHOW ACTIVITY; DESCRIBE docs; SET cache = off; RESET cache; DISCARD ALL; DEALLOCATE ALL;
BEGIN; COMMIT; ROLLBACK; CANCEL STATEMENT 999; CANCEL SESSION 999; CHECK CORPUS docs; COPY docs TO STDOUT`,
	"writer": `CREATE CORPUS a; CREATE GAZETTEER b; CREATE LEXICON c (word TEXT); CREATE KB d; CREATE FEATURES f AS 'form[0]'; CREATE INDEX ON docs (text);
CREATE FULLTEXT INDEX ON docs (text); DROP CORPUS none; DROP MODEL none; ALTER CORPUS none RENAME TO some; ALTER CORPUS none ADD COLUMN x TEXT;
ALTER CORPUS none DROP COLUMN x; ALTER CORPUS none RENAME COLUMN x TO y; LOAD 'none' INTO docs FORMAT lines; LOAD 'none' INTO MODEL m;
INSERT INTO docs (id, text) VALUES ('a', 'b'); UPDATE docs SET text = 'c'; DELETE FROM docs; COPY docs FROM STDIN; COPY docs TO 'out' FORMAT csv;
COPY MODEL m TO 'out'; TRAIN crf ON docs; TUNE crf ON docs FOLDS 2 OVER (l2 = (1, 2)) METRIC f1; ANNOTATE docs USING m; PROMOTE m@1 TO production;
SELECT * FROM 'none.csv'; EXPLAIN SELECT * FROM 'none.csv'; SUMMARIZE 'none.csv'; SELECT (SELECT max(a) FROM 'none.csv');
REPLAY m@1; CANCEL JOB 9; RESUME JOB 9; CLEAR CACHE; EXPLAIN DELETE FROM docs; EXPLAIN ANALYZE DELETE FROM docs`,
	"admin": `CREATE USER u PASSWORD 'p' ROLE reader; ALTER USER u PASSWORD 'q'; DROP USER u; ALTER SYSTEM SET max_trainings = 1; SET pin.m = true; RESET pin.m;
BACKUP TO 'out'; COMPACT; CHECK DATABASE`,
}

// TestEveryStatementAsEveryRole runs every statement as every user: the role decides alone.
func TestEveryStatementAsEveryRole(t *testing.T) {
	d := withUsers(t)
	ranks := []string{"reader", "writer", "admin"}
	for have, user := range []string{"rita", "will", "ann"} {
		c := as(t, d, user)
		c.Files(db.NoFiles)
		c.Stdin(strings.NewReader(""))
		c.Stdout(new(strings.Builder))
		for need, role := range ranks {
			for statement := range strings.SplitSeq(needs[role], ";") {
				statement = strings.TrimSpace(statement)
				_, err := c.Exec(t.Context(), statement)
				var e *db.Error
				if errors.As(err, &e) && e.Code == "42601" {
					t.Fatalf("%s: %v", statement, err)
				}
				refused := e != nil && e.Code == "42501" && strings.Contains(e.Message, "needs the role "+role)
				if refused != (have < need) {
					t.Errorf("%s as %s: %v", statement, user, err)
				}
			}
		}
	}
}
