package engine

import (
	"cmp"
	"context"
	"fmt"
	"sort"
	"strings"

	"parlance/algo/feature"
	"parlance/algo/feature/place"
	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/query/ast"
	"parlance/query/change"
	"parlance/query/exec"
	"parlance/query/input"
	"parlance/query/learn"
	"parlance/query/models"
	"parlance/query/operator"
	"parlance/query/plan"
	"parlance/query/relation"
	"parlance/query/score"
	"parlance/query/setting"
	"parlance/storage/catalog"
	"parlance/storage/format"
	"parlance/storage/registry"
	"parlance/storage/value"
)

// show lists a table of the catalog, or the value of a setting.
func (r *execution) show(_ context.Context, s *ast.Show) (*operator.Result, error) {
	name := strings.ToLower(s.Name)
	if t := systemTable("system", name); t != nil {
		rows, err := t.rows(r)
		if err != nil {
			return nil, err
		}
		return operator.TableResult(t.columns, rows), nil
	}
	if name == "all" {
		return r.showAll(), nil
	}
	if _, ok := models.PinnedModel(name); ok {
		model := s.Name[len(models.PinPrefix):]
		if o, found := r.Snapshot.Object(model); found && o.Kind == catalog.ModelObject {
			on, _ := r.Store.Setting(models.PinPrefix + model)
			return operator.TableResult([]plan.Column{{Name: name, Type: value.Text}},
				[][]value.Value{{value.Str(cmp.Or(on, "false"))}}), nil
		}
		return nil, plan.Errorf(s.NamePos, plan.CodeUndefinedObject, r.Models.SuggestModel(model),
			"there is no model %s", model)
	}
	var names, tables []string
	for _, row := range r.SettingRows() {
		if strings.EqualFold(row[0], name) {
			return operator.TableResult([]plan.Column{{Name: row[0], Type: value.Text}},
				[][]value.Value{{value.Str(r.shownRow(row))}}), nil
		}
		names = append(names, row[0])
	}
	for _, t := range systemTables {
		tables = append(tables, strings.ToUpper(t.name))
	}
	return nil, plan.Errorf(s.NamePos, plan.CodeUndefinedObject, "SHOW "+strings.Join(tables, ", ")+", or a setting",
		"there is nothing to show as %s%s", s.Name, option.DidYouMean(s.Name, append(names, tables...)))
}

// shownRow is the value in a row of SettingRows, with its unit.
func (r *execution) shownRow(row [5]string) string {
	if v, ok := r.shownSetting(row[0]); ok {
		return v
	}
	return row[1]
}

// showAll lists the settings by name.
func (r *execution) showAll() *operator.Result {
	rows := make([][]value.Value, 0, len(fixedSettings))
	for _, s := range r.SettingRows() {
		rows = append(rows, []value.Value{value.Str(s[0]), value.Str(r.shownRow(s)), value.Str(s[4])})
	}
	sort.Slice(rows, func(i, j int) bool { return strings.ToLower(rows[i][0].S) < strings.ToLower(rows[j][0].S) })
	return operator.TableResult(exec.Columns("name setting description"), rows)
}

var pairColumns = []plan.Column{{Name: "property", Type: value.Text}, {Name: "value", Type: value.Text}}

type pairs [][]value.Value

func (p *pairs) add(name, v string) {
	*p = append(*p, []value.Value{value.Str(name), exec.TextOrNull(v)})
}

// describe runs DESCRIBE of an object, a kind or a format.
func (r *execution) describe(s *ast.Describe) (*operator.Result, error) {
	switch s.Object {
	case ast.ObjectKind:
		return r.describeKind(s)
	case ast.ObjectFormat:
		return r.describeFormat(s)
	case ast.ObjectUser:
		return r.describeUser(s)
	}
	if s.Path != "" {
		return r.describeTable(s)
	}
	o, ok := r.Snapshot.Object(s.Name)
	if !ok {
		if b, found := feature.Builtin(s.Name); found {
			return lines("templates", b.String()), nil
		}
		if notation, found := place.Builtin(s.Name); found {
			return lines("templates", notation), nil
		}
		return nil, plan.Errorf(s.Pos, plan.CodeUndefinedObject, strings.TrimPrefix(r.Suggest(s.Name), "; "),
			"there is no %s %s", strings.ToLower(cmp.Or(s.Object, "object")), s.Name)
	}
	if s.Object != "" && change.ObjectKind(s.Object) != o.Kind {
		return nil, plan.Errorf(s.Pos, plan.CodeWrongKind, "DESCRIBE "+s.Name, "%s is a %s", s.Name, o.Kind)
	}
	switch o.Kind {
	case catalog.ModelObject:
		return r.describeModel(s)
	case catalog.FeaturesObject:
		return lines("templates", o.Source), nil
	}
	return r.describeObject(o)
}

