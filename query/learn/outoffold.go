package learn

import (
	"context"
	"time"

	"parlance/algo/kind"
	"parlance/algo/text"
	"parlance/query/input"
	"parlance/query/jobs"
	"parlance/query/plan"
	"parlance/storage/catalog"
	"parlance/storage/documents"
)

// outOfFold stands for a model that an option names, in a training with jackknife. It annotates training documents by
// copies of the model that were trained without them, and other documents by the model itself.
type outOfFold struct {
	kind.Model
	folds []kind.Model
	of    map[documentKey]int
}

// documentKey identifies a document of a training.
type documentKey struct {
	seq uint64
	id  string
}

func keyOf(d *text.Document) documentKey { return documentKey{d.Seq, d.ID} }

// Annotate implements kind.Model.
func (f *outOfFold) Annotate(ctx context.Context, docs []*text.Document, run *kind.Run) error {
	for i, d := range docs {
		m := f.Model
		if k, ok := f.of[keyOf(d)]; ok {
			m = f.folds[k]
		}
		if err := m.Annotate(ctx, docs[i:i+1], run); err != nil {
			return err
		}
	}
	return nil
}

// annotatingResources are the models that options name and that annotate single documents, by resource name.
func (t *training) annotatingResources() (map[string]*plan.ModelUse, error) {
	out := map[string]*plan.ModelUse{}
	for _, res := range t.schema.Resources {
		if res.Kind != string(catalog.ModelObject) {
			continue
		}
		ref, err := t.r.Refer(res, t.pins)
		if err != nil {
			return nil, err
		}
		u, err := t.r.Schema(ref.Version.Name, ref.Version.Version)
		if err != nil {
			return nil, err
		}
		if len(u.Schema.Writes) > 0 && u.Schema.Unit == kind.PerDocument {
			out[res.Name] = u
		}
	}
	return out, nil
}

// jackknifeResources returns the out-of-fold models for the models that options name.
func (t *training) jackknifeResources(ctx context.Context, job *jobs.Job) (map[string]kind.Trained, error) {
	if t.engine.jackknife == 0 {
		return nil, nil
	}
	uses, err := t.annotatingResources()
	if err != nil || len(uses) == 0 {
		return nil, err
	}
	var models []plan.ModelUse
	for _, res := range t.schema.Resources {
		if u := uses[res.Name]; u != nil {
			models = append(models, *u)
		}
	}
	d := &jackknifeRun{t: t, in: t.on, steps: t.engine.jackknife * len(models), start: time.Now()}
	if err := d.deal(ctx, models); err != nil {
		return nil, err
	}
	for i, p := range t.on.Parts {
		d.answers[i] = p.Predictions
	}
	of, err := d.keys(ctx)
	if err != nil {
		return nil, err
	}
	out := map[string]kind.Trained{}
	for _, res := range t.schema.Resources {
		u := uses[res.Name]
		if u == nil || out[res.Name].Model != nil {
			continue
		}
		l, err := t.r.Fetch(u.Name, u.Version)
		if err != nil {
			return nil, err
		}
		m := &outOfFold{Model: l.Model, of: of}
		for f := range t.engine.jackknife {
			d.progress(job, u)
			c, err := d.train(ctx, u, f)
			if err != nil {
				return nil, d.explain(err, u, f)
			}
			m.folds = append(m.folds, c.Model)
		}
		out[res.Name] = kind.Trained{Model: m, Resources: t.r.Resources(l.Meta.Upstream...), Label: l.Use().String()}
	}
	return out, nil
}

// keys returns the fold of each document.
func (d *jackknifeRun) keys(ctx context.Context) (map[documentKey]int, error) {
	of := map[documentKey]int{}
	for i, p := range d.in.Parts {
		place := 0
		err := input.EachStored(d.t.r, ctx, p, documents.Want{IDs: true}, func(doc *text.Document) error {
			f := d.folds[i][place]
			place++
			if f < 0 {
				return nil
			}
			if _, ok := of[keyOf(doc)]; ok {
				return plan.Errorf(d.t.stmt.On[i].Pos, plan.CodeInvalid, "a document belongs to one fold",
					"jackknife: document %s is learned from twice", doc.ID)
			}
			of[keyOf(doc)] = f
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return of, nil
}
