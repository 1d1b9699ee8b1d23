package score

import (
	"context"
	"fmt"
	"math"
	"sort"
	"strings"

	"parlance/algo/metrics"
	"parlance/algo/option"
	"parlance/query/ast"
	"parlance/query/exec"
	"parlance/query/fault"
	"parlance/query/operator"
	"parlance/query/plan"
	"parlance/storage"
	"parlance/storage/catalog"
	"parlance/storage/registry"
	"parlance/storage/value"
)

var PromoteColumns = exec.Columns(
	"promoted:bool model alias metric new_value:float old_value:float difference:float p:float note")

// Promote points an alias at a version, and adds an entry to its history: that it did, or why not.
func Promote(r *exec.Execution, ctx context.Context, s *ast.Promote) (*operator.Result, error) {
	s = exec.WithValues(s, r.Env.Params)
	if s.Model.Version == "" {
		return nil, plan.Errorf(s.Model.Pos, ast.CodeSyntax, "PROMOTE "+s.Model.Name+"@1 TO "+s.Alias,
			"PROMOTE names a version")
	}
	if r.Store.ReadOnly() {
		return nil, storage.ErrReadOnly
	}
	v, err := r.Resolve(s.Model)
	if err != nil {
		return nil, err
	}
	p := registry.Promotion{Alias: s.Alias, Version: v.Version, User: r.Session.User, Statement: s.String()}
	if s.If == nil {
		if err := r.Store.Promote(v.Name, p, nil); err != nil {
			return nil, fault.At(s.Pos, err)
		}
		return operator.Tag(fmt.Sprintf("PROMOTE %s@%d", v.Name, v.Version)), nil
	}
	expect, err := decide(r, ctx, s, v, &p)
	if err != nil {
		return nil, err
	}
	if err := r.Store.Promote(v.Name, p, expect); err != nil {
		return nil, fault.At(s.Pos, err)
	}
	fresh, old, sig := p.Scores()
	return operator.TableResult(PromoteColumns,
		[][]value.Value{{value.Bool(!p.Refused), value.Str(fmt.Sprintf("%s@%d", v.Name, v.Version)), value.Str(p.Alias),
			value.Str(p.Metric),
			exec.RealOrNull(fresh), exec.RealOrNull(old), exec.RealOrNull(fresh - old), exec.RealOrNull(sig),
			value.Str(p.Note)}}), nil
}

// decide scores a version and the one to beat on the same documents and fills in the promotion. It returns the alias
// that names the version to beat, with its number.
func decide(r *exec.Execution, ctx context.Context, s *ast.Promote, v registry.Version,
	p *registry.Promotion) (map[string]int, error) {
	margin, err := margin(r, s.If)
	if err != nil {
		return nil, err
	}
	inputs := make([]string, len(s.If.On))
	for i, in := range s.If.On {
		inputs[i] = in.String()
	}
	p.Metric, p.Input = s.If.Metric, strings.Join(inputs, ", ")
	than, set := r.Store.Model(v.Name).Aliases[s.If.Than]
	if !set && s.If.Than != s.Alias {
		hint := "SHOW MODELS lists versions and aliases"
		if _, err := r.Model(ast.ModelRef{Name: s.If.Than}); err == nil {
			hint = fmt.Sprintf("aliases are those of one model; EVALUATE %s, %s ON … compares two, and SET default_model says "+
				"which one answers where a statement names none", v.Name, s.If.Than)
		}
		return nil, plan.Errorf(s.If.Pos, plan.CodeUndefinedObject, hint, "model %s has no alias %s to compare with",
			v.Name, s.If.Than)
	}
	expect := map[string]int{s.If.Than: than}
	models := []ast.ModelRef{{Pos: s.Model.Pos, Name: v.Name, Version: fmt.Sprint(v.Version)}}
	if set {
		models = append(models, ast.ModelRef{Pos: s.If.Pos, Name: v.Name, Version: fmt.Sprint(than)})
	}
	found, err := scoreModels(r, ctx, s.If, models)
	if err != nil {
		return nil, err
	}
	if !set {
		p.Score(found[0].Value(), math.NaN(), math.NaN())
		p.Note = s.Alias + " was not set"
		return expect, nil
	}
	fresh, old := found[0].Value(), found[1].Value()
	sig, err := NewEvaluateOptions().pValue(ctx, r.Workers(), found[0], found[1])
	if err != nil {
		return expect, err
	}
	p.Score(fresh, old, sig)
	p.Refused, p.Note = Verdict(p.Metric, s.If.Than, than, v.Version, fresh-old, margin)
	return expect, nil
}

// Verdict refuses a version that is not better, or not better by the margin. Rounding errors below 1e-12 are ignored.
func Verdict(metric, alias string, than, version int, difference, margin float64) (refused bool, note string) {
	const slack = 1e-12
	switch {
	case than == version:
		return true, fmt.Sprintf("%s is @%d already", alias, version)
	case !(difference > 0):
		return true, fmt.Sprintf("%s is not better than that of %s@%d", metric, alias, than)
	case difference < margin-slack:
		return true, fmt.Sprintf("%s is better than that of %s@%d, but not by %g", metric, alias, than, margin)
	}
	return false, fmt.Sprintf("%s is better than that of %s@%d", metric, alias, than)
}

