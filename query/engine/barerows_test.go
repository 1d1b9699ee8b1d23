package engine

import (
	"testing"

	"parlance/query/bind"
	"parlance/query/exec"
	"parlance/query/operator"
)

// TestCountReadsNoRows scans a table of which nothing is read.
func TestCountReadsNoRows(t *testing.T) {
	s := emptyStore(t)
	_, do := over(t, s)
	for _, q := range []string{"CREATE LEXICON list (word TEXT)", "INSERT INTO list VALUES ('a'), ('b'), ('c')",
		"DELETE FROM list WHERE word = 'b'"} {
		if _, err := do(q); err != nil {
			t.Fatal(err)
		}
	}
	for q, want := range map[string]string{
		"SELECT count(*) FROM list":             "[2]",
		"SELECT count(*) FROM list a, list b":   "[4]",
		"SELECT 1 FROM list LIMIT 1":            "[1]",
		"SELECT count(*) FROM list WHERE 1 = 2": "[0]",
	} {
		if got, err := do(q); err != nil || len(got) != 1 || got[0] != want {
			t.Errorf("%s gives %s, want %s: %v", q, got, want, err)
		}
	}
	o, _ := s.Object("list")
	r := &exec.Execution{}
	r.Snapshot = s.Snapshot()
	defer r.Snapshot.Close()
	if op, err := r.Table(bind.TableNode(o, "")); err != nil {
		t.Error(err)
	} else if _, ok := op.(*operator.CountScan); !ok {
		t.Errorf("%T reads the rows", op)
	}
}
