package exec

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/query/ast"
	"parlance/query/jobs"
	"parlance/query/operator"
	"parlance/query/plan"
)

// What a USING model predicts on documents that it learned from is better than what it predicts on
// others, and a model that learns from it trusts it too much. With the option jackknife the documents
// of ON are divided into folds; those of a fold are annotated by models that were trained again on
// the other folds.

// checkJackknife looks, before anything is trained, whether the models of USING can be trained again.
func (t *training) checkJackknife() error {
	if t.engine.jackknife == 0 {
		return nil
	}
	pos, models := t.optionPlace("jackknife"), t.on.models()
	named, err := t.annotatingResources()
	if err != nil {
		return err
	}
	if len(models) == 0 && len(named) == 0 {
		return plan.Errorf(pos, plan.CodeInvalid, "USING, or an option of the kind, names a model whose predictions are learned from", "jackknife trains the models again that annotate ON, and none does")
	}
	for _, res := range t.schema.Resources {
		if m := named[res.Name]; m != nil {
			models = append(models, *m)
		}
	}
	for _, m := range models {
		if m.Schema.Unit == kind.PerCorpus {
			return plan.Errorf(pos, plan.CodeFeature, "leave jackknife out", "%s annotates a corpus as a whole, which folds would cut", m)
		}
		for _, in := range t.stmt.On {
			if role := t.schema.Role(in.Role); role != nil && len(role.Tables) > 0 {
				continue
			}
			if err := t.checkGold(in, m.String(), m.Schema.Learns); err != nil {
				return err
			}
		}
	}
	return nil
}

// jackknife replaces the models that annotate the inputs by those that were trained on other folds.
func (t *training) jackknife(ctx context.Context, job *jobs.Job) error {
	if t.engine.jackknife == 0 {
		return nil
	}
	inputs := []*input{t.on}
	for _, role := range t.roleNames() {
		inputs = append(inputs, t.roles[role])
	}
	for _, in := range inputs {
		models := in.models()
		if len(models) == 0 {
			continue
		}
		d := &jackknifing{t: t, in: in, steps: t.engine.jackknife * len(models), start: time.Now()}
		if err := d.deal(ctx, models); err != nil {
			return err
		}
		for k := range models {
			if err := d.stage(ctx, job, models, k); err != nil {
				return err
			}
		}
		for i := range in.parts {
			in.parts[i].ann, in.parts[i].answers = nil, d.answers[i]
		}
	}
	return nil
}

// jackknifing is an input whose documents have folds.
type jackknifing struct {
	t           *training
	in          *input
	folds       [][]int // by part and place of the document; -1 for what the input leaves out
	answers     []foldAnswers
	step, steps int
	start       time.Time
}

// deal shuffles the documents, or the groups of those that a model needs together, by the seed.
func (d *jackknifing) deal(ctx context.Context, models []plan.ModelUse) error {
	group := ""
	for _, m := range models {
		if m.Schema.Group != "" {
			group = m.Schema.Group
		}
	}
	u := &foldUnits{group: group}
	for _, p := range d.in.parts {
		list, err := u.number(ctx, d.t.r, p)
		if err != nil {
			return err
		}
		d.folds = append(d.folds, list)
	}
	n := d.t.engine.jackknife
	if u.n < n {
		return plan.Errorf(d.t.stmt.On[0].Pos, plan.CodeInvalid, "jackknife takes at most as many", "jackknife = %d needs as many %s, and there are %d", n, u.what(), u.n)
	}
	u.deal(rand.New(rand.NewPCG(uint64(d.t.engine.seed), 5)), n, d.folds)
	d.answers = make([]foldAnswers, len(d.in.parts))
	return nil
}

// stage trains a model again for each fold and keeps what it says about the fold.
func (d *jackknifing) stage(ctx context.Context, job *jobs.Job, models []plan.ModelUse, k int) error {
	use := &models[k]
	nbest, prob := demand(models, k, d.reads())
	stages := make([]modelAnswers, len(d.in.parts))
	for i, list := range d.folds {
		stages[i].found = make([][]byte, len(list))
	}
	for f := range d.t.engine.jackknife {
		d.progress(job, use)
		c, err := d.train(ctx, use, f)
		if err == nil {
			c.run.NBest, c.run.Prob = nbest, prob
			err = d.annotate(ctx, c, f, stages)
		}
		if err != nil {
			return d.explain(err, use, f)
		}
	}
	for i := range stages {
		d.answers[i] = append(d.answers[i], stages[i])
	}
	return nil
}

