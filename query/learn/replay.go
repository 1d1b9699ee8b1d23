package learn

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/query/ast"
	"parlance/query/exec"
	"parlance/query/fault"
	"parlance/query/input"
	"parlance/query/jobs"
	"parlance/query/models"
	"parlance/query/operator"
	"parlance/query/plan"
	"parlance/storage/guard"
	"parlance/storage/registry"
	"parlance/storage/value"
)

var ReplayColumns = exec.Columns(
	"model version:int equal:bool recorded replayed source_changed:bool resources_changed " +
		"seconds_then:float seconds_now:float note")

// replay is one training that repeats a recorded one.
type replay struct {
	t           *training
	meta        registry.Version
	substitutes map[string]string // recorded versions, by the version that is used instead
	notes       []string
}

func (p *replay) note(format string, args ...any) {
	p.notes = append(p.notes, fmt.Sprintf(format, args...))
}

// Replay trains a version again from its lineage and compares the weights. It publishes nothing.
func Replay(r *exec.Execution, ctx context.Context, s *ast.Replay) (*operator.Result, error) {
	v, err := r.Resolve(s.Model)
	if err != nil {
		return nil, err
	}
	if _, err := waitForSlot(r, ctx, nil); err != nil {
		return nil, err
	}
	defer r.Jobs.Queue.Release()
	p := &replay{meta: v, substitutes: map[string]string{}}
	if err := p.prepare(r); err != nil {
		return nil, p.explain(s.Pos, err)
	}
	start := time.Now()
	hash, err := p.train(ctx, s)
	if err != nil {
		return nil, p.explain(s.Pos, err)
	}
	row, err := p.row(ctx, hash, time.Since(start))
	if err != nil {
		return nil, p.explain(s.Pos, err)
	}
	return operator.TableResult(ReplayColumns, [][]value.Value{row}), nil
}

// explain says why a version cannot be trained again. Positions in the recorded statement are dropped, since they are
// not positions in this statement.
func (p *replay) explain(pos ast.Pos, err error) error {
	var e *ast.Error
	if p.t != nil {
		err = p.t.explain(err)
	}
	if !errors.As(err, &e) {
		return err
	}
	return &ast.Error{Pos: pos, Code: e.Code, Hint: e.Hint,
		Msg: fmt.Sprintf("%s@%d cannot be trained again: %s", p.meta.Name, p.meta.Version, e.Msg)}
}

// prepare prepares a training with the recorded statement, options, seed and pinned models.
func (p *replay) prepare(r *exec.Execution) error {
	stmt, err := r.Parse(p.meta.Statement)
	if err != nil {
		return err
	}
	s, ok := stmt.(*ast.Train)
	if !ok {
		return fault.New(plan.CodeState, "it was not made by TRAIN")
	}
	k := r.Models.Kind(p.meta.Kind)
	if k == nil {
		return plan.Errorf(s.Pos, plan.CodeUndefinedObject, r.Models.KindHint(p.meta.Kind), "this program has no kind %s",
			p.meta.Kind)
	}
	if k.Revision != p.meta.Revision {
		p.note("%s was at revision %d and is at %d", k.Name, p.meta.Revision, k.Revision)
	}
	if p.meta.Encoding != kind.Encoding {
		p.note("its weights have the format %d, those of now %d: they cannot be equal", p.meta.Encoding, kind.Encoding)
	}
	if p.meta.Program != r.Program {
		p.note("trained by %s, replayed by %s", p.meta.Program, r.Program)
	}
	p.t = &training{r: r, stmt: s, kind: k, name: p.meta.Name, roles: map[string]*input.Input{}}
	if _, err := p.t.options(); err != nil {
		return err
	}
	if err := p.pin(r, s); err != nil {
		return err
	}
	p.t.engine.seed = int(p.meta.Seed)
	p.t.model, p.t.set = k.New(), &option.Set{}
	p.t.model.Options(p.t.set)
	if err := p.t.set.Recall(p.meta.Options); err != nil {
		return err
	}
	p.laterOptions()
	if err := p.t.bind(); err != nil {
		return err
	}
	p.noteNewModels()
	return nil
}

// laterOptions notes the options that were added to the kind after the version was made. They have their defaults,
// under which the training may differ from the recorded one.
func (p *replay) laterOptions() {
	recorded := map[string]bool{}
	for _, o := range p.meta.Options {
		recorded[o[0]] = true
	}
	for _, d := range p.t.set.Decls() {
		if d.Phase == option.Train && !recorded[d.Name] {
			p.note("the option %s came later and is %s", d.Name, ast.QuoteText(d.Value()))
		}
	}
}

