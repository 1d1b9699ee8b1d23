package db_test

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"parlance/algo/testutil/realdata"
	"parlance/db"
	"parlance/storage/sealed"
)

// TestCheckCorpusReportsDamage damages a block of a corpus behind the back of the database.
func TestCheckCorpusReportsDamage(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.parlance")
	d, err := db.Open(path, db.Options{})
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	if err := d.Conn().Script(ctx, "CREATE CORPUS docs; INSERT INTO docs (id, text) VALUES ('a', 'one two three')",
		nil); err != nil {
		t.Fatal(err)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	b, err := sealed.Open(path, 0o600, nil)
	if err != nil {
		t.Fatal(err)
	}
	err = b.Update(func(tx *sealed.Tx) error {
		k, v := tx.Bucket([]byte("seg")).Cursor().First()
		v = append([]byte{}, v...)
		v[len(v)-1] ^= 1
		return tx.Bucket([]byte("seg")).Put(k, v)
	})
	if err := errors.Join(err, b.Close()); err != nil {
		t.Fatal(err)
	}
	d = open(t, path)
	got := text(t, d.Conn(), "CHECK CORPUS docs")
	if strings.Count(got, "\n") < 2 ||
		strings.Count(got, "error\tstorage\t∅\t∅\tcorpus docs") != strings.Count(got, "\n")-1 {
		t.Errorf("damage gives %s", got)
	}
}

// TestCheckCorpusOfPredictions checks that predictions are looked at where they are named.
func TestCheckCorpusOfPredictions(t *testing.T) {
	d := open(t, "")
	c := d.Conn()
	prepare := `CREATE CORPUS docs;
LOAD '../testdata/quickstart/people.train.conll' INTO docs FORMAT conll WITH (columns = (form, entities));
TRAIN crf AS ner ON docs WITH (iterations = 3);
ANNOTATE docs USING ner;`
	if err := c.Script(context.Background(), prepare, nil); err != nil {
		t.Fatal(err)
	}
	place := "SELECT count(*) FROM check(docs) WITH (limit = 1000, rare = 1000000, rules = ('label-rare')%s) WHERE " +
		"place LIKE '%s%%'"
	for _, q := range [][3]string{{"", "ner.", "0"}, {"", "entities.", "yes"}, {", layer = ner", "ner.", "yes"},
		{", layer = ner", "entities.", "0"}} {
		got := strings.TrimPrefix(text(t, c, strings.Replace(strings.Replace(place, "%s", q[0], 1), "%s%%", q[1]+"%", 1)),
			"count\n")
		if (q[2] == "0") != (got == "0\n") {
			t.Errorf("%v: %q", q, got)
		}
	}
}

// TestCheckCorpusStops cancels it.
func TestCheckCorpusStops(t *testing.T) {
	d := open(t, "")
	c := d.Conn()
	ctx, cancel := context.WithCancel(context.Background())
	if err := c.Script(ctx, "CREATE CORPUS docs; INSERT INTO docs (id, text) VALUES ('a', 'one')", nil); err != nil {
		t.Fatal(err)
	}
	rows, err := c.Query(ctx, "CHECK CORPUS docs")
	cancel()
	if err == nil {
		for rows.Next() {
		}
		err = errors.Join(rows.Err(), rows.Close())
	}
	if !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled check: %v", err)
	}
}

// TestCheckRealCorpora checks that published corpora raise few alarms, and those that are known.
func TestCheckRealCorpora(t *testing.T) {
	dir := realdata.Folder(t)
	for _, x := range []struct {
		files, format string
		most          int      // findings that are errors or warnings, but for label-inconsistent
		known         []string // rules that are broken
	}{
		{"ud/en_ewt.dev.conllu", "conllu", 2, []string{"tree-crossing"}},
		{"ud/tr_imst.*.conllu", "conllu", 5, []string{"token-form", "tree-crossing"}},
		{"ud/zh_gsdsimp.*.conllu", "conllu", 5, nil},
		{"ud/ja_gsd.*.conllu", "conllu", 5, nil},
		{"ud/sl_ssj.*.conllu", "conllu", 5, nil},
		{"ud/nl_alpino.*.conllu", "conllu", 5, nil},
		{"gum/dev.conllu", "conllu", 5, []string{"tree-crossing"}},
		{"conll2007/esp.*", "conll2007", 1 << 20, []string{"tree-label"}},
		{"chunk/conll2000.*", "conll2000", 3, []string{"label-inconsistent"}},
		{"ner/wnut17.*", "conll", 5, []string{"byte-order-mark", "character-reference"}},
		{"ner/conll2002.esp.train", "conll2002", 1 << 20, []string{"mojibake", "huge-document"}},
	} {
		d := open(t, "")
		c := d.Conn()
		load := "CREATE CORPUS docs; LOAD '" + filepath.Join(dir, x.files) + "' INTO docs FORMAT " + x.format
		if err := c.Script(context.Background(), load, nil); err != nil {
			t.Fatal(err)
		}
		rules := map[string]int{}
		alarms := 0
		got := text(t, c, "CHECK CORPUS docs WITH (limit = 1000000)")
		for _, line := range strings.Split(strings.TrimSpace(got), "\n")[1:] {
			f := strings.SplitN(line, "\t", 3)
			rules[f[1]]++
			if f[0] != "info" && f[1] != "label-inconsistent" {
				alarms++
			}
		}
		t.Log(x.files, rules)
		if alarms > x.most {
			t.Errorf("%s: %d alarms %v", x.files, alarms, rules)
		}
		for _, r := range x.known {
			if rules[r] == 0 {
				t.Errorf("%s does not break %s", x.files, r)
			}
		}
	}
}
