package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"

	"parlance/db"
	"parlance/storage/value"
)

// analytical is a query that both databases understand; tables are named by their corpora in
// ours and stand for themselves in SQLite.
type analytical struct{ name, query string }

// analyses are run over 5 million tokens with their dependencies and a million spans.
var analyses = []analytical{
	{"filter by a word", "SELECT count(*) FROM tokens WHERE upos = 'NOUN'"},
	{"filter by numbers", "SELECT count(*) FROM tokens WHERE tok BETWEEN 5 AND 10 AND upos <> 'PUNCT'"},
	{"filter by a pattern", "SELECT count(*) FROM tokens WHERE form LIKE 'un%ed'"},
	{"few groups", "SELECT upos, count(*) FROM tokens GROUP BY upos"},
	{"groups by two columns", "SELECT upos, xpos, count(*), min(tok), max(tok) FROM tokens GROUP BY upos, xpos"},
	{"many groups, top 10", "SELECT form, count(*) AS n FROM tokens GROUP BY form ORDER BY n DESC, form LIMIT 10"},
	{"a million groups",
		"SELECT count(*) FROM (SELECT doc, sent, count(*) AS n FROM tokens GROUP BY doc, sent) s WHERE n > 20"},
	{"distinct count", "SELECT count(DISTINCT lemma) FROM tokens"},
	{"distinct count by group", "SELECT upos, count(DISTINCT form) FROM tokens GROUP BY upos"},
	{"mean of an expression", "SELECT upos, avg(length(form)) FROM tokens GROUP BY upos"},
	{"conditional sums", "SELECT label, sum(CASE WHEN tok_end > tok_start THEN 1 ELSE 0 END), avg(tok_end - tok_start + " +
		"1.0) FROM chunks GROUP BY label"},
	{"HAVING", "SELECT lemma, count(*) AS n FROM tokens WHERE upos = 'VERB' GROUP BY lemma HAVING count(*) > 1000 ORDER " +
		"BY n DESC, lemma"},
	{"join of two layers", "SELECT t.upos, count(*) FROM tokens t JOIN dependencies d ON t.doc = d.doc AND t.sent = " +
		"d.sent AND t.tok = d.tok WHERE d.deprel = 'nsubj' GROUP BY t.upos"},
	{"join with the head", "SELECT h.lemma, count(*) AS n FROM dependencies d JOIN tokens h ON h.doc = d.doc AND h.sent " +
		"= d.sent AND h.tok = d.head WHERE d.deprel = 'obj' GROUP BY h.lemma ORDER BY n DESC, h.lemma LIMIT 10"},
	{"join of neighbours", "SELECT a.label, b.label, count(*) FROM chunks a JOIN chunks b ON a.doc = b.doc AND a.sent = " +
		"b.sent AND b.tok_start = a.tok_end + 1 GROUP BY a.label, b.label"},
	{"top 10 of an expression", "SELECT form, length(form) FROM tokens ORDER BY length(form) DESC, form LIMIT 10"},
	{"window: number in a partition", "SELECT count(*) FROM (SELECT row_number() OVER (PARTITION BY doc ORDER BY " +
		"char_end - char_start DESC, char_start) AS r FROM chunks) s WHERE r <= 3"},
	{"window: the row before", "SELECT label, p, count(*) FROM (SELECT label, lag(label) OVER (PARTITION BY doc, sent " +
		"ORDER BY tok_start) AS p FROM chunks) s GROUP BY label, p"},
	{"window: running sum", "SELECT max(s) FROM (SELECT sum(tok_end - tok_start) OVER (PARTITION BY label ORDER BY doc, " +
		"char_start) AS s FROM chunks) w"},
	{"order of a million rows",
		"SELECT text, doc, char_start FROM chunks ORDER BY text, doc, char_start LIMIT 10 OFFSET 1000000"},
	{"order by numbers",
		"SELECT char_end - char_start AS n, doc FROM chunks ORDER BY n DESC, char_start, doc LIMIT 10 OFFSET 1000000"},
	{"membership in a subselect",
		"SELECT count(*) FROM tokens WHERE lemma IN (SELECT lemma FROM tokens WHERE upos = 'PROPN')"},
}

