package db_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parlance/algo/testutil/testtime"
	"parlance/db"
)

// latency bounds the time between a cancellation and the end of a statement, on a busy machine.
var latency = testtime.Allow(500 * time.Millisecond)

// generated writes n sentences, each of the given number of words.
func generated(t *testing.T, path, between string, n, words int) {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	for range n {
		for w := range words {
			if w > 0 {
				b.WriteByte(' ')
			}
			fmt.Fprintf(&b, "w%d", int(r.ExpFloat64()*3000))
		}
		b.WriteString(" End." + between)
	}
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestCancelLatency cancels statements that take seconds at several moments of their work.
func TestCancelLatency(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a minute: left out by -short")
	}
	dir := t.TempDir()
	n := 20_000
	generated(t, dir+"/texts", "\n\n", n, 60)
	generated(t, dir+"/long", " ", 10_000, 20)
	d := open(t, dir+"/c.parlance")
	c := d.Conn()
	script(t, c, fmt.Sprintf(`CREATE CORPUS docs; LOAD '%[1]s/texts' INTO docs FORMAT lines;
CREATE CORPUS fresh; CREATE CORPUS long; LOAD '%[1]s/long' INTO long FORMAT lines;
CREATE CORPUS part; INSERT INTO part (id, text) SELECT id, text FROM docs LIMIT 3000;
CREATE CORPUS gold; LOAD '../testdata/quickstart/people.train.conll' INTO gold FORMAT conll WITH (columns = (form, entities));
TRAIN crf AS ner ON gold WITH (iterations = 3);
INSERT INTO part.labels (doc, label) SELECT id, substr(text, 1, 2) FROM part;
CREATE LEXICON vocabulary (word TEXT, doc TEXT, n INTEGER); INSERT INTO vocabulary (word, doc, n) SELECT form, doc, tok FROM docs.tokens LIMIT 300000;
CREATE FULLTEXT INDEX ON part (text); SET cache = off`, dir))
	for _, tc := range []struct{ name, statement string }{
		{"scan", "SELECT count(*) FROM docs.tokens WHERE form ~ '(1.*2|2.*3.*4)+$' OR form ~ 'w[0-9]*7[0-9]*8'"},
		{"scan of texts", "SELECT count(*) FROM docs WHERE text ~ '(w1.*w2.*w3.*w4|w5.*w6.*w7.*w8)w9$'"},
		{"hash join", "SELECT count(*) FROM docs.tokens a JOIN docs.tokens b ON a.form = b.form"},
		{"build of a join", "SELECT count(*) FROM gold.tokens a JOIN (SELECT form, doc, tok, sent FROM docs.tokens) b ON " +
			"a.form = b.form AND a.tok = b.sent"},
		{"join without keys", "SELECT count(*) FROM docs.tokens a JOIN docs.tokens b ON a.tok < b.sent"},
		{"cross join", "SELECT count(*) FROM docs.tokens a, docs.tokens b"},
		{"outer join in files",
			"SELECT count(*) FROM docs.tokens a LEFT JOIN vocabulary b ON a.form = b.word AND a.doc = b.doc"},
		{"sort", "SELECT form FROM docs.tokens ORDER BY form, doc DESC, tok"},
		{"sort of texts", "SELECT form || doc || tok AS x FROM docs.tokens ORDER BY x"},
		{"summary", "SUMMARIZE docs.tokens"},
		{"sort of floats", "SELECT form FROM docs.tokens ORDER BY tok * 1.5 DESC, form"},
		{"top", "SELECT form FROM docs.tokens ORDER BY form || doc DESC LIMIT 9000"},
		{"group", "SELECT count(*) FROM (SELECT doc, form, tok, count(*) FROM docs.tokens GROUP BY doc, form, tok) x"},
		{"group of expressions",
			"SELECT count(*) FROM (SELECT form || doc || tok AS x, count(*) FROM docs.tokens GROUP BY x) x"},
		{"distinct", "SELECT count(*) FROM (SELECT DISTINCT form || doc, tok FROM docs.tokens) x"},
		{"intersect", "SELECT doc, form, tok FROM docs.tokens INTERSECT SELECT doc, word, n FROM vocabulary"},
		{"window", "SELECT count(*) FROM (SELECT rank() OVER (ORDER BY form || doc), lag(form) OVER (PARTITION BY doc " +
			"ORDER BY tok) FROM docs.tokens) x"},
		{"frames", "SELECT sum(x) FROM (SELECT max(tok) OVER (ORDER BY form ROWS BETWEEN 5000 PRECEDING AND 5000 " +
			"FOLLOWING) AS x FROM docs.tokens) x"},
		{"text of a group", "SELECT length(string_agg(form, ' ' ORDER BY form || doc)) FROM docs.tokens"},
		{"correlated", "SELECT count(*) FROM vocabulary w WHERE n > (SELECT avg(n) FROM vocabulary v WHERE v.n <= w.n)"},
		{"lateral", "SELECT count(*) FROM vocabulary w, LATERAL (SELECT count(*) AS k FROM vocabulary v WHERE v.n < w.n) x"},
		{"recursive", "WITH RECURSIVE t (n) AS (SELECT 1 UNION ALL SELECT n FROM t) SELECT count(*) FROM t"},
		{"recursive join", "WITH RECURSIVE t (w) AS (SELECT word FROM vocabulary UNION ALL SELECT v.word FROM t JOIN " +
			"vocabulary v ON v.word = t.w) SELECT count(*) FROM t"},
		{"annotate", "SELECT count(*) FROM docs.entities USING ner"},
		{"annotate a long document", "SELECT count(*) FROM long.entities USING ner"},
		{"store annotations", "ANNOTATE docs USING ner"},
		{"evaluate", "SELECT * FROM (EVALUATE ner ON gold, gold, gold, gold, gold, gold, gold, gold) e"},
		{"search", "SELECT count(*) FROM part WHERE match(text, 'w1* OR w2* OR \"w3* w4*\"')"},
		{"search without an index", "SELECT count(*) FROM docs WHERE match(text, 'w1* OR w2* OR \"w3* w4*\"')"},
		{"best hits", "SELECT id FROM part WHERE match(text, 'w1* OR w2* OR w3*') ORDER BY bm25() DESC LIMIT 10"},
		{"full-text index", "CREATE FULLTEXT INDEX ON docs (text)"},
		{"index", "CREATE INDEX ON vocabulary (word)"},
		{"load", "LOAD '" + dir + "/texts' INTO fresh FORMAT lines"},
		{"load one document", "LOAD '" + dir + "/long' INTO fresh FORMAT text"},
		{"insert", "INSERT INTO part (id, text) SELECT id || 'x', text FROM docs"},
		{"insert rows", "INSERT INTO vocabulary (word, doc, n) SELECT form, doc, tok FROM docs.tokens"},
		{"update", "UPDATE docs SET text = text || ' more'"},
		{"update rows", "UPDATE vocabulary SET word = word || 'x'"},
		{"delete", "DELETE FROM docs WHERE text ~ 'w1 '"},
		{"delete rows", "DELETE FROM vocabulary WHERE word ~ 'w[0-9]*1$'"},
		{"train", "TRAIN maxent AS label ON part WITH (layer = labels, iterations = 1000)"},
		{"train a chain", "TRAIN crf AS again ON gold WITH (iterations = 1000)"},
		{"tune", "TUNE maxent AS label ON part OVER (l2 = (" + valuesTo(100) + "), iterations = (" + valuesTo(100) +
			")) METRIC accuracy WITH (layer = labels)"},
		{"features of a document", "SELECT count(*) FROM features(TEXT (SELECT string_agg(text, ' ') FROM docs)) " +
			"WITH (set = 'word, ngram(2), ngram(3)')"},
		{"features of a sentence", "SELECT count(*) FROM features(TEXT (SELECT string_agg(form, ' ') FROM (SELECT form " +
			"FROM docs.tokens LIMIT 90000) x)) WITH (set = 'ner', tokenizer = 'whitespace')"},
		{"search of a long text", "SELECT match((SELECT string_agg(text, ' ') FROM docs), 'w1 \"w2 w3\" x*')"},
		{"check", "CHECK CORPUS docs"},
		{"check the file", "CHECK DATABASE"},
		{"backup", "BACKUP TO '" + dir + "/copy'"},
		{"compact", "COMPACT"},
		{"copy", "COPY (SELECT form, doc, tok FROM docs.tokens) TO '" + dir + "/rows.csv' FORMAT csv"},
		{"copy documents", "COPY docs TO '" + dir + "/docs.jsonl' FORMAT jsonl"},
		{"kwic", "SELECT count(*) FROM kwic(docs, 'w1')"},
		{"drop", "DROP CORPUS docs"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			for _, after := range []time.Duration{5, 60, 300} {
				if !cancelled(t, c, tc.statement, after*time.Millisecond) {
					return
				}
				os.Remove(filepath.Join(dir, "copy"))
			}
		})
	}
}

// valuesTo is 1, 2, … n.
func valuesTo(n int) string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprint(i + 1)
	}
	return strings.Join(list, ", ")
}

// cancelled cancels a statement after a while, again where it took too long, for the machine may be busy;
// false if the statement has ended before.
func cancelled(t *testing.T, c *db.Conn, statement string, after time.Duration) bool {
	t.Helper()
	for range 10 {
		took, ok := cancelOnce(t, c, statement, after)
		if !ok || took <= latency {
			return ok
		}
		t.Logf("cancelled after %v, it ended only after another %v", after, took)
	}
	t.Errorf("cancelled after %v, it ends too late", after)
	return true
}

func cancelOnce(t *testing.T, c *db.Conn, statement string, after time.Duration) (took time.Duration, ok bool) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	at := make(chan testtime.Watch, 1)
	timer := time.AfterFunc(after, func() {
		at <- testtime.Start()
		cancel()
	})
	defer timer.Stop()
	_, err := c.Exec(ctx, statement)
	if err == nil {
		return 0, false
	}
	if code(err) != "57014" {
		t.Fatalf("after %v: %v", after, err)
	}
	return (<-at).Took(), true
}
