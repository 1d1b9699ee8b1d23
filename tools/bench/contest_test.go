package main

import (
	"io"
	"math"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestContests: both sides run in turns, after what makes their files anew, and their medians stand in the table; a
// line that fails is an error.
func TestContests(t *testing.T) {
	for _, tool := range []string{"time", "awk", "sort"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip(tool + " is not installed")
		}
	}
	b := &bench{options: options{Dir: t.TempDir(), Program: "/bin/echo"}, ctx: t.Context(), log: io.Discard}
	busy := `awk 'BEGIN { for (i = 0; i < 3000000; i++) x += i }'`
	err := b.contests("title", []contest{
		{key: "one", work: "some", peer: "awk", fresh: "echo fresh >> order", ours: "$P ours >> order; " + busy + "; " + busy,
			theirs: "echo theirs >> order; " + busy, time: 2},
		{work: "absent", peer: "no-such-peer", ours: "false"},
		{work: "alone", ours: "$P one >> alone", repeat: 3},
	})
	if err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(b.temporary("order"))
	if want := strings.Repeat("fresh\nours\nfresh\ntheirs\n", rounds); err != nil || string(raw) != want {
		t.Errorf("%v, order\n%s", err, raw)
	}
	raw, err = os.ReadFile(b.temporary("alone"))
	if want := strings.Repeat("one\n", 3*rounds); err != nil || string(raw) != want {
		t.Errorf("%v, repeated\n%s", err, raw)
	}
	rows, full := b.tables[0].rows, b.tables[1].rows
	if len(rows) != 2 || rows[0][0] != "some" || rows[0][3] != "≤ 2" || rows[0][2] == "" || rows[0][4] == "" ||
		rows[1][2] != "" || rows[0][7] != "one" || rows[0][6] != today() {
		t.Errorf("%q", rows)
	}
	if len(full) != 2 || full[0][0] != "one" || full[0][1] == "" || full[0][2] == "" || full[1][2] != "" ||
		strings.Contains(full[0][5], "; | ") {
		t.Errorf("%q", full)
	}
	if err := b.contests("", []contest{{work: "bad", ours: "exit 3; true"}}); err == nil ||
		!strings.Contains(err.Error(), "bad") {
		t.Errorf("a line that fails: %v", err)
	}
}

// TestTypical: medians of each figure alone.
func TestTypical(t *testing.T) {
	got := typical([]spent{{3, 10}, {1, 30}, {2, 20}})
	if got != (spent{2, 20}) || typical(nil) != (spent{}) {
		t.Errorf("%v", got)
	}
	if share(1, 0) != "" || share(1, 4) != "0.25" || figure(0) != "" || figure(0.0123) != "0.012" ||
		figure(1.234) != "1.23" || figure(12.5) != "12" || goal(0) != "" || math.IsNaN(got.seconds) {
		t.Error("figures as text")
	}
}

// TestSelected: --rows chooses contests by their keys, which differ, and files that none of them names are not made.
func TestSelected(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range peerContests() {
		if c.key == "" || seen[c.key] || c.work == "" || c.ours == "" {
			t.Errorf("%+v", c)
		}
		seen[c.key] = true
	}
	b := &bench{options: options{Rows: []string{"crf", "svm"}}}
	if got := b.selected(); len(got) != 2 || got[0].key != "crf" || got[1].key != "svm" {
		t.Errorf("%+v", got)
	}
	if c := b.selected()[1]; c.reads("texts.parlance") || !c.reads("r8.parlance") {
		t.Error("files that are read")
	}
}
