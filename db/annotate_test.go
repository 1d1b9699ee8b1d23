package db_test

import (
	"regexp"
	"testing"
)

// TestCheapPredicatesFirst counts the documents that queries annotate.
func TestCheapPredicatesFirst(t *testing.T) {
	c := open(t, "").Conn()
	script(t, c, `CREATE CORPUS docs (split TEXT);
LOAD '../testdata/quickstart/people.train.conll' INTO docs FORMAT conll WITH (columns = (form, entities)) SET split = 'train';
LOAD '../testdata/quickstart/people.test.conll' INTO docs FORMAT conll WITH (columns = (form, entities)) SET split = 'test';
TRAIN crf AS ner ON docs WHERE split = 'train' WITH (iterations = 5);
SET cache = off;`)
	number := func(q string) string {
		rows := text(t, c, q)
		return regexp.MustCompile(`\d+`).FindString(rows)
	}
	steel := number("SELECT count(*) FROM docs WHERE text LIKE '%Steel%'")
	joined := number("SELECT count(*) FROM docs WHERE text LIKE '% joined %'")
	dev := number("SELECT count(*) FROM docs WHERE text LIKE '%Steel%' AND split = 'test'")
	for _, memory := range []string{"RESET work_memory", "SET work_memory = 1"} {
		script(t, c, memory)
		all := "75" // where the rows of the first side do not fit into memory
		if memory == "RESET work_memory" {
			all = "15"
		}
		q := "SELECT count(*) FROM (SELECT a.doc, a.tok_start, a.tok_end, b.char_start, b.char_end FROM docs.entities a, " +
			"docs.entities b WHERE a.split = 'test') x JOIN docs.entities e USING ner ON e.doc = x.doc"
		if plan := text(t, c, "EXPLAIN ANALYZE "+q); !regexp.MustCompile(" documents=" + all + " hits").MatchString(plan) {
			t.Errorf("%s annotates not %s documents:\n%s", memory, all, plan)
		}
	}
	script(t, c, "RESET work_memory")
	for _, q := range [][2]string{
		{"SELECT e.text FROM extract_regex(docs, 'Steel') r JOIN docs.entities e USING ner ON e.doc = r.doc", steel},
		{"SELECT e.text FROM docs.entities e USING ner JOIN extract_regex(docs, 'Steel') r ON e.doc = r.doc", steel},
		{"SELECT e.text FROM extract_regex(docs, 'Steel') r LEFT JOIN docs.entities e USING ner ON e.doc = r.doc", steel},
		{"SELECT e.text FROM extract_regex(docs, 'Steel') r, docs.entities e USING ner WHERE e.doc = r.doc AND " +
			"r.split = 'test'", dev},
		{"SELECT e.text FROM docs.entities e USING ner WHERE doc IN (SELECT doc FROM extract_regex(docs, 'Steel'))", steel},
		{"SELECT text FROM extract_pattern(docs, '<entities PER> [form=joined]') USING ner", joined},
		{"SELECT e.text FROM docs.entities e USING ner LEFT JOIN extract_regex(docs, 'Steel') r ON e.doc = r.doc", "75"},
		{"SELECT text FROM extract_pattern(docs, '<entities PER> []') USING ner", "75"},
	} {
		plan := text(t, c, "EXPLAIN ANALYZE "+q[0])
		m := regexp.MustCompile(` documents=(\d+) hits`).FindStringSubmatch(plan)
		if m == nil || m[1] != q[1] {
			t.Errorf("%s annotates %v documents, want %s:\n%s", q[0], m, q[1], plan)
		}
	}
}
