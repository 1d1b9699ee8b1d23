package relation

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/query/exec"
	"parlance/query/fault"
	"parlance/query/operator"
	"parlance/query/plan"
	"parlance/storage/registry"
	"parlance/storage/value"
)

// modelRelation is a relation that every model has.
type modelRelation struct {
	kind.Relation
	rows func(r *exec.Execution, m *plan.ModelUse) ([][]value.Value, error)
}

var modelRelations = []modelRelation{
	{kind.Relation{Name: "versions", Doc: "versions with lineage", Columns: relationColumns("version:int kind aliases " +
		"metric value:float seconds:float bytes:int created:time seed:int source upstream resources weights statement " +
		"program origin documents:int labels:int")}, versionRows},
	{kind.Relation{Name: "options", Doc: "options of the version, defaults filled in",
		Columns: relationColumns("name value")}, modelOptionRows},
	{kind.Relation{Name: "trace", Doc: "progress of the training", Columns: relationColumns("step:int of:int " +
		"objective:float gap:float active:int metric held_out:float seconds:float note")}, traceRows},
	{kind.Relation{Name: "tuning",
		Doc: "what TUNE tried, the best first: a row for each candidate and fold, which is 1 with " +
			"VALIDATE; mean and std are over the folds",
		Columns: relationColumns("rank:int candidate:int options:json fold:int metric " +
			"score:float mean:float std:float seconds:float")}, tuningRows},
}

var ModelRelations = func() []kind.Relation {
	out := make([]kind.Relation, len(modelRelations))
	for i := range modelRelations {
		out[i] = modelRelations[i].Relation
	}
	return out
}()

func relationColumns(spec string) []kind.Column {
	var out []kind.Column
	for _, c := range exec.Columns(spec) {
		out = append(out, kind.Column{Name: c.Name, Type: c.Type})
	}
	return out
}

// Relations opens the items of FROM that this package implements, for package exec.
type Relations struct{}

// Open opens a table function or a relation that every model has; ok is false for a relation of a kind.
func (Relations) Open(r *exec.Execution, n *plan.Relation,
	args []value.Value) (op operator.Operator, ok bool, err error) {
	switch {
	case n.Corpus != nil:
		op, err = openCorpusFunction(r, n, args)
		return op, true, err
	case n.Rows:
		op, err = rowFunction(r, n, args)
		return op, true, err
	case n.Function:
		op, err = features(r, n, args[0])
		return op, true, err
	}
	t := FindModelRelation(n.Rel)
	if t == nil {
		return nil, false, nil
	}
	if len(n.Options) > 0 {
		return nil, true, plan.Errorf(n.Options[0].Pos, plan.CodeWrongKind, "", "%s takes no options", n.Name)
	}
	rows, err := t.rows(r, n.Model)
	if err != nil {
		return nil, true, err
	}
	return operator.NewRows(n.Columns(), rows), true, nil
}

func FindModelRelation(name string) *modelRelation {
	for i := range modelRelations {
		if modelRelations[i].Name == name {
			return &modelRelations[i]
		}
	}
	return nil
}

func versionRows(r *exec.Execution, m *plan.ModelUse) ([][]value.Value, error) {
	var out [][]value.Value
	for _, v := range r.Snapshot.Model(m.Name).Versions {
		out = append(out,
			[]value.Value{value.Int(int64(v.Version)), value.Str(v.Kind), exec.TextOrNull(exec.AliasList(r, v.Name, v.Version)),
				exec.MetricName(v), exec.MetricValue(v), value.Real(v.Seconds),
				value.Int(v.WeightsBytes), exec.TimeOrNull(v.Created), value.Int(int64(v.Seed)), value.Str(v.SourceHash),
				exec.TextOrNull(PinList(v.Upstream)), exec.TextOrNull(PinList(v.Resources)),
				value.Str(v.WeightsHash), value.Str(v.Statement), exec.TextOrNull(v.Program), originOf(v), learnedOf(v, 0),
				learnedOf(v, 1)})
	}
	return out, nil
}

