package db_test

import (
	"os"
	"path/filepath"
	"testing"

	"parlance/db"
)

// TestEmptyFileIsNoDatabase opens a file of 0 bytes, which is left as it is unless a database is asked for.
func TestEmptyFileIsNoDatabase(t *testing.T) {
	path := filepath.Join(t.TempDir(), "notes.txt")
	if err := os.WriteFile(path, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, o := range []db.Options{{}, {ReadOnly: true}, {ReadOnly: true, Empty: true}, {RemoveUnwritten: true}} {
		d, err := db.Open(path, o)
		if err == nil {
			d.Close()
		}
		if sqlstate(err) != "58P01" {
			t.Errorf("%+v: %v", o, err)
		}
		if info, err := os.Stat(path); err != nil || info.Size() != 0 {
			t.Fatalf("%+v: the file became %v, %v", o, info, err)
		}
	}
	for _, o := range []db.Options{{Empty: true}, {}} { // first it is made, then it is there
		d, err := db.Open(path, o)
		if err != nil {
			t.Fatal(err)
		}
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	}
}
