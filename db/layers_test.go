package db_test

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestOwnLayersAfterReopening reads a layer that only a model declares, of a model that is not loaded yet.
func TestOwnLayersAfterReopening(t *testing.T) {
	path := filepath.Join(t.TempDir(), "trees.parlance")
	d := open(t, path)
	script(t, d.Conn(), "CREATE CORPUS trees; INSERT INTO trees (id, text) VALUES ('a', 'go home'); INSERT INTO "+
		"trees.dependencies (doc, sent, tok, head, deprel) VALUES ('a', 1, 1, 0, 'root'), ('a', 1, 2, 1, 'obj'); TRAIN "+
		"chain_parser AS p ON trees; SELECT * FROM trees.parses USING p")
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	for _, query := range []string{"SELECT asked FROM trees.parses", "SELECT parses FROM trees USING p",
		"SELECT asked FROM parses(TEXT 'go home')"} {
		d := open(t, path)
		if got := text(t, d.Conn(), query); !strings.Contains(got, "parses") {
			t.Errorf("%s gives %s", query, got)
		}
		if err := d.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