// describeTable lists the columns of a layer or relation, whose arguments stand before them.
func (r *execution) describeTable(s *ast.Describe) (*operator.Result, error) {
	if rows := r.describeRelation(s); rows != nil {
		return operator.TableResult(exec.Columns("column type doc"), rows), nil
	}
	n, err := r.Binder().Select(&ast.Select{Pos: s.Pos, Items: []ast.Item{{Pos: s.Pos, Expr: &ast.Star{Pos: s.Pos}}},
		From: []ast.TableRef{&ast.Table{Pos: s.Pos,
			Ref: ast.Ref{Pos: s.Pos, Name: s.Name, Version: s.Version, Path: s.Path}}}})
	if err != nil {
		return nil, err
	}
	def := r.LayerDef(s.Path)
	var rows [][]value.Value
	for _, c := range n.Columns() {
		doc := ""
		if def != nil {
			if i := def.Index(c.Name); i >= 0 {
				doc = def.Columns[i].Doc
			}
		}
		rows = append(rows, []value.Value{value.Str(c.Name), value.Str(c.Type.String()), exec.TextOrNull(doc)})
	}
	return operator.TableResult(exec.Columns("column type doc"), rows), nil
}

// describeRelation lists the arguments and columns of a relation that the kind of a model has declared, nil for others.
func (r *execution) describeRelation(s *ast.Describe) (rows [][]value.Value) {
	v, err := r.Resolve(ast.ModelRef{Pos: s.Pos, Name: s.Name, Version: s.Version})
	if err != nil {
		return nil
	}
	for _, x := range relation.SchemaOf(v).Relations {
		if x.Name != s.Path {
			continue
		}
		for _, a := range x.Args {
			what := "argument: "
			if a.Optional {
				what = "optional argument: "
			}
			rows = append(rows, []value.Value{value.Str(a.Name), value.Str(a.Type.String()), value.Str(what + a.Doc)})
		}
		for _, c := range x.Columns {
			rows = append(rows, []value.Value{value.Str(c.Name), value.Str(c.Type.String()), exec.TextOrNull(c.Doc)})
		}
	}
	return rows
}

func (r *execution) describeObject(o *catalog.Object) (*operator.Result, error) {
	var p pairs
	p.add("name", o.Name)
	p.add("kind", string(o.Kind))
	if o.Kind == catalog.KBObject {
		for _, t := range o.Tables {
			p.add("table "+t.Part, text.Countf("%d {row|rows}: %s", r.Snapshot.TableCount(t), exec.TypedColumns(t)))
		}
		for _, t := range o.Tables {
			for _, ix := range t.Indexes {
				p.add("index of "+t.Part, strings.Join(ix, ", "))
			}
		}
		return operator.TableResult(pairColumns, p), nil
	}
	p.add("columns", exec.TypedColumns(o))
	names := make([]string, 0, len(o.Options))
	for n := range o.Options {
		names = append(names, n)
	}
	sort.Strings(names)
	for _, n := range names {
		p.add(n, o.Options[n])
	}
	if o.Kind != catalog.CorpusObject {
		p.add("rows", fmt.Sprint(r.Snapshot.TableCount(o)))
		for _, ix := range o.Indexes {
			p.add("index", strings.Join(ix, ", "))
		}
		return operator.TableResult(pairColumns, p), nil
	}
	for _, ix := range o.Indexes {
		p.add("index", strings.Join(ix, ", "))
	}
	p.add("documents", fmt.Sprint(r.Snapshot.Count(o)))
	p.add("tokens", fmt.Sprint(r.Snapshot.Tokens(o)))
	layers, err := r.Snapshot.CountLayers(o)
	if err != nil {
		return nil, err
	}
	for _, l := range layers {
		what := text.Countf("%d {row|rows}: %s", l.Rows, strings.Join(storedColumns(&l.LayerInfo), ", "))
		if l.Model != "" {
			what += " (predicted by " + l.Model + ")"
		}
		p.add("layer "+l.Name, what)
	}
	for _, x := range r.Snapshot.Fulltext(o) {
		p.add("full-text index", change.FulltextName(x))
	}
	return operator.TableResult(pairColumns, p), nil
}

