package learn

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
	"parlance/query/annotate"
	"parlance/query/ast"
	"parlance/query/input"
	"parlance/query/jobs"
	"parlance/query/models"
	"parlance/query/operator"
	"parlance/query/plan"
)

// The predictions of a USING model on its own training documents are better than on other documents, so that a model
// that learns from them relies on them too much. With the option jackknife, the documents of ON are divided into folds,
// and those of each fold are annotated by models that were trained on the other folds.

// checkJackknife checks, before anything is trained, that the models of USING can be trained again.
func (t *training) checkJackknife() error {
	if t.engine.jackknife == 0 {
		return nil
	}
	pos, models := t.optionPlace("jackknife"), t.on.Models()
	named, err := t.annotatingResources()
	if err != nil {
		return err
	}
	if len(models) == 0 && len(named) == 0 {
		return plan.Errorf(pos, plan.CodeInvalid,
			"USING, or an option of the kind, names a model whose predictions are learned from",
			"jackknife trains the models again that annotate ON, and none does")
	}
	for _, res := range t.schema.Resources {
		if m := named[res.Name]; m != nil {
			models = append(models, *m)
		}
	}
	for _, m := range models {
		if m.Schema.Unit == kind.PerCorpus {
			return plan.Errorf(pos, plan.CodeFeature, "leave jackknife out",
				"%s annotates a corpus as a whole, which folds would cut", m)
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

// jackknife replaces the models that annotate the input by models that were trained on other folds.
func (t *training) jackknife(ctx context.Context, job *jobs.Job) error {
	if t.engine.jackknife == 0 {
		return nil
	}
	inputs := []*input.Input{t.on}
	for _, role := range t.roleNames() {
		inputs = append(inputs, t.roles[role])
	}
	for _, in := range inputs {
		models := in.Models()
		if len(models) == 0 {
			continue
		}
		d := &jackknifeRun{t: t, in: in, steps: t.engine.jackknife * len(models), start: time.Now()}
		if err := d.deal(ctx, models); err != nil {
			return err
		}
		for k := range models {
			if err := d.predictFolds(ctx, job, models, k); err != nil {
				return err
			}
		}
		for i := range in.Parts {
			in.Parts[i].Ann, in.Parts[i].Predictions = nil, d.answers[i]
		}
	}
	return nil
}

// jackknifeRun is an input whose documents are divided into folds.
type jackknifeRun struct {
	t           *training
	in          *input.Input
	folds       [][]int // by part and position of the document; -1 for documents that the input leaves out
	answers     []input.FoldPredictions
	step, steps int
	start       time.Time
}

// deal divides the documents, or groups of documents that a model needs together, into folds by the seed.
func (d *jackknifeRun) deal(ctx context.Context, models []plan.ModelUse) error {
	group := ""
	for _, m := range models {
		if m.Schema.Group != "" {
			group = m.Schema.Group
		}
	}
	u := &foldUnits{group: group}
	for _, p := range d.in.Parts {
		list, err := u.number(ctx, d.t.r, p)
		if err != nil {
			return err
		}
		d.folds = append(d.folds, list)
	}
	n := d.t.engine.jackknife
	if u.n < n {
		return plan.Errorf(d.t.stmt.On[0].Pos, plan.CodeInvalid, "jackknife takes at most as many",
			"jackknife = %d needs as many %s, and there are %d", n, u.what(), u.n)
	}
	u.deal(rand.New(rand.NewPCG(uint64(d.t.engine.seed), 5)), n, d.folds)
	d.answers = make([]input.FoldPredictions, len(d.in.Parts))
	return nil
}

// predictFolds trains a model again for each fold, without its documents, and stores the predictions for them.
func (d *jackknifeRun) predictFolds(ctx context.Context, job *jobs.Job, models []plan.ModelUse, k int) error {
	use := &models[k]
	nbest, prob := annotate.Demand(models, k, d.reads())
	stages := make([]input.ModelPredictions, len(d.in.Parts))
	for i, list := range d.folds {
		stages[i].Found = make([][]byte, len(list))
	}
	for f := range d.t.engine.jackknife {
		d.progress(job, use)
		c, err := d.train(ctx, use, f)
		if err == nil {
			c.Run.NBest, c.Run.Prob = nbest, prob
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

// reads are the layers of the input that the learner reads.
func (d *jackknifeRun) reads() []kind.LayerUse {
	for _, p := range d.in.Parts {
		return p.Reads
	}
	return nil
}

// progress reports that the training of the next model begins.
func (d *jackknifeRun) progress(job *jobs.Job, use *plan.ModelUse) {
	d.step++
	p := kind.Progress{Step: d.step, Of: d.steps, Objective: math.NaN(), HeldOut: math.NaN(),
		Seconds: time.Since(d.start).Seconds(), Note: "jackknife of " + use.String()}
	d.t.r.Jobs.Progress(job, p)
	d.t.r.Session.Progress(p)
}

func (d *jackknifeRun) explain(err error, use *plan.ModelUse, f int) error {
	var e *ast.Error
	switch {
	case errors.Is(err, context.Canceled) || errors.As(err, &e):
		return err
	case errors.Is(err, kind.ErrNoData):
		return plan.Errorf(d.t.stmt.On[0].Pos, "02000", "fewer folds leave more documents to learn from",
			"jackknife: %s without fold %d: %v", use, f+1, err)
	}
	return fmt.Errorf("jackknife: %s without fold %d: %w", use, f+1, err)
}

// documentsOf returns the documents of a fold (own) or those of the other folds, with the layers that a model of schema
// s reads and learns. Layers of the models before it are their fold-wise predictions.
func (d *jackknifeRun) documentsOf(f int, own bool, s kind.Schema) *input.Input {
	out := &input.Input{R: d.in.R}
	for i, p := range d.in.Parts {
		keep := make([]bool, len(d.folds[i]))
		for k, fold := range d.folds[i] {
			keep[k] = fold >= 0 && (fold == f) == own
		}
		fold := input.Part{Node: p.Node, Want: p.Want, Reads: s.Reads, Selected: keep, Predictions: d.answers[i]}
		fold.AlsoRead(s.Reads, s.DocumentFields())
		fold.AlsoRead(s.Learns, nil)
		out.Parts = append(out.Parts, fold)
	}
	return out
}

// train repeats the training of a model, with its recorded options and seed, on the documents outside a fold.
func (d *jackknifeRun) train(ctx context.Context, use *plan.ModelUse, f int) (*models.Configured, error) {
	r := d.t.r
	l, err := r.Fetch(use.Name, use.Version)
	if err != nil {
		return nil, err
	}
	m, set := l.Kind.New(), &option.Set{}
	m.Options(set)
	if err := set.Recall(l.Meta.Options); err != nil {
		return nil, err
	}
	tr := &kind.Training{On: d.documentsOf(f, false, m.Schema()), Roles: map[string]kind.Input{},
		Resources: r.Resources(l.Meta.Upstream...),
		Seed:      l.Meta.Seed, Workers: r.Workers(), NoProb: true, Notice: func(string) {}, Report: func(kind.Progress) {}}
	for _, p := range l.Meta.Upstream {
		if p.Role != "init" {
			continue
		}
		first, err := r.Fetch(p.Name, p.Version)
		if err != nil {
			return nil, err
		}
		tr.Init = first.Model
	}
	if err := m.Train(ctx, tr); err != nil {
		return nil, err
	}
	schema := m.Schema()
	return &models.Configured{Loaded: &models.Loaded{Kind: l.Kind, Model: m}, Model: m, Schema: schema,
		Label: use.String(),
		Run: kind.Run{Resources: tr.Resources, Workers: 1, Wanted: models.SomeOf(schema.Writes, use.Wanted),
			Report: func(kind.Progress) {}}}, nil
}

// annotate stores the predictions of a model for the documents of a fold.
func (d *jackknifeRun) annotate(ctx context.Context, c *models.Configured, f int,
	stages []input.ModelPredictions) error {
	ann := &annotate.Annotator{Setup: d.t.r.Annotating().Uncached(), Models: []*models.Configured{c},
		Stats: &operator.Stats{}}
	in := d.documentsOf(f, true, c.Schema)
	for i := range in.Parts {
		s := &stages[i]
		s.Writes, s.Def = c.Wanted(), c.LayerDef(d.t.r.LayerDef)
		place := 0
		one := &input.Input{R: in.R, Parts: in.Parts[i : i+1]}
		err := one.Predicted(ctx, ann, func(b input.Predictions) error {
			for _, doc := range b.Predicted {
				for d.folds[i][place] != f {
					place++
				}
				s.Found[place] = annotate.EncodeResult(nil, []*text.Document{doc}, s.Writes)
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
