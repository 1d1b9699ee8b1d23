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

// TestTrainedForTemplates: a chain that was trained here, written for CRF++ and Wapiti and read from its file, gives
// the labels that it gave, from the columns that COPY … FORMAT crfpp wrote for it.
func TestTrainedForTemplates(t *testing.T) {
	c, dir := open(t, "").Conn(), filepath.ToSlash(t.TempDir())
	runAll(t, c, `CREATE CORPUS trips;
LOAD '../algo/foreign/crfpp/testdata/train.txt' INTO trips FORMAT conll2002;
CREATE FEATURES wide AS 'bias, form[-2..2], xpos[-1..1], form[-1]|form[0], suffix(2)[0], shape[0], bos|xpos[1]';
TRAIN crf AS own ON trips WITH (layer = entities, features = wide, constrained = false);
COPY trips TO '`+dir+`/trips.txt' FORMAT crfpp WITH (model = 'own@1');
CREATE CORPUS columns;
LOAD '`+dir+`/trips.txt' INTO columns FORMAT conll WITH (columns = (lemma, upos, form, xpos, feats, entities));`)
	spans := func(columns, corpus, using string) string {
		return printed(t, c, "SELECT sent, tok_start, tok_end, label"+columns+" FROM "+corpus+".entities"+using)
	}
	own := spans(", round(prob, 9)", "trips", " USING own")
	if n := strings.Count(own, "\n"); n < 20 {
		t.Fatalf("%d spans", n)
	}
	if got, want := spans("", "columns", ""), spans("", "trips", ""); got != want {
		t.Errorf("the labels of the data:\n%swant\n%s", got, want)
	}
	for _, format := range []string{"crfpp", "wapiti"} {
		runAll(t, c, "COPY MODEL own TO '"+dir+"/own."+format+"' FORMAT "+format+`;
LOAD '`+dir+"/own."+format+"' INTO MODEL "+format+" FORMAT "+format+`
  WITH (layer = entities, columns = (lemma, upos, form, xpos, feats));`)
		if got := spans(", round(prob, 9)", "columns", " USING "+format); got != own {
			t.Errorf("%s:\n%swant\n%s", format, got, own)
		}
	}
}

// TestTemplatesRefused: what templates over columns cannot express is refused with what it is.
func TestTemplatesRefused(t *testing.T) {
	c, dir := open(t, "").Conn(), filepath.ToSlash(t.TempDir())
	runAll(t, c, `CREATE CORPUS trips;
LOAD '../algo/foreign/crfpp/testdata/train.txt' INTO trips FORMAT conll2002;
CREATE CORPUS plain;
LOAD '../algo/foreign/crfpp/testdata/train.txt' INTO plain FORMAT conll WITH (columns = (form, _, entities));
CREATE CORPUS odd;
INSERT INTO odd (id, text) VALUES ('a', 'One two.');
UPDATE odd.tokens SET upos = 'a b';
UPDATE odd.tokens SET upos = 'c' WHERE tok = 2;
TRAIN crf AS second ON trips WITH (order = 2, constrained = false, iterations = 2);
TRAIN crf AS rules ON trips WITH (iterations = 2);
TRAIN crf AS pieces ON trips WITH (features = 'substring(2)[0]', constrained = false, iterations = 2);
TRAIN crf AS far ON trips WITH (features = 'form[-9..9]', constrained = false, iterations = 2);
TRAIN crf AS tagged ON trips WITH (features = 'xpos[0]', constrained = false, iterations = 2);
TRAIN crf AS blank ON odd WITH (layer = upos, features = 'form[0]', iterations = 2);
TRAIN hmm AS chain ON trips;
LOAD '../algo/foreign/crfpp/testdata/model.txt' INTO MODEL foreign_one FORMAT crfpp WITH (layer = entities);
COPY MODEL far TO '`+dir+`/far.wapiti' FORMAT wapiti;`)
	for _, x := range [][2]string{
		{"COPY MODEL second TO 'DIR/m' FORMAT crfpp", "weigh three labels"},
		{"COPY MODEL rules TO 'DIR/m' FORMAT wapiti", "decoding keeps to the scheme"},
		{"COPY MODEL pieces TO 'DIR/m' FORMAT crfpp", "substring(2)[0] gives a token several values"},
		{"COPY MODEL far TO 'DIR/m' FORMAT crfpp", "reads a token 9 away"},
		{"COPY MODEL blank TO 'DIR/m' FORMAT wapiti", "the label \"a b\" has white space"},
		{"COPY MODEL chain TO 'DIR/m' FORMAT wapiti", "its kind is no chain of labels"},
		{"COPY MODEL foreign_one TO 'DIR/m' FORMAT wapiti", "not made by templates of wapiti"},
		{"COPY trips TO 'DIR/d' FORMAT crfpp", "writes the columns that a model reads"},
		{"COPY trips TO 'DIR/d' FORMAT crfpp WITH (model = nothing)", "there is no model nothing"},
		{"COPY trips TO 'DIR/d' FORMAT crfpp WITH (model = pieces)", "substring(2)[0] gives a token several values"},
		{"COPY trips TO 'DIR/d' FORMAT crfpp WITH (model = chain)", "its kind is no chain of labels"},
		{"COPY trips TO 'DIR/d' FORMAT crfpp WITH (model = foreign_one)", "it was trained elsewhere"},
		{"COPY plain TO 'DIR/d' FORMAT crfpp WITH (model = tagged)", "tokens.xpos, which plain does not store"},
		{"COPY plain USING far TO 'DIR/d' FORMAT crfpp WITH (model = tagged)", "tokens.xpos, which document"},
		{"COPY odd TO 'DIR/d' FORMAT crfpp WITH (model = blank)", "the label \"a b\" has white space"},
	} {
		_, err := c.Exec(context.Background(), strings.ReplaceAll(x[0], "DIR", dir))
		if err == nil || !strings.Contains(err.Error(), x[1]) {
			t.Errorf("%s: %v, want %s", x[0], err, x[1])
		}
	}
	runAll(t, c, "COPY plain USING chain TO '"+dir+"/plain' FORMAT crfpp WITH (model = far)")
}