// reads is what the learner asks of the layers of the input.
func (d *jackknifing) reads() []kind.LayerUse {
	for _, p := range d.in.parts {
		return p.reads
	}
	return nil
}

// progress reports that the next model is trained.
func (d *jackknifing) progress(job *jobs.Job, use *plan.ModelUse) {
	d.step++
	p := kind.Progress{Step: d.step, Of: d.steps, Objective: math.NaN(), HeldOut: math.NaN(), Seconds: time.Since(d.start).Seconds(), Note: "jackknife of " + use.String()}
	d.t.r.Jobs.Progress(job, p)
	d.t.r.Session.Progress(p)
}

func (d *jackknifing) explain(err error, use *plan.ModelUse, f int) error {
	var e *ast.Error
	switch {
	case errors.Is(err, context.Canceled) || errors.As(err, &e):
		return err
	case errors.Is(err, kind.ErrNoData):
		return plan.Errorf(d.t.stmt.On[0].Pos, "02000", "fewer folds leave more documents to learn from", "jackknife: %s without fold %d: %v", use, f+1, err)
	}
	return fmt.Errorf("jackknife: %s without fold %d: %w", use, f+1, err)
}

// of returns the documents of the input that are of a fold, or those that are not, as a model that
// reads and learns the layers sees them: with what the models before it say.
func (d *jackknifing) of(f int, own bool, s kind.Schema) *input {
	out := &input{r: d.in.r}
	for i, p := range d.in.parts {
		keep := make([]bool, len(d.folds[i]))
		for k, fold := range d.folds[i] {
			keep[k] = fold >= 0 && (fold == f) == own
		}
		fold := part{node: p.node, want: p.want, reads: s.Reads, keep: keep, answers: d.answers[i]}
		fold.wantMore(s.Reads, s.DocumentFields())
		fold.wantMore(s.Learns, nil)
		out.parts = append(out.parts, fold)
	}
	return out
}

// train trains a model as it was trained, on the documents outside a fold.
func (d *jackknifing) train(ctx context.Context, use *plan.ModelUse, f int) (*configured, error) {
	r := d.t.r
	l, err := r.fetch(use.Name, use.Version)
	if err != nil {
		return nil, err
	}
	m, set := l.kind.New(), &option.Set{}
	m.Options(set)
	if err := set.Restore(l.meta.Options); err != nil {
		return nil, err
	}
	tr := &kind.Training{On: d.of(f, false, m.Schema()), Roles: map[string]kind.Input{}, Resources: r.Resources(l.meta.Upstream...),
		Seed: l.meta.Seed, Workers: r.workers(), NoProb: true, Notice: func(string) {}, Report: func(kind.Progress) {}}
	for _, p := range l.meta.Upstream {
		if p.Role != "init" {
			continue
		}
		first, err := r.fetch(p.Name, p.Version)
		if err != nil {
			return nil, err
		}
		tr.Init = first.model
	}
	if err := m.Train(ctx, tr); err != nil {
		return nil, err
	}
	schema := m.Schema()
	return &configured{loaded: &loaded{kind: l.kind, model: m}, model: m, schema: schema, label: use.String(),
		run: kind.Run{Resources: tr.Resources, Workers: 1, Wanted: someOf(schema.Writes, use.Wanted), Report: func(kind.Progress) {}}}, nil
}

// annotate keeps what a model says about the documents of a fold.
func (d *jackknifing) annotate(ctx context.Context, c *configured, f int, stages []modelAnswers) error {
	ann := &annotator{r: d.t.r.uncached(), models: []*configured{c}, stats: &operator.Stats{}}
	in := d.of(f, true, c.schema)
	for i := range in.parts {
		s := &stages[i]
		s.writes, s.def = c.wanted(), c.layerDef(d.t.r.LayerNamed)
		place := 0
		one := &input{r: in.r, parts: in.parts[i : i+1]}
		err := one.predicted(ctx, ann, func(b predictions) error {
			for _, doc := range b.predicted {
				for d.folds[i][place] != f {
					place++
				}
				s.found[place] = encodeResult(nil, []*text.Document{doc}, s.writes)
				place++
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}
