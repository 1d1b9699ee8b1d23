package trouble

import (
	"cmp"
	"context"
	"fmt"
	"hash/fnv"
	"math"
	"slices"

	"parlance/algo/classify/svm/solver"
	"parlance/algo/kind"
	"parlance/algo/text"
)

// score is how much of the evidence in the slot of causes speaks for a trouble (equation 2), 0 without any.
func (it *item) score() float64 {
	if all := it.lsph + it.dnv + it.dav; all > 0 {
		return (it.lsph + it.dnv) / all
	}
	return 0
}

// byScore is the candidates by falling score; of equal ones those with more evidence for it, then by noun.
func byScore(items []item) []int {
	order := make([]int, len(items))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		x, y := &items[a], &items[b]
		return cmp.Or(cmp.Compare(y.score(), x.score()), cmp.Compare(y.lsph+y.dnv, x.lsph+x.dnv),
			cmp.Compare(x.noun, y.noun))
	})
	return order
}

// selection is the first and the last candidates by score, which people should label: all where they overlap.
func selection(items []item, top, bottom int) (first, last []int) {
	order := byScore(items)
	top = min(top, len(order))
	return order[:top], order[max(top, len(order)-bottom):]
}

// labels reads what people said: +1 for troubles, −1 for others, 0 for what has no label. Nouns that are no candidates
// are counted.
func (m *model) labels(ctx context.Context, t *kind.Training, items []item) ([]int8, error) {
	y := make([]int8, len(items))
	in := t.Roles["labels"]
	if in == nil {
		first, last := selection(items, m.opt.top, m.opt.bottom)
		for _, i := range first {
			y[i] = 1
		}
		for _, i := range last {
			y[i] = -1
		}
		t.Notice("there are no labels: the first candidates by score are taken for troubles and the last for " +
			"others, which is right of few; SELECT noun FROM name.to_label, label them, and TRAIN … ON tuples, " +
			"labels AS labels")
		return y, nil
	}
	table, ok := in.Table(labelTable.Name)
	if !ok {
		return nil, fmt.Errorf("the input labels has no table %s", labelTable.Name)
	}
	place := map[string]int{}
	for i := range items {
		place[items[i].noun] = i
	}
	unknown := 0
	said := map[string]bool{}
	for row, err := range table.Rows(ctx) {
		if err != nil {
			return nil, err
		}
		if row[0].IsNull() || row[1].IsNull() {
			continue
		}
		if old, ok := said[row[0].S]; ok && old != row[1].Bool() {
			return nil, fmt.Errorf("the labels say both that '%s' is a trouble and that it is none", row[0].S)
		}
		said[row[0].S] = row[1].Bool()
		i, ok := place[row[0].S]
		if !ok {
			unknown++
			continue
		}
		y[i] = -1
		if row[1].Bool() {
			y[i] = 1
		}
	}
	if unknown > 0 {
		t.Notice(text.Countf("%d {label is|labels are} of nouns that are no candidates", unknown))
	}
	return y, ctx.Err()
}

// learn ranks the candidates by the machine, and those with labels by the machines of the other folds.
func (m *model) learn(ctx context.Context, t *kind.Training, e *evidence, y []int8) error {
	x := m.rowsOf(e)
	train := func(fold int) ([]float64, error) { // all labelled ones but those of the fold
		var ids []uint32
		var sign []int8
		for i, s := range y {
			if s != 0 && (fold < 0 || foldOf(e.items[i].noun, m.opt.folds) != fold) {
				ids, sign = append(ids, uint32(i)), append(sign, s)
			}
		}
		if !slices.Contains(sign, 1) || !slices.Contains(sign, -1) {
			return nil, fmt.Errorf("%w: labels of troubles and of others are wanted, for %d candidates",
				kind.ErrNoData, len(e.items))
		}
		l := solver.Linear{C: m.opt.c, Bias: 1, Epsilon: 1e-4, Iterations: 10000, Seed: t.Seed}
		r, err := l.Binary(ctx, x.Select(ids), sign, solver.NewColumnMap(x.Width))
		if err != nil {
			return nil, err
		}
		return r.Weights, nil
	}
	w, err := train(-1)
	if err != nil {
		return err
	}
	m.weights = w
	m.scores, m.held = make([]float64, len(y)), make([]float64, len(y))
	for i := range y {
		m.scores[i] = x.Decide(w, 1, i)
		m.held[i] = m.scores[i]
	}
	for f := 0; f < m.opt.folds; f++ {
		t.Report(kind.Progress{Step: f + 1, Of: m.opt.folds, Objective: math.NaN(), HeldOut: math.NaN(), Note: "fold"})
		w, err := train(f)
		if err != nil {
			return err
		}
		for i, s := range y {
			if s != 0 && foldOf(e.items[i].noun, m.opt.folds) == f {
				m.held[i] = x.Decide(w, 1, i)
			}
		}
	}
	return ctx.Err()
}

// foldOf is the fold of a noun, which depends on the noun alone.
func foldOf(noun string, folds int) int {
	h := fnv.New32a()
	h.Write([]byte(noun))
	return int(h.Sum32() % uint32(max(folds, 1)))
}

// rowsOf is the features of the candidates: present, by their counts, or by the logarithm of these.
func (m *model) rowsOf(e *evidence) *solver.Rows {
	x := &solver.Rows{Width: len(e.features), Offsets: []uint32{0}}
	for i := range e.items {
		it := &e.items[i]
		x.Columns = append(x.Columns, it.features...)
		x.Offsets = append(x.Offsets, uint32(len(x.Columns)))
		for _, c := range it.counts {
			switch m.opt.value {
			case "freq":
				x.Values = append(x.Values, float32(c))
			case "log":
				x.Values = append(x.Values, float32(1+math.Log(c)))
			}
		}
	}
	return x
}
