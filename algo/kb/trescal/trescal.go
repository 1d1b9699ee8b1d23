// Package trescal is the kind of typed tensor decompositions of knowledge bases (Chang, Yih, Yang and
// Meek 2014): entities are vectors, relations are matrices, and a triple scores a_s' R a_o. Without
// types it is RESCAL (Nickel, Tresp and Kriegel 2011).
package trescal

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"parlance/algo/checkpoint"
	"parlance/algo/kb/triples"
	"parlance/algo/kind"
	"parlance/algo/numeric/tensor"
	"parlance/algo/option"
)

// Kind declares the kind.
func Kind() kind.Kind {
	return kind.Kind{
		Name: "trescal",
		Learns: "facts that a knowledge base lacks, by a tensor with types of entities: `m.complete('ann', " +
			"'works_for')`, `m.score(…)`",
		Figures: "Kinship, filtered MRR: 0.83; FB15k-237, rank 100: 0.20 without types, 0.27 with types induced " +
			"by clusters",
		Revision: 2,
		Doc: "typed tensor decomposition of a knowledge base: scores triples by vectors of entities and matrices of " +
			"relations; types = none is RESCAL",
		Paper: "Chang, Yih, Yang and Meek 2014; Nickel, Tresp and Kriegel 2011",
		New:   func() kind.Model { return &model{} },
	}
}

type model struct {
	triples.Answers `state:""`
	factors         `state:""`
	Weights         []float32 `state:"weights"` // of the facts; nil: all 1
	opt             struct {
		rank, iterations, patience int
		l2, tolerance              float64
		update, start              string
		types                      triples.Types
		safeguard                  bool
	}
}

// Options declares the options.
func (m *model) Options(s *option.Set) {
	o := &m.opt
	s.Int(&o.rank, "rank", 100, 1, 1024, "length of the vectors of entities, at most the number of entities is used; "+
		"time and memory grow with its square, for each relation and each combination of types with its cube")
	s.Float(&o.l2, "l2", 0.1, 0, math.Inf(1), "weight of the squared vectors and matrices against the squared errors; "+
		"with types, large knowledge bases want 1 to 10")
	s.Int(&o.iterations, "iterations", 10, 0, 100000, "rounds at most; 0 keeps the start and fits the matrices to it")
	s.Float(&o.tolerance, "tolerance", 1e-5, 0, 1,
		"training ends where a round changes the objective by less than this part of the squared weights of all facts")
	o.types.Options(s, "induced")
	s.Choice(&o.update, "a_update", "exact", []string{"exact", "global"}, "vectors of entities: exact, one system for "+
		"each combination of types; global, one for all, as printed by Chang et al., which need not converge")
	s.Choice(&o.start, "start", "eigen", []string{"eigen", "random"},
		"first vectors: eigenvectors of the sum of all relations and their inverses; normal values")
	s.Bool(&o.safeguard, "safeguard", false,
		"a round that raises the objective is halved, five times at most; the best round is kept in any case")
	s.Int(&o.patience, "patience", 0, 0, math.MaxInt32,
		"with VALIDATE: ends after this many scores without a better one and keeps the best model; 0: never").Validating()
	m.Answers.Options(s)
}

// Train decomposes the facts. A cell of a fact is its weight, of other allowed triples 0, those
// that are denied among them.
func (m *model) Train(ctx context.Context, t *kind.Training) error {
	if err := triples.Unneeded(t); err != nil {
		return err
	}
	d, err := triples.Read(ctx, t.On)
	if err != nil {
		return err
	}
	if err := m.Learn(ctx, d, m.opt.types, t); err != nil {
		return err
	}
	if n := d.Entities.Len(); m.opt.rank > n {
		t.Notice(fmt.Sprintf("rank = %d is more than there are entities; %d is used", m.opt.rank, n))
	}
	if need := memory(d, m.opt.rank); need > maxMemory {
		return fmt.Errorf(
			"rank = %d with %d relations and %d entities wants %d GB of memory, and %d GB is the limit; lower rank", m.opt.rank,
			d.Relations.Len(), d.Entities.Len(), need>>30, maxMemory>>30)
	}
	if outside := m.outside(); outside > 0 {
		t.Notice(fmt.Sprintf("%d of %d facts are outside the types of their relations and are left out of training",
			outside, len(d.Facts)))
	}
	f := &fitting{m: m, t: t, ctx: ctx, keep: checkpoint.NewKeeper(t)}
	f.best.New = func() kind.Model { return &model{opt: m.opt} }
	o := tensor.Options{Rank: m.opt.rank, L2: m.opt.l2, Iterations: m.opt.iterations, Tolerance: m.opt.tolerance,
		Global: m.opt.update == "global", Safeguard: m.opt.safeguard, Seed: t.Seed, Workers: t.Workers, Report: f.report}
	if m.opt.start == "random" {
		o.Init = tensor.Random
	}
	if t.Resume != nil {
		if o.From, err = f.resume(t.Resume); err != nil {
			return err
		}
	}
	found, err := tensor.Fit(ctx, problem(d, m.Sets), o)
	switch {
	case errors.Is(err, tensor.ErrEmpty):
		return fmt.Errorf("%w: all facts are outside the types of their relations", kind.ErrNoData)
	case err != nil:
		return err
	}
	if best, ok := f.best.Model.(*model); ok {
		m.factors = best.factors
	} else {
		m.factors = single(found)
	}
	m.Scorer = m
	if slices.ContainsFunc(d.Weights, func(w float64) bool { return w != 1 }) {
		for _, w := range d.Weights {
			m.Weights = append(m.Weights, float32(w))
		}
	}
	if !m.bounded() {
		return fmt.Errorf("the weights of the facts make scores beyond the range of numbers; divide them by their maximum")
	}
	return nil
}

