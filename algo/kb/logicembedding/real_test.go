package logicembedding

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/option"
	"parlance/algo/testutil/realdata"
)

// umls reads the semantic network of UMLS: facts to learn from, and held-out facts about known
// pairs with as many cells that hold nowhere, drawn at random.
func umls(t *testing.T, rules bool) (train, test kind.Tables) {
	dir := realdata.Folder(t)
	train, test = kind.Tables{}, kind.Tables{}
	known, cells := map[[2]string]bool{}, map[[3]string]bool{}
	var relations []string
	seen := map[string]bool{}
	var held [][3]string
	for _, part := range []string{"train", "valid", "test"} {
		text, err := os.ReadFile(filepath.Join(dir, "kb", "umls", part+".txt"))
		if err != nil {
			t.Skipf("PARLANCE_DATA lacks a file: %v", err)
		}
		for line := range strings.Lines(string(text)) {
			f := strings.Split(strings.TrimSpace(line), "\t")
			cells[[3]string(f)] = true
			switch pair := [2]string{f[0], f[2]}; {
			case part == "train":
				train["triples"] = append(train["triples"], row(f[0], f[1], f[2], nil, nil))
				known[pair] = true
				if !seen[f[1]] {
					seen[f[1]] = true
					relations = append(relations, f[1])
				}
			case part == "test" && known[pair]:
				held = append(held, [3]string(f))
			}
		}
	}
	rng := rand.New(rand.NewPCG(1, 1))
	for _, c := range held {
		test["triples"] = append(test["triples"], row(c[0], c[1], c[2], true))
		for {
			other := held[rng.IntN(len(held))]
			if no := [3]string{other[0], c[1], other[2]}; !cells[no] {
				test["triples"] = append(test["triples"], row(no[0], no[1], no[2], false))
				break
			}
		}
	}
	if rules {
		for _, r := range relations { // relations are inherited
			train["rules"] = append(train["rules"], row("isa(x,y) and "+r+"(y,z) => "+r+"(x,z)", nil))
		}
	}
	return train, test
}

func TestUMLS(t *testing.T) {
	if os.Getenv("PARLANCE_SLOW") == "" {
		t.Skip("PARLANCE_SLOW is not set")
	}
	big := []option.Arg{kindtest.Arg("k", 50), kindtest.Arg("loss", "squared"), kindtest.Arg("l2", 0.01),
		kindtest.Arg("ground", "active")}
	accuracy := map[string]float64{}
	for _, c := range []struct {
		name    string
		rules   bool
		options []option.Arg
	}{
		{"facts, defaults", false, nil}, {"rules, defaults", true, []option.Arg{kindtest.Arg("ground", "active")}},
		{"facts", false, big}, {"rules", true, big},
		{"rules, spared", true, append(big[:4:4], kindtest.Arg("spare_derived", true))},
		{"chained", true, []option.Arg{kindtest.Arg("variant", "forward_chain")}},
	} {
		train, test := umls(t, c.rules)
		start := time.Now()
		m := learn(t, train, 1, nil, c.options...)
		seconds := time.Since(start).Seconds()
		got, wrong := metricsOf(t, m, test)
		accuracy[c.name] = got["accuracy"]
		t.Logf("%-16s %5.1f s  %d cells  accuracy %.3f  map %.3f  recall %.3f  false positives %.3f  violations %.3f",
			c.name, seconds, len(test["triples"]), got["accuracy"], got["map"], got["recall"], wrong, got["violations"])
	}
	if accuracy["rules"] < accuracy["facts"]+0.05 {
		t.Errorf("%v", accuracy)
	}
}
