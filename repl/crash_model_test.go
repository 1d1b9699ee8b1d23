package repl_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parlance/db"
)

// crashLoads is the number of models that a script loads from one file.
const crashLoads = 30

// TestKilledLoadOfModels kills the command while it loads models from a file: what it
// acknowledged is there, what it did not is there whole or not at all.
func TestKilledLoadOfModels(t *testing.T) {
	if testing.Short() {
		t.Skip("kills another process, for some 10 s: left out by -short")
	}
	rounds := 12
	dir := t.TempDir()
	bin := buildCommand(t)
	model, hash := modelToLoad(t, dir)
	var script strings.Builder
	for i := range crashLoads {
		fmt.Fprintf(&script, "LOAD '%s' INTO MODEL m%d;\n", model, i)
	}
	path := filepath.Join(dir, "loads.sql")
	if err := os.WriteFile(path, []byte(script.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	var whole time.Duration
	for i := range rounds + 1 {
		file := filepath.Join(dir, fmt.Sprintf("k%d.parlance", i))
		after := time.Hour
		if i > 0 {
			after = time.Duration(i) * whole / time.Duration(rounds+1)
		}
		ctx, stop := context.WithTimeout(t.Context(), after)
		cmd := exec.CommandContext(ctx, bin, "exec", "--db", file, "-f", path)
		var out bytes.Buffer
		cmd.Stdout = &out
		start := time.Now()
		err := cmd.Run()
		stop()
		if i == 0 {
			whole = time.Since(start)
			if err != nil {
				t.Fatal(err)
			}
		}
		acknowledged := strings.Count(out.String(), "LOAD m")
		if i == 0 && acknowledged != crashLoads {
			t.Fatalf("%d models loaded", acknowledged)
		}
		if at, err := os.Stat(file); acknowledged == 0 && (err != nil || at.Size() == 0) {
			continue // it was killed before the file had a page, and an empty file is refused
		}
		verifyLoads(t, file, hash, acknowledged)
	}
}

// modelToLoad trains a model that starts from another and writes it to a file.
func modelToLoad(t *testing.T, dir string) (path, hash string) {
	t.Helper()
	input := filepath.Join(dir, "train.conll")
	if err := os.WriteFile(input, sentences(1), 0o600); err != nil {
		t.Fatal(err)
	}
	d, err := db.Open("", db.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	path = filepath.Join(dir, "ner.model")
	err = d.Conn().Script(t.Context(), fmt.Sprintf(`CREATE CORPUS docs;
LOAD '%s' INTO docs FORMAT conll WITH (columns = (form, entities));
TRAIN crf AS base ON docs WITH (iterations = 3);
TRAIN crf AS ner ON docs WITH (iterations = 3, init = 'base@1');
COPY MODEL ner TO '%s'`, input, path), nil)
	if err != nil {
		t.Fatal(err)
	}
	return path, one(t, d.Conn(), "SELECT weights FROM ner.versions")
}

// one is the only value that a query gives.
func one(t *testing.T, c *db.Conn, query string) (out string) {
	t.Helper()
	rows, err := c.Query(t.Context(), query)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		out = rows.Values()[0].String()
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

// verifyLoads opens a file after a kill.
func verifyLoads(t *testing.T, file, hash string, acknowledged int) {
	t.Helper()
	d, err := db.Open(file, db.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	c := d.Conn()
	loaded := 0
	for i := range crashLoads {
		if one(t, c, fmt.Sprintf("SELECT count(*) FROM system.models WHERE name = 'm%d'", i)) == "0" {
			break
		}
		loaded++
		if got := one(t, c, fmt.Sprintf("SELECT weights FROM m%d.versions", i)); got != hash {
			t.Errorf("m%d has the weights %s, want %s", i, got, hash)
		}
		if up := one(t, c, fmt.Sprintf("SELECT upstream FROM m%d.versions", i)); up != "base@1 (init)" {
			t.Errorf("m%d comes from %s", i, up)
		}
	}
	models := loaded
	if loaded > 0 {
		models++ // base
	}
	if n := one(t, c, "SELECT count(*) FROM system.models"); n != fmt.Sprint(models) || loaded < acknowledged ||
		loaded > acknowledged+1 {
		t.Errorf("%s models, %d loaded, %d acknowledged", n, loaded, acknowledged)
	}
	if err := c.Script(t.Context(), "CHECK DATABASE", nil); err != nil {
		t.Error(err)
	}
}
