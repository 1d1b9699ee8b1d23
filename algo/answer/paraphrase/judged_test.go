package paraphrase

import (
	"encoding/hex"
	"os"
	"strings"
	"testing"
)

// TestJudgedFile: the verdicts are of 200 pairs that are known by the md5 of their phrases alone and
// give the shares that RESULTS.md tells.
func TestJudgedFile(t *testing.T) {
	file, err := os.ReadFile("judged.tsv")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimRight(string(file), "\n"), "\n")
	right, all, seen := map[string]int{}, map[string]int{}, map[string]bool{}
	for _, line := range lines[1:] {
		f := strings.Split(line, "\t")
		if len(f) != 4 || f[1] != "0" && f[1] != "1" || seen[f[0]] {
			t.Fatalf("%q", line)
		}
		if sum, err := hex.DecodeString(f[0]); err != nil || len(sum) != 16 {
			t.Fatalf("%q is no md5", f[0])
		}
		seen[f[0]] = true
		for _, m := range strings.Split(f[2], ",") {
			all[m]++
			if f[1] == "1" {
				right[m]++
			}
		}
	}
	if len(seen) != 200 {
		t.Errorf("%d rows", len(seen))
	}
	results, err := os.ReadFile("RESULTS.md")
	if err != nil {
		t.Fatal(err)
	}
	for method, want := range map[string]string{byScore: "| score | 2 |", byLocal: "| local | 3 |",
		bySum:   "| features | 1 |",
		byTable: "| phrase_table | 3 |", "drawn": "| 71 other candidates, drawn | 0 |"} {
		n := 50
		if method == "drawn" {
			n = 71
		}
		if all[method] != n || !strings.HasSuffix(want, " "+string('0'+rune(right[method]))+" |") ||
			!strings.Contains(string(results), "\n"+want) {
			t.Errorf("%s: %d of %d right, told as %q", method, right[method], all[method], want)
		}
	}
}
