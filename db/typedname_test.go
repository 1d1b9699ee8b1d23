package db_test

import (
	"path/filepath"
	"testing"
)

// TestTypedFilesOfAnyName: the first bytes tell a file of Arrow or Parquet, whatever its name is and wherever it is
// loaded. Its name has no .gz, for it is compressed inside.
func TestTypedFilesOfAnyName(t *testing.T) {
	dir := t.TempDir()
	c := open(t, "").Conn()
	script(t, c, "CREATE TABLE t (n INTEGER, x TEXT); INSERT INTO t VALUES (1, 'a'), (2, NULL); "+
		"CREATE TABLE u (n INTEGER, x TEXT)")
	for _, f := range []string{"arrow", "parquet"} {
		file := filepath.Join(dir, f+".bin")
		script(t, c, "COPY t TO '"+file+"' FORMAT "+f+"; LOAD '"+file+"' INTO u")
		if got := text(t, c, "SELECT n, x FROM u ORDER BY n"); got != "n\tx\n1\ta\n2\t∅\n" {
			t.Errorf("%s: %s", f, got)
		}
		script(t, c, "DELETE FROM u")
		for _, z := range []string{".gz", ".zst"} {
			fails(t, c, "COPY t TO '"+file+z+"' FORMAT "+f, "22023", "compressed inside")
		}
	}
	if files, err := filepath.Glob(filepath.Join(dir, "*")); err != nil || len(files) != 2 {
		t.Error(files, err)
	}
}
