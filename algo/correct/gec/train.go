package gec

import (
	"context"
	"fmt"
	"math"
	"slices"

	"parlance/algo/correct/confusion"
	"parlance/algo/correct/evidence"
	"parlance/algo/kind"
	"parlance/algo/metrics"
	"parlance/algo/text"
)

// read is a sentence of the training.
type read struct {
	s    *confusion.Sentence
	doc  int
	list []correction
	gold []bool // of the list
}

// learner is a training on its way.
type learner struct {
	m       *model
	in      *kind.Training
	on      kind.Input // what is fitted to
	members []member
	docs    []*text.Document
	list    []read
	gold    int
	pairs   []string // those that have a weight
}

// minPair is how often a pair of labels is an option that has a weight of its own.
const minPair = 20

// Train fits the regression and thresholds, and measures edits out of fold.
func (m *model) Train(ctx context.Context, in *kind.Training) error {
	l := &learner{m: m, in: in, on: in.On}
	var err error
	if len(m.modules) == 0 {
		if l.on, err = m.trainOwn(ctx, in); err != nil {
			return err
		}
	}
	if l.members, err = m.members(in.Resources); err != nil {
		return err
	}
	m.names = nil
	for _, x := range l.members {
		m.names = append(m.names, x.name)
	}
	if err := l.read(ctx); err != nil {
		return err
	}
	if m.combine == union {
		err = l.union(ctx)
	} else {
		err = l.calibrate(ctx)
	}
	return err
}

// read collects what modules propose in all documents.
func (l *learner) read(ctx context.Context) error {
	for d, err := range l.on.Documents(ctx) {
		if err != nil {
			return err
		}
		sentences := confusion.Read(d)
		for i, g := range confusion.Golds(d, sentences) {
			if i&15 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			r := read{s: sentences[i], doc: len(l.docs), list: collect(l.members, sentences[i])}
			for k := range r.list {
				r.gold = append(r.gold, g.Has(r.list[k].Edit))
			}
			l.gold += g.Count
			l.list = append(l.list, r)
		}
		l.docs = append(l.docs, d)
		if len(l.docs)&255 == 0 {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			l.in.Report(kind.Progress{Step: len(l.docs), Of: max(l.on.Count(), len(l.docs)), Objective: math.NaN(),
				HeldOut: math.NaN(),
				Note:    "options of modules"})
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if l.gold == 0 {
		return fmt.Errorf("%w: no edit of %d documents corrects anything", kind.ErrNoData, len(l.docs))
	}
	return nil
}

// fold is that of a sentence.
func (l *learner) fold(r *read) int { return r.doc % l.m.folds }

// rows makes the data of the regression, a row an option.
func (l *learner) rows() (*evidence.Rows, []int) {
	seen := map[string]int{}
	for i := range l.list {
		for k := range l.list[i].list {
			for j := range l.list[i].list[k].said {
				seen[l.m.pairKey(&l.list[i].list[k].said[j])]++
			}
		}
	}
	for p, n := range seen {
		if n >= minPair && l.m.pairWeights {
			l.pairs = append(l.pairs, p)
		}
	}
	slices.Sort(l.pairs)
	at := map[string]uint32{}
	for i, p := range l.pairs {
		at[p] = uint32(inputs*len(l.members) + i)
	}
	rows, folds := &evidence.Rows{}, []int{}
	for i := range l.list {
		r := &l.list[i]
		for k := range r.list {
			r.list[k].each(rows.Put)
			for j := range r.list[k].said {
				if p, ok := at[l.m.pairKey(&r.list[k].said[j])]; ok {
					rows.Put(p, 1)
				}
			}
			rows.Add(r.gold[k])
			folds = append(folds, l.fold(r))
		}
	}
	return rows, folds
}

// fit fits the regression to the rows that use wants.
func (l *learner) fit(ctx context.Context, rows *evidence.Rows, use func(i int) bool) ([]float64, error) {
	n := inputs * len(l.members)
	w, l2 := make([]float64, n+len(l.pairs)), make([]float64, n+len(l.pairs))
	for i := range w {
		switch {
		case i >= n:
			l2[i] = 20 // with less they fit what writers of one essay want
		case i%inputs == inLogit:
			w[i], l2[i] = 1, 0.5
		case i%inputs != inBias:
			l2[i] = 1
		default:
			l2[i] = 0.01
		}
	}
	return w, rows.Fit(ctx, w, l2, use, 200)
}

// take makes weights those of the model.
func (l *learner) take(w []float64) {
	n := inputs * len(l.members)
	l.m.weights, l.m.pairs = w[:n], map[string][]float64{}
	for i, p := range l.pairs {
		l.m.pairs[p] = w[n+i : n+i+1]
	}
}

// calibrate fits the regression fold by fold and on all, and chooses the threshold out of fold.
func (l *learner) calibrate(ctx context.Context) error {
	m := l.m
	rows, folds := l.rows()
	m.tuned = 0
	for f := range m.folds {
		w, err := l.fit(ctx, rows, func(i int) bool { return folds[i] != f })
		if err != nil {
			return err
		}
		l.take(w)
		for i := range l.list {
			if l.fold(&l.list[i]) == f {
				l.rate(&l.list[i])
			}
		}
		l.in.Report(kind.Progress{Step: f + 1, Of: m.folds + 1, Objective: math.NaN(), HeldOut: math.NaN(), Note: "fold"})
	}
	limits := make([][]float64, m.folds)
	for f := range limits {
		limits[f] = []float64{l.threshold(func(r *read) bool { return l.fold(r) != f })}
	}
	all := l.threshold(func(*read) bool { return true })
	if err := l.measure(ctx, func(r *read) {
		for k := range r.list {
			r.list[k].score -= limits[l.fold(r)][0]
		}
	}); err != nil {
		return err
	}
	w, err := l.fit(ctx, rows, nil)
	if err != nil {
		return err
	}
	l.take(w)
	m.tuned = all
	return nil
}

func (l *learner) rate(r *read) {
	keep := l.m.threshold
	l.m.threshold = 0
	l.m.rate(l.members, r.list)
	l.m.threshold = keep
}

// threshold is the log-odds from which on edits are made with the greatest F, of the sentences that want wants. The
// options have scores.
func (l *learner) threshold(want func(r *read) bool) float64 {
	var scored []evidence.Scored
	gold := 0
	for i := range l.list {
		r := &l.list[i]
		if !want(r) {
			continue
		}
		taken := make([]bool, len(r.list))
		for _, k := range byScore(r.list) {
			if !math.IsInf(r.list[k].score, -1) && !clashesTaken(r.list, taken, k) {
				taken[k] = true
				scored = append(scored, evidence.Scored{Score: r.list[k].score, Right: r.gold[k]})
			}
		}
		gold++
	}
	share := float64(l.gold) * float64(gold) / float64(max(1, len(l.list)))
	t, _, _ := evidence.Threshold(scored, int(share+0.5), l.m.beta)
	return evidence.Clip(t, maxLogit)
}

// maxLogit is a threshold that nothing reaches.
const maxLogit = 100

func byScore(list []correction) []int {
	order := make([]int, len(list))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case list[a].score > list[b].score:
			return -1
		case list[a].score < list[b].score:
			return 1
		}
		return 0
	})
	return order
}

