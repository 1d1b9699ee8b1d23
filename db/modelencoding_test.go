package db_test

import (
	"path/filepath"
	"strings"
	"testing"

	"parlance/algo/kind"
	"parlance/db"
	"parlance/storage"
	"parlance/storage/registry"
)

// withEncoding publishes the weights of the newest version of a model again, under another format number.
func withEncoding(t *testing.T, file, model string, encoding int) {
	t.Helper()
	s, err := storage.Open(file, storage.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	list := s.Model(model).Versions
	v := list[len(list)-1]
	from, err := s.Weights(v.WeightsID)
	if err != nil {
		t.Fatal(err)
	}
	to, err := s.NewWeights(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range from.Names() {
		p, err := from.Section(name)
		if err == nil {
			err = to.Write(name, p)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	v.Encoding = encoding
	if _, err := s.PublishModels(t.Context(), []registry.NewVersion{{Weights: to, Version: v}}); err != nil {
		t.Fatal(err)
	}
}

// TestModelsOfOtherFormats: weights that another version of the program wrote are refused by what they are, not as
// damaged, and all that needs no weights goes on.
func TestModelsOfOtherFormats(t *testing.T) {
	file := filepath.Join(t.TempDir(), "old.parlance")
	d, err := db.Open(file, db.Options{})
	if err != nil {
		t.Fatal(err)
	}
	script(t, d.Conn(), people+"TRAIN crf AS m ON docs WITH (iterations = 2)")
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	withEncoding(t, file, "m", kind.Encoding-1)
	withEncoding(t, file, "m", kind.Encoding+1)
	if d, err = db.Open(file, db.Options{}); err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	c := d.Conn()
	script(t, c, "SELECT * FROM docs.entities USING m@1")
	for version, want := range map[string]string{
		"m@2": "model m@2 was written by an older version of Parlance",
		"m@3": "model m@3 was written by a newer version of Parlance",
	} {
		path := copied(t, c, version)
		for _, q := range []string{"SELECT * FROM docs.entities USING " + version,
			"EXPLAIN SELECT * FROM docs.entities USING " + version, "SELECT * FROM " + version + ".weights",
			"EVALUATE " + version + " ON docs", "LOAD '" + path + "' INTO MODEL other",
			"TRAIN crf AS next ON docs WITH (init = '" + version + "')"} {
			_, err := c.Exec(t.Context(), q)
			if err == nil || code(err) != "58P01" || !strings.Contains(err.Error(), want) ||
				strings.Contains(err.Error(), "damaged") {
				t.Errorf("%s: %v", q, err)
			}
		}
	}
	if s := text(t, c, "DESCRIBE MODEL m@2"); !strings.Contains(s, "TRAIN crf AS m ON docs") {
		t.Errorf("DESCRIBE: %s", s)
	}
	if s := text(t, c, "REPLAY m@2"); !strings.Contains(s, "its weights have the format 0, those of now 1") {
		t.Errorf("REPLAY: %s", s)
	}
	script(t, c, "DROP MODEL m")
}
