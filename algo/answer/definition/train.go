package definition

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"parlance/algo/classify/svm/solver"
	"parlance/algo/kind"
	"parlance/algo/numeric/parallel"
	"parlance/algo/text"
)

// Limits of training.
const (
	epsilon = 0.01
	passes  = 1000
)

// Train gathers sentences, mines patterns and fits the machine. Of labelled sentences without a term the first noun
// phrase is the term in the first round, then the one that scores best; it ends where nothing changes. With VALIDATE
// the bias is the one with the best F1 on the labelled documents there.
func (m *model) Train(ctx context.Context, t *kind.Training) error {
	g, err := m.gather(ctx, t)
	if err != nil {
		return err
	}
	g.tell(t)
	if err := g.check(); err != nil {
		return err
	}
	chosen := make([]int, len(g.list))
	for round := range m.opt.rounds {
		if err := m.fit(ctx, t, g, chosen, round); err != nil {
			return err
		}
		changed := false
		if err := m.choose(ctx, g, chosen, t.Workers, &changed); err != nil {
			return err
		}
		if !changed {
			break
		}
	}
	return m.tune(ctx, t)
}

// tell says what is not learned from.
func (g *gathered) tell(t *kind.Training) {
	if g.lost > 0 {
		t.Notice(text.Countf("%d {document does|documents do} not name {its term in its first sentences, or has|their term "+
			"in their first sentences, or have} no noun phrase or "+
			"too many words, and {is|are} not learned from", g.lost))
	}
	if g.unlabelled > 0 {
		t.Notice(text.Countf("%d {document has|documents have} neither a label nor a title or term, and {is|are} not "+
			"learned from",
			g.unlabelled))
	}
}

func (g *gathered) check() error {
	negatives := len(g.list) - g.positives
	if g.positives == 0 || negatives == 0 {
		return fmt.Errorf("%w: there are %d definitions and %d other sentences. Labelled documents have a column "+
			"label; "+
			"articles have a column title, and more than a first sentence", kind.ErrNoData, g.positives, negatives)
	}
	return nil
}

// fit learns with the chosen terms.
func (m *model) fit(ctx context.Context, t *kind.Training, g *gathered, chosen []int, round int) error {
	began := time.Now()
	texts := names{}
	data := make([]labelled, len(g.list))
	for i, e := range g.list {
		term := e.terms[chosen[i]]
		data[i] = labelled{mark(e.s, term[0], term[1], texts), e.positive}
	}
	var r *solver.Result
	var err error
	if m.opt.method == byWindows {
		err = m.fitWindows(ctx, data)
	} else if err = m.mine(ctx, data, g.positives, t.Workers, texts); err == nil {
		r, err = m.weigh(ctx, data, t)
	}
	if err != nil {
		return err
	}
	p := kind.Progress{Step: round + 1, Of: m.opt.rounds, Objective: math.NaN(), HeldOut: math.NaN(),
		Seconds: time.Since(began).Seconds(), Note: text.Countf("%d {definition|definitions}, %d other sentences",
			g.positives,
			len(g.list)-g.positives)}
	if r != nil {
		p.Objective = r.Dual
		p.Note += text.Countf(", %d {pattern|patterns}", len(m.kept))
		if !r.Converged {
			t.Notice("the machine did not converge; a smaller c helps")
		}
	}
	t.Report(p)
	return nil
}

// mine finds and selects the patterns: n-grams, then subsequences of those kept, then subtrees of those.
func (m *model) mine(ctx context.Context, data []labelled, positives, workers int, n names) error {
	o, negatives := &m.opt, len(data)-positives
	var least [reps]int
	for r := range least {
		least[r] = o.fewest(r, positives)
	}
	list, err := o.mineAllGrams(ctx, data, least, workers, n)
	if err != nil {
		return err
	}
	keep := func(list []pattern, least func(*pattern) int) []pattern {
		return selected(list, positives, negatives, o.high, o.low, least)
	}
	byRep := func(p *pattern) int { return least[p.rep] }
	m.kept = keep(list, byRep)
	join := func(more []pattern) {
		m.kept = merged(m.kept, more)
		m.index = indexOf(m.kept)
	}
	join(nil)
	if !o.trees() {
		return nil
	}
	for i := range data {
		if data[i].root >= 0 {
			break
		}
		if i == len(data)-1 {
			return fmt.Errorf("%w: no sentence has a tree, which subsequences and subtrees need: TRAIN … USING a "+
				"parser, or "+
				"patterns = 'ngrams'", kind.ErrNoData)
		}
	}
	// Subsequences are looked for among n-grams alone, so the finder sees no others yet.
	f := newFinder(o, m.kept, m.index, positives, negatives)
	if list, err = mineSequences(ctx, f, data, least, workers, n); err != nil {
		return err
	}
	join(keep(list, byRep))
	if !o.has(subtrees) {
		return nil
	}
	f = newFinder(o, m.kept, m.index, positives, negatives)
	if list, err = mineSubtrees(ctx, f, data, workers, n); err != nil {
		return err
	}
	join(keep(list, func(*pattern) int { return o.leastTrees }))
	return nil
}

