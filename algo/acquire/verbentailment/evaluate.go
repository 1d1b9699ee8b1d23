package verbentailment

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"parlance/algo/acquire/template"
	"parlance/algo/kind"
	"parlance/algo/metrics"
	"parlance/storage/value"
)

var goldTable = kind.TableUse{Name: "gold", Doc: "pairs of verbs of which the first entails the second",
	Columns: []kind.Column{
		{Name: "premise", Type: value.Text, Doc: "verb that entails"},
		{Name: "hypothesis", Type: value.Text, Doc: "verb that is entailed"}}}

var judgedTable = kind.TableUse{Name: "judgements", Doc: "pairs of templates that people judged",
	Columns: []kind.Column{
		{Name: "premise", Type: value.Text, Doc: "verb"}, {Name: "premise_slot", Type: value.Text, Doc: "its slot"},
		{Name: "hypothesis", Type: value.Text, Doc: "verb"},
		{Name: "hypothesis_slot", Type: value.Text, Doc: "its slot"},
		{Name: "entails", Type: value.Boolean, Doc: "the first entails the second"},
		{Name: "id", Type: value.Text,
			Doc: "rows of one id are slots of one judgement, whose score is the geometric mean of theirs; " +
				"NULL: a row is one",
			Optional: true}}}

// depths are the ranks that a list is scored at.
var depths = []int{100, 500, 1000, 5000, 20000}

// shuffles is how often the right sides of a list are shuffled for the control.
const shuffles = 20

// Evaluate scores the list of verbs by a table of right pairs, or templates by judgements.
func (m *model) Evaluate(ctx context.Context, in kind.Input, run *kind.Run) ([]metrics.Metric, error) {
	if m.opt.task == "judgements" {
		return m.judge(ctx, in)
	}
	table, ok := in.Table(goldTable.Name)
	if !ok {
		return nil, fmt.Errorf("the input has no table %s", goldTable.Name)
	}
	gold := map[[2]string]bool{}
	for row, err := range table.Rows(ctx) {
		if err != nil {
			return nil, err
		}
		if !row[0].IsNull() && !row[1].IsNull() {
			gold[[2]string{row[0].S, row[1].S}] = true
		}
	}
	if len(gold) == 0 {
		return nil, fmt.Errorf("the table %s has no pairs", goldTable.Name)
	}
	return m.precision(gold, run.Seed), ctx.Err()
}

// precision is the share of right pairs among the first of the list, beside the same after the right sides of these
// pairs have been shuffled, which says how far frequent verbs alone would come.
func (m *model) precision(gold map[[2]string]bool, seed uint64) (out []metrics.Metric) {
	name := func(i uint32) string { return m.counts.Templates[i].Predicate }
	for _, n := range depths {
		if n > len(m.verbPairs) && n != depths[0] {
			break
		}
		list := m.verbPairs[:min(n, len(m.verbPairs))]
		real := metrics.Metric{Name: fmt.Sprintf("precision_at_%d", n), Label: metrics.All, Combine: metrics.Ratio,
			Main: n == 500}
		control := metrics.Metric{Name: fmt.Sprintf("shuffled_at_%d", n), Label: metrics.All, Combine: metrics.Ratio}
		hits := make([]float32, len(list))
		rng := rand.New(rand.NewPCG(seed, uint64(n)))
		for range shuffles {
			for i, k := range rng.Perm(len(list)) {
				if gold[[2]string{name(list[i].l), name(list[k].r)}] {
					hits[i] += 1.0 / shuffles
				}
			}
		}
		for i, p := range list {
			hit := float32(0)
			if gold[[2]string{name(p.l), name(p.r)}] {
				hit = 1
			}
			real.Units.Add(hit, 1)
			control.Units.Add(hits[i], 1)
		}
		real.Support, control.Support = float64(len(list)), float64(len(list))
		out = append(out, real, control)
	}
	return out
}

// judge tells right pairs from wrong ones by the measure; those with an unknown template are left out and counted.
func (m *model) judge(ctx context.Context, in kind.Input) ([]metrics.Metric, error) {
	table, ok := in.Table(judgedTable.Name)
	if !ok {
		return nil, fmt.Errorf("the input has no table %s", judgedTable.Name)
	}
	type judgement struct {
		right bool
		log   float64
		n     int
		known bool
	}
	var list []*judgement
	byID := map[string]*judgement{}
	for row, err := range table.Rows(ctx) {
		if err != nil {
			return nil, err
		}
		if row[4].IsNull() {
			continue
		}
		j := byID[row[5].String()]
		if j == nil || row[5].IsNull() {
			j = &judgement{right: row[4].Bool(), known: true}
			list = append(list, j)
			byID[row[5].String()] = j
		} else if j.right != row[4].Bool() {
			return nil, fmt.Errorf("judgement %s is both right and wrong", row[5].S)
		}
		l, ok1 := m.counts.Find(template.Template{Predicate: row[0].S, Slot: row[1].S})
		r, ok2 := m.counts.Find(template.Template{Predicate: row[2].S, Slot: row[3].S})
		if j.n++; !ok1 || !ok2 {
			j.known = false
			continue
		}
		s, x := m.between(l, r)
		j.log += math.Log(s.of(m.opt.measure, l, r, x))
	}
	var right []bool
	var scores []float64
	coverage := metrics.Metric{Name: "coverage", Label: metrics.All, Combine: metrics.Ratio}
	for _, j := range list {
		known := float32(0)
		if j.known {
			known = 1
			right, scores = append(right, j.right), append(scores, math.Exp(j.log/float64(j.n)))
		}
		coverage.Units.Add(known, 1)
	}
	coverage.Support = float64(len(list))
	auc, err := metrics.AUC(metrics.All, right, scores)
	if err != nil {
		return nil, err
	}
	return []metrics.Metric{auc, coverage}, ctx.Err()
}
