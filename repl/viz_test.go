package repl

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"parlance/db"
)

// TestVizIsBounded keeps the first rows of a long result, and says so.
func TestVizIsBounded(t *testing.T) {
	d, err := db.Open("", db.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	var out, errs bytes.Buffer
	query := fmt.Sprintf("SELECT n AS x, n AS y FROM generate_series(1, %d) AS t(n);\n\\viz\n", mostKept+5)
	sh := newShell(newLocal(d, "", false), &streams{in: strings.NewReader(query), out: &out, err: &errs}, newLook("csv"))
	if err := sh.shell(t.Context()); err != nil || errs.Len() > 0 {
		t.Fatalf("%v %s", err, errs.String())
	}
	if len(sh.kept.first) != mostKept || !strings.Contains(out.String(), fmt.Sprintf("The first %d rows are drawn.",
		mostKept)) {
		t.Errorf("%d rows are kept", len(sh.kept.first))
	}
}