// merged is two lists by rising hash as one.
func merged(a, b []pattern) []pattern {
	out := append(slices.Clone(a), b...)
	slices.SortFunc(out, func(x, y pattern) int {
		if x.hash < y.hash {
			return -1
		}
		return 1
	})
	return slices.CompactFunc(out, func(x, y pattern) bool { return x.hash == y.hash })
}

// weigh fits the weights of the patterns.
func (m *model) weigh(ctx context.Context, data []labelled, t *kind.Training) (*solver.Result, error) {
	rows := make([][]uint32, len(data))
	finders := make([]*finder, parallel.Workers(t.Workers))
	positives := 0
	for _, d := range data {
		if d.positive {
			positives++
		}
	}
	m.sizes = [2]int{positives, len(data) - positives}
	if err := parallel.For(ctx, t.Workers, len(data), func(w, i int) error {
		if finders[w] == nil {
			finders[w] = m.finder()
		}
		for _, k := range finders[w].find(data[i].marked) {
			rows[i] = append(rows[i], uint32(k))
		}
		return nil
	}); err != nil {
		return nil, err
	}
	x, y := &solver.Rows{Width: len(m.kept), Offsets: []uint32{0}}, make([]int8, len(data))
	for i, r := range rows {
		x.Columns = append(x.Columns, r...)
		x.Offsets = append(x.Offsets, uint32(len(x.Columns)))
		if y[i] = -1; data[i].positive {
			y[i] = 1
		}
	}
	o := solver.Linear{C: m.opt.c, Bias: 1, Epsilon: epsilon, Iterations: passes, Shrinking: true, Seed: t.Seed}
	r, err := o.Binary(ctx, x, y, solver.NewColumnMap(x.Width))
	if err != nil {
		return nil, err
	}
	m.weights, m.bias = slices.Clip(r.Weights[:len(m.kept)]), r.Weights[len(m.kept)]
	return r, nil
}

// choose takes for each example with several phrases the one that scores best.
func (m *model) choose(ctx context.Context, g *gathered, chosen []int, workers int, changed *bool) error {
	best := make([]int, len(chosen))
	scorers := make([]*scorer, parallel.Workers(workers))
	err := parallel.For(ctx, workers, len(chosen), func(w, i int) error {
		if len(g.list[i].terms) > 1 {
			if scorers[w] == nil {
				scorers[w] = m.scorer()
			}
			best[i], _ = scorers[w].best(g.list[i].s, g.list[i].terms)
		}
		return nil
	})
	for i := range best {
		*changed = *changed || best[i] != chosen[i]
		chosen[i] = best[i]
	}
	return err
}

// tune moves the bias so that scores above 0 have the best F1 on the labelled documents of VALIDATE.
func (m *model) tune(ctx context.Context, t *kind.Training) error {
	if t.Validate == nil {
		return nil
	}
	list, err := m.scored(ctx, t.Validate)
	if err != nil {
		return err
	}
	slices.SortStableFunc(list, func(a, b judged) int {
		switch {
		case a.score > b.score:
			return -1
		case a.score < b.score:
			return 1
		}
		return 0
	})
	all := 0
	for _, j := range list {
		if j.positive {
			all++
		}
	}
	best, border, right := 0.0, 0.0, 0
	for i, j := range list {
		if j.positive {
			right++
		}
		if i+1 < len(list) && list[i+1].score == j.score {
			continue
		}
		if f := 2 * float64(right) / float64(i+1+all); f > best {
			best, border = f, j.score-1e-9
			if i+1 < len(list) {
				border = (j.score + list[i+1].score) / 2
			}
		}
	}
	m.bias -= border
	if m.machine != nil {
		m.machine.bias -= border
	}
	t.Report(kind.Progress{Step: 1, Of: 1, Objective: math.NaN(), HeldOut: best, Metric: "f1", Aside: true,
		Note: fmt.Sprintf("bias moved by %.3f on %d labelled documents", -border, len(list))})
	return nil
}