// margin evaluates BY.
func margin(r *exec.Execution, s *ast.PromoteIf) (float64, error) {
	if s.By == nil {
		return 0, nil
	}
	b, err := r.Binder().Constant(s.By)
	if err != nil {
		return 0, err
	}
	v, err := r.Scalar(b)
	if err == nil {
		v, err = value.Cast(v, value.Float)
	}
	if err != nil || v.IsNull() || !(v.Float() >= 0) {
		return 0, plan.Errorf(s.By.Position(), plan.CodeType, "BY 0.002", "BY takes the least difference, a number from 0")
	}
	return v.Float(), nil
}

// scoreModels evaluates models on the same documents and returns the metric of each.
func scoreModels(r *exec.Execution, ctx context.Context, s *ast.PromoteIf,
	models []ast.ModelRef) ([]metrics.Metric, error) {
	e := &evaluation{r: r, stmt: &ast.Evaluate{Pos: s.Pos, On: s.On}, opt: NewEvaluateOptions()}
	e.opt.beta = metrics.BetaOf(s.Metric)
	for _, ref := range models {
		if err := e.prepare(ast.ScoredModel{ModelRef: ref}); err != nil {
			return nil, err
		}
	}
	out := make([]metrics.Metric, len(models))
	var names []string
	known := 0
	for i := range e.models {
		if err := e.score(ctx, &e.models[i]); err != nil {
			return nil, err
		}
		if len(e.models[i].groups) == 0 {
			return nil, plan.Errorf(s.On[0].Pos, "02000", "does WHERE leave documents?", "there is nothing to score %s on",
				e.models[i].use)
		}
		list := e.models[i].groups[0].metrics
		m, ok := MetricNamed(list, s.Metric)
		if ok {
			known++
		}
		out[i] = m
		names = append(names, MetricNames(list)...)
	}
	if known == 0 {
		return nil, plan.Errorf(s.Pos, plan.CodeUndefinedObject, "metrics: "+strings.Join(Unique(names), ", "),
			"there is no metric %s of %s%s", s.Metric, e.models[0].use, option.DidYouMean(s.Metric, names))
	}
	return out, nil
}

// MetricNamed finds a metric such as f1, or f1.PER for a label. A label that a model does not know scores 0.
func MetricNamed(list []metrics.Metric, name string) (metrics.Metric, bool) {
	short, label := metrics.CutLabel(name)
	for _, m := range list {
		if m.Label == metrics.All && strings.EqualFold(m.Name, name) || m.Label == label && strings.EqualFold(m.Name, short) {
			return m, true
		}
	}
	return metrics.Metric{Name: short, Label: label}, false
}

func MetricNames(list []metrics.Metric) []string {
	var out []string
	for _, m := range list {
		if m.Label == metrics.All {
			out = append(out, m.Name)
		} else {
			out = append(out, m.Name+"."+m.Label)
		}
	}
	return out
}

func Unique(list []string) []string {
	seen := map[string]bool{}
	var out []string
	for _, s := range list {
		if !seen[s] {
			seen[s] = true
			out = append(out, s)
		}
	}
	return out
}

// PromotionRows lists the histories of all models by time.
func PromotionRows(r *exec.Execution) ([][]value.Value, error) {
	var out [][]value.Value
	for _, o := range r.Snapshot.Objects(catalog.ModelObject) {
		for _, p := range r.Snapshot.Model(o.Name).Promotions {
			fresh, old, sig := p.Scores()
			out = append(out, []value.Value{exec.TimeOrNull(p.When), exec.TextOrNull(p.User), value.Str(o.Name),
				value.Str(p.Alias),
				exec.IntOrNull(p.From), value.Int(int64(p.Version)), value.Bool(!p.Refused),
				exec.TextOrNull(p.Metric), exec.RealOrNull(fresh), exec.RealOrNull(old), exec.RealOrNull(fresh - old),
				exec.RealOrNull(sig),
				exec.TextOrNull(p.Input), exec.TextOrNull(p.Statement), exec.TextOrNull(p.Note)})
		}
	}
	sort.SliceStable(out, func(i, k int) bool { return out[i][0].N < out[k][0].N })
	return out, nil
}

// PromotionOf describes a history entry from the side of a version, "" if it does not concern the version.
func PromotionOf(p registry.Promotion, version int) string {
	switch {
	case p.Version == version && p.Refused:
		return "refused as " + p.Alias
	case p.Version == version:
		return "promoted to " + p.Alias
	case p.From == version && !p.Refused:
		return "no longer " + p.Alias
	}
	return ""
}

func PromotionText(p registry.Promotion) string {
	s := p.When.Format("2006-01-02 15:04:05")
	if p.From > 0 && !p.Refused {
		s += fmt.Sprintf(", @%d after @%d", p.Version, p.From)
	}
	fresh, old, sig := p.Scores()
	if !math.IsNaN(fresh) {
		s += fmt.Sprintf(", %s %.4f", p.Metric, fresh)
	}
	if !math.IsNaN(old) {
		s += fmt.Sprintf(" against %.4f", old)
	}
	if !math.IsNaN(sig) {
		s += fmt.Sprintf(", p %.3f", sig)
	}
	if p.Note != "" {
		s += ": " + p.Note
	}
	return s
}
