package boosting

import (
	"context"
	"errors"
	"math"
	"slices"
	"time"

	"parlance/algo/kind"
	"parlance/algo/parse/candidates"
	"parlance/algo/parse/rerank"
	"parlance/algo/text"
)

// Example is a sentence with gold and candidates, without their trees.
type Example struct {
	candidates.Tally
	features [][]uint64 // of each candidate, those that not all have
	names    map[uint64]string
}

// Store is what is learned from.
type Store struct {
	least    int
	examples []*Example
	counts   map[uint64]int32  // sentences in which a feature tells trees apart
	names    map[uint64]string // of those with enough
}

// NewStore returns an empty one; a feature counts in n sentences.
func NewStore(least int) *Store {
	return &Store{least: least, counts: map[uint64]int32{}, names: map[uint64]string{}}
}

// Len is the number of sentences.
func (s *Store) Len() int { return len(s.examples) }

// Add adds a sentence. A feature gets its name from the sentence that makes it frequent enough.
func (s *Store) Add(e *Example) {
	s.examples = append(s.examples, e)
	for h, name := range e.names {
		if s.counts[h]++; int(s.counts[h]) == s.least {
			s.names[h] = name
		}
	}
	e.names = nil
}

// Example makes one to learn from.
func (l *Finder) Example(x *candidates.Sentence, t candidates.Tally) *Example {
	e := &Example{Tally: t, names: map[uint64]string{}}
	e.features = l.Features(x, e.names)
	e.telling(e.names)
	return e
}

// HeldOutExample makes one to choose the number of rounds by, after Fit.
func (m *Model) HeldOutExample(l *Finder, x *candidates.Sentence, t candidates.Tally) *Example {
	e := &Example{Tally: t, features: l.Features(x, nil)}
	e.keep(m.numbers)
	return e
}

// telling drops the features that all candidates have, and their names.
func (e *Example) telling(names map[uint64]string) {
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
}

// keep drops the features that have no weight.
func (e *Example) keep(numbers map[uint64]int32) {
	for i, list := range e.features {
		kept := slices.DeleteFunc(list, func(h uint64) bool { _, ok := numbers[h]; return !ok })
		e.features[i] = slices.Clone(kept)
	}
}

// pairs makes pairs of candidates; features are numbered by their names.
func (o *Options) pairs(s *Store) (*rerank.Store, []string, error) {
	var names []string
	for _, name := range s.names {
		names = append(names, name)
	}
	slices.Sort(names)
	number := make(map[uint64]int32, len(names))
	for i, name := range names {
		number[hash([]byte(name))] = int32(i)
	}
	out := rerank.NewStore(max(1, len(names)), o.Weights == "score" && o.Loss == "exp")
	for _, e := range s.examples {
		list := make([]rerank.Candidate, len(e.Logs))
		for i := range list {
			c := &list[i]
			c.Gold, c.Log = e.Goodness(i), e.Logs[i]
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

// Fit learns from a store, and keeps the features that have got a weight. The store is empty afterwards.
func (m *Model) Fit(ctx context.Context, o *Options, s *Store, t *kind.Training) error {
	pairs, names, err := o.pairs(s)
	if err != nil {
		return err
	}
	*s = *NewStore(s.least) // what follows needs the memory
	start, last := time.Now(), 0
	by := rerank.Options{Rounds: o.Rounds, Smoothing: o.Smoothing, Every: max(1, o.Rounds/reports)}
	if o.Loss == "log" {
		by.Loss = rerank.Logarithmic
	}
	by.Report = func(round int, now *rerank.Model) {
		t.Report(kind.Progress{Step: round, Of: o.Rounds, Objective: now.Steps[round-1].Loss, HeldOut: math.NaN(),
			Active: active(now), Seconds: time.Since(start).Seconds(),
			Note: text.Countf("%.0f times less work than passes over all %d {pair|pairs}", now.Savings(last, round),
				pairs.Pairs())})
		last = round
	}
	learned, err := rerank.Train(ctx, pairs, by)
	switch {
	case errors.Is(err, rerank.ErrNoPairs):
		t.Notice("no sentence has a better and a worse candidate: the order of the base stays")
		learned = &rerank.Model{Base: 1}
	case err != nil:
		return err
	}
	m.take(learned, names)
	return nil
}

// take keeps the features with a weight.
func (m *Model) take(learned *rerank.Model, names []string) {
	number := map[int32]int32{}
	m.Names = nil
	for i := range learned.Steps {
		k := learned.Steps[i].Feature
		to, ok := number[k]
		if !ok {
			to = int32(len(m.Names))
			number[k] = to
			m.Names = append(m.Names, names[k])
		}
		learned.Steps[i].Feature = to
	}
	m.Learned, m.Rounds = *learned, len(learned.Steps)
	m.Ready(0)
}

// active is how many features have a weight.
func active(m *rerank.Model) int {
	seen := map[int32]bool{}
	for _, s := range m.Steps {
		seen[s.Feature] = true
	}
	return len(seen)
}
