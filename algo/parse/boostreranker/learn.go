package boostreranker

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"parlance/algo/kind"
	"parlance/algo/numeric/parallel"
	"parlance/algo/parse/constituent"
	"parlance/algo/parse/rerank"
	"parlance/algo/text"
)

// example is a sentence with its gold tree as brackets, and candidates without their trees.
type example struct {
	gold     int // brackets of gold
	brackets []int
	common   []int // with gold, of each candidate
	logs     []float64
	features [][]uint64 // those that not all candidates have
	answer   int        // place of the answer of the base, or of the first one
}

// goodness is what the gold tree is worth, by F1: its brackets are the size (Collins and Koo 2005, section 5.1).
func (e *example) goodness(i int) float64 {
	if e.brackets[i] == 0 {
		return 0
	}
	return 2 * float64(e.common[i]) / float64(e.brackets[i]+e.gold) * float64(e.gold)
}

// store is what is learned from.
type store struct {
	examples []*example
	counts   map[uint64]int32   // sentences in which a feature tells trees apart
	names    map[uint64]string  // of those with enough
	faults   constituent.Faults // of gold rows
	noGold   int                // sentences without a gold tree
	noTree   int                // sentences without a tree of the base
}

// found is what a document gives.
type found struct {
	examples       []*example
	names          []map[uint64]string
	faults         constituent.Faults
	noGold, noTree int
}

// batch is how many documents are read at once, for each worker.
const batch = 8

// read lists the candidates of all documents, in order, with any number of workers.
func (m *model) read(ctx context.Context, in kind.Input, t *kind.Training, base kind.Trained, learn bool) (*store,
	error) {
	s := &store{counts: map[uint64]int32{}, names: map[uint64]string{}}
	workers := parallel.Workers(t.Workers)
	listers := make([]*lister, workers)
	for i := range listers {
		listers[i] = m.lister(base)
	}
	var docs []*text.Document
	start, done, told := time.Now(), 0, time.Now()
	flush := func() error {
		out := make([]*found, len(docs))
		err := parallel.For(ctx, workers, len(docs), func(w, i int) (err error) {
			out[i], err = listers[w].examples(ctx, docs[i], learn)
			return err
		})
		if err != nil {
			return err
		}
		for _, f := range out {
			s.take(f, m.opt.minCount)
		}
		done, docs = done+len(docs), docs[:0]
		if time.Since(told) > 2*time.Second {
			told = time.Now()
			t.Report(kind.Progress{Step: done, Of: max(done, in.Count()), Objective: math.NaN(), HeldOut: math.NaN(),
				Aside:   true,
				Seconds: time.Since(start).Seconds(), Note: fmt.Sprintf("trees of %d sentences", len(s.examples))})
		}
		return nil
	}
	for d, err := range in.Documents(ctx) {
		if err != nil {
			return nil, err
		}
		if docs = append(docs, d); len(docs) == batch*workers {
			if err := flush(); err != nil {
				return nil, err
			}
		}
	}
	if err := flush(); err != nil {
		return nil, err
	}
	return s, ctx.Err()
}

// take adds what a document gives. A feature gets its name from the sentence that makes it frequent enough.
func (s *store) take(f *found, least int) {
	s.examples = append(s.examples, f.examples...)
	s.faults.Join(f.faults)
	s.noGold, s.noTree = s.noGold+f.noGold, s.noTree+f.noTree
	for _, names := range f.names {
		for h, name := range names {
			if s.counts[h]++; int(s.counts[h]) == least {
				s.names[h] = name
			}
		}
	}
}

// examples makes examples of the sentences of a document that have a gold tree.
func (l *lister) examples(ctx context.Context, d *text.Document, learn bool) (*found, error) {
	out := &found{}
	gold := map[int][]constituent.Bracket{}
	for s := range constituent.Sentences(d, l.m.opt.tags) {
		if s.Fault != nil {
			out.faults.Add(d.ID, s.Fault)
			continue
		}
		if tree := constituent.Clean(s.Best()); tree != nil {
			gold[s.Number] = constituent.Brackets(tree)
		} else {
			out.noGold++
		}
	}
	sentences, err := l.document(ctx, d)
	if err != nil {
		return nil, err
	}
	out.noTree = len(gold)
	for _, x := range sentences {
		brackets, ok := gold[x.Number]
		if !ok {
			continue
		}
		out.noTree--
		var names map[uint64]string
		if learn {
			names = map[uint64]string{}
		}
		l.features(x, names)
		e := exampleOf(x, brackets)
		out.examples = append(out.examples, e)
		if learn {
			out.names = append(out.names, e.telling(names))
		} else {
			e.keep(l.m.numbers)
		}
	}
	return out, nil
}

func exampleOf(x *sentence, gold []constituent.Bracket) *example {
	e := &example{gold: len(gold)}
	for i, c := range x.list {
		b := constituent.Brackets(c.tree)
		e.brackets, e.common = append(e.brackets, len(b)), append(e.common, constituent.Common(gold, b))
		e.logs, e.features = append(e.logs, c.log), append(e.features, c.features)
		if c.answer {
			e.answer = i
		}
	}
	return e
}

