package db_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"parlance/algo/testutil/realdata"
)

// TestTableFunctionsOnRealText compares table functions on a treebank with what plain SQL over
// its layers gives.
func TestTableFunctionsOnRealText(t *testing.T) {
	dir := realdata.Folder(t)
	c := open(t, "").Conn()
	script(t, c, "CREATE CORPUS ewt; LOAD '"+filepath.Join(dir, "ud", "en_ewt.dev.conllu")+`' INTO ewt FORMAT conllu;
CREATE CORPUS wnut; LOAD '`+filepath.Join(dir, "ner", "wnut17.dev")+`' INTO wnut FORMAT conll WITH (columns = (form, entities));
CREATE GAZETTEER names;
INSERT INTO names SELECT text, label FROM wnut.entities;`)
	for _, q := range [][2]string{
		{"SELECT doc, sent, tok FROM kwic(ewt, 'the')", "SELECT doc, sent, tok FROM ewt.tokens WHERE form = 'the'"},
		{"SELECT doc, sent, tok FROM kwic(ewt, 'go', column => 'lemma')",
			"SELECT doc, sent, tok FROM ewt.tokens WHERE lemma = 'go'"},
		{"SELECT doc, sent, tok, keyword FROM kwic(ewt, 'of the', case => 'lower')",
			`SELECT a.doc, a.sent, a.tok, substr(a.document.text, a.char_start + 1, b.char_end - a.char_start) FROM ewt.tokens a JOIN ewt.tokens b
			 ON a.doc = b.doc AND a.sent = b.sent AND b.tok = a.tok + 1 WHERE lower(a.form) = 'of' AND lower(b.form) = 'the'`},
		{`SELECT sum(1) FROM extract_regex(ewt, '\w+ing\b')`, `SELECT sum(regexp_count(text, '\w+ing\b')) FROM ewt`},
		{`SELECT count(*) FROM extract_regex(ewt, '\w+ing\b') r WHERE text <> substr(r.document.text, char_start + 1, char_end - char_start)`, "SELECT 0"},
		{"SELECT doc, sent, tok_start, text FROM extract_pattern(ewt, '[lemma=have] [upos=NOUN & deprel!=compound]', " +
			"consolidate => 'none')",
			`SELECT a.doc, a.sent, a.tok, substr(a.document.text, a.char_start + 1, b.char_end - a.char_start) FROM ewt.tokens a JOIN ewt.tokens b
			 ON a.doc = b.doc AND a.sent = b.sent AND b.tok = a.tok + 1 JOIN ewt.dependencies d ON d.doc = b.doc AND d.sent = b.sent AND d.tok = b.tok
			 WHERE a.lemma = 'have' AND b.upos = 'NOUN' AND d.deprel <> 'compound'`},
		{"SELECT doc, sent, tok_start, tok_end FROM extract_pattern(wnut, '<entities>', consolidate => 'none')",
			"SELECT doc, sent, tok_start, tok_end FROM wnut.entities"},
		{"SELECT doc, sent, tok_start, tok_end FROM extract_pattern(wnut, '^ <entities person> [] ')",
			"SELECT e.doc, e.sent, 1, e.tok_end + 1 FROM wnut.entities e JOIN wnut.tokens t ON t.doc = e.doc AND t.sent = " +
				"e.sent AND t.tok = e.tok_end + 1 WHERE e.tok_start = 1 AND e.label = 'person'"},
		{"SELECT doc, sent, from_tok, to_tok, path FROM paths(ewt, max => 1) WHERE up = 1",
			"SELECT doc, sent, tok, head, deprel || '<' FROM ewt.dependencies WHERE head > 0"},
		{"SELECT doc, sent, from_tok, to_tok FROM paths(ewt, max => 2) WHERE up = 1 AND down = 1 AND path LIKE 'nsubj<%>obj'",
			"SELECT a.doc, a.sent, a.tok, b.tok FROM ewt.dependencies a JOIN ewt.dependencies b ON a.doc = b.doc AND a.sent = " +
				"b.sent AND a.head = b.head WHERE a.deprel = 'nsubj' AND b.deprel = 'obj' AND a.head > 0"},
		{"SELECT count(*) FROM wnut.entities e LEFT JOIN extract_dictionary(wnut, names, consolidate => 'none') d ON " +
			"same_sentence(e.doc, e.sent, d.doc, d.sent) AND e.tok_start = d.tok_start AND e.label = d.label AND e.text = " +
			"d.text WHERE d.doc IS NULL AND e.text NOT LIKE '%''%'", "SELECT 0"},
	} {
		got, want := rowSet(t, text(t, c, q[0])), rowSet(t, text(t, c, q[1]))
		if len(got) == 0 && len(want) == 0 {
			t.Errorf("%s gives nothing", q[0])
		}
		if d := difference(got, want); d != "" {
			t.Errorf("%s differs from SQL: %s", q[0], d)
		}
	}
}

// rowSet counts the rows of a printed result, without its head.
func rowSet(t *testing.T, printed string) map[string]int {
	t.Helper()
	out := map[string]int{}
	for _, line := range strings.Split(strings.TrimRight(printed, "\n"), "\n")[1:] {
		out[line]++
	}
	return out
}

// difference names a row that two results have not equally often, "" if there is none.
func difference(a, b map[string]int) string {
	for _, m := range []map[string]int{a, b} {
		for row := range m {
			if a[row] != b[row] {
				return fmt.Sprintf("%q comes %d times, not %d; %d and %d rows", row, a[row], b[row], len(a), len(b))
			}
		}
	}
	return ""
}