// likePragma makes LIKE of SQLite tell letter case apart, as ours does.
const likePragma = "PRAGMA case_sensitive_like = ON"

// relational compares the analyses with SQLite on the same rows.
func (b *bench) relational() error {
	d, c, err := b.session("relational")
	if err != nil {
		return err
	}
	defer d.Close()
	if err := b.relationalData(c); err != nil {
		return err
	}
	lite, err := b.relationalLite(c)
	if err != nil {
		return err
	}
	var ratios []float64
	for _, a := range analyses {
		own := a.query
		for _, t := range []string{"tokens", "dependencies", "chunks"} {
			corpus := "t"
			if t == "chunks" {
				corpus = "c"
			}
			for _, word := range []string{"FROM ", "JOIN "} {
				own = strings.ReplaceAll(own, word+t, word+corpus+"."+t)
			}
		}
		if err := b.agree(c, lite, own, a.query); err != nil {
			return err
		}
		took, err := b.statement(5, c, own)
		if err != nil {
			return err
		}
		note := ""
		if lite != "" {
			other, err := b.median(3, func() (float64, error) {
				return liteTime(lite, filepath.Join(b.Dir, "relational.sqlite"), a.query, "-cmd", likePragma)
			})
			if err != nil {
				return err
			}
			ratios = append(ratios, other/took.clock)
			note = fmt.Sprintf("SQLite %.0f ms, %.1f ×", other*1e3, other/took.clock)
		}
		b.add(a.name, fmt.Sprintf("%.0f ms", took.clock*1e3), "≥ 1 × SQLite", took.note(note))
	}
	if len(ratios) > 0 {
		sort.Float64s(ratios)
		b.add(fmt.Sprintf("median of %d analyses", len(ratios)),
			fmt.Sprintf("%.1f × SQLite", (ratios[(len(ratios)-1)/2]+ratios[len(ratios)/2])/2), "≥ 4",
			fmt.Sprintf("least %.1f", ratios[0]))
	}
	return b.scan(c)
}

// scan measures a predicate over the tokens.
func (b *bench) scan(c *db.Conn) error {
	var n int64
	if err := b.one(c, "SELECT count(*) FROM t.tokens", &n); err != nil {
		return err
	}
	took, err := b.statement(7, c, "SELECT count(*) FROM t.tokens WHERE upos = 'NOUN'")
	if err != nil {
		return err
	}
	b.add("scan with a predicate on upos", fmt.Sprintf("%.0f M rows/s", float64(n)/took.clock/1e6), "≥ 50",
		took.note(fmt.Sprintf("%d tokens", n)))
	return nil
}

func (b *bench) relationalData(c *db.Conn) error {
	path, _, err := b.repeated(25)
	if err != nil {
		return err
	}
	raw, err := os.ReadFile(b.file("chunk", "conll2000.train"))
	if err != nil {
		return err
	}
	copies := filepath.Join(b.Dir, "chunks")
	if err := os.MkdirAll(copies, 0o755); err != nil {
		return err
	}
	for i := range 10 {
		if err := os.WriteFile(filepath.Join(copies, fmt.Sprintf("part%d", i)), raw, 0o644); err != nil {
			return err
		}
	}
	return b.script(c, "CREATE CORPUS t; CREATE CORPUS c; SET cache = off; LOAD '"+path+"' INTO t FORMAT conllu; LOAD '"+
		copies+"/*' INTO c FORMAT conll2000")
}