// originOf tells where a version was loaded from, NULL for a version that was trained here.
func originOf(v registry.Version) value.Value {
	if v.Origin == nil {
		return value.Value{}
	}
	return value.Str(v.Origin.String())
}

// learnedOf is the number of documents (0) or of different labels (1) that a version was trained on, NULL where nobody
// counted them or there are none.
func learnedOf(v registry.Version, which int) value.Value {
	if v.Learned == nil {
		return value.Value{}
	}
	n := []int{v.Learned.Documents, v.Learned.Labels}[which]
	if n == 0 {
		return value.Value{}
	}
	return value.Int(int64(n))
}

func PinList(list []registry.Pin) string {
	var parts []string
	for _, p := range list {
		s := p.Name
		if p.Version > 0 {
			s = fmt.Sprintf("%s@%d", p.Name, p.Version)
		}
		if p.Role != "" {
			s += " (" + p.Role + ")"
		}
		parts = append(parts, s)
	}
	return strings.Join(parts, ", ")
}

func modelOptionRows(r *exec.Execution, m *plan.ModelUse) ([][]value.Value, error) {
	v, ok := r.Store.ModelVersion(m.Name, m.Version)
	if !ok {
		return nil, fault.New(plan.CodeUndefinedObject, "there is no model %s", m)
	}
	var out [][]value.Value
	for _, o := range EffectiveOptions(r, v) {
		out = append(out, []value.Value{value.Str(o[0]), value.Str(o[1])})
	}
	return out, nil
}

// EffectiveOptions lists the options of a version. An empty value is replaced by what it stands for.
func EffectiveOptions(r *exec.Execution, v registry.Version) [][2]string {
	k := r.Models.Kind(v.Kind)
	if k == nil {
		return v.Options
	}
	set := &option.Set{}
	k.New().Options(set)
	if set.Restore(v.Options) != nil {
		return v.Options
	}
	out := slices.Clone(v.Options)
	for i := range out {
		if d := set.Lookup(out[i][0]); d != nil {
			out[i][1] = d.Stands()
		}
	}
	return out
}

func traceRows(r *exec.Execution, m *plan.ModelUse) ([][]value.Value, error) {
	v, ok := r.Store.ModelVersion(m.Name, m.Version)
	if !ok {
		return nil, fault.New(plan.CodeUndefinedObject, "there is no model %s", m)
	}
	var out [][]value.Value
	for _, p := range v.Trace {
		held := value.Value{}
		if p.HeldOut != nil {
			held = value.Real(*p.HeldOut)
		}
		out = append(out, []value.Value{value.Int(int64(p.Step)), exec.IntOrNull(p.Of), exec.RealOrNull(p.Objective),
			nullIfZero(p.Gap), exec.IntOrNull(p.Active), exec.TextOrNull(p.Metric), held, value.Real(p.Seconds),
			exec.TextOrNull(p.Note)})
	}
	return out, nil
}

// nullIfZero is NULL for 0.
func nullIfZero(x float64) value.Value {
	if x == 0 {
		return value.Value{}
	}
	return value.Real(x)
}

// WrittenBy names the layers that a version writes.
func WrittenBy(v registry.Version) string { return LayerUses(SchemaOf(v).Writes) }

// SchemaOf is the schema of a version, read without its weights.
func SchemaOf(v registry.Version) kind.Schema {
	var s kind.Schema
	if json.Unmarshal(v.Schema, &s) != nil {
		return kind.Schema{}
	}
	return s
}

// LayerUses lists layers and columns of them.
func LayerUses(list []kind.LayerUse) string {
	var parts []string
	for _, w := range list {
		there := ""
		if w.Optional {
			there = " (if there)"
		}
		if len(w.Columns) == 0 {
			parts = append(parts, w.Layer+there)
		}
		for _, c := range w.Columns {
			parts = append(parts, w.Layer+"."+c+there)
		}
	}
	return strings.Join(parts, ", ")
}
