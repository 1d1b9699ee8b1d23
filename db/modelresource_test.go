package db_test

import (
	"context"
	"strings"
	"testing"

	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/db"
)

const counted = `CREATE CORPUS docs; INSERT INTO docs (id, text) VALUES ('1', 'a b a'), ('2', 'b');
CREATE CORPUS more; INSERT INTO more (id, text) VALUES ('1', 'a a a a'), ('2', 'b b');
TRAIN word_counts AS c ON docs;
TRAIN first_count AS f ON docs WITH (counts = c);`

func looking(t *testing.T) *db.Conn {
	t.Helper()
	d, err := db.Open("", db.Options{Kinds: []kind.Kind{kindtest.RelationKind(), kindtest.LookingKind()}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d.Conn()
}

// TestModelsLookIntoModels: a model sees the version that it was trained with, through retraining
// of the other, the cache, replay and a move to another database.
func TestModelsLookIntoModels(t *testing.T) {
	a := looking(t)
	script(t, a, counted)
	const q = "SELECT doc, label FROM docs.labels USING "
	first := text(t, a, q+"f")
	if first == "" {
		t.Fatal("no labels")
	}
	script(t, a, "TRAIN word_counts AS c ON more")
	if again := text(t, a, q+"f"); again != first {
		t.Errorf("after retraining of what it looks into\n%s\nbefore\n%s", again, first)
	}
	script(t, a, "TRAIN first_count AS f ON docs WITH (counts = c); TRAIN first_count AS g ON docs WITH (counts = 'c@1')")
	if second := text(t, a, q+"f"); second == first {
		t.Errorf("the new version sees the old counts: %s", second)
	}
	if g := text(t, a, q+"g"); g != first {
		t.Errorf("c@1: %s, want %s", g, first)
	}
	if up := text(t, a, "SELECT version, upstream FROM f.versions ORDER BY version"); !strings.Contains(up,
		"c@1 (resource)") || !strings.Contains(up, "c@2 (resource)") {
		t.Errorf("lineage: %s", up)
	}
	replayed(t, a, "f@1", "true", "false", "∅", "∅")
	for _, s := range []string{"DROP MODEL c", "DROP MODEL c@1", "DROP MODEL c@2"} {
		if _, err := a.Exec(context.Background(), s); err == nil || !strings.Contains(err.Error(), "was trained with") {
			t.Errorf("%s: %v", s, err)
		}
	}
	path := copied(t, a, "f@1")
	b := looking(t)
	script(t, b, "CREATE CORPUS docs; INSERT INTO docs (id, text) VALUES ('1', 'a b a'), ('2', 'b'); TRAIN word_counts "+
		"AS c ON docs WHERE id = '2'")
	loadModel(t, b, path, "f")
	if moved := text(t, b, q+"f"); moved != first {
		t.Errorf("in another database\n%s\nbefore\n%s", moved, first)
	}
}

func TestModelResourceFaults(t *testing.T) {
	c := looking(t)
	script(t, c, counted)
	for _, x := range []struct{ with, want string }{
		{"counts = d", "no model d"},
		{"counts = 'd'", "the model reads model d, which does not exist"},
		{"counts = docs", "no model docs"},
		{"counts = 'docs'", "which does not exist"},
		{"counts = 'c@7'", "has no version 7"},
		{"counts = 'c.starting'", "is a relation where a model is wanted"},
		{"counts = f", "model f@1 does not count words"},
	} {
		if _, err := c.Exec(context.Background(), "TRAIN first_count AS x ON docs WITH ("+x.with+")"); err == nil ||
			!strings.Contains(err.Error(), x.want) {
			t.Errorf("%s: %v, want %s", x.with, err, x.want)
		}
	}
}

// TestTuneOverModels searches over the models that another one looks into.
func TestTuneOverModels(t *testing.T) {
	c := looking(t)
	script(t, c, counted+`TRAIN word_counts AS c ON more;
INSERT INTO docs.labels (doc, label) VALUES ('1', '4'), ('2', '2');
TUNE first_count AS best ON docs VALIDATE ON docs OVER (counts = ('c@1', 'c@2')) METRIC accuracy`)
	if got := text(t, c,
		"SELECT rank, score FROM best.tuning ORDER BY rank"); got != "rank\tscore\n1\t1.0000\n2\t0.5000\n" {
		t.Errorf("tuning: %s", got)
	}
	if got := text(t, c, "SELECT upstream FROM best.versions"); !strings.Contains(got, "c@2 (resource)") ||
		strings.Contains(got, "c@1") {
		t.Errorf("lineage: %s", got)
	}
}

// TestTemplatesLookIntoModels: templates see the version that they were trained with, when a model
// is trained again from its lineage too.
func TestTemplatesLookIntoModels(t *testing.T) {
	c := open(t, "").Conn()
	script(t, c,
		`CREATE CORPUS docs; INSERT INTO docs (id, text) VALUES ('1', 'the dog runs'), ('2', 'a cat sleeps'), ('3', 'the cat runs');
UPDATE docs.tokens SET upos = 'N' WHERE form IN ('dog', 'cat'); UPDATE docs.tokens SET upos = 'X' WHERE upos IS NULL;
TRAIN brown AS c ON docs WITH (clusters = 3, min_count = 1);
TRAIN crf AS tagger ON docs WITH (layer = 'upos', features = 'lexicon(c, bits)[0], gazetteer(c.words)[-1]');
TRAIN brown AS c ON docs WHERE id = '1' WITH (clusters = 2, min_count = 1)`)
	replayed(t, c, "tagger", "true", "false", "∅", "∅")
}
