package db_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestCalibrationOfNothing: trees have a prob and no verdicts, so that a notice stands in place of an error of 0.
func TestCalibrationOfNothing(t *testing.T) {
	trees := filepath.Join(t.TempDir(), "trees.mrg")
	if err := os.WriteFile(trees, []byte(`(TOP (S (NP (DT The) (NN dog)) (VP (VBD saw) (NP (DT the) (NN cat))) (. .)))
(TOP (S (NP (DT The) (NN cat)) (VP (VBD slept)) (. .)))
`), 0o600); err != nil {
		t.Fatal(err)
	}
	d := open(t, "")
	c := d.Conn()
	script(t, c, "CREATE CORPUS phrases; LOAD '"+trees+"' INTO phrases FORMAT ptb; "+
		"TRAIN pcfg AS grammar ON phrases WITH (tags = 'own')")
	var told []string
	c.OnNotice(func(s string) { told = append(told, s) })
	got := text(t, c, "SELECT count(*) FROM (EVALUATE grammar ON phrases WITH (calibration = true, samples = 0)) e "+
		"WHERE metric = 'calibration_error'")
	if got != "count\n0\n" {
		t.Errorf("errors: %q", got)
	}
	const want = "calibration: no row of constituents that grammar@1 predicts has both prob and gold to compare with"
	if !strings.Contains(strings.Join(told, "\n"), want) {
		t.Errorf("notices: %q", told)
	}
}
