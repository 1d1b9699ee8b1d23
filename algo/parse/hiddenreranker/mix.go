package hiddenreranker

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"parlance/algo/kind"
	"parlance/algo/parse/candidates"
	"parlance/algo/parse/rerank"
)

// mixture is how much some scorers count: base, then the members, as scorers names them.
type mixture struct {
	Names  []string // of the scorers that take part, sorted
	Shares []float64
	F1     float64 // of held-out sentences
}

// scorers are the names of what can be mixed.
func (m *model) scorers() []string { return append([]string{baseName}, m.opt.members...) }

// mixtureOf is the one with these scorers, all of them without any names.
func (m *model) mixtureOf(names []string) (mixture, error) {
	if len(names) == 0 {
		names = m.scorers()
	}
	want := slices.Sorted(slices.Values(names))
	var have []string
	for _, x := range m.mixtures {
		if slices.Equal(x.Names, want) {
			return x, nil
		}
		have = append(have, strings.Join(x.Names, " + "))
	}
	if m.mixtures == nil { // not yet trained
		return mixture{}, nil
	}
	return mixture{}, fmt.Errorf("option use: shares were learned for %s", strings.Join(have, "; "))
}

// sets are the mixtures that are fitted: each scorer alone, each with the base, the base with all hidden-variable
// models, and all.
func (m *model) sets() (out [][]string) {
	var hidden []string
	add := func(names ...string) {
		slices.Sort(names)
		if len(names) > 0 && !slices.ContainsFunc(out, func(x []string) bool { return slices.Equal(x, names) }) {
			out = append(out, names)
		}
	}
	add(baseName)
	for _, name := range m.opt.members {
		add(name)
		add(name, baseName)
		if name != boosted {
			hidden = append(hidden, name)
		}
	}
	add(append([]string{baseName}, hidden...)...)
	add(m.scorers()...)
	return out
}

// mix finds the shares.
func (d *training) mix(ctx context.Context) error {
	m, start := d.m, time.Now()
	x := &rerank.Mixture{Restarts: m.opt.restarts}
	s := m.scoring(d.senses)
	for _, k := range d.heldOut {
		if err := ctx.Err(); err != nil {
			return err
		}
		c := rerank.Choices{Scores: s.scores(k.sentence(&d.labels)), Common: k.tally.Common}
		for _, n := range k.tally.Brackets {
			c.All = append(c.All, n+int32(k.tally.Gold))
		}
		x.Lists = append(x.Lists, c)
	}
	m.mixtures = nil
	names := m.scorers()
	for _, set := range m.sets() {
		use := make([]bool, len(names))
		for i, name := range names {
			use[i] = slices.Contains(set, name)
		}
		y := mixture{Names: set, Shares: make([]float64, len(names)), F1: math.NaN()}
		if len(set) == 1 || len(x.Lists) == 0 {
			for i := range use {
				if use[i] {
					y.Shares[i] = 1
				}
			}
			y.F1 = x.F1(y.Shares)
		} else {
			w, f, err := x.Fit(ctx, use, rand.New(rand.NewPCG(d.t.Seed, 5)))
			if err != nil {
				return err
			}
			y.Shares, y.F1 = w, f
		}
		m.mixtures = append(m.mixtures, y)
	}
	all, err := m.mixtureOf(nil)
	if err != nil {
		return err
	}
	d.report(kind.Progress{Step: 1, Of: 1, Objective: math.NaN(), HeldOut: all.F1, Metric: "f1",
		Seconds: time.Since(start).Seconds(), Note: fmt.Sprintf("F1 of %d held-out sentences %.4f, of the base %.4f",
			len(x.Lists), all.F1, m.mixtures[0].F1)})
	return nil
}

// scoring finds what all scorers say of candidates. It belongs to one goroutine.
type scoring struct {
	m        *model
	builders []*builder
	scorers  []*scorer
	features func(*candidates.Sentence) [][]uint64
	problems []*problem // of the last sentence
	found    [][]uint64 // features of boosting
}

func (m *model) scoring(by senses) *scoring {
	s := &scoring{m: m}
	in := newReader(m.table)
	for _, x := range m.members {
		y := *x
		y.senses = by
		s.builders, s.scorers = append(s.builders, y.builder(in)), append(s.scorers, y.scorer())
	}
	if m.boost != nil {
		f := m.boost.Finder()
		s.features = func(x *candidates.Sentence) [][]uint64 { return f.Features(x, nil) }
	}
	return s
}

// scores are those of each candidate, by scorer.
func (s *scoring) scores(x *candidates.Sentence) [][]float64 {
	n := len(s.m.opt.members) + 1
	out := make([][]float64, len(x.List))
	for j, c := range x.List {
		out[j] = make([]float64, n)
		out[j][0] = c.Log
	}
	s.problems = s.problems[:0]
	k := 0
	for i, name := range s.m.opt.members {
		var list []float64
		if name == boosted {
			s.found = s.features(x)
			list = s.m.boost.Scores(x, s.found)
		} else {
			p := s.builders[k].problem(x, candidates.Tally{})
			s.scorers[k].sum(p, s.scorers[k].m.theta, 1)
			list = s.scorers[k].logZ
			s.problems = append(s.problems, p)
			k++
		}
		for j := range out {
			out[j][i+1] = list[j]
		}
	}
	return out
}

// total is Σ_m α_m·s_m of each candidate.
func (x mixture) total(scores [][]float64) []float64 {
	out := make([]float64, len(scores))
	for j, list := range scores {
		for k, s := range list {
			out[j] += x.Shares[k] * s
		}
	}
	return out
}