func clashesTaken(list []correction, taken []bool, k int) bool {
	for j := range list {
		if taken[j] && excludes(&list[k], &list[j]) {
			return true
		}
	}
	return false
}

// union chooses a threshold for each module, out of fold.
func (l *learner) union(ctx context.Context) error {
	m := l.m
	choose := func(want func(r *read) bool) []float64 {
		out := make([]float64, len(l.members))
		for k := range l.members {
			m.thresholds = make([]float64, len(l.members))
			for i := range m.thresholds {
				m.thresholds[i] = maxLogit
			}
			m.thresholds[k] = 0
			for i := range l.list {
				l.only(&l.list[i], k)
			}
			out[k] = l.threshold(want)
		}
		return out
	}
	limits := make([][]float64, m.folds)
	for f := range limits {
		limits[f] = choose(func(r *read) bool { return l.fold(r) != f })
		l.in.Report(kind.Progress{Step: f + 1, Of: m.folds + 1, Objective: math.NaN(), HeldOut: math.NaN(), Note: "fold"})
	}
	all := choose(func(*read) bool { return true })
	if err := l.measure(ctx, func(r *read) {
		m.thresholds = limits[l.fold(r)]
		l.rate(r)
	}); err != nil {
		return err
	}
	m.thresholds = all
	return ctx.Err()
}

// only scores the options of a sentence by what one module says, others do not count.
func (l *learner) only(r *read, by int) {
	for k := range r.list {
		o := &r.list[k]
		o.score = math.Inf(-1)
		for j := range o.said {
			if p := &o.said[j]; p.by == by && !l.members[by].Ignores(&p.Proposal) {
				o.score = evidence.Logit(p.Prob)
			}
		}
	}
}

// measure scores the edits out of fold by M²; ready sets the scores of a sentence less the threshold of its fold.
func (l *learner) measure(ctx context.Context, ready func(r *read)) error {
	scorer := metrics.NewEdits(metrics.Options{Beta: l.m.beta})
	from := 0
	for n, d := range l.docs {
		var rows []made
		for ; from < len(l.list) && l.list[from].doc == n; from++ {
			r := &l.list[from]
			ready(r)
			edits, err := l.m.correct(ctx, l.members, r.s, r.list)
			if err != nil {
				return err
			}
			for _, e := range edits {
				rows = append(rows, made{r.s, e})
			}
		}
		view := *d
		view.SetLayer(editsLayer(d, l.m, l.members, rows, false))
		if err := scorer.Add(ctx, []*text.Document{d}, []*text.Document{&view}); err != nil {
			return err
		}
	}
	found := scorer.Metrics()
	intervals, err := metrics.Intervals(ctx, found, metrics.Chance{Sentences: true, Confidence: 0.95, Resamples: 1000,
		Seed:    l.in.Seed,
		Workers: max(1, l.in.Workers)})
	if err != nil {
		return err
	}
	for i, x := range found {
		name, low, high := x.Name, math.NaN(), math.NaN()
		if x.Label != metrics.All {
			name += " " + x.Label
		}
		if intervals[i] != nil {
			low, high = intervals[i].Low, intervals[i].High
		}
		l.m.measured = append(l.m.measured, measure{name, finite(x.Value()), finite(low), finite(high)})
	}
	return nil
}

func finite(x float64) float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return -1
	}
	return x
}
