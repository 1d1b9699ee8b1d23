package learn

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sort"
	"strings"
	"time"

	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/query/ast"
	"parlance/query/exec"
	"parlance/query/expr"
	"parlance/query/fault"
	"parlance/query/input"
	"parlance/query/jobs"
	"parlance/query/models"
	"parlance/query/operator"
	"parlance/query/plan"
	"parlance/query/progress"
	"parlance/storage"
	"parlance/storage/catalog"
	"parlance/storage/guard"
	"parlance/storage/registry"
	"parlance/storage/value"
)

// training is a TRAIN statement that is prepared or running.
type training struct {
	r          *exec.Execution
	stmt       *ast.Train
	name       string
	kind       *kind.Kind
	model      kind.Model
	set        *option.Set
	engine     trainOptions
	schema     kind.Schema
	on         *input.Input
	roles      map[string]*input.Input
	valid      *input.Input
	knownInput *input.Input // rows that the score treats as known; nil for none
	init       *models.Loaded
	pins       []registry.Pin // versions of the models that its options name
	trace      []registry.TracePoint
	score      float64
	metric     string
	tuning     *registry.Tuning // how TUNE chose the options; nil for TRAIN

	heartbeat *progress.Heartbeat // nil before fitting begins
	resumes   string              // key of its checkpoints, computed at the first use
}

func Train(r *exec.Execution, ctx context.Context, s *ast.Train) (*operator.Result, error) {
	return trainAs(r, ctx, s, 0)
}

// trainAs trains under a new job, or resumes the job numbered resumed.
func trainAs(r *exec.Execution, ctx context.Context, s *ast.Train, resumed uint64) (*operator.Result, error) {
	s = exec.WithValues(s, r.Env.Params)
	t, err := prepare(r, s)
	if err != nil {
		return nil, err
	}
	if resumed == 0 {
		if err := t.checkUsing(); err != nil {
			return nil, err
		}
		if err := t.warn(ctx); err != nil {
			return nil, err
		}
	}
	t.noticeKind()
	base := ctx
	if s.Async {
		r.NoticeServing(t.name, 0)
		base = context.WithoutCancel(ctx)
	}
	jobCtx, job, err := r.Jobs.Start(base, r.Session.User, s.String(), resumed, t.name)
	if err != nil {
		return nil, err
	}
	if !s.Async {
		v, err := t.runQueued(jobCtx, job, resumed != 0)
		err = errors.Join(err, r.Jobs.End(job, err))
		if err != nil {
			return nil, t.explain(err)
		}
		return operator.Tag(t.summary(v)), nil
	}
	t.detach(jobCtx)
	r.Jobs.Async(func() {
		_, err := t.runQueued(jobCtx, job, resumed != 0)
		_ = r.Jobs.End(job, errors.Join(err, t.r.Close()))
	})
	return operator.TableResult(JobColumns, [][]value.Value{{value.Int(int64(job.Record.ID))}}), nil
}

// noticeKind gives a notice if the newest version of the model is of another kind.
func (t *training) noticeKind() {
	versions := t.r.Snapshot.Model(t.name).Versions
	if len(versions) == 0 {
		return
	}
	if last := versions[len(versions)-1]; last.Kind != t.kind.Name {
		t.r.Session.Notice(fmt.Sprintf("%s@%d is a %s; this version will be a %s", t.name, last.Version,
			last.Kind, t.kind.Name))
	}
}

// runQueued trains when the queue has a slot. A training that waited is prepared again.
func (t *training) runQueued(ctx context.Context, job *jobs.Job, resume bool) (v registry.Version, err error) {
	defer guard.Recover(&err, "training with "+t.stmt.Kind)
	waited, err := waitForSlot(t.r, ctx, job)
	if err != nil {
		return v, err
	}
	defer t.r.Jobs.Queue.Release()
	if waited {
		again, err := prepare(t.r, t.stmt)
		if err != nil {
			return v, err
		}
		*t = *again
	}
	return t.run(ctx, job, resume)
}