// telling drops the features that all candidates have, and returns the names of the others.
func (e *example) telling(names map[uint64]string) map[uint64]string {
	have := map[uint64]int{}
	for _, list := range e.features {
		for _, h := range list {
			have[h]++
		}
	}
	for i, list := range e.features {
		kept := slices.DeleteFunc(list, func(h uint64) bool { return have[h] == len(e.features) })
		e.features[i] = slices.Clone(kept)
	}
	for h, n := range have {
		if n == len(e.features) {
			delete(names, h)
		}
	}
	return names
}

// keep drops the features that have no weight.
func (e *example) keep(numbers map[uint64]int32) {
	for i, list := range e.features {
		kept := slices.DeleteFunc(list, func(h uint64) bool { _, ok := numbers[h]; return !ok })
		e.features[i] = slices.Clone(kept)
	}
}

// Train lists the candidates, counts their features and learns weights.
func (m *model) Train(ctx context.Context, t *kind.Training) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := m.ready(); err != nil {
		return err
	}
	base, err := m.parser(t.Resources)
	if err != nil {
		return err
	}
	s, err := m.read(ctx, t.On, t, base, true)
	if err != nil {
		return err
	}
	s.notice(t)
	if len(s.examples) == 0 {
		return fmt.Errorf("%w: there are no sentences with constituents for which the base has trees", kind.ErrNoData)
	}
	pairs, names, err := m.pairs(s)
	if err != nil {
		return err
	}
	*s = store{} // what follows needs the memory
	if err := m.fit(ctx, t, pairs, names); err != nil {
		return err
	}
	m.rounds = len(m.learned.Steps)
	if t.Validate != nil {
		if err := m.validate(ctx, t, base); err != nil {
			return err
		}
	}
	return m.ready()
}

func (s *store) notice(t *kind.Training) {
	s.faults.Tell(t.Notice)
	if s.noGold > 0 {
		t.Notice(fmt.Sprintf("%d sentences without a tree are left out", s.noGold))
	}
	if s.noTree > 0 {
		t.Notice(fmt.Sprintf("%d sentences for which the base has no tree are left out", s.noTree))
	}
}

// pairs makes pairs of candidates; features are numbered by their names.
func (m *model) pairs(s *store) (*rerank.Store, []string, error) {
	var names []string
	for _, name := range s.names {
		names = append(names, name)
	}
	slices.Sort(names)
	number := make(map[uint64]int32, len(names))
	for i, name := range names {
		number[hash([]byte(name))] = int32(i)
	}
	out := rerank.NewStore(max(1, len(names)), m.opt.weights == "score" && m.opt.loss == "exp")
	for _, e := range s.examples {
		list := make([]rerank.Candidate, len(e.logs))
		for i := range list {
			c := &list[i]
			c.Gold, c.Log = e.goodness(i), e.logs[i]
			for _, h := range e.features[i] {
				if k, ok := number[h]; ok {
					c.Features = append(c.Features, k)
				}
			}
			slices.Sort(c.Features)
		}
		if err := out.Add(list); err != nil {
			return nil, nil, err
		}
	}
	return out, names, nil
}

// reports is how many lines the trace has.
const reports = 20

// fit learns, and keeps the features that have got a weight.
func (m *model) fit(ctx context.Context, t *kind.Training, s *rerank.Store, names []string) error {
	start, last := time.Now(), 0
	o := rerank.Options{Rounds: m.opt.rounds, Smoothing: m.opt.smoothing, Every: max(1, m.opt.rounds/reports)}
	if m.opt.loss == "log" {
		o.Loss = rerank.Logarithmic
	}
	o.Report = func(round int, now *rerank.Model) {
		t.Report(kind.Progress{Step: round, Of: m.opt.rounds, Objective: now.Steps[round-1].Loss, HeldOut: math.NaN(),
			Active: active(now), Seconds: time.Since(start).Seconds(),
			Note: fmt.Sprintf("%.0f times less work than passes over all %d pairs", now.Savings(last, round), s.Pairs())})
		last = round
	}
	learned, err := rerank.Train(ctx, s, o)
	switch {
	case errors.Is(err, rerank.ErrNoPairs):
		t.Notice("no sentence has a better and a worse candidate: the order of the base stays")
		learned = &rerank.Model{Base: 1}
	case err != nil:
		return err
	}
	number := map[int32]int32{}
	m.names = nil
	for i := range learned.Steps {
		k := learned.Steps[i].Feature
		to, ok := number[k]
		if !ok {
			to = int32(len(m.names))
			number[k] = to
			m.names = append(m.names, names[k])
		}
		learned.Steps[i].Feature = to
	}
	m.learned = *learned
	return nil
}

// active is how many features have a weight.
func active(m *rerank.Model) int {
	seen := map[int32]bool{}
	for _, s := range m.Steps {
		seen[s.Feature] = true
	}
	return len(seen)
}
