package db_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"parlance/db"
)

// attributesOf puts the features of a set into misc, as FORMAT crfsuite writes them and models of CRFsuite read them:
// the statement of docs/bring.md.
const attributesOf = `UPDATE trips.tokens AS t SET misc = f.attributes
  FROM (SELECT doc, sent, tok, string_agg(replace(replace(feature, '\', '\\'), ':', '\:'), chr(9)) AS attributes
        FROM token_features(trips) WITH (set = wide) GROUP BY doc, sent, tok) f
  WHERE f.doc = t.doc AND f.sent = t.sent AND f.tok = t.tok`

// vectorsOf makes vectors of the documents of a corpus, with features in the numbers that COPY MODEL … FORMAT liblinear
// gives them: the statement of docs/bring.md.
const vectorsOf = `INSERT INTO v_NAME (id, text)
  SELECT f.doc, string_agg(n.number || ':' || f.value, ' ' ORDER BY n.number)
  FROM token_features(SOURCE) WITH (set = terms) f
  JOIN (SELECT feature, row_number() OVER (ORDER BY feature) AS number
        FROM (SELECT DISTINCT feature FROM NAME.weights WHERE feature <> 'bias') w) n ON n.feature = f.feature
  GROUP BY f.doc`

// TestTrainedForCRFsuite: a chain that was trained here, written for CRFsuite and read from its file, gives the labels
// that it gave, from features that were written as data of CRFsuite.
func TestTrainedForCRFsuite(t *testing.T) {
	c, dir := open(t, "").Conn(), filepath.ToSlash(t.TempDir())
	labels := func(model, corpus string) string {
		return printed(t, c, "SELECT sent, tok_start, tok_end, label FROM "+corpus+".entities USING "+model)
	}
	runAll(t, c, `CREATE CORPUS trips;
LOAD '../algo/foreign/crfpp/testdata/train.txt' INTO trips FORMAT conll2002;
CREATE FEATURES wide AS 'form[-2..2], xpos[-1..1], form[-1]|form[0], suffix(2)[0], shape[0]';
TRAIN crf AS own ON trips WITH (layer = entities, features = wide, constrained = false);
COPY MODEL own TO '`+dir+`/own.crfsuite' FORMAT crfsuite;
`+attributesOf+`;
COPY trips TO '`+dir+`/trips.txt' FORMAT crfsuite WITH (label = entities);
CREATE CORPUS again;
LOAD '`+dir+`/trips.txt' INTO again FORMAT crfsuite WITH (label = entities, form = 'form[0]=', document = file);
LOAD '`+dir+`/own.crfsuite' INTO MODEL back FORMAT crfsuite WITH (layer = entities);`)
	own := labels("own", "trips")
	if n := strings.Count(own, "\n"); n < 20 {
		t.Fatalf("%d spans", n)
	}
	if got := labels("back", "trips"); got != own {
		t.Errorf("as stored:\n%swant\n%s", got, own)
	}
	if got, want := strings.Count(labels("back", "again"), "\n"), strings.Count(own, "\n"); got != want {
		t.Errorf("%d spans of the data that was read again, want %d", got, want)
	}
}

// TestTrainedForLIBLINEAR: classifiers that were trained here, written for LIBLINEAR and read from its files, give the
// labels that they gave, as numbers in the order of their names, and of two labels the probabilities.
func TestTrainedForLIBLINEAR(t *testing.T) {
	c, dir := open(t, "").Conn(), filepath.ToSlash(t.TempDir())
	runAll(t, c, `CREATE CORPUS topics;
LOAD '../algo/foreign/fasttext/testdata/train.txt' INTO topics FORMAT lines WITH (label = 'first', separator = ' ');
CREATE CORPUS two;
INSERT INTO two (id, text) SELECT id, text FROM topics;
INSERT INTO two.labels (doc, label)
  SELECT doc, CASE WHEN label = '__label__boat' THEN 'a' ELSE 'b' END FROM topics.labels;
CREATE FEATURES terms AS 'bow';
TRAIN maxent AS many ON topics WITH (features = terms);
TRAIN maxent AS both ON two WITH (features = terms);
TRAIN svm AS rest ON topics WITH (features = terms);
TRAIN svm AS pair ON two WITH (features = terms);
TRAIN svm AS joint ON topics WITH (features = terms, multiclass = crammer_singer);`)
	for _, m := range [][2]string{{"many", "topics"}, {"both", "two"}, {"rest", "topics"}, {"pair", "two"},
		{"joint", "topics"}} {
		name, corpus := m[0], m[1]
		runAll(t, c, strings.NewReplacer("NAME", name, "SOURCE", corpus, "DIR", dir).Replace(`
CREATE CORPUS v_NAME;
`+vectorsOf+`;
COPY MODEL NAME TO 'DIR/NAME.model' FORMAT liblinear;
LOAD 'DIR/NAME.model' INTO MODEL back_NAME FORMAT liblinear;`))
		prob := ""
		if name == "both" {
			prob = ", round(prob, 6)"
		}
		want := printed(t, c, "SELECT l.doc, n.number"+strings.Replace(prob, "prob", "l.prob", 1)+" FROM (SELECT doc, label"+
			strings.Replace(prob, "round(prob, 6)", "prob", 1)+" FROM "+corpus+".labels USING "+name+`) l JOIN (SELECT label,
row_number() OVER (ORDER BY label) AS number FROM (SELECT DISTINCT label FROM `+corpus+`.labels) d) n
ON n.label = l.label
ORDER BY l.doc`)
		got := printed(t, c, "SELECT doc, label"+prob+" FROM v_"+name+".labels USING back_"+name+" ORDER BY doc")
		if got != want || strings.Count(got, "\n") < 50 {
			t.Errorf("%s:\n%swant\n%s", name, got, want)
		}
	}
}

// printed runs a query and prints its rows.
func printed(t *testing.T, c *db.Conn, query string) string {
	t.Helper()
	rows, err := c.Query(context.Background(), query)
	if err != nil {
		t.Fatalf("%v in\n%s", err, query)
	}
	var b strings.Builder
	for row, err := range rows.All() {
		if err != nil {
			t.Fatalf("%v in\n%s", err, query)
		}
		for _, v := range row {
			b.WriteString(v.String() + " ")
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// runAll runs statements.
func runAll(t *testing.T, c *db.Conn, list string) {
	t.Helper()
	err := c.Script(context.Background(), list, func(rows *db.Rows) error {
		for rows.Next() {
		}
		return rows.Err()
	})
	if err != nil {
		t.Fatalf("%v in\n%s", err, list)
	}
}