// Detached is a copy of the execution with the same snapshot and its own settings, which gives no notices.
func Detached(r *exec.Execution, ctx context.Context) *exec.Execution {
	own := *r
	own.Withs, own.Status = &exec.WithResults{}, nil
	env := *own.Env
	env.Ctx, env.Search, env.Runner = ctx, &exec.Searcher{R: &own}, &own
	quiet, settings := *own.Session, *own.Session.Settings
	quiet.Settings = &settings
	quiet.Notice, quiet.Progress = func(string) {}, func(kind.Progress) {}
	own.Env, own.Session = &env, &quiet
	return &own
}

// keepResources gives a detached execution its own snapshot and memory account, since the original one ends first.
func keepResources(r *exec.Execution) {
	r.Snapshot = r.Store.Snapshot().ForSession(r.Session.Temporary)
	r.Env.Memory = &expr.Memory{Limit: r.Env.Memory.Limit, Pool: r.Pool}
}

// detach gives a background training its own snapshot and settings.
func (t *training) detach(ctx context.Context) {
	t.r = Detached(t.r, ctx)
	keepResources(t.r)
	for _, in := range t.allInputs() {
		in.R = t.r
		for _, p := range in.Parts {
			if p.Ann != nil {
				p.Ann.Setup = t.r.Annotating()
			}
		}
	}
}

func (t *training) allInputs() []*input.Input {
	out := []*input.Input{t.on}
	for _, n := range t.roleNames() {
		out = append(out, t.roles[n])
	}
	if t.valid != nil {
		out = append(out, t.valid)
	}
	return out
}

func (t *training) roleNames() []string { return slices.Sorted(maps.Keys(t.roles)) }

// summary is the tag of a finished training.
func (t *training) summary(v registry.Version) string {
	s := fmt.Sprintf("TRAIN %s@%d", v.Name, v.Version)
	if t.valid != nil && t.metric != "" {
		s += fmt.Sprintf(" %s %.4f", t.metric, t.score)
	}
	return s
}

// explain gives common errors of training their SQLSTATE and hint.
func (t *training) explain(err error) error {
	var e *ast.Error
	switch {
	case errors.As(err, &e):
		return err
	case errors.Is(err, kind.ErrNoData):
		return &ast.Error{Code: "02000", Msg: err.Error(), Pos: t.stmt.On[0].Pos, Hint: t.noDataHint()}
	}
	pos := t.stmt.Pos
	if name, ok := strings.CutPrefix(err.Error(), "option "); ok {
		name, _, _ = strings.Cut(name, ":")
		pos = t.optionPlace(name)
	}
	return fault.FromKind(pos, err)
}

func (t *training) noDataHint() string {
	where := slices.ContainsFunc(t.stmt.On, func(in ast.Input) bool { return in.Where != nil })
	switch {
	case len(t.schema.Tables) > 0 && where:
		return "does WHERE leave rows? it reads " + input.TableUses(t.schema.Tables)
	case len(t.schema.Tables) > 0:
		return "it reads " + input.TableUses(t.schema.Tables)
	case where:
		return "does WHERE leave documents with the layer that is learned?"
	}
	return ""
}

// prepare binds the kind, options, layers and inputs of a TRAIN.
func prepare(r *exec.Execution, s *ast.Train) (*training, error) {
	k := r.Models.Kind(s.Kind)
	if k == nil {
		return nil, plan.Errorf(s.At, plan.CodeUndefinedObject, r.Models.KindHint(s.Kind),
			"there is no kind of model %s", s.Kind)
	}
	t := &training{r: r, stmt: s, kind: k, name: s.As, roles: map[string]*input.Input{}, engine: *NewTrainOptions(k)}
	if t.name == "" {
		t.name = s.Kind
	}
	if o, ok := r.Snapshot.Object(t.name); ok && o.Kind != catalog.ModelObject {
		return nil, plan.Errorf(s.Pos, "42710", "TRAIN … AS another name", "%s is a %s already", t.name, o.Kind)
	}
	if exec.Reserved(t.name) {
		return nil, plan.Errorf(s.Pos, "42939", "TRAIN … AS another name", "%s is a reserved name", t.name)
	}
	own, err := t.options()
	if err != nil {
		return nil, err
	}
	if err := t.configure(own); err != nil {
		return nil, err
	}
	return t, t.bind()
}

