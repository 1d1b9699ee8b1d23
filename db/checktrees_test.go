package db_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"parlance/algo/testutil/realdata"
)

// TestCrossingArcsOfRealTreebanks counts crossing arcs again, by their definition, from the lines of the files.
func TestCrossingArcsOfRealTreebanks(t *testing.T) {
	dir := realdata.Folder(t)
	for pattern, format := range map[string]string{"ud/*.conllu": "conllu", "conll2007/esp.*": "conll2007",
		"conll2007/eus.*": "conllx"} {
		list, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range list {
			if filepath.Base(file) == "en_ewt.train.conllu" {
				continue // as large as all others
			}
			c := open(t, "").Conn()
			load := "CREATE CORPUS docs; LOAD '" + file + "' INTO docs FORMAT " + format
			switch format {
			case "conllx":
				load += " WITH (encoding = 'latin1')"
			case "conllu":
				load += " WITH (document = sentence)" // zh_pud names documents twice
			}
			if err := c.Script(context.Background(), load, nil); err != nil {
				t.Fatal(err)
			}
			crossing, arcs, trees := countCrossing(t, file)
			want := ""
			if arcs > 0 {
				want = fmt.Sprintf("%d of %d trees have arcs that cross others, %d arcs", crossing, trees, arcs)
			}
			got := text(t, c, "SELECT message FROM check(docs) WITH (rules = ('tree-crossing'))")
			if want == "" && strings.Count(got, "\n") > 1 || !strings.Contains(got, want) {
				t.Errorf("%s: %s, want %s", file, got, want)
			}
			if got := text(t, c,
				"SELECT count(*) FROM check(docs) WITH (rules = ('tree-head', 'tree-cycle', 'tree-no-root'), "+
					"limit = 100000)"); !strings.HasSuffix(got, "\n0\n") {
				t.Errorf("%s has faulty trees: %s", file, got)
			}
		}
	}
}

// countCrossing counts trees with arcs h → k, h not the root, above a token that is not below h.
func countCrossing(t *testing.T, file string) (crossing, arcs, trees int) {
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	heads := []int{0}
	for _, line := range strings.Split(string(raw)+"\n\n", "\n") {
		if f := strings.Split(line, "\t"); len(f) >= 8 && !strings.ContainsAny(f[0], "-.#") {
			h, err := strconv.Atoi(f[6])
			if err != nil {
				t.Fatal(err)
			}
			heads = append(heads, h)
			continue
		}
		if strings.TrimSpace(line) != "" || len(heads) == 1 {
			continue
		}
		n := 0
		for k, h := range heads[1:] {
			for j := min(h, k+1) + 1; h > 0 && j < max(h, k+1); j++ {
				up := j
				for up > 0 && up != h {
					up = heads[up]
				}
				if up != h {
					n++
					break
				}
			}
		}
		trees++
		if arcs += n; n > 0 {
			crossing++
		}
		heads = heads[:1]
	}
	return crossing, arcs, trees
}
