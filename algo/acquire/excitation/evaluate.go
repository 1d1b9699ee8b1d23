package excitation

import (
	"context"
	"fmt"
	"slices"

	"parlance/algo/acquire/template"
	"parlance/algo/kind"
	"parlance/algo/metrics"
	"parlance/storage/value"
)

var signTable = kind.TableUse{Name: "signs", Doc: "verbs of known excitation", Columns: []kind.Column{
	{Name: "predicate", Type: value.Text, Doc: "verb"},
	{Name: "sign", Type: value.Float, Doc: "above 0: excitatory, below: inhibitory"},
	{Name: "slot", Type: value.Text, Doc: "slot; NULL: obj", Optional: true}}}

var pairTable = kind.TableUse{Name: "pairs", Doc: "antonyms and synonyms", Columns: []kind.Column{
	{Name: "verb1", Type: value.Text, Doc: "verb"}, {Name: "verb2", Type: value.Text, Doc: "verb"},
	{Name: "antonym", Type: value.Boolean, Doc: "they are antonyms; else synonyms"}}}

// Evaluate scores signs of verbs, or how often antonyms have opposite signs and synonyms too. Seeds do not count.
func (m *model) Evaluate(ctx context.Context, in kind.Input, _ *kind.Run) ([]metrics.Metric, error) {
	if m.opt.task == "pairs" {
		return m.opposites(ctx, in)
	}
	table, ok := in.Table(signTable.Name)
	if !ok {
		return nil, fmt.Errorf("the input has no table %s", signTable.Name)
	}
	gold := map[int]int8{}
	for row, err := range table.Rows(ctx) {
		if err != nil {
			return nil, err
		}
		if row[0].IsNull() || row[1].IsNull() || row[1].Float() == 0 {
			continue
		}
		slot := "obj"
		if len(row) > 2 && !row[2].IsNull() {
			slot = row[2].S
		}
		i, ok := m.find(row[0].S, slot)
		if !ok || m.net.seed[i] != 0 {
			continue
		}
		sign := int8(1)
		if row[1].Float() < 0 {
			sign = -1
		}
		if gold[i] == -sign {
			return nil, fmt.Errorf("the verb '%s' is both excitatory and inhibitory", row[0].S)
		}
		gold[i] = sign
	}
	if len(gold) == 0 {
		return nil, fmt.Errorf("no verb of the table %s is among the templates, but for seeds", signTable.Name)
	}
	return m.signs(gold), ctx.Err()
}

func (m *model) find(predicate, slot string) (int, bool) {
	return slices.BinarySearchFunc(m.net.templates, template.Template{Predicate: predicate, Slot: slot},
		template.Compare)
}

// signs scores the templates with links: recall of either sign, their mean, and precision at both ends of the list.
func (m *model) signs(gold map[int]int8) []metrics.Metric {
	ratio := func(name string) *metrics.Metric {
		return &metrics.Metric{Name: name, Label: metrics.All, Combine: metrics.Ratio}
	}
	exc, inh, coverage := ratio("recall_excitatory"), ratio("recall_inhibitory"), ratio("coverage")
	top, bottom := ratio("precision_top"), ratio("precision_bottom")
	bit := func(b bool) float32 {
		if b {
			return 1
		}
		return 0
	}
	positive := 0
	order := m.net.ranked()
	order = slices.DeleteFunc(order, func(i int) bool { return m.net.seed[i] != 0 || m.net.value[i] == 0 })
	for k, i := range order {
		sign, known := gold[i]
		if !known {
			continue
		}
		if sign > 0 { // both have a row of every verb, for they are resampled together
			exc.Units.Add(bit(m.net.value[i] > 0), 1)
			inh.Units.Add(0, 0)
			positive++
		} else {
			exc.Units.Add(0, 0)
			inh.Units.Add(bit(m.net.value[i] < 0), 1)
		}
		if k < topDepth {
			top.Units.Add(bit(sign > 0), 1)
		}
		if k >= len(order)-bottomDepth {
			bottom.Units.Add(bit(sign < 0), 1)
		}
	}
	for _, i := range sortedKeys(gold) {
		coverage.Units.Add(bit(m.net.value[i] != 0), 1)
	}
	balanced := metrics.Metric{Name: "balanced_recall", Label: metrics.All, Main: true, Combine: metrics.MeanOf,
		Parts: []metrics.Metric{*exc, *inh}}
	exc.Support, inh.Support = float64(positive), float64(exc.Units.Len()-positive)
	out := []metrics.Metric{balanced, *exc, *inh}
	for _, x := range []*metrics.Metric{top, bottom, coverage} {
		x.Support = float64(x.Units.Len())
		out = append(out, *x)
	}
	return out
}

// Precision is taken of those of known sign among the first and the last templates of the list.
const (
	topDepth    = 100
	bottomDepth = 50
)

func sortedKeys(m map[int]int8) (out []int) {
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

// opposites is the shares of antonyms and of synonyms whose verbs have opposite signs. Pairs of two seeds, and of verbs
// without links, are left out.
func (m *model) opposites(ctx context.Context, in kind.Input) ([]metrics.Metric, error) {
	table, ok := in.Table(pairTable.Name)
	if !ok {
		return nil, fmt.Errorf("the input has no table %s", pairTable.Name)
	}
	antonyms := metrics.Metric{Name: "opposite_antonyms", Label: metrics.All, Main: true, Combine: metrics.Ratio}
	synonyms := metrics.Metric{Name: "opposite_synonyms", Label: metrics.All, Combine: metrics.Ratio}
	for row, err := range table.Rows(ctx) {
		if err != nil {
			return nil, err
		}
		if row[0].IsNull() || row[1].IsNull() || row[2].IsNull() {
			continue
		}
		i, ok1 := m.find(row[0].S, "obj")
		j, ok2 := m.find(row[1].S, "obj")
		if !ok1 || !ok2 || m.net.value[i] == 0 || m.net.value[j] == 0 || m.net.seed[i] != 0 && m.net.seed[j] != 0 {
			continue
		}
		hit := float32(0)
		if m.net.value[i]*m.net.value[j] < 0 {
			hit = 1
		}
		if row[2].Bool() {
			antonyms.Units.Add(hit, 1)
		} else {
			synonyms.Units.Add(hit, 1)
		}
	}
	antonyms.Support, synonyms.Support = float64(antonyms.Units.Len()), float64(synonyms.Units.Len())
	if antonyms.Units.Len()+synonyms.Units.Len() == 0 {
		return nil, fmt.Errorf("no pair of the table %s has two verbs with links", pairTable.Name)
	}
	return []metrics.Metric{antonyms, synonyms}, ctx.Err()
}
