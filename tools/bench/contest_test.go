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
		{work: "some", peer: "awk", fresh: "echo fresh >> order", ours: "$P ours >> order; " + busy + "; " + busy,
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
	rows := b.tables[0].rows
	if len(rows) != 2 || rows[0][0] != "some" || rows[0][5] != "≤ 2" || rows[0][2] == "" || rows[0][4] == "" ||
		rows[1][4] != "" || strings.Contains(rows[0][10], "; | ") {
		t.Errorf("%q", rows)
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