// relationalLite fills SQLite with the same rows, indexed by document, sentence and token; ""
// without sqlite3 on PATH.
func (b *bench) relationalLite(c *db.Conn) (string, error) {
	lite := b.peer("sqlite3")
	if lite == "" {
		return "", nil
	}
	var script strings.Builder
	for _, t := range []struct{ name, from, columns, types string }{
		{"tokens", "t.tokens", "doc, sent, tok, form, lemma, upos, xpos",
			"doc TEXT, sent INTEGER, tok INTEGER, form TEXT, lemma TEXT, upos TEXT, xpos TEXT"},
		{"dependencies", "t.dependencies", "doc, sent, tok, head, deprel",
			"doc TEXT, sent INTEGER, tok INTEGER, head INTEGER, deprel TEXT"},
		{"chunks", "c.chunks", "doc, sent, char_start, char_end, tok_start, tok_end, label, text", "doc TEXT, sent INTEGER," +
			" char_start INTEGER, char_end INTEGER, tok_start INTEGER, tok_end INTEGER, label TEXT, text TEXT"},
	} {
		csv := filepath.Join(b.Dir, t.name+".csv")
		if err := b.script(c, "COPY (SELECT "+t.columns+" FROM "+t.from+") TO '"+csv+
			"' FORMAT csv WITH (header = false)"); err != nil {
			return "", err
		}
		first := "tok"
		if t.name == "chunks" {
			first = "tok_start"
		}
		fmt.Fprintf(&script,
			"CREATE TABLE %s (%s);\n.mode csv\n.import %s %s\nCREATE INDEX %s_place ON %s (doc, sent, %s);\n", t.name, t.types,
			csv, t.name, t.name, t.name, first)
	}
	for _, c := range []string{"lemma", "upos", "xpos"} { // an empty value of csv is NULL
		fmt.Fprintf(&script, "UPDATE tokens SET %s = NULL WHERE %s = '';\n", c, c)
	}
	script.WriteString("ANALYZE;\n")
	cmd := exec.CommandContext(b.ctx, lite, filepath.Join(b.Dir, "relational.sqlite"))
	cmd.Stdin = strings.NewReader(script.String())
	out, err := cmd.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("sqlite3: %w: %s", err, out)
	}
	return lite, nil
}

// agree checks that both databases give the same rows.
func (b *bench) agree(c *db.Conn, lite, own, other string) error {
	if lite == "" {
		return nil
	}
	rows, err := c.Query(b.ctx, own)
	if err != nil {
		return fmt.Errorf("%s: %w", own, err)
	}
	var mine []string
	for rows.Next() {
		var cells []string
		for _, v := range rows.Values() {
			if v.T == value.Float {
				cells = append(cells, fmt.Sprintf("%.6g", v.Float()))
			} else {
				cells = append(cells, v.String())
			}
		}
		mine = append(mine, strings.Join(cells, "\t"))
	}
	if err := rows.Close(); err != nil {
		return err
	}
	out, err := exec.CommandContext(b.ctx, lite, "-cmd", likePragma, "-separator", "\t",
		filepath.Join(b.Dir, "relational.sqlite"), other).Output()
	if err != nil {
		return fmt.Errorf("sqlite3: %s: %w", other, err)
	}
	var theirs []string
	for _, line := range strings.Split(strings.TrimSuffix(string(out), "\n"), "\n") {
		cells := strings.Split(line, "\t")
		for i, s := range cells {
			var f float64
			if _, err := fmt.Sscan(s, &f); err == nil && strings.Contains(s, ".") {
				cells[i] = fmt.Sprintf("%.6g", f)
			}
		}
		theirs = append(theirs, strings.Join(cells, "\t"))
	}
	sort.Strings(mine)
	sort.Strings(theirs)
	if strings.Join(mine, "\n") != strings.Join(theirs, "\n") {
		return fmt.Errorf("%s: the databases disagree:\n%s\nSQLite:\n%s", own, head(mine), head(theirs))
	}
	return nil
}

func head(lines []string) string { return strings.Join(lines[:min(len(lines), 20)], "\n") }