// bind binds the inputs and resources of the configured model.
func (t *training) bind() error {
	t.schema = t.model.Schema()
	t.r.Models.DeclareLayers(t.schema)
	if err := t.checkResources(); err != nil {
		return err
	}
	if err := t.bindInputs(); err != nil {
		return err
	}
	return t.checkJackknife()
}

// onlyLayer finds the only gold layer of the inputs that the kind can learn. It returns "" if there is none, for the
// default of the kind; several are an error.
func (t *training) onlyLayer(args []option.Arg) (string, error) {
	var layers, columns []string
	for _, in := range t.stmt.On {
		o, ok := t.r.Snapshot.Object(in.Name)
		if !ok || o.Kind != catalog.CorpusObject {
			return "", nil
		}
		stored, err := t.r.Snapshot.CountLayers(o)
		if err != nil {
			return "", err
		}
		for _, l := range stored {
			switch {
			case l.Model != "" || l.Rows == 0:
			case l.Name == "tokens":
				for i, c := range l.Def.Columns {
					if (c.Name == "upos" || c.Name == "xpos") && l.Present[i] && !slices.Contains(columns, c.Name) &&
						t.learns(args, c.Name) {
						columns = append(columns, c.Name)
					}
				}
			case !slices.Contains(layers, l.Name) && t.learns(args, l.Name):
				layers = append(layers, l.Name)
			}
		}
	}
	if len(layers) == 0 {
		layers = columns
	}
	if len(layers) > 1 {
		sort.Strings(layers)
		return "", plan.Errorf(t.stmt.On[0].Pos, plan.CodeAmbiguous, fmt.Sprintf("add WITH (layer = '%s')", layers[0]),
			"%s can learn several layers: %s", t.kind.Name, strings.Join(layers, ", "))
	}
	if len(layers) == 1 {
		return layers[0], nil
	}
	return "", nil
}

// learns reports whether the kind can learn the layer.
func (t *training) learns(args []option.Arg, layer string) bool {
	m, set := t.kind.New(), &option.Set{}
	m.Options(set)
	if err := set.Apply(append(append([]option.Arg{}, args...),
		option.Arg{Name: "layer", Value: value.Str(layer)})); err != nil {
		return false
	}
	for _, l := range m.Schema().Learns {
		if l.Layer == layer || slices.Contains(l.Columns, layer) {
			return true
		}
	}
	return false
}

// run trains, writes the weights and publishes the version.
func (t *training) run(ctx context.Context, job *jobs.Job, resume bool) (v registry.Version, err error) {
	defer guard.Recover(&err, "training with "+t.kind.Name)
	start := time.Now()
	save := func(write func(*kind.Writer) error) error { return t.checkpoint(ctx, job, write) }
	var from *kind.Reader
	if resume {
		if from, err = t.resume(ctx, job); err != nil {
			return v, err
		}
	}
	t.on.Sample, t.on.Tally = &input.TextSample{}, input.NewTally(t.schema.Learns)
	if err := t.fit(ctx, job, start, from, save); err != nil {
		return v, err
	}
	return t.publish(ctx, time.Since(start))
}

// fit trains and scores the model. save, which may be nil, stores a checkpoint.
func (t *training) fit(ctx context.Context, job *jobs.Job, start time.Time, from *kind.Reader,
	save func(func(*kind.Writer) error) error) (err error) {
	if err := t.jackknife(ctx, job); err != nil {
		return err
	}
	instead, err := t.jackknifeResources(ctx, job)
	if err != nil {
		return err
	}
	tr := t.input()
	resources := t.r.Resources(t.pins...)
	resources.Instead = instead
	tr.Resources = resources
	tr.Resume, tr.Save = from, save
	tr.Report = func(p kind.Progress) { t.report(job, p, start) }
	if t.valid != nil {
		tr.Validate, tr.Score = t.valid, t.heldOut
	}
	t.heartbeat = &progress.Heartbeat{Tell: t.r.Session.Progress, Every: progress.HeartbeatEvery, Began: start}
	if err := t.learn(ctx, tr); err != nil {
		return err
	}
	if t.valid != nil {
		t.score, t.metric, err = t.heldOut(ctx, t.model)
	}
	return err
}

