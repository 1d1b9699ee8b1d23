package table

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parlance/algo/option"
	"parlance/storage/files"
	"parlance/storage/value"
)

// TestChangedTableFile refuses a file that changed after its columns were found.
func TestChangedTableFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.csv")
	if err := os.WriteFile(path, []byte("a,b\n1,x\n2.5,y\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	file, err := Open(ctx, files.Anywhere, path, nil)
	if err != nil {
		t.Fatal(err)
	}
	scan := func() (rows []string, err error) {
		err = file.Scan(ctx, []bool{true, false}, nil, func(string) {}, func(b *value.Batch) error {
			for i := range b.N {
				rows = append(rows, b.Cols[0].At(i).String())
			}
			return nil
		})
		return rows, err
	}
	if rows, err := scan(); err != nil || strings.Join(rows, " ") != "1.0 2.5" {
		t.Errorf("%v %v", rows, err)
	}
	if err := os.WriteFile(path, []byte("a,b\n1,x\n2.5,z\n3,w\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := scan(); err == nil || !strings.Contains(err.Error(), "changed while the statement read it") {
		t.Error(err)
	}
}

// TestTableOfObjects finds the types that the members of objects have in common.
func TestTableOfObjects(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.jsonl")
	lines := `{"a": 1, "b": "x", "c": [1], "d": null, "e": 1}
{"a": 2.5, "b": 3, "c": null, "f": true}

{"a": null, "b": "y", "e": 9007199254740993}
`
	if err := os.WriteFile(path, []byte(lines), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	file, err := Open(ctx, files.Anywhere, path, nil)
	if err != nil {
		t.Fatal(err)
	}
	got := ""
	for _, c := range file.Columns {
		got += c.Name + " " + c.Type.String() + ", "
	}
	if want := "a float, b json, c json, d text, e integer, f boolean, "; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	all := []bool{true, true, true, true, true, true}
	got = ""
	err = file.Scan(ctx, all, nil, func(string) {}, func(b *value.Batch) error {
		for i := range b.N {
			for _, v := range b.Row(nil, i) {
				got += v.String() + "|"
			}
			got += "\n"
		}
		return nil
	})
	if want := "1.0|\"x\"|[1]||1||\n2.5|3||||true|\n|\"y\"|||9007199254740993||\n"; err != nil || got != want {
		t.Errorf("%v\n%s, want\n%s", err, got, want)
	}
	file, err = Open(ctx, files.Anywhere, path, []option.Arg{{Name: "sample", Value: value.Int(1)}})
	if err != nil {
		t.Fatal(err)
	}
	err = file.Scan(ctx, all, nil, func(string) {}, func(*value.Batch) error { return nil })
	if err == nil || !strings.Contains(err.Error(), ":2: there is no column f") {
		t.Error(err)
	}
}
