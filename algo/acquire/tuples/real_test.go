package tuples

import (
	"bufio"
	"strings"
	"testing"

	"parlance/algo/testutil/realdata"
)

// TestRealLemmas: lemmas of verbs and nouns of English EWT, development set, beside those of the treebank.
func TestRealLemmas(t *testing.T) {
	f := realdata.Open(t, "ud", "en_ewt.dev.conllu")
	defer f.Close()
	right, all := 0, 0
	for s := bufio.NewScanner(f); s.Scan(); {
		c := strings.Split(s.Text(), "\t")
		if len(c) != 10 || c[3] != "VERB" && c[3] != "NOUN" {
			continue
		}
		if all++; englishLemma(c[1], c[3], c[4]) == strings.ToLower(c[2]) {
			right++
		}
	}
	share := float64(right) / float64(all)
	t.Logf("%d of %d lemmas are those of the treebank: %.4f", right, all, share)
	if all == 0 || share < 0.97 {
		t.Errorf("share %v", share)
	}
}