// pin replaces the models in the statement by their recorded versions.
func (p *replay) pin(r *exec.Execution, s *ast.Train) error {
	p.t.engine.init = ""
	for _, pin := range p.meta.Upstream {
		v, err := p.upstream(r, pin)
		if err != nil {
			return err
		}
		if pin.Role == "init" {
			p.t.engine.init = fmt.Sprintf("%s@%d", v.Name, v.Version)
			continue
		}
		if pin.Role == models.ResourceRole {
			pin.Version = v.Version
			p.t.pins = append(p.t.pins, pin)
			continue
		}
		if pin.Role == models.InputRole {
			for i, in := range s.On {
				if n, err := strconv.Atoi(in.Version); in.Name == pin.Name && (err != nil || n == models.RecordedVersion(pin)) {
					s.On[i].Version = strconv.Itoa(v.Version)
				}
			}
			continue
		}
		p.substitutes[fmt.Sprintf("%s@%d", v.Name, v.Version)] = models.RecordedPin(pin)
		for i, u := range s.Using {
			if n, err := strconv.Atoi(u.Version); u.Name == pin.Name && (err != nil || n == models.RecordedVersion(pin)) {
				s.Using[i].Version = strconv.Itoa(v.Version)
			}
		}
	}
	return nil
}

// upstream finds a pinned version by its number, else one of equal content, else takes the current version.
func (p *replay) upstream(r *exec.Execution, pin registry.Pin) (registry.Version, error) {
	v, ok := r.Store.ModelVersion(pin.Name, pin.Version)
	if ok && v.WeightsHash == pin.Hash {
		return v, nil
	}
	for _, v := range r.Store.Model(pin.Name).Versions {
		if v.WeightsHash == pin.Hash {
			return v, nil
		}
	}
	v, err := r.Resolve(ast.ModelRef{Name: pin.Name})
	if err != nil {
		return v, plan.Errorf(ast.Pos{}, plan.CodeUndefinedObject, "LOAD it INTO MODEL "+pin.Name+", or TRAIN it again",
			"it was trained with %s, which is gone", models.RecordedPin(pin))
	}
	p.note("%s is gone, %s@%d stands for it", models.RecordedPin(pin), v.Name, v.Version)
	return v, nil
}

// noteNewModels notes models that annotate inputs now and did not when the version was made.
func (p *replay) noteNewModels() {
	for _, in := range p.t.allInputs() {
		for _, m := range in.Models() {
			if p.substitutes[m.String()] == "" {
				p.note("%s supplies an input and did not then", m)
				p.substitutes[m.String()] = m.String()
			}
		}
	}
}

// train runs the training as a job and returns the hash of its weights.
func (p *replay) train(ctx context.Context, s *ast.Replay) (hash string, err error) {
	job := &jobs.Job{}
	if r := p.t.r; !r.Store.ReadOnly() {
		if ctx, job, err = r.Jobs.Start(ctx, r.Session.User, s.String(), 0, ""); err != nil {
			return "", err
		}
		defer func() { err = errors.Join(err, r.Jobs.End(job, err)) }()
	}
	defer guard.Recover(&err, "training with "+p.t.kind.Name)
	if err := p.t.fit(ctx, job, time.Now(), nil, nil); err != nil {
		return "", err
	}
	return registry.HashWeights(func(put func(string, []byte) error) error {
		return p.t.model.Encode(kind.NewWriter(put))
	})
}

func (p *replay) row(ctx context.Context, hash string, took time.Duration) ([]value.Value, error) {
	source, err := p.t.sourceHash(ctx, func(m plan.ModelUse) plan.ModelUse {
		if name, version, ok := strings.Cut(p.substitutes[m.String()], "@"); ok {
			m.Name = name
			m.Version, _ = strconv.Atoi(version)
		}
		return m
	})
	if err != nil {
		return nil, err
	}
	changed, err := p.resources()
	if err != nil {
		return nil, err
	}
	sourceChanged := value.Bool(source != p.meta.SourceHash)
	equal := hash == p.meta.WeightsHash
	switch {
	case !p.meta.SourceRead:
		sourceChanged = value.Value{}
		p.note("whether the inputs are those of then is not known: an earlier program recorded them without their order")
	case sourceChanged.Bool():
		p.note("the inputs are not those of then")
	}
	if !equal && len(p.notes) == 0 {
		p.note("same inputs, other weights")
	}
	return []value.Value{value.Str(p.meta.Name), value.Int(int64(p.meta.Version)), value.Bool(equal),
		value.Str(p.meta.WeightsHash), value.Str(hash),
		sourceChanged, exec.TextOrNull(strings.Join(changed, ", ")), value.Real(p.meta.Seconds),
		value.Real(took.Seconds()),
		exec.TextOrNull(strings.Join(p.notes, "; "))}, nil
}

// resources lists what the model reads by name that has changed since, such as gazetteers and lexicons.
func (p *replay) resources() (changed []string, err error) {
	for _, res := range p.meta.Resources {
		o, ok := p.t.r.LiveObject(res.Name, res.Role)
		if !ok {
			p.note("%s %s is gone", res.Role, res.Name)
			changed = append(changed, res.Name)
			continue
		}
		change, err := p.t.r.ChangedSince(o, res)
		switch {
		case err != nil:
			return nil, err
		case change == models.Unchanged:
			continue
		case change == models.OtherOrder:
			p.note("%s %s is in another order", res.Role, res.Name)
		default:
			p.note("%s %s has changed", res.Role, res.Name)
		}
		changed = append(changed, res.Name)
	}
	return changed, nil
}
