package hypernym

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"parlance/algo/kind"
	"parlance/algo/metrics"
	"parlance/storage/value"
)

var goldTable = kind.TableUse{Name: "hidden",
	Doc: "words that the hierarchy of the training lacks, with all that is above them",
	Columns: []kind.Column{
		{Name: "word", Type: value.Text, Doc: "word"},
		{Name: "hypernym", Type: value.Text, Doc: "what is above it, as the hierarchy has it"},
		{Name: "steps", Type: value.Integer, Optional: true, Doc: "how many steps above, from 1; NULL: 1"}}}

// depths are the ranks that answers are scored at; 0 is all.
var depths = []int{50, 100, 200, 500, 1000, 5000, 0}

// shuffles is how often answers change places for the control.
const shuffles = 20

// outcome is the answers to a word of the gold table.
type outcome struct {
	word  uint32
	score float64
	nodes []uint32
}

// Evaluate scores the best answers to words with known hypernyms, the surest ones first. near counts answers within the
// option's steps, any counts all that is above a word, shuffled is near after answers have changed places among the
// words, which says how far frequent hypernyms alone would come. Words that the model does not attach are left out
// and counted by coverage.
func (m *model) Evaluate(ctx context.Context, in kind.Input, run *kind.Run) ([]metrics.Metric, error) {
	gold, err := m.readGold(ctx, in)
	if err != nil {
		return nil, err
	}
	var list []outcome
	for _, a := range m.Answers {
		if gold[m.Words[a.Word]] == nil {
			continue
		}
		o := outcome{word: a.Word, score: a.List[0].Score}
		for k, x := range a.List {
			if k == 0 || m.opt.method == byNearest {
				o.nodes = append(o.nodes, x.Node)
			}
		}
		list = append(list, o)
	}
	coverage := metrics.Metric{Name: "coverage", Label: metrics.All, Combine: metrics.Ratio,
		Support: float64(len(gold))}
	for i := range len(gold) {
		known := float32(0)
		if i < len(list) {
			known = 1
		}
		coverage.Units.Add(known, 1)
	}
	return append(m.precision(list, gold, run.Seed), coverage), ctx.Err()
}

// readGold reads, for each word, the steps up to its hypernyms, the fewest where there are several.
func (m *model) readGold(ctx context.Context, in kind.Input) (map[string]map[string]int, error) {
	table, ok := in.Table(goldTable.Name)
	if !ok {
		return nil, fmt.Errorf("the input has no table %s", goldTable.Name)
	}
	gold := map[string]map[string]int{}
	for row, err := range table.Rows(ctx) {
		if err != nil {
			return nil, err
		}
		if row[0].IsNull() || row[1].IsNull() {
			continue
		}
		steps := 1
		if len(row) > 2 && !row[2].IsNull() {
			steps = int(row[2].Int())
		}
		of := gold[row[0].S]
		if of == nil {
			of = map[string]int{}
			gold[row[0].S] = of
		}
		if old, ok := of[row[1].S]; !ok || steps < old {
			of[row[1].S] = steps
		}
	}
	if len(gold) == 0 {
		return nil, fmt.Errorf("the table %s has no words", goldTable.Name)
	}
	return gold, nil
}

// precision is the share of right answers among the first n.
func (m *model) precision(list []outcome, gold map[string]map[string]int, seed uint64) (out []metrics.Metric) {
	right := func(word uint32, nodes []uint32, within int) float32 {
		of := gold[m.Words[word]]
		if slices.ContainsFunc(nodes, func(n uint32) bool {
			steps, ok := of[m.Nodes[n]]
			return ok && (within == 0 || steps <= within)
		}) {
			return 1
		}
		return 0
	}
	for _, n := range depths {
		name := fmt.Sprintf("at_%d", n)
		if n >= len(list) {
			continue
		}
		if n == 0 {
			n, name = len(list), "of_all"
		}
		near := metrics.Metric{Name: "near_" + name, Label: metrics.All, Combine: metrics.Ratio, Main: n == len(list),
			Support: float64(n)}
		anyAbove := metrics.Metric{Name: "any_" + name, Label: metrics.All, Combine: metrics.Ratio, Support: float64(n)}
		control := metrics.Metric{Name: "shuffled_" + name, Label: metrics.All, Combine: metrics.Ratio,
			Support: float64(n)}
		rng := rand.New(rand.NewPCG(seed, uint64(n)))
		hits := make([]float32, n)
		for range shuffles {
			for i, k := range rng.Perm(n) {
				hits[i] += right(list[i].word, list[k].nodes, m.opt.near) / shuffles
			}
		}
		for i, o := range list[:n] {
			near.Units.Add(right(o.word, o.nodes, m.opt.near), 1)
			anyAbove.Units.Add(right(o.word, o.nodes, 0), 1)
			control.Units.Add(hits[i], 1)
		}
		out = append(out, near, anyAbove, control)
	}
	return out
}