// learn trains the model, and reports that it is alive while the kind reports no progress.
func (t *training) learn(ctx context.Context, tr *kind.Training) error {
	defer t.heartbeat.Start()()
	return t.model.Train(ctx, tr)
}

// input is the argument of the model's Train.
func (t *training) input() *kind.Training {
	tr := &kind.Training{On: t.on, Roles: map[string]kind.Input{}, Resources: t.r.Resources(t.pins...),
		Seed: uint64(t.engine.seed), Workers: t.r.Workers(),
		Notice: t.r.Session.Notice, Report: func(kind.Progress) {}}
	for role, in := range t.roles {
		tr.Roles[role] = in
	}
	if t.init != nil {
		tr.Init = t.init.Model
	}
	return tr
}

// report passes progress on and adds it to the trace.
func (t *training) report(job *jobs.Job, p kind.Progress, start time.Time) {
	p.Seconds = time.Since(start).Seconds()
	t.r.Jobs.Progress(job, p)
	t.r.Session.Progress(p)
	if t.heartbeat != nil {
		t.heartbeat.Report(p)
	}
	if p.Aside {
		return
	}
	point := registry.TracePoint{Step: p.Step, Of: p.Of, Objective: p.Objective, Metric: p.Metric, Gap: jobs.Finite(p.Gap),
		Active: p.Active, Seconds: p.Seconds, Note: p.Note}
	if p.Metric != "" {
		x := p.HeldOut
		point.HeldOut = &x
	}
	t.trace = append(t.trace, point)
}

func (t *training) checkpoint(ctx context.Context, job *jobs.Job, write func(*kind.Writer) error) error {
	key, err := t.key(ctx)
	if err != nil {
		return err
	}
	return t.r.Store.SaveCheckpoint(ctx, job.Record.ID, func(put func(string, []byte) error) error {
		if err := write(kind.NewWriter(put)); err != nil {
			return err
		}
		return put(keySection, []byte(key))
	})
}

// keySection is the section of a checkpoint with the key of the training; the others belong to the kind.
const keySection = "/training"

// key is a hash of everything that must be equal for a checkpoint to be used: documents, tables, models and program.
func (t *training) key(ctx context.Context) (string, error) {
	if t.resumes != "" {
		return t.resumes, nil
	}
	source, err := t.sourceHash(ctx, sameModel)
	if err != nil {
		return "", err
	}
	h := sha256.New()
	fmt.Fprintf(h, "%s\x00%s\x00%d\x00%d\x00", source, t.r.Program, t.kind.Revision, kind.Encoding)
	if t.init != nil {
		fmt.Fprintf(h, "%s\x00", t.init.Meta.WeightsHash)
	}
	if err := t.r.HashResources(h, t.schema.Resources, t.pins); err != nil {
		return "", err
	}
	t.resumes = hex.EncodeToString(h.Sum(nil))
	return t.resumes, nil
}

// resume reads the checkpoint of a job, if it has one.
func (t *training) resume(ctx context.Context, job *jobs.Job) (*kind.Reader, error) {
	sections, err := t.r.Store.LoadCheckpoint(job.Record.ID)
	if errors.Is(err, storage.ErrNotFound) || err == nil && len(sections) == 0 {
		t.r.Session.Notice("there is no checkpoint, the training starts anew")
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	key, err := t.key(ctx)
	if err != nil {
		return nil, err
	}
	if string(sections[keySection]) != key {
		t.r.Session.Notice("documents, models or program are not those of the checkpoint: the training starts anew")
		return nil, nil
	}
	return kind.NewReader(func(name string) ([]byte, error) {
		p, ok := sections[name]
		if !ok {
			return nil, fmt.Errorf("%w: checkpoint section %s", storage.ErrNotFound, name)
		}
		return p, nil
	}), nil
}
