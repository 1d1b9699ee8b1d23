package pairrelation

import (
	"bufio"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/metrics"
	"parlance/algo/testutil/realdata"
)

// antonyms reads the pairs of antonyms and synonyms of Nguyen et al. 2017.
func antonyms(t *testing.T, split string) kind.Tables {
	t.Helper()
	dir := realdata.Folder(t)
	out := kind.Tables{"pairs": nil}
	for _, pos := range []string{"adjective", "noun", "verb"} {
		f, err := os.Open(filepath.Join(dir, "wordsim", "antsyn", pos+"-pairs."+split))
		if err != nil {
			t.Skipf("PARLANCE_DATA lacks a file: %v", err)
		}
		defer f.Close()
		for s := bufio.NewScanner(f); s.Scan(); {
			x := strings.Split(s.Text(), "\t")
			label := map[string]string{"0": "s", "1": "d"}[x[2]]
			out["pairs"] = append(out["pairs"], row(map[string]any{"term1": x[0], "term2": x[1], "label": label}))
		}
	}
	return out
}

// TestAntonymsBySpelling tells antonyms from synonyms without any lexicon.
func TestAntonymsBySpelling(t *testing.T) {
	if testing.Short() {
		t.Skip("much arithmetic: left out by -short")
	}
	m := trainedOn(t, antonyms(t, "train"), nil, kindtest.Arg("labeller", "maxent"))
	found, err := m.Evaluate(background, antonyms(t, "test"), &kind.Run{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range found {
		if x.Label == metrics.All {
			t.Logf("%s %.4f", x.Name, x.Value())
		}
	}
	if v := found[0].Value(); v < 0.69 || v > 0.72 {
		t.Errorf("accuracy %.4f, want about 0.70", v)
	}
}
