package repl

import (
	"cmp"
	"slices"
	"strings"

	"parlance/algo/metrics"
	"parlance/db"
	"parlance/storage/value"
)

// widestMatrix is how many labels the matrix of what was taken for what may have; of more there is a list.
const widestMatrix = 12

// noLabel stands for nothing: what is not in gold, or was not predicted.
const noLabel = "(none)"

// confusions takes the rows that count what was taken for what out of those of EVALUATE, whose column n is metric. They
// become a matrix for each model, gold labels down and predicted ones across, or a list of the most frequent first.
func confusions(long panel, n int) (rest panel, matrices []panel) {
	labels := map[string]bool{"": true}
	for _, row := range long.list {
		if row[n].S != "confusion" && row[n+1].S != metrics.All {
			labels[row[n+1].S] = true
		}
	}
	rest.columns = long.columns
	var models []string
	pairs := map[string][]confusion{} // by model
	for _, row := range long.list {
		if row[n].S != "confusion" {
			rest.list = append(rest.list, row)
			continue
		}
		model := keyOf(row[:n])
		if !slices.Contains(models, model) {
			models = append(models, model)
		}
		gold, predicted := pairOf(row[n+1].S, labels)
		pairs[model] = append(pairs[model], confusion{row[:n], gold, predicted, row[n+5]})
	}
	for _, m := range models {
		matrices = append(matrices, confusionPanel(long.columns[:n], pairs[m]))
	}
	return rest, matrices
}

// confusion is how often a gold label was taken for another.
type confusion struct {
	model           []value.Value // the columns before metric
	gold, predicted string
	count           value.Value
}

// pairOf cuts gold>predicted where both sides are labels; else at the first >.
func pairOf(s string, labels map[string]bool) (gold, predicted string) {
	for i := range s {
		if s[i] == '>' && labels[s[:i]] && labels[s[i+1:]] {
			return s[:i], s[i+1:]
		}
	}
	gold, predicted, _ = strings.Cut(s, ">")
	return gold, predicted
}

// confusionPanel is the counts of one model as a matrix, or as a list.
func confusionPanel(before []db.Column, pairs []confusion) panel {
	var labels []string
	for _, p := range pairs {
		for _, l := range []string{p.gold, p.predicted} {
			if !slices.Contains(labels, l) {
				labels = append(labels, l)
			}
		}
	}
	slices.SortFunc(labels, func(a, b string) int { // nothing stands last
		return cmp.Or(boolOrder(a == "", b == ""), cmp.Compare(a, b))
	})
	if len(labels) > widestMatrix {
		return confusionList(before, pairs)
	}
	out := panel{columns: append(slices.Clone(before), db.Column{Name: "gold \\ predicted", Type: "text"})}
	at := map[string]int{}
	for i, l := range labels {
		at[l] = i
		out.columns = append(out.columns, db.Column{Name: cmp.Or(l, noLabel), Type: "integer"})
	}
	for _, l := range labels {
		row := append(slices.Clone(pairs[0].model), value.Str(cmp.Or(l, noLabel)))
		out.list = append(out.list, append(row, slices.Repeat([]value.Value{value.Int(0)}, len(labels))...))
	}
	for _, p := range pairs {
		out.list[at[p.gold]][len(before)+1+at[p.predicted]] = p.count
	}
	return out
}

// confusionList is the counts as rows, the most frequent confusions first; what was right comes last.
func confusionList(before []db.Column, pairs []confusion) panel {
	out := panel{columns: append(slices.Clone(before), db.Column{Name: "gold", Type: "text"},
		db.Column{Name: "predicted", Type: "text"}, db.Column{Name: "count", Type: "integer"})}
	slices.SortStableFunc(pairs, func(a, b confusion) int {
		return cmp.Or(boolOrder(a.gold == a.predicted, b.gold == b.predicted), cmp.Compare(b.count.Int(), a.count.Int()))
	})
	for _, p := range pairs {
		out.list = append(out.list, append(slices.Clone(p.model), value.Str(cmp.Or(p.gold, noLabel)),
			value.Str(cmp.Or(p.predicted, noLabel)), p.count))
	}
	return out
}

// boolOrder puts false before true.
func boolOrder(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}
