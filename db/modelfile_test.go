package db_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parlance/db"
)

// copied writes a model to a file and returns its path.
func copied(t *testing.T, c *db.Conn, model string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "m.model")
	if _, err := c.Exec(context.Background(), "COPY MODEL "+model+" TO $1", path); err != nil {
		t.Fatal(err)
	}
	return path
}

func loadModel(t *testing.T, c *db.Conn, path, model string) string {
	t.Helper()
	res, err := c.Exec(context.Background(), "LOAD $1 INTO MODEL "+model, path)
	if err != nil {
		t.Fatal(err)
	}
	return res.Tag
}

// TestModelsMove copies a model with its upstream into another database: it predicts the same
// there, can be replayed, and loading it again finds it.
func TestModelsMove(t *testing.T) {
	a := open(t, "").Conn()
	script(t, a, upstream+"TRAIN crf AS ner ON docs WHERE split = 'train' USING tagger WITH (iterations = 15, init = "+
		"'ner@1', features = 'form[0], upos[-1..1]')")
	path := copied(t, a, "ner@2")
	if p, q := read(t, path), read(t, copied(t, a, "ner@2")); !bytes.Equal(p, q) {
		t.Error("two copies of a model differ")
	}
	b := open(t, "").Conn()
	var notices []string
	b.OnNotice(func(s string) { notices = append(notices, s) })
	script(t, b, people+"CREATE CORPUS other; INSERT INTO other (id, text) VALUES ('x', 'Ann.'); UPDATE other.tokens "+
		"SET upos = form; TRAIN maxent AS tagger ON other WITH (layer = 'upos', iterations = 1)")
	if tag := loadModel(t, b, path, "entity"); tag != "LOAD entity@1" {
		t.Errorf("tag %s", tag)
	}
	if s := strings.Join(notices, "\n"); !strings.Contains(s, "upstream tagger@1 comes with it, as tagger@2") ||
		!strings.Contains(s, "upstream ner@1 comes with it, as ner@1") {
		t.Errorf("notices:\n%s", s)
	}
	q := "SELECT doc, sent, tok_start, tok_end, label, prob FROM docs.entities USING "
	if x, y := text(t, a, q+"ner@2"), text(t, b, q+"entity"); x != y {
		t.Errorf("predictions of the copy differ:\n%s\n%s", x, y)
	}
	if x := text(t, b, "SELECT upstream FROM entity.versions"); !strings.Contains(x, "tagger@2, ner@1 (init)") {
		t.Errorf("upstream: %s", x)
	}
	replayed(t, b, "entity", "true", "false", "∅", "∅")
	before := text(t, b, "SELECT * FROM system.models")
	if tag := loadModel(t, b, path, "entity"); tag != "LOAD entity@1" {
		t.Errorf("loaded again: %s", tag)
	}
	if after := text(t, b, "SELECT * FROM system.models"); after != before {
		t.Errorf("loading again changed\n%s\ninto\n%s", before, after)
	}
	if told := text(t, b, "DESCRIBE MODEL entity"); !strings.Contains(told, "loaded from") ||
		!strings.Contains(told, "ner@2 there") ||
		!strings.Contains(told, "\nreads\ttokens.") ||
		!strings.Contains(told, "\nrelation\tweights → feature, label, weight: ") {
		t.Errorf("DESCRIBE:\n%s", told)
	}
	again := copied(t, b, "entity")
	if tag := loadModel(t, a, again, "ner"); tag != "LOAD ner@2" {
		t.Errorf("a copy that came home: %s", tag)
	}
	script(t, b, "CHECK DATABASE")
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	p, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestModelNamesItsResources loads a model whose gazetteer is not there, is another kind of
// thing, has other rows.
func TestModelNamesItsResources(t *testing.T) {
	a := open(t, "").Conn()
	var notices []string
	a.OnNotice(func(s string) { notices = append(notices, s) })
	script(t, a, people+"TRAIN crf AS gaz ON docs WITH (iterations = 5, features = mine)")
	path := copied(t, a, "gaz")
	for _, tc := range []struct{ before, notice string }{
		{"", "gaz needs the gazetteer cities, which is not here"},
		{"CREATE LEXICON cities (word TEXT)", "gaz needs the gazetteer cities, which is a lexicon here"},
		{"CREATE GAZETTEER cities", "gaz was trained with another content of the gazetteer cities"},
	} {
		c := open(t, "").Conn()
		c.OnNotice(func(s string) { notices = append(notices, s) })
		script(t, c, tc.before)
		loadModel(t, c, path, "gaz")
		if s := strings.Join(notices, "\n"); !strings.Contains(s, tc.notice) {
			t.Errorf("notices:\n%s", s)
		}
	}
	if s := strings.Join(notices, "\n"); !strings.Contains(s,
		"gaz@1 reads gazetteer cities, which the file does not hold") {
		t.Errorf("notices:\n%s", s)
	}
}

// TestBadModelFiles loads what is no model file, damaged ones, and under names that are taken;
// copies to where nothing can be written. Nothing changes.
func TestBadModelFiles(t *testing.T) {
	d := open(t, t.TempDir()+"/m.parlance")
	c := d.Conn()
	script(t, c, upstream)
	path := copied(t, c, "ner")
	raw := read(t, path)
	dir := t.TempDir()
	file := func(name string, p []byte) string {
		to := filepath.Join(dir, name)
		if err := os.WriteFile(to, p, 0o644); err != nil {
			t.Fatal(err)
		}
		return "'" + to + "'"
	}
	flipped := bytes.Clone(raw)
	flipped[len(raw)/2] ^= 1
	resigned := bytes.Clone(raw) // a wrong weight under a right checksum
	resigned[len(raw)-40] ^= 1
	sum := sha256.Sum256(resigned[:len(raw)-sha256.Size])
	copy(resigned[len(raw)-sha256.Size:], sum[:])
	newer := bytes.Clone(raw)
	newer[16] = 9
	before := text(t, c, "SELECT * FROM system.models")
	for _, tc := range []struct{ statement, code, message string }{
		{"LOAD " + file("text", []byte("form\tlabel\n")) + " INTO MODEL m", "22P04", "not a model file"},
		{"LOAD " + file("none", nil) + " INTO MODEL m", "22P04", "not a model file"},
		{"LOAD " + file("cut", raw[:len(raw)/2]) + " INTO MODEL m", "22P04", "damaged"},
		{"LOAD " + file("short", raw[:20]) + " INTO MODEL m", "22P04", "damaged"},
		{"LOAD " + file("flipped", flipped) + " INTO MODEL m", "22P04", "damaged"},
		{"LOAD " + file("resigned", resigned) + " INTO MODEL m", "22P04", "damaged"},
		{"LOAD " + file("newer", newer) + " INTO MODEL m", "58P01", "newer version"},
		{"LOAD '" + path + "' INTO MODEL docs", "42710", "docs is a corpus already"},
		{"LOAD '" + path + "' INTO MODEL tokens", "42939", "reserved"},
		{"LOAD '" + dir + "' INTO MODEL m", "58P01", "no file"},
		{"LOAD '" + dir + "/absent' INTO MODEL m", "58P01", "absent"},
		{"COPY MODEL ner@4 TO '" + dir + "/x'", "42704", "no version 4"},
		{"COPY MODEL ner TO '" + dir + "/no/such/x'", "58P01", "no such"},
	} {
		fails(t, c, tc.statement, tc.code, tc.message)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := c.Exec(ctx, "COPY MODEL ner TO $1", dir+"/cancelled"); err == nil {
		t.Error("a cancelled COPY succeeded")
	}
	if _, err := c.Exec(ctx, "LOAD $1 INTO MODEL m", path); err == nil {
		t.Error("a cancelled LOAD succeeded")
	}
	if after := text(t, c, "SELECT * FROM system.models"); after != before {
		t.Errorf("models changed:\n%s", after)
	}
	for _, pattern := range []string{"x", "cancelled", ".*"} {
		if left, _ := filepath.Glob(filepath.Join(dir, pattern)); len(left) > 0 {
			t.Errorf("files stay: %v", left)
		}
	}
	e := open(t, "").Conn()
	script(t, e, "CREATE CORPUS tagger")
	fails(t, e, "LOAD '"+path+"' INTO MODEL ner", "42710", "the file brings the model tagger")
	if n := text(t, e, "SELECT count(*) FROM system.models"); n != "count\n0\n" {
		t.Errorf("models after a refused LOAD: %s", n)
	}
}

// TestModelOfUnknownKind loads a model of a kind that the program lacks.
func TestModelOfUnknownKind(t *testing.T) {
	a := open(t, "").Conn()
	script(t, a, people+"TRAIN word_counts AS counts ON docs")
	path := copied(t, a, "counts")
	d, err := db.Open("", db.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	fails(t, d.Conn(), "LOAD '"+path+"' INTO MODEL counts", "42704",
		"the kind word_counts, which this program does not have")
	b := open(t, "").Conn()
	loadModel(t, b, path, "counts")
	q := "SELECT * FROM counts.starting('S', 3)"
	if x, y := text(t, a, q), text(t, b, q); x != y {
		t.Errorf("relations differ:\n%s\n%s", x, y)
	}
}
