package db_test

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"parlance/db"
	"parlance/db/languagetest"
	"parlance/query/optimise"
)

// TestRulesKeepTheAnswer runs queries with every optimiser rule and without each of them.
func TestRulesKeepTheAnswer(t *testing.T) {
	if testing.Short() {
		t.Skip("one session: nothing for a short run")
	}
	d := open(t, "")
	c := d.Conn()
	ctx := context.Background()
	prepare := `CREATE CORPUS docs (split TEXT);
LOAD '../testdata/quickstart/people.train.conll' INTO docs FORMAT conll WITH (columns = (form, entities)) SET split = 'train';
LOAD '../testdata/quickstart/people.test.conll' INTO docs FORMAT conll WITH (columns = (form, entities)) SET split = 'test';
TRAIN crf AS ner ON docs WHERE split = 'train' WITH (iterations = 3);
CREATE FULLTEXT INDEX ON docs (text);
CREATE FULLTEXT INDEX ON docs.entities (text);
CREATE CORPUS trees;
INSERT INTO trees (id, text) VALUES ('a', 'go home now');
INSERT INTO trees.dependencies (doc, sent, tok, head, deprel) VALUES ('a', 1, 1, 0, 'root'), ('a', 1, 2, 1, 'obj'), ('a', 1, 3, 1, 'advmod');
TRAIN chain_parser AS parser ON trees;
CREATE KB facts AS SELECT doc AS subject, label AS relation, text AS object FROM docs.entities;
INSERT INTO facts.entities SELECT text, label FROM docs.entities;
CREATE CORPUS tagged;
LOAD '../testdata/english/train.conllu' INTO tagged FORMAT conllu;
TRAIN perceptron AS upos ON tagged WITH (layer = upos, epochs = 1, calibration = none);
TRAIN perceptron AS xpos ON tagged WITH (layer = xpos, epochs = 1, calibration = none);
TRAIN transition_parser AS arcs ON tagged WITH (tags = xpos, epochs = 1, calibration = none);
SET using = (upos, xpos, arcs);
SET cache = off;`
	if err := c.Script(ctx, prepare, nil); err != nil {
		t.Fatal(err)
	}
	plans := map[string]int{}
	for _, q := range []string{
		"SELECT doc, text, label FROM docs.entities USING ner WHERE split = 'test' AND label = 'PER'",
		"SELECT doc, text FROM docs.entities USING ner LIMIT 7",
		"SELECT text, count(*) FROM docs.entities GROUP BY text ORDER BY 2 DESC, 1 LIMIT 5",
		"SELECT g.doc, g.text, p.label FROM docs.entities g JOIN docs.entities p USING ner ON g.doc = p.doc AND g.sent = " +
			"p.sent AND g.tok_start = p.tok_start WHERE g.split = 'test' AND p.label <> 'ORG'",
		"SELECT g.text, p.label FROM docs.entities g LEFT JOIN docs.entities p USING ner ON g.doc = p.doc AND g.sent = " +
			"p.sent AND g.tok_start = p.tok_start WHERE p.label IS NULL OR g.split = 'test'",
		"SELECT x.id, y.id FROM docs x, docs y WHERE x.id = y.id AND x.split = 'test'",
		"SELECT r.doc, r.text, e.label FROM extract_regex(docs, 'Steel') r JOIN docs.entities e USING ner ON e.doc = r.doc " +
			"ORDER BY 1, 2, 3",
		"SELECT e.doc, e.text, e.label FROM docs.entities e USING ner JOIN (SELECT id FROM docs WHERE text LIKE '%Steel%') " +
			"d ON e.doc = d.id",
		"SELECT r.text, e.label FROM kwic(docs, 'joined') k JOIN extract_pattern(docs, '<entities PER> [form=joined]') r " +
			"USING ner ON k.doc = r.doc JOIN docs.entities e USING ner ON e.doc = k.doc AND e.split = r.split",
		"SELECT k.keyword, e.label FROM kwic(docs, 'joined') k LEFT JOIN docs.entities e USING ner ON e.doc = k.doc AND " +
			"e.label = 'LOC'",
		"SELECT id FROM docs d WHERE EXISTS (SELECT 1 FROM docs.entities e WHERE e.doc = d.id AND e.label = 'PER')",
		"SELECT id, bm25() FROM docs WHERE match(text, 'the OR in') ORDER BY bm25() DESC LIMIT 9",
		"SELECT id, text FROM docs WHERE match(text, 'the OR in') AND split = 'test' ORDER BY bm25() DESC LIMIT 3",
		"SELECT doc, text FROM docs.entities WHERE match(text, '-london') ORDER BY bm25() DESC, doc LIMIT 9",
		"SELECT text FROM docs.entities USING ner WHERE match(document.text, 'in -the') AND split = 'train'",
		"SELECT d.tok, d.head, a.head FROM trees.dependencies d USING parser JOIN trees.arcs a USING parser ON a.doc = " +
			"d.doc AND a.sent = d.sent AND a.tok = d.tok",
		"SELECT a.subject, b.relation, b.object, e.type FROM (SELECT * FROM facts.triples LIMIT 3) a JOIN facts.triples b " +
			"ON b.object = a.object AND b.relation = 'PER' LEFT JOIN facts.entities e ON e.entity = b.subject AND " +
			"e.type IS NULL",
		"SELECT b.subject, b.object, a.object FROM facts.triples b JOIN facts.triples a ON a.relation = b.relation AND " +
			"a.subject = b.subject WHERE a.object LIKE 'S%'",
		"SELECT e.entity, t.type, t.relation FROM facts.entities e JOIN (SELECT DISTINCT x.object, y.type, x.relation FROM " +
			"facts.triples x JOIN facts.entities y ON y.entity = x.subject WHERE x.relation = 'LOC') t ON t.object = e.entity",
		"SELECT x.subject, (SELECT count(*) FROM facts.triples t WHERE t.subject = x.subject) FROM (SELECT subject FROM " +
			"facts.triples LIMIT 4) x WHERE EXISTS (SELECT 1 FROM facts.entities e WHERE e.entity = x.subject) OR " +
			"x.subject IS NULL",
		"SELECT object, (SELECT min(type) FROM facts.entities e WHERE e.entity = x.object AND e.type <> 'PER') FROM " +
			"(SELECT object FROM facts.triples LIMIT 4) x WHERE object IN (SELECT entity FROM facts.entities) AND NOT EXISTS " +
			"(SELECT 1 FROM facts.triples t WHERE t.object = x.object AND t.relation = 'LOC')",
		"SELECT x.subject, (SELECT count(*) FROM facts.entities e LEFT JOIN LATERAL (SELECT e.entity || '') l (c) ON l.c > " +
			"x.object WHERE l.c IS NULL OR l.c < x.subject) FROM (SELECT subject, object FROM facts.triples LIMIT 4) x",
		"SELECT subject, object FROM facts.triples WHERE object IN (SELECT entity FROM facts.entities WHERE type = " +
			"'LOC' LIMIT 5)",
		"WITH RECURSIVE r (s, d) AS (SELECT subject, 0 FROM facts.triples WHERE relation = 'PER' UNION ALL SELECT t.object," +
			" d + 1 FROM r JOIN facts.triples t ON t.subject = r.s WHERE d < 2) SELECT d, count(*) FROM r WHERE d < " +
			"2 GROUP BY d",
		"SELECT form, xpos FROM tokens(TEXT 'Gail reads. Bob sleeps.')",
		"SELECT form FROM tokens(TEXT 'Gail reads. Bob sleeps.') WHERE upos <> 'X'",
		"SELECT count(*), count(prob) FROM tokens(TEXT 'Gail reads. Bob sleeps.')",
		"SELECT t.xpos, d.head FROM tokens(TEXT 'Gail reads.') t JOIN dependencies(TEXT 'Gail reads.') d ON d.tok = t.tok",
		"WITH e AS (SELECT doc, label FROM docs.entities) SELECT count(*), 'x' FROM e WHERE label = 'PER' UNION ALL " +
			"SELECT 1, 'y'",
	} {
		rows := func(off string) (string, string) {
			set := "RESET rules_off"
			if off != "" {
				set = "SET rules_off = " + off
			}
			if _, err := c.Exec(ctx, set); err != nil {
				t.Fatal(err)
			}
			return text(t, c, q), text(t, c, "EXPLAIN "+q)
		}
		want, whole := rows("")
		if strings.Count(want, "\n") < 2 {
			t.Errorf("%s gives no rows", q)
		}
		for _, rule := range optimise.RuleNames() {
			got, other := rows("(" + rule + ")")
			if got != want {
				t.Errorf("%s without %s:\n%s\nwant\n%s", q, rule, got, want)
			}
			if other != whole {
				plans[rule]++
			}
		}
	}
	for _, rule := range optimise.RuleNames() {
		if plans[rule] == 0 {
			t.Errorf("rule %s changes no plan", rule)
		}
	}
}

func text(t *testing.T, c *db.Conn, q string) string {
	t.Helper()
	rows, err := c.Query(context.Background(), q)
	if err != nil {
		t.Fatalf("%s: %v", q, err)
	}
	defer rows.Close()
	var out bytes.Buffer
	languagetest.Print(&out, result(rows))
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}