// maxMemory refuses what most machines could not hold, before training starts.
const maxMemory = 16 << 30

// memory is what training takes at least: two copies of the matrices and three of the vectors.
func memory(d *triples.Data, rank int) int64 {
	r, n := int64(min(rank, d.Entities.Len())), int64(d.Entities.Len())
	return 8 * (2*int64(d.Relations.Len())*r*r + 3*n*r)
}

// outside counts the facts that their relations do not allow.
func (m *model) outside() int {
	n := 0
	for _, t := range m.Graph.Facts {
		if m.Sets != nil && !m.Sets.AllowsTriple(t) {
			n++
		}
	}
	return n
}

// problem is the tensor of the facts.
func problem(d *triples.Data, sets *triples.Sets) *tensor.Problem {
	p := &tensor.Problem{Entities: d.Entities.Len(), Relations: make([]tensor.Relation, d.Relations.Len())}
	for i, t := range d.Facts {
		r := &p.Relations[t.Relation]
		r.Subjects, r.Objects, r.Values = append(r.Subjects, t.Subject), append(r.Objects, t.Object),
			append(r.Values, d.Weights[i])
	}
	if sets == nil {
		return p
	}
	for s := range sets.Len() {
		p.Sets = append(p.Sets, sets.List(s))
	}
	for k := range p.Relations {
		p.Relations[k].Left, p.Relations[k].Right = sets.Number(triples.Subject, int32(k)),
			sets.Number(triples.Object, int32(k))
	}
	return p
}

// fitting is a training under way.
type fitting struct {
	m    *model
	t    *kind.Training
	ctx  context.Context
	keep *checkpoint.Keeper
	best checkpoint.Best
}

// report reports a round and scores it on held-out facts.
func (f *fitting) report(s tensor.Step) error {
	p := kind.Progress{Step: s.Number, Of: f.m.opt.iterations, Objective: s.Objective, HeldOut: math.NaN(),
		Seconds: s.Seconds, Note: fmt.Sprintf("fit %.4f", s.Fit)}
	if s.Halved > 0 {
		p.Note += fmt.Sprintf(", halved %d times", s.Halved)
	}
	var err error
	if f.t.Score != nil {
		err = f.score(s, &p)
	}
	if err == nil || errors.Is(err, tensor.ErrStop) {
		f.t.Report(p)
	}
	if err == nil && s.Iterate != nil {
		err = f.keep.Save(f.state(s.Iterate).Write)
	}
	return err
}

// state is what a training goes on from. The vectors of the best round may be none or those of all entities.
func (f *fitting) state(x *tensor.Iterate) checkpoint.State {
	return checkpoint.State{}.With("round", checkpoint.Value(&x.Number)).
		With("objective", checkpoint.Value(&x.Objective)).With("least", checkpoint.Value(&x.Least)).With("vectors",
		checkpoint.Float64s(x.A)).
		With("held", &f.best).With("best", checkpoint.Rows([][]float64{x.Best}))
}

// resume reads a checkpoint.
func (f *fitting) resume(r *kind.Reader) (*tensor.Iterate, error) {
	n := f.m.Graph.Entities.Len()
	x := &tensor.Iterate{A: make([]float64, n*min(f.m.opt.rank, n))}
	best := [][]float64{nil}
	state := f.state(x)
	state[len(state)-1].Part = checkpoint.Rows(best)
	err := state.Read(r)
	x.Best = best[0]
	return x, err
}

// score scores the model as it stands; ErrStop says that patience is at its end.
func (f *fitting) score(s tensor.Step, p *kind.Progress) error {
	now := &model{Answers: f.m.Answers, factors: single(s.Factors()), opt: f.m.opt}
	now.Scorer = now
	if !now.bounded() {
		return nil
	}
	var err error
	if p.HeldOut, p.Metric, err = f.t.Score(f.ctx, now); err != nil || f.m.opt.patience == 0 {
		return err
	}
	if !f.best.Better(now, p.HeldOut, s.Number) && f.best.Stale >= f.m.opt.patience {
		return tensor.ErrStop
	}
	return nil
}
