package logicembedding

import (
	"os"
	"testing"

	"parlance/algo/kindtest"
	"parlance/algo/option"
)

// TestPaperSettings logs the experiment of the paper under several settings, over 400 seeds.
func TestPaperSettings(t *testing.T) {
	if os.Getenv("PARLANCE_SLOW") == "" {
		t.Skip("PARLANCE_SLOW is not set")
	}
	spare, decay, squared := kindtest.Arg("spare_derived", true), kindtest.Arg("decay", true),
		[]option.Arg{kindtest.Arg("loss", "squared"), kindtest.Arg("l2", 0.01), kindtest.Arg("epochs", 200)}
	for _, c := range []struct {
		name    string
		rules   bool
		options []option.Arg
	}{
		{"facts only", false, nil}, {"rules", true, nil}, {"rules, decay", true, []option.Arg{decay}},
		{"rules, k = 8", true, []option.Arg{kindtest.Arg("k", 8)}},
		{"rules, spared", true, []option.Arg{spare}}, {"rules, spared, decay", true, []option.Arg{spare, decay}},
		{"facts only, squared", false, squared}, {"rules, squared", true, squared},
		{"rules, squared, spared", true, append(squared, spare)},
	} {
		const seeds = 400
		sum, all, wrong, least := map[string]float64{}, 0, 0, 0
		for seed := range uint64(seeds) {
			m := learn(t, paper(c.rules), seed+1, nil, c.options...)
			high, some, no := true, true, false
			for _, f := range impliedCells {
				v := truthOf(t, m, f)
				sum[f] += v / seeds
				high, some = high && v > 0.85, some && v >= 0.5
			}
			for _, f := range falseCells {
				v := truthOf(t, m, f)
				sum[f] += v / seeds
				no = no || v >= 0.5
			}
			sum[byTheWay] += truthOf(t, m, byTheWay) / seeds
			for i, b := range []bool{high, some, no} {
				if b {
					*[]*int{&all, &least, &wrong}[i]++
				}
			}
		}
		t.Logf("| %s | %.2f | %.2f %.2f | %.2f | %.2f %.2f %.2f | %.2f | %.2f | %.2f |", c.name, sum[impliedCells[0]],
			sum[impliedCells[1]], sum[impliedCells[2]], sum[byTheWay],
			sum[falseCells[0]], sum[falseCells[1]], sum[falseCells[2]], float64(all)/seeds, float64(least)/seeds,
			float64(wrong)/seeds)
	}
}