// describeModel lists the lineage of a version, and tells whether its resources have changed since.
func (r *execution) describeModel(s *ast.Describe) (*operator.Result, error) {
	v, err := r.Resolve(ast.ModelRef{Pos: s.Pos, Name: s.Name, Version: s.Version})
	if err != nil {
		return nil, err
	}
	var p pairs
	p.add("model", fmt.Sprintf("%s@%d", v.Name, v.Version))
	p.add("aliases", exec.AliasList(r.Execution, v.Name, v.Version))
	for _, x := range r.Snapshot.Model(v.Name).Promotions {
		if what := score.PromotionOf(x, v.Version); what != "" {
			p.add(what, score.PromotionText(x))
		}
	}
	if v.Origin != nil {
		p.add("loaded from", v.Origin.String())
	}
	p.add("kind", v.Kind)
	schema := relation.SchemaOf(v)
	p.add("reads", cmp.Or(relation.LayerUses(schema.Reads), input.TableUses(schema.Tables)))
	p.add("writes", relation.LayerUses(schema.Writes))
	if schema.Prob != kind.NoProb {
		p.add("prob", schema.Prob.String())
	}
	for _, x := range schema.Relations {
		p.add("relation", RelationLine(x))
	}
	p.add("statement", v.Statement)
	if v.Tuning != nil {
		p.add("tuned by", v.Tuning.Statement)
	}
	p.add("seed", fmt.Sprint(v.Seed))
	for _, o := range relation.EffectiveOptions(r.Execution, v) {
		p.add("option "+o[0], o[1])
	}
	p.add("tokenizer", v.Tokenizer)
	p.add("source", v.SourceHash)
	p.add("upstream", relation.PinList(v.Upstream))
	for _, res := range v.Resources {
		state, err := r.resourceState(res)
		if err != nil {
			return nil, err
		}
		p.add("resource "+res.Name, state)
	}
	for n, x := range v.Metrics {
		p.add("held-out "+n, fmt.Sprintf("%.4f", x))
	}
	p.add("weights", v.WeightsHash)
	p.add("bytes", fmt.Sprint(v.WeightsBytes))
	p.add("seconds", fmt.Sprintf("%.2f", v.Seconds))
	p.add("created", v.Created.Format("2006-01-02 15:04:05"))
	p.add("program", v.Program)
	return operator.TableResult(pairColumns, p), nil
}

func (r *execution) resourceState(p registry.Pin) (string, error) {
	o, ok := r.LiveObject(p.Name, p.Role)
	if !ok {
		return p.Role + ", dropped since", nil
	}
	now, err := r.LivePin(o, kind.Resource{Name: p.Name, Kind: p.Role})
	switch {
	case err != nil:
		return "", err
	case now.Hash != p.Hash:
		return fmt.Sprintf("%s, changed since: trained_with %.12s, current %.12s", p.Role, p.Hash, now.Hash), nil
	case p.Order != "" && now.Order != p.Order:
		return p.Role + ", in another order since", nil
	}
	return p.Role + ", as it was", nil
}

var optionColumns = exec.Columns("option type default range phase doc")

func optionTable(sets ...*option.Set) *operator.Result {
	var rows [][]value.Value
	for _, s := range sets {
		for _, d := range s.Decls() {
			rows = append(rows, []value.Value{value.Str(d.Name), value.Str(d.Type), value.Str(d.Default),
				exec.TextOrNull(d.Range),
				value.Str(d.Phase.String()), value.Str(d.Doc + setting.Unit(d))})
		}
	}
	return operator.TableResult(optionColumns, rows)
}

func (r *execution) describeKind(s *ast.Describe) (*operator.Result, error) {
	k := r.Models.Kind(s.Name)
	if k == nil {
		return nil, plan.Errorf(s.Pos, plan.CodeUndefinedObject, r.Models.KindHint(s.Name),
			"there is no kind of model %s", s.Name)
	}
	r.ses.Notice(k.Name + ": " + k.Doc)
	for _, line := range KindSummary(k) {
		r.ses.Notice(line)
	}
	return optionTable(exec.KindOptions(k), &learn.NewTrainOptions(k).Set), nil
}

func (r *execution) describeFormat(s *ast.Describe) (*operator.Result, error) {
	f, ok := format.Lookup(s.Name)
	if !ok {
		return nil, exec.UnknownFormat(s.Pos, s.Name)
	}
	r.ses.Notice(f.Name + ": " + f.Doc)
	return optionTable(f.Options()), nil
}
